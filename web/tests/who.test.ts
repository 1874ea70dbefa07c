import { describe, expect, test } from 'vitest';
import { brief, inWords } from '../src/lobby/options';
import { capital } from '../src/lib/words';
import { ago, result, sorted, standing, who } from '../src/lobby/who';
import type { Seat, TableInfo } from '../src/lib/types';

function seat(number: number, more: Partial<Seat> = {}): Seat {
  return { seat: number, kind: 'person', name: `P${number}`, level: null, substituted: false, alike: false, yours: false, ...more };
}

function table(more: Partial<TableInfo> = {}): TableInfo {
  const seats = [seat(1, { yours: true }), seat(2)];
  return { id: 't', state: 'playing', seats, turn: 2, your_turn: false, changed: 0, ...more } as TableInfo;
}

describe('seats in words', () => {
  test.each([
    [seat(1), 'P1'],
    [seat(1, { kind: 'open', name: '' }), 'open'],
    [seat(1, { kind: 'bot', name: 'digger', level: 'digger' }), 'Digger (bot)'],
    [seat(1, { kind: 'bot', name: 'Ann', level: 'digger', substituted: true }), 'Digger (bot), for Ann'],
  ])('%o', (one, text) => expect(who(one)).toBe(text));
});

describe('how a table stands', () => {
  test.each([
    [table(), 'P2’s turn'],
    [table({ turn: 1, your_turn: true }), 'your turn'],
    [table({ state: 'over', turn: null }), 'over'],
    [table({ state: 'open', turn: null }), 'ready to start'],
    [table({ state: 'open', turn: null, seats: [seat(1), seat(2, { kind: 'open' })] }), '1 open seat'],
  ])('%#', (one, text) => expect(standing(one)).toBe(text));
});

test('tables where one is waited for come first, then the newest', () => {
  const list = [
    table({ id: 'over', state: 'over', changed: 9 }),
    table({ id: 'old', changed: 1 }),
    table({ id: 'new', changed: 2 }),
    table({ id: 'mine', your_turn: true }),
    table({ id: 'open', state: 'open' }),
  ];
  expect(sorted(list).map((one) => one.id)).toEqual(['mine', 'new', 'old', 'open', 'over']);
});

test.each([
  [10_000, 'now'],
  [5 * 60_000, '5 min. ago'],
  [3 * 3_600_000, '3 hr. ago'],
  [24 * 3_600_000, 'yesterday'],
])('%i ms ago is %s', (gone, text) => expect(ago(1_000_000_000, 1_000_000_000 + gone)).toBe(text));

test('capitals', () => expect(capital('éclair')).toBe('Éclair'));

describe('rules in words', () => {
  const options = { edition: 'classic', players: '3', auction: 'true', boulders: '2d6', leader_may_guard: 'false' };

  test('say the edition and what differs from the plain game', () => {
    expect(inWords(options).map((line) => line.name)).toEqual(['edition', 'leader_may_guard', 'auction', 'boulders']);
    expect(inWords(options).find((line) => line.name === 'boulders')?.title).toBe('boulders: two dice');
  });

  test('have a sentence each', () => {
    for (const line of inWords(options)) expect(line.text).not.toMatch(/^options\./);
  });

  test('are short in lists', () => {
    expect(brief(options)).toEqual(['Classic (2022)', 'auction game', 'boulders']);
    expect(brief({ edition: 'super-meeple', players: '2' })).toEqual([]);
  });
});

describe('how a finished game ended', () => {
  const ended = (places: number[], mine: number[]) =>
    result({
      seats: places.map((_, index) => seat(index + 1, { kind: 'person', name: `P${index + 1}` })),
      results: places.map((place) => ({ place, score: 50 })),
      you: { seats: mine, owner: false },
    });
  test.each([
    [[1, 2], [1], 'You won'],
    [[1, 2, 3], [2], 'You came 2nd of 3'],
    [[3, 1, 2], [1], 'You came 3rd of 3'],
    [[1, 1], [1], 'P1 and P2 shared the win'],
    [[2, 1], [1, 2], 'P2 won'],
    [[2, 1], [], 'P2 won'],
    [[], [1], ''],
  ] as const)('places %j, own seats %j: %s', (places, mine, text) => expect(ended([...places], [...mine])).toBe(text));
});
