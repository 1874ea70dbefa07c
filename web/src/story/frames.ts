/** The positions after each action, fetched from the server in batches on demand, and cached. */
import { parse } from '../lib/notation';
import type { Frame, SeatNumber } from '../lib/types';
import type { PlayEvent } from './history';
import type { Shot } from './tally';

/** Requests the frames from a number on: as many as the server returns. */
export type AskFrames = (start: number, eyes: SeatNumber | undefined) => Promise<{ frames: Frame[] }>;

const MANY = 64; // how many the server returns at once

/** A pending batch of frames: those from `start` on. */
interface Batch {
  start: number;
  newest: number; // the last known action at the time of the request
  frames: Promise<Frame[]>;
}

export class Frames {
  #kept = new Map<number, Shot>(); // by the seq of the action that led there; 0: the start
  #batches: Batch[] = [];
  #eyes: SeatNumber | undefined;

  constructor(readonly ask: AskFrames) {}

  /** Chooses the seat whose view frames show; undefined: the viewer's own. */
  look(eyes: SeatNumber | undefined): void {
    if (eyes === this.#eyes) return;
    this.#eyes = eyes;
    this.#kept.clear();
    this.#batches = [];
  }

  /** The frames known without a request. */
  put(line: readonly PlayEvent[], shot: Shot): void {
    if (this.#eyes === undefined) this.#kept.set(seqOf(line, line.length), shot);
  }

  /** The position after the first `number` actions of a line. */
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

  /** The batch with a frame: a pending one, or a new one. */
  #batch(line: readonly PlayEvent[], number: number): Batch {
    const newest = line.at(-1)?.seq ?? 0;
    const onItsWay = this.#batches.find((one) => one.newest === newest && one.start <= number && number < one.start + MANY);
    if (onItsWay) return onItsWay;
    // Going back needs the frames before; going forward needs those after.
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

/** Whether a frame belongs to this line: actions may have been taken back since the request. */
function fits(line: readonly PlayEvent[], frame: Frame): boolean {
  const event = line[frame.at - 1];
  if (!event || !frame.action) return frame.at === 0;
  return frame.seat === event.seat && (frame.action === event.action || (isLeap(frame.action) && isLeap(event.action)));
}

/** Tokens are hidden until everybody has chosen, so an event and its frame may differ in them. Leaps can't be undone. */
const isLeap = (action: string): boolean => parse(action)?.kind === 'leap';
