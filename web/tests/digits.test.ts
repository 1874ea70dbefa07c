import { expect, test } from 'vitest';
import { digits } from '../src/board/digits';

/** Where the strokes of a path start. */
function starts(path: string): number[] {
  return [...path.matchAll(/M(-?[\d.]+) /g)].map(([, x]) => Number(x));
}

test('every digit has its own shape', () => {
  const shapes = [...'0123456789+'].map((sign) => digits(sign));
  expect(new Set(shapes).size).toBe(11);
  expect(shapes.every((shape) => /^M[-\d.MLHVCAZ ]+$/.test(shape))).toBe(true);
});

test('a single digit is in the middle', () => expect(digits('7')).toBe('M-5 -8H5L-1.6 8'));

test('digits stand beside each other around the middle, also those of arcs', () => {
  expect(starts(digits('77'))).toEqual([-12.5, 2.5]);
  expect(digits('07')).toContain('M-12.5 -3A5 5 0 0 1 -2.5 -3V3A5 5 0 0 1 -12.5 3Z');
});
