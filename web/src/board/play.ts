/** What the board needs to be playable. The table's `Picker` and `Drag` implement it. */
import type { Hex, MemberKind, Offer, Place, Update, View, Walk } from '../lib/types';

/** The player's current selection, and the effect of a click. */
export interface Choosing {
  readonly table: { readonly view: View | null; readonly update: Update | null };
  readonly offer: Offer | null;
  readonly selected: Hex | null;
  readonly armed: MemberKind | null;
  readonly pinned: Hex | null;
  readonly ghost: Place | null;
  readonly way: Walk | null;
  readonly walks: ReadonlyMap<Hex, Walk>;
  readonly starts: ReadonlySet<Hex>;
  /** A proposed turn: its steps, and how many of them are shown. */
  readonly sketch: { readonly steps: readonly (readonly string[])[]; readonly shown: number } | null;
  /** The hex under the pointer or with the focus. */
  pointed: Hex | null;
  actionOn(hex: Hex): string | null;
  choose(hex: Hex, look?: boolean, member?: MemberKind): void;
  play(actions: string[]): Promise<unknown>;
  turn(way: 1 | -1): void;
  escape(): void;
}

/** A piece that is dragged over the board. */
export interface Dragging {
  dragged: boolean;
  down(event: PointerEvent, piece: { kind: 'member'; member: MemberKind; from: Hex } | { kind: 'tile' }): void;
}
