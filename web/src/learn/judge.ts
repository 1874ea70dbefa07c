/** Compares actions with a step of a lesson. It knows no rules: it compares texts. */
import type { View } from '../lib/types';
import { words, type Step } from './lessons';

const begins = (list: readonly string[], start: readonly string[]): boolean => start.every((action, index) => list[index] === action);

/** The ways to finish a step, as lists of actions. */
function ways(step: Step): string[][] {
  return (step.want ?? (step.free ? [step.free] : [])).map(words);
}

/** The rest of the first way that begins with the actions so far; empty if there is none. */
export function next(step: Step, taken: readonly string[]): string[] {
  const way = ways(step).find((one) => begins(one, taken) && one.length > taken.length);
  if (way) return way.slice(taken.length);
  return step.free && step.until?.seat !== undefined ? ['.'] : [];
}

/** Why these actions are wrong for the step: the suffix of a text's key, `` without a particular reason; null if they are right. */
export function objection(step: Step, taken: readonly string[], actions: readonly string[]): string | null {
  if (step.free) return null;
  const all = [...taken, ...actions];
  if (ways(step).some((way) => begins(way, all))) return null;
  const first = actions.findIndex((_, index) => !ways(step).some((way) => begins(way, all.slice(0, taken.length + index + 1))));
  const wrong = actions.slice(first).join(' '); // a walk of several steps has one goal
  const known = Object.keys(step.wrong ?? {}).filter((start) => wrong.startsWith(start));
  const longest = known.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? '' : step.wrong![longest]!;
}

/** Whether a step is over. */
export function over(step: Step, taken: readonly string[], view: View): boolean {
  if (step.free) return Object.entries(step.until ?? {}).every(([name, value]) => view[name as keyof View] === value);
  return ways(step).some((way) => way.length === taken.length && begins(way, taken));
}
