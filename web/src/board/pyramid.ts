/** A stepped pyramid seen from above and a little from the front, floor by floor. */
import { polygon } from './shapes';

export interface Floor {
  number: number;
  /** The middle of its top. */
  y: number;
  width: number;
  depth: number;
  top: string;
  front: string;
}

const TOP = { width: 24, depth: 20 }; // half of what the number needs
const STEP = { in: 2.5, deep: 1.4, up: 3.6, high: 5 };

export function floors(level: number): Floor[] {
  const lowest = 8 + level * 0.6;
  return Array.from({ length: level }, (_, i) => {
    const above = level - 1 - i;
    const [width, depth] = [TOP.width + above * STEP.in, TOP.depth + above * STEP.deep];
    const y = lowest - i * STEP.up;
    const front = y + depth;
    return {
      number: i + 1,
      y,
      width,
      depth,
      top: polygon([{ x: -width + 2, y: y - depth }, { x: width - 2, y: y - depth }, { x: width, y: front }, { x: -width, y: front }]),
      front: polygon([{ x: -width, y: front }, { x: width, y: front }, { x: width, y: front + STEP.high }, { x: -width, y: front + STEP.high }]),
    };
  });
}
