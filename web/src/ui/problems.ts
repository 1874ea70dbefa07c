/** What was refused, in the words of who reads it. */
import { has, t } from '../lib/messages.svelte';
import { Refused } from '../lib/server';

/** Codes whose text says more than the code: which value was wrong, which rule is against it. */
const PARTICULAR = new Set(['illegal', 'malformed', 'option', 'players', 'seat', 'limit', 'oversized', 'frozen', 'webhook', 'auction']);

export interface Kindly {
  text: string;
  /** The server's own sentence, where it says more. */
  detail: string | null;
}

/** A refusal as a sentence; one that has no text of ours is said as the server said it. `about` is what was asked for. */
export function kindly(problem: Refused, about = ''): Kindly {
  const special = `problem.${about}_${problem.code}`;
  if (about && has(special)) return { text: t(special), detail: null };
  const key = `problem.${problem.code}`;
  if (!has(key)) return { text: problem.message, detail: null };
  return { text: t(key), detail: PARTICULAR.has(problem.code) ? problem.message : null };
}

/** The refusal that was thrown; anything else is a fault of ours and goes on. */
export function refusal(error: unknown): Refused {
  if (error instanceof Refused) return error;
  throw error;
}
