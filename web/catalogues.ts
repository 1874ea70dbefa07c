/**
 * The catalogues of texts: `src/messages/LANGUAGE/AREA.json`, one message per key, in ICU's message format.
 *
 * A language is a folder; nothing else names it, except its own name in the glossary. This module reads the folders,
 * finds what is wrong with them, and derives the types of the keys from the English texts. The build, the type check
 * and the tests all use it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';

/** A text, or the parsed parts of a message that takes values. */
export type Message = string | MessageFormatElement[];
/** Area to key to text. */
export type Catalogue = Record<string, Record<string, string>>;

export const SOURCE = fileURLToPath(new URL('src', import.meta.url));
const MESSAGES = `${SOURCE}/messages`;

/** The language that all others are compared with. */
export const REFERENCE = 'en';

/** A language made from the English texts that makes truncated, concatenated and untranslated texts visible. */
export const PSEUDO = 'qps';

/** Areas that load together with the page that needs them (`needs('lessons')`), not with every page. */
export const ON_DEMAND: readonly string[] = ['lessons', 'rules', 'coach', 'cards', 'keys', 'games', 'reason'];

/** Areas that Python alone uses: the game in the terminal, and what the server says. They are checked here, too. */
export const FOR_PYTHON: readonly string[] = ['terminal', 'server'];

/** The areas of the client. */
const ofClient = (texts: Catalogue): string[] => Object.keys(texts).filter((area) => !FOR_PYTHON.includes(area));

/** The areas that load with every page. */
export const always = (texts: Catalogue): string[] => ofClient(texts).filter((area) => !ON_DEMAND.includes(area));

/** The languages that have a folder, English first. */
export function languages(): string[] {
  const found = readdirSync(MESSAGES).sort();
  return [REFERENCE, ...found.filter((name) => name !== REFERENCE)];
}

