/** The figures of the rules, by their names in `docs/rules`. */
import { HEXES } from '../lib/geometry';
import type { Hex, View } from '../lib/types';
import { blank } from './blank';

export interface Figure {
  view: View;
  hexes: readonly Hex[];
  /** Every hex shows its name. */
  named?: boolean;
  /** From, to, and the cost between them. */
  passages?: readonly (readonly [Hex, Hex, number])[];
}

const PAIRS = { a4: 'A6^0', a5: 'A5^0', c4: 'A5^0', c5: 'A6^0', e4: 'C1^0', e5: 'C1^3', c1: 'A5^1', c2: 'A5^0', e1: 'A5^0', e2: 'B6^0' };
const TEMPLES = { c3: 'E2^0', e3: 'E2^0' };

export const FIGURES: Readonly<Record<string, Figure>> = {
  board: { view: blank(), hexes: HEXES, named: true },
  rotation: { view: blank({ tiles: { a3: 'A5^0', c3: 'A5^1', e3: 'A5^2' } }), hexes: ['a3', 'c3', 'e3'] },
  passages: {
    view: blank({ tiles: PAIRS, levels: {} }),
    hexes: Object.keys(PAIRS),
    passages: [
      ['a4', 'a5', 1],
      ['c4', 'c5', 3],
      ['e4', 'e5', 6],
    ],
  },
  guard: {
    view: blank({
      tiles: TEMPLES,
      levels: { c3: 6, e3: 6 },
      workers: [{ c3: 1 }, { c3: 3, e3: 3 }],
      leader: ['c3', 'reserve'],
      guards: { e3: 1 },
    }),
    hexes: Object.keys(TEMPLES),
  },
};
