/** The differences between two views, found without knowing the rules: members that moved, and hexes that look different. */
import { isHex } from '../lib/notation';
import type { Hex, MemberKind, SeatNumber, View } from '../lib/types';

/** A moving member: from a hex or the reserve (null), to a hex or out of the game (null). */
export interface Flight {
  id: string;
  seat: SeatNumber;
  member: MemberKind;
  from: Hex | null;
  to: Hex | null;
}

/** The hexes where a count has decreased, each as often as it did. */
function lost(before: Readonly<Record<Hex, number>>, after: Readonly<Record<Hex, number>>): Hex[] {
  return Object.entries(before).flatMap(([hex, count]) => Array<Hex>(Math.max(0, count - (after[hex] ?? 0))).fill(hex));
}

/** A member that becomes a guard stays where it is, so it does not travel. */
function becameGuard(before: View, after: View, hex: Hex, seat: SeatNumber): boolean {
  return after.guards[hex] === seat && before.guards[hex] !== seat;
}

function leaderFlight(before: View, after: View, seat: SeatNumber): Omit<Flight, 'id'>[] {
  const [was, is] = [before.leader[seat - 1], after.leader[seat - 1]];
  if (was === is) return [];
  const [from, to] = [was && isHex(was) ? was : null, is && isHex(is) ? is : null];
  if ((!from && !to) || (from && !to && becameGuard(before, after, from, seat))) return [];
  return [{ seat, member: 'L', from, to }];
}

function workerFlights(before: View, after: View, seat: SeatNumber): Omit<Flight, 'id'>[] {
  const [was, is] = [before.workers[seat - 1] ?? {}, after.workers[seat - 1] ?? {}];
  const left = lost(was, is);
  const came = lost(is, was);
  const fromReserve = (before.reserve[seat - 1] ?? 0) - (after.reserve[seat - 1] ?? 0);
  const found: Omit<Flight, 'id'>[] = came.map((to, place) => {
    const from = place < fromReserve ? null : (left.shift() ?? null);
    return { seat, member: 'W', from, to };
  });
  const leaderStayed = before.leader[seat - 1] === after.leader[seat - 1];
  for (const [place, from] of left.entries()) {
    const first = left.indexOf(from) === place;
    if (first && leaderStayed && becameGuard(before, after, from, seat)) continue;
    found.push({ seat, member: 'W', from, to: null });
  }
  return found;
}

/** The members that travelled between two views. */
export function flights(before: View, after: View): Flight[] {
  const seats = after.scores.map((_, place) => place + 1);
  return seats
    .flatMap((seat) => [...leaderFlight(before, after, seat), ...workerFlights(before, after, seat)])
    .map((flight, number) => ({ id: `${flight.seat}${flight.member}${number}`, ...flight }));
}

/** The view while members move: they are not drawn at their goals yet. */
export function without(view: View, travellers: readonly Flight[]): View {
  if (!travellers.some((flight) => flight.to)) return view;
  const coming = (seat: SeatNumber, member: MemberKind, hex: Hex) =>
    travellers.filter((one) => one.seat === seat && one.member === member && one.to === hex).length;
  const workers = view.workers.map((counts, place) => {
    const there = Object.entries(counts).map(([hex, count]) => [hex, count - coming(place + 1, 'W', hex)] as const);
    return Object.fromEntries(there.filter(([, count]) => count > 0));
  });
  const leader = view.leader.map((where, place) => (coming(place + 1, 'L', where) ? 'gone' : where));
  return { ...view, workers, leader };
}

function keysThatDiffer(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((key) => one[key] !== other[key]);
}

/** The hexes whose content has changed. */
export function changed(before: View, after: View): Hex[] {
  const hexes = new Set<Hex>();
  const add = (...found: string[]) => found.filter(isHex).forEach((hex) => hexes.add(hex));
  for (const key of ['levels', 'tiles', 'camps', 'guards', 'tokens'] as const) add(...keysThatDiffer(before[key], after[key]));
  after.workers.forEach((counts, place) => add(...keysThatDiffer(before.workers[place] ?? {}, counts)));
  after.leader.forEach((where, place) => {
    if (before.leader[place] !== where) add(before.leader[place] ?? '', where);
  });
  for (const key of ['guns', 'obstacles'] as const) {
    const fresh = after[key].filter((what) => !before[key].includes(what));
    const gone = before[key].filter((what) => !after[key].includes(what));
    add(...[...fresh, ...gone].flatMap((what) => what.split('-')));
  }
  return [...hexes];
}
