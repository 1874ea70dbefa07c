/** The options of a new game: the defaults of an edition, which options go together, and what to send. */
import { EDITIONS, OPTIONS } from '../lib/data';
import { t, textOf, word } from '../lib/messages.svelte';

/** Options by name, in the notation's form. An option that is missing has its default. */
export type Choices = Readonly<Record<string, string>>;

export const DEFAULT_EDITION = String(OPTIONS.edition!.values[0]);
export const VARIANTS = names((row) => row.variant);
/** Options that editions set, and the one that no edition sets. */
export const SINGLE = names((row, name) => row.edition || name === 'leader_may_guard');

function names(wanted: (row: (typeof OPTIONS)[string], name: string) => unknown): readonly string[] {
  return Object.keys(OPTIONS).filter((name) => wanted(OPTIONS[name]!, name));
}

/** The values of an option as text, the default first. */
export function valuesOf(name: string): string[] {
  return OPTIONS[name]!.values.map(String);
}

/** The default value of an option. */
export function plain(name: string, edition: string): string {
  return String(EDITIONS[edition]?.[name] ?? OPTIONS[name]!.values[0]);
}

/** The value of an option. */
export function value(choices: Choices, name: string): string {
  return choices[name] ?? plain(name, choices.edition ?? DEFAULT_EDITION);
}

export function isOn(choices: Choices, name: string): boolean {
  return value(choices, name) !== 'false';
}

/** Why an option can't be chosen now. */
export interface Blocked {
  why: 'needs' | 'excludes' | 'refines';
  other: string;
}

/** Why an option can't be chosen, or null. The server decides; this only says so earlier. */
export function blocked(choices: Choices, name: string): Blocked | null {
  const row = OPTIONS[name]!;
  if (row.needs && !isOn(choices, row.needs)) return { why: 'needs', other: row.needs };
  if (row.refines && !isOn(choices, row.refines)) return { why: 'refines', other: row.refines };
  const rivals = names((other, key) => row.excludes?.includes(key) || other.excludes?.includes(name));
  const other = rivals.find((key) => isOn(choices, key));
  return other ? { why: 'excludes', other } : null;
}

/** The choices with one more. Choices that don't go with it are dropped. */
export function choose(choices: Choices, name: string, wanted: string): Choices {
  let next: Choices = { ...choices, [name]: wanted };
  if (name === 'edition') next = without(next, SINGLE);
  if (next[name] === plain(name, next.edition ?? DEFAULT_EDITION) && name !== 'edition') next = without(next, [name]);
  for (;;) {
    const wrong = Object.keys(next).find((key) => key !== name && key !== 'edition' && blocked(next, key));
    if (!wrong) return next;
    next = without(next, [wrong]);
  }
}

function without(choices: Choices, gone: readonly string[]): Choices {
  return Object.fromEntries(Object.entries(choices).filter(([name]) => !gone.includes(name)));
}

/** Choices that can be sent: without unknown names and values, and without options that don't go together. */
export function sane(kept: Record<string, unknown>): Choices {
  let choices: Choices = { edition: DEFAULT_EDITION };
  for (const name of Object.keys(OPTIONS)) {
    const wanted = String(kept[name]);
    if (name === 'players' || !(name in kept) || !valuesOf(name).includes(wanted)) continue;
    if (!blocked(choices, name)) choices = choose(choices, name, wanted);
  }
  return choices;
}

/** A value in words: yes and no, or its name. */
export function valueWord(name: string, text: string): string {
  if (text === 'true') return word('yes');
  return text === 'false' ? word('no') : word(`${name}.${text}`);
}

/** A sentence that says what a value of an option means. */
export function meaning(name: string, text: string): string {
  return textOf(`options.${name}.${text}`);
}

/** The rules of a table in words: the edition first, then each thing that differs from the plain game. */
export function inWords(options: Choices): { name: string; title: string; text: string }[] {
  const edition = options.edition ?? DEFAULT_EDITION;
  const found = [{ name: 'edition', title: word(`edition.${edition}`), text: textOf(`options.edition.${edition}`) }];
  for (const name of Object.keys(OPTIONS)) {
    if (name === 'players' || name === 'edition' || !(name in options)) continue;
    const text = options[name]!;
    const title = text === 'true' ? word(`option.${name}`) : t('seats.with', { what: word(`option.${name}`), value: valueWord(name, text) });
    found.push({ name, title, text: meaning(name, text) });
  }
  return found;
}

/** The same for a line in a list: only what is unusual. */
export function brief(options: Choices): string[] {
  const edition = options.edition ?? DEFAULT_EDITION;
  const special = ['auction', ...VARIANTS].filter((name) => isOn(options, name)).map((name) => word(`option.${name}`));
  return edition === DEFAULT_EDITION ? special : [word(`edition.${edition}`), ...special];
}
