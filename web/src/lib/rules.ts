/** The places in the rules that cards and refusals refer to: pages and anchors of `/rules`. A test checks all of them. */
import { parse, type ActionKind } from './notation';
import type { Refusal } from './types';

/** The sections that refusals name, by their numbers in the rules. */
const SECTIONS: Readonly<Record<string, string>> = {
  '3': 'game#a-turn',
  '3.1': 'game#placing-a-tile',
  '7': 'game#the-auction-game',
  '8': 'editions#camp_needs_member',
  '10.3': 'variants#obstacles',
  '10.4': 'variants#machine-gun',
  '10.6': 'variants#leaps',
};

/** Section 4 is about all actions; each has its own place there. */
const ACTIONS: Readonly<Partial<Record<ActionKind, string>>> = {
  enter: 'game#enter-a-member',
  move: 'game#moving',
  camp_move: 'game#move-camp-to-camp',
  excavate: 'game#work-takes-people',
  dig: 'game#work-takes-people',
  exchange: 'game#exchange',
  camp: 'game#camps',
  guard: 'game#guards',
};

/** The address of a rule: `game#guards` is on the page `/rules/game`. */
export const addressOf = (rule: string): string => `/rules/${rule}`;

/** The address of the rule that a refusal names. */
export function refusedBy({ rule, action }: Pick<Refusal, 'rule' | 'action'>): string {
  if (/^R\d+$/.test(rule)) return addressOf(`rulings#${rule.toLowerCase()}`);
  const kind = parse(action)?.kind;
  return addressOf(SECTIONS[rule] ?? (kind && ACTIONS[kind]) ?? 'game#actions');
}
