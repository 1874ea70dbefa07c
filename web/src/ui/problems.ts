/** Refusals in the player's language. */
import { has, language, t } from '../lib/messages.svelte';
import { reason } from '../lib/reason';
import { Refused } from '../lib/server';

/** Codes for which the server's text says more: which value was wrong, or which rule forbids it. */
const PARTICULAR = new Set(['illegal', 'malformed', 'option', 'players', 'seat', 'limit', 'oversized', 'frozen', 'webhook', 'auction']);

export interface Kindly {
  text: string;
  /** The details: the condition of the rules that failed, or the server's own sentence, which only English readers get. */
  detail: string | null;
}

function detail(problem: Refused): string | null {
  if (problem.why && problem.action) return reason({ action: problem.action, code: problem.why, rule: '', text: '' }) || null;
  return PARTICULAR.has(problem.code) && language() === 'en' && !problem.reason ? problem.message : null;
}

/** A refusal as a sentence; without a message for its code, the server's own text. `about` is the request. */
export function kindly(problem: Refused, about = ''): Kindly {
  const special = `problem.${about}_${problem.code}`;
  if (about && has(special)) return { text: t(special), detail: null };
  const key = `problem.${problem.code}`;
  if (!has(key)) return { text: problem.message, detail: null };
  return { text: t(key), detail: detail(problem) };
}

/** The refusal that was thrown. Any other error is a bug and is thrown again. */
export function refusal(error: unknown): Refused {
  if (error instanceof Refused) return error;
  throw error;
}
