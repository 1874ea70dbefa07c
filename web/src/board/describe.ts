/** A hex in words, for people who can't see it. */
import { listed, t } from '../lib/messages.svelte';
import type { View } from '../lib/types';
import { terrainWord } from '../lib/words';
import type { HexContent } from './model';

export function describe(
  content: HexContent,
  view: View,
  names: readonly string[],
  walk: number | null,
  action: string | null,
): string {
  const of = (seat: number) => ({ own: seat === view.viewer ? 'yes' : 'no', name: names[seat - 1] ?? t('table.seat', { number: seat }) });
  const parts = [content.hex];
  parts.push(content.tile ? terrainWord(content.tile.terrain) : t('table.unexplored'));
  if (content.level !== null) parts.push(t('table.level_here', { level: content.level }));
  if (content.guard) parts.push(t(content.gun ? 'table.guarded_gun' : 'table.guarded_by', of(content.guard)));
  else if (content.holder) parts.push(t('table.held_by', of(content.holder)));
  if (content.tokens) parts.push(t('table.treasures_here', { count: content.tokens }));
  if (content.camp) parts.push(t('table.camp_of', of(content.camp)));
  for (const { seat, member, count, worked } of content.groups) {
    parts.push(t('table.members_here', { ...of(seat), member, count }));
    if (worked) parts.push(t('table.worked', { count: worked }));
  }
  if (walk !== null) parts.push(t('table.reach', { cost: walk }));
  else if (action !== null) parts.push(t('table.can_place'));
  return listed(parts);
}
