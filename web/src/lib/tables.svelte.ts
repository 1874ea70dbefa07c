/** The tables of this person and those that wait for people: asked for again and again while somebody looks. */
import { live, me } from './me.svelte';
import { t } from './messages.svelte';
import { Refused, server } from './server';
import { settings } from './settings.svelte';
import type { TableInfo } from './types';

const SEEN_MS = 4000;
const HIDDEN_MS = 20_000;

/** The tables that are on now and were not before. */
export function fresh(before: readonly TableInfo[], now: readonly TableInfo[]): TableInfo[] {
  const known = new Set(before.map((table) => table.id));
  return now.filter((table) => !known.has(table.id));
}

/** Where somebody is waited for first, then what runs, what waits, what is over; the newest first. */
export function sorted(tables: readonly TableInfo[]): TableInfo[] {
  const rank = (table: TableInfo) =>
    table.your_turn ? 0 : ({ playing: 1, open: 2, over: 3, frozen: 4, closed: 5 }[table.state] ?? 6);
  return [...tables].sort((a, b) => rank(a) - rank(b) || b.changed - a.changed);
}

class Tables {
  open = $state.raw<readonly TableInfo[]>([]);
  mine = $state.raw<readonly TableInfo[]>([]);
  /** Both lists were heard of. */
  known = $state(false);
  problem = $state.raw<Refused | null>(null);
  /** My tables where it is my turn. */
  readonly turns = $derived(this.mine.filter((table) => table.state === 'playing' && table.your_turn));

  #followers = 0;
  #lookers = 0; // those that want the open tables too
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  /** Keeps the lists fresh until what it returns is called; `all`: the open tables too. */
  follow(all = false): () => void {
    this.#followers++;
    if (all) this.#lookers++;
    if (this.#followers === 1) {
      document.addEventListener('visibilitychange', this.#wake);
      live.onTurn = this.#wake;
    }
    this.#wake();
    return () => {
      if (all) this.#lookers--;
      if (--this.#followers) return;
      document.removeEventListener('visibilitychange', this.#wake);
      clearTimeout(this.#timer);
    };
  }

  #wake = (): void => {
    clearTimeout(this.#timer);
    const asked = ++this.#asked;
    void this.refresh().finally(() => {
      if (asked !== this.#asked || !this.#followers) return;
      this.#timer = setTimeout(this.#wake, document.hidden ? HIDDEN_MS : SEEN_MS);
    });
  };

  /** Asks once, now. */
  async refresh(): Promise<void> {
    try {
      if (!me.known) await me.look();
      const [mine, open] = await Promise.all([
        me.name === null ? [] : server.myTables(),
        this.#lookers ? server.openTables() : this.open,
      ]);
      const before = this.turns;
      const first = !this.known;
      this.mine = mine;
      this.open = open;
      this.known = true;
      this.problem = null;
      if (!first) for (const table of fresh(before, this.turns)) notify(table);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.problem = error;
    }
  }
}

/** Tells the system that it is one's turn; only if that was asked for and nobody looks. */
function notify(table: TableInfo): void {
  if (!settings.notify || !document.hidden || Notification.permission !== 'granted') return;
  const others = table.seats.filter((seat) => !seat.yours).map((seat) => seat.name);
  const note = new Notification(t('ui.your_turn'), { body: others.join(', '), tag: table.id, icon: '/icon.svg' });
  note.onclick = () => {
    focus();
    note.close();
  };
}

export const tables = new Tables();
