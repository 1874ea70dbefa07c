/** Abandoned games. */
import type { TableInfo } from './types';

/** An unfinished game counts as abandoned after this many days without a change. */
export const ARCHIVE_DAYS = 14;

/** Whether a game was abandoned: it is archived, and no longer shows the player's turn. */
export function archived(table: TableInfo, now: number): boolean {
  return (table.state === 'playing' || table.state === 'open') && now - table.changed > ARCHIVE_DAYS * 86_400_000;
}
