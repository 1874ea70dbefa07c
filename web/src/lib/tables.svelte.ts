/** This person's tables, and the tables that wait for players. Both lists are refreshed while a page shows them. */
import { archived } from './archive';
import { recall, remember } from './kept';
import { live, me } from './me.svelte';
import { listed, t } from './messages.svelte';
import { router } from './router.svelte';
import { Refused, server } from './server';
import { settings } from './settings.svelte';
import type { MyTable, TableInfo } from './types';

const LOOKING_MS = 4000; // while the lists are on the screen
const OTHERWISE_MS = 20_000; // the socket announces the player's turn at once
const DISMISSED = 'turns'; // the key under which this browser remembers dismissed turns

class Tables {
  open = $state.raw<readonly TableInfo[]>([]);
  mine = $state.raw<readonly MyTable[]>([]);
  /** Both lists have arrived. */
  known = $state(false);
  problem = $state.raw<Refused | null>(null);
  /** The time of the last refresh: ages of games refer to it. */
  now = $state(Date.now());
  /** My tables where it is my turn. */
  readonly turns = $derived(this.mine.filter((table) => table.state === 'playing' && table.your_turn && !archived(table, this.now)));
  #dismissed = $state.raw(recall(DISMISSED));
  /** Those of them that the player has not dismissed; the one that has waited longest first. */
  readonly calling = $derived(
    this.turns.filter((table) => this.#dismissed[table.id] !== table.changed).sort((a, b) => a.changed - b.changed),
  );

  #followers = 0;
  #lookers = 0; // followers that want the open tables too
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  /** Keeps the lists fresh; with `all`, the open tables too. Returns a function that stops it. */
  follow(all = false): () => void {
    this.#followers++;
    if (all) this.#lookers++;
    if (this.#followers === 1) {
      document.addEventListener('visibilitychange', this.#wake);
      live.onTurn = (table) => void this.refresh().then(() => notify(this.mine.find((one) => one.id === table)));
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
      this.#timer = setTimeout(this.#wake, this.#lookers && !document.hidden ? LOOKING_MS : OTHERWISE_MS);
    });
  };

  /** Hides the notice of these turns. The next turn at the same table shows it again. */
  dismiss(turns: readonly TableInfo[]): void {
    const known = new Set(this.turns.map((table) => table.id));
    const kept = Object.entries(this.#dismissed).filter(([id]) => known.has(id));
    this.#dismissed = Object.fromEntries([...kept, ...turns.map((table) => [table.id, table.changed])]);
    remember(DISMISSED, this.#dismissed);
  }

  /** Refreshes the lists once, now. */
  async refresh(): Promise<void> {
    this.now = Date.now();
    try {
      if (!me.known) await me.look();
      if (me.name !== null) live.open();
      const [mine, open] = await Promise.all([
        me.name === null ? [] : server.myTables(),
        this.#lookers ? server.openTables() : this.open,
      ]);
      this.mine = mine;
      this.open = open;
      this.known = true;
      this.problem = null;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.code === 'identity') me.known = false; // logged out from another device: ask for our identity again
      this.problem = error;
    }
  }
}

/** Shows a system notification of the player's turn, if they switched that on and the page is hidden. */
function notify(table: TableInfo | undefined): void {
  if (!table || !settings.notify || !document.hidden || Notification.permission !== 'granted') return;
  const others = table.seats.filter((seat) => !seat.yours).map((seat) => seat.name);
  const note = new Notification(t('ui.your_turn'), { body: listed(others), tag: table.id, icon: '/icon.svg' });
  note.onclick = () => {
    focus();
    router.go(`/table/${table.id}`);
    note.close();
  };
}

export const tables = new Tables();
