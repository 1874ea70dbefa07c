/** Dice as they may have fallen: only their sum is known, so it is shared out as evenly as it goes. */
export type DiceKind = '3d6' | '1d20' | '2d6';

export function faces(kind: DiceKind, sum: number): number[] {
  const count = Number(kind[0]);
  return Array.from({ length: count }, (_, i) => Math.floor((sum + i) / count)).reverse();
}

/** From the middle of one die to that of the next, or of the sum. */
export const GAP = 52;

/** How far a roll reaches from its middle: to the left, and to the right where the sum stands. */
export function reach(kind: DiceKind): [left: number, right: number] {
  if (kind === '1d20') return [40, 40];
  const end = ((Number(kind[0]) - 1) / 2) * GAP;
  return [end + 28, end + GAP + 24];
}

/** Where the pips of a face are, in steps from its middle. */
export const PIPS: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};
