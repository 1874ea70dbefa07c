import { describe, expect, test } from 'vitest';
import { languages } from '../catalogues';
import { differences, rulesFaults, rulesPages, sectionsOf } from '../rules-pages';
import { FIGURES } from '../src/rules/figures';
import { search, textOfParts } from '../src/rules/search';

const pages = rulesPages();
const html = (page: string) => pages[page]!.sections.flatMap(({ parts }) => parts.map((part) => ('html' in part ? part.html : ''))).join('');
const anchors = (page: string) => [...pages[page]!.sections.map(({ id }) => id), ...[...html(page).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)];

test('a page is cut into sections; paragraphs with a name and rows of tables have anchors', () => {
  const [top, moving] = sectionsOf('# Rules\n\n![Two hexes](pair.svg)\n\n## Moving on\n\n**Camps.** They stay.\n\n| what | code |\n|---|---|\n| dig | `x` |\n');
  expect(top).toEqual({ id: 'rules', title: 'Rules', depth: 1, parts: [{ figure: 'pair', alt: 'Two hexes' }] });
  const text = moving!.parts.map((part) => ('html' in part ? part.html : '')).join('');
  expect([moving!.id, text.includes('<p id="camps">'), text.includes('<tr id="dig"><td>dig</td></tr>'), text.includes('code')]).toEqual(['moving-on', true, true, false]);
});

test('a translated page has the anchors of the English one', () => {
  const english = '# Rules\n\n## Moving on\n\n**Camps.** They stay.\n\n| what |\n|---|\n| dig |\n';
  const french = '# Règles\n\n<a id="moving-on"></a>\n\n## Avancer\n\n**Les camps.** Ils restent.\n\n| quoi |\n|---|\n| déterrer |\n';
  const [, moving] = sectionsOf(french, english);
  const text = moving!.parts.map((part) => ('html' in part ? part.html : '')).join('');
  expect([moving!.id, moving!.title, text.includes('<p id="camps">'), text.includes('<tr id="dig">'), text.includes('<a id')]).toEqual(['moving-on', 'Avancer', true, true, false]);
  expect(differences(french, english)).toEqual([]);
});

test.each([
  ['# A\n\n7 AP\n', '# A\n\n8 AP\n', 'numbers'],
  ['# A\n\n`x`\n', '# A\n\n`y`\n', 'code'],
  ['# A\n\n## B\n', '# A\n', 'headings'],
  ['# A\n\nR5\n', '# A\n\nR6\n', 'rulings'],
  ['| a | b |\n', '| a |\n', 'table rows'],
  ['[a](b.md)\n', '[a](c.md)\n', 'links'],
])('a translated page that differs is noticed: %j', (translated, original, kind) => {
  expect(differences(translated, original)[0]).toContain(`${kind} differ`);
});

test.each(languages().filter((language) => language !== 'en'))('the rules in %s have the sections, numbers, options and rulings of the English ones', (language) => {
  expect(rulesFaults(language)).toEqual([]);
  for (const [name, page] of Object.entries(rulesPages(language))) {
    expect([name, page.language, page.sections.map(({ id }) => id)]).toEqual([name, language, pages[name]!.sections.map(({ id }) => id)]);
  }
});

describe.each(Object.keys(pages))('%s', (page) => {
  test('has every anchor once', () => expect(anchors(page)).toEqual([...new Set(anchors(page))]));
  test('has links only to anchors that exist', () => {
    const links = [...html(page).matchAll(/href="([^"]*)"/g)].map(([, href]) => href!);
    for (const link of links) {
      const [, to = page, anchor = ''] = /^(?:\/rules\/(\w+))?(?:#(.*))?$/.exec(link)!;
      expect([link, to in pages, !anchor || anchors(to).includes(anchor)]).toEqual([link, true, true]);
    }
  });
  test('has figures that can be drawn', () => {
    for (const part of pages[page]!.sections.flatMap(({ parts }) => parts)) if ('figure' in part) expect(Object.keys(FIGURES)).toContain(part.figure);
  });
});

test('a search finds sections with all words, titles first, whatever the case', () => {
  const hits = search(pages, 'GUARD leader');
  expect(hits.length).toBeGreaterThan(1);
  for (const { page, id } of hits) {
    const { title, parts } = pages[page]!.sections.find((section) => section.id === id)!;
    expect(`${title} ${textOfParts(parts)}`.toLowerCase()).toMatch(/(?=.*guard)(?=.*leader)/);
  }
  expect([search(pages, 'scoring rounds')[0]?.id, search(pages, 'unicorn'), search(pages, ' ')]).toEqual(['scoring-rounds', [], []]);
});
