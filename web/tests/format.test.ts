/** Compiled messages read as in a complete implementation of ICU's format. */
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, test } from 'vitest';
import { catalogue, compile, flat, languages, values } from '../catalogues';
import { filled, type Values } from '../src/lib/format';

const NUMBERS = [0, 1, 2, 3, 5, 11, 21, 103, 1234, 0.375];

/** The codes that a message chooses by, and one that it does not know. */
const codesIn = (text: string): string[] => [...new Set([...text.matchAll(/(\w+) \{/g)].map(([, code]) => code!)), 'Ada'];

/** Values for a message: each number with each code. */
function samples(text: string): Values[] {
  const taken = Object.entries(values(text));
  return NUMBERS.flatMap((number) =>
    codesIn(text).map((code) => Object.fromEntries(taken.map(([name, kind]) => [name, kind === 'number' ? number : code]))),
  );
}

describe.each(languages())('every message in %s', (language) => {
  test('reads the same', () => {
    const different = Object.entries(flat(catalogue(language))).flatMap(([key, text]) => {
      const [message, whole] = [compile(text), new IntlMessageFormat(text, language)];
      const told = samples(text).map((sample) => [filled(message, sample, language), String(whole.format(sample))]);
      return told.filter(([ours, theirs]) => ours !== theirs).map((pair) => [key, ...pair]);
    });
    expect(different).toEqual([]);
  });
});

describe('a message', () => {
  const text = '{who, select, you {You} other {{who}}} {n, plural, =0 {pass} one {take # tile} other {take # {kind, select, A {tiles} other {camps}}}}';
  const told = (given: Values) => filled(compile(text), given, 'en');

  test('chooses an exact number, a plural and a code, one in the other', () => {
    expect(told({ who: 'you', n: 0, kind: 'A' })).toBe('You pass');
    expect(told({ who: 'Ada', n: 1, kind: 'A' })).toBe('Ada take 1 tile');
    expect(told({ who: 'Ada', n: 1200, kind: 'B' })).toBe('Ada take 1,200 camps');
  });
  test('without values is a text', () => expect(compile('It’s fine: ‘a’ '.trim())).toBe('It’s fine: ‘a’'));
  test('with an apostrophe for a brace', () => expect(filled(compile("'{'{n}'}'"), { n: 1 }, 'en')).toBe('{1}'));
  test.each(['<b>x</b>', '{d, date}', '{n, plural, offset:1 other {#}}', '{n, number, scientific}'])('that needs more than the client has is refused: %s', (given) =>
    expect(() => compile(given)).toThrow());
});
