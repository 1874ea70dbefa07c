import { describe, expect, it } from 'vitest';
import { centre, directionTo, HEIGHT, HEXES, neighbour } from '../src/lib/geometry';

describe('hexes', () => {
  it('has neighbours as the rules say', () => {
    expect([0, 1, 2, 3, 4, 5].map((way) => neighbour('a1', way))).toEqual(['a2', 'b2', 'b1', null, null, null]);
    expect([0, 1, 2, 3, 4, 5].map((way) => neighbour('d3', way))).toEqual(['d4', 'e3', 'e2', 'd2', 'c2', 'c3']);
  });

  it('draws every neighbour one hex away, in its direction', () => {
    for (const hex of HEXES) {
      for (const way of [0, 1, 2, 3, 4, 5]) {
        const other = neighbour(hex, way);
        if (!other) continue;
        const [from, to] = [centre(hex), centre(other)];
        expect(Math.hypot(to.x - from.x, to.y - from.y)).toBeCloseTo(HEIGHT);
        const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
        expect((angle + 90 + 360) % 360).toBeCloseTo((way * 60) % 360);
        expect(directionTo(hex, other)).toBe(way);
      }
    }
  });
});
