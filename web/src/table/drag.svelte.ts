/** Dragging pieces by mouse or finger onto a hex: the same as choosing them and then the hex. */
import type { Hex, MemberKind } from '../lib/types';
import type { Picker } from './picker.svelte';

export type Piece = { kind: 'member'; member: MemberKind; from: Hex } | { kind: 'reserve'; member: MemberKind } | { kind: 'camp' } | { kind: 'tile' };

const SLOP = 7; // pixels that a hand may tremble before it drags

export class Drag {
  /** The dragged piece, and its position on the screen. */
  piece = $state.raw<Piece | null>(null);
  x = $state(0);
  y = $state(0);
  /** The last press became a drag, so its click is ignored. */
  dragged = false;

  constructor(readonly picker: Picker) {}

  /** A piece was pressed; from now on the pointer is tracked. */
  down(event: PointerEvent, piece: Piece): void {
    this.dragged = false;
    if (event.button || !this.picker.offer) return;
    const [x, y] = [event.clientX, event.clientY];
    const move = (now: PointerEvent) => {
      if (now.pointerId !== event.pointerId) return;
      if (!this.piece && Math.hypot(now.clientX - x, now.clientY - y) < SLOP) return;
      if (!this.piece) this.#take(piece);
      [this.x, this.y] = [now.clientX, now.clientY];
      this.picker.pointed = hexAt(now);
    };
    const end = (now: PointerEvent) => {
      if (now.pointerId !== event.pointerId) return;
      stop.abort();
      if (!this.piece) return;
      this.piece = null;
      const hex = hexAt(now);
      if (hex && now.type === 'pointerup') this.picker.drop(hex);
      else this.picker.escape();
    };
    const stop = new AbortController();
    for (const [type, listener] of [['pointermove', move], ['pointerup', end], ['pointercancel', end]] as const)
      window.addEventListener(type, listener, { signal: stop.signal });
  }

  #take(piece: Piece): void {
    this.dragged = true;
    this.piece = piece;
    const { picker } = this;
    if (piece.kind === 'member') {
      const together = picker.selected === piece.from && picker.armed === piece.member;
      if (!together) picker.choose(piece.from, true, piece.member);
    } else if (piece.kind === 'reserve') {
      if (picker.entering !== piece.member) void picker.enter(piece.member);
    } else if (piece.kind === 'camp' && !picker.camping) picker.camp();
    else if (piece.kind === 'tile') picker.pinned = null;
  }
}

/** The hex under a pointer. */
function hexAt(event: PointerEvent): Hex | null {
  const found = document.elementFromPoint(event.clientX, event.clientY)?.closest<SVGGElement>('[data-hex]');
  return found?.dataset.hex ?? null;
}
