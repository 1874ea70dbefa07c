/**
 * Texts by key. Every sentence of the client is in `src/messages/LANGUAGE/AREA.json` under `AREA.key`, in ICU's message
 * format. The game's own words come from the glossary: `word('temple', 2)`.
 *
 * A language is a folder of messages. Only the chosen one is loaded, before the first page is shown.
 */
import { IntlMessageFormat } from 'intl-messageformat';
import { areas, names, speech as loaders, type Area, type Texts, type Words } from 'virtual:tikal/languages';
import type { Messages } from './keys';

export type Key = keyof Messages;
export type Language = string;

/** The languages by code, each under its own name. */
export const LANGUAGES: Readonly<Record<Language, string>> = names;

class Speech {
  language = $state<Language>('');
  texts = $state.raw<Texts>({});
  words = $state.raw<Words>({});
}

const speech = new Speech();
const formats = new Map<string, IntlMessageFormat>();
const needed = new Set<Area>();
let plurals = new Intl.PluralRules('en');

/** Whether a language has texts. The pseudo-language counts, though no list shows it. */
export const canSpeak = (language: Language): boolean => language in loaders;

/** Loads a language and switches to it. */
export async function speak(language: Language): Promise<void> {
  const load = loaders[language] ?? loaders.en!;
  const [{ texts, words }, ...more] = await Promise.all([load(), ...[...needed].map((area) => loadArea(area, language))]);
  formats.clear();
  plurals = new Intl.PluralRules(locale(language));
  Object.assign(speech, { language, texts: Object.assign({}, texts, ...more), words });
}

/** Loads an area of texts that only some pages need: `await needs('lessons')`. */
export async function needs(area: Area): Promise<void> {
  if (needed.has(area)) return;
  const texts = await loadArea(area, speech.language);
  needed.add(area);
  speech.texts = { ...speech.texts, ...texts };
}

function loadArea(area: Area, language: Language): Promise<Texts> {
  return (areas[area][language] ?? areas[area].en!)();
}

/** The pseudo-language formats numbers and dates as English does. */
const locale = (language: Language): string => (language in LANGUAGES ? language : 'en');

/** The locale for `Intl`: `new Intl.NumberFormat(language())`. */
export function language(): Language {
  return locale(speech.language);
}

/**
 * Parts as a list, as the language writes it: `and` for names in a sentence, `plain` for facts beside each other. (Not
 * ListFormat's type `unit`: that is for "5 feet 3 inches", and Chinese puts nothing between the parts.)
 */
export function listed(parts: readonly string[], kind: 'and' | 'plain' = 'plain'): string {
  return new Intl.ListFormat(language(), { style: kind === 'and' ? 'long' : 'narrow' }).format(parts);
}

/** A day and a time: "17 Nov 2026, 20:15". */
export function dated(time: Date): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(time);
}

/** The text of a key, filled in with values. */
export function t<K extends Key>(key: K, ...[values]: Arguments<K>): string {
  const message = speech.texts[key] ?? key;
  if (typeof message === 'string') return message;
  let format = formats.get(key);
  if (!format) {
    format = new IntlMessageFormat(message, language());
    formats.set(key, format);
  }
  return String(format.format(values as Record<string, string | number>));
}

type Arguments<K extends Key> = keyof Messages[K] extends never ? [values?: Record<string, string | number>] : [values: Messages[K]];

/** The text of a key that is built from data, such as the name of an option. Tests check that it exists. */
export function textOf(key: string, values: Readonly<Record<string, string | number>> = {}): string {
  return has(key) ? (t as (key: Key, values: object) => string)(key, values) : key;
}

/** Whether there is a text for a key that is built at run time, such as the code of a problem. */
export function has(key: string): key is Key {
  return key in speech.texts;
}

/** A noun of the game with its article, as sentences need it: `a` as an object, `the` as a subject. */
export function phrase(form: 'a' | 'the', key: string): string {
  return t(`words.${form}`, { word: word(key), kind: speech.words[key]?.[2] ?? '' });
}

/** A word of the game, from the glossary, in the form that goes with a count. */
export function word(key: string, count = 1): string {
  const forms = speech.words[key];
  if (!forms) return key;
  return forms[plurals.select(count) === 'one' ? 0 : 1];
}
