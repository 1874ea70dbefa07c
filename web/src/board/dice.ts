/** Plausible dice: only their sum is known, so it is distributed as evenly as possible. */
export type DiceKind = '3d6' | '1d20' | '2d6';

export function faces(kind: DiceKind, sum: number): number[] {
  const count = Number(kind[0]);
  return Array.from({ length: count }, (_, i) => Math.floor((sum + i) / count)).reverse();
}

/** The distance between the middles of two dice, or of a die and the sum. */
export const GAP = 52;

/** The extent of a roll from its middle: to the left, and to the right with the sum. */
export function reach(kind: DiceKind): [left: number, right: number] {
  if (kind === '1d20') return [40, 40];
  const end = ((Number(kind[0]) - 1) / 2) * GAP;
  return [end + 28, end + GAP + 24];
}

/** Positions of the pips of a face, in steps from its middle. */
export const PIPS: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};
