/**
 * Gives the client the game's own tables, read at build time from where the rules read them, so that no tile, option or
 * word stands in two places: `virtual:tikal/data`, and `virtual:tikal/words/LANGUAGE` from the glossary.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';
import type { Plugin } from 'vite';

const SOURCE = new URL('../src/tikal/', import.meta.url);
const PREFIX = 'virtual:tikal/';

function table(path: string): Record<string, unknown> {
  return parse(readFileSync(fileURLToPath(new URL(path, SOURCE)), 'utf8'));
}

function data(): unknown {
  const { option, edition } = table('rules/data/options.toml');
  const { tiles, seat } = table('rules/data/components.toml');
  return {
    tiles,
    seat,
    boards: table('rules/data/boards.toml'),
    options: option,
    editions: edition,
    levels: Object.keys(table('bots/data/levels.toml')),
  };
}

/** The words of one language: key to [singular, plural]. */
function words(language: string): unknown {
  const found: Record<string, [string, string]> = {};
  for (const [key, entry] of Object.entries(table('words/glossary.toml'))) {
    if (key === 'languages') continue;
    const text = (entry as Record<string, string | [string, string]>)[language];
    if (text !== undefined) found[key] = typeof text === 'string' ? [text, text] : text;
  }
  return found;
}

export function tikalData(): Plugin {
  return {
    name: 'tikal-data',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const name = id.slice(PREFIX.length + 1);
      const made = name === 'data' ? data() : words(name.slice('words/'.length));
      return `export default ${JSON.stringify(made)}`;
    },
  };
}
