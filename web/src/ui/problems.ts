/** Refusals in the player's language. */
import { has, t } from '../lib/messages.svelte';
import { reason } from '../lib/reason';
import { Refused } from '../lib/server';

export interface Kindly {
  text: string;
  /** The condition of the rules that failed. */
  detail: string | null;
}

function detail({ action, why }: Refused): string | null {
  return why && action ? reason({ action, code: why, rule: '', text: '' }) || null : null;
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
