/**
 * The rules as the client shows them, made from `docs/rules` at build time: sections with an anchor each, as HTML, and
 * figures that the board component draws. The text is nowhere else.
 *
 * The English pages are in `docs/rules`, those of another language in `docs/rules/LANGUAGE` under the same names. A page
 * that a language does not have yet is shown in English. All languages have the anchors of the English pages: the third
 * heading of a page has the same anchor everywhere.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { REFERENCE } from './catalogues.ts';
import { Marked, type Token, type Tokens } from 'marked';

/** The content of a section, in order: text, or a figure with its description. */
export type Part = { html: string } | { figure: string; alt: string };

export interface Section {
  id: string;
  title: string;
  /** 1 for a page's title, 2 and 3 for its sections. */
  depth: number;
  parts: Part[];
}

/** A page in the language that it is written in. */
export interface Page {
  language: string;
  sections: Section[];
}

const PAGES: Record<string, string> = { game: 'README.md', editions: 'editions.md', variants: 'variants.md', rulings: 'rulings.md' };
const FOLDER = new URL('../docs/rules/', import.meta.url);
/** Columns of tables that are for readers of the code. */
const FOR_PROGRAMMERS = ['code', 'test'];

/** The anchor of a heading, as hosts of repositories make it. */
export const slug = (text: string): string =>
  text.toLowerCase().replace(/<[^>]+>|[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s+/g, '-');

/** Anchors of the page that is being made: each is used once, and headings come first. */
let given = new Set<string>();
/** The anchors of everything that may have one, in order; '' where there is none. */
let anchors: string[] = [];
/** The anchors of the English page, where another language is being made. */
let english: string[] | null = null;

function anchor(text: string): string {
  const id = english ? (english[anchors.length] ?? '') : ownAnchor(text);
  anchors.push(id);
  return id && ` id="${id}"`;
}

function ownAnchor(text: string): string {
  const id = slug(text);
  if (!/^[a-z][a-z_-]{2,}$/.test(id) || given.has(id)) return '';
  given.add(id);
  return id;
}

const plain = (html: string): string => html.replace(/<[^>]+>/g, '').replace(/&#39;/g, '’').replace(/&quot;/g, '"').replace(/&amp;/g, '&');

/** The address of a link within the rules; null for a link that leaves them: only its text is kept. */
function address(href: string): string | null {
  const [file = '', anchor = ''] = href.split('#');
  if (!file && anchor) return `#${anchor}`;
  const page = Object.keys(PAGES).find((name) => PAGES[name] === file);
  return page ? `/rules/${page}${anchor ? `#${anchor}` : ''}` : null;
}

const marked = new Marked({
  renderer: {
    link({ href, tokens }: Tokens.Link): string {
      const text = this.parser.parseInline(tokens);
      const to = address(href);
      return to ? `<a href="${to}">${text}</a>` : text;
    },
    /** A paragraph that begins with a name in bold is a rule of its own, with an anchor. */
    paragraph({ tokens }: Tokens.Paragraph): string {
      const [first] = tokens;
      const id = first?.type === 'strong' ? anchor((first as Tokens.Strong).text) : '';
      return `<p${id}>${this.parser.parseInline(tokens)}</p>\n`;
    },
    /** The anchor of a row comes from the words in its first cell. */
    table({ header, align, rows }: Tokens.Table): string {
      const kept = header.map(({ text }, index) => (FOR_PROGRAMMERS.includes(text) ? -1 : index)).filter((index) => index >= 0);
      const cell = (one: Tokens.TableCell, index: number, tag: string) =>
        `<${tag}${align[index] ? ` class="${align[index]}"` : ''}>${this.parser.parseInline(one.tokens)}</${tag}>`;
      const head = (one: Tokens.TableCell, index: number) => cell(one, index, one.text ? 'th' : 'td');
      const row = (cells: Tokens.TableCell[]) => {
        const id = anchor(cells[0]!.text.replace(/[[\]`]|\(.*?\)/g, ''));
        return `<tr${id}>${kept.map((index) => cell(cells[index]!, index, 'td')).join('')}</tr>`;
      };
      const named = header.some(({ text }) => text);
      const top = named ? `<thead><tr>${kept.map((index) => head(header[index]!, index)).join('')}</tr></thead>` : '';
      return `<div class="table" tabindex="0"><table>${top}<tbody>${rows.map(row).join('')}</tbody></table></div>\n`;
    },
  },
});

/** The sections of a page; a translated page has the anchors of the English one. */
export function sectionsOf(markdown: string, original?: string): Section[] {
  if (original === undefined) return withAnchors(markdown, null).sections;
  const reference = withAnchors(original, null);
  const translated = withAnchors(markdown, reference.anchors).sections;
  return translated.map((section, index) => ({ ...section, id: reference.sections[index]?.id ?? section.id }));
}

function withAnchors(markdown: string, reference: string[] | null): { sections: Section[]; anchors: string[] } {
  english = reference;
  anchors = [];
  return { sections: sections(markdown), anchors };
}

/** A line that only gives the next heading its anchor, for readers of the Markdown. */
const isAnchor = (token: Token): boolean => /^<a id="[^"]*"><\/a>\s*$/.test(token.raw);

function sections(markdown: string): Section[] {
  const sections: Section[] = [];
  const tokens = marked.lexer(markdown);
  given = new Set(tokens.flatMap((token) => (token.type === 'heading' ? [slug(token.text)] : [])));
  for (const token of tokens) {
    if (token.type === 'heading') {
      const title = plain(marked.parseInline(token.text) as string);
      sections.push({ id: slug(title), title, depth: token.depth, parts: [] });
      continue;
    }
    const parts = sections.at(-1)?.parts;
    const image = token.type === 'paragraph' && token.tokens?.length === 1 && token.tokens[0]!.type === 'image' ? (token.tokens[0] as Tokens.Image) : null;
    if (image) parts?.push({ figure: image.href.replace(/^.*\/|\.svg$/g, ''), alt: image.text });
    else if (token.type !== 'space' && !isAnchor(token)) parts?.push({ html: marked.parser([token]) });
  }
  return sections;
}

/** All pages of the rules by name; where the documents are missing (a package without them), there are none. */
export function rulesPages(language = REFERENCE): Record<string, Page> {
  if (!existsSync(fileURLToPath(FOLDER))) return {};
  return Object.fromEntries(Object.entries(PAGES).map(([name, file]) => [name, page(file, language)]));
}

function page(file: string, language: string): Page {
  const original = read(file);
  const translated = language !== REFERENCE && existsSync(place(`${language}/${file}`));
  if (!translated) return { language: REFERENCE, sections: sectionsOf(original) };
  return { language, sections: sectionsOf(read(`${language}/${file}`), original) };
}

const place = (file: string): string => fileURLToPath(new URL(file, FOLDER));
const read = (file: string): string => readFileSync(place(file), 'utf8');

/** The files of the rules, in every language. */
export const RULES_FILES: readonly string[] = Object.values(PAGES);

/** What must be the same in all languages: headings by depth, tables, figures, code, numbers, links and marks of rulings. */
function skeleton(markdown: string): Record<string, string[]> {
  const text = markdown.replace(/<a id="[^"]*"><\/a>\s*(?=\n|#)/g, '');
  const all = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map((found) => found[1] ?? found[0]);
  const target = (link: string): string => link.replace(/^(\.\.\/)+/, '');
  return {
    headings: all(/^(#+) /gm),
    'table rows': text.split('\n').filter((line) => line.startsWith('|')).map((line) => String(line.split('|').length)),
    figures: all(/!\[[^\]]*\]\(([^)]+)\)/g).map(target),
    code: all(/`([^`]+)`/g).sort(),
    numbers: all(/(?<![\w`^@:.])\d+(?![\w`])/g).sort(),
    links: all(/(?<!!)\[[^\]]*\]\(([^)]+)\)/g).map(target).sort(),
    rulings: all(/\bR\d+\b/g).sort(),
  };
}

/** How the rules of a language differ from the English ones: one sentence for each problem. */
export function rulesFaults(language: string): string[] {
  return RULES_FILES.flatMap((file) => {
    const path = `docs/rules/${language}/${file}`;
    if (!existsSync(place(`${language}/${file}`))) return [`${language}: ${path} is missing`];
    return differences(read(`${language}/${file}`), read(file)).map((problem) => `${path}: ${problem}`);
  });
}

/** How a translated page differs from the English one. */
export function differences(translated: string, original: string): string[] {
  const [own, wanted] = [skeleton(translated), skeleton(original)];
  return Object.keys(wanted).flatMap((kind) => {
    const [here, there] = [own[kind]!, wanted[kind]!];
    if (JSON.stringify(here) === JSON.stringify(there)) return [];
    const missing = less(there, here);
    const extra = less(here, there);
    return [`${kind} differ from the English; missing: ${missing.join(' ') || 'none'}; too many: ${extra.join(' ') || 'none'}`];
  });
}

/** The items of one list that another does not have, each as often as it is missing. */
function less(items: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return items.filter((item) => {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
