/** One table as this browser sees it: the last update, all events, and what can be asked for. */
import { live } from './me.svelte';
import { Refused, server } from './server';
import type { ChatLine, Forecast, GameEvent, Offer, TableInfo, Update, View } from './types';

export type Listener = (update: Update, before: Update | null) => void;

export class Table {
  update = $state.raw<Update | null>(null);
  events = $state.raw<readonly GameEvent[]>([]);
  chat = $state.raw<readonly ChatLine[]>([]);
  /** A request is on its way. */
  busy = $state(false);
  /** What was refused last, until something else is done. */
  problem = $state.raw<Refused | null>(null);
  /** The actions that were taken back and can be played again, the next one last. */
  undone = $state.raw<readonly string[][]>([]);

  #stop: (() => void) | null = null;
  #listeners = new Set<Listener>();
  #units: string[][] = []; // what was played in this turn, as it was sent

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
    void server.said(this.id).then((lines) => this.#said(lines), () => undefined);
  }

  close(): void {
    this.#stop?.();
    this.#stop = null;
  }

  /** Calls back with every update, and the one before it. Returns how to stop. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #heard(update: Update): void {
    const before = this.update;
    if (before && update.seq < before.seq) return;
    const known = this.events.at(-1)?.seq ?? 0;
    const news = update.events.filter((event) => event.seq > known);
    if (news.length) this.events = [...this.events, ...news];
    if (before && before.info.turn !== update.info.turn) this.#forgetUndone();
    this.update = update;
    if (before && update.seq > before.seq) this.busy = false; // what was asked for is here; its ack may come later
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

  async #ask(request: (on: number) => Promise<unknown>): Promise<boolean> {
    if (!this.update || this.busy) return false;
    this.busy = true;
    this.problem = null;
    try {
      await request(this.update.seq);
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.problem = error;
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** Plays actions, all or none. */
  async play(actions: string[]): Promise<boolean> {
    this.undone = [];
    return this.#played(actions);
  }

  async #played(actions: string[]): Promise<boolean> {
    const done = await this.#ask((on) => live.play(this.id, on, actions));
    if (done) this.#units.push(actions);
    return done;
  }

  /** Takes back the last action that was sent, with all steps of a walk. */
  async undo(): Promise<boolean> {
    const unit = this.#units.at(-1);
    const steps = Math.min(unit?.length ?? 1, this.update?.undo ?? 0);
    for (let step = 0; step < steps; step++) {
      if (!(await this.#ask((on) => live.undo(this.id, on)))) return false;
    }
    if (unit) {
      this.#units.pop();
      this.undone = [...this.undone, unit];
    }
    return steps > 0;
  }

  /** Plays again what was taken back last. */
  async redo(): Promise<boolean> {
    const next = this.undone.at(-1);
    if (!next) return false;
    this.undone = this.undone.slice(0, -1);
    return this.#played(next);
  }

  /** Starts the turn again, from its beginning or from what was revealed last. */
  async restart(): Promise<boolean> {
    const done = await this.#ask((on) => live.restart(this.id, on));
    if (done) this.#forgetUndone();
    return done;
  }

  async resign(seat: number): Promise<boolean> {
    return this.#ask(() => live.resign(this.id, seat));
  }
}
