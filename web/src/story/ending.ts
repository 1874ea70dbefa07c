/** How a game ended, for the viewer: the places and a headline. The server decides the winners. */
import { listed, t } from '../lib/messages.svelte';
import type { Table } from '../lib/table.svelte';
import type { SeatNumber } from '../lib/types';
import { afterLeaving, places, type Place } from './places';

type Ended = Pick<Table, 'view' | 'info' | 'events'>;

/** The seats whose players left, in that order, for bots to finish the game. */
function leavers({ info, events }: Pick<Ended, 'info' | 'events'>): SeatNumber[] {
  const gone = new Set(info?.seats.filter((seat) => seat.substituted).map((seat) => seat.seat));
  return [...new Set(events.flatMap((event) => (event.kind === 'seat' && gone.has(event.seat) ? [event.seat] : [])))];
}

/** The seats by place, even if players have agreed to end the game, or have left it. */
export function finalPlaces({ view, info, events }: Ended): Place[] {
  if (!view) return [];
  const rows = places(info?.ended ? { ...view, winners: info.ended.winners } : view);
  return afterLeaving(rows, leavers({ info, events }));
}

/** The seats that have won. */
export function winnersOf(ended: Ended): SeatNumber[] {
  return finalPlaces(ended).flatMap((row) => (row.won ? [row.seat] : []));
}

export interface Headline {
  title: string;
  /** A line below it. */
  more: string;
  /** Whether the viewer has won. */
  mine: boolean;
}

/** The headline: for players what it means to them, for others the winner. */
export function headline({ info, events }: Pick<Ended, 'info' | 'events'>, rows: readonly Place[], names: readonly string[]): Headline {
  const own = info?.you.seats ?? [];
  const winners = rows.filter((row) => row.won);
  const alone = own.length === 1 ? rows.find((row) => row.seat === own[0]) : undefined;
  const plain = t('end.winners', { count: winners.length, names: listed(winners.map(({ seat }) => names[seat - 1] ?? ''), 'and') });
  if (!winners.length) return { title: t('end.over'), more: '', mine: false };
  const [first, second] = rows;
  const left = leavers({ info, events }).map((seat) => names[seat - 1] ?? '');
  const gone = left.length ? t('end.left', { count: left.length, names: listed(left, 'and') }) : '';
  const ahead = gone || (winners.length === 1 && second ? t('end.ahead', { points: first!.score - second.score, name: names[second.seat - 1] ?? '' }) : '');
  if (alone?.won) return { title: t(winners.length > 1 ? 'end.you_share' : 'end.you_win'), more: ahead, mine: true };
  return { title: plain, more: alone ? t('end.you_place', { place: alone.place }) : ahead, mine: own.some((seat) => winners.some((one) => one.seat === seat)) };
}
