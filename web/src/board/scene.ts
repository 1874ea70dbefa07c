/** What lies and grows on a tile, from its name and the way it is turned. */
import type { Tile } from '../lib/data';
import { towards, type Point } from '../lib/geometry';
import { stoneSpots } from './layout';
import { chance, ring, smooth, stones, trees, type Layers, type Tree } from './shapes';

export interface Scene {
  patches: string;
  trails: string;
  tufts: string;
  trees: Layers;
  stones: Layers;
}

/** A point before a side: so far along it, and so far from the middle. */
function before(direction: number, along: number, out: number): Point {
  const { x, y } = towards(direction, 1);
  const length = Math.hypot(x, y);
  return { x: (x * out - y * along) / length, y: (y * out + x * along) / length };
}

function patches(random: () => number): string {
  return Array.from({ length: 7 }, (_, i) => {
    const angle = i * 0.9 + random();
    const far = 30 + random() * 38;
    const size = 9 + random() * 14;
    return smooth(ring(Math.cos(angle) * far, Math.sin(angle) * far * 0.9, size * 1.4, size, 7, random, 0.5));
  }).join('');
}

function trails(sides: readonly number[]): string {
  return sides
    .map((count, side) => ({ count, end: towards(side, 0.965) }))
    .filter(({ count }) => count)
    .map(({ end }) => `M0 0L${end.x.toFixed(1)} ${end.y.toFixed(1)}`)
    .join('');
}

/** Trees stand where no path leaves the tile. */
function grove(sides: readonly number[], dense: boolean, random: () => number): Tree[] {
  return sides.flatMap((count, side) => {
    if (count) return [];
    const along = dense ? [-34, -13, 11, 33] : [-24, 2, 26];
    return along.map((place) => {
      const r = (dense ? 11 : 9) + random() * 4;
      return { ...before(side, place + random() * 6 - 3, 81 - r), r };
    });
  });
}

function tufts(random: () => number): string {
  return Array.from({ length: 14 }, () => {
    const angle = random() * 6.28;
    const far = 36 + random() * 42;
    const [x, y] = [Math.cos(angle) * far, Math.sin(angle) * far * 0.9];
    return `M${(x - 4).toFixed(1)} ${(y - 5).toFixed(1)}L${x.toFixed(1)} ${y.toFixed(1)}l3.5 -6`;
  }).join('');
}

export function scene(tile: Tile, sides: readonly number[], hex: string): Scene {
  const random = chance(`tile ${tile.name} ${hex}`);
  return {
    patches: patches(random),
    trails: trails(sides),
    tufts: tufts(random),
    trees: trees(grove(sides, tile.terrain === 'jungle', random), random),
    stones: stones(sides.flatMap((count, side) => stoneSpots(side, count)), random),
  };
}
