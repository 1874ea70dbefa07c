/** The seats of a new table, and their form in a request. */
import { LEVELS, USUAL_LEVEL } from '../lib/data';
import type { Key } from '../lib/messages.svelte';

export type Kind = 'me' | 'open' | 'bot' | 'person';
export interface Wanted {
  kind: Kind;
  level: string;
  name: string;
  /** Identifies a seat while the list is reordered. */
  key: number;
}

export const FEWEST = 2;
export const MOST = 4;
let made = 0;

export function wanted(kind: Kind, more: Partial<Omit<Wanted, 'kind' | 'key'>> = {}): Wanted {
  return { level: USUAL_LEVEL, name: '', ...more, kind, key: ++made };
}

/** A seat as the server writes it: `me`, `open`, `bot:LEVEL`, `person:NAME`. */
export function seatWord(seat: { kind: Kind; level?: string | null; name: string }): string {
  if (seat.kind === 'bot') return `bot:${seat.level}`;
  return seat.kind === 'person' ? `person:${seat.name.trim()}` : seat.kind;
}

/** The seat that such a text describes; null if it describes none. */
export function readSeat(word: string): Wanted | null {
  const [kind, rest = ''] = word.split(/:(.*)/s);
  if (kind === 'me' || kind === 'open') return wanted(kind);
  if (kind === 'bot') return LEVELS.includes(rest) ? wanted('bot', { level: rest }) : null;
  return kind === 'person' ? wanted('person', { name: rest }) : null;
}

/** The seats this browser remembers, or the usual two. */
export function readSeats(words: unknown): Wanted[] {
  const seats = Array.isArray(words) ? words.slice(0, MOST).map((one) => readSeat(String(one))) : [];
  const known = seats.filter((seat) => seat !== null);
  const mine = known.filter((seat) => seat.kind === 'me');
  return known.length >= FEWEST && mine.length <= 1 ? known : [wanted('me'), wanted('bot')];
}

/** How many seats are for people, here or elsewhere. */
export function humans(seats: readonly Wanted[]): number {
  return seats.filter(({ kind }) => kind !== 'bot').length;
}

/** The list with one seat moved up (-1) or down (+1). */
export function moved<T>(seats: readonly T[], at: number, by: -1 | 1): T[] {
  const next = [...seats];
  const to = at + by;
  if (to < 0 || to >= next.length) return next;
  [next[at], next[to]] = [next[to]!, next[at]!];
  return next;
}

/** The kinds that a seat may have. "Me" may be chosen only once. */
export function kindsFor(seats: readonly Wanted[], at: number): Kind[] {
  const sits = seats.some((seat, index) => index !== at && seat.kind === 'me');
  return sits ? ['open', 'bot', 'person'] : ['me', 'open', 'bot', 'person'];
}

/** The message key of what is wrong with a seat, found before the server is asked; null if nothing is. */
export function fault(seats: readonly Wanted[], at: number): Key | null {
  const seat = seats[at]!;
  if (seat.kind !== 'person') return null;
  const name = seat.name.trim().toLocaleLowerCase();
  if (!name) return 'newtable.name_missing';
  const twice = seats.some((other, index) => index !== at && other.kind === 'person' && other.name.trim().toLocaleLowerCase() === name);
  return twice ? 'newtable.name_twice' : null;
}
