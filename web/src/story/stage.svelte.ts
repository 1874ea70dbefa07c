/**
 * What the board shows at this moment. The player's own actions show at once; other players' turns are animated action by
 * action until the newest view. It is only decoration: any input calls `finish`, which jumps to the newest view.
 */
import { seatNames } from '../lib/names';
import { hexesOf, parse, type ActionKind } from '../lib/notation';
import { server } from '../lib/server';
import { play, type Sound } from '../lib/sound';
import { settings } from '../lib/settings.svelte';
import type { Table } from '../lib/table.svelte';
import type { Forecast, Hex, SeatNumber, Update, View } from '../lib/types';
import { changed, flights as flightsBetween, without, type Flight } from './diff';
import { Frames } from './frames';
import { history, shared, stretch, type PlayEvent } from './history';
import { caption, drewVolcano } from './log';
import { tallies, type Shot, type Tally } from './tally';

export type { Flight } from './diff';

/** What a stage needs of a table: its events, and notice of new ones. */
export type TableLike = Pick<Table, 'id' | 'events' | 'info' | 'update' | 'view' | 'listen'>;

/** A scoring as it is shown: how many of its parts have been counted so far; `done`: the track has moved. */
export interface Counting {
  tally: Tally;
  counted: number;
  done: boolean;
  /** The scores of all seats so far. */
  scores: readonly number[];
}

/** The duration of an action in steps; two by default. */
const WEIGHT: Partial<Record<ActionKind, number>> = {
  move: 1.2,
  camp_move: 1.6,
  enter: 1.4,
  place: 4,
  dig: 4,
  camp: 3,
  guard: 4,
  gun: 4,
  exchange: 4,
  take: 3,
  end: 1.5,
};
const SOUNDS: Partial<Record<ActionKind, Sound>> = {
  enter: 'step',
  move: 'step',
  camp_move: 'step',
  place: 'place',
  take: 'place',
  camp: 'camp',
  excavate: 'stone',
  obstacle: 'stone',
  guard: 'guard',
  gun: 'guard',
  shoot: 'shot',
  dig: 'dig',
  exchange: 'exchange',
  bid: 'coin',
  leap: 'coin',
};
const ROLL = 6; // steps to look at dice
const ERUPT = 12; // steps to read about a volcano
const COUNT = 2.4; // steps for each part of a scoring
const AFTER_COUNT = 6; // steps to look at its sum
const CALM = 450; // milliseconds of a step if a user with reduced motion asks to see a turn again
const FAR = 30; // this many actions behind, playback speeds up
const TOO_FAR = 150; // this many behind, playback is skipped

export class Stage {
  /** The shown position, as the server sent it. */
  shot = $state.raw<Shot | null>(null);
  /** The position before the current action. */
  earlier = $state.raw<Shot | null>(null);
  flights = $state.raw<readonly Flight[]>([]);
  /** The duration of the current flights, in milliseconds. */
  flightTime = $state(0);
  caption = $state('');
  /** The current action; null if nothing is playing. */
  event = $state.raw<PlayEvent | null>(null);
  counting = $state.raw<Counting | null>(null);
  mode = $state<'now' | 'playing' | 'held'>('now');
  /** How many actions precede the shown moment, and how many there are. */
  at = $state(0);
  of = $state(0);

  #line = $state.raw<readonly PlayEvent[]>([]);
  #lit = $state.raw<readonly Hex[]>([]);
  #hovered = $state.raw<readonly Hex[] | null>(null);
  #newest: Shot | null = null;
  #until: number | null = null; // where a requested playback ends
  #run = 0; // counts playbacks; tasks of an older one stop
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stop: () => void;

  /** With `start` it is positioned after that many actions, instead of at the newest view. */
  constructor(
    readonly table: TableLike,
    readonly frames: Frames = new Frames((start, eyes) => server.frames(table.id, start, eyes)),
    readonly start: number | null = null,
  ) {
    const stopListening = table.listen((update, before) => this.#heard(update, before));
    const hidden = () => this.#hidden() && this.mode === 'playing' && this.finish();
    globalThis.document?.addEventListener('visibilitychange', hidden);
    this.#stop = () => {
      stopListening();
      globalThis.document?.removeEventListener('visibilitychange', hidden);
      this.#cancel();
    };
    if (table.update) this.#heard(table.update, null);
  }

  close(): void {
    this.#stop();
  }

  /** The view to draw: moving members are not at their goals yet. */
  get view(): View | null {
    return this.shot && without(this.shot.view, this.flights);
  }
  /** The shown scores: in a scoring they grow part by part, everywhere at once. */
  get scores(): readonly number[] {
    return this.counting?.scores ?? this.shot?.view.scores ?? [];
  }
  /** The seat whose turn is shown: while an action is playing, the acting seat. */
  get seat(): SeatNumber | null {
    return (this.now ? null : this.event?.seat) ?? this.shot?.view.seat ?? null;
  }
  get forecast(): readonly Forecast[] {
    return this.shot?.forecast ?? [];
  }
  get lit(): readonly Hex[] {
    return this.#hovered ?? this.#lit;
  }
  get playing(): boolean {
    return this.mode === 'playing';
  }
  /** Whether the newest view is shown. */
  get now(): boolean {
    return this.mode === 'now';
  }
  get line(): readonly PlayEvent[] {
    return this.#line;
  }

