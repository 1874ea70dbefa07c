/** How things stood after each action, fetched from the server when wanted and kept. */
import { server } from '../lib/server';
import type { Frame, SeatNumber } from '../lib/types';
import type { PlayEvent } from './history';
import type { Shot } from './tally';

type Fetch = (table: string, number: number, seat?: number) => Promise<Frame>;
const AT_ONCE = 4;

export class Frames {
  #kept = new Map<number, Promise<Shot>>(); // by the seq of the action that led there; 0: the start
  #free = AT_ONCE;
  #queue: (() => void)[] = [];
  #eyes: SeatNumber | undefined;

  constructor(
    readonly table: string,
    readonly fetch: Fetch = server.frame,
  ) {}

  /** Through whose eyes frames are seen from now on; undefined: one's own. */
  look(eyes: SeatNumber | undefined): void {
    if (eyes === this.#eyes) return;
    this.#eyes = eyes;
    this.#kept.clear();
  }

  /** What is known without asking. */
  put(line: readonly PlayEvent[], shot: Shot): void {
    this.#kept.set(line.at(-1)?.seq ?? 0, Promise.resolve(shot));
  }

  /** How things stood after the first `number` actions of a line. */
  get(line: readonly PlayEvent[], number: number): Promise<Shot> {
    const event = line[number - 1];
    const seq = event?.seq ?? 0;
    let shot = this.#kept.get(seq);
    if (!shot) {
      shot = this.#ask(number, event);
      this.#kept.set(seq, shot);
      shot.catch(() => this.#kept.delete(seq)); // asked again when wanted again
    }
    return shot;
  }

  async #ask(number: number, event: PlayEvent | undefined): Promise<Shot> {
    const eyes = this.#eyes;
    await this.#turn();
    try {
      const frame = await this.fetch(this.table, number, eyes);
      // The line may have been changed by an undo in the meantime: a frame of something else is none.
      if (event && frame.seat !== event.seat) throw new Error(`frame ${number} is of another action`);
      if (event && frame.action !== event.action && !frame.action?.startsWith('J:'))
        throw new Error(`frame ${number} is of another action`);
      return frame;
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#free++;
    }
  }

  async #turn(): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((go) => this.#queue.push(go)); // the one who leaves hands its place on
  }
}
