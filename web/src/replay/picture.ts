import { sign } from '../board/shapes';

/** A picture of the board to share: the board on the page, with everybody's points below it. */

/** The style-sheet properties of a drawing. A picture has no style sheet, so they become attributes. */
const STYLES = [
  'display', 'visibility', 'opacity', 'fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-opacity', 'stroke-width',
  'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'stop-color', 'stop-opacity', 'paint-order', 'font-family',
  'font-size', 'font-weight', 'letter-spacing', 'text-anchor', 'dominant-baseline',
]; // prettier-ignore
const WIDTH = 1600; // pixels
const STRIP = 90; // height of the points, in the board's units
const SVG = 'http://www.w3.org/2000/svg';

export interface Player {
  name: string;
  score: number;
}

/** A PNG of a board, which consists of these drawings, one over the other. */
export async function picture(layers: readonly SVGSVGElement[], players: readonly Player[]): Promise<Blob> {
  const [copy, ...others] = layers.map(written);
  if (!copy) throw new Error('nothing is drawn');
  const { x, y, width, height } = copy.viewBox.baseVal;
  for (const other of others) copy.append(...other.children);
  copy.append(points(players, { x, y: y + height, width }));
  copy.setAttribute('viewBox', `${x} ${y} ${width} ${height + STRIP}`);
  const size = { width: WIDTH, height: Math.round((WIDTH * (height + STRIP)) / width) };
  copy.setAttribute('width', String(size.width));
  copy.setAttribute('height', String(size.height));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), size);
  canvas.getContext('2d')!.drawImage(image, 0, 0, size.width, size.height);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('the picture is too large'))), 'image/png'),
  );
}

/** A copy of a drawing that needs no style sheet; it shows the whole board, whatever the zoom. */
function written(board: SVGSVGElement): SVGSVGElement {
  const copy = board.cloneNode(true) as SVGSVGElement;
  const copies = copy.querySelectorAll<SVGElement>('*');
  board.querySelectorAll('*').forEach((original, index) => {
    const styles = getComputedStyle(original);
    for (const name of STYLES) copies[index]!.setAttribute(name, styles.getPropertyValue(name));
  });
  copy.querySelector(':scope > g')?.removeAttribute('transform'); // the camera
  return copy;
}

/** Everybody's sign, points and name, side by side. */
function points(players: readonly Player[], at: { x: number; y: number; width: number }): SVGGElement {
  const page = getComputedStyle(document.documentElement);
  const add = (parent: Element, name: string, attributes: Record<string, string | number>): Element => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    return parent.appendChild(element);
  };
  const group = document.createElementNS(SVG, 'g');
  add(group, 'rect', { ...at, height: STRIP, fill: '#12241a' });
  const room = at.width / players.length;
  players.forEach(({ name, score }, place) => {
    const [x, y] = [at.x + place * room + 50, at.y + STRIP / 2];
    const colour = page.getPropertyValue(`--seat-${place + 1}`);
    add(group, 'path', { d: sign(place + 1, 20), transform: `translate(${x} ${y})`, fill: colour, stroke: '#fff', 'stroke-width': 4 });
    const font = { y: y + 14, 'font-size': 40, 'font-family': 'sans-serif' };
    add(group, 'text', { ...font, x: x + 38, fill: '#ffe08a', 'font-weight': 700 }).textContent = String(score);
    add(group, 'text', { ...font, x: x + 120, fill: '#fff' }).textContent = shortened(name, Math.floor((room - 190) / 23));
  });
  return group;
}

/** A name shortened to this many letters. */
export function shortened(name: string, most: number): string {
  const letters = [...name];
  return letters.length <= most ? name : `${letters.slice(0, Math.max(1, most - 1)).join('')}…`;
}
