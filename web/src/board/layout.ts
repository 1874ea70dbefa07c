/**
 * Positions on a hex, measured from its middle. Stones are at the middle of the sides; the hex's main content (a
 * temple, tokens, a camp: never two of them) is in the middle; members are in the corners, where neither is.
 */
import { towards, type Point } from '../lib/geometry';

/** The width of the frame around the board. */
export const FRAME = 40;
/** The radius of a worker. */
export const FIGURE = 17;
/** The touch radius of the player's members: as large as two neighbouring ones allow. */
export const TOUCH = 34;
export const MOST_GROUPS = 8;

const FAR = 73;
/** A corner of a hex, counted clockwise from the right one. */
function corner(number: number): Point {
  const angle = (number * Math.PI) / 3;
  return { x: Math.cos(angle) * FAR, y: Math.sin(angle) * FAR };
}
// Lower left, lower right, left, right, upper left, upper right: the nearest to the viewer first.
const CORNERS: readonly Point[] = [2, 1, 3, 0, 4, 5].map(corner);
const FRONT: readonly Point[] = [{ x: 0, y: 42 }];
const FRONT_PAIR: readonly Point[] = [{ x: -17, y: 42 }, { x: 17, y: 42 }];

/**
 * Positions of groups of members. With up to six groups, a group stays in place when another one comes. With more, some
 * stand in front of the temple, and the order is from back to front.
 */
export function spots(groups: number): Point[] {
  if (groups <= CORNERS.length) return CORNERS.slice(0, groups);
  const front = groups > CORNERS.length + 1 ? FRONT_PAIR : FRONT;
  return [...CORNERS, ...front].sort((a, b) => a.y - b.y);
}

/** Whether a leader there flies the flag to the left: to the right it would cover the temple's number. */
export const outwards = ({ x, y }: Point): boolean => x < 0 && y > FIGURE;

/** The scale of members among this many groups: a crowd is drawn smaller. */
export function closeness(groups: number): number {
  return groups > CORNERS.length ? 0.78 : groups > 4 ? 0.92 : 1;
}

/** Positions of a side's stones, those nearest to the side first. */
export function stoneSpots(direction: number, count: number): Point[] {
  const rows: readonly (readonly [along: number, out: number])[][] = [
    [],
    [[0, 74]],
    [[-11.5, 74], [11.5, 74]],
    [[-11.5, 75], [11.5, 75], [0, 57]],
  ];
  const out = towards(direction, 1);
  const length = Math.hypot(out.x, out.y);
  const [ux, uy] = [out.x / length, out.y / length];
  return rows[count]!.map(([along, far]) => ({ x: ux * far - uy * along, y: uy * far + ux * along }));
}
