/** What was said at a table and not read in this browser yet. */
import { SvelteMap } from 'svelte/reactivity';
import { recall, remember } from '../lib/kept';
import type { Table } from '../lib/table.svelte';

const KEY = 'read';
const MOST = 100; // tables that are remembered
const read = new SvelteMap(Object.entries(recall(KEY)).map(([table, number]) => [table, Number(number) || 0]));

/** All lines up to now are read. */
export function markRead(table: Table): void {
  const last = table.chat.at(-1)?.number ?? 0;
  if ((read.get(table.id) ?? 0) >= last) return;
  read.delete(table.id); // the newest stands last
  read.set(table.id, last);
  remember(KEY, Object.fromEntries([...read].slice(-MOST)));
}

/** How many lines came since. */
export function unread(table: Table): number {
  const seen = read.get(table.id) ?? 0;
  return table.chat.filter((line) => line.number > seen).length;
}
