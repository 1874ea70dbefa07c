/** Seats and tables in words. */
import { language, t, word } from '../lib/messages.svelte';
import type { Seat, TableInfo } from '../lib/types';

/** A text that stands alone begins with a capital. */
export function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase(language()) + text.slice(1);
}

/** Who sits there: a name, a bot's level, or nobody. */
export function who(seat: Pick<Seat, 'kind' | 'name' | 'level' | 'substituted'>): string {
  if (seat.kind === 'open') return t('start.empty_seat');
  if (seat.kind === 'person') return seat.name;
  const bot = t('lobby.bot', { level: capital(word(`bot.${seat.level}`)) });
  return seat.substituted ? t('lobby.bot_for', { bot, name: seat.name }) : bot;
}

/** How a table stands, in a few words. */
export function standing(table: TableInfo): string {
  if (table.state === 'playing') {
    if (table.your_turn) return t('start.your_turn');
    const seat = table.seats.find((one) => one.seat === table.turn);
    return seat ? t('start.turn_of', { name: who(seat) }) : '';
  }
  if (table.state !== 'open') return t(`start.state_${table.state}`);
  const open = table.seats.filter((seat) => seat.kind === 'open').length;
  return open ? t('start.waiting_for', { count: open }) : t('start.full');
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** How long ago something was, in words. */
export function ago(at: number, now: number): string {
  const format = new Intl.RelativeTimeFormat(language(), { numeric: 'auto', style: 'short' });
  const gone = Math.max(0, now - at);
  for (const [unit, length] of UNITS) if (gone >= length) return format.format(-Math.floor(gone / length), unit);
  return format.format(0, 'minute');
}

/** Where somebody is waited for first, then what runs, what waits, what is over; the newest first. */
export function sorted(tables: readonly TableInfo[]): TableInfo[] {
  const rank = (table: TableInfo) =>
    table.your_turn ? 0 : ({ playing: 1, open: 2, over: 3, frozen: 4, closed: 5 }[table.state] ?? 6);
  return [...tables].sort((a, b) => rank(a) - rank(b) || b.changed - a.changed);
}
