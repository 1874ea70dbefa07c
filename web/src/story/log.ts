/** Events in words. Pure but for the language: the same events give the same lines. */
import { TILES } from '../lib/data';
import { has, t, word } from '../lib/messages.svelte';
import { parse, type Action } from '../lib/notation';
import type { Seat, SeatNumber } from '../lib/types';
import type { PlayEvent } from './history';

/** The name of who sits there. */
export function nameOf(seats: readonly Seat[], seat: SeatNumber): string {
  return seats.find((one) => one.seat === seat)?.name || t('log.seat', { seat });
}

/** A tile in words: what it is, and its value where it has one. */
export function tileInWords(name: string): string {
  const tile = TILES[name];
  if (!tile) return name;
  const what = word(tile.terrain === 'treasure' ? 'treasure_tile' : tile.terrain);
  return tile.value ? t('log.tile_value', { what, value: tile.value }) : what;
}

/** A treasure in words. */
export function treasureInWords(kind: number): string {
  const key = `art.treasure_${kind}`;
  return has(key) ? t(key) : t('log.treasure', { treasure: word('treasure'), kind });
}

/** The game's words that sentences about members are made of. */
const members = () => ({ worker: word('worker'), leader: word('leader'), workers: word('worker', 2) });

/** An action in words, without who did it. */
export function actionInWords(action: Action, revealed: number | null, seats: readonly Seat[]): string {
  switch (action.kind) {
    case 'place':
      return t('log.place', { tile: action.tile, what: tileInWords(action.tile), hex: action.hex });
    case 'enter':
      return t('log.enter', { ...members(), member: action.member, count: 1, hex: action.hex });
    case 'move':
      return t('log.move', { ...members(), member: action.member, from: action.from, to: action.to });
    case 'camp_move':
      return t('log.camp_move', { ...members(), member: action.member, from: action.from, to: action.to });
    case 'excavate':
      return revealed === null
        ? t('log.excavate', { hex: action.hex })
        : t('log.excavate_dice', { hex: action.hex, dice: word('die', 2), sum: revealed });
    case 'dig':
      return revealed === null
        ? t('log.dig_hidden', { hex: action.hex, treasure: word('treasure') })
        : t('log.dig', { hex: action.hex, treasure: treasureInWords(revealed) });
    case 'exchange':
      return t('log.exchange', {
        give: treasureInWords(action.give),
        take: treasureInWords(action.take),
        name: nameOf(seats, action.with),
      });
    case 'camp':
      return t('log.camp', { camp: word('camp'), hex: action.hex });
    case 'guard':
      return t('log.guard', { ...members(), member: action.member, hex: action.hex, guard: word('guard') });
    case 'gun':
      return t('log.gun', { hex: action.hex, guard: word('guard'), gun: word('gun') });
    case 'shoot':
      return t('log.shoot', { ...members(), hex: action.hex, name: nameOf(seats, action.seat) });
    case 'obstacle':
      return t('log.obstacle', { from: action.from, to: action.to, obstacle: word('obstacle') });
    case 'end':
      return t('log.end');
    case 'bid':
      return t('log.bid', { amount: action.amount });
    case 'pass':
      return t('log.pass');
    case 'take':
      return t('log.take', { tile: action.tile, what: tileInWords(action.tile) });
    case 'score_volcano':
      return word('action.score_volcano');
    case 'skip_volcano':
      return word('action.skip_volcano');
    case 'leap':
      return action.tokens === null
        ? t('log.leap_secret')
        : t('log.leap', { count: action.tokens, tokens: word('token', action.tokens) });
  }
}

/** One action, with who did it: for the bar under the board. */
export function caption(event: PlayEvent, seats: readonly Seat[]): string {
  const action = parse(event.action);
  const text = action ? actionInWords(action, event.revealed, seats) : event.action;
  return t('log.caption', { name: nameOf(seats, event.seat), text });
}
