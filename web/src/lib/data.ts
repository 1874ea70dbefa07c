/** The game's tables, made from the rules' data files (see data-plugin.ts). */
import data from 'virtual:tikal/data';
import { isHex } from './notation';

export type Terrain = 'base' | 'temple' | 'treasure' | 'jungle' | 'volcano' | 'lake';
/** Stones on the six sides, clockwise from N. */
export type Sides = readonly number[];

export interface Tile {
  name: string;
  terrain: Terrain;
  value: number;
  stones: Sides;
}

export const TILES: Readonly<Record<string, Tile>> = Object.fromEntries(
  Object.entries(data.tiles).map(([name, [terrain, value, stones]]) => [name, { name, terrain, value, stones }]),
);

type Row = (typeof data.boards)[string][string];
const NO_STONES = [0, 0, 0, 0, 0, 0];

/** What is printed on a board, by hex: explored land, lakes and volcanoes. Hexes that are "off" are not part of it. */
export function printed(rows: Readonly<Record<string, Row>>): Record<string, Tile> {
  const tiles = Object.entries(rows)
    .filter(([hex, what]) => isHex(hex) && what !== 'off') // a board also has a note
    .map(([hex, what]): [string, Tile] => {
      const [terrain, value, stones] = typeof what === 'string' ? [what as Terrain, 0, NO_STONES] : what;
      return [hex, { name: hex, terrain, value, stones }];
    });
  return Object.fromEntries(tiles);
}

/** The hexes of the grid that are not part of a board. */
export function off(rows: Readonly<Record<string, Row>>): string[] {
  return Object.keys(rows).filter((hex) => rows[hex] === 'off');
}

const byBoard = <T>(make: (rows: Readonly<Record<string, Row>>) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(data.boards).map(([board, rows]) => [board, make(rows)]));

export const PRINTED: Readonly<Record<string, Readonly<Record<string, Tile>>>> = byBoard(printed);
export const OFF: Readonly<Record<string, readonly string[]>> = byBoard(off);

export const OPTIONS = data.options;
export const EDITIONS = data.editions;
/** A seat's total pieces. */
export const SEAT = data.seat;
export const LEVELS: readonly string[] = data.levels;
/** The default level. */
export const USUAL_LEVEL: string = data.usualLevel;

/** The stones of a tile turned clockwise by this many sixths. */
export function turned(stones: Sides, rotation: number): number[] {
  return stones.map((_, side) => stones[(side - rotation + 6) % 6]!);
}

/** `A5^0`, as a view writes a placed tile. */
export function placed(text: string): { tile: Tile; rotation: number } {
  const [name, rotation] = text.split('^') as [string, string];
  return { tile: TILES[name]!, rotation: Number(rotation) };
}
