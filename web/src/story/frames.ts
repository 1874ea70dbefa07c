/** How things stood after each action, fetched from the server many at once when wanted, and kept. */
import type { Frame, SeatNumber } from '../lib/types';
import type { PlayEvent } from './history';
import type { Shot } from './tally';

/** Asks for the frames from a number on: as many as the server likes to give. */
export type AskFrames = (start: number, eyes: SeatNumber | undefined) => Promise<{ frames: Frame[] }>;

const MANY = 64; // how many the server gives at once

/** Frames on their way: those from `start` on. */
interface Batch {
  start: number;
  newest: number; // the last action that was known when they were asked for
  frames: Promise<Frame[]>;
}

export class Frames {
  #kept = new Map<number, Shot>(); // by the seq of the action that led there; 0: the start
  #batches: Batch[] = [];
  #eyes: SeatNumber | undefined;

  constructor(readonly ask: AskFrames) {}

  /** Through whose eyes frames are seen from now on; undefined: one's own. */
  look(eyes: SeatNumber | undefined): void {
    if (eyes === this.#eyes) return;
    this.#eyes = eyes;
    this.#kept.clear();
    this.#batches = [];
  }

  /** What is known without asking. */
  put(line: readonly PlayEvent[], shot: Shot): void {
    if (this.#eyes === undefined) this.#kept.set(seqOf(line, line.length), shot);
  }

  /** How things stood after the first `number` actions of a line. */
  async get(line: readonly PlayEvent[], number: number): Promise<Shot> {
    const known = this.#kept.get(seqOf(line, number));
    if (known) return known;
    for (const frame of await this.#batch(line, number).frames) {
      if (fits(line, frame)) this.#kept.set(seqOf(line, frame.at), frame);
    }
    const found = this.#kept.get(seqOf(line, number));
    if (!found) throw new Error(`there is no frame ${number}`);
    return found;
  }

  /** The batch that holds a frame: one that is on its way, or a new one. */
  #batch(line: readonly PlayEvent[], number: number): Batch {
    const newest = line.at(-1)?.seq ?? 0;
    const onItsWay = this.#batches.find((one) => one.newest === newest && one.start <= number && number < one.start + MANY);
    if (onItsWay) return onItsWay;
    // Who goes back wants those before, who goes forth those after.
    const goesBack = this.#kept.has(seqOf(line, number + 1)) && number < line.length - 1;
    const start = goesBack ? Math.max(0, number - MANY + 1) : number;
    const frames = this.ask(start, this.#eyes).then((answer) => answer.frames);
    const batch = { start, newest, frames };
    this.#batches.push(batch);
    const forget = () => void (this.#batches = this.#batches.filter((one) => one !== batch));
    frames.then(forget, forget);
    return batch;
  }
}

function seqOf(line: readonly PlayEvent[], number: number): number {
  return line[number - 1]?.seq ?? 0;
}

/** Whether a frame is of this line: something may have been taken back since it was asked for. */
function fits(line: readonly PlayEvent[], frame: Frame): boolean {
  const event = line[frame.at - 1];
  if (!event) return frame.at === 0;
  const secret = frame.action?.startsWith('J:') && event.action.startsWith('J:');
  return frame.seat === event.seat && (frame.action === event.action || secret === true);
}
