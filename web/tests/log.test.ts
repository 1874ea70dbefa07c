import { describe, expect, test } from 'vitest';
import { TILES } from '../src/lib/data';
import { parse } from '../src/lib/notation';
import type { GameEvent, Scored } from '../src/lib/types';
import { actionInWords, caption, chapters, inSteps, news, rounds, standing, stepInWords } from '../src/story/log';
import { played } from './story';

const NAMES = ['Ana', 'Bo', 'Cy'];
const START: GameEvent = { seq: 1, kind: 'start', seat: null, at: 0, seats: [] };
const text = (events: GameEvent[], scored: Scored[] = []) =>
  chapters(events, NAMES, scored).flatMap(({ title, lines }) => [`# ${title}`, ...lines.map((line) => line.text)]);

test('the steps of a proposal are whole ways, alone or together', () => {
  const actions = 'A2@b3^0 +W@a1 +W@a1 W:a1-b2 W:b2-b3 W:a1-a2 +W@a1 W:a1-a2 +W@a1 W:a1-a2 X@a2 X@a2 +L@a1 L:a1-b2 .'.split(' ');
  const steps = inSteps(actions);
  expect(steps.flat()).toEqual(actions);
  expect(steps.map((step) => stepInWords(step, NAMES))).toEqual([
    'Discovers a level 2 temple on b3',
    '2 workers arrive on a1',
    'A worker walks from a1 to b3',
    'A worker walks from a1 to a2',
    '2 workers arrive and walk to a2',
    'Excavates a level of the temple on a2',
    'Excavates a level of the temple on a2',
    'The leader arrives and walks to b2',
    'Ends the turn',
  ]);
});

describe('every kind of action in words', () => {
  const WORDS: [string, number | null, string][] = [
    ['A1@b3^0', null, 'discovers a level 1 temple on b3'],
    ['A5@b3^0', null, 'discovers 4 treasures on b3'],
    ['B6@c3^0', null, 'places the volcano on c3'],
    ['+W@a1', null, 'a worker arrives on a1'],
    ['+L@a1', null, 'the leader arrives on a1'],
    ['L:a1-b2', null, 'the leader walks from a1 to b2'],
    ['W:a1=d3', null, 'a worker goes straight from camp a1 to camp d3'],
    ['X@a2', null, 'excavates a level of the temple on a2'],
    ['X@a2', 11, 'excavates a level of the temple on a2; the dice come up 11'],
    ['D@b3', 3, 'digs up a treasure on b3: serpent'],
    ['D@b3', null, 'digs up a treasure on b3'],
    ['S:2:3/5', null, 'trades a serpent for a frog with Bo'],
    ['C@b2', null, 'sets up a camp on b2'],
    ['GL@c3', null, 'the leader becomes the guard of the temple on c3'],
    ['GW@c3', null, 'a worker becomes the guard of the temple on c3'],
    ['M@c3', null, 'two workers guard the temple on c3 with a gun'],
    ['R:2@c3', null, 'shoots one of Bo’s workers on c3'],
    ['O:a1-a2', null, 'builds an obstacle between a1 and a2'],
    ['.', null, 'ends the turn'],
    ['B:1', null, 'bids 1 point'],
    ['B:5', null, 'bids 5 points'],
    ['B:-', null, 'passes'],
    ['K:A5', null, 'takes the tile with 4 treasures'],
    ['V:+', null, 'lets this volcano score'],
    ['V:-', null, 'skips scoring for this volcano'],
    ['J:1', null, 'chooses 1 token'],
    ['J:3', null, 'chooses 3 tokens'],
    ['J:0', null, 'sits out the rest of the round'],
    ['J:?', null, 'has chosen in secret'],
  ];
  test.each(WORDS)('%s (%s)', (action, revealed, words) => {
    expect(actionInWords(parse(action)!, NAMES, revealed)).toBe(words);
  });
});

test('a caption says who', () => {
  expect(caption(played(1, 2, '+W@a1'), NAMES)).toBe('Bo: a worker arrives on a1');
});

describe('steps in a row are told by where the members have got to', () => {
  const turn = (...actions: string[]) =>
    chapters([START, ...actions.map((action, place) => played(place + 2, 1, action))], NAMES)[1]!.lines.map((line) => [line.text, line.at, line.until]);

  test('members with the same walk share a line, even if their steps alternate', () => {
    expect(turn('W:a1-b2', 'W:a1-b2', 'W:b2-b3', 'W:b2-b3', 'L:a1-b2')).toEqual([
      ['2 workers walk from a1 to b3', 1, 4],
      ['the leader walks from a1 to b2', 5, 5],
    ]);
  });

  test('entering and walking is one thing', () => {
    expect(turn('+W@a1', '+W@a1', 'W:a1-a2', 'W:a1-a2', '+L@a1')).toEqual([
      ['2 workers arrive and walk to a2', 1, 4],
      ['the leader arrives on a1', 5, 5],
    ]);
  });

  test('one of several walks on', () => {
    expect(turn('+W@a1', '+W@a1', 'W:a1-b2')).toEqual([
      ['a worker arrives on a1', 1, 1],
      ['a worker arrives and walks to b2', 2, 3],
    ]);
  });

  test('there and back', () => {
    expect(turn('W:b3-a2', 'W:a2-a3', 'W:a3-b3')).toEqual([['a worker takes a walk and returns to b3', 1, 3]]);
  });

  test('from camp to camp, and on foot from there', () => {
    expect(turn('W:a1=d3', 'X@d3', 'W:a1=d3', 'W:d3-d4')).toEqual([
      ['a worker goes straight from camp a1 to camp d3', 1, 1],
      ['excavates the temple on d3 up to level 1', 2, 2],
      ['a worker walks from a1 to d4', 3, 4],
    ]);
  });
});

