/**
 * Gives the client the game's tables and its texts, read at build time, so that no tile, option or word is defined in
 * two places:
 *
 * - `virtual:tikal/data`: tiles, boards, options, editions and levels, from the files that the rules and bots read;
 * - `virtual:tikal/rules`: how to load the pages of `docs/rules` in each language, for the rules in the app;
 * - `virtual:tikal/languages`: the languages by their own names, and how to load the texts of each;
 * - `virtual:tikal/speech/LANGUAGE` and `virtual:tikal/area/LANGUAGE/AREA`: the texts and the glossary's words. Only
 *   the chosen language is loaded, and areas on demand only when a page needs them.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';
import type { Plugin } from 'vite';
import { rulesPages } from './rules-pages.ts';
import { always, catalogue, languages, ON_DEMAND, parsed, problems, PSEUDO, REFERENCE } from './catalogues.ts';

const GAME = new URL('../src/tikal/', import.meta.url);
const PREFIX = 'virtual:tikal/';
type Forms = string | [string, string];

function table(path: string): Record<string, unknown> {
  return parse(readFileSync(fileURLToPath(new URL(path, GAME)), 'utf8'));
}

function data(): unknown {
  const { option, edition } = table('rules/data/options.toml');
  const { tiles, seat } = table('rules/data/components.toml');
  const levels = table('bots/data/levels.toml') as Record<string, { usual?: boolean }>;
  return {
    tiles,
    seat,
    boards: table('rules/data/boards.toml'),
    options: option,
    editions: edition,
    levels: Object.keys(levels),
    usualLevel: Object.keys(levels).find((name) => levels[name]?.usual),
  };
}

interface Entry extends Record<string, unknown> {
  class?: Record<string, string>;
}

/** The glossary's words in one language: key to [singular, plural], and a noun's class. A new language borrows the English. */
function words(language: string): Record<string, string[]> {
  const { languages: known, ...entries } = table('words/glossary.toml') as Record<string, Entry>;
  const spoken = language in known! ? language : REFERENCE;
  const forms = (entry: Entry): string[] => {
    const text = entry[spoken] as Forms;
    const kind = entry.class?.[spoken];
    const both = typeof text === 'string' ? [text, text] : text;
    return kind ? [...both, spoken === 'zh' ? kind.slice(0, 1) : kind] : both;
  };
  return Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, forms(entry)]));
}

/** A language's own name; the glossary has a better one for some. */
function ownName(language: string): string {
  const names = table('words/glossary.toml').languages as Record<string, string>;
  return names[language] ?? new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
}

const load = (path: string): string => `() => import(${JSON.stringify(PREFIX + path)}).then((it) => it.default)`;

/** An object that has a loader for each language. */
function each(path: (language: string) => string): string {
  const codes = [...languages(), PSEUDO];
  return `{ ${codes.map((code) => `${JSON.stringify(code)}: ${load(path(code))}`).join(', ')} }`;
}

/** The module that names the languages and loads their texts. */
function loaders(): string {
  const own = Object.fromEntries(languages().map((language) => [language, ownName(language)]));
  const areas = ON_DEMAND.map((area) => `${area}: ${each((code) => `area/${code}/${area}`)}`);
  return [
    `export const names = ${JSON.stringify(own)};`,
    `export const speech = ${each((code) => `speech/${code}`)};`,
    `export const areas = { ${areas.join(', ')} };`,
  ].join('\n');
}

function texts(language: string): unknown {
  const all = catalogue(language);
  return { texts: parsed(all, always(all)), words: words(language) };
}

function made(name: string): string {
  if (name === 'languages') return loaders();
  if (name === 'rules') return `export default ${each((code) => `rules/${code}`)}`;
  const [kind, language = '', area = ''] = name.split('/');
  if (kind === 'rules') return `export default ${JSON.stringify(rulesPages(language))}`;
  const value = kind === 'data' ? data() : kind === 'speech' ? texts(language) : parsed(catalogue(language), [area]);
  return `export default ${JSON.stringify(value)}`;
}

export function tikalData(): Plugin {
  return {
    name: 'tikal-data',
    buildStart() {
      const found = this.meta.watchMode ? [] : problems();
      if (found.length) this.error(`The texts are not complete:\n${found.join('\n')}`);
    },
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load: (id) => (id.startsWith(`\0${PREFIX}`) ? made(id.slice(PREFIX.length + 1)) : undefined),
  };
}
