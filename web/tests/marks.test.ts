import { describe, expect, test } from 'vitest';
import { jump, marks } from '../src/replay/marks';
import type { PlayEvent } from '../src/story/history';
import { shortened } from '../src/replay/picture';

const played = (action: string, ...scores: number[]): PlayEvent => ({ action, after: { scores } }) as unknown as PlayEvent;

describe('moments of a replay', () => {
  test('a turn ends with its last action; a scoring is where points were added, not where they were paid', () => {
    const line = [played('B:3', 20, 20), played('B:-', 17, 20), played('K:A1', 17, 20), played('.', 17, 20), played('.', 20, 20), played('.', 20, 20)];
    expect(marks(line)).toEqual({ turns: [4, 5, 6], scorings: [5] });
  });
  test('there may be none', () => expect(marks([])).toEqual({ turns: [], scorings: [] }));
  test.each([
    [0, 1, 4],
    [4, 1, 9],
    [9, 1, 12],
    [12, -1, 9],
    [9, -1, 4],
    [3, -1, 0],
    [4, -1, 0],
  ] as const)('from %i by %i to %i', (at, by, goal) => expect(jump([4, 9], at, by, 12)).toBe(goal));
});

test('long names are shortened in a picture, by letters and not by code units', () => {
  expect(shortened('Ada', 5)).toBe('Ada');
  expect(shortened('Bartholomew', 5)).toBe('Bart…');
  expect(shortened('🦜🦜🦜🦜', 3)).toBe('🦜🦜…');
});
