import { describe, expect, test } from 'vitest';
import { parse } from '../src/lib/notation';
import type { GameEvent, Scored } from '../src/lib/types';
import { actionInWords, caption, chapters, news, standing } from '../src/story/log';
import { played } from './story';

const NAMES = ['Ana', 'Bo', 'Cy'];
const START: GameEvent = { seq: 1, kind: 'start', seat: null, at: 0, seats: [] };
const text = (events: GameEvent[], scored: Scored[] = []) =>
  chapters(events, NAMES, scored).flatMap(({ title, lines }) => [`# ${title}`, ...lines.map((line) => line.text)]);

describe('every kind of action in words', () => {
  const WORDS: [string, number | null, string][] = [
    ['A5@b3^0', null, 'places A5, treasure tile 4, on b3'],
    ['B6@c3^0', null, 'places B6, volcano, on c3'],
    ['+W@a1', null, 'a worker enters at a1'],
    ['+L@a1', null, 'the leader enters at a1'],
    ['L:a1-b2', null, 'the leader walks from a1 to b2'],
    ['W:a1=d3', null, 'a worker goes from camp a1 to camp d3'],
    ['X@a2', null, 'excavates the temple at a2'],
    ['X@a2', 11, 'excavates the temple at a2; the dice show 11'],
    ['D@b3', 3, 'digs at b3: serpent'],
    ['D@b3', null, 'digs a treasure at b3'],
    ['S:2:3/5', null, 'gives Bo serpent for frog'],
    ['C@b2', null, 'founds a camp at b2'],
    ['GL@c3', null, 'the leader becomes guard at c3'],
    ['GW@c3', null, 'a worker becomes guard at c3'],
    ['M@c3', null, 'two workers become guard with a gun at c3'],
    ['R:2@c3', null, 'shoots a worker of Bo at c3'],
    ['O:a1-a2', null, 'builds an obstacle between a1 and a2'],
    ['.', null, 'ends the turn'],
    ['B:5', null, 'bids 5'],
    ['B:-', null, 'passes'],
    ['K:A5', null, 'takes A5, treasure tile 4'],
    ['V:+', null, 'this volcano scores'],
    ['V:-', null, 'this volcano does not score'],
    ['J:1', null, 'chooses 1 token'],
    ['J:3', null, 'chooses 3 tokens'],
    ['J:0', null, 'stops for this round'],
    ['J:?', null, 'has chosen in secret'],
  ];
  test.each(WORDS)('%s (%s)', (action, revealed, words) => {
    expect(actionInWords(parse(action)!, NAMES, revealed)).toBe(words);
  });
});

test('a caption says who', () => {
  expect(caption(played(1, 2, '+W@a1'), NAMES)).toBe('Bo: a worker enters at a1');
});

test('steps of a walk, equal entries and levels of one temple are one line each', () => {
  const actions = ['A2@a3^4', '+W@a1', '+W@a1', '+L@a1', 'W:a1-a2', 'W:a1-b2', 'W:b2-b3', 'W:b3=a1', 'X@a2', 'X@a2', 'X@a3', '.'];
  const events = actions.map((action, place) => played(place + 2, 1, action));
  const [, turn] = chapters([START, ...events], NAMES);
  expect(turn!.title).toBe('Ana');
  expect(turn!.lines.map((line) => [line.text, line.at, line.until])).toEqual([
    ['places A2, temple 2, on a3', 1, 1],
    ['2 workers enter at a1', 2, 3],
    ['the leader enters at a1', 4, 4],
    ['a worker walks from a1 to a2', 5, 5],
    ['a worker walks from a1 to a1 by b2, b3', 6, 8],
    ['excavates the temple at a2 to level 3', 9, 10],
    ['excavates the temple at a3 to level 3', 11, 11],
    ['ends the turn', 12, 12],
  ]);
});

