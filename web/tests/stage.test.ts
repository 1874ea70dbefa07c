import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Listener } from '../src/lib/table.svelte';
import type { Table } from '../src/lib/table.svelte';
import type { Frame, GameEvent, Update, View } from '../src/lib/types';
import { played, update, view } from './story';

const settings = { step: 100 };
vi.mock('../src/lib/settings.svelte', () => ({ settings }));
const { Stage } = await import('../src/story/stage.svelte');
const { Frames } = await import('../src/story/frames');

/** A table that hears what a test says. */
class Heard {
  id = 't';
  update: Update | null = null;
  events: GameEvent[] = [];
  #listener: Listener = () => undefined;
  get info() {
    return this.update?.info ?? null;
  }
  listen(listener: Listener) {
    this.#listener = listener;
    return () => undefined;
  }
  hear(next: Update): void {
    const before = this.update;
    this.events = [...this.events, ...next.events];
    this.update = next;
    this.#listener(next, before);
  }
}

/** Seat 2 walks one hex further with each frame. */
const WAY = ['a1', 'b2', 'c2', 'd3', 'e3', 'f3', 'g3', 'h3'];
const at = (number: number): View => view({ workers: [{}, { [WAY[number]!]: 1 }] });
const step = (number: number, seat = 2) => played(number, seat, `W:${WAY[number - 1]}-${WAY[number]}`);

function frame(number: number): Frame {
  const [seat, action] = number ? [2, step(number).action] : [null, null];
  return { at: number, of: 9, seat, action, revealed: null, view: at(number), forecast: [] };
}

let fetched: number[];
let broken: boolean;

function begin(seats: number[] = [1]) {
  const table = new Heard();
  const ask = async (start: number): Promise<{ frames: Frame[] }> => {
    fetched.push(start);
    if (broken) throw new Error('no frames');
    return { frames: WAY.map((_, number) => frame(number)).slice(start) };
  };
  const stage = new Stage(table as unknown as Table, new Frames(ask));
  table.hear(update(0, [], at(0), seats));
  const others = (from: number, until: number) => {
    const events = Array.from({ length: until - from + 1 }, (_, place) => step(from + place));
    table.hear(update(until, events, at(until), seats));
  };
  return { table, stage, others };
}

const where = (shown: View | null) => Object.keys(shown?.workers[1] ?? {})[0] ?? 'in the air';

beforeEach(() => {
  vi.useFakeTimers();
  settings.step = 100;
  fetched = [];
  broken = false;
});
afterEach(() => vi.useRealTimers());

test('the first view shows at once', () => {
  const { stage } = begin();
  expect(where(stage.view)).toBe('a1');
  expect(stage.mode).toBe('now');
});

test('a turn of others is played action by action, then the newest view is shown', async () => {
  const { stage, others } = begin();
  others(1, 3);
  expect(stage.playing).toBe(true);
  await vi.advanceTimersByTimeAsync(50);
  expect(stage.flights).toMatchObject([{ seat: 2, member: 'W', from: 'a1', to: 'b2' }]);
  expect(where(stage.view)).toBe('in the air');
  expect(stage.lit).toEqual(['a1', 'b2']);
  expect(stage.caption).toBe('Bo: a worker walks from a1 to b2');
  await vi.advanceTimersByTimeAsync(60);
  expect(where(stage.view)).toBe('b2');
  await vi.runAllTimersAsync();
  expect(where(stage.view)).toBe('d3');
  expect([stage.mode, stage.caption, stage.flights, stage.lit]).toEqual(['now', '', [], []]);
  expect(fetched).toEqual([1]); // at once
});

test('the player’s own actions show at once', () => {
  const { table, stage } = begin();
  table.hear(update(1, [step(1, 1)], at(1)));
  expect([where(stage.view), stage.mode]).toEqual(['b2', 'now']);
});

test('whoever acts is at the newest view at once', async () => {
  const { stage, others } = begin();
  others(1, 4);
  await vi.advanceTimersByTimeAsync(50);
  stage.finish();
  expect([where(stage.view), stage.mode]).toEqual(['e3', 'now']);
  await vi.runAllTimersAsync();
  expect(where(stage.view)).toBe('e3');
});

test('updates during a playback are played after it', async () => {
  const { stage, others } = begin();
  others(1, 2);
  await vi.advanceTimersByTimeAsync(130);
  others(3, 4);
  const seen: string[] = [];
  for (let tick = 0; tick < 40 && stage.playing; tick++) {
    await vi.advanceTimersByTimeAsync(20);
    if (!seen.includes(where(stage.view))) seen.push(where(stage.view));
  }
  expect(seen.filter((hex) => hex !== 'in the air')).toEqual(['c2', 'd3', 'e3']);
  expect(stage.mode).toBe('now');
});

test('without frames the newest view is shown', async () => {
  const { stage, others } = begin();
  broken = true;
  others(1, 3);
  await vi.runAllTimersAsync();
  expect([where(stage.view), stage.mode]).toEqual(['d3', 'now']);
});

