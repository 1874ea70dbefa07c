/** An uploaded record in the form of a table: all its events are known, and no more will come. */
import { server } from '../lib/server';
import type { Frame, RecordBody, Seat, SeatNumber, TableInfo, Update } from '../lib/types';
import { Frames } from '../story/frames';
import { Stage, type TableLike } from '../story/stage.svelte';

/** A player of a record: a bot is written as `bot:LEVEL`. */
function seatOf(player: string, place: number): Seat {
  const level = /^bot:(\w+)$/.exec(player)?.[1] ?? null;
  const name = level ?? player;
  return { seat: place + 1, kind: level ? 'bot' : 'person', name, level, substituted: false, alike: false, yours: false };
}

/** The head of a fictitious table. */
function infoOf({ players }: RecordBody, { view }: Frame): TableInfo {
  return {
    id: '',
    state: view.phase === 'over' ? 'over' : 'playing',
    public: false,
    options: Object.fromEntries(Object.entries(view.options).map(([key, value]) => [key, String(value)])),
    rules: 1,
    seating: 'chosen',
    hints: false,
    hinted: false,
    rated: false,
    substitute: '',
    clock: null,
    seats: players.map(seatOf),
    turn: null,
    your_turn: false,
    you: { seats: [], owner: false },
    commitment: '',
    nonces: [],
    seed: null,
    rematch: null,
    created: 0,
    changed: 0,
    stuck: null,
    practice: false,
    votes: [],
    ended: null,
    absent_from: null,
    patience_h: 24,
  };
}

/** A record in the form that a stage needs; `last` is its final position. */
export function tableOf(record: RecordBody, last: Frame): TableLike {
  const info = infoOf(record, last);
  const { events } = record;
  const { view, forecast } = last;
  const update: Update = { type: 'update', table: '', seq: record.of, events, info, fault: null, view, forecast, prospect: null, offer: null, undo: 0 };
  return { id: '', events, info, update, view, listen: () => () => undefined };
}

/** Reads a record and returns a stage for it, positioned after `start` actions. */
export async function stageOf(text: string, start: number): Promise<{ record: RecordBody; stage: Stage }> {
  const record = await server.readRecord(text);
  const whole = record.frames.at(-1)!;
  const last = whole.at === record.of ? whole : (await server.readRecord(text, record.of)).frames[0]!;
  const ask = (from: number, eyes: SeatNumber | undefined) => server.readRecord(text, from, eyes);
  return { record, stage: new Stage(tableOf(record, last), new Frames(ask), start) };
}
