/** Numbers drawn with strokes, the same on every machine; they are pictures, and labels contain their text. */
import { round } from './shapes';

/** Each within x -5..5 and y -8..8. */
const GLYPHS: Readonly<Record<string, string>> = {
  '0': 'M-5 -3A5 5 0 0 1 5 -3V3A5 5 0 0 1 -5 3Z',
  '1': 'M-3.6 -5L1.2 -8V8',
  '2': 'M-5 -3.4A4.9 4.6 0 0 1 4.8 -3.2C4.8 0.6 -3.6 3.2 -5 8H5.2',
  '3': 'M-4.7 -5.4A4.5 4 0 1 1 -0.4 -0.5H-1.4H-0.4A5 4.3 0 1 1 -5 5',
  '4': 'M2.6 8V-8L-5.4 3.8H5.6',
  '5': 'M4.4 -8H-3.6L-4.4 -0.8C-1 -3.2 5 -2.8 5 2.6C5 9.6 -3.2 9.6 -5 5.4',
  '6': 'M3.8 -8C-2 -7 -5 -3 -5 3A5 5 0 1 0 5 3A5 5 0 0 0 -5 3',
  '7': 'M-5 -8H5L-1.6 8',
  '8': 'M0 -0.6A4 3.7 0 1 1 0.1 -0.6ZM0 -0.6A5 4.3 0 1 0 0.1 -0.6Z',
  '9': 'M-3.8 8C2 7 5 3 5 -3A5 5 0 1 0 -5 -3A5 5 0 0 0 5 -3',
  '+': 'M-4.4 1.4H4.4M0 -3V5.8',
};
const WIDE = 10;
const NARROW = 7; // a one is narrower
const GAP = 5;

/** The path of a text of digits around the middle. Its strokes should be about 3.6 wide. */
export function digits(text: string): string {
  const widths = [...text].map((sign) => (sign === '1' ? NARROW : WIDE));
  const all = widths.reduce((sum, width) => sum + width + GAP, -GAP);
  let x = -all / 2;
  return [...text]
    .map((sign, i) => {
      const middle = x + widths[i]! / 2;
      x += widths[i]! + GAP;
      return moved(GLYPHS[sign] ?? '', middle);
    })
    .join('');
}

/** A path of absolute commands, shifted to the right. */
function moved(path: string, by: number): string {
  return path.replace(/([MLHVCAZ])([^MLHVCAZ]*)/g, (_, command: string, rest: string) => {
    const numbers = rest.trim().split(/[ ,]+/).filter(Boolean).map(Number);
    const isX = (i: number): boolean =>
      command === 'H' || (command === 'A' ? i % 7 === 5 : command !== 'V' && i % 2 === 0);
    return command + numbers.map((number, i) => round(isX(i) ? number + by : number)).join(' ');
  });
}