test('with reduced motion nothing flies, words and highlights remain', async () => {
  settings.step = 0;
  const { stage, others } = begin();
  others(1, 2);
  expect([where(stage.view), stage.mode, stage.flights]).toEqual(['c2', 'now', []]);
  expect(stage.caption).toBe('Bo: a worker walks from b2 to c2');
  expect(stage.lit).toEqual(['a1', 'b2', 'c2']);
  stage.again();
  await vi.advanceTimersByTimeAsync(10);
  expect([where(stage.view), stage.flights, stage.playing]).toEqual(['b2', [], true]);
});

test('in a hidden page nothing is played', () => {
  vi.stubGlobal('document', { hidden: true, addEventListener: () => undefined, removeEventListener: () => undefined });
  const { stage, others } = begin();
  others(1, 3);
  expect([where(stage.view), stage.mode]).toEqual(['d3', 'now']);
  vi.unstubAllGlobals();
});

test('pause, step forth and back, go on', async () => {
  const { stage, others } = begin();
  others(1, 4);
  await vi.advanceTimersByTimeAsync(10);
  stage.pause();
  await vi.runAllTimersAsync();
  expect([stage.mode, where(stage.view), stage.at]).toEqual(['held', 'b2', 1]);
  void stage.step(1);
  await vi.runAllTimersAsync();
  expect([stage.mode, where(stage.view)]).toEqual(['held', 'c2']);
  void stage.step(-1);
  await vi.runAllTimersAsync();
  expect([stage.mode, where(stage.view)]).toEqual(['held', 'b2']);
  stage.play();
  await vi.runAllTimersAsync();
  expect([stage.mode, where(stage.view)]).toEqual(['now', 'e3']);
});

test('again plays the turns of others since one has played', async () => {
  const { table, stage, others } = begin();
  table.hear(update(1, [step(1, 1)], at(1)));
  others(2, 3);
  await vi.runAllTimersAsync();
  table.hear(update(4, [step(4, 1)], at(4)));
  stage.again();
  await vi.advanceTimersByTimeAsync(10);
  expect(stage.event?.seq).toBe(2);
  await vi.advanceTimersByTimeAsync(130);
  expect(stage.event?.seq).toBe(3);
  await vi.advanceTimersByTimeAsync(130);
  expect([stage.mode, where(stage.view)]).toEqual(['now', 'e3']);
});

test('for a spectator, again plays the last turn', async () => {
  const { table, stage, others } = begin([]);
  table.hear(update(1, [step(1, 1)], at(1), []));
  others(2, 3);
  stage.finish();
  stage.again();
  await vi.advanceTimersByTimeAsync(10);
  expect(stage.event?.seq).toBe(2);
});

test('a line of the log lights its hexes and leaves the view', async () => {
  const { stage, others } = begin();
  others(1, 3);
  await vi.runAllTimersAsync();
  stage.hover(1, 2);
  expect([stage.lit, where(stage.view)]).toEqual([['a1', 'b2', 'c2'], 'd3']);
  stage.hover(null);
  expect(stage.lit).toEqual([]);
});

test('an undo by others shows the current position', async () => {
  const { table, stage, others } = begin();
  others(1, 3);
  await vi.runAllTimersAsync();
  table.hear(update(4, [{ seq: 4, kind: 'undo', seat: 2, at: 0, count: 2 }], at(1)));
  expect([where(stage.view), stage.mode, stage.at, stage.of]).toEqual(['b2', 'now', 1, 1]);
});

test('a scoring is counted part by part, and the scores grow with it everywhere', async () => {
  const { table, stage } = begin();
  const scoring = { kind: 'volcano' as const, order: [2], place: 0 };
  const before = view({ scoring, seat: 2 });
  const forecast = [{ seat: 2, temples: { a2: 3 }, strengths: { a2: 1 }, treasures: { '4': 1 }, total: 4 }];
  table.hear({ ...update(1, [played(1, 2, '+W@a1')], before), forecast });
  stage.finish();
  table.hear(update(2, [played(2, 2, '.')], view({ scores: [0, 4] })));
  const seen: unknown[] = [];
  for (let tick = 0; tick < 30 && stage.playing; tick++) {
    await vi.advanceTimersByTimeAsync(100);
    const { counted, done, scores } = stage.counting ?? {};
    const now = [counted, done, scores?.[1], stage.lit.join()];
    expect(stage.scores).toEqual(scores ?? stage.shot?.view.scores);
    if (stage.counting && JSON.stringify(now) !== JSON.stringify(seen.at(-1))) seen.push(now);
  }
  expect(seen).toEqual([
    [0, false, 0, ''],
    [1, false, 3, 'a2'],
    [2, false, 4, ''],
    [2, true, 4, ''],
  ]);
  expect([stage.mode, stage.shot?.view.scores]).toEqual(['now', [0, 4]]);
});

test('one standing at a past moment stays there when more happens', async () => {
  const { stage, others } = begin();
  others(1, 3);
  await vi.runAllTimersAsync();
  await stage.seek(1);
  others(4, 5);
  await vi.runAllTimersAsync();
  expect([stage.mode, where(stage.view), stage.at, stage.of]).toEqual(['held', 'b2', 1, 5]);
  stage.finish();
  expect(where(stage.view)).toBe('f3');
});
