/** Seats and tables in words. */
import { language, listed, t } from '../lib/messages.svelte';
import type { MyTable, Seat, TableInfo } from '../lib/types';
import { levelName } from '../lib/words';

/** The player on a seat: a name, a bot's level, or "open". */
export function who(seat: Pick<Seat, 'kind' | 'name' | 'level' | 'substituted'>): string {
  if (seat.kind === 'open') return t('start.empty_seat');
  if (seat.kind === 'person') return seat.name;
  const level = levelName(seat.level);
  const named = !seat.substituted && seat.name && seat.name !== seat.level;
  const bot = named ? t('lobby.bot_named', { name: seat.name, level }) : t('lobby.bot', { level });
  return seat.substituted ? t('lobby.bot_for', { bot, name: seat.name }) : bot;
}

/** The state of a table in a few words. */
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

/** How a finished game ended: for the player if they had one seat, else who won. Empty if that is not known. */
export function result({ results, you, seats }: Pick<MyTable, 'results' | 'you' | 'seats'>): string {
  const winners = seats.filter((seat) => results[seat.seat - 1]?.place === 1);
  if (!winners.length) return '';
  const mine = you.seats.length === 1 ? results[you.seats[0]! - 1]! : null;
  if (mine && (mine.place > 1 || winners.length === 1)) {
    return mine.place === 1 ? t('start.result_won') : t('start.result_place', { place: mine.place, players: seats.length });
  }
  const names = listed(winners.map(who), 'and');
  return t('start.result_winners', { count: winners.length, names });
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
  return format.format(0, 'second');
}

/** Tables in order: your turn, in progress, open, over; within these, the newest first. */
export function sorted<T extends TableInfo>(tables: readonly T[]): T[] {
  const rank = (table: TableInfo) =>
    table.your_turn ? 0 : ({ playing: 1, open: 2, over: 3, frozen: 4, closed: 5 }[table.state] ?? 6);
  return [...tables].sort((a, b) => rank(a) - rank(b) || b.changed - a.changed);
}