/** All texts of a language, by area and key. */
export function catalogue(language: string): Catalogue {
  if (language === PSEUDO) return pseudoCatalogue(catalogue(REFERENCE));
  const folder = `${MESSAGES}/${language}`;
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const area = (name: string) => [name.slice(0, -'.json'.length), JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'))];
  return Object.fromEntries(files.sort().map(area));
}

/** The texts of some areas under the keys that `t` takes: `AREA.key`. */
export function flat(texts: Catalogue, areas = Object.keys(texts)): Record<string, string> {
  const entries = areas.flatMap((area) => Object.entries(texts[area] ?? {}).map(([key, text]) => [`${area}.${key}`, text]));
  return Object.fromEntries(entries);
}

/** The texts of some areas, parsed: pages need no parser. A message that takes no values stays a text. */
export function parsed(texts: Catalogue, areas = Object.keys(texts)): Record<string, Message> {
  return Object.fromEntries(Object.entries(flat(texts, areas)).map(([key, text]) => [key, message(text)]));
}

function message(text: string): Message {
  const parts = parse(text);
  const [first] = parts;
  return parts.length === 1 && first?.type === TYPE.literal ? first.value : parts;
}

/** The values that a message takes: name to `number` where it counts or chooses by number, else `text`. */
export function values(text: string): Record<string, 'number' | 'text'> {
  const found: Record<string, 'number' | 'text'> = {};
  for (const element of within(parse(text))) {
    if (element.type === TYPE.literal || element.type === TYPE.pound || element.type === TYPE.tag) continue;
    const counts = element.type === TYPE.plural || element.type === TYPE.number;
    found[element.value] = counts ? 'number' : (found[element.value] ?? 'text');
  }
  return found;
}

/** What is wrong with a language, compared with English: one sentence for each problem. */
export function faults(language: string, texts: Catalogue, english: Catalogue): string[] {
  const [here, reference] = [flat(texts), flat(english)];
  const found: string[] = [];
  for (const key of Object.keys(reference)) if (!(key in here)) found.push(`${language}: ${key} is missing`);
  for (const [key, text] of Object.entries(here)) {
    if (!(key in reference)) {
      found.push(`${language}: ${key} does not exist in ${REFERENCE}`);
      continue;
    }
    try {
      const [own, wanted] = [names(text), names(reference[key]!)];
      if (own !== wanted) found.push(`${language}: ${key} takes {${own}}, but in ${REFERENCE} it takes {${wanted}}`);
      const [here, there] = [codes(text), codes(reference[key]!)];
      if (here !== there && !key.startsWith(GRAMMAR)) found.push(`${language}: ${key} chooses by ${here}, but in ${REFERENCE} by ${there}`);
    } catch (error) {
      found.push(`${language}: ${key} does not parse: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return found;
}

const names = (text: string): string => Object.keys(values(text)).sort().join(', ');

/** Articles, which choose by the classes of nouns; each language has its own. */
const GRAMMAR = 'words.';

/** Which codes a message chooses by: `member (L, other)`. */
function codes(text: string): string {
  const found: Record<string, Set<string>> = {};
  for (const element of within(parse(text)))
    if (element.type === TYPE.select) for (const code of Object.keys(element.options)) (found[element.value] ??= new Set()).add(code);
  const told = Object.entries(found).map(([name, chosen]) => `${name} (${[...chosen].sort().join(', ')})`);
  return told.sort().join(', ') || 'nothing';
}

/** All parts of a message, including nested ones. */
function* within(elements: readonly MessageFormatElement[]): Generator<MessageFormatElement> {
  for (const element of elements) {
    yield element;
    if (element.type === TYPE.tag) yield* within(element.children);
    if (element.type === TYPE.plural || element.type === TYPE.select) for (const option of Object.values(element.options)) yield* within(option.value);
  }
}

/** The keys that no source file uses. A template such as `ui.theme_${theme}` uses every key that it can make. */
export function unused(texts: Catalogue, sources: readonly string[]): string[] {
  const literals = new Set<string>();
  const patterns: RegExp[] = [];
  for (const source of sources) {
    for (const [, key] of source.matchAll(/['"]([a-z_]+\.[\w.-]+)['"]/g)) literals.add(key!);
    for (const [, template] of source.matchAll(/`([a-z_]+\.[^`]*\$\{[^`]*)`/g)) {
      const parts = template!.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      patterns.push(new RegExp(`^${parts.join('.+')}$`));
    }
  }
  const keys = Object.keys(flat(texts, ofClient(texts)));
  return keys.filter((key) => !literals.has(key) && !patterns.some((pattern) => pattern.test(key)));
}

/** The text of every file of the client that may use a key. */
export function sources(): string[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  const code = files.filter((name) => /\.(ts|svelte)$/.test(name) && !name.endsWith('.d.ts'));
  return code.map((name) => readFileSync(`${SOURCE}/${name}`, 'utf8'));
}

/** Everything that is wrong with the catalogues. */
export function problems(): string[] {
  const english = catalogue(REFERENCE);
  const differences = languages().flatMap((language) => faults(language, catalogue(language), english));
  return [...differences, ...unused(english, sources()).map((key) => `${REFERENCE}: no code uses ${key}`)];
}

/** A declaration of all keys with the values that each takes, for TypeScript. */
export function keyTypes(texts: Catalogue): string {
  const line = ([key, text]: [string, string]) => {
    const fields = Object.entries(values(text)).map(([name, kind]) => `${name}: ${kind === 'number' ? 'number' : 'string | number'}`);
    return `  '${key}': ${fields.length ? `{ ${fields.join('; ')} }` : 'Record<never, never>'};`;
  };
  const body = Object.entries(flat(texts, ofClient(texts))).map(line).join('\n');
  return `// Made from src/messages/${REFERENCE} by catalogues.ts; don't edit.\nexport interface Messages {\n${body}\n}\n`;
}

const ACCENTED: Record<string, string> = { a: 'á', c: 'ç', e: 'é', i: 'í', n: 'ñ', o: 'ô', s: 'š', u: 'ü', y: 'ý', z: 'ž' };

/** A text as the pseudo-language has it: accented, a third longer, and in brackets that show where it ends. */
export function pseudo(text: string): string {
  const copy = (elements: MessageFormatElement[]): string => elements.map(print).join('');
  const print = (element: MessageFormatElement): string => {
    switch (element.type) {
      case TYPE.literal:
        return accent(element.value);
      case TYPE.pound:
        return '#';
      case TYPE.plural:
      case TYPE.select: {
        const kind = element.type === TYPE.select ? 'select' : element.pluralType === 'ordinal' ? 'selectordinal' : 'plural';
        const options = Object.entries(element.options).map(([name, option]) => `${name} {${copy(option.value)}}`);
        return `{${element.value}, ${kind}, ${options.join(' ')}}`;
      }
      case TYPE.tag:
        return `<${element.value}>${copy(element.children)}</${element.value}>`;
      case TYPE.number:
        return `{${element.value}, number}`;
      case TYPE.date:
        return `{${element.value}, date}`;
      case TYPE.time:
        return `{${element.value}, time}`;
      default:
        return `{${element.value}}`;
    }
  };
  const elements = parse(text);
  return `[${copy(elements)}${'·'.repeat(Math.ceil(shown(elements) / 3))}]`;
}

/** How many characters of a message are shown at most: of its branches only one is. Values count as three. */
function shown(elements: readonly MessageFormatElement[]): number {
  const lengths = elements.map((element) => {
    if (element.type === TYPE.literal) return element.value.length;
    if (element.type === TYPE.tag) return shown(element.children);
    if (element.type === TYPE.plural || element.type === TYPE.select) return Math.max(...Object.values(element.options).map(({ value }) => shown(value)));
    return 3;
  });
  return lengths.reduce((sum, length) => sum + length, 0);
}

const accent = (text: string): string =>
  text.replace(/['{}<>]/g, (sign) => (sign === "'" ? '’' : `'${sign}'`)).replace(/[aceinosuyz]/g, (letter) => ACCENTED[letter]!);

function pseudoCatalogue(english: Catalogue): Catalogue {
  const changed = (texts: Record<string, string>) => Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, pseudo(text)]));
  // A noun with its article is a value within a sentence: it gets no brackets of its own.
  const all = Object.fromEntries(Object.entries(english).map(([area, texts]) => [area, area === 'words' ? texts : changed(texts)]));
  // The opponent's name in a lesson goes to the server, which refuses brackets in names.
  return { ...all, lessons: { ...all.lessons, blue: accent(english.lessons?.blue ?? '') } };
}
