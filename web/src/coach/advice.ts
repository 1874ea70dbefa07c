/**
 * The coach's sentences, made from a bot's analysis: the parts of its value, temples that change hands, temples that
 * rivals can take. This module knows no rules; it only chooses what to say.
 */
import { t, textOf } from '../lib/messages.svelte';
import { parse, type ActionKind } from '../lib/notation';
import type { Analysis, Change, Fear, Forecast, Prospect, SeatNumber, View } from '../lib/types';
import { sum, templeStates } from '../table/standing';

/** A turn this many points worse than the best one is a blunder. */
export const BLUNDER = 4;
const NEAR = 0.3; // a volcano this likely is worth mentioning
const CHEAP = 5; // action points for which a rival surely takes a temple
const MOST = 3; // sentences at a time

type Names = readonly string[];
type Parts = Readonly<Record<string, number>>;
type Turn = Analysis['turns'][number];

const nameOf = (names: Names, seat: SeatNumber): string => names[seat - 1] ?? '';
const highest = <Temple extends { level: number }>(temples: readonly Temple[]): Temple | undefined => [...temples].sort((a, b) => b.level - a.level)[0];

/** The temples that a turn wins for a seat. */
const won = (changes: readonly Change[], seat: SeatNumber): Change[] => changes.filter(({ after }) => after === seat);

/** What a position is worth by its visible parts, without the outlook. */
function seen(parts: Parts): number {
  return Object.entries(parts).reduce((sum, [part, points]) => (part === 'outlook' ? sum : sum + points), 0);
}

/** What matters in the turn that begins. */
export function before(view: View, prospect: Prospect | null, analysis: Analysis, names: Names): string[] {
  const seat = view.seat ?? 1;
  const best = analysis.turns[0];
  const said: string[] = [];
  if (prospect && prospect.round !== 'none') said.push(t(`coach.round_${prospect.round}`));
  else if (prospect && prospect.volcano >= NEAR) said.push(t('coach.volcano_near', { chance: prospect.volcano }));
  const prize = highest(won(best?.changes ?? [], seat));
  if (prize) said.push(winning(view, prize, names));
  const fear = highest(analysis.fears.filter(({ cost, level }) => cost <= CHEAP && level > 1));
  if (fear) said.push(t('coach.watch', { ...fear, name: nameOf(names, fear.seat) }));
  const part = best && mainPart(analysis.now, best);
  if (part && said.length < MOST) said.push(textOf(`coach.part_${part}`));
  return said.length ? said.slice(0, MOST) : [t('coach.part_outlook')];
}

/** A temple that the best turn wins: from a rival, from nobody, or on the tile that is still to be placed. */
function winning(view: View, { hex, level, before }: Change, names: Names): string {
  if (before) return t('coach.take_from', { hex, level, name: nameOf(names, before) });
  return hex in view.levels ? t('coach.take_free', { hex, level }) : t('coach.take_new', { hex, level });
}

/** Parts that also change on their own: the coach mentions them only if the turn has such an action. */
const BY_ACTION: Readonly<Record<string, readonly ActionKind[]>> = { camps: ['camp'], guards: ['guard', 'gun'], exchanges: ['exchange'] };

/** The part of the value that a turn improves most by what the player does. */
function mainPart(now: Parts, turn: Turn): string | null {
  const after: Parts = turn.parts;
  const gain = (part: string) => after[part]! - (now[part] ?? 0);
  const kinds = new Set(turn.actions.map((action) => parse(action)?.kind));
  const done = (part: string) => BY_ACTION[part]?.some((kind) => kinds.has(kind)) ?? true;
  const [best] = Object.keys(after).filter((part) => part !== 'outlook' && done(part)).sort((a, b) => gain(b) - gain(a));
  return best && gain(best) > 0 ? best : null;
}

/** What the coach knew when the turn began: the best turn, and the temples held then. */
export interface Start {
  best: Turn | null;
  held: Readonly<Record<string, number>>;
}

/** Why it would be a blunder to end the turn now; null if it would not be, or if no reason can be named. */
export function blunder(view: View, forecast: readonly Forecast[], start: Start | null, analysis: Analysis, names: Names): string | null {
  const seat = view.seat ?? 1;
  const rest = analysis.turns[0];
  const value = seen(analysis.now);
  const more = rest ? seen(rest.parts) - value : 0;
  const lost = Math.max(more, start?.best ? seen(start.best.parts) - value : 0);
  if (lost < BLUNDER) return null;
  const best = more >= BLUNDER ? rest! : (start?.best ?? rest!);
  const fear = left(analysis.fears, best.fears);
  if (fear) return t('coach.leaves', { ...fear, name: nameOf(names, fear.seat) });
  const own = forecast.find((row) => row.seat === seat)?.temples ?? {};
  const given = highest(Object.entries(start?.held ?? {}).map(([hex, level]) => ({ hex, level })).filter(({ hex }) => !(hex in own)));
  if (given) return t('coach.gives_up', given);
  if (more < BLUNDER) return null; // nothing much can be gained any more
  const prize = highest(won(rest!.changes, seat));
  if (prize) return t('coach.unspent_take', { ap: view.ap, hex: prize.hex, level: prize.level });
  return t('coach.unspent', { ap: view.ap, points: Math.round(more) });
}

/** The highest temple that a rival surely takes now, and not after the better turn. */
function left(now: readonly Fear[], better: readonly Fear[]): Fear | undefined {
  const safe = (fear: Fear) => !better.some(({ hex, cost }) => hex === fear.hex && cost <= CHEAP);
  return highest(now.filter((fear) => fear.cost <= CHEAP && safe(fear)));
}

/** What a scoring brought and what it did not, derived from the position just before it. */
export function scored(seat: SeatNumber, view: View, forecast: readonly Forecast[], names: Names): string[] {
  const row = forecast.find((one) => one.seat === seat);
  if (!row) return [];
  const said = [
    row.total ? t('coach.scored', { total: row.total, temples: sum(row.temples), treasures: sum(row.treasures) }) : t('coach.scored_nothing'),
  ];
  const best = highest(Object.entries(row.temples).map(([hex, level]) => ({ hex, level })));
  if (best) said.push(t('coach.scored_best', best));
  const missed = highest(templeStates(view, forecast).filter(({ guard, holder, strengths }) => !guard && holder !== seat && strengths[seat - 1]));
  if (missed) {
    const { hex, level, holder, strengths } = missed;
    const yours = strengths[seat - 1]!;
    const rival = holder ?? strengths.findIndex((strength, index) => index !== seat - 1 && strength >= yours) + 1;
    const name = nameOf(names, rival);
    said.push(holder ? t('coach.scored_behind', { hex, level, name, yours, theirs: strengths[holder - 1]! }) : t('coach.scored_tie', { hex, level, name }));
  }
  return said;
}
