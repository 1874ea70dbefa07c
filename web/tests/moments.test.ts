import { describe, expect, test } from 'vitest';
import type { Scores, TableInfo } from '../src/lib/types';
import { headline } from '../src/story/ending';
import { moments } from '../src/story/moments';
import type { Place } from '../src/story/places';

/** A game of scoring rounds: for each round what each seat got, as [temples, treasures]. */
function game(...rounds: [number, number][][]): Scores {
  const scorings = rounds.flatMap((rows, place) =>
    rows.map(([temples, treasures], seat) => ({ round: place + 1, final: place === rounds.length - 1, seat: seat + 1, temples, treasures, actions: 9 })),
  );
  const totals = rounds[0]!.map((_, seat) => rounds.reduce((sum, rows) => sum + rows[seat]![0] + rows[seat]![1], 0));
  return { of: 90, scorings, payments: [], balance: totals.map((total) => ({ start: 0, temples: 0, treasures: 0, bids: 0, total })), course: [] } as unknown as Scores;
}

describe('the decisive moments', () => {
  test('one seat led from the first scoring to the last', () => {
    expect(moments(game([[9, 0], [5, 1]], [[9, 3], [8, 0]]), [1])).toEqual([
      { kind: 'led', seat: 1 },
      { kind: 'biggest', seat: 1, points: 12, round: 2, final: true },
      { kind: 'temples', seat: 1, points: 18 },
      { kind: 'treasures', seat: 1, points: 3 },
    ]);
  });

  test('the lead changed for good: not where it was first taken, and a tie in between has no leader', () => {
    const won = moments(game([[5, 0], [9, 0]], [[9, 0], [1, 0]], [[1, 0], [9, 0]], [[4, 0], [0, 0]], [[9, 0], [1, 0]]), [1]);
    expect(won[0]).toEqual({ kind: 'took_lead', seat: 1, round: 5, final: true, from: 2 });
  });

  test('with a shared win nobody took the lead, and equals are not the most', () => {
    expect(moments(game([[5, 2], [5, 2]]), [1, 2])).toEqual([{ kind: 'biggest', seat: 1, points: 7, round: 1, final: true }]);
  });

  test('a game without scorings has none', () => {
    expect(moments({ of: 0, scorings: [], payments: [], balance: [], course: [] } as unknown as Scores, [])).toEqual([]);
  });
});

describe('the headline', () => {
  const NAMES = ['Ana', 'Bo'];
  const rows = (...won: number[]): Place[] => [
    { seat: 1, place: 1, score: 61, won: won.includes(1) },
    { seat: 2, place: won.includes(2) ? 1 : 2, score: 58, won: won.includes(2) },
  ];
  const says = (seats: number[], ...won: number[]) =>
    headline({ info: { you: { seats }, seats: [] } as unknown as TableInfo, events: [] }, rows(...won), NAMES);

  test('for the winner', () => expect(says([1], 1)).toEqual({ title: 'You win!', more: '3 points ahead of Bo', mine: true }));
  test('for a loser', () => expect(says([2], 1)).toEqual({ title: 'Ana wins', more: 'You finish 2nd', mine: false }));
  test('for both', () => expect(says([2], 1, 2)).toEqual({ title: 'You share the win!', more: '', mine: true }));
  test('for a spectator', () => expect(says([], 1)).toEqual({ title: 'Ana wins', more: '3 points ahead of Bo', mine: false }));
  test('at one screen', () => expect(says([1, 2], 1).title).toBe('Ana wins'));
});
