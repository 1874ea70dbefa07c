import { describe, expect, test } from 'vitest';
import { closeness, FIGURE, MOST_GROUPS, outwards, spots, stoneSpots } from '../src/board/layout';
import { pyramid } from '../src/board/pyramid';
import type { Point } from '../src/lib/geometry';

const SIDES = [0, 1, 2, 3, 4, 5];
const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const STONE = 8;

function apart(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** How far a point is from a box around the middle. */
function outside(point: Point, box: { y: number; width: number; depth: number }): number {
  return Math.hypot(Math.max(0, Math.abs(point.x) - box.width), Math.max(0, Math.abs(point.y - box.y) - box.depth));
}

describe.each([1, 2, 3, 4, 5, 6, 7, MOST_GROUPS])('%i groups on a hex', (groups) => {
  const places = spots(groups);
  const figure = FIGURE * closeness(groups);

  test('have a place each, and none covers another', () => {
    expect(places).toHaveLength(groups);
    for (const [i, one] of places.entries())
      for (const other of places.slice(i + 1)) expect(apart(one, other)).toBeGreaterThan(2 * figure);
  });

  test('stay on the hex', () => {
    for (const { x, y } of places) {
      const out = Math.max(Math.abs(y), Math.abs(x) * 0.866 + Math.abs(y) * 0.5);
      expect(out + figure).toBeLessThan(87);
    }
  });

  test('cover no stone', () => {
    const stones = SIDES.flatMap((side) => stoneSpots(side, 3));
    for (const one of places) for (const stone of stones) expect(apart(one, stone)).toBeGreaterThan(STONE + figure / 2);
  });

  test.each(LEVELS)('leave the number of a temple of level %i free', (level) => {
    const { top } = pyramid(level);
    const number = { y: top.y, width: 18, depth: 14 };
    for (const one of places) expect(outside(one, number)).toBeGreaterThan(figure);
  });
});

test('whoever is there stays when others come', () => {
  for (let groups = 2; groups <= 6; groups++) expect(spots(groups).slice(0, -1)).toEqual(spots(groups - 1));
});

test('a leader in front, on the left, flies the flag away from the temple', () =>
  expect(spots(6).filter(outwards)).toEqual([spots(1)[0]]));

describe('stones', () => {
  test.each(SIDES)('of side %i lie before it, as many as there are', (side) => {
    for (const count of [0, 1, 2, 3]) {
      const places = stoneSpots(side, count);
      expect(places).toHaveLength(count);
      for (const [i, one] of places.entries())
        for (const other of places.slice(i + 1)) expect(apart(one, other)).toBeGreaterThan(2 * STONE);
    }
  });
});

describe('a pyramid', () => {
  test.each(LEVELS)('of level %i has a floor for each level and fits between the stones', (level) => {
    const { floors } = pyramid(level);
    expect(floors).toHaveLength(level);
    expect(floors[0]!.width).toBeLessThanOrEqual(50);
    expect(floors[0]!.y - floors[0]!.depth).toBeGreaterThan(-50);
    expect(floors[0]!.y + floors[0]!.depth).toBeLessThan(50);
  });
  test('is higher and wider with every level', () => {
    const bases = LEVELS.map((level) => pyramid(level).floors[0]!);
    for (const [i, { width, depth }] of bases.slice(1).entries()) {
      expect(width).toBeGreaterThan(bases[i]!.width + 2);
      expect(depth).toBeGreaterThan(bases[i]!.depth + 2);
    }
  });
});
