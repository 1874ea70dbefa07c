/** A seat's time, by the server's clock. */
import type { Clock, SeatNumber } from '../lib/types';

/** A seat's remaining milliseconds, `since` milliseconds after the clock arrived; null if no time runs. */
export function left(clock: Clock, seat: SeatNumber, running: boolean, since: number): number | null {
  if (running && clock.deadline !== null) return Math.max(0, clock.deadline - clock.now - since);
  return clock.remaining[seat - 1] ?? null;
}

/** `4:09`, `1:20:00`, and from two days on only days and hours as `2d 5h`. */
export function timeText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600)];
  const two = (value: number): string => String(value).padStart(2, '0');
  if (days > 1) return `${days}d ${hours % 24}h`;
  const minutes = Math.floor(seconds / 60);
  return hours ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
