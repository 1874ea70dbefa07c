import { describe, expect, test } from 'vitest';
import { blocked, choose, sane, value, VARIANTS } from '../src/lobby/options';
import { complete, partOf, readDraft, wish } from '../src/lobby/draft';
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

  test('what to do with several volcanoes is asked in sudden death only', () => {
    expect(blocked({ ...plain, auction: 'true' }, 'double_volcano')).toEqual({ why: 'refines', other: 'sudden_death' });
    expect(blocked({ ...plain, auction: 'true', sudden_death: 'true' }, 'double_volcano')).toBeNull();
  });

  test('without the auction all goes that needs it, and what refines that', () => {
    const chosen = { ...plain, auction: 'true', sudden_death: 'true', double_volcano: 'redraw', boulders: '3d6' };
    expect(choose(chosen, 'auction', 'false')).toEqual({ ...plain, boulders: '3d6' });
  });

  test('an edition brings its own single options', () => {
    const chosen = choose({ ...plain, tie_break: 'shared', obstacles: 'true' }, 'edition', 'classic');
    expect(chosen).toEqual({ edition: 'classic', obstacles: 'true' });
    expect(value(chosen, 'volcano_may_seal')).toBe('false');
  });

  test('what is as the edition has it is not said', () => {
    expect(choose({ ...plain, camp_needs_member: 'false' }, 'camp_needs_member', 'true')).toEqual(plain);
    const rio = { edition: 'rio-grande' };
    expect(choose(rio, 'camp_needs_member', 'true')).toEqual({ ...rio, camp_needs_member: 'true' });
  });

  test('what was kept from another time can be sent', () => {
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
      expect(readSeats(kept).map(seatWord)).toEqual(['me', 'bot:surveyor']);
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

  test('people at this screen have names of their own', () => {
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
    const again = readDraft(JSON.parse(JSON.stringify(wish(first))));
    expect(wish(again)).toEqual({ ...wish(first), nonce: null });
  });

  test('is the usual table where nothing was kept', () => {
    expect(wish(readDraft({ clock: { kind: 'sand' }, options: 7, substitute: 'nobody' }))).toEqual({
      options: { edition: 'super-meeple' },
      seats: ['me', 'bot:surveyor'],
      public: true,
      seating: 'chosen',
      hints: false,
      substitute: 'surveyor',
      clock: null,
      nonce: null,
    });
  });

  test.each([
    { kind: 'live', bank_s: 600, increment_s: 20, timeout: 'seat' },
    { kind: 'daily', days: 3, timeout: 'turn' },
  ])('keeps its clock', (clock) => expect(readDraft({ clock }).clock).toEqual(clock));

  test('can begin at once when nobody is waited for', () => {
    expect(complete(readDraft({ seats: ['me', 'bot:digger'] }))).toBe(true);
    expect(complete(readDraft({ seats: ['me', 'open'] }))).toBe(false);
  });

  test.each([
    ['option', 'nonce: must be 1 to 200 printable ASCII characters', 'nonce'],
    ['option', 'leaps needs auction=true', 'options'],
    ['option', 'bot: must be one of tourist, digger', 'seats'],
    ['seat', 'seat 2: must be me, open, bot:LEVEL or person:NAME', 'seats'],
    ['name', 'name: must be 1 to 24 letters', 'seats'],
    ['malformed', 'clock.live.bank_s: Input should be less', 'clock'],
    ['limit', 'you may have 50 tables', 'form'],
  ])('a refusal %s (%s) is shown at %s', (code, text, part) => expect(partOf(new Refused(code, text))).toBe(part));
});
