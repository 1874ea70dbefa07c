/** The events of a table as a line of actions, without those taken back. */
import type { GameEvent, SeatNumber } from '../lib/types';

export type PlayEvent = Extract<GameEvent, { kind: 'play' }>;

/** The actions that were not taken back. The place of an action, counted from 1, is the number of its frame. */
export function history(events: readonly GameEvent[]): PlayEvent[] {
  const line: PlayEvent[] = [];
  for (const event of events) {
    if (event.kind === 'play') line.push(event);
    else if (event.kind === 'undo') line.length = Math.max(0, line.length - event.count);
  }
  return line;
}

/** How many actions two lines have in common from the start. */
export function shared(one: readonly PlayEvent[], other: readonly PlayEvent[]): number {
  let count = Math.min(one.length, other.length);
  while (count && one[count - 1]!.seq !== other[count - 1]!.seq) count--;
  return count;
}

/** Where the last actions begin that all belong to seats that `of` accepts. */
export function stretch(line: readonly PlayEvent[], of: (seat: SeatNumber) => boolean, end = line.length): number {
  let start = end;
  while (start && of(line[start - 1]!.seat)) start--;
  return start;
}
