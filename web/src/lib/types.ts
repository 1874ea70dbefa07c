/** What the server sends, by the names that the client uses; made from the OpenAPI document by `make types`. */
export type Hex = string;
export type SeatNumber = number;
export type MemberKind = 'W' | 'L';
export type Phase = 'place' | 'act' | 'bid' | 'take' | 'decide' | 'leap' | 'over';

export interface View {
  viewer: SeatNumber | null;
  options: Record<string, string | number | boolean>;
  phase: Phase;
  seat: SeatNumber | null;
  ap: number;
  tile: string | null;
  deck_left: number;
  display: string[];
  bid: number;
  scores: number[];
  treasures: number[][];
  levels: Record<Hex, number>;
  tiles: Record<Hex, string>;
  workers: Record<Hex, number>[];
  leader: string[];
  reserve: number[];
  camps: Record<Hex, SeatNumber>;
  guards: Record<Hex, SeatNumber>;
  guns: Hex[];
  obstacles: string[];
  tokens: Record<Hex, number>;
  supply: Record<string, number>;
  winners: SeatNumber[] | null;
  unseen_tiles: string[];
  unseen_kinds: number[];
  top_letter: string | null;
  gone: string[];
  work: Record<Hex, number>[];
  turn_seat: SeatNumber;
  volcano_seat: SeatNumber | null;
  scoring: { kind: 'volcano' | 'final'; order: SeatNumber[]; place: number } | null;
  auction: { had_turn: SeatNumber[]; out: SeatNumber[]; first_out: SeatNumber | null; bidder: SeatNumber | null };
  lost: Record<Hex, number>[];
  fired: Hex[];
  rolls: number;
  volcanoes_taken: number;
  round_scored: boolean;
  leaps: Leaps | null;
}

export interface Leaps {
  order: SeatNumber[];
  place: number;
  tiles: (string | null)[];
  tokens: number[];
  chosen: (number | null)[];
  stage: 'fresh' | 'walking' | 'spent' | null;
  walker: [MemberKind, Hex] | null;
  erupted: boolean;
}

export interface Choice {
  action: string;
  cost: number;
}

export interface Walk {
  member: MemberKind;
  from: Hex;
  to: Hex;
  cost: number;
  actions: string[];
}

export interface Refusal {
  action: string;
  code: string;
  rule: string;
  text: string;
}

export interface Place {
  action: string;
  hex: Hex;
  rotation: number;
  passages: Record<Hex, number>;
}

export interface Offer {
  seat: SeatNumber | null;
  phase: Phase;
  ap: number;
  actions: Choice[];
  walks: Walk[];
  refusals: Record<Hex, Refusal[]>;
  places: Place[];
}

export interface Forecast {
  seat: SeatNumber;
  temples: Record<Hex, number>;
  treasures: Record<string, number>;
  total: number;
}

export interface Seat {
  seat: SeatNumber;
  kind: 'open' | 'person' | 'bot';
  name: string;
  level: string | null;
  substituted: boolean;
  yours: boolean;
}

export interface TableInfo {
  id: string;
  state: 'open' | 'playing' | 'over' | 'frozen' | 'closed';
  public: boolean;
  options: Record<string, string>;
  rules: number;
  seating: 'chosen' | 'random';
  hints: boolean;
  substitute: string;
  seats: Seat[];
  turn: SeatNumber | null;
  your_turn: boolean;
  you: { seats: SeatNumber[]; owner: boolean };
  commitment: string;
  nonces: string[];
  seed: string | null;
  rematch: string | null;
  created: number;
  changed: number;
}

export interface After {
  phase: Phase;
  seat: SeatNumber | null;
  tile: string | null;
  scores: number[];
}

export type GameEvent =
  | {
      seq: number;
      kind: 'play';
      seat: SeatNumber;
      at: number;
      action: string;
      revealed: number | null;
      gone: { seat: SeatNumber; tile: string }[];
      shown: Record<string, number> | null;
      after: After;
    }
  | { seq: number; kind: 'undo'; seat: SeatNumber; at: number; count: number }
  | { seq: number; kind: 'seat'; seat: SeatNumber; at: number; to: string; level: string }
  | { seq: number; kind: 'start'; seat: null; at: number; seats: unknown[] };

export interface Position {
  view: View;
  forecast: Forecast[];
  offer: Offer | null;
  undo: number;
}

export interface Update {
  type: 'update';
  table: string;
  seq: number;
  events: GameEvent[];
  info: TableInfo;
  fault: string | null;
  view: View | null;
  forecast: Forecast[] | null;
  offer: Offer | null;
  undo: number;
}

/** How things stood after the action `at` of `of`. */
export interface Frame {
  at: number;
  of: number;
  seat: SeatNumber | null;
  action: string | null;
  revealed: number | null;
  view: View;
  forecast: Forecast[];
}

export interface WhatIf extends Position {
  played: string[];
  stopped: string | null;
  seq: number;
}

export interface ChatLine {
  number: number;
  name: string;
  text: string;
  at: number;
}

export interface Me {
  name: string;
  token?: string | null;
}
