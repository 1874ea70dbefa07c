import { describe, expect, it } from 'vitest';
import type { Offer, Place } from '../src/lib/types';
import { exchanges, movable, nearest, next, onHex, placesByHex, starts, toolsOf } from '../src/table/choices';

const offer: Offer = {
  seat: 1,
  phase: 'act',
  ap: 10,
  actions: ['+W@a1', '.', 'D@b3', 'O:b2-b3', 'S:2:3/5', 'W:b3-b2', 'W:b3-c3'].map((action) => ({ action, cost: 1 })),
  walks: [
    { member: 'W', from: 'b3', to: 'b2', cost: 1, actions: ['W:b3-b2'] },
    { member: 'W', from: 'b3', to: 'c3', cost: 2, actions: ['W:b3-b2', 'W:b2-c3'] },
  ],
  refusals: { b3: [{ action: 'C@b3', code: 'tokens', rule: '4', text: 'still has treasures' }] },
  places: [],
  bidding: null,
};
const place = (hex: string, rotation: number): Place => ({ action: `A1@${hex}^${rotation}`, hex, rotation, passages: {} });

describe('what an offer lets one do', () => {
  it('lists the work on a hex, then the refusals', () => {
    expect(onHex(offer, 'b3').map((choice) => [choice.text, choice.refusal?.code])).toEqual([
      ['D@b3', undefined],
      ['O:b2-b3', undefined],
      ['W:b3-c3', undefined],
      ['C@b3', 'tokens'],
    ]);
  });

  it('lists a single step only where a walk takes another way', () => {
    const steps = onHex(offer, 'b3').filter((choice) => choice.action.kind === 'move');
    expect(steps.map((choice) => choice.text)).toEqual(['W:b3-c3']);
  });

  it('shows an obstacle on both of its hexes', () => {
    expect(onHex(offer, 'b2').map((choice) => choice.text)).toEqual(['O:b2-b3']);
  });

  it('starts where an action or a walk is possible, not where everything is refused', () => {
    expect(starts(offer)).toEqual(['a1', 'b3']);
    expect(starts(offer, 'obstacle')).toEqual(['b2', 'b3']);
    expect(toolsOf(offer)).toEqual(['obstacle']);
    expect(starts({ ...offer, actions: [], walks: offer.walks })).toEqual(['b3']);
    expect(starts({ ...offer, actions: [], walks: [] })).toEqual([]);
  });

  it('knows the members that can move and the possible exchanges', () => {
    expect(movable(offer, 'b3')).toEqual(['W']);
    expect(movable(offer, 'a1')).toEqual([]);
    expect(exchanges(offer)).toEqual([{ text: 'S:2:3/5', seat: 2, give: 3, take: 5, cost: 1 }]);
  });

  it('leaves no action out: each is on a hex, a walk, an exchange or the end of the turn', () => {
    const reached = new Set([...['a1', 'b2', 'b3', 'c3'].flatMap((hex) => onHex(offer, hex).map((one) => one.text))]);
    for (const walk of offer.walks) if (walk.actions.length === 1) reached.add(walk.actions[0]!);
    for (const swap of exchanges(offer)) reached.add(swap.text);
    reached.add('.');
    for (const { action } of offer.actions) expect(reached, action).toContain(action);
  });
});

describe('turning a tile', () => {
  const places = [place('b3', 0), place('b3', 2), place('b3', 5)];

  it('takes only legal rotations', () => {
    expect(nearest(places, 1).rotation).toBe(2);
    expect(nearest(places, 3).rotation).toBe(5);
    expect(next(places, places[2]!, 1).rotation).toBe(0);
    expect(next(places, places[0]!, -1).rotation).toBe(5);
  });

  it('sorts places by hex', () => {
    const found = placesByHex({ ...offer, places: [place('c3', 4), place('b3', 2), place('b3', 0)] });
    expect(found.get('b3')!.map((one) => one.rotation)).toEqual([0, 2]);
    expect([...found.keys()]).toEqual(['c3', 'b3']);
  });
});
