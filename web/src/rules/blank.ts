/** A view of a board at the start, with additions: for figures. */
import type { View } from '../lib/types';

const NOBODY = { had_turn: [], out: [], first_out: null, bidder: null };

export function blank(change: Partial<View> = {}): View {
  const shown: Partial<View> = {
    viewer: null,
    phase: 'act',
    seat: null,
    ap: 0,
    tile: null,
    scores: [0, 0],
    levels: { a2: 1, b1: 1 },
    tiles: {},
    workers: [{}, {}],
    worked: [{}, {}],
    lost: [{}, {}],
    leader: ['reserve', 'reserve'],
    camps: {},
    guards: {},
    guns: [],
    obstacles: [],
    tokens: {},
    scoring: null,
    auction: NOBODY,
    ...change,
  };
  return { options: {}, ...shown } as View;
}
