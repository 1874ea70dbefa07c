/**
 * The positions of hexes. Flat sides up and down, 8 columns a..h of 5 rows 1..5 from the bottom; columns b, d, f, h are
 * half a hex lower. Lengths are units of the board's picture, in which a hex has the radius 100.
 */
export const RADIUS = 100;
export const HEIGHT = Math.sqrt(3) * RADIUS;
export const COLUMNS = 'abcdefgh';
export const ROWS = 5;
export const HEXES: readonly string[] = [...COLUMNS].flatMap((column) => Array.from({ length: ROWS }, (_, row) => `${column}${row + 1}`));
export const WIDTH_OF_BOARD = 1.5 * RADIUS * (COLUMNS.length - 1) + 2 * RADIUS;
export const HEIGHT_OF_BOARD = HEIGHT * (ROWS + 0.5);

export interface Point {
  x: number;
  y: number;
}

function place(hex: string): [column: number, row: number] {
  return [COLUMNS.indexOf(hex[0]!), Number(hex[1])];
}

/** The middle of a hex. */
export function centre(hex: string): Point {
  const [column, row] = place(hex);
  return { x: RADIUS + 1.5 * RADIUS * column, y: (ROWS - row + 0.5 + (column % 2) / 2) * HEIGHT };
}

/** The neighbour in a direction (0 N, 1 NE, 2 SE, 3 S, 4 SW, 5 NW), or null beyond the edge. */
export function neighbour(hex: string, direction: number): string | null {
  const [column, row] = place(hex);
  const odd = column % 2;
  const steps: readonly (readonly [number, number])[] = [[0, 1], [1, 1 - odd], [1, -odd], [0, -1], [-1, -odd], [-1, 1 - odd]];
  const [dx, dr] = steps[direction]!;
  const [x, r] = [column + dx, row + dr];
  return x >= 0 && x < COLUMNS.length && r >= 1 && r <= ROWS ? `${COLUMNS[x]}${r}` : null;
}

/** The direction from a hex to a neighbour, or -1. */
export function directionTo(from: string, to: string): number {
  return [0, 1, 2, 3, 4, 5].findIndex((direction) => neighbour(from, direction) === to);
}

/** A point between a hex's middle (0) and the middle of a side (1). */
export function towards(direction: number, share: number): Point {
  const angle = ((direction * 60 - 90) * Math.PI) / 180;
  return { x: (Math.cos(angle) * HEIGHT * share) / 2, y: (Math.sin(angle) * HEIGHT * share) / 2 };
}

/** The six corners around the middle, for an SVG polygon. */
export function corners(radius = RADIUS): string {
  return [0, 1, 2, 3, 4, 5]
    .map((corner) => (corner * Math.PI) / 3)
    .map((angle) => `${(Math.cos(angle) * radius).toFixed(2)},${(Math.sin(angle) * radius).toFixed(2)}`)
    .join(' ');
}
