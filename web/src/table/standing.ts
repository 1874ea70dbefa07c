/** The standings, derived from a view: the panels' data about seats and temples. */
import { SEAT } from '../lib/data';
import type { Forecast, Hex, SeatNumber, View } from '../lib/types';

export interface SeatState {
  seat: SeatNumber;
  score: number;
  /** What a scoring now would bring. */
  now: number;
  reserve: number;
  leader: 'reserve' | 'gone' | Hex;
  camps: number;
  guards: number;
  treasures: { kind: number; count: number }[];
  tokens: number | null;
}

function having(pieces: Record<Hex, SeatNumber>, seat: SeatNumber): number {
  return Object.values(pieces).filter((owner) => owner === seat).length;
}

export function seatState(view: View, forecast: readonly Forecast[], seat: SeatNumber): SeatState {
  return {
    seat,
    score: view.scores[seat - 1]!,
    now: forecast.find((row) => row.seat === seat)?.total ?? 0,
    reserve: view.reserve[seat - 1]!,
    leader: view.leader[seat - 1]!,
    camps: SEAT.camps - having(view.camps, seat),
    guards: SEAT.guards - having(view.guards, seat),
    treasures: view.treasures[seat - 1]!.map((count, index) => ({ kind: index + 1, count })).filter(({ count }) => count),
    tokens: view.leaps?.tokens[seat - 1] ?? null,
  };
}

export interface TempleState {
  hex: Hex;
  level: number;
  guard: SeatNumber | null;
  /** The seat that would score it now. */
  holder: SeatNumber | null;
  /** The lead of the strongest over the next. */
  ahead: number;
  /** The strength of each seat there. */
  strengths: number[];
}

/** Every temple, the highest first. */
export function templeStates(view: View, forecast: readonly Forecast[]): TempleState[] {
  return Object.entries(view.levels)
    .map(([hex, level]) => {
      const strengths = view.scores.map((_, index) => forecast.find((row) => row.seat === index + 1)?.strengths[hex] ?? 0);
      const [first = 0, second = 0] = [...strengths].sort((a, b) => b - a);
      const holder = forecast.find((row) => hex in row.temples)?.seat ?? null;
      return { hex, level, guard: view.guards[hex] ?? null, holder, ahead: first - second, strengths };
    })
    .sort((a, b) => b.level - a.level || a.hex.localeCompare(b.hex));
}

export interface Expected {
  seat: SeatNumber;
  temples: number;
  treasures: number;
  total: number;
}

/** Points by source, in all. */
export const sum = (points: Readonly<Record<string, number>>): number => Object.values(points).reduce((all, one) => all + one, 0);

/** What a scoring now would bring to each seat, the most first. */
export function expected(forecast: readonly Forecast[]): Expected[] {
  return forecast
    .map(({ seat, temples, treasures, total }) => ({ seat, temples: sum(temples), treasures: sum(treasures), total }))
    .sort((a, b) => b.total - a.total || a.seat - b.seat);
}

/** How many unseen tiles there are under each letter after the current one. */
export function later(view: View): { letter: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const tile of view.unseen_tiles) counts.set(tile[0]!, (counts.get(tile[0]!) ?? 0) + 1);
  return [...counts].filter(([letter]) => letter !== view.top_letter).map(([letter, count]) => ({ letter, count }));
}
