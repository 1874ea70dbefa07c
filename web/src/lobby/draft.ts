/** A new table while it is thought about: what is kept for the next time, and where a refusal belongs. */
import type { Refused } from '../lib/server';
import type { NewClock, NewTable } from '../lib/types';
import { LEVELS } from '../lib/data';
import { sane, type Choices } from './options';
import { readSeats, seatWord, USUAL_LEVEL, type Wanted } from './seats';

export interface Draft {
  seats: Wanted[];
  choices: Choices;
  public: boolean;
  seating: 'chosen' | 'random';
  hints: boolean;
  substitute: string;
  clock: NewClock | null;
  nonce: string;
}

/** What was chosen the last time, as far as it still can be. A nonce is for one game only. */
export function readDraft(kept: Record<string, unknown>): Draft {
  return {
    seats: readSeats(kept.seats),
    choices: sane(typeof kept.options === 'object' && kept.options !== null ? { ...kept.options } : {}),
    public: kept.public !== false,
    seating: kept.seating === 'random' ? 'random' : 'chosen',
    hints: kept.hints === true,
    substitute: LEVELS.includes(String(kept.substitute)) ? String(kept.substitute) : USUAL_LEVEL,
    clock: readClock(kept.clock),
    nonce: '',
  };
}

function readClock(kept: unknown): NewClock | null {
  const { kind, bank_s, increment_s, days, timeout } = { ...(kept as Record<string, unknown> | null) };
  const late = timeout === 'seat' ? 'seat' : 'turn';
  if (kind === 'live' && Number.isInteger(bank_s) && Number.isInteger(increment_s))
    return { kind, bank_s: bank_s as number, increment_s: increment_s as number, timeout: late };
  return kind === 'daily' && Number.isInteger(days) ? { kind, days: days as number, timeout: late } : null;
}

/** What the server is asked for. */
export function wish(draft: Draft): NewTable {
  return {
    options: { ...draft.choices },
    seats: draft.seats.map(seatWord),
    public: draft.public,
    seating: draft.seating,
    hints: draft.hints,
    substitute: draft.substitute,
    clock: draft.clock,
    nonce: draft.nonce || null,
  };
}

/** All seats are taken: the game can begin at once. */
export function complete(draft: Draft): boolean {
  return draft.seats.every((seat) => seat.kind !== 'open');
}

export type Part = 'seats' | 'options' | 'clock' | 'nonce' | 'form';

/** The part of the form that a refusal is about, by what its text begins with. */
export function partOf(problem: Refused): Part {
  const about = problem.message.split(/[:. ]/)[0]!;
  if (about === 'nonce' || about === 'clock') return about;
  if (problem.code === 'name' || problem.code === 'players' || about === 'seat' || about === 'seats' || about === 'bot') return 'seats';
  return problem.code === 'option' ? 'options' : 'form';
}
