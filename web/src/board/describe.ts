/** A hex in words, for those who don't see it. */
import { t, word } from '../lib/messages.svelte';
import type { View } from '../lib/types';
import type { HexContent } from './model';

const TERRAIN: Record<string, string> = { base: 'base_camp', temple: 'temple', jungle: 'jungle', treasure: 'treasure_tile', volcano: 'volcano' };

export function describe(
  content: HexContent,
  view: View,
  names: readonly string[],
  walk: number | null,
  action: string | null,
): string {
  const name = (seat: number) => (seat === view.viewer ? t('table.you') : (names[seat - 1] ?? `${word('seat')} ${seat}`));
  const parts = [content.hex];
  parts.push(content.tile ? word(TERRAIN[content.tile.terrain]!) : t('table.unexplored'));
  if (content.level !== null) parts.push(`${word('level')} ${content.level}`);
  if (content.guard) parts.push(t('table.guarded_by', { name: name(content.guard) }));
  else if (content.holder) parts.push(t('table.held_by', { name: name(content.holder) }));
  if (content.gun) parts.push(word('gun'));
  if (content.tokens) parts.push(`${content.tokens} ${word('treasure', content.tokens)}`);
  if (content.camp) parts.push(t('table.camp_of', { name: name(content.camp) }));
  for (const group of content.groups) {
    const what = group.member === 'L' ? word('leader') : `${group.count} ${word('worker', group.count)}`;
    parts.push(`${name(group.seat)}: ${what}`);
  }
  if (walk !== null) parts.push(t('table.reach', { cost: walk }));
  else if (action !== null) parts.push(t('table.can_place'));
  return parts.join(', ');
}
