/** One table as this browser sees it: the last update, all events, and the requests that a player can make. */
import { live } from './me.svelte';
import { Refused, server } from './server';
import type { ChatLine, Forecast, GameEvent, Offer, Prospect, TableInfo, Update, View } from './types';

export type Listener = (update: Update, before: Update | null) => void;

/** A pending request: the event that completes it, and what to do then. */
interface Asked {
  until: number;
  note: () => void;
}

export class Table {
  update = $state.raw<Update | null>(null);
  events = $state.raw<readonly GameEvent[]>([]);
  chat = $state.raw<readonly ChatLine[]>([]);
  /** A request is pending. */
  busy = $state(false);
  /** The last refusal, until the next request. */
  problem = $state.raw<Refused | null>(null);
  /** Actions that were undone and can be redone, the next one last. */
  undone = $state.raw<readonly string[][]>([]);

  #stop: (() => void) | null = null;
  #listeners = new Set<Listener>();
  #units: string[][] = []; // the actions played in this turn, as they were sent
  #asked: Asked | null = null;

  constructor(readonly id: string) {}

  get info(): TableInfo | null {
    return this.update?.info ?? null;
  }
  get view(): View | null {
    return this.update?.view ?? null;
  }
  get offer(): Offer | null {
    return this.update?.offer ?? null;
  }
  get forecast(): Forecast[] {
    return this.update?.forecast ?? [];
  }
  get prospect(): Prospect | null {
    return this.update?.prospect ?? null;
  }
  get canUndo(): boolean {
    return (this.update?.undo ?? 0) > 0;
  }

  /** Watches the table until `close`. */
  open(): void {
    this.#stop = live.watch(this.id, {
      onUpdate: (update) => this.#heard(update),
      onChat: (line) => this.#said([line]),
      onError: (error) => (this.problem = error),
    });
  }

  close(): void {
    this.#stop?.();
    this.#stop = null;
  }

  /** Waits for the update with this event, or a later one. */
  reaches(seq: number): Promise<void> {
    if ((this.update?.seq ?? -1) >= seq) return Promise.resolve();
    return new Promise((resolve) => {
      const forget = this.listen((update) => {
        if (update.seq < seq) return;
        forget();
        resolve();
      });
    });
  }

  /** Calls back with every update and the one before it. Returns a function that stops it. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #heard(update: Update): void {
    const before = this.update;
    if (before && update.seq < before.seq) return;
    if (!before) void server.said(this.id).then((lines) => this.#said(lines), () => undefined); // there is a table
    const known = this.events.at(-1)?.seq ?? 0;
    const news = update.events.filter((event) => event.seq > known);
    if (news.length) this.events = [...this.events, ...news];
    if (this.#asked && update.seq >= this.#asked.until) this.#settle(this.#asked); // its ack may come later
    if (before && before.info.turn !== update.info.turn) this.#forgetUndone();
    this.update = update;
    for (const listener of this.#listeners) listener(update, before);
  }

  #said(lines: readonly ChatLine[]): void {
    const known = new Set(this.chat.map((line) => line.number));
    this.chat = [...this.chat, ...lines.filter((line) => !known.has(line.number))].sort((a, b) => a.number - b.number);
  }

  #forgetUndone(): void {
    this.undone = [];
    this.#units = [];
  }

  /** Makes a request that results in this many events. The events or the ack complete it, whichever comes first. */
  async #ask(events: number, request: (on: number) => Promise<unknown>, note = (): void => undefined): Promise<boolean> {
    if (!this.update || this.busy) return false;
    const on = this.update.seq;
    const asked = { until: on + events, note };
    this.#asked = asked;
    this.busy = true;
    this.problem = null;
    try {
      await request(on);
      this.#settle(asked);
      return true;
    } catch (error) {
      if (this.#asked === asked) this.#free();
      else this.#forgetUndone(); // the events came from another player
      if (!(error instanceof Refused)) throw error;
      this.problem = error;
      return false;
    }
  }

  #settle(asked: Asked): void {
    if (this.#asked !== asked) return;
    this.#free();
    asked.note();
  }

  #free(): void {
    this.#asked = null;
    this.busy = false;
  }

  /** Plays actions, all or none. */
  play(actions: string[]): Promise<boolean> {
    return this.#play(actions, []);
  }

  #play(actions: string[], undone: readonly string[][]): Promise<boolean> {
    return this.#ask(actions.length, (on) => live.play(this.id, on, actions), () => {
      this.undone = undone;
      this.#units.push(actions);
    });
  }

  /** Undoes what was last played together, such as all steps of a walk. */
  async undo(): Promise<boolean> {
    const unit = this.#units.at(-1);
    const steps = Math.min(unit?.length ?? 1, this.update?.undo ?? 0);
    if (!steps) return false;
    return this.#ask(1, (on) => live.undo(this.id, on, steps), () => {
      if (!unit) return;
      this.#units.pop();
      this.undone = [...this.undone, unit];
    });
  }

  /** Redoes what was undone last. */
  async redo(): Promise<boolean> {
    const next = this.undone.at(-1);
    return next ? this.#play(next, this.undone.slice(0, -1)) : false;
  }

  /** Restarts the turn, from its start or from the last revelation. */
  restart(): Promise<boolean> {
    return this.#ask(1, (on) => live.restart(this.id, on), () => this.#forgetUndone());
  }

  async resign(seat: number): Promise<boolean> {
    return this.#ask(1, () => live.resign(this.id, seat));
  }
}
