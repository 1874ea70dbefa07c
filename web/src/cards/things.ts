/** The content of a card: the kind of thing, its current facts, and related things. */
import { contentOf, pair, type HexContent } from '../board/model';
import { parse, write } from '../lib/notation';
import { Refused, server } from '../lib/server';
import type { Forecast, Hex, Refusal, SeatNumber, View } from '../lib/types';
import { onHex, type Choice } from '../table/choices';
import type { Picker } from '../table/picker.svelte';
import { seatState, templeStates, type TempleState } from '../table/standing';
import data from './cards.json';

export type Kind = keyof typeof data;

/** A line of a card: a text, optionally with the options it applies to and its own rule. */
interface Line {
  line: string;
  when?: Readonly<Record<string, unknown>>;
  rule?: string;
}

/** The cards by kind of thing. Their texts are the messages `cards.KIND_title` and `cards.KIND_LINE`. */
export const CARDS = data as Readonly<Record<Kind, { rule?: string; lines: readonly (string | Line)[] }>>;

export interface Thing {
  kind: Kind;
  values: Readonly<Record<string, string | number>>;
  also: readonly Thing[];
  hex: Hex | null;
}

/** The table as cards see it. */
export interface Around {
  view: View;
  forecast: readonly Forecast[];
  names: readonly string[];
}

const PLACING = '3.1'; // the section about placing tiles

const plain = (kind: Kind, values: Thing['values'] = {}): Thing => ({ kind, values, also: [], hex: null });
const isKind = (text: string): text is Kind => text in CARDS;

/** The lines of a card that apply to a game with these options. */
export function linesOf(kind: Kind, options: View['options']): Line[] {
  const holds = ({ when = {} }: Line) =>
    Object.entries(when).every(([name, value]) => {
      const chosen = options[name as keyof typeof options];
      return value === 'any' ? Boolean(chosen) : chosen === value;
    });
  return CARDS[kind].lines.map((line) => (typeof line === 'string' ? { line } : line)).filter(holds);
}

/** The thing that an element of the page shows; null if there is no card for it. */
export function thingOf(element: Element, around: Around): Thing | null {
  const { about, of = '', hex, refused, action } = (element as HTMLElement | SVGElement).dataset;
  if (about === 'seat') return seat(Number(of), around);
  if (about) return isKind(about) ? piece(about, element, around) : null;
  if (hex) return onBoard(hex, around);
  const kind = parse((refused ?? action ?? '').split(' ')[0]!)?.kind ?? '';
  return isKind(kind) ? plain(kind) : null;
}

/** A piece on the board includes everything else on its hex. */
function piece(kind: Kind, element: Element, around: Around): Thing {
  const under = element.closest<SVGElement>('[data-hex]')?.dataset.hex;
  if (!under) return plain(kind);
  const below = onBoard(under, around);
  return { ...plain(kind), also: [below, ...below.also.filter((other) => other.kind !== kind)] };
}

function seat(number: SeatNumber, { view, forecast, names }: Around): Thing {
  const { score, now, treasures, tokens } = seatState(view, forecast, number);
  const kinds: Kind[] = ['score', 'forecast', 'reserve', 'leader', 'camp', 'guard'];
  if (treasures.length) kinds.push('treasure');
  if (tokens !== null) kinds.push('leap_tokens');
  return { kind: 'seat', values: { name: names[number - 1] ?? '', score, now }, also: kinds.map((kind) => plain(kind)), hex: null };
}

function onBoard(hex: Hex, { view, forecast, names }: Around): Thing {
  const content = contentOf(view, forecast, hex);
  const values = { level: content.level ?? 0, count: content.tokens ?? 0, name: content.guard ? (names[content.guard - 1] ?? '') : '' };
  return { kind: terrain(content), values, also: standingOn(content, view).map((kind) => plain(kind)), hex };
}

function terrain({ tile, guard, tokens }: HexContent): Kind {
  switch (tile?.terrain) {
    case undefined:
      return 'unexplored';
    case 'base':
      return 'base_camp';
    case 'temple':
      return guard ? 'guarded' : 'temple';
    case 'treasure':
      return tokens ? 'treasure_tile' : 'cleared';
    default:
      return tile!.terrain;
  }
}

function standingOn({ hex, tile, camp, guard, gun, groups }: HexContent, view: View): Kind[] {
  const found: Kind[] = [];
  if (camp) found.push('camp');
  if (guard) found.push(gun ? 'gun' : 'guard');
  for (const { member } of groups) found.push(member === 'L' ? 'leader' : 'worker');
  if (view.obstacles.some((obstacle) => pair(obstacle).includes(hex))) found.push('obstacle');
  if (tile?.stones.some(Boolean)) found.push('stones');
  return [...new Set(found)];
}

/** Everybody's strength at a temple; null if nobody is there. */
export function strengthsOn(hex: Hex, { view, forecast }: Around): TempleState | null {
  const temple = templeStates(view, forecast).find((one) => one.hex === hex);
  return temple && !temple.guard && temple.strengths.some(Boolean) ? temple : null;
}

/** What the player to move can and can't do on a hex. */
export function workOn(hex: Hex, picker: Picker): { can: Choice[]; cannot: Choice[] } {
  const all = picker.offer?.phase === 'act' ? onHex(picker.offer, hex).filter(({ action }) => action.kind !== 'obstacle') : [];
  return { can: all.filter(({ refusal }) => !refusal), cannot: all.filter(({ refusal }) => refusal) };
}

/** Why a control is refused, from the offer, or why the current tile can't be placed on a hex, from the server. */
export async function refusalOf(element: Element, { offer, places, table }: Picker): Promise<Refusal | null> {
  const { refused, hex } = (element as HTMLElement | SVGElement).dataset;
  if (!offer || !table.update) return null;
  if (refused) return Object.values(offer.refusals).flat().find(({ action }) => action === refused) ?? null;
  if (!hex || offer.phase !== 'place' || places.has(hex)) return null;
  const action = write({ kind: 'place', tile: table.view!.tile ?? '', hex, rotation: 0 });
  const no = await server.whatIf(table.id, table.update.seq, [action]).then(() => null, (error: unknown) => error);
  return no instanceof Refused && no.why ? { action, code: no.why, rule: PLACING, text: no.message } : null;
}
