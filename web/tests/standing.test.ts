import { describe, expect, test } from 'vitest';
import { left, timeText } from '../src/table/clock';
import { expected, later, seatState, templeStates } from '../src/table/standing';
import type { Clock, Forecast } from '../src/lib/types';
import { view } from './story';

const forecast: Forecast[] = [
  { seat: 1, temples: { a2: 3 }, strengths: { a2: 4, c3: 3 }, treasures: {}, total: 3 },
  { seat: 2, temples: { b1: 5 }, strengths: { a2: 2, c3: 1 }, treasures: { 4: 3, 7: 1 }, total: 9 },
];

describe('a seat', () => {
  const treasures = [[0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 2, 0, 0, 1, 0]];
  const state = seatState(view({ treasures, camps: { b2: 2 }, guards: { b1: 2, c3: 1 }, reserve: [18, 11] }), forecast, 2);

  test('has its remaining pieces', () => {
    expect(state).toMatchObject({ reserve: 11, camps: 1, guards: 1, leader: 'reserve', tokens: null });
  });
  test('has treasures by kind', () => {
    expect(state.treasures).toEqual([{ kind: 4, count: 2 }, { kind: 7, count: 1 }]);
  });
  test('would score what the forecast says', () => expect(state.now).toBe(9));
});

describe('temples', () => {
  const levels = { a2: 3, b1: 5, c3: 3 };
  const rows = templeStates(view({ levels, guards: { b1: 2 } }), forecast);

  test('stand in order of their levels', () => expect(rows.map(({ hex }) => hex)).toEqual(['b1', 'a2', 'c3']));
  test('show how strong everybody is there, and by how much one is ahead', () => {
    expect(rows[1]).toMatchObject({ strengths: [4, 2], ahead: 2, holder: 1 });
  });
  test('belong to their guard', () => expect(rows[0]).toMatchObject({ guard: 2, holder: 2, strengths: [0, 0] }));
});

test('the points of a scoring now, the most first', () => {
  expect(expected(forecast)).toEqual([
    { seat: 2, temples: 5, treasures: 4, total: 9 },
    { seat: 1, temples: 3, treasures: 0, total: 3 },
  ]);
});

test('letters that come after the current one', () => {
  const seen = view({ top_letter: 'B', unseen_tiles: ['B2', 'C1', 'C2', 'D1'] });
  expect(later(seen)).toEqual([{ letter: 'C', count: 2 }, { letter: 'D', count: 1 }]);
});

describe('a clock', () => {
  const clock: Clock = {
    kind: 'live', bank_s: 600, increment_s: 10, timeout: 'turn', now: 1000, deadline: 61_000, remaining: [50_000, 70_000], lent: null,
  };
  test('runs for the seat that is to decide', () => expect(left(clock, 1, true, 5000)).toBe(55_000));
  test('stands still for others', () => expect(left(clock, 2, false, 5000)).toBe(70_000));
  test('never goes below nothing', () => expect(left(clock, 1, true, 99_000)).toBe(0));
  test.each([[9000, '0:09'], [249_000, '4:09'], [4_800_000, '1:20:00'], [190_800_000, '2d 5h']])('tells %i ms as %s', (time, text) => {
    expect(timeText(time)).toBe(text);
  });
});
