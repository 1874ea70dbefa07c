/** A view by hexes, for drawing and for describing. */
import { OFF, OPTIONS, placed, PRINTED, type Tile } from '../lib/data';
import { HEXES } from '../lib/geometry';
import type { Forecast, Hex, MemberKind, SeatNumber, View } from '../lib/types';

export interface Group {
  seat: SeatNumber;
  member: MemberKind;
  count: number;
  /** How many of the seat's members here have worked and can't work again this turn; set on the last of its groups. */
  worked: number;
}

export interface HexContent {
  hex: Hex;
  tile: Tile | null;
  rotation: number;
  level: number | null;
  tokens: number | null;
  camp: SeatNumber | null;
  guard: SeatNumber | null;
  gun: boolean;
  groups: Group[];
  holder: SeatNumber | null;
}

/** The name of a game's board. */
export const boardOf = (view: View | null): string => String(view?.options.board ?? OPTIONS.board!.values[0]);

/** The hexes of the current board. */
export function hexesOf(view: View): Hex[] {
  const missing = OFF[boardOf(view)] ?? [];
  return HEXES.filter((hex) => !missing.includes(hex));
}

/** The content of a hex. */
export function contentOf(view: View, forecast: readonly Forecast[], hex: Hex): HexContent {
  const board = boardOf(view);
  const text = view.tiles[hex];
  const lies = text ? placed(text) : { tile: PRINTED[board]?.[hex] ?? null, rotation: 0 };
  return {
    hex,
    ...lies,
    level: view.levels[hex] ?? null,
    tokens: view.tokens[hex] ?? null,
    camp: view.camps[hex] ?? null,
    guard: view.guards[hex] ?? null,
    gun: view.guns.includes(hex),
    groups: groupsOn(view, hex),
    holder: forecast.find((row) => hex in row.temples)?.seat ?? null,
  };
}

/** The members on a hex, by seat: the leader first. */
export function groupsOn(view: View, hex: Hex): Group[] {
  return view.scores.flatMap((_, index) => {
    const seat = index + 1;
    const found: Group[] = [];
    if (view.leader[index] === hex) found.push({ seat, member: 'L', count: 1, worked: 0 });
    const workers = view.workers[index]?.[hex] ?? 0;
    if (workers) found.push({ seat, member: 'W', count: workers, worked: 0 });
    const last = found.at(-1);
    if (last) last.worked = Math.max((view.worked[index]?.[hex] ?? 0) - (view.lost[index]?.[hex] ?? 0), 0);
    return found;
  });
}

/** `a1-b2` as two hexes. */
export function pair(text: string): [Hex, Hex] {
  const [from, to] = text.split('-') as [Hex, Hex];
  return [from, to];
}
