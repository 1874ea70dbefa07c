/** A stepped pyramid seen from above and a little from the front, floor by floor. */
import { once, polygon } from './shapes';
import type { Point } from '../lib/geometry';

export interface Floor {
  number: number;
  /** The middle of its top, and half of its size. */
  y: number;
  width: number;
  depth: number;
  top: string;
  front: string;
}

export interface Pyramid {
  floors: Floor[];
  /** The highest floor, with the number. */
  top: Floor;
  /** Its outline, its shadow, and the stairs with their steps. */
  outline: string;
  shade: string;
  stairs: string;
  steps: string;
}

const TOP = { width: 19, depth: 14 }; // half of the number's width
const STAIRS = 7;
const HIGH = 4.5; // the front of the lowest floor

const HIGHEST = 10;

/** How far a floor extends beyond the one above: less with more floors, but every level is higher than the one below. */
function step(level: number): { out: number; back: number; down: number } {
  const ways = Math.max(1, level - 1);
  const share = (ways / (HIGHEST - 1)) ** 0.8 / ways; // of what fits between the stones
  return { out: 31 * share, back: 5 * share, down: 62 * share };
}

/** A trapezium that is a little narrower at the back. */
function slab(width: number, back: number, front: number): Point[] {
  const slant = (front - back) * 0.06;
  return [{ x: -width + slant, y: back }, { x: width - slant, y: back }, { x: width, y: front }, { x: -width, y: front }];
}

/** The pyramid of a level, around the middle of its hex. */
export const pyramid = once((level: number): Pyramid => {
  const { out, back, down } = step(level);
  const rise = down - back; // offset of the middle, from floor to floor
  const middle = 14 - (level - 1) * rise * 0.74; // the higher it is, the more it towers over its hex
  const floors = Array.from({ length: level }, (_, i) => {
    const below = level - 1 - i; // floors above this one
    const [width, depth] = [TOP.width + below * out, TOP.depth + (below * (back + down)) / 2];
    const y = middle + (below * (down - back)) / 2;
    const [behind, front] = [y - depth, y + depth];
    const high = i ? down * 0.55 : HIGH;
    return { number: i + 1, y, width, depth, top: polygon(slab(width, behind, front)), front: polygon(slab(width, front, front + high)) };
  });
  const [base, top] = [floors[0]!, floors.at(-1)!];
  const foot = base.y + base.depth + HIGH;
  const brink = top.y + top.depth;
  return {
    floors,
    top,
    outline: polygon(slab(base.width, base.y - base.depth, foot)),
    shade: polygon([
      { x: top.width, y: top.y - top.depth },
      { x: base.width - 2, y: base.y - base.depth },
      { x: base.width, y: foot },
      { x: top.width, y: brink },
    ]),
    stairs: polygon([{ x: -STAIRS, y: brink }, { x: STAIRS, y: brink }, { x: STAIRS + 2, y: foot }, { x: -STAIRS - 2, y: foot }]),
    steps: Array.from({ length: Math.floor((foot - brink) / 4) }, (_, i) => `M${-STAIRS} ${(brink + i * 4 + 3).toFixed(1)}h${2 * STAIRS}`).join(''),
  };
});
