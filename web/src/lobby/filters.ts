/** The groups in which a player's games are shown. */
import { archived } from '../lib/archive';
import type { MyTable } from '../lib/types';
import { who } from './who';

export const FILTERS = ['turn', 'playing', 'open', 'over', 'archived'] as const;
export type Filter = (typeof FILTERS)[number];

/** The group of a game. Each game is in exactly one. */
export function filterOf(table: MyTable, now: number): Filter {
  if (archived(table, now)) return 'archived';
  if (table.state === 'open') return 'open';
  if (table.state === 'playing') return table.your_turn ? 'turn' : 'playing';
  return 'over';
}

/** Whether a player whose name contains this text sits at the table. */
export function withPlayer(table: MyTable, name: string): boolean {
  const wanted = name.trim().toLocaleLowerCase();
  return !wanted || table.seats.some((seat) => who(seat).toLocaleLowerCase().includes(wanted));
}
