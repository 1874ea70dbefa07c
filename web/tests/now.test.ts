import { describe, expect, test } from 'vitest';
import type { Prospect } from '../src/lib/types';
import { blank } from '../src/rules/blank';
import { meanwhile, occasion, todo } from '../src/table/now';
import { inTime, inWords, reasons } from '../src/table/reasons';

const names = ['Ann', 'Blue', 'Yellow'];
const quiet: Prospect = { letter: 'A', left: 5, volcano: 0, letters: [], round: 'none', scored: [], to_score: [] };
const round = (kind: 'volcano' | 'final', to_score: number[]): Prospect => ({ ...quiet, round: kind, to_score });

describe('what to do now', () => {
  test('in every phase something is said', () => {
    for (const phase of ['place', 'act', 'bid', 'take', 'decide', 'leap'] as const) expect(todo(blank({ phase, bid: 0 }), quiet, names)).not.toBe('');
    expect(todo(blank({ phase: 'over' }), quiet, names)).toBe('');
  });
  test('a volcano waits to be placed', () => expect(todo(blank({ phase: 'place', tile: 'B6' }), quiet, names)).toContain('volcano'));
  test('a scoring round names the seats that are still to score', () => {
    const told = todo(blank({ ap: 10 }), round('volcano', [1, 2, 3]), names);
    expect([told.includes('10 points'), told.includes('Blue, Yellow'), told.includes('Ann')]).toEqual([true, true, false]);
  });
  test('the last one of the final round ends the game', () => expect(todo(blank({ ap: 10 }), round('final', [3]), names)).toContain('over'));
  test('a handover announces a scoring round and a volcano, and nothing else', () => {
    expect(occasion(blank({ phase: 'act', ap: 10 }), round('volcano', [1, 2]), names)).toContain('Blue');
    expect(occasion(blank({ phase: 'place', tile: 'B6' }), quiet, names)).toContain('volcano');
    expect([occasion(blank({ phase: 'place', tile: 'A1' }), quiet, names), occasion(blank({ phase: 'act', ap: 10 }), quiet, names)]).toEqual(['', '']);
  });
  test('waiting players read about the round', () =>
    expect([meanwhile(round('volcano', [2, 3]), names), meanwhile(quiet, names)]).toEqual(['Scoring round after a volcano. Still to score: Blue, Yellow.', '']));
});

describe('the reasons for a turn', () => {
  const now = { temples: 2, treasures: 1, reach: 3, members: 0 };
  test('are the parts that change most', () => {
    const { gains, costs } = reasons(now, { temples: 6, treasures: 2, reach: 1, members: 0.2 });
    expect([gains.map(({ part }) => part), costs.map(({ part }) => part)]).toEqual([['temples', 'treasures'], ['reach']]);
  });
  test('are described in words, with their points', () => expect(inWords({ part: 'temples', points: 4 })).toBe('you hold more temples, and more safely (about 4 points)'));
  test('are sorted by when they count', () => {
    const { now: soon, later } = inTime(reasons(now, { temples: 6, treasures: 2, reach: 9, members: 0.2 }).gains);
    expect([soon.map(({ part }) => part), later.map(({ part }) => part)]).toEqual([['temples', 'treasures'], ['reach']]);
  });
  test('the answers of rivals count only as compared with the other turns', () => {
    const told = (others: { outlook: number }[]) => reasons({ outlook: 0 }, { outlook: -9 }, others);
    expect(told([])).toEqual({ gains: [], costs: [] });
    expect(told([{ outlook: -12 }, { outlook: -14 }]).gains).toEqual([{ part: 'outlook', points: 4 }]);
    expect(told([{ outlook: -6 }]).costs).toEqual([{ part: 'outlook', points: -3 }]);
  });
  test('every part of the evaluation has words', () => {
    for (const part of ['score', 'temples', 'reach', 'guards', 'treasures', 'exchanges', 'ruins', 'camps', 'members', 'outlook'])
      for (const points of [1, -1]) expect(inWords({ part, points }).startsWith(`${part} (`)).toBe(false);
  });
});
