/** The tables of this person and those that wait for people: asked for again and again while somebody looks. */
import { live, me } from './me.svelte';
import { t } from './messages.svelte';
import { Refused, server } from './server';
import { settings } from './settings.svelte';
import type { TableInfo } from './types';

const LOOKING_MS = 4000; // while the lists are on the screen
const OTHERWISE_MS = 20_000; // one's own turn is told at once anyway

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

  /** Asks once, now. */
  async refresh(): Promise<void> {
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
      if (error.code === 'identity') me.known = false; // logged out from elsewhere: look again who we are
      this.problem = error;
    }
  }
}

/** Tells the system that it is one's turn; only if that was asked for and nobody looks. */
function notify(table: TableInfo | undefined): void {
  if (!table || !settings.notify || !document.hidden || Notification.permission !== 'granted') return;
  const others = table.seats.filter((seat) => !seat.yours).map((seat) => seat.name);
  const note = new Notification(t('ui.your_turn'), { body: others.join(', '), tag: table.id, icon: '/icon.svg' });
  note.onclick = () => {
    focus();
    note.close();
  };
}

export const tables = new Tables();
