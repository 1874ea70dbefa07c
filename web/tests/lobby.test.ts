import { describe, expect, test } from 'vitest';
import { blocked, choose, sane, value, VARIANTS } from '../src/lobby/options';
import { complete, partOf, readDraft, requestFor } from '../src/lobby/draft';
import { USUAL_LEVEL } from '../src/lib/data';
import { Refused } from '../src/lib/server';
import { fault, kindsFor, moved, readSeat, readSeats, seatWord, wanted } from '../src/lobby/seats';

const plain = { edition: 'super-meeple' };

describe('options', () => {
  test('there are six variants', () => {
    expect(VARIANTS).toEqual(['instant_scoring', 'boulders', 'obstacles', 'machine_gun', 'sudden_death', 'leaps']);
  });

  test('sudden death and leaps need the auction', () => {
    expect(blocked(plain, 'sudden_death')).toEqual({ why: 'needs', other: 'auction' });
    expect(blocked(plain, 'leaps')).toEqual({ why: 'needs', other: 'auction' });
    expect(blocked({ ...plain, auction: 'true' }, 'leaps')).toBeNull();
  });

  test('leaps go neither with sudden death nor with instant scoring, in either order', () => {
    const auction = { ...plain, auction: 'true' };
    expect(blocked({ ...auction, sudden_death: 'true' }, 'leaps')).toEqual({ why: 'excludes', other: 'sudden_death' });
    expect(blocked({ ...auction, leaps: 'true' }, 'sudden_death')).toEqual({ why: 'excludes', other: 'leaps' });
    expect(blocked({ ...auction, leaps: 'true' }, 'instant_scoring')).toEqual({ why: 'excludes', other: 'leaps' });
    expect(blocked({ ...auction, sudden_death: 'true' }, 'instant_scoring')).toBeNull();
  });

  test('the option for several volcanoes appears only with sudden death', () => {
    expect(blocked({ ...plain, auction: 'true' }, 'double_volcano')).toEqual({ why: 'refines', other: 'sudden_death' });
    expect(blocked({ ...plain, auction: 'true', sudden_death: 'true' }, 'double_volcano')).toBeNull();
  });

  test('without the auction, options that need it are dropped, with their refinements', () => {
    const chosen = { ...plain, auction: 'true', sudden_death: 'true', double_volcano: 'redraw', boulders: '3d6' };
    expect(choose(chosen, 'auction', 'false')).toEqual({ ...plain, boulders: '3d6' });
  });

  test('an edition sets its single options', () => {
    const chosen = choose({ ...plain, tie_break: 'shared', obstacles: 'true' }, 'edition', 'classic');
    expect(chosen).toEqual({ edition: 'classic', obstacles: 'true' });
    expect(value(chosen, 'volcano_may_seal')).toBe('false');
  });

  test('options with the edition’s value are not mentioned', () => {
    expect(choose({ ...plain, camp_needs_member: 'false' }, 'camp_needs_member', 'true')).toEqual(plain);
    const rio = { edition: 'rio-grande' };
    expect(choose(rio, 'camp_needs_member', 'true')).toEqual({ ...rio, camp_needs_member: 'true' });
  });

  test('remembered choices can be sent', () => {
    expect(sane({ edition: 'gone', auction: 'true', boulders: '9d9', leaps: 'true', sudden_death: 'true', x: 1 })).toEqual({
      ...plain,
      auction: 'true',
      sudden_death: 'true',
    });
  });
});

describe('seats', () => {
  test.each(['me', 'open', 'bot:digger', 'person:Ann: the first'])('%s is read as it was written', (word) => {
    expect(seatWord(readSeat(word)!)).toBe(word);
  });

  test('no other bots, no other words', () => {
    expect(readSeat('bot:program')).toBeNull();
    expect(readSeat('nobody')).toBeNull();
  });

  test('seats that were kept, or the usual ones', () => {
    expect(readSeats(['open', 'me', 'bot:tourist']).map(seatWord)).toEqual(['open', 'me', 'bot:tourist']);
    for (const kept of [undefined, 'me', ['me'], ['me', 'me'], ['nobody', 'me']])
      expect(readSeats(kept).map(seatWord)).toEqual(['me', `bot:${USUAL_LEVEL}`]);
  });

  test('moving stays within the list', () => {
    expect(moved([1, 2, 3], 1, -1)).toEqual([2, 1, 3]);
    expect(moved([1, 2, 3], 2, 1)).toEqual([1, 2, 3]);
  });

  test('one sits there once', () => {
    const seats = [wanted('me'), wanted('open')];
    expect(kindsFor(seats, 0)).toContain('me');
    expect(kindsFor(seats, 1)).not.toContain('me');
  });

  test('people at this screen have their own names', () => {
    const seats = [wanted('person', { name: 'Ann' }), wanted('person', { name: ' ann' }), wanted('person'), wanted('bot')];
    expect([0, 1, 2, 3].map((at) => fault(seats, at))).toEqual([
      'newtable.name_twice',
      'newtable.name_twice',
      'newtable.name_missing',
      null,
    ]);
  });
});

describe('a draft', () => {
  test('is kept for the next time, without the word for the shuffle', () => {
    const first = readDraft({ seats: ['me', 'open'], options: { auction: 'true' }, public: false, hints: true });
    first.nonce = 'ann';
    const again = readDraft(JSON.parse(JSON.stringify(requestFor(first))));
    expect(requestFor(again)).toEqual({ ...requestFor(first), nonce: null });
  });

  test('allows hints by itself only against bots', () => {
    const hints = (seats: string[], kept?: boolean) => requestFor(readDraft({ seats, hints: kept })).hints;
    expect([hints(['me', 'bot:digger']), hints(['me', 'open']), hints(['me', 'bot:digger'], false), hints(['me', 'open'], true)]).toEqual([true, false, false, true]);
  });

  test('is the usual table where nothing was kept', () => {
    expect(requestFor(readDraft({ clock: { kind: 'sand' }, options: 7, substitute: 'nobody' }))).toEqual({
      options: { edition: 'super-meeple' },
      seats: ['me', `bot:${USUAL_LEVEL}`],
      public: true,
      seating: 'chosen',
      hints: true, // everybody else is a bot
      substitute: USUAL_LEVEL,
      patience_h: 24,
      clock: null,
      nonce: null,
    });
  });

  test.each([
    { kind: 'live', bank_s: 600, increment_s: 20, timeout: 'seat' },
    { kind: 'daily', days: 3, timeout: 'turn' },
  ])('keeps its clock', (clock) => expect(readDraft({ clock }).clock).toEqual(clock));

  test('can start at once when no player is missing', () => {
    expect(complete(readDraft({ seats: ['me', 'bot:digger'] }))).toBe(true);
    expect(complete(readDraft({ seats: ['me', 'open'] }))).toBe(false);
  });

  test.each([
    ['nonce', 'nonce'],
    ['options', 'options'],
    ['seats', 'seats'],
    ['clock', 'clock'],
    ['patience_h', 'clock'],
    ['substitute', 'form'],
    [null, 'form'],
  ])('a refusal about %s is shown at %s', (field, part) => expect(partOf(new Refused('option', '', 422, field))).toBe(part));
});
