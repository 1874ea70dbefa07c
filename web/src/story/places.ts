/** The final places and how ties were broken, derived from the last view. The server decides the winners. */
import type { SeatNumber, View } from '../lib/types';

export interface Place {
  seat: SeatNumber;
  place: number;
  score: number;
  won: boolean;
}

/** The seats by place: winners first, then by score; equals share a place. */
export function places(view: View): Place[] {
  const winners = view.winners ?? [];
  const rows = view.scores.map((score, index) => ({ seat: index + 1, score, won: winners.includes(index + 1) }));
  rows.sort((a, b) => Number(b.won) - Number(a.won) || b.score - a.score || a.seat - b.seat);
  return rows.map((row) => ({
    ...row,
    place: 1 + rows.filter((one) => (one.won && !row.won) || (one.won === row.won && one.score > row.score)).length,
  }));
}

/** How a tie for first place was broken: each tied seat with the compared value. */
export interface TieBreak {
  rows: { seat: SeatNumber; guard: number; treasures: number }[];
  by: 'guard' | 'treasures' | 'shared' | 'rule';
}

/** The tie for first place, if there was one. `shared`: everything compared is equal; `rule`: the edition compares nothing. */
export function tieBreak(view: View): TieBreak | null {
  const best = Math.max(...view.scores);
  const tied = view.scores.flatMap((score, index) => (score === best ? [index + 1] : []));
  if (tied.length < 2) return null;
  const rows = tied.map((seat) => ({
    seat,
    guard: Math.max(0, ...Object.entries(view.guards).filter(([, owner]) => owner === seat).map(([hex]) => view.levels[hex] ?? 0)),
    treasures: view.treasures[seat - 1]!.reduce((sum, count) => sum + count, 0),
  }));
  if (view.options.tie_break === 'shared') return { rows, by: 'rule' };
  const guarded = rows.filter((row) => row.guard === Math.max(...rows.map((one) => one.guard)));
  if (guarded.length === 1) return { rows, by: 'guard' };
  const most = guarded.filter((row) => row.treasures === Math.max(...guarded.map((one) => one.treasures)));
  return { rows, by: most.length === 1 ? 'treasures' : 'shared' };
}
