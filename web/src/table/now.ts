/** What to do now and why, in one sentence. The facts are the server's: the view and the prospect. */
import { TILES } from '../lib/data';
import { listed, t } from '../lib/messages.svelte';
import type { Prospect, View } from '../lib/types';

/** For the player whose turn it is. */
export function todo(view: View, prospect: Prospect | null, names: readonly string[]): string {
  switch (view.phase) {
    case 'place':
      return view.tile && TILES[view.tile]?.terrain === 'volcano' ? t('status.place_volcano') : t('status.place');
    case 'act':
      return spend(view, prospect, names);
    case 'bid':
      return t('status.bid', { bid: view.bid });
    case 'take':
      return t('status.take');
    case 'decide':
      return t('status.decide');
    case 'leap':
      return t('status.leap');
    default:
      return '';
  }
}

function spend({ ap }: View, prospect: Prospect | null, names: readonly string[]): string {
  if (!prospect || prospect.round === 'none' || !ap) return t('status.act', { ap });
  const after = prospect.to_score.slice(1).map((seat) => names[seat - 1] ?? '');
  if (!after.length) return t(`status.round_${prospect.round}_last`, { ap });
  return t(`status.round_${prospect.round}`, { ap, names: listed(after) });
}

/** Special events, which a handover announces too: a scoring round or a volcano to place; otherwise empty. */
export function occasion(view: View, prospect: Prospect | null, names: readonly string[]): string {
  const volcano = view.phase === 'place' && view.tile !== null && TILES[view.tile]?.terrain === 'volcano';
  return volcano || (prospect && prospect.round !== 'none') ? todo(view, prospect, names) : '';
}

/** For everybody else: empty if there is nothing to say beyond whose turn it is. */
export function meanwhile(prospect: Prospect | null, names: readonly string[]): string {
  if (!prospect || prospect.round === 'none') return '';
  return t(`status.other_${prospect.round}`, { names: listed(prospect.to_score.map((seat) => names[seat - 1] ?? '')) });
}
