import { expect, test } from 'vitest';
import { changed, flights, without } from '../src/story/diff';
import { view } from './story';

test('a worker enters from the reserve', () => {
  const before = view();
  const after = view({ workers: [{ a1: 1 }, {}], reserve: [17, 18] });
  expect(flights(before, after)).toMatchObject([{ seat: 1, member: 'W', from: null, to: 'a1' }]);
});

test('a worker walks from where two stood', () => {
  const before = view({ workers: [{}, { a1: 2 }] });
  const after = view({ workers: [{}, { a1: 1, b2: 1 }] });
  expect(flights(before, after)).toMatchObject([{ seat: 2, member: 'W', from: 'a1', to: 'b2' }]);
});

test('the leader enters and walks', () => {
  const [reserve, base, jungle] = ['reserve', 'a1', 'b2'].map((where) => view({ leader: [where, 'reserve'] }));
  expect(flights(reserve!, base!)).toMatchObject([{ seat: 1, member: 'L', from: null, to: 'a1' }]);
  expect(flights(base!, jungle!)).toMatchObject([{ seat: 1, member: 'L', from: 'a1', to: 'b2' }]);
  expect(flights(base!, base!)).toEqual([]);
});

test('a guard stays, those beside it leave the game', () => {
  const before = view({ leader: ['c3', 'reserve'], workers: [{ c3: 2 }, { c3: 1 }] });
  const byLeader = view({ leader: ['gone', 'reserve'], workers: [{}, { c3: 1 }], guards: { c3: 1 } });
  expect(flights(before, byLeader).map(({ member, from, to }) => [member, from, to])).toEqual([
    ['W', 'c3', null],
    ['W', 'c3', null],
  ]);
  const alone = view({ workers: [{ c3: 3 }, {}] });
  const byWorker = view({ workers: [{}, {}], guards: { c3: 1 } });
  expect(flights(alone, byWorker)).toHaveLength(2);
});

test('distinguishes members that leave one hex from those that enter at the same time', () => {
  const before = view({ workers: [{ a1: 3 }, {}], reserve: [15, 18] });
  const after = view({ workers: [{ a1: 1, b2: 2, c3: 1 }, {}], reserve: [14, 18] });
  const found = flights(before, after);
  expect(found.filter((one) => one.from === null)).toHaveLength(1);
  expect(found.filter((one) => one.from === 'a1')).toHaveLength(2);
  expect(new Set(found.map((one) => one.id)).size).toBe(3);
});

test('moving members are not drawn at their goal', () => {
  const after = view({ workers: [{ b2: 2 }, { b2: 1 }], leader: ['c3', 'b2'] });
  const air = without(after, [
    { id: '1', seat: 1, member: 'W', from: 'a1', to: 'b2' },
    { id: '2', seat: 2, member: 'W', from: 'a1', to: 'b2' },
    { id: '3', seat: 1, member: 'L', from: 'a1', to: 'c3' },
    { id: '4', seat: 2, member: 'L', from: 'b2', to: null },
  ]);
  expect(air.workers).toEqual([{ b2: 1 }, {}]);
  expect(air.leader).toEqual(['gone', 'b2']);
  expect(without(after, [])).toBe(after);
});

test('changed hexes: levels, tiles, tokens, camps, guards, guns, obstacles, members', () => {
  expect(changed(view(), view())).toEqual([]);
  expect(changed(view(), view({ levels: { a2: 2, b1: 1 } }))).toEqual(['a2']);
  expect(changed(view(), view({ tiles: { b3: 'A5^0' } }))).toEqual(['b3']);
  expect(changed(view({ tokens: { b3: 2 } }), view({ tokens: { b3: 1 } }))).toEqual(['b3']);
  expect(changed(view(), view({ camps: { b2: 1 } }))).toEqual(['b2']);
  expect(changed(view(), view({ guards: { a2: 1 }, guns: ['a2'] }))).toEqual(['a2']);
  expect(changed(view(), view({ obstacles: ['a1-b2'] }))).toEqual(['a1', 'b2']);
  expect(changed(view({ leader: ['a1', 'reserve'] }), view({ leader: ['b2', 'reserve'] }))).toEqual(['a1', 'b2']);
  expect(changed(view({ workers: [{ a1: 1 }, {}] }), view({ workers: [{}, {}] }))).toEqual(['a1']);
});
