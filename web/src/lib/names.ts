/** The names of the seats of a table. */
import { t, textOf, word } from './messages.svelte';
import type { Seat } from './types';
import { levelName } from './words';

type Named = Pick<Seat, 'seat' | 'kind' | 'name' | 'level'>;

/** Everybody's name; a bot without one is named after its level. Equal names are numbered. */
export function seatNames(seats: readonly Named[]): string[] {
  const plain = seats.map(({ seat, kind, name, level }) => {
    if (kind === 'bot' && level && (!name || name === level)) return levelName(level);
    return name || t('table.seat', { number: seat });
  });
  return plain.map((name, index) => {
    const before = plain.slice(0, index).filter((other) => other === name).length;
    return plain.filter((other) => other === name).length > 1 ? `${name} ${before + 1}` : name;
  });
}

const WIDE = /[MW@mw]/g;
const FULL = /[\u2e80-\uffdc]/g; // Chinese, Japanese, Korean

/** About how wide a name is, in average letters. */
export function breadth(name: string): number {
  const count = (kind: RegExp) => name.match(kind)?.length ?? 0;
  return name.length + count(WIDE) / 2 + count(FULL);
}

/** The number of earlier seats with a bot of the same level; it tells their looks apart. */
export function lookOf(seats: readonly Pick<Seat, 'level'>[], seat: number): number {
  return seats.slice(0, seat - 1).filter(({ level }) => level === seats[seat - 1]?.level).length;
}

/** A bot's level and style: `Digger, treasure hunter`. */
export function botTitle(level: string | null): string {
  return t('seats.bot_title', { level: levelName(level), style: textOf(`seats.style.${level}`) });
}

/** What is depicted on a kind of treasure. */
export function treasureName(kind: number): string {
  return word(`treasure.${kind}`);
}