test('levels of one temple are one line, and every line has a picture', () => {
  const actions = ['A2@a3^4', '+W@a1', '+W@a1', 'X@a2', 'X@a2', 'X@a3', '.'];
  const events = actions.map((action, place) => played(place + 2, 1, action));
  const [, turn] = chapters([START, ...events], NAMES);
  expect(turn!.title).toBe('Ana');
  expect(turn!.lines.map((line) => [line.text, line.symbol, line.until])).toEqual([
    ['discovers a level 2 temple on a3', { what: 'tile', tile: 'A2' }, 1],
    ['2 workers arrive on a1', { what: 'member', member: 'W', count: 2 }, 3],
    ['excavates the temple on a2 up to level 3', { what: 'temple', level: 3 }, 5],
    ['excavates the temple on a3 up to level 3', { what: 'temple', level: 3 }, 6],
    ['ends the turn', null, 7],
  ]);
});

test('rounds: each seat has a turn; a scoring round is a separate one', () => {
  const volcano = { after: { phase: 'act' as const, seat: 1, tile: 'B6', scores: [0, 0] } };
  const events = [
    START,
    ...[1, 2, 1, 2].map((seat, place) => played(place + 2, seat, '.', place === 3 ? volcano : {})),
    played(6, 1, '.', volcano),
    played(7, 2, '.', { after: { phase: 'place', seat: 1, tile: 'B6', scores: [0, 0] } }),
    played(8, 1, '.'),
  ];
  expect(rounds(chapters(events, NAMES)).map(({ title, chapters: all }) => [title, all.map((one) => one.title)])).toEqual([
    ['Round 1', ['The game begins', 'Ana', 'Bo']],
    ['Round 2', ['Ana', 'Bo']],
    ['Scoring round', ['Ana · scoring', 'Bo · scoring']],
    ['Round 3', ['Ana']],
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

test('actions taken back are marked and not counted', () => {
  const events: GameEvent[] = [
    played(2, 1, '+W@a1'),
    played(3, 1, 'X@a2'),
    played(4, 1, 'X@a2'),
    { seq: 5, kind: 'undo', seat: 1, at: 0, count: 2 },
    played(6, 1, 'X@a2'),
  ];
  const all = chapters(events, NAMES);
  expect(all[0]!.lines.map((line) => [line.text, line.at, line.undone])).toEqual([
    ['a worker arrives on a1', 1, false],
    ['excavates a level of the temple on a2', null, true],
    ['takes back 2 actions', null, false],
    ['excavates the temple on a2 up to level 2', 2, false],
  ]);
  expect(standing(all)[0]!.lines.map((line) => line.text)).toEqual([
    'a worker arrives on a1',
    'excavates the temple on a2 up to level 2',
  ]);
});

test('dice, tiles that left the game, a player who left', () => {
  const events: GameEvent[] = [
    played(2, 1, 'X@a2', { revealed: 7 }),
    played(3, 1, 'X@a2', { revealed: 9 }),
    played(4, 1, '.', { gone: [{ seat: 2, tile: 'B6' }] }),
    { seq: 5, kind: 'seat', seat: 2, at: 0, to: 'bot', level: 'digger' },
  ];
  expect(text(events)).toEqual([
    '# Ana',
    'excavates the temple on a2 up to level 2; the dice come up 7',
    'excavates the temple on a2 up to level 3; the dice come up 9',
    'ends the turn',
    'the volcano fits nowhere and leaves the game',
    'Bo has left, so a bot (Digger) takes over',
  ]);
});

test('an auction is a chapter, its end names the winner and the price', () => {
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
    'Ana: bids 1 point',
    'Bo: bids 2 points',
    'Ana: passes',
    'Bo gets the turn for 2 points',
    '# Bo',
    'takes the tile with 4 treasures',
    'ends the turn',
    '# Ana',
    'takes the tile with a level 1 temple',
    'ends the turn',
    '# Auction',
    'Bo: passes',
    'Ana: passes',
    'Bo gets the turn for free',
  ]);
});

test('tokens of leaps: chosen in secret, then shown', () => {
  const leap = { phase: 'leap' as const, seat: 2, tile: null, scores: [0, 0] };
  const events = [
    played(2, 1, 'J:3', { after: leap }),
    played(3, 2, 'J:0', { shown: { '1': 3, '2': 0 }, after: { ...leap, phase: 'act' } }),
  ];
  expect(text(events)).toEqual(['# Leap', 'Ana: chooses 3 tokens', 'Bo: sits out the rest of the round', 'everyone reveals their tokens: Ana 3, Bo 0']);
});

test('a scoring round: its heading, points in all and by source, also none', () => {
  const after = (seat: number, scores: number[]) => ({ after: { phase: 'act' as const, seat, tile: 'B6', scores } });
  const events = [
    played(2, 2, '.', after(1, [0, 0])),
    played(3, 1, '+W@a1', after(1, [0, 0])),
    played(4, 1, '.', after(2, [9, 0])),
    played(5, 2, '.', after(1, [9, 0])),
  ];
  const plain = ['# Bo', 'ends the turn', 'Ana draws a volcano', '# Ana · scoring', 'a worker arrives on a1', 'ends the turn', 'Ana scores 9 points'];
  expect(text(events)).toEqual([...plain, '# Bo · scoring', 'ends the turn']);
  const scored: Scored[] = [
    { round: 1, final: false, seat: 1, temples: 6, treasures: 3, actions: 3 },
    { round: 1, final: false, seat: 2, temples: 0, treasures: 0, actions: 4 },
  ];
  expect(text(events, scored)).toEqual([
    ...plain.slice(0, 6),
    'Ana scores 9 points: 6 for temples, 3 for treasures',
    '# Bo · scoring',
    'ends the turn',
    'Bo scores nothing',
  ]);
});

test('a final scoring turn is recognised by its scoring, and the end lists the scores', () => {
  const events = [
    played(2, 1, '.', { after: { phase: 'over', seat: null, tile: null, scores: [9, 4] } }),
  ];
  const scored: Scored[] = [{ round: 4, final: true, seat: 1, temples: 0, treasures: 0, actions: 1 }];
  expect(text(events, scored)).toEqual([
    '# Ana · scoring',
    'ends the turn',
    'Ana scores nothing',
    '# End of the game',
    'Ana 9, Bo 4',
  ]);
  expect(new Set(chapters(events, NAMES, scored).map(({ key }) => key)).size).toBe(2); // though one event made both chapters
});

test('all at once: the turn in which it happens is not a scoring turn', () => {
  const events = [
    played(2, 1, '+W@a1'),
    played(3, 1, '.', { after: { phase: 'place', seat: 2, tile: 'B6', scores: [5, 4] } }),
  ];
  const row = { round: 1, final: false, treasures: 0, actions: 2 };
  const scored: Scored[] = [{ ...row, seat: 1, temples: 5 }, { ...row, seat: 2, temples: 4 }];
  expect(text(events, scored)).toEqual([
    '# Ana',
    'a worker arrives on a1',
    'ends the turn',
    'Bo draws a volcano',
    'Ana scores 5 points: 5 for temples, 0 for treasures',
    'Bo scores 4 points: 4 for temples, 0 for treasures',
  ]);
});

describe('news', () => {
  test('remembers the past: levels of temples, bids and scores', () => {
    const after = (seat: number, scores: number[]) => ({ after: { phase: 'take' as const, seat, tile: null, scores } });
    const events = [
      played(2, 2, 'X@a2'),
      played(3, 1, 'B:3', { after: { phase: 'bid', seat: 2, tile: null, scores: [20, 20] } }),
      played(4, 2, 'B:-', after(1, [17, 20])),
      played(5, 2, 'X@a2', { after: { phase: 'act', seat: 2, tile: null, scores: [17, 29] } }),
    ];
    expect(news(chapters(events, NAMES), 3, [1])).toBe(
      'Auction: Bo: passes, Ana gets the turn for 3 points. Bo: excavates the temple on a2 up to level 3, Bo scores 9 points.',
    );
  });

  test('an extended line is news again', () => {
    const events = [played(2, 2, 'X@a2'), played(3, 2, 'X@a2')];
    expect(news(chapters(events, NAMES), 2, [1])).toBe('Bo: excavates the temple on a2 up to level 3.');
    expect(news(chapters(events, NAMES), 3, [1])).toBe('');
  });

  test('the player’s own actions are not news, their outcomes are', () => {
    const events = [played(2, 1, '+W@a1'), played(3, 1, '.', { after: { phase: 'act', seat: 2, tile: null, scores: [7, 0] } })];
    expect(news(chapters(events, NAMES), 1, [1])).toBe('Ana: Ana scores 7 points.');
    expect(news(chapters(events, NAMES), 1, [])).toBe('Ana: a worker arrives on a1, ends the turn, Ana scores 7 points.');
  });
});

test('the final round is announced once, when no tile is left', () => {
  const after = (phase: 'place' | 'act') => ({ after: { phase, seat: 1, tile: null, scores: [0, 0] } });
  const laid = Object.keys(TILES).map((tile, index) => played(index + 2, 1, `${tile}@a1^0`, after('act')));
  const end = (seq: number) => played(seq, 1, '.', after('act'));
  const told = (events: GameEvent[]) => chapters(events, NAMES).flatMap(({ lines }) => lines).filter(({ kind }) => kind === 'final').length;
  expect([told([...laid.slice(1), end(90)]), told([...laid, end(90), end(91)])]).toEqual([0, 1]);
});
