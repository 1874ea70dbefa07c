/** Searching the rules. */
import type { Page, Part } from '../../rules-pages';

export interface Hit {
  page: string;
  id: string;
  title: string;
  /** Some words around the match. */
  around: string;
}

const AROUND = 60;

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The text of a section without its markup. */
export function textOfParts(parts: readonly Part[]): string {
  const html = parts.map((part) => ('html' in part ? part.html : part.alt)).join(' ');
  const decoded = html.replace(/<[^>]+>/g, ' ').replace(/&#39;/g, '’').replace(/&quot;/g, '"').replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
  return decoded.replace(/\s+/g, ' ').trim();
}

/** The sections that contain all the words, those with matching titles first. */
export function search(pages: Readonly<Record<string, Page>>, query: string): Hit[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const hits = Object.entries(pages).flatMap(([page, { sections }]) =>
    sections.flatMap(({ id, title, parts }) => {
      const text = textOfParts(parts);
      const whole = fold(`${title} ${text}`);
      if (!words.every((word) => whole.includes(word))) return [];
      const at = Math.max(0, fold(text).indexOf(words[0]!));
      const from = at > AROUND ? text.indexOf(' ', at - AROUND) + 1 : 0;
      const around = `${from ? '… ' : ''}${text.slice(from, at + AROUND)} …`;
      return [{ page, id, title, around, first: words.every((word) => fold(title).includes(word)) }];
    }),
  );
  return hits.sort((a, b) => Number(b.first) - Number(a.first)).map(({ page, id, title, around }) => ({ page, id, title, around }));
}
