/** Actions and reasons in words, as they stand on buttons. */
import { has, t, word } from '../lib/messages.svelte';
import { parse, type Action } from '../lib/notation';
import type { Refusal } from '../lib/types';

/** A short label: what would be done. The board says where. */
export function label(action: Action, names: readonly string[]): string {
  switch (action.kind) {
    case 'enter':
      return t('table.do_enter', { member: word(action.member === 'L' ? 'leader' : 'worker') });
    case 'guard':
      return t('table.do_guard', { member: word(action.member === 'L' ? 'leader' : 'worker') });
    case 'move':
    case 'camp_move':
      return t(`table.do_${action.kind}`, {
        member: word(action.member === 'L' ? 'leader' : 'worker'),
        hex: action.to,
      });
    case 'obstacle':
      return t('table.do_obstacle', { from: action.from, to: action.to });
    case 'shoot':
      return t('table.do_shoot', { name: names[action.seat - 1] ?? String(action.seat) });
    case 'bid':
      return String(action.amount);
    default:
      return capital(word(`action.${action.kind}`));
  }
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Why something can't be done. */
export function reason(refusal: Refusal): string {
  const kind = parse(refusal.action)?.kind ?? '';
  const key = [`refusal.${kind}_${refusal.code}`, `refusal.${refusal.code}`].find(has);
  return key ? t(key) : refusal.text;
}
