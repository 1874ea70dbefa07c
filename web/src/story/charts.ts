/** Scores as shapes: calculations for the charts. */
import type { Scores } from '../lib/types';

export interface Piece {
  source: 'start' | 'temples' | 'treasures';
  round: number;
  from: number;
  points: number;
}

export interface Bar {
  pieces: Piece[];
  /** The total gain, before bids were paid. */
  top: number;
  bids: number;
  total: number;
}

/** A bar for each seat: its initial score, then round by round temples and treasures. */
export function bars(scores: Scores): Bar[] {
  return scores.balance.map(({ start, bids, total }, place) => {
    const pieces: Piece[] = [];
    let from = 0;
    const add = (source: Piece['source'], round: number, points: number) => {
      if (points > 0) pieces.push({ source, round, from, points });
      from += points;
    };
    add('start', 0, start);
    for (const scored of scores.scorings.filter((one) => one.seat === place + 1)) {
      add('temples', scored.round, scored.temples);
      add('treasures', scored.round, scored.treasures);
    }
    return { pieces, top: from, bids, total };
  });
}

/** The scoring rounds, each with every seat's points: the rows of a table. */
export function rounds(scores: Scores): { round: number; final: boolean; temples: number[]; treasures: number[] }[] {
  const numbers = [...new Set(scores.scorings.map((one) => one.round))].sort((a, b) => a - b);
  return numbers.map((round) => {
    const rows = scores.scorings.filter((one) => one.round === round);
    const of = (source: 'temples' | 'treasures') =>
      scores.balance.map((_, place) => rows.filter((one) => one.seat === place + 1).reduce((sum, one) => sum + one[source], 0));
    return { round, final: rows.some((one) => one.final), temples: of('temples'), treasures: of('treasures') };
  });
}

/** The points of a stepped line through values, in a box of this size. */
export function stepped(values: readonly number[], width: number, height: number, most: number): string {
  const x = (place: number) => ((place * width) / Math.max(1, values.length - 1)).toFixed(1);
  const y = (value: number) => (height - (value * height) / Math.max(1, most)).toFixed(1);
  return values.map((value, place) => (place ? `${x(place)},${y(values[place - 1]!)} ` : '') + `${x(place)},${y(value)}`).join(' ');
}

/** Round numbers from 0 to at most a value: few enough to be readable. */
export function ticks(most: number): number[] {
  const step = [1, 2, 5, 10, 20, 25, 50, 100].find((size) => most / size <= 5) ?? 200;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, place) => place * step);
}
