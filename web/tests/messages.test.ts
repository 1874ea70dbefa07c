import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { describe, expect, test } from 'vitest';

type Files = Record<string, Record<string, string>>;
const files = import.meta.glob<Record<string, string>>('../src/messages/*/*.json', { eager: true, import: 'default' });

function of(language: string): Files {
  const found = Object.entries(files).filter(([path]) => path.includes(`/messages/${language}/`));
  return Object.fromEntries(found.map(([path, texts]) => [path.split('/').at(-1)!, texts]));
}

/** The names of the values that a message takes. */
function values(elements: MessageFormatElement[], found = new Set<string>()): Set<string> {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    found.add(element.value);
    if (element.type === TYPE.select || element.type === TYPE.plural)
      for (const option of Object.values(element.options)) values(option.value, found);
  }
  return found;
}

const [english, french] = [of('en'), of('fr')];

test('there are messages', () => expect(Object.keys(english)).toContain('common.json'));

test('both languages have the same files', () => expect(Object.keys(french).sort()).toEqual(Object.keys(english).sort()));

describe.each(Object.keys(english))('%s', (file) => {
  const [en, fr] = [english[file] ?? {}, french[file] ?? {}];
  test('has the same keys in both languages', () => expect(Object.keys(fr).sort()).toEqual(Object.keys(en).sort()));
  test('takes the same values in both languages', () => {
    for (const [key, text] of Object.entries(en))
      expect([key, [...values(parse(fr[key] ?? ''))].sort()]).toEqual([key, [...values(parse(text))].sort()]);
  });
});
