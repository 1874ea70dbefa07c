/** An offer's possibilities, grouped by where the player would click. */
import { HEXES } from '../lib/geometry';
import { parse, type Action, type ActionKind } from '../lib/notation';
import type { Hex, MemberKind, Offer, Place, Refusal, SeatNumber, Walk } from '../lib/types';

/** One thing to do, possible or not. A choice plays its `actions`. */
export interface Choice {
  text: string;
  action: Action;
  cost: number;
  refusal: Refusal | null;
}

/** The order of choices in a list: the most wanted first. */
const ORDER: readonly ActionKind[] = ['excavate', 'dig', 'enter', 'camp', 'guard', 'gun', 'shoot', 'obstacle', 'move', 'camp_move'];

function rank(choice: Choice): number {
  return (choice.refusal ? 100 : 0) + ORDER.indexOf(choice.action.kind);
}

/** The offer's actions, parsed. */
export function choices(offer: Offer): Choice[] {
  return offer.actions.flatMap(({ action: text, cost }) => {
    const action = parse(text);
    return action ? [{ text, action, cost, refusal: null }] : [];
  });
}

/** What can be done on a hex, and what can't, with the reason. For walks see `walksFrom`. */
export function onHex(offer: Offer, hex: Hex): Choice[] {
  const possible = choices(offer).filter(({ action, text }) => {
    if (action.kind === 'move' || action.kind === 'camp_move') return action.from === hex && !isAWalk(offer, text);
    if (action.kind === 'obstacle') return action.from === hex || action.to === hex;
    return action.kind !== 'place' && 'hex' in action && action.hex === hex;
  });
  const refused = (offer.refusals[hex] ?? []).flatMap((refusal) => {
    const action = parse(refusal.action);
    return action ? [{ text: refusal.action, action, cost: 0, refusal }] : [];
  });
  return [...possible, ...refused].sort((a, b) => rank(a) - rank(b));
}

/** Whether a single step is what a click on its goal would play anyway. */
function isAWalk(offer: Offer, text: string): boolean {
  return offer.walks.some((walk) => walk.actions.length === 1 && walk.actions[0] === text);
}

export function walksFrom(offer: Offer, member: MemberKind, from: Hex): Walk[] {
  return offer.walks.filter((walk) => walk.member === member && walk.from === from);
}

/** Where a member can enter from the reserve, and the cost. */
export function entries(offer: Offer, member: MemberKind): { hex: Hex; cost: number }[] {
  return choices(offer).flatMap(({ action, cost }) => (action.kind === 'enter' && action.member === member ? [{ hex: action.hex, cost }] : []));
}

/** The members on a hex that can move. */
export function movable(offer: Offer, hex: Hex): MemberKind[] {
  return (['W', 'L'] as const).filter((member) => offer.walks.some((walk) => walk.member === member && walk.from === hex));
}

/** Rare actions that are possible on many hexes: they are behind a tool, so that they do not light up the whole board. */
export type Tool = 'obstacle' | 'shoot';
const TOOLS: readonly Tool[] = ['obstacle', 'shoot'];

/** The tools that have something to do now. */
export function toolsOf(offer: Offer): Tool[] {
  return TOOLS.filter((tool) => choices(offer).some(({ action }) => action.kind === tool));
}

/** The hexes where something can be done, or where a walk can start; with a tool, the hexes for it. */
export function starts(offer: Offer, tool: Tool | null = null): Hex[] {
  const acted = choices(offer).flatMap(({ action }) => {
    if (tool ? action.kind !== tool : TOOLS.some((one) => one === action.kind)) return [];
    if ('from' in action) return action.kind === 'obstacle' ? [action.from, action.to] : [action.from];
    return action.kind !== 'place' && 'hex' in action ? [action.hex] : [];
  });
  const found = new Set([...(tool ? [] : offer.walks.map((walk) => walk.from)), ...acted]);
  return HEXES.filter((hex) => found.has(hex));
}

/** The placements of the current tile: hex to its legal rotations in order. */
export function placesByHex(offer: Offer): Map<Hex, Place[]> {
  const found = new Map<Hex, Place[]>();
  for (const place of offer.places) found.set(place.hex, [...(found.get(place.hex) ?? []), place]);
  for (const places of found.values()) places.sort((a, b) => a.rotation - b.rotation);
  return found;
}

/** The legal placement on a hex whose rotation comes first at or after the wanted one. */
export function nearest(places: readonly Place[], rotation: number): Place {
  const turn = (place: Place) => (place.rotation - rotation + 6) % 6;
  return places.reduce((best, place) => (turn(place) < turn(best) ? place : best));
}

/** The next legal placement on the same hex, turned clockwise or (-1) back. */
export function next(places: readonly Place[], now: Place, way: 1 | -1): Place {
  const at = places.findIndex((place) => place.action === now.action);
  return places[(at + way + places.length) % places.length]!;
}

export interface Exchange {
  text: string;
  seat: SeatNumber;
  give: number;
  take: number;
  cost: number;
}

export function exchanges(offer: Offer): Exchange[] {
  return choices(offer).flatMap(({ text, action, cost }) =>
    action.kind === 'exchange' ? [{ text, cost, seat: action.with, give: action.give, take: action.take }] : [],
  );
}