test('a turn has a heading, also two turns of one seat in a row', () => {
  const events = [played(2, 1, '+W@a1'), played(3, 1, '.'), played(4, 1, '+W@a1'), played(5, 1, '.'), played(6, 2, '.')];
  expect(chapters(events, NAMES).map(({ seat, title }) => [seat, title])).toEqual([
    [1, 'Ana'],
    [1, 'Ana'],
    [2, 'Bo'],
  ]);
});

test('what was taken back is marked, numbers count only what stands', () => {
  const events: GameEvent[] = [
    played(2, 1, '+W@a1'),
    played(3, 1, 'X@a2'),
    played(4, 1, 'X@a2'),
    { seq: 5, kind: 'undo', seat: 1, at: 0, count: 2 },
    played(6, 1, 'X@a2'),
  ];
  const all = chapters(events, NAMES);
  expect(all[0]!.lines.map((line) => [line.text, line.at, line.undone])).toEqual([
    ['a worker enters at a1', 1, false],
    ['excavates the temple at a2', null, true],
    ['takes back 2 actions', null, false],
    ['excavates the temple at a2 to level 2', 2, false],
  ]);
  expect(standing(all)[0]!.lines.map((line) => line.text)).toEqual([
    'a worker enters at a1',
    'excavates the temple at a2 to level 2',
  ]);
});

test('dice, tiles that left the game, somebody who left', () => {
  const events: GameEvent[] = [
    played(2, 1, 'X@a2', { revealed: 7 }),
    played(3, 1, 'X@a2', { revealed: 9 }),
    played(4, 1, '.', { gone: [{ seat: 2, tile: 'B6' }] }),
    { seq: 5, kind: 'seat', seat: 2, at: 0, to: 'bot', level: 'digger' },
  ];
  expect(text(events)).toEqual([
    '# Ana',
    'excavates the temple at a2 to level 2; the dice show 7',
    'excavates the temple at a2 to level 3; the dice show 9',
    'ends the turn',
    'B6, volcano, fits nowhere and leaves the game',
    'Bo has left; a bot (digger) goes on',
  ]);
});

test('an auction is a chapter, its end says who has the turn and for how much', () => {
  const after = (phase: 'bid' | 'take' | 'act', seat: number, scores: number[]) => ({ after: { phase, seat, tile: null, scores } });
  const events = [
    played(2, 1, 'B:1', after('bid', 2, [20, 20])),
    played(3, 2, 'B:2', after('bid', 1, [20, 20])),
    played(4, 1, 'B:-', after('take', 2, [20, 18])),
    played(5, 2, 'K:A5', after('act', 2, [20, 18])),
    played(6, 2, '.', after('take', 1, [20, 18])),
    played(7, 1, 'K:A1', after('act', 1, [20, 18])),
    played(8, 1, '.', after('bid', 2, [20, 18])),
    played(9, 2, 'B:-', after('bid', 1, [20, 18])),
    played(10, 1, 'B:-', after('take', 2, [20, 18])),
  ];
  expect(text(events)).toEqual([
    '# Auction',
    'Ana: bids 1',
    'Bo: bids 2',
    'Ana: passes',
    'Bo has the turn for 2 points',
    '# Bo',
    'takes A5, treasure tile 4',
    'ends the turn',
    '# Ana',
    'takes A1, temple 1',
    'ends the turn',
    '# Auction',
    'Bo: passes',
    'Ana: passes',
    'Bo has the turn for nothing',
  ]);
});

test('tokens of leaps: chosen in secret, then shown', () => {
  const leap = { phase: 'leap' as const, seat: 2, tile: null, scores: [0, 0] };
  const events = [
    played(2, 1, 'J:3', { after: leap }),
    played(3, 2, 'J:0', { shown: { '1': 3, '2': 0 }, after: { ...leap, phase: 'act' } }),
  ];
  expect(text(events)).toEqual(['# Leap', 'Ana: chooses 3 tokens', 'Bo: stops for this round', 'tokens shown: Ana 3, Bo 0']);
});

