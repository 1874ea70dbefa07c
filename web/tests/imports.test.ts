/** Which folders of the client may use which. The same rule as for the packages of the server: dependencies point one way. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const SOURCE = fileURLToPath(new URL('../src', import.meta.url));

/** From the bottom up: a folder uses itself and the layers below it, not its neighbours. */
const LAYERS: readonly (readonly string[])[] = [
  ['lib'], // the server, the data, texts, settings
  ['ui'], // what every page is made of
  ['board'], // the board and its pieces
  ['story'], // what has happened, and how it is shown
  ['table'], // what a player can do
  ['cards', 'coach'], // what explains it
  ['replay', 'lobby', 'learn', 'people', 'rules'], // the parts of pages
  ['pages', 'gallery'],
  ['.'], // App and main
];
const layerOf = (folder: string) => LAYERS.findIndex((layer) => layer.includes(folder));

interface Import {
  file: string;
  from: string;
  to: string;
}

/** The folder of a path inside `src`; what lies in `src` itself is in `.`. */
const folderOf = (path: string) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '.');

/** The imports of a source text that stay inside `src`. */
function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)]
    .map(([, path]) => relative(SOURCE, join(SOURCE, dirname(file), path!)))
    .filter((path) => !path.startsWith('..') && !path.endsWith('.css'))
    .map((path) => ({ file, from: folderOf(file), to: folderOf(path) }));
}

const forbidden = ({ from, to }: Import) => from !== to && layerOf(to) >= layerOf(from);

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ts|svelte)$/.test(name));
const imports = files.flatMap((file) => importsOf(file, readFileSync(join(SOURCE, file), 'utf8')));

describe('imports', () => {
  test('every folder has a layer', () => {
    expect([...new Set(imports.flatMap(({ from, to }) => [from, to]))].filter((folder) => layerOf(folder) < 0)).toEqual([]);
  });
  test('point downwards', () => {
    expect(imports.filter(forbidden).map(({ file, to }) => `${file} uses ${to}`)).toEqual([]);
  });
  test('are found, in scripts and in components, also where they are lazy', () => {
    expect(imports.length).toBeGreaterThan(300);
    expect(importsOf('board/Board.svelte', "import x from '../table/drag'; const y = import('../lib/data');")).toEqual([
      { file: 'board/Board.svelte', from: 'board', to: 'table' },
      { file: 'board/Board.svelte', from: 'board', to: 'lib' },
    ]);
    expect(forbidden({ file: 'board/Board.svelte', from: 'board', to: 'table' })).toBe(true);
    expect(forbidden({ file: 'lobby/who.ts', from: 'lobby', to: 'learn' })).toBe(true);
  });
});