  /** Jumps to the newest view. */
  finish(): void {
    this.#cancel();
    this.#until = null;
    this.mode = 'now';
    this.at = this.of;
    this.shot = this.#newest;
    this.#say(null);
  }

  /** Replays other players' last turns, or the last turn of a seat. */
  again(seat?: SeatNumber): void {
    const mine = this.#mine();
    const wanted = (one: SeatNumber) => (seat ? one === seat : !mine.includes(one));
    let end = this.#line.length;
    while (end && !wanted(this.#line[end - 1]!.seat)) end--;
    const last = this.#line[end - 1]?.seat;
    // For a spectator, the last turn of any seat.
    const from = stretch(this.#line, mine.length || seat ? wanted : (one) => one === last, end);
    this.play(from, end);
  }

  /** Plays from after `from` actions, to the end or after `until` actions, and then shows the newest view. */
  play(from = this.at, until: number | null = null): void {
    this.#cancel();
    this.at = Math.min(Math.max(0, from), this.of);
    this.#until = until;
    this.#go(true);
  }

  pause(): void {
    if (this.mode !== 'playing') return;
    this.#cancel();
    this.mode = 'held';
  }

  /** Shows the position after a number of actions and stays there. */
  async seek(at: number): Promise<void> {
    this.#cancel();
    const run = this.#run;
    this.mode = 'held';
    this.at = Math.min(Math.max(0, at), this.of);
    const event = this.#line[this.at - 1] ?? null;
    try {
      const shot = await this.frames.get(this.#line, this.at);
      if (run !== this.#run) return;
      this.shot = shot;
      this.#say(event);
    } catch {
      if (run === this.#run) this.finish();
    }
  }

  /** One action forward or back, at normal speed. */
  async step(by: 1 | -1): Promise<void> {
    if (by < 0 || this.at >= this.of) return this.seek(this.at + by);
    this.#cancel();
    this.mode = 'held';
    await this.#act(this.#run, this.#pace(true));
  }

  /** Highlights the hexes of the actions `at` to `until`, without changing the view. */
  hover(at: number | null, until: number | null = at): void {
    const acts = at === null ? [] : this.#line.slice(at - 1, until ?? at);
    this.#hovered = at === null ? null : [...new Set(acts.flatMap((event) => hexesOfEvent(event)))];
  }

  /** Chooses the seat whose view past moments show. */
  async look(eyes: SeatNumber | undefined): Promise<void> {
    this.frames.look(eyes);
    await this.seek(this.at);
  }

  #mine(): SeatNumber[] {
    return this.table.info?.you.seats ?? [];
  }

  #hidden(): boolean {
    return globalThis.document?.hidden ?? false;
  }

  #heard(update: Update, before: Update | null): void {
    if (!update.view) return;
    if (before && !before.info.your_turn && update.info.your_turn) play('bell');
    const line = history(this.table.events);
    const common = shared(this.#line, line);
    this.#line = line;
    this.of = line.length;
    this.#newest = { view: update.view, forecast: update.forecast ?? [] };
    this.frames.put(line, this.#newest);
    if (!before?.view && this.start !== null) return void this.seek(this.start);
    if (this.mode === 'held') {
      if (common < this.at) void this.seek(common);
      return;
    }
    const mine = this.#mine();
    const from = Math.max(Math.min(this.at, common), stretch(line, (seat) => !mine.includes(seat)));
    if (!before || !before.view || this.#hidden() || line.length - from > TOO_FAR) return this.finish();
    if (from >= line.length) return this.#mineIsDone(Math.min(this.at, common));
    if (!settings.step) {
      this.finish();
      this.#remain(from);
      return;
    }
    if (this.mode === 'playing' && from === this.at) {
      this.#until = null; // continues by itself with new actions
      return;
    }
    this.#cancel();
    this.at = from;
    this.#until = null;
    this.#go(false);
  }

  /** The player's own actions are shown at once; their points appear beside the newest view. */
  #mineIsDone(from: number): void {
    const [before, event] = [this.shot, this.#line.at(-1)];
    const steps = this.#line.length - from;
    this.finish();
    if (!before || !event || steps < 1 || !this.#newest) return;
    sound(event);
    if (steps > 1) return; // a scoring is shown alone
    const scored = tallies(event.action, before, this.#newest.view);
    if (scored.length && settings.step) void this.#countAside(scored);
  }

  async #countAside(scored: readonly Tally[]): Promise<void> {
    const run = this.#run;
    await this.#count(run, scored, settings.step);
    if (run === this.#run) this.#say(null);
  }

  /** With reduced motion: hexes that others visited stay lit until the next change. */
  #remain(from: number): void {
    const acts = this.#line.slice(from);
    this.#say(acts.findLast(({ action }) => action !== '.') ?? acts.at(-1) ?? null); // the end of a turn is obvious
    this.#lit = [...new Set(acts.flatMap((event) => hexesOfEvent(event)))];
    if (acts.length) sound(acts.at(-1)!);
  }

  #cancel(): void {
    this.#run++;
    clearTimeout(this.#timer);
    this.flights = [];
    this.counting = null;
  }

  #pace(asked: boolean): number {
    const step = settings.step || (asked ? CALM : 0);
    const behind = this.of - this.at;
    return asked || behind <= FAR ? step : (step * FAR) / behind;
  }

  #go(asked: boolean): void {
    this.mode = 'playing';
    const until = Math.min(this.#until ?? this.of, this.of);
    for (let at = this.at; at <= Math.min(until, this.at + FAR); at++) void this.frames.get(this.#line, at).catch(() => undefined);
    void this.#play(this.#run, asked);
  }

  async #play(run: number, asked: boolean): Promise<void> {
    while (run === this.#run && this.at < (this.#until ?? this.of)) {
      const pace = this.#pace(asked);
      if (!pace || !(await this.#act(run, pace))) break;
    }
    if (run === this.#run) this.finish();
  }

  /** Shows the next action. Returns whether it was shown: false if another playback began or its frames are unavailable. */
  async #act(run: number, pace: number): Promise<boolean> {
    const event = this.#line[this.at];
    if (!event) return false;
    let before: Shot, after: Shot;
    try {
      [before, after] = await Promise.all([this.frames.get(this.#line, this.at), this.frames.get(this.#line, this.at + 1)]);
    } catch {
      return false;
    }
    if (run !== this.#run) return false;
    const scored = tallies(event.action, before, after.view);
    this.#say(event, before, after);
    sound(event);
    if (scored.length) {
      this.shot = before;
      if (!(await this.#count(run, scored, pace))) return false;
    }
    this.at++;
    this.shot = after;
    return this.#fly(run, event, before, after, pace);
  }

  async #fly(run: number, event: PlayEvent, before: Shot, after: Shot, pace: number): Promise<boolean> {
    const kind = parse(event.action)?.kind;
    const rolled = kind === 'excavate' && event.revealed !== null;
    const erupted = drewVolcano(event, this.#line[this.at - 2] ?? null) !== null;
    const whole = pace * (erupted ? ERUPT : rolled ? ROLL : ((kind && WEIGHT[kind]) ?? 2));
    const travellers = settings.step ? flightsBetween(before.view, after.view) : [];
    let rest = whole;
    if (travellers.length) {
      this.flightTime = Math.min(pace, whole);
      this.earlier = before;
      this.flights = travellers;
      if (!(await this.#wait(run, this.flightTime))) return false;
      this.flights = [];
      rest -= this.flightTime;
    }
    return this.#wait(run, rest);
  }

  /** The show of a scoring: part by part, then the track. */
  async #count(run: number, scored: readonly Tally[], pace: number): Promise<boolean> {
    const scores = [...(this.shot?.view.scores ?? [])];
    for (const tally of scored) scores[tally.seat - 1] = tally.from;
    for (const tally of scored) {
      this.counting = { tally, counted: 0, done: false, scores: [...scores] };
      if (!(await this.#wait(run, pace * COUNT))) return false;
      for (const [counted, part] of tally.parts.entries()) {
        scores[tally.seat - 1]! += part.points;
        this.counting = { tally, counted: counted + 1, done: false, scores: [...scores] };
        this.#lit = part.kind === 'temple' ? [part.hex] : [];
        play('count');
        if (!(await this.#wait(run, pace * COUNT))) return false;
      }
      scores[tally.seat - 1] = tally.to;
      play('score');
      this.counting = { tally, counted: tally.parts.length, done: true, scores: [...scores] };
      this.#lit = [];
      if (!(await this.#wait(run, pace * AFTER_COUNT))) return false;
    }
    this.counting = null;
    return true;
  }

  #wait(run: number, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      this.#timer = setTimeout(() => resolve(run === this.#run), ms);
    });
  }

  #say(event: PlayEvent | null, before: Shot | null = null, after: Shot | null = null): void {
    this.event = event;
    this.caption = event ? caption(event, seatNames(this.table.info?.seats ?? [])) : '';
    const touched = before && after ? changed(before.view, after.view) : [];
    this.#lit = event ? [...new Set([...hexesOfEvent(event), ...touched])] : [];
  }
}

function sound(event: PlayEvent): void {
  const kind = parse(event.action)?.kind;
  const made = kind && SOUNDS[kind];
  if (made) play(made);
}

function hexesOfEvent(event: PlayEvent): Hex[] {
  const action = parse(event.action);
  return action ? hexesOf(action) : [];
}
