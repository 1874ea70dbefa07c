/** Why the rules refuse an action, and why something can't be used, in words. */
import { has, t, textOf } from './messages.svelte';
import { parse } from './notation';
import type { Reason, Refusal } from './types';

/** The condition that fails, as a sentence. */
export function reason(refusal: Refusal): string {
  const kind = parse(refusal.action)?.kind ?? '';
  const key = [`refusal.${kind}_${refusal.code}`, `refusal.${refusal.code}`].find(has);
  return key ? t(key) : refusal.text;
}

/** A reason of the server, in words. The area `reason` must be loaded: `await needs('reason')`. */
export function explained({ key, values }: Reason): string {
  if (key === 'illegal') return illegal(values as Record<'action' | 'code' | 'rule', string>);
  const filled = Object.entries(values).map(([name, value]) => [name, typeof value === 'object' ? explained(value) : value]);
  return textOf(`reason.${key}`, Object.fromEntries(filled) as Record<string, string | number>);
}

function illegal({ action, code, rule }: Record<'action' | 'code' | 'rule', string>): string {
  const by = rule.startsWith('R') ? 'ruling' : rule ? 'rules' : 'other';
  return t('reason.illegal', { action, why: reason({ action, code, rule, text: code }), by, rule });
}
