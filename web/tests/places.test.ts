import { describe, expect, test } from 'vitest';
import { PRINTED } from '../src/lib/data';
import type { Forecast, Scores } from '../src/lib/types';
import { bars, rounds, stepped, ticks } from '../src/story/charts';
import { afterLeaving, places } from '../src/story/places';
import { tallies } from '../src/story/tally';
import { lengthFor, marks, way } from '../src/story/track';
import { view } from './story';

describe('places', () => {
  test('by score, equals share a place', () => {
    const end = view({ scores: [10, 30, 10], winners: [2] });
    expect(places(end).map((row) => [row.seat, row.place])).toEqual([[2, 1], [1, 2], [3, 2]]);
  });

  test('the loser of a tie-break comes second', () => {
    const end = view({ scores: [30, 30], winners: [2] });
    expect(places(end).map((row) => [row.seat, row.place])).toEqual([[2, 1], [1, 2]]);
  });

  test('a shared win is a shared place', () => {
    expect(places(view({ scores: [30, 30], winners: [1, 2] })).map((row) => row.place)).toEqual([1, 1]);
  });

  test('those who left have lost to all who stayed, whatever their bots scored', () => {
    const rows = afterLeaving(places(view({ scores: [40, 30, 20, 10], winners: [1] })), [1, 3]);
    expect(rows.map((row) => [row.seat, row.place, row.won])).toEqual([[2, 1, true], [4, 2, false], [3, 3, false], [1, 4, false]]);
  });

  test('if nobody leaves, nothing changes', () => {
    const rows = places(view({ scores: [30, 30, 20], winners: [1, 2] }));
    expect(afterLeaving(rows, [])).toEqual(rows);
  });
});

describe('tallies', () => {
  const forecast: Forecast[] = [
    { seat: 1, temples: { a2: 3, c3: 5 }, strengths: {}, treasures: { '1': 1, '4': 3 }, total: 12 },
    { seat: 2, temples: {}, strengths: {}, treasures: {}, total: 0 },
  ];
  const scoring = { kind: 'volcano' as const, order: [1, 2], place: 0 };

  test('a turn of a scoring round scores the forecast', () => {
    const before = { view: view({ scoring }), forecast };
    expect(tallies('.', before, view({ scores: [12, 0] }))).toEqual([
      {
        seat: 1,
        total: 12,
        from: 0,
        to: 12,
        parts: [
          { kind: 'temple', hex: 'a2', points: 3 },
          { kind: 'temple', hex: 'c3', points: 5 }, // above
          { kind: 'treasure', treasure: 1, points: 1 },
          { kind: 'treasure', treasure: 4, points: 3 },
        ],
      },
    ]);
  });
  test('also nothing is a score', () => {
    const before = { view: view({ scoring, seat: 2 }), forecast };
    expect(tallies('.', before, view())).toMatchObject([{ seat: 2, total: 0, parts: [] }]);
  });
  test('other actions score nothing, bids are no scores', () => {
    expect(tallies('+W@a1', { view: view({ scoring }), forecast }, view({ scores: [0, 0] }))).toEqual([]);
    expect(tallies('B:-', { view: view({ scores: [20, 20] }), forecast }, view({ scores: [20, 15] }))).toEqual([]);
  });
  test('all at once, starting with the player to move', () => {
    const before = { view: view({ seat: 2 }), forecast: [forecast[0]!, { ...forecast[1]!, total: 4, temples: { b1: 4 } }] };
    const told = tallies('.', before, view({ scores: [12, 4] }));
    expect(told.map((one) => [one.seat, one.total])).toEqual([[2, 4], [1, 12]]);
  });
  test('a sum that the forecast does not explain has no parts', () => {
    expect(tallies('.', { view: view({ scoring }), forecast }, view({ scores: [7, 0] }))).toMatchObject([{ total: 7, parts: [] }]);
  });
});

describe('charts', () => {
  const scores: Scores = {
    of: 9,
    scorings: [
      { round: 1, final: false, seat: 1, temples: 5, treasures: 3, actions: 4 },
      { round: 1, final: false, seat: 2, temples: 0, treasures: 1, actions: 5 },
      { round: 2, final: true, seat: 1, temples: 6, treasures: 0, actions: 9 },
    ],
    payments: [{ actions: 1, seat: 2, paid: 4 }],
    balance: [
      { start: 20, temples: 11, treasures: 3, bids: 0, total: 34 },
      { start: 20, temples: 0, treasures: 1, bids: 4, total: 17 },
    ],
    course: [],
    tie: null,
  };

  test('bars stand one upon the other', () => {
    const [one, two] = bars(scores);
    expect(one!.pieces.map(({ source, from, points }) => [source, from, points])).toEqual([
      ['start', 0, 20],
      ['temples', 20, 5],
      ['treasures', 25, 3],
      ['temples', 28, 6],
    ]);
    expect([one!.top, one!.total, two!.top, two!.total]).toEqual([34, 34, 21, 17]);
  });
  test('rounds as rows', () => {
    expect(rounds(scores)).toEqual([
      { round: 1, final: false, temples: [5, 0], treasures: [3, 1] },
      { round: 2, final: true, temples: [6, 0], treasures: [0, 0] },
    ]);
  });
  test('a line goes in steps', () => {
    expect(stepped([0, 10], 100, 50, 10)).toBe('0.0,50.0 100.0,50.0 100.0,0.0');
  });
  test.each([
    [10, [0, 2, 4, 6, 8, 10]],
    [101, [0, 25, 50, 75, 100]],
  ])('marks up to %i', (most, marks) => expect(ticks(most)).toEqual(marks));
});

describe('the track', () => {
  test('has as many laps as the scores need: more points are always farther along', () => {
    expect([lengthFor([]), lengthFor([99, 3]), lengthFor([100]), lengthFor([63, 139]), lengthFor([250])]).toEqual([100, 100, 150, 150, 300]);
    for (const score of [0, 63, 99, 100, 139, 204]) expect(lengthFor([score])).toBeGreaterThan(score);
  });
  test.each([100, 150, 300, 450])('a track of %i has numbers from end to end, and not too many', (length) => {
    expect([marks(length)[0], marks(length).at(-1)]).toEqual([0, length]);
    expect(marks(length).length).toBeLessThanOrEqual(16);
  });
  test('a token goes cell by cell, a long way in strides', () => {
    expect(way(3, 6)).toEqual([3, 4, 5, 6]);
    expect(way(20, 18)).toEqual([20, 19, 18]);
    expect(way(5, 5)).toEqual([5]);
    const long = way(0, 80);
    expect([long.length, long.at(-1)]).toEqual([25, 80]);
  });
});

test('temples of the printed board have levels, for the log', () => {
  expect(PRINTED.original!.a2!.value).toBe(1);
});
