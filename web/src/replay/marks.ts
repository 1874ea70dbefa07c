/** The moments of a game that a replay can jump to, each as a number of actions. */
import { parse } from '../lib/notation';
import type { PlayEvent } from '../story/history';

export interface Marks {
  /** After the last action of each turn. */
  turns: readonly number[];
  /** After each action that scored. */
  scorings: readonly number[];
}

export function marks(line: readonly PlayEvent[]): Marks {
  const turns: number[] = [];
  const scorings: number[] = [];
  line.forEach(({ action, after }, index) => {
    if (parse(action)?.kind === 'end') turns.push(index + 1);
    const before = line[index - 1]?.after.scores;
    if (before && after.scores.some((score, seat) => score > before[seat]!)) scorings.push(index + 1);
  });
  return { turns, scorings };
}

/** The next moment, or the previous one. Beyond the last is the end, before the first the start. */
export function jump(moments: readonly number[], at: number, by: 1 | -1, end: number): number {
  return by > 0 ? (moments.find((one) => one > at) ?? end) : (moments.findLast((one) => one < at) ?? 0);
}
