/** Why the rules refuse an action, in words. */
import { has, t } from './messages.svelte';
import { parse } from './notation';
import type { Refusal } from './types';

/** The condition that fails, as a sentence. */
export function reason(refusal: Refusal): string {
  const kind = parse(refusal.action)?.kind ?? '';
  const key = [`refusal.${kind}_${refusal.code}`, `refusal.${refusal.code}`].find(has);
  return key ? t(key) : refusal.text;
}
