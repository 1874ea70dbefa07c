/**
 * What a player is about to do: the hex chosen, the member that would walk, the tile's place and rotation. It knows no
 * rules: everything it allows stands in the offer.
 */
import type { Table } from '../lib/table.svelte';
import type { Hex, MemberKind, Offer, Place, Walk } from '../lib/types';
import { movable, nearest, next, placesByHex, starts, walksFrom } from './choices';

export class Picker {
  selected = $state<Hex | null>(null);
  armed = $state<MemberKind | null>(null);
  /** The way to a hex that the pointer or the focus is on. */
  pointed = $state<Hex | null>(null);
  rotation = $state(0);
  /** Where the tile in hand lies for a look. */
  pinned = $state<Hex | null>(null);
  /** Something on the board asks to be confirmed first. */
  asking = $state<string | null>(null);
  #calm = false; // the player does not want to walk from here
  /** Called before anything is done: whatever is still shown of others' turns is skipped. */
  onInput: () => void = () => undefined;

  constructor(readonly table: Table) {}

  /** The offer, while it can be answered. */
  offer = $derived.by<Offer | null>(() => this.table.offer);
  places = $derived.by<Map<Hex, Place[]>>(() => (this.offer?.phase === 'place' ? placesByHex(this.offer) : new Map()));
  walks = $derived.by<Map<Hex, Walk>>(() => {
    if (!this.offer || !this.selected || !this.armed) return new Map();
    return new Map(walksFrom(this.offer, this.armed, this.selected).map((walk) => [walk.to, walk]));
  });
  /** Where one can begin while no hex is chosen. */
  starts = $derived.by<Set<Hex>>(() => new Set(this.selected || this.offer?.phase !== 'act' ? [] : starts(this.offer)));
  /** The tile's place that is shown: pinned, or under the pointer. */
  ghost = $derived.by<Place | null>(() => this.placeOn(this.pinned ?? this.pointed));
  /** The way that is shown: to the hex under the pointer. */
  way = $derived.by<Walk | null>(() => (this.pointed ? (this.walks.get(this.pointed) ?? null) : null));

  placeOn(hex: Hex | null): Place | null {
    const places = hex ? this.places.get(hex) : undefined;
    return places ? nearest(places, this.rotation) : null;
  }

  /** What a click on a hex would play, if it would play something. */
  actionOn(hex: Hex): string | null {
    if (this.offer?.phase === 'place') return hex === this.pinned ? null : (this.placeOn(hex)?.action ?? null);
    return this.walks.get(hex)?.actions.join(' ') ?? null;
  }

  /** A hex was chosen, by click or key. With `look` it is only looked at, also where one could walk; `member` is who was clicked. */
  choose(hex: Hex, look = false, member?: MemberKind): void {
    this.onInput();
    if (this.offer?.phase === 'place') this.#place(hex);
    else if (!look && this.walks.has(hex)) void this.walk(this.walks.get(hex)!);
    else if (member && this.armed !== member && this.#canMove(member, hex)) {
      this.select(hex);
      this.armed = member;
    } else if (this.selected === hex) this.#cycle(hex);
    else this.select(hex);
  }

  #canMove(member: MemberKind, hex: Hex): boolean {
    return this.offer !== null && movable(this.offer, hex).includes(member);
  }

  /** Looks at a hex; a member there that can move stands ready. */
  select(hex: Hex | null): void {
    this.#calm = false;
    this.selected = hex;
    this.armed = hex && this.offer ? (movable(this.offer, hex)[0] ?? null) : null;
    this.asking = null;
  }

  arm(member: MemberKind | null): void {
    this.onInput();
    this.#calm = member === null;
    this.armed = member;
  }

  #cycle(hex: Hex): void {
    const members = this.offer ? movable(this.offer, hex) : [];
    const following = members[members.indexOf(this.armed!) + 1];
    if (this.armed && following) this.armed = following;
    else this.select(null);
  }

  #place(hex: Hex): void {
    if (!this.places.has(hex)) this.pinned = null;
    else if (this.pinned === hex) this.turn(1);
    else {
      this.pinned = hex;
      this.rotation = this.placeOn(hex)!.rotation;
    }
  }

  /** Turns the tile in hand: among the legal rotations where it lies, else by one sixth. */
  turn(way: 1 | -1): void {
    const hex = this.pinned ?? this.pointed;
    const places = hex ? this.places.get(hex) : undefined;
    this.rotation = places ? next(places, this.placeOn(hex)!, way).rotation : (this.rotation + way + 6) % 6;
  }

  async walk(walk: Walk): Promise<void> {
    const { member, to } = walk;
    if (await this.play(walk.actions)) {
      this.select(to);
      if (this.#canMove(member, to)) this.armed = member;
    }
  }

  async play(actions: string[]): Promise<boolean> {
    this.onInput();
    this.asking = null;
    const done = await this.table.play(actions);
    if (done) this.settle();
    return done;
  }

  /** After the board has changed: forgets what is no longer there to be chosen. */
  settle(): void {
    this.asking = null;
    if (this.offer?.phase !== 'place') this.pinned = null;
    if (this.offer?.phase !== 'act') this.select(null);
    else if (this.selected && !this.#calm) {
      const members = movable(this.offer, this.selected);
      if (!this.armed || !members.includes(this.armed)) this.armed = members[0] ?? null;
    }
  }

  /** One step back out of what was begun. */
  escape(): void {
    if (this.asking) this.asking = null;
    else if (this.pinned) this.pinned = null;
    else if (this.armed) this.arm(null);
    else this.selected = null;
  }
}
