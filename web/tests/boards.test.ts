/** A board that no edition has: with a lake, a printed volcano, and a hex that is missing. All of it is data. */
import { render } from 'svelte/server';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import Board from '../src/board/Board.svelte';
import { contentOf, hexesOf } from '../src/board/model';
import { OFF, off, PRINTED, printed } from '../src/lib/data';
import type { View } from '../src/lib/types';
import { chapters } from '../src/story/log';
import { played } from './story';

vi.hoisted(() => {
  const still = { matches: true, addEventListener: () => undefined };
  Object.assign(globalThis, { matchMedia: () => still }); // there is no browser here
});

const ROWS: Parameters<typeof printed>[0] = {
  note: 'Only for this test.',
  a1: ['base', 0, [1, 1, 1, 0, 0, 0]],
  b2: ['jungle', 0, [1, 1, 1, 0, 0, 0]],
  a2: 'lake',
  c1: ['temple', 4, [0, 0, 0, 0, 1, 0]],
  b1: 'volcano',
  h5: 'off',
};
const view = {
  options: { board: 'test' },
  viewer: null, seat: 1, phase: 'place', ap: 10, tile: null, scoring: null, scores: [0, 0], leader: ['reserve', 'reserve'],
  workers: [{}, {}], worked: [{}, {}], lost: [{}, {}], tiles: {}, levels: {}, tokens: {}, camps: {}, guards: {}, guns: [], obstacles: [],
} as unknown as View; // prettier-ignore

beforeAll(() => {
  Object.assign(PRINTED, { test: printed(ROWS) });
  Object.assign(OFF, { test: off(ROWS) });
});

describe('a board with a lake, a printed volcano and a missing hex', () => {
  test('has 39 hexes', () => {
    expect(hexesOf(view)).toHaveLength(39);
    expect(hexesOf(view)).not.toContain('h5');
  });
  test('describes what is printed', () => {
    expect(contentOf(view, [], 'a2').tile).toMatchObject({ terrain: 'lake', stones: [0, 0, 0, 0, 0, 0] });
    expect(contentOf(view, [], 'b1').tile?.terrain).toBe('volcano');
    expect(contentOf(view, [], 'c3').tile).toBeNull();
  });
  test('has its own temples in the log', () => {
    const [, turn] = chapters([{ seq: 1, kind: 'start', seat: null, at: 0, seats: [] }, played(2, 1, 'X@c1')], ['Ana', 'Bo'], [], 'test');
    expect(turn!.lines.map((line) => line.text)).toEqual(['excavates the temple on c1 up to level 5']);
  });
  test('is drawn, and said in words', () => {
    const { body } = render(Board, { props: { view } });
    expect(body).toContain('aria-label="a2, lake"');
    expect(body).toContain('aria-label="b1, volcano"');
    expect(body).toContain('var(--water-1)');
    expect(body).toContain('var(--lava-1)');
    expect(body).not.toContain('data-hex="h5"');
  });
});
