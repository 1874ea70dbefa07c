/** Clocks in words. */
import { t } from '../lib/messages.svelte';
import type { Clock, NewClock } from '../lib/types';

/** A clock's settings in words. */
export function clockWords(clock: NewClock | Clock | null | undefined): string {
  if (!clock) return t('clock.none');
  const late = t(`clock.timeout_${clock.timeout ?? 'turn'}`);
  if (clock.kind === 'daily') return `${t('clock.daily', { days: clock.days ?? 1 })} ${late}`;
  const { bank_s: bank = 1200, increment_s: more = 30 } = clock;
  return `${t('clock.live', { minutes: Math.round((bank / 60) * 10) / 10, seconds: more })} ${late}`;
}
