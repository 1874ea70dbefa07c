/** A record that somebody brought, told like a table: its events are all there, and nothing more will come. */
import { server } from '../lib/server';
import type { Frame, RecordBody, Seat, SeatNumber, TableInfo, Update } from '../lib/types';
import { Frames } from './frames';
import { Stage, type Told } from './stage.svelte';

/** A player of a record: a bot is written as `bot:LEVEL`. */
function seatOf(player: string, place: number): Seat {
  const level = /^bot:(\w+)$/.exec(player)?.[1] ?? null;
  const name = level ?? player;
  return { seat: place + 1, kind: level ? 'bot' : 'person', name, level, substituted: false, yours: false };
}

/** The head of a table that never was. */
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
  };
}

/** A record as a stage takes it; `last` is how things stand at its end. */
export function tableOf(record: RecordBody, last: Frame): Told {
  const info = infoOf(record, last);
  const { events } = record;
  const { view, forecast } = last;
  const update: Update = { type: 'update', table: '', seq: record.of, events, info, fault: null, view, forecast, offer: null, undo: 0 };
  return { id: '', events, info, update, view, listen: () => () => undefined };
}

/** Reads a record and gives a stage on which it can be played, standing after `start` actions. */
export async function stageOf(text: string, start: number): Promise<{ record: RecordBody; stage: Stage }> {
  const record = await server.readRecord(text);
  const whole = record.frames.at(-1)!;
  const last = whole.at === record.of ? whole : (await server.readRecord(text, record.of)).frames[0]!;
  const ask = (from: number, eyes: SeatNumber | undefined) => server.readRecord(text, from, eyes);
  return { record, stage: new Stage(tableOf(record, last), new Frames(ask), start) };
}
