/** Why a turn is proposed, in words: the changes of the parts of the bot's value. */
import { has, t, textOf } from '../lib/messages.svelte';

import type { Change, Fear, SeatNumber } from '../lib/types';

type Parts = Readonly<Record<string, number>>;

export interface Reason {
  part: string;
  /** Points that the turn gains (or, below 0, costs) in this part. */
  points: number;
}

const WORTH_SAYING = 0.5; // points
const MOST = 3;

/** Rivals answer every turn, so of this part only the difference from the other turns counts. */
const ANSWERS = 'outlook';
/** Parts that count as soon as there is a scoring; all others are for the turns after. */
const AT_ONCE = new Set(['score', 'temples', 'guards', 'treasures']);

/** What a turn gains and what it costs, the largest first; `others` are the parts of the turns that it is compared with. */
export function reasons(now: Parts, after: Parts, others: readonly Parts[] = []): { gains: Reason[]; costs: Reason[] } {
  const usual = others.reduce((sum, parts) => sum + (parts[ANSWERS] ?? 0), 0) / (others.length || 1);
  const before = (part: string) => (part === ANSWERS ? usual : (now[part] ?? 0));
  const shown = Object.keys(after).filter((part) => part !== ANSWERS || others.length);
  const changes = shown.map((part) => ({ part, points: after[part]! - before(part) }));
  const by = (sign: 1 | -1) => changes.filter(({ points }) => points * sign >= WORTH_SAYING).sort((a, b) => sign * (b.points - a.points));
  return { gains: by(1).slice(0, MOST), costs: by(-1).slice(0, MOST) };
}

/** Reasons by when they count. */
export function inTime(all: readonly Reason[]): { now: Reason[]; later: Reason[] } {
  return { now: all.filter(({ part }) => AT_ONCE.has(part)), later: all.filter(({ part }) => !AT_ONCE.has(part)) };
}

/** The temples that change hands, and who loses them: the highest first. */
export function effectsOf(changes: readonly Change[], seat: SeatNumber, names: readonly string[]): string[] {
  const said = ({ hex, level, before, after }: Change): string => {
    if (after === seat) return before ? t('hints.takes_from', { hex, level, name: names[before - 1] ?? '' }) : t('hints.takes_free', { hex, level });
    if (before === seat) return t('hints.gives_up', { hex, level });
    return before ? t('hints.breaks', { hex, level, name: names[before - 1] ?? '' }) : '';
  };
  return [...changes].sort((a, b) => b.level - a.level).map(said).filter(Boolean).slice(0, MOST);
}

/** The temples that the turn leaves to rivals, the highest first. */
export function fearsOf(fears: readonly Fear[], names: readonly string[]): string[] {
  const worst = fears.filter(({ level }) => level > 1).sort((a, b) => b.level - a.level || a.cost - b.cost);
  return worst.slice(0, MOST - 1).map((fear) => t('hints.fear', { ...fear, name: names[fear.seat - 1] ?? '' }));
}

/** A reason as a sentence. */
export function inWords({ part, points }: Reason): string {
  const key = `hints.${points > 0 ? 'gain' : 'cost'}_${part}`;
  return t('hints.reason', { why: has(key) ? textOf(key) : part, points: Math.round(Math.abs(points)) });
}
