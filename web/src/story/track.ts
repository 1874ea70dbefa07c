/** The score track: 100 cells around a board of 34 by 18, clockwise from the upper left corner. */
import type { Point } from '../lib/geometry';

export const COLUMNS = 34;
export const ROWS = 18;
export const CELLS = 2 * (COLUMNS + ROWS) - 4;

/** The middle of a cell, in cells. */
export function cell(score: number): Point {
  const place = ((score % CELLS) + CELLS) % CELLS;
  const [top, right, bottom] = [COLUMNS - 1, COLUMNS + ROWS - 2, 2 * COLUMNS + ROWS - 3];
  if (place <= top) return { x: place + 0.5, y: 0.5 };
  if (place <= right) return { x: COLUMNS - 0.5, y: place - top + 0.5 };
  if (place <= bottom) return { x: COLUMNS - 0.5 - (place - right), y: ROWS - 0.5 };
  return { x: 0.5, y: ROWS - 0.5 - (place - bottom) };
}

/** The cells that a token passes on its way, at most as many as an animation needs. */
export function way(from: number, to: number, most = 24): number[] {
  const steps = Math.min(Math.abs(to - from), most);
  return Array.from({ length: steps + 1 }, (_, step) => Math.round(from + ((to - from) * step) / Math.max(1, steps)));
}
