import { beforeAll, expect, test } from 'vitest';
import { before, blunder, BLUNDER, scored } from '../src/coach/advice';
import { needs } from '../src/lib/messages.svelte';
import type { Analysis, Fear, Forecast, Prospect, View } from '../src/lib/types';
import { effectsOf, fearsOf } from '../src/table/reasons';

const NAMES = ['Red', 'Blue'];
const VIEW = { seat: 1, ap: 6, scores: [0, 0], levels: { a3: 5, b2: 4 }, guards: {}, leader: ['reserve', 'reserve'], workers: [{ a3: 1 }, {}] } as unknown as View;
const QUIET = { round: 'none', volcano: 0 } as unknown as Prospect;
const FEAR: Fear = { hex: 'a3', level: 5, seat: 2, cost: 3 };
type Turn = Analysis['turns'][number];
const NOTHING = { score: 0, temples: 0, reach: 0, guards: 0, treasures: 0, exchanges: 0, ruins: 0, camps: 0, members: 0, outlook: 0 };
const turn = (temples: number, more: Partial<Turn> = {}): Turn => ({
  actions: ['.'], sure: 1, value: temples, chance: 0.5, parts: { ...NOTHING, temples }, changes: [], fears: [], ...more,
});
const analysis = (now: number, turns = [turn(now)], fears: Fear[] = []): Analysis => ({
  seat: 1, phase: 'act', level: 'professor', nodes: 1, now: { ...NOTHING, temples: now }, turns, fears, seats: [],
});

beforeAll(() => needs('coach'));

test('before a turn, the coach names the temple that the best turn takes, and from whom', () => {
  const prize = { hex: 'b2', level: 4, before: 2, after: 1 };
  expect(before(VIEW, QUIET, analysis(0, [turn(6, { changes: [prize] })]), NAMES)[0]).toMatch(/b2.*Blue.*4 points/);
  expect(before(VIEW, QUIET, analysis(0, [turn(6, { changes: [{ ...prize, before: null }] })]), NAMES)[0]).toMatch(/Nobody.*b2/);
});

test('a temple that the best turn places is not spoken of as if it stood there', () => {
  const prize = { hex: 'c2', level: 3, before: null, after: 1 };
  expect(before(VIEW, QUIET, analysis(0, [turn(6, { changes: [prize] })]), NAMES)[0]).toMatch(/^Place.*c2.*3 points/);
});

test('before a turn, the coach says which part of the value can gain most', () => {
  const best = { ...turn(0), parts: { ...NOTHING, temples: 1, treasures: 3 } };
  const said = before(VIEW, QUIET, { ...analysis(0, [best]), now: { ...NOTHING, temples: 1 } }, NAMES);
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(/^Treasures/);
});

test('a camp is advised only where the best turn founds one', () => {
  const best = (actions: string[]) => ({ ...turn(0), actions, parts: { ...NOTHING, camps: 3, members: 1 } });
  const said = (actions: string[]) => before(VIEW, QUIET, analysis(0, [best(actions)]), NAMES)[0];
  expect([said(['C@b2', '.']), said(['+W@a1', '.'])]).toEqual([expect.stringMatching(/camp/), expect.stringMatching(/people/)]);
});

test('where nothing can be gained, the coach thinks of the others', () =>
  expect(before(VIEW, QUIET, analysis(5), NAMES)).toEqual([expect.stringMatching(/^Think about what the others/)]));

test('before a turn, scoring rounds and likely volcanoes come first', () => {
  const said = (prospect: object) => before(VIEW, { ...QUIET, ...prospect } as Prospect, analysis(0), NAMES)[0];
  expect(said({ round: 'volcano' })).toMatch(/^Scoring round/);
  expect(said({ round: 'final' })).toMatch(/last turn/);
  expect(said({ volcano: 0.5 })).toMatch(/50%/);
});

test('a temple that a rival could take is worth a word', () =>
  expect(before(VIEW, QUIET, analysis(5, [turn(5)], [FEAR]), NAMES)).toEqual([expect.stringMatching(/^Watch a3: Blue needs only 3/)]));

test('no warning where the best turn is hardly better', () =>
  expect(blunder(VIEW, [], null, analysis(5, [turn(5 + BLUNDER - 0.1)], [FEAR]), NAMES)).toBeNull());

test('a warning names the temple that is left, and to whom', () =>
  expect(blunder(VIEW, [], null, analysis(0, [turn(BLUNDER)], [FEAR]), NAMES)).toMatch(/^This leaves a3 to Blue: they need only 3/));

test('a loss that the better turn shares is not a reason', () => {
  const better = turn(BLUNDER, { fears: [FEAR] });
  expect(blunder(VIEW, [], null, analysis(0, [better], [FEAR]), NAMES)).toMatch(/^You still have 6/);
});

test('points that could still take a temple are not to be lost', () => {
  const better = turn(BLUNDER, { changes: [{ hex: 'b2', level: 4, before: null, after: 1 }] });
  expect(blunder(VIEW, [], null, analysis(0, [better]), NAMES)).toMatch(/6 action points.*b2/);
});

test('a temple that was held when the turn began is not given up in silence', () => {
  const start = { best: turn(BLUNDER + 2), held: { b2: 4 } };
  const forecast: Forecast[] = [{ seat: 1, temples: { a3: 5 }, strengths: { a3: 1 }, treasures: {}, total: 5 }];
  expect(blunder(VIEW, forecast, start, analysis(0), NAMES)).toMatch(/^You held b2/);
  expect(blunder(VIEW, forecast, { ...start, held: { a3: 5 } }, analysis(0), NAMES), 'nothing can be named, and nothing can be done').toBeNull();
});

test('a scoring is explained: the sum, the best temple, and the best one that was missed', () => {
  const mine: Forecast = { seat: 1, temples: { a3: 5 }, strengths: { a3: 1, b2: 1 }, treasures: { '1': 1 }, total: 6 };
  const blue: Forecast = { seat: 2, temples: {}, strengths: { b2: 1 }, treasures: {}, total: 0 };
  const said = scored(1, VIEW, [mine, blue], NAMES);
  expect(said[0]).toMatch(/6 points: 5 .* 1 /);
  expect(said[1]).toMatch(/a3 with 5/);
  expect(said[2]).toMatch(/b2.*as strong as Blue.*4 points/);
  const stronger = { ...blue, temples: { b2: 4 }, strengths: { b2: 3 }, total: 4 };
  expect(scored(1, VIEW, [mine, stronger], NAMES)[2]).toMatch(/b2, Blue is stronger, 3 to 1/);
});

test('a hint names the losers of temples, and the threats', () => {
  const changes = [
    { hex: 'a2', level: 1, before: null, after: 1 },
    { hex: 'b2', level: 4, before: 2, after: 1 },
    { hex: 'c3', level: 3, before: 2, after: null },
  ];
  expect(effectsOf(changes, 1, NAMES)).toEqual([expect.stringMatching(/b2.*Blue/), expect.stringMatching(/Blue.*c3/), expect.stringMatching(/a2/)]);
  expect(fearsOf([FEAR], NAMES)).toEqual([expect.stringMatching(/Blue.*a3.*3 action points/)]);
});
