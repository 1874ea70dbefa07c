import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Table } from '../src/lib/table.svelte';
import type { Offer } from '../src/lib/types';
import { Picker } from '../src/table/picker.svelte';

const ACT: Offer = {
  seat: 1,
  phase: 'act',
  ap: 6,
  actions: [],
  walks: [
    { member: 'W', from: 'a1', to: 'b2', cost: 1, actions: ['W:a1-b2'] },
    { member: 'W', from: 'a1', to: 'b3', cost: 3, actions: ['W:a1-b2', 'W:b2-b3'] },
    { member: 'L', from: 'a1', to: 'b2', cost: 1, actions: ['L:a1-b2'] },
    { member: 'W', from: 'b3', to: 'b2', cost: 2, actions: ['W:b3-b2'] },
  ],
  refusals: {},
  places: [],
  bidding: null,
};
const PLACE: Offer = {
  ...ACT,
  phase: 'place',
  walks: [],
  places: [0, 2].map((rotation) => ({ action: `A1@b3^${rotation}`, hex: 'b3', rotation, passages: {} })),
};

/** A table that takes whatever is played and then offers what comes next. */
function tableWith(offer: Offer | null, then: Offer | null = offer): Table & { play: ReturnType<typeof vi.fn> } {
  const table = {
    offer,
    view: { leaps: null, reserve: [18], workers: [{ a1: 3, b3: 1 }] },
    play: vi.fn(async () => {
      table.offer = then;
      return true;
    }),
  };
  return table as unknown as Table & { play: ReturnType<typeof vi.fn> };
}

describe('spending the points', () => {
  let table: ReturnType<typeof tableWith>;
  let picker: Picker;
  beforeEach(() => {
    table = tableWith(ACT);
    picker = new Picker(table);
  });

  it('lets a member stand ready and shows where it can go', () => {
    picker.choose('a1');
    expect(picker.armed).toBe('W');
    expect(Object.fromEntries([...picker.walks].map(([hex, walk]) => [hex, walk.cost]))).toEqual({ b2: 1, b3: 3 });
    expect(picker.actionOn('b3')).toBe('W:a1-b2 W:b2-b3');
    expect(picker.actionOn('c3')).toBeNull();
  });

  it('puts a proposed turn away only when nothing else is chosen', () => {
    picker.closeSketch = vi.fn();
    picker.choose('a1');
    for (let step = 0; step < 2; step++) picker.escape(); // the member, the hex
    expect(picker.closeSketch).not.toHaveBeenCalled();
    picker.escape();
    expect(picker.closeSketch).toHaveBeenCalledOnce();
  });

  it('walks by a second choice, as a list, and stays for the next worker', async () => {
    picker.choose('a1');
    picker.choose('b3');
    await vi.waitFor(() => expect(table.play).toHaveBeenCalledExactlyOnceWith(['W:a1-b2', 'W:b2-b3']));
    await vi.waitFor(() => expect([picker.selected, picker.armed]).toEqual(['a1', 'W']));
  });

  it('selects the goal when nobody is left, and no member is ready', async () => {
    table = tableWith(ACT, { ...ACT, walks: ACT.walks.filter((walk) => walk.from !== 'a1') });
    picker = new Picker(table);
    picker.choose('a1');
    picker.choose('b3');
    await vi.waitFor(() => expect([picker.selected, picker.armed]).toEqual(['b3', null]));
    picker.choose('b2');
    expect(table.play).toHaveBeenCalledOnce();
  });

  it('sends several workers together, for as much as the points allow', () => {
    picker.choose('a1');
    picker.gather(2);
    expect([picker.count, picker.walks.get('b2')?.cost, picker.actionOn('b2')]).toEqual([2, 2, 'W:a1-b2 W:a1-b2']);
    picker.gather(3);
    expect([picker.count, picker.walks.has('b3')]).toEqual([3, false]); // it would take 9 points, and 6 are left
    picker.gather(9);
    expect(picker.count).toBe(3);
  });

  it('only selects with `look`, even where it could walk', () => {
    picker.choose('a1');
    picker.choose('b3', true);
    expect(table.play).not.toHaveBeenCalled();
    expect(picker.selected).toBe('b3');
  });

  it('changes nothing when the same hex is chosen again', () => {
    picker.choose('a1');
    picker.arm('L');
    picker.choose('a1');
    expect([picker.selected, picker.armed]).toEqual(['a1', 'L']);
  });

  it('lets the member stand ready that was clicked', () => {
    picker.choose('a1', true, 'L');
    expect([picker.selected, picker.armed]).toEqual(['a1', 'L']);
    picker.choose('a1', true, 'W');
    expect([picker.selected, picker.armed]).toEqual(['a1', 'W']);
    picker.choose('b3', true, 'L'); // who can't walk is only looked at
    expect([picker.selected, picker.armed]).toEqual(['b3', 'W']);
  });

  it('shows where one can begin, until a hex is chosen', () => {
    expect([...picker.starts]).toEqual(['a1', 'b3']);
    picker.choose('b3');
    expect(picker.starts.size).toBe(0);
    expect(new Picker(tableWith(PLACE)).starts.size).toBe(0);
  });

  it('does not pick up again what the player has put down, until another hex is chosen', () => {
    picker.choose('a1');
    picker.escape();
    picker.settle();
    expect(picker.armed).toBeNull();
    picker.choose('b3');
    expect(picker.armed).toBe('W');
  });

  it('forgets the choice when the turn is over', () => {
    picker.choose('a1');
    (table as { offer: Offer | null }).offer = null;
    picker = new Picker(table);
    picker.settle();
    expect([picker.selected, picker.armed, picker.walks.size]).toEqual([null, null, 0]);
  });

  it('calls back before any action, so that playback can be skipped', () => {
    picker.onInput = vi.fn();
    picker.choose('a1');
    expect(picker.onInput).toHaveBeenCalled();
  });
});

describe('placing the tile', () => {
  it('lies on trial first, turns among the legal rotations, and is placed by its action', async () => {
    const table = tableWith(PLACE, ACT);
    const picker = new Picker(table);
    expect(picker.actionOn('b3')).toBe('A1@b3^0');
    picker.choose('b3');
    expect([picker.pinned, picker.ghost?.action, picker.actionOn('b3')]).toEqual(['b3', 'A1@b3^0', null]);
    picker.choose('b3');
    expect(picker.ghost?.action).toBe('A1@b3^2');
    picker.turn(1);
    expect(picker.ghost?.action).toBe('A1@b3^0');
    picker.choose('c5');
    expect(picker.pinned).toBeNull();
    expect(table.play).not.toHaveBeenCalled();
  });
});
