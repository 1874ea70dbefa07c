/** Actions and reasons in words, for buttons. */
import { t, word } from '../lib/messages.svelte';
import type { Action } from '../lib/notation';
import { capital } from '../lib/words';

/** A short label of the action. The board shows where. */
export function label(action: Action, names: readonly string[]): string {
  switch (action.kind) {
    case 'enter':
      return t('table.do_enter', { member: action.member });
    case 'guard':
      return t('table.do_guard', { member: action.member });
    case 'move':
    case 'camp_move':
      return t(`table.do_${action.kind}`, { member: action.member, hex: action.to });
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

/** How many of the player's members on a hex leave the game with an action: all but those that become the guard. */
export function leaving(action: Action, own: number): number {
  if (action.kind === 'guard') return own - 1;
  return action.kind === 'gun' ? own - 2 : 0;
}
