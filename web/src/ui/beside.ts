/** Places a card beside a thing, so that it does not cover it and stays on the screen. */
const GAP = 8; // pixels

export function beside(card: HTMLElement, thing: DOMRect): void {
  const { width, height } = card.getBoundingClientRect();
  const { innerWidth, innerHeight } = window;
  const within = (at: number, size: number, room: number) => Math.max(GAP, Math.min(at, room - size - GAP));
  const right = thing.right + GAP + width < innerWidth;
  const left = thing.left - GAP - width > 0;
  const across = right || left;
  const below = thing.bottom + GAP + height < innerHeight;
  const x = across ? (right ? thing.right + GAP : thing.left - GAP - width) : thing.left;
  const y = across ? thing.top : below ? thing.bottom + GAP : thing.top - GAP - height;
  card.style.left = `${within(x, width, innerWidth)}px`;
  card.style.top = `${within(y, height, innerHeight)}px`;
}
