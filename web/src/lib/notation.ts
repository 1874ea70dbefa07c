/** Actions as text and back: the notation's forms and nothing else. */
import type { Hex, MemberKind, SeatNumber } from './types';

export type Action =
  | { kind: 'place'; tile: string; hex: Hex; rotation: number }
  | { kind: 'enter'; member: MemberKind; hex: Hex }
  | { kind: 'move'; member: MemberKind; from: Hex; to: Hex }
  | { kind: 'camp_move'; member: MemberKind; from: Hex; to: Hex }
  | { kind: 'excavate'; hex: Hex }
  | { kind: 'dig'; hex: Hex }
  | { kind: 'exchange'; with: SeatNumber; give: number; take: number }
  | { kind: 'camp'; hex: Hex }
  | { kind: 'guard'; member: MemberKind; hex: Hex }
  | { kind: 'end' }
  | { kind: 'bid'; amount: number }
  | { kind: 'pass' }
  | { kind: 'take'; tile: string }
  | { kind: 'obstacle'; from: Hex; to: Hex }
  | { kind: 'gun'; hex: Hex }
  | { kind: 'shoot'; seat: SeatNumber; hex: Hex }
  | { kind: 'score_volcano' }
  | { kind: 'skip_volcano' }
  | { kind: 'leap'; tokens: number | null };

export type ActionKind = Action['kind'];

type Reader = (part: Record<string, string>) => Action;
const HEX = '[a-h][1-5]';
const IS_HEX = new RegExp(`^${HEX}$`);
const FORMS: readonly [RegExp, Reader][] = [
  [/^\.$/, () => ({ kind: 'end' })],
  [
    new RegExp(`^(?<tile>[A-G][1-6])@(?<hex>${HEX})\\^(?<n>[0-5])$`),
    (p) => ({ kind: 'place', tile: p.tile!, hex: p.hex!, rotation: Number(p.n) }),
  ],
  [
    new RegExp(`^\\+(?<member>[WL])@(?<hex>${HEX})$`),
    (p) => ({ kind: 'enter', member: p.member as MemberKind, hex: p.hex! }),
  ],
  [
    new RegExp(`^(?<member>[WL]):(?<from>${HEX})(?<how>[-=])(?<to>${HEX})$`),
    (p) => ({ kind: p.how === '=' ? 'camp_move' : 'move', member: p.member as MemberKind, from: p.from!, to: p.to! }),
  ],
  [new RegExp(`^X@(?<hex>${HEX})$`), (p) => ({ kind: 'excavate', hex: p.hex! })],
  [new RegExp(`^D@(?<hex>${HEX})$`), (p) => ({ kind: 'dig', hex: p.hex! })],
  [
    /^S:(?<seat>[1-4]):(?<give>[1-8])\/(?<take>[1-8])$/,
    (p) => ({ kind: 'exchange', with: Number(p.seat), give: Number(p.give), take: Number(p.take) }),
  ],
  [new RegExp(`^C@(?<hex>${HEX})$`), (p) => ({ kind: 'camp', hex: p.hex! })],
  [
    new RegExp(`^G(?<member>[WL])@(?<hex>${HEX})$`),
    (p) => ({ kind: 'guard', member: p.member as MemberKind, hex: p.hex! }),
  ],
  [/^B:-$/, () => ({ kind: 'pass' })],
  [/^B:(?<n>\d+)$/, (p) => ({ kind: 'bid', amount: Number(p.n) })],
  [/^K:(?<tile>[A-G][1-6])$/, (p) => ({ kind: 'take', tile: p.tile! })],
  [new RegExp(`^O:(?<from>${HEX})-(?<to>${HEX})$`), (p) => ({ kind: 'obstacle', from: p.from!, to: p.to! })],
  [new RegExp(`^M@(?<hex>${HEX})$`), (p) => ({ kind: 'gun', hex: p.hex! })],
  [new RegExp(`^R:(?<seat>[1-4])@(?<hex>${HEX})$`), (p) => ({ kind: 'shoot', seat: Number(p.seat), hex: p.hex! })],
  [/^V:\+$/, () => ({ kind: 'score_volcano' })],
  [/^V:-$/, () => ({ kind: 'skip_volcano' })],
  [/^J:(?<n>\d+|\?)$/, (p) => ({ kind: 'leap', tokens: p.n === '?' ? null : Number(p.n) })],
];

/** Whether a text is the name of a hex. */
export const isHex = (text: string): text is Hex => IS_HEX.test(text);

/** The parts of an action; null if the text is not an action. */
export function parse(text: string): Action | null {
  for (const [form, read] of FORMS) {
    const found = form.exec(text);
    if (found) return read(found.groups ?? {});
  }
  return null;
}

/** The actions that the client writes itself; all others come from the server's offer. */
type Written = Extract<Action, { kind: 'place' | 'enter' | 'exchange' }>;

/** The text of an action: the inverse of `parse`. */
export function write(action: Written): string {
  if (action.kind === 'place') return `${action.tile}@${action.hex}^${action.rotation}`;
  if (action.kind === 'enter') return `+${action.member}@${action.hex}`;
  return `S:${action.with}:${action.give}/${action.take}`;
}

/** The hex where an action of a member ends. */
export const goalOf = (action: Action | null): Hex | undefined => (action ? hexesOf(action).at(-1) : undefined);

/** The hexes that an action is about, in the order in which it touches them. */
export function hexesOf(action: Action): Hex[] {
  if ('from' in action) return [action.from, action.to];
  return 'hex' in action ? [action.hex] : [];
}
