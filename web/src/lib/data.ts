/** The game's own tables, as the rules have them (see data-plugin.ts). */
import data from 'virtual:tikal/data';

export type Terrain = 'base' | 'temple' | 'treasure' | 'jungle' | 'volcano';
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

/** Hexes that are explored from the start, by board. */
export const PRINTED: Readonly<Record<string, Readonly<Record<string, Tile>>>> = Object.fromEntries(
  Object.entries(data.boards).map(([board, hexes]) => [
    board,
    Object.fromEntries(
      Object.entries(hexes)
        .filter(([, what]) => typeof what !== 'string')
        .map(([hex, what]) => {
          const [terrain, value, stones] = what as [Terrain, number, number[]];
          return [hex, { name: hex, terrain, value, stones }];
        }),
    ),
  ]),
);

export const OPTIONS = data.options;
export const EDITIONS = data.editions;
/** What a seat has in all. */
export const SEAT = data.seat;
export const LEVELS: readonly string[] = data.levels;

/** The stones of a tile turned by so many sixths clockwise. */
export function turned(stones: Sides, rotation: number): number[] {
  return stones.map((_, side) => stones[(side - rotation + 6) % 6]!);
}

/** `A5^0`, as a view writes a placed tile. */
export function placed(text: string): { tile: Tile; rotation: number } {
  const [name, rotation] = text.split('^') as [string, string];
  return { tile: TILES[name]!, rotation: Number(rotation) };
}
