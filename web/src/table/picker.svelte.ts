/**
 * What a player is about to do: the chosen hex, the members that would walk, the tile's place and rotation. It knows no
 * rules: everything it allows is in the offer, or in the server's answer to a scratch turn.
 *
 * A click that walks is always a click on a hex that shows the cost of the walk. After a walk its start stays
 * chosen for the next worker; when nobody is left there, the goal is chosen and no member is ready.
 */
import { parse, write } from '../lib/notation';
import { server } from '../lib/server';
import type { Table } from '../lib/table.svelte';
import type { Hex, MemberKind, Offer, Place, Walk } from '../lib/types';
import { entries, movable, nearest, next, placesByHex, starts, walksFrom, type Tool } from './choices';

export class Picker {
  selected = $state<Hex | null>(null);
  armed = $state<MemberKind | null>(null);
  /** How many workers walk together. */
  count = $state(1);
  /** The member that would enter from the reserve. */
  entering = $state<MemberKind | null>(null);
  /** A camp is picked up. */
  camping = $state(false);
  /** The hex under the pointer or with the focus. */
  pointed = $state<Hex | null>(null);
  rotation = $state(0);
  /** Where the current tile lies on trial. */
  pinned = $state<Hex | null>(null);
  /** The tool in use: a rare action. */
  tool = $state<Tool | null>(null);
  /** The action that awaits confirmation. */
  asking = $state<string | null>(null);
  /** A proposed turn, drawn on the board: its steps, and how many of them are shown. */
  sketch = $state.raw<{ steps: readonly (readonly string[])[]; shown: number } | null>(null);
  #entrances = $state.raw<readonly Walk[]>([]); // of the members that would enter
  #calm = false; // the player does not want to walk from here
  /** Called before any action: the rest of other players' turns is skipped. */
  onInput: () => void = () => undefined;
  /** Called before the turn ends: a coach may object. */
  mayEnd: () => Promise<boolean> = () => Promise.resolve(true);
  /** Puts the proposed turn away. */
  closeSketch: () => void = () => undefined;
  /** Called when the tile can't be placed where the player wants it. */
  onDenied: (hex: Hex) => void = () => undefined;

  constructor(readonly table: Table) {}

  offer = $derived.by<Offer | null>(() => this.table.offer);
  places = $derived.by<Map<Hex, Place[]>>(() => (this.offer?.phase === 'place' ? placesByHex(this.offer) : new Map()));
  /** Where the chosen members can go, and the total cost. */
  walks = $derived.by<Map<Hex, Walk>>(() => {
    if (this.entering) return new Map(this.#entrances.map((walk) => [walk.to, walk]));
    if (!this.offer || !this.selected || !this.armed) return new Map();
    const count = Math.min(this.count, this.most);
    const walks = walksFrom(this.offer, this.armed, this.selected).flatMap((walk) => together(walk, count, this.offer!.ap));
    return new Map(walks.map((walk) => [walk.to, walk]));
  });
  /** How many could walk together. */
  most = $derived.by<number>(() => {
    const { view } = this.table;
    const seat = (this.offer?.seat ?? 0) - 1;
    if (!view || view.leaps || !this.offer) return 1;
    if (this.entering === 'W') return Math.max(1, Math.min(view.reserve[seat] ?? 1, this.offer.ap));
    return this.armed === 'W' && this.selected ? Math.max(1, view.workers[seat]?.[this.selected] ?? 1) : 1;
  });
  /** Where a camp can be founded. */
  camps = $derived.by<Map<Hex, string>>(
    () =>
      new Map(
        (this.offer?.actions ?? []).flatMap(({ action }) => {
          const parsed = parse(action);
          return parsed?.kind === 'camp' ? [[parsed.hex, action]] : [];
        }),
      ),
  );
  /** Where the player can start while no hex is chosen. */
  starts = $derived.by<Set<Hex>>(() => {
    if (this.selected || this.entering || this.offer?.phase !== 'act') return new Set();
    return new Set(this.camping ? this.camps.keys() : starts(this.offer, this.tool));
  });
  /** The shown place of the tile: pinned, or under the pointer. */
  ghost = $derived.by<Place | null>(() => this.placeOn(this.pinned ?? this.pointed));
  /** The shown walk: to the hex under the pointer. */
  way = $derived.by<Walk | null>(() => (this.pointed ? (this.walks.get(this.pointed) ?? null) : null));

  placeOn(hex: Hex | null): Place | null {
    const places = hex ? this.places.get(hex) : undefined;
    return places ? nearest(places, this.rotation) : null;
  }

  /** What a click on a hex would play, if anything. */
  actionOn(hex: Hex): string | null {
    if (this.offer?.phase === 'place') return hex === this.pinned ? null : (this.placeOn(hex)?.action ?? null);
    return this.walks.get(hex)?.actions.join(' ') ?? null;
  }

  /** A hex was chosen, by click or key. With `look` it is only selected, even where a walk is possible; `member` is the clicked member. */
  choose(hex: Hex, look = false, member?: MemberKind): void {
    this.onInput();
    if (this.offer?.phase === 'place') this.#place(hex);
    else if (!look && this.walks.has(hex)) void this.walk(this.walks.get(hex)!);
    else {
      this.select(hex);
      if (member && this.#canMove(member, hex)) this.armed = member;
    }
  }

  #canMove(member: MemberKind, hex: Hex): boolean {
    return this.offer !== null && movable(this.offer, hex).includes(member);
  }

  /** Selects a hex; a member there that can move becomes ready. Selecting the same hex again changes nothing. */
  select(hex: Hex | null): void {
    this.#putDown();
    if (hex && hex === this.selected && this.armed) return;
    this.#calm = false;
    this.selected = hex;
    this.count = 1;
    this.armed = hex && this.offer ? (movable(this.offer, hex)[0] ?? null) : null;
  }

  #putDown(): void {
    this.asking = null;
    this.entering = null;
    this.camping = false;
    this.#entrances = [];
  }

