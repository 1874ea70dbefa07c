/** The decisive moments of a game, derived from the server's list of scorings: who led when, and what scored most. */
import type { Scores, SeatNumber } from '../lib/types';

export type Moment =
  | { kind: 'led'; seat: SeatNumber }
  | { kind: 'took_lead'; seat: SeatNumber; round: number; final: boolean; from: SeatNumber }
  | { kind: 'biggest'; seat: SeatNumber; points: number; round: number; final: boolean }
  | { kind: 'treasures' | 'temples'; seat: SeatNumber; points: number };

/** The seat that alone has the most; null for a tie. */
function best(values: readonly number[]): SeatNumber | null {
  const most = Math.max(...values);
  const first = values.indexOf(most);
  return values.lastIndexOf(most) === first ? first + 1 : null;
}

interface Standing {
  round: number;
  final: boolean;
  /** The leader after the round; null for a tie. */
  leader: SeatNumber | null;
}

/** The leader after each round of scorings. Bids paid in between are ignored: they are not scored. */
function standings({ scorings, balance }: Scores): Standing[] {
  const points = balance.map((row) => row.start);
  const rounds = [...new Set(scorings.map((one) => one.round))].sort((a, b) => a - b);
  return rounds.map((round) => {
    const rows = scorings.filter((one) => one.round === round);
    for (const { seat, temples, treasures } of rows) points[seat - 1]! += temples + treasures;
    return { round, final: rows.some((one) => one.final), leader: best(points) };
  });
}

/** The winner's lead: from the first scoring on, or since the round in which it was taken for good. */
function lead(all: readonly Standing[], winner: SeatNumber): Moment | null {
  const lastOther = all.findLastIndex(({ leader }) => leader !== null && leader !== winner);
  if (lastOther < 0) return all.length > 1 && all.every(({ leader }) => leader === winner) ? { kind: 'led', seat: winner } : null;
  const taken = all.slice(lastOther + 1).find(({ leader }) => leader === winner);
  return taken ? { kind: 'took_lead', seat: winner, round: taken.round, final: taken.final, from: all[lastOther]!.leader! } : null;
}

function biggest({ scorings }: Scores): Moment | null {
  const top = scorings.reduce<Scores['scorings'][number] | null>(
    (most, one) => (one.temples + one.treasures > (most ? most.temples + most.treasures : 0) ? one : most),
    null,
  );
  return top && { kind: 'biggest', seat: top.seat, points: top.temples + top.treasures, round: top.round, final: top.final };
}

/** The seat that alone gained the most from a source. */
function harvest({ scorings, balance }: Scores, kind: 'treasures' | 'temples'): Moment | null {
  const sums = balance.map((_, place) => scorings.filter((one) => one.seat === place + 1).reduce((sum, one) => sum + one[kind], 0));
  const seat = best(sums);
  if (!seat) return null;
  return { kind, seat, points: sums[seat - 1]! };
}

/** What decided a game, the most significant first. Without a single winner there is no lead. */
export function moments(scores: Scores, winners: readonly SeatNumber[]): Moment[] {
  const winner = winners.length === 1 ? winners[0]! : null;
  const all = standings(scores);
  const found = [winner === null ? null : lead(all, winner), biggest(scores), harvest(scores, 'temples'), harvest(scores, 'treasures')];
  return found.filter((one) => one !== null);
}
