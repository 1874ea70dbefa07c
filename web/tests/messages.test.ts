import { describe, expect, test } from 'vitest';
import { catalogue, faults, flat, keyTypes, languages, problems, pseudo, PSEUDO, unused } from '../catalogues';
import { has, language, listed, phrase, speak, t, word } from '../src/lib/messages.svelte';

test('every language is complete, and code uses every key', () => expect(problems()).toEqual([]));

describe('a catalogue that differs from the English one', () => {
  const who = '{member, select, L {the leader} other {a worker}}';
  const english = { table: { walk: 'Walk {name} for {ap, plural, one {# point} other {# points}}', title: 'Table', who } };
  const right = { walk: '{name} : {ap, plural, one {# point} other {# points}}', title: 'Table', who: '{member, select, L {le chef} other {un explorateur}}' };
  const broken = (change: Record<string, string>) => faults('fr', { table: { ...right, ...change } }, english);

  test('has no faults if keys and values agree', () => expect(broken({})).toEqual([]));
  test('lacks a key', () => expect(faults('fr', { table: { walk: right.walk, who: right.who } }, english)).toEqual(['fr: table.title is missing']));
  test('chooses by other codes', () =>
    expect(broken({ who: '{member, select, C {le chef} other {un explorateur}}' })).toEqual([
      'fr: table.who chooses by member (C, other), but in en by member (L, other)',
    ]));
  test('has a key too many', () => expect(broken({ more: 'x' })).toEqual(['fr: table.more does not exist in en']));
  test('takes other values', () =>
    expect(broken({ walk: 'Marche' })).toEqual(['fr: table.walk takes {}, but in en it takes {ap, name}']));
  test('does not parse', () => expect(broken({ title: '{ap, plural}' })[0]).toMatch(/^fr: table\.title does not parse/));
});

test('a key is used by its name or by a template that can make it', () => {
  const texts = { ui: { theme_dark: '', theme_light: '', other: '', direct: '' } };
  expect(unused(texts, ['t(`ui.theme_${theme}`)', "t('ui.direct')"])).toEqual(['ui.other']);
});

test('types of keys name the values', () =>
  expect(keyTypes({ a: { b: '{n, plural, other {# {who}}}', c: 'x' } })).toContain("'a.b': { n: number; who: string | number };"));

describe('the pseudo-language', () => {
  test('keeps values, plurals and tags, and marks both ends', () => {
    expect(pseudo('Hi {name}: {n, plural, one {# cat} other {# cats}} <b>now</b>')).toMatch(
      /^\[Hí \{name\}: \{n, plural, one \{# çát\} other \{# çátš\}\} <b>ñôw<\/b>·+\]$/,
    );
  });
  test('parses, with the same values as English', () => expect(faults(PSEUDO, catalogue(PSEUDO), catalogue('en'))).toEqual([]));
  test('is not offered as a language', () => expect(languages()).not.toContain(PSEUDO));
});

test('another language replaces texts and words, and words follow its plural rules', async () => {
  expect([language(), word('temple', 0)]).toEqual(['en', 'temples']);
  await speak('fr');
  const french = flat(catalogue('fr'));
  expect([language(), t('table.title'), word('temple', 0)]).toEqual(['fr', french['table.title'], 'temple']);
  await speak('en');
});

describe('what goes into a sentence follows the language', () => {
  const three = ['Ann', 'Bo', 'Cy'];
  const spoken = async (code: string, told: () => unknown): Promise<unknown> => {
    await speak(code);
    const found = told();
    await speak('en');
    return found;
  };

  test.each([
    ['en', 'Ann, Bo, Cy', 'Ann, Bo, and Cy'],
    ['fr', 'Ann, Bo, Cy', 'Ann, Bo et Cy'],
    ['zh', 'Ann、Bo、Cy', 'Ann、Bo和Cy'],
  ])('lists in %s', async (code, plain, sentence) =>
    expect(await spoken(code, () => [listed(three), listed(three, 'and')])).toEqual([plain, sentence]));

  test.each([
    ['en', 'a mask', 'the adventurer'],
    ['de', 'eine Maske', 'der Abenteurer'],
    ['fr', 'un masque', 'l’aventurier'],
    ['it', 'una maschera', 'l’avventuriero'],
    ['zh', '一副面具', '冒险家'],
    ['qps', 'a mask', 'the adventurer'],
  ])('articles in %s', async (code, object, subject) =>
    expect(await spoken(code, () => [phrase('a', 'treasure.1'), phrase('the', 'bot.adventurer')])).toEqual([object, subject]));
});

test('a key that was made at run time may have no text', () => expect([has('table.title'), has('table.nonsense')]).toEqual([true, false]));
