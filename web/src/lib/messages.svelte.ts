/**
 * Texts by key. Every sentence of the client stands in `src/messages/LANGUAGE/AREA.json` under `AREA.key`, in ICU's
 * message format; the game's own words come from the glossary (`word('temple', 2)`).
 */
import { IntlMessageFormat } from 'intl-messageformat';
import enWords from 'virtual:tikal/words/en';

export type Language = 'en' | 'fr';
export const LANGUAGES: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' };
type Values = Record<string, string | number>;
type Words = Record<string, [string, string]>;

const english = flatten(import.meta.glob<Record<string, string>>('../messages/en/*.json', { eager: true, import: 'default' }));
const LOADERS: Record<Exclude<Language, 'en'>, () => Promise<{ texts: Record<string, string>; words: Words }>> = {
  fr: async () => ({
    texts: flatten(await all(import.meta.glob<Record<string, string>>('../messages/fr/*.json', { import: 'default' }))),
    words: (await import('virtual:tikal/words/fr')).default,
  }),
};

class Speech {
  language = $state<Language>('en');
  texts = $state.raw(english);
  words = $state.raw<Words>(enWords);
}

const speech = new Speech();
const made = new Map<string, IntlMessageFormat>();

function flatten(files: Record<string, Record<string, string>>): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [path, messages] of Object.entries(files)) {
    const area = path.slice(path.lastIndexOf('/') + 1, -'.json'.length);
    for (const [key, text] of Object.entries(messages)) texts[`${area}.${key}`] = text;
  }
  return texts;
}

async function all<T>(loaders: Record<string, () => Promise<T>>): Promise<Record<string, T>> {
  return Object.fromEntries(await Promise.all(Object.entries(loaders).map(async ([path, load]) => [path, await load()])));
}

export async function speak(language: Language): Promise<void> {
  const { texts, words } = language === 'en' ? { texts: english, words: enWords } : await LOADERS[language]();
  made.clear();
  Object.assign(speech, { language, texts, words });
  document.documentElement.lang = language;
}

export function language(): Language {
  return speech.language;
}

/** The text of a key, with its values put in. A key that is missing shows itself. */
export function t(key: string, values: Values = {}): string {
  const text = speech.texts[key] ?? english[key];
  if (text === undefined) return key;
  let format = made.get(key);
  if (!format) {
    format = new IntlMessageFormat(text, speech.language);
    made.set(key, format);
  }
  return String(format.format(values));
}

/** Whether there is a text for a key. */
export function has(key: string): boolean {
  return key in speech.texts || key in english;
}

/** A word of the game, from the glossary: for one of it, or for so many. */
export function word(key: string, count = 1): string {
  const pair = speech.words[key] ?? enWords[key];
  if (!pair) return key;
  const one = speech.language === 'fr' ? count < 2 : count === 1;
  return pair[one ? 0 : 1];
}