test('a scoring round: its heading, points in all and by source, also none', () => {
  const after = (seat: number, scores: number[]) => ({ after: { phase: 'act' as const, seat, tile: 'B6', scores } });
  const events = [
    played(2, 2, '.', after(1, [0, 0])),
    played(3, 1, '+W@a1', after(1, [0, 0])),
    played(4, 1, '.', after(2, [9, 0])),
    played(5, 2, '.', after(1, [9, 0])),
  ];
  const plain = ['# Bo', 'ends the turn', '# Ana · scoring round', 'a worker enters at a1', 'ends the turn', 'Ana scores 9'];
  expect(text(events)).toEqual([...plain, '# Bo · scoring round', 'ends the turn']);
  const scored: Scored[] = [
    { round: 1, final: false, seat: 1, temples: 6, treasures: 3, actions: 3 },
    { round: 1, final: false, seat: 2, temples: 0, treasures: 0, actions: 4 },
  ];
  expect(text(events, scored)).toEqual([
    ...plain.slice(0, 5),
    'Ana scores 9: temples 6, treasures 3',
    '# Bo · scoring round',
    'ends the turn',
    'Bo scores 0: temples 0, treasures 0',
  ]);
});

test('a final scoring turn is known by its scoring, and the end tells the scores', () => {
  const events = [
    played(2, 1, '.', { after: { phase: 'over', seat: null, tile: null, scores: [9, 4] } }),
  ];
  const scored: Scored[] = [{ round: 4, final: true, seat: 1, temples: 0, treasures: 0, actions: 1 }];
  expect(text(events, scored)).toEqual([
    '# Ana · scoring round',
    'ends the turn',
    'Ana scores 0: temples 0, treasures 0',
    '# End of the game',
    'Ana 9, Bo 4',
  ]);
  expect(new Set(chapters(events, NAMES, scored).map(({ key }) => key)).size).toBe(2); // by one and the same event
});

test('all at once: the turn in which it happens is no scoring turn', () => {
  const events = [
    played(2, 1, '+W@a1'),
    played(3, 1, '.', { after: { phase: 'place', seat: 2, tile: 'B6', scores: [5, 4] } }),
  ];
  const row = { round: 1, final: false, treasures: 0, actions: 2 };
  const scored: Scored[] = [{ ...row, seat: 1, temples: 5 }, { ...row, seat: 2, temples: 4 }];
  expect(text(events, scored)).toEqual([
    '# Ana',
    'a worker enters at a1',
    'ends the turn',
    'Ana scores 5: temples 5, treasures 0',
    'Bo scores 4: temples 4, treasures 0',
  ]);
});

describe('news', () => {
  test('knows what was before: how high a temple is, what was bid, what the scores were', () => {
    const after = (seat: number, scores: number[]) => ({ after: { phase: 'take' as const, seat, tile: null, scores } });
    const events = [
      played(2, 2, 'X@a2'),
      played(3, 1, 'B:3', { after: { phase: 'bid', seat: 2, tile: null, scores: [20, 20] } }),
      played(4, 2, 'B:-', after(1, [17, 20])),
      played(5, 2, 'X@a2', { after: { phase: 'act', seat: 2, tile: null, scores: [17, 29] } }),
    ];
    expect(news(chapters(events, NAMES), 3, [1])).toBe(
      'Auction: Bo: passes; Ana has the turn for 3 points. Bo: excavates the temple at a2 to level 3; Bo scores 9',
    );
  });

  test('a line that goes on is news again', () => {
    const events = [played(2, 2, 'X@a2'), played(3, 2, 'X@a2')];
    expect(news(chapters(events, NAMES), 2, [1])).toBe('Bo: excavates the temple at a2 to level 3');
    expect(news(chapters(events, NAMES), 3, [1])).toBe('');
  });

  test('what one does oneself is no news, what comes of it is', () => {
    const events = [played(2, 1, '+W@a1'), played(3, 1, '.', { after: { phase: 'act', seat: 2, tile: null, scores: [7, 0] } })];
    expect(news(chapters(events, NAMES), 1, [1])).toBe('Ana: Ana scores 7');
    expect(news(chapters(events, NAMES), 1, [])).toBe('Ana: a worker enters at a1; ends the turn; Ana scores 7');
  });
});
