/** A view read hex by hex, for drawing and for describing. */
import { placed, PRINTED, type Tile } from '../lib/data';
import type { Forecast, Hex, MemberKind, SeatNumber, View } from '../lib/types';

export interface Group {
  seat: SeatNumber;
  member: MemberKind;
  count: number;
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

/** What is on a hex. */
export function contentOf(view: View, forecast: readonly Forecast[], hex: Hex): HexContent {
  const board = String(view.options.board ?? 'original');
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
    if (view.leader[index] === hex) found.push({ seat, member: 'L', count: 1 });
    const workers = view.workers[index]?.[hex] ?? 0;
    if (workers) found.push({ seat, member: 'W', count: workers });
    return found;
  });
}

/** `a1-b2` as two hexes. */
export function pair(text: string): [Hex, Hex] {
  const [from, to] = text.split('-') as [Hex, Hex];
  return [from, to];
}
