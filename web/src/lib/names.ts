/** What the seats of a table are called. */
import { t, word } from './messages.svelte';
import type { Seat } from './types';

type Named = Pick<Seat, 'seat' | 'kind' | 'name' | 'level'>;

/** A person's own name; a bot that has none is called by its level, and numbered where there are several. */
export function seatNames(seats: readonly Named[]): string[] {
  const plain = seats.map(({ seat, kind, name, level }) => {
    if (kind === 'bot' && level && (!name || name === level)) return first(word(`bot.${level}`));
    return name || t('table.seat', { number: seat });
  });
  return plain.map((name, index) => {
    const before = plain.slice(0, index).filter((other) => other === name).length;
    return plain.filter((other) => other === name).length > 1 ? `${name} ${before + 1}` : name;
  });
}

function first(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a kind of treasure shows. */
export function treasureName(kind: number): string {
  return t(`art.treasure_${kind}`);
}
