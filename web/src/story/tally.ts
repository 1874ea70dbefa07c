/** The parts of a scoring: derived from the forecast before it and the scores after it, without knowing a rule. */
import { centre } from '../lib/geometry';
import type { Forecast, Hex, SeatNumber, View } from '../lib/types';

export type Part = { kind: 'temple'; hex: Hex; points: number } | { kind: 'treasure'; treasure: number; points: number };

/** A change of a seat's score. */
export interface Tally {
  seat: SeatNumber;
  parts: Part[];
  total: number;
  from: number;
  to: number;
}

/** The position at some moment. */
export interface Shot {
  view: View;
  forecast: readonly Forecast[];
}

/** From the lower edge of the board upwards, so that the eye moves one way. */
function fromBelow(one: Part, other: Part): number {
  return one.kind === 'temple' && other.kind === 'temple' ? centre(other.hex).y - centre(one.hex).y : 0;
}

function parts(forecast: Forecast | undefined, total: number): Part[] {
  if (!forecast || forecast.total !== total) return [];
  const temples = Object.entries(forecast.temples).map(([hex, points]): Part => ({ kind: 'temple', hex, points }));
  const treasures = Object.entries(forecast.treasures).map(
    ([treasure, points]): Part => ({ kind: 'treasure', treasure: Number(treasure), points }),
  );
  const scored = (part: Part) => part.points > 0;
  return [...temples.filter(scored).sort(fromBelow), ...treasures.filter(scored)];
}

/** The seats that scored with an action, and the sources. A seat that ends its turn of a scoring round scores, even if it is 0. */
export function tallies(action: string, before: Shot, after: View): Tally[] {
  const { view, forecast } = before;
  const scorer = action === '.' && view.scoring ? view.seat : null;
  const seats = view.scores.map((_, place) => place + 1);
  const start = (view.seat ?? 1) - 1;
  return [...seats.slice(start), ...seats.slice(0, start)].flatMap((seat) => {
    const [from, to] = [view.scores[seat - 1]!, after.scores[seat - 1]!];
    if (to <= from && seat !== scorer) return [];
    const expected = forecast.find((one) => one.seat === seat);
    return [{ seat, parts: parts(expected, to - from), total: to - from, from, to }];
  });
}
