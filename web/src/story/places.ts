/** The final places, derived from the last view. The server decides the winners. */
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

/** The same after some have left, in this order: those who stayed come first, and who left first comes last. */
export function afterLeaving(rows: readonly Place[], left: readonly SeatNumber[]): Place[] {
  const stayed = rows.filter((row) => !left.includes(row.seat));
  const place = (row: Place) =>
    left.includes(row.seat) ? rows.length - left.indexOf(row.seat) : 1 + stayed.filter((one) => one.place < row.place).length;
  return rows.map((row) => ({ ...row, place: place(row), won: left.length ? place(row) === 1 : row.won })).sort((a, b) => a.place - b.place);
}
