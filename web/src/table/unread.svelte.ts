/** Lines of chat at a table that this browser has not shown yet. */
import { SvelteMap } from 'svelte/reactivity';
import { recall, remember } from '../lib/kept';
import type { Table } from '../lib/table.svelte';

const KEY = 'read';
const MOST = 100; // tables in memory
const read = new SvelteMap(Object.entries(recall(KEY)).map(([table, number]) => [table, Number(number) || 0]));

/** Marks all lines as read. */
export function markRead(table: Table): void {
  const last = table.chat.at(-1)?.number ?? 0;
  if ((read.get(table.id) ?? 0) >= last) return;
  read.delete(table.id); // the newest is last
  read.set(table.id, last);
  remember(KEY, Object.fromEntries([...read].slice(-MOST)));
}

/** How many lines are new. */
export function unread(table: Table): number {
  const seen = read.get(table.id) ?? 0;
  return table.chat.filter((line) => line.number > seen).length;
}
