/** The scenery of a tile, from its name and rotation. */
import { turned, type Tile } from '../lib/data';
import { towards, type Point } from '../lib/geometry';
import { stoneSpots } from './layout';
import { chance, circle, once, ring, smooth, stones, trees, type Layers, type Tree } from './shapes';

export interface Scene {
  patches: string;
  trails: string;
  tufts: string;
  /** The clearing in the middle of a jungle, pebbles on the paths, flowers beside them. */
  clearing: string;
  pebbles: string;
  flowers: string;
  trees: Layers;
  stones: Layers;
}

/** A point near a side: this far along it, and this far from the middle. */
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

/** Trees grow where no path leaves the tile. */
function grove(sides: readonly number[], dense: boolean, random: () => number): Tree[] {
  return sides.flatMap((count, side) => {
    if (count) return [];
    const along = dense ? [-36, -15, 10, 32] : [-25, 2, 27];
    return along.map((place) => {
      const r = (dense ? 9 : 7.5) + random() * 7;
      return { ...before(side, place + random() * 6 - 3, 82 - r), r };
    });
  });
}

/** Whether a circle is within a hex of this size (from its middle to its sides). */
function within({ x, y, r }: Tree, inner: number): boolean {
  return Math.abs(y) + r < inner && Math.abs(x) * 0.866 + Math.abs(y) * 0.5 + r < inner;
}

export interface Canopy {
  low: Layers;
  high: Layers;
  /** A few giants above the rest. */
  giants: Layers;
  /** Blossoms in the crowns, and the mist between them. */
  blossoms: string;
  mist: string;
  /** How deep the green is here: 0 to 1, from hex to hex. */
  depth: number;
}

/** The crowns over an unexplored hex, in three storeys. */
export const canopy = once((hex: string): Canopy => {
  const random = chance(`canopy ${hex}`);
  const storey = (gap: number, size: number): Tree[] => {
    const all: Tree[] = [];
    for (let row = -4; row <= 4; row++) {
      for (let column = -4; column <= 4; column++) {
        const x = (column + (row % 2) / 2) * gap + (random() - 0.5) * gap * 0.5;
        all.push({ x, y: row * gap * 0.86 + (random() - 0.5) * gap * 0.5, r: size * (0.8 + random() * 0.4) });
      }
    }
    return all.filter((tree) => within(tree, 86));
  };
  const around = (far: number): Point => {
    const angle = random() * 6.28;
    return { x: Math.cos(angle) * far, y: Math.sin(angle) * far * 0.86 };
  };
  const giants = Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({ ...around(34 + random() * 20), r: 19 + random() * 7 }));
  return {
    low: trees(storey(23, 14), random),
    high: trees(storey(34, 13.5), random),
    giants: trees(giants, random),
    blossoms: random() < 0.4 ? dots(7, 20, 62, 2.6, random) : '',
    mist: random() < 0.3 ? smooth(ring(random() * 40 - 20, random() * 40 - 20, 46, 17, 9, random, 0.4)) : '',
    depth: random(),
  };
});

function tufts(random: () => number): string {
  return Array.from({ length: 14 }, () => {
    const angle = random() * 6.28;
    const far = 36 + random() * 42;
    const [x, y] = [Math.cos(angle) * far, Math.sin(angle) * far * 0.9];
    return `M${(x - 4).toFixed(1)} ${(y - 5).toFixed(1)}L${x.toFixed(1)} ${y.toFixed(1)}l3.5 -6`;
  }).join('');
}

function dots(count: number, near: number, far: number, size: number, random: () => number): string {
  return Array.from({ length: count }, () => {
    const angle = random() * 6.28;
    const out = near + random() * (far - near);
    return circle(Math.cos(angle) * out, Math.sin(angle) * out * 0.9, size * (0.6 + random() * 0.6));
  }).join('');
}

/** Keyed by everything that affects a tile's look: its name, its rotation and its hex. */
const looks = once((key: string): Scene => {
  const [name, terrain, sides, hex] = key.split('/') as [string, string, string, string];
  const stonesOf = [...sides].map(Number);
  const random = chance(`tile ${name} ${hex}`);
  return {
    patches: patches(random),
    trails: trails(stonesOf),
    tufts: tufts(random),
    clearing: smooth(ring(0, 0, 36, 32, 9, random, 0.16)),
    pebbles: dots(22, 3, 46, 2.2, random),
    flowers: dots(12, 40, 66, 2.4, random),
    trees: trees(grove(stonesOf, terrain === 'jungle', random), random),
    stones: stones(stonesOf.flatMap((count, side) => stoneSpots(side, count)), random),
  };
});

export function scene(tile: Tile, rotation: number, hex: string): Scene {
  return looks(`${tile.name}/${tile.terrain}/${turned(tile.stones, rotation).join('')}/${hex}`);
}
