/** Words of the game that several places need in the same form. */
import { language, word } from './messages.svelte';
import type { MemberKind } from './types';

/** Capitalises a text that stands alone. */
export function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase(language()) + text.slice(1);
}

/** A bot's level as a name: "Surveyor". */
export function levelName(level: string | null | undefined): string {
  return capital(word(`bot.${level}`));
}

/** "leader", "worker", "workers". */
export function memberWord(member: MemberKind, count = 1): string {
  return word(member === 'L' ? 'leader' : 'worker', count);
}

/** What a hex is: "temple", "base camp", "lake". */
export function terrainWord(terrain: string): string {
  return word({ base: 'base_camp', treasure: 'treasure_tile' }[terrain] ?? terrain);
}
