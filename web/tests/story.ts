/** Small games for the tests of what happened: views and events with only what a test is about. */
import type { GameEvent, Seat, TableInfo, Update, View } from '../src/lib/types';

const OPTIONS: View['options'] = {
  players: 2,
  edition: 'super-meeple',
  camp_needs_member: true,
  tie_break: 'guard_then_treasures',
  volcano_may_seal: true,
  final_start: 'next_player',
  board: 'original',
  members_work_once: false,
  leader_may_guard: true,
  auction: false,
  instant_scoring: false,
  boulders: false,
  obstacles: false,
  machine_gun: false,
  sudden_death: false,
  double_volcano: 'score_all',
  leaps: false,
};

export function view(changes: Partial<View> = {}): View {
  return {
    viewer: 1,
    options: OPTIONS,
    phase: 'act',
    seat: 1,
    ap: 10,
    tile: null,
    deck_left: 30,
    display: [],
    bid: 0,
    scores: [0, 0],
    treasures: [Array(8).fill(0), Array(8).fill(0)],
    levels: { a2: 1, b1: 1 },
    tiles: {},
    workers: [{}, {}],
    leader: ['reserve', 'reserve'],
    reserve: [18, 18],
    camps: {},
    guards: {},
    guns: [],
    obstacles: [],
    tokens: {},
    supply: {},
    winners: null,
    unseen_tiles: [],
    unseen_kinds: [],
    top_letter: 'A',
    gone: [],
    work: [{}, {}],
    turn_seat: 1,
    volcano_seat: null,
    scoring: null,
    auction: { had_turn: [], out: [], first_out: null, bidder: null },
    lost: [{}, {}],
    worked: [{}, {}],
    fired: [],
    rolls: 0,
    volcanoes_taken: 0,
    round_scored: false,
    leaps: null,
    ...changes,
  };
}

type Play = Extract<GameEvent, { kind: 'play' }>;

export function played(seq: number, seat: number, action: string, more: Partial<Play> = {}): Play {
  return {
    seq,
    kind: 'play',
    seat,
    at: 0,
    action,
    revealed: null,
    gone: [],
    shown: null,
    after: { phase: 'act', seat, tile: null, scores: [0, 0] },
    ...more,
  };
}

export const SEATS: Seat[] = ['Ana', 'Bo', 'Cy'].map((name, place) => ({
  seat: place + 1,
  kind: 'person',
  name,
  level: null,
  substituted: false,
  alike: false,
  yours: place === 0,
}));

export function update(seq: number, events: GameEvent[], shown: View, seats: number[] = [1]): Update {
  return {
    type: 'update',
    table: 't',
    seq,
    events,
    info: { seats: SEATS, you: { seats, owner: false } } as unknown as TableInfo,
    fault: null,
    view: shown,
    forecast: [],
    prospect: null,
    offer: null,
    undo: 0,
  };
}
