/** The form for a new table: what is kept for the next time, and where a refusal is shown. */
import type { Refused } from '../lib/server';
import type { NewClock, NewTable } from '../lib/types';
import { LEVELS, USUAL_LEVEL } from '../lib/data';
import { sane, type Choices } from './options';
import { humans, readSeats, seatWord, type Wanted } from './seats';

/** Hours after which a player counts as absent at a table without a clock. */
export const PATIENCES = [1, 24, 72, 168];
const USUAL_PATIENCE = 24;

export interface Draft {
  seats: Wanted[];
  choices: Choices;
  public: boolean;
  seating: 'chosen' | 'random';
  /** Whether hints are allowed; null: if everybody else is a bot. */
  hints: boolean | null;
  substitute: string;
  clock: NewClock | null;
  patience_h: number;
  nonce: string;
}

/** The last choices, as far as they are still possible. A nonce is for one game only. */
export function readDraft(kept: Record<string, unknown>): Draft {
  return {
    seats: readSeats(kept.seats),
    choices: sane(typeof kept.options === 'object' && kept.options !== null ? { ...kept.options } : {}),
    public: kept.public !== false,
    seating: kept.seating === 'random' ? 'random' : 'chosen',
    hints: typeof kept.hints === 'boolean' ? kept.hints : null,
    substitute: LEVELS.includes(String(kept.substitute)) ? String(kept.substitute) : USUAL_LEVEL,
    clock: readClock(kept.clock),
    patience_h: PATIENCES.includes(Number(kept.patience_h)) ? Number(kept.patience_h) : USUAL_PATIENCE,
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

/** The request for the table. */
export function requestFor(draft: Draft): NewTable {
  return {
    options: { ...draft.choices },
    seats: draft.seats.map(seatWord),
    public: draft.public,
    seating: draft.seating,
    hints: hinted(draft),
    substitute: draft.substitute,
    clock: draft.clock,
    patience_h: draft.patience_h,
    nonce: draft.nonce || null,
  };
}

/** Whether hints are allowed. */
export function hinted({ hints, seats }: Draft): boolean {
  return hints ?? humans(seats) === 1;
}

/** All seats are taken: the game can begin at once. */
export function complete(draft: Draft): boolean {
  return draft.seats.every((seat) => seat.kind !== 'open');
}

export type Part = 'seats' | 'options' | 'clock' | 'nonce' | 'form';

const PARTS: Readonly<Record<string, Part>> = { seats: 'seats', name: 'seats', options: 'options', clock: 'clock', patience_h: 'clock', nonce: 'nonce' };

/** The part of the form where a refusal is shown. */
export function partOf(problem: Refused): Part {
  return PARTS[problem.field ?? problem.code] ?? 'form';
}