  /** Picks up a tool, or puts it away. */
  use(tool: Tool): void {
    this.onInput();
    this.tool = this.tool === tool ? null : tool;
  }

  arm(member: MemberKind | null): void {
    this.onInput();
    this.#calm = member === null;
    this.armed = member;
    this.count = 1;
  }

  /** Chooses how many workers walk together. */
  gather(count: number): void {
    this.onInput();
    this.count = Math.min(Math.max(1, count), this.most);
    if (this.entering) void this.enter(this.entering, this.count);
  }

  /** Picks up members from the reserve; the server says where they could go, and at what cost. */
  async enter(member: MemberKind, count = 1): Promise<void> {
    this.onInput();
    const { offer, table } = this;
    if (!offer || !table.update) return;
    this.select(null);
    [this.entering, this.count] = [member, count];
    const found = await Promise.all(
      entries(offer, member).map(async ({ hex, cost }) => {
        const coming = Array.from({ length: count }, () => write({ kind: 'enter', member, hex }));
        if (cost * count > offer.ap) return [];
        const then = await server.whatIf(table.id, table.update!.seq, coming).catch(() => null);
        if (then?.played.length !== count) return [];
        const here: Walk = { member, from: hex, to: hex, cost: cost * count, actions: coming };
        const further = then.offer ? walksFrom(then.offer, member, hex).flatMap((walk) => together(walk, count, then.offer!.ap)) : [];
        return [here, ...further.map((walk) => ({ ...walk, cost: walk.cost + here.cost, actions: [...coming, ...walk.actions] }))];
      }),
    );
    if (this.entering !== member || this.count !== count || this.offer !== offer) return;
    // Of several walks to a hex the last one counts: the cheapest.
    this.#entrances = found.flat().sort((a, b) => b.cost - a.cost || b.actions.length - a.actions.length);
  }

  /** Picks up a camp, or puts it back. */
  camp(): void {
    this.onInput();
    const had = this.camping;
    this.select(null);
    this.camping = !had;
  }

  #place(hex: Hex): void {
    if (!this.places.has(hex)) {
      this.pinned = null;
      this.onDenied(hex);
    } else if (this.pinned === hex) this.turn(1);
    else this.pin(hex);
  }

  /** Lays the tile on a hex on trial. */
  pin(hex: Hex): void {
    this.pinned = hex;
    this.rotation = this.placeOn(hex)?.rotation ?? this.rotation;
  }

  /** Turns the current tile: among the legal rotations where it lies, else by one sixth. */
  turn(way: 1 | -1): void {
    const hex = this.pinned ?? this.pointed;
    const places = hex ? this.places.get(hex) : undefined;
    this.rotation = places ? next(places, this.placeOn(hex)!, way).rotation : (this.rotation + way + 6) % 6;
  }

  async walk(walk: Walk): Promise<void> {
    const { member, from, to } = walk;
    const entered = this.entering;
    if (!(await this.play(walk.actions))) return;
    if (!entered && this.#canMove(member, from)) {
      this.select(from);
      this.armed = member;
      return;
    }
    this.select(to);
    this.arm(null);
  }

  /** The picked-up piece is dropped on a hex. */
  drop(hex: Hex): void {
    if (this.offer?.phase === 'place') {
      if (this.places.has(hex)) this.pin(hex);
    } else if (this.camping) {
      const action = this.camps.get(hex);
      if (action) void this.play([action]);
      else this.select(hex); // which says why not
    } else if (this.walks.has(hex)) void this.walk(this.walks.get(hex)!);
  }

  async play(actions: string[]): Promise<boolean> {
    this.onInput();
    this.#putDown();
    const done = await this.table.play(actions);
    if (done) this.settle();
    return done;
  }

  /** Ends the turn, unless the coach objects. */
  async end(): Promise<void> {
    this.onInput();
    if (await this.mayEnd()) await this.play(['.']);
    else this.asking = null;
  }

  /** After the board has changed: drops choices that are no longer possible. */
  settle(): void {
    const ending = this.asking === '.' && this.offer?.phase === 'act'; // keep this question: it may be newer than the update
    this.#putDown();
    if (ending) this.asking = '.';
    this.tool = null;
    if (this.offer?.phase !== 'place') this.pinned = null;
    if (this.offer?.phase !== 'act') this.select(null);
    else if (this.selected && !this.#calm) {
      const members = movable(this.offer, this.selected);
      if (!this.armed || !members.includes(this.armed)) this.armed = members[0] ?? null;
    }
    this.count = Math.min(this.count, this.most);
  }

  /** One step back from the current selection. */
  escape(): void {
    if (this.asking) this.asking = null;
    else if (this.pinned) this.pinned = null;
    else if (this.tool) this.tool = null;
    else if (this.entering || this.camping) this.#putDown();
    else if (this.armed) this.arm(null);
    else if (this.selected) this.selected = null;
    else this.closeSketch();
  }
}

/** A walk for several members at once, if there are enough points. */
function together(walk: Walk, count: number, ap: number): Walk[] {
  const cost = walk.cost * count;
  return cost > ap ? [] : [{ ...walk, cost, actions: Array.from({ length: count }, () => walk.actions).flat() }];
}
