/** Clocks in words and figures. */
import { t } from '../lib/messages.svelte';
import type { Clock, NewClock } from '../lib/types';

/** How a clock is set. */
export function clockWords(clock: NewClock | Clock | null | undefined): string {
  if (!clock) return t('clock.none');
  const late = t(`clock.timeout_${clock.timeout ?? 'turn'}`);
  if (clock.kind === 'daily') return `${t('clock.daily', { days: clock.days ?? 1 })} ${late}`;
  const { bank_s: bank = 1200, increment_s: more = 30 } = clock;
  return `${t('clock.live', { minutes: Math.round((bank / 60) * 10) / 10, seconds: more })} ${late}`;
}

/** How long a time is, as short as it can be told: `1:05`, `2:30:00`, `3 d 4 h`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600), Math.floor(seconds / 60)];
  const two = (number: number) => String(number).padStart(2, '0');
  if (days) return t('clock.days_hours', { days, hours: hours % 24 });
  if (hours) return `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`;
  return `${minutes}:${two(seconds % 60)}`;
}

/** What a seat has left at a moment of this computer's clock, in ms; null where no time runs for it. */
export function left(clock: Clock, seat: number, turn: boolean, skew: number, now: number): number | null {
  if (turn && clock.deadline !== null) return Math.max(0, clock.deadline - (now + skew));
  return clock.remaining[seat - 1] ?? null;
}
