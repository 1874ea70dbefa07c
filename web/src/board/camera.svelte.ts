/** The camera: zoom and pan by wheel, by one or two fingers, by buttons. */
import { HEIGHT_OF_BOARD, WIDTH_OF_BOARD, type Point } from '../lib/geometry';

const MOST = 5;
const SLOP = 8; // pixels that a finger may tremble before it pans

export class Camera {
  scale = $state(1);
  x = $state(0);
  y = $state(0);
  /** The pointer has moved the board since it went down, so its click is ignored. */
  moved = false;

  #pointers = new Map<number, Point>();
  #start: Point | null = null;

  get transform(): string {
    return `translate(${this.x} ${this.y}) scale(${this.scale})`;
  }

  reset(): void {
    Object.assign(this, { scale: 1, x: 0, y: 0 });
  }

  /** Zooms in or out, around a point of the picture. */
  zoom(factor: number, around: Point = { x: WIDTH_OF_BOARD / 2, y: HEIGHT_OF_BOARD / 2 }): void {
    const scale = Math.min(MOST, Math.max(1, this.scale * factor));
    const share = scale / this.scale;
    this.scale = scale;
    this.#to(around.x - (around.x - this.x) * share, around.y - (around.y - this.y) * share);
  }

  /** Zooms in, with a point of the board in the middle of the picture. */
  zoomTo(factor: number, { x, y }: Point): void {
    this.scale = Math.min(MOST, this.scale * factor);
    this.#to(WIDTH_OF_BOARD / 2 - x * this.scale, HEIGHT_OF_BOARD / 2 - y * this.scale);
  }

  /** As close as these points of the board allow, with as much room around each. */
  frame(points: readonly Point[], room: number): void {
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const [left, right] = [Math.max(0, Math.min(...xs) - room), Math.min(WIDTH_OF_BOARD, Math.max(...xs) + room)];
    const [top, bottom] = [Math.max(0, Math.min(...ys) - room), Math.min(HEIGHT_OF_BOARD, Math.max(...ys) + room)];
    this.scale = Math.min(MOST, WIDTH_OF_BOARD / (right - left), HEIGHT_OF_BOARD / (bottom - top));
    this.#to(WIDTH_OF_BOARD / 2 - ((left + right) / 2) * this.scale, HEIGHT_OF_BOARD / 2 - ((top + bottom) / 2) * this.scale);
  }

  #to(x: number, y: number): void {
    this.x = Math.min(0, Math.max(WIDTH_OF_BOARD * (1 - this.scale), x));
    this.y = Math.min(0, Math.max(HEIGHT_OF_BOARD * (1 - this.scale), y));
  }

  wheel(event: WheelEvent, root: SVGSVGElement): void {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 400), pointIn(root, event.clientX, event.clientY));
  }

  down(event: PointerEvent, root: SVGSVGElement): void {
    this.#pointers.set(event.pointerId, pointIn(root, event.clientX, event.clientY));
    if (this.#pointers.size === 1) {
      this.#start = { x: event.clientX, y: event.clientY };
      this.moved = false;
    }
  }

  move(event: PointerEvent, root: SVGSVGElement): void {
    const last = this.#pointers.get(event.pointerId);
    if (!last || !this.#start) return;
    if (!this.moved && Math.hypot(event.clientX - this.#start.x, event.clientY - this.#start.y) < SLOP) return;
    this.moved = true;
    const now = pointIn(root, event.clientX, event.clientY);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) this.#pinch(last, now, other);
    else this.#to(this.x + now.x - last.x, this.y + now.y - last.y);
    this.#pointers.set(event.pointerId, now);
  }

  #pinch(last: Point, now: Point, other: Point): void {
    const far = (point: Point) => Math.hypot(point.x - other.x, point.y - other.y);
    if (far(last) > 1) this.zoom(far(now) / far(last), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
  }

  up(event: PointerEvent): void {
    this.#pointers.delete(event.pointerId);
  }
}

/** Two fingers control the camera, even where one alone scrolls the page. */
export function ownPinch(root: SVGSVGElement): () => void {
  const keep = (event: TouchEvent) => event.touches.length > 1 && event.preventDefault();
  root.addEventListener('touchstart', keep, { passive: false });
  return () => root.removeEventListener('touchstart', keep);
}

/** A point of the screen in the units of the picture. */
function pointIn(root: SVGSVGElement, x: number, y: number): Point {
  const point = new DOMPoint(x, y).matrixTransform(root.getScreenCTM()!.inverse());
  return { x: point.x, y: point.y };
}
