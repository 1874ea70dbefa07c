/** Outlines for drawings, as path data. Natural-looking shapes are derived from a name, so they look the same each time. */
import type { Point } from '../lib/geometry';

/** Numbers from 0 to 1 that depend only on a name. */
export function chance(name: string): () => number {
  let state = 2166136261;
  for (const letter of name) state = Math.imul(state ^ letter.charCodeAt(0), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Caches a computed thing by its key, so that redrawing does not compute it again. */
export function once<Key, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new Map<Key, Made>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key)!;
  };
}

/** A number in the short form of path data. */
export function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}

export function polygon(points: readonly Point[]): string {
  return `M${points.map(({ x, y }) => `${round(x)} ${round(y)}`).join('L')}Z`;
}

/** A closed smooth outline through its points. */
export function smooth(points: readonly Point[]): string {
  const middle = (a: Point, b: Point): string => `${round((a.x + b.x) / 2)} ${round((a.y + b.y) / 2)}`;
  const last = points.at(-1)!;
  return points.reduce(
    (path, point, i) => `${path}Q${round(point.x)} ${round(point.y)} ${middle(point, points[(i + 1) % points.length]!)}`,
    `M${middle(last, points[0]!)}`,
  ) + 'Z';
}

/** Points around a middle; `wobble` moves them in and out, by a fraction of the radius. */
export function ring(x: number, y: number, rx: number, ry: number, count: number, random: () => number, wobble = 0): Point[] {
  const start = random() * 6.28;
  return Array.from({ length: count }, (_, i) => {
    const angle = start + (i * 2 * Math.PI) / count;
    const far = 1 - wobble / 2 + wobble * random();
    return { x: x + Math.cos(angle) * rx * far, y: y + Math.sin(angle) * ry * far };
  });
}

/** A tree's crown seen from above: a ring of arcs. */
export function crown(x: number, y: number, r: number, bows = 8, turn = 0): string {
  const bow = round(r * Math.sin(Math.PI / bows) * 1.12);
  const at = (i: number): string => {
    const angle = turn + (i * 2 * Math.PI) / bows;
    return `${round(x + Math.cos(angle) * r)} ${round(y + Math.sin(angle) * r)}`;
  };
  return `M${at(0)}${Array.from({ length: bows }, (_, i) => `A${bow} ${bow} 0 0 1 ${at(i + 1)}`).join('')}Z`;
}

export function circle(x: number, y: number, r: number): string {
  return `M${round(x - r)} ${round(y)}a${round(r)} ${round(r)} 0 1 1 ${round(2 * r)} 0a${round(r)} ${round(r)} 0 1 1 ${round(-2 * r)} 0Z`;
}

/** The sign of a seat: 1 circle, 2 square, 3 triangle, 4 diamond, all of about the same size. */
export function sign(seat: number, r: number, x = 0, y = 0): string {
  if (seat === 2) {
    const s = r * 0.88;
    return polygon([{ x: x - s, y: y - s }, { x: x + s, y: y - s }, { x: x + s, y: y + s }, { x: x - s, y: y + s }]);
  }
  if (seat === 3) {
    const s = r * 1.16;
    return polygon([{ x, y: y - r * 1.08 }, { x: x + s, y: y + r * 0.92 }, { x: x - s, y: y + r * 0.92 }]);
  }
  if (seat === 4) {
    const s = r * 1.2;
    return polygon([{ x, y: y - s }, { x: x + s, y }, { x, y: y + s }, { x: x - s, y }]);
  }
  return circle(x, y, r);
}

/** Layers of a standing thing: its shadow, its body and its highlights, one path each. */
export interface Layers {
  shadow: string;
  body: string;
  light: string;
}

export interface Tree extends Point {
  r: number;
}

export function trees(all: readonly Tree[], random: () => number): Layers {
  const layers: Layers = { shadow: '', body: '', light: '' };
  for (const { x, y, r } of all) {
    const bows = r > 15 ? 9 : 7;
    const turn = random() * 6;
    layers.shadow += crown(x + r * 0.16, y + r * 0.24, r, bows, turn);
    layers.body += crown(x, y, r, bows, turn);
    layers.light += crown(x - r * 0.22, y - r * 0.26, r * 0.5, 6, turn + 1);
  }
  return layers;
}

/** Stones, each about 20 wide, at points. */
export function stones(at: readonly Point[], random: () => number, size = 10.5): Layers {
  const layers: Layers = { shadow: '', body: '', light: '' };
  for (const { x, y } of at) {
    const [rx, ry] = [size * (0.98 + random() * 0.14), size * (0.82 + random() * 0.12)];
    const outline = ring(0, 0, rx * 1.14, ry * 1.14, 7, random, 0.16);
    const moved = (dx: number, dy: number, share: number): Point[] =>
      outline.map((point) => ({ x: x + dx + point.x * share, y: y + dy + point.y * share }));
    layers.shadow += smooth(moved(size * 0.14, size * 0.3, 1.06));
    layers.body += smooth(moved(0, 0, 1));
    layers.light += smooth(moved(-size * 0.13, -size * 0.2, 0.68));
  }
  return layers;
}
