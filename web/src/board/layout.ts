/**
 * Where things stand on a hex, measured from its middle. Stones lie at the middle of the sides; what the hex is about (a
 * temple, tokens, a camp: never two of them) stands in the middle; members stand in the corners, where neither is.
 */
import { towards, type Point } from '../lib/geometry';

/** How far the frame of the board reaches beyond it. */
export const FRAME = 40;
/** What a worker covers, as a radius. */
export const FIGURE = 17;
/** Where a finger means an own member: as far as two that stand side by side allow. */
export const TOUCH = 34;
export const MOST_GROUPS = 8;

const FAR = 73;
/** A corner of a hex, counted clockwise from the right one. */
function corner(number: number): Point {
  const angle = (number * Math.PI) / 3;
  return { x: Math.cos(angle) * FAR, y: Math.sin(angle) * FAR };
}
// Lower left, lower right, left, right, upper left, upper right: the nearest to the eye first.
const CORNERS: readonly Point[] = [2, 1, 3, 0, 4, 5].map(corner);
const FRONT: readonly Point[] = [{ x: 0, y: 42 }];
const FRONT_PAIR: readonly Point[] = [{ x: -17, y: 42 }, { x: 17, y: 42 }];

/**
 * Where groups of members stand. Up to six, a group that was there stays where it is when another one comes; of more,
 * some stand in front of the temple, and all are told from the back to the front.
 */
export function spots(groups: number): Point[] {
  if (groups <= CORNERS.length) return CORNERS.slice(0, groups);
  const front = groups > CORNERS.length + 1 ? FRONT_PAIR : FRONT;
  return [...CORNERS, ...front].sort((a, b) => a.y - b.y);
}

/** How large members are drawn among so many groups: a crowd stands closer. */
export function closeness(groups: number): number {
  return groups > CORNERS.length ? 0.78 : groups > 4 ? 0.92 : 1;
}

/** Where a side's stones lie, the ones nearest to the side first. */
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
