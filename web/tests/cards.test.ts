import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalogue, values } from '../catalogues';
import { rulesPages } from '../rules-pages';
import { refusedBy } from '../src/lib/rules';
import { CARDS, linesOf, type Kind } from '../src/cards/things';
import { OPTIONS } from '../src/lib/data';
import type { View } from '../src/lib/types';

const pages = rulesPages();
const KINDS = Object.keys(CARDS) as Kind[];
const texts = catalogue('en').cards!;
const lines = (kind: Kind) => CARDS[kind].lines.map((line) => (typeof line === 'string' ? { line } : line));

/** Whether `/rules/game#guards` exists. */
function stands(address: string): boolean {
  const [, page = '', anchor = ''] = /^\/rules\/(\w+)(?:#(.*))?$/.exec(address) ?? [];
  const sections = pages[page]?.sections ?? [];
  const html = sections.flatMap(({ parts }) => parts.map((part) => ('html' in part ? part.html : ''))).join('');
  return sections.length > 0 && (!anchor || sections.some(({ id }) => id === anchor) || html.includes(` id="${anchor}"`));
}

test('every card has a title and its lines, and every text belongs to a card', () => {
  const wanted = KINDS.flatMap((kind) => ['title', ...lines(kind).map(({ line }) => line)].map((line) => `${kind}_${line}`));
  const general = Object.keys(texts).filter((key) => !key.includes('_') || !KINDS.some((kind) => key.startsWith(`${kind}_`)));
  expect(Object.keys(texts).filter((key) => !general.includes(key)).sort()).toEqual(wanted.sort());
});

test('every card and every line names an existing rule', () => {
  const named = KINDS.flatMap((kind) => [...(CARDS[kind].rule ? [CARDS[kind].rule] : []), ...lines(kind).flatMap((line) => ('rule' in line && line.rule ? [line.rule] : []))]);
  expect(named.filter((rule) => !stands(`/rules/${rule}`))).toEqual([]);
});

test('a line depends only on options that exist', () => {
  const named = KINDS.flatMap((kind) => lines(kind).flatMap((line) => ('when' in line ? Object.keys(line.when ?? {}) : [])));
  expect(named.filter((name) => !(name in OPTIONS))).toEqual([]);
});

test('the texts take only values that their things have', () => {
  const given: Partial<Record<Kind, string[]>> = { seat: ['name', 'score', 'now'] };
  for (const kind of KINDS)
    for (const line of ['title', ...lines(kind).map((one) => one.line)]) {
      const onHex = ['temple', 'guarded', 'treasure_tile'].includes(kind) ? ['level', 'count', 'name'] : [];
      const taken = Object.keys(values(texts[`${kind}_${line}`]!));
      expect(taken.filter((name) => !(given[kind] ?? onHex).includes(name)), `${kind}_${line}`).toEqual([]);
    }
});

test('the edition decides the text of a card', () => {
  const said = (needs: boolean) => linesOf('camp', { camp_needs_member: needs } as unknown as View['options']).map(({ line }) => line);
  expect([said(true), said(false)]).toEqual([
    ['what', 'how', 'member'],
    ['what', 'how', 'anywhere'],
  ]);
});

test('every rule that a refusal can name exists', () => {
  const source = readFileSync(new URL('../../src/tikal/rules/refusals.py', import.meta.url), 'utf8');
  const rules = new Set([...source.matchAll(/Refusal\(\s*"\w+",\s*"([^"]+)"/g)].map(([, rule]) => rule!));
  expect(rules.size).toBeGreaterThan(10);
  const actions = ['+W@a1', 'W:a1-a2', 'W:a1=a2', 'X@a2', 'D@a2', 'S:2:1/3', 'C@a2', 'GW@a2', 'A2@b3^0', 'B:3', 'O:a1-a2', 'M@a2', 'R:2@a2', 'J:3', '.'];
  for (const rule of rules) for (const action of actions) expect(stands(refusedBy({ rule, action })), `${rule} ${action}`).toBe(true);
});
