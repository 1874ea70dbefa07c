/** Events in words. Pure except for the language: the same events give the same lines. */
import { boardOf } from '../board/model';
import { PRINTED, TILES } from '../lib/data';
import { listed, phrase, t, word } from '../lib/messages.svelte';
import { treasureName } from '../lib/names';
import { parse, type Action } from '../lib/notation';
import type { GameEvent, Hex, MemberKind, Scored, SeatNumber } from '../lib/types';
import { capital, levelName } from '../lib/words';
import { history, type PlayEvent } from './history';

/** The picture of a line: a piece of a seat, a tile, a treasure, or a sign. */
export type Symbol =
  | { what: 'member'; member: MemberKind; count: number }
  | { what: 'tile'; tile: string }
  | { what: 'treasure'; treasure: number }
  | { what: 'temple'; level: number }
  | { what: 'camp' | 'guard' | 'gun' | 'obstacle' | 'token' | 'hidden' | 'points' };

/** A line of the log: about the actions `at` to `until`, if they were not taken back. */
export interface Line {
  key: string;
  kind: Action['kind'] | 'gone' | 'shown' | 'won' | 'score' | 'undo' | 'seat' | 'scores' | 'volcano' | 'final';
  seat: SeatNumber | null;
  at: number | null;
  until: number | null;
  text: string;
  symbol: Symbol | null;
  undone: boolean;
  /** The last event that it covers. */
  seq: number;
}

/** A turn, an auction or a choice of tokens, with a heading. */
export interface Chapter {
  key: string;
  seat: SeatNumber | null;
  title: string;
  lines: Line[];
  /** A turn of a scoring round. */
  scoring: boolean;
}

/** Chapters in which every seat has at most one turn. */
export interface Round {
  key: string;
  title: string;
  chapters: Chapter[];
}

type Names = readonly string[];

const nameOf = (names: Names, seat: SeatNumber): string => names[seat - 1] ?? t('table.seat', { number: seat });
const scoreList = (names: Names, scores: Iterable<readonly [SeatNumber, number]>): string =>
  listed(Array.from(scores, ([seat, score]) => t('scoring.stands', { name: nameOf(names, seat), score })));

/** The values with which a message names a tile. */
function tileValues(name: string): { terrain: string; value: number } {
  const { terrain, value } = TILES[name] ?? { terrain: 'jungle', value: 0 };
  return { terrain, value };
}

type Teller<K extends Action['kind']> = (action: Extract<Action, { kind: K }>, names: Names, revealed: number | null) => string;

const TELLERS: { [K in Action['kind']]: Teller<K> } = {
  place: ({ tile, hex }) => t('log.place', { ...tileValues(tile), hex }),
  enter: ({ member, hex }) => t('log.enter', { member, count: 1, hex }),
  move: ({ member, from, to }) => t('log.walk', { member, count: 1, from, to }),
  camp_move: ({ member, from, to }) => t('log.camp_move', { member, count: 1, from, to }),
  excavate: ({ hex }, _names, sum) => (sum === null ? t('log.excavate', { hex }) : t('log.excavate_dice', { hex, sum })),
  dig: ({ hex }, _names, revealed) =>
    revealed === null ? t('log.dig_hidden', { hex }) : t('log.dig', { hex, treasure: treasureName(revealed) }),
  exchange: ({ give, take, with: seat }, names) =>
    t('log.exchange', { give: phrase('a', `treasure.${give}`), take: phrase('a', `treasure.${take}`), name: nameOf(names, seat) }),
  camp: ({ hex }) => t('log.camp', { hex }),
  guard: ({ member, hex }) => t('log.guard', { member, hex }),
  gun: ({ hex }) => t('log.gun', { hex }),
  shoot: ({ seat, hex }, names) => t('log.shoot', { hex, name: nameOf(names, seat) }),
  obstacle: ({ from, to }) => t('log.obstacle', { from, to }),
  end: () => t('log.end'),
  bid: ({ amount }) => t('log.bid', { amount }),
  pass: () => t('log.pass'),
  take: ({ tile }) => t('log.take', tileValues(tile)),
  score_volcano: () => t('log.score_volcano'),
  skip_volcano: () => t('log.skip_volcano'),
  leap: ({ tokens }) => (tokens === null ? t('log.leap_secret') : t('log.leap', { count: tokens })),
};

/** An action in words, without its player. */
export function actionInWords(action: Action, names: Names, revealed: number | null = null): string {
  return (TELLERS[action.kind] as Teller<Action['kind']>)(action as never, names, revealed);
}

/** One action with its player: for the bar beside the board. */
export function caption(event: PlayEvent, names: Names): string {
  const action = parse(event.action);
  const text = action ? actionInWords(action, names, event.revealed) : event.action;
  return t('log.caption', { name: nameOf(names, event.seat), text });
}

/** The picture for an action. */
function symbolOf(action: Action, revealed: number | null): Symbol | null {
  switch (action.kind) {
    case 'place':
    case 'take':
      return { what: 'tile', tile: action.tile };
    case 'enter':
    case 'move':
    case 'camp_move':
      return { what: 'member', member: action.member, count: 1 };
    case 'dig':
      return revealed === null ? { what: 'hidden' } : { what: 'treasure', treasure: revealed };
    case 'exchange':
      return { what: 'treasure', treasure: action.take };
    case 'excavate':
      return { what: 'temple', level: 1 };
    case 'camp':
    case 'guard':
    case 'gun':
    case 'obstacle':
      return { what: action.kind };
    case 'shoot':
      return { what: 'gun' };
    case 'bid':
    case 'leap':
      return { what: 'token' };
    default:
      return null;
  }
}

/** A member's start and goal over consecutive actions. From null: from the reserve. */
interface Journey {
  member: MemberKind;
  from: Hex | null;
  /** Where it entered, if it came from the reserve. */
  entered: Hex | null;
  to: Hex;
  steps: number;
  byCamp: boolean;
  at: number | null;
  until: number | null;
  seq: number;
  last: number;
}

type Walking = Extract<Action, { kind: 'enter' | 'move' | 'camp_move' }>;
const isWalking = (action: Action): action is Walking => ['enter', 'move', 'camp_move'].includes(action.kind);

/** Extends the journey that ends where an action begins, or starts one: workers are indistinguishable. */
function travel(journeys: Journey[], action: Walking, at: number | null, seq: number): void {
  const from = action.kind === 'enter' ? null : action.from;
  const to = action.kind === 'enter' ? action.hex : action.to;
  const same = from === null ? undefined : journeys.findLast((one) => one.member === action.member && one.to === from);
  if (same) Object.assign(same, { to, until: at, last: seq, steps: same.steps + 1 });
  else {
    const entered = from === null ? to : null;
    journeys.push({ member: action.member, from, entered, to, steps: 1, byCamp: action.kind === 'camp_move', at, until: at, seq, last: seq });
  }
}

/** Journeys with the same start and goal share a sentence. */
function together(journeys: readonly Journey[]): Journey[][] {
  const groups = new Map<string, Journey[]>();
  for (const one of journeys) {
    const key = `${one.member} ${one.from ?? one.entered} ${one.from === null} ${one.to} ${one.steps === 1 && one.byCamp}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

function journeyInWords([first, ...more]: readonly Journey[]): string {
  const { member, from, entered, to, steps, byCamp } = first!;
  const who = { member, count: more.length + 1 };
  if (from === null) return to === entered ? t('log.enter', { ...who, hex: to }) : t('log.enter_walk', { ...who, hex: to });
  if (from === to) return t('log.walk_back', { ...who, hex: to });
  return steps === 1 && byCamp ? t('log.camp_move', { ...who, from, to }) : t('log.walk', { ...who, from, to });
}

/** Whether an action continues what the last ones did: a member's walk, or members that enter one after the other. */
function goesOn(last: readonly (Action | null)[], next: Action | null): boolean {
  const before = last.at(-1);
  if (!before || !next || !isWalking(before) || !isWalking(next) || before.member !== next.member) return false;
  const entered = last.filter((one) => one?.kind === 'enter').length;
  if (next.kind === 'enter') return entered === last.length && before.kind === 'enter' && before.hex === next.hex;
  return (before.kind === 'enter' ? before.hex : before.to) === next.from && entered < 2;
}

/** A turn's actions as the steps that a person would make: a whole walk is one step, and so are equal walks of several members. */
export function inSteps(actions: readonly string[]): string[][] {
  const ways: string[][] = [];
  for (const action of actions) {
    const last = ways.at(-1);
    if (last && goesOn(last.map(parse), parse(action))) last.push(action);
    else ways.push([action]);
  }
  const walks = (way: readonly string[]) => way.map(parse).every((action) => action && isWalking(action));
  const steps: { way: string; actions: string[] }[] = [];
  for (const way of ways) {
    const [last, text] = [steps.at(-1), way.join(' ')];
    if (last?.way === text && walks(way)) last.actions.push(...way);
    else steps.push({ way: text, actions: [...way] });
  }
  return steps.map((step) => step.actions);
}

/** Such a step in words. */
export function stepInWords(step: readonly string[], names: Names): string {
  const actions = step.flatMap((text) => parse(text) ?? []);
  const journeys: Journey[] = [];
  for (const action of actions) if (isWalking(action)) travel(journeys, action, null, 0);
  const [way] = together(journeys);
  return capital(way ? journeyInWords(way) : actions[0] ? actionInWords(actions[0], names) : step.join(' '));
}

/** Consecutive excavations of one temple, in words. */
function excavationInWords(hex: Hex, level: number | null, sum: number | null): string {
  if (level === null) return actionInWords({ kind: 'excavate', hex }, [], sum);
  return sum === null ? t('log.excavate_to', { hex, level }) : t('log.excavate_to_dice', { hex, level, sum });
}

/** The content of the last lines, as long as the next action may extend it. */
type Open =
  | { kind: 'walk'; first: number; undone: boolean; journeys: Journey[] }
  | { kind: 'excavate'; line: Line; undone: boolean; hex: Hex }
  | null;

/** Narrates the events of a game, chapter by chapter. */
class Chronicle {
  readonly chapters: Chapter[] = [];
  #open: Open = null;
  #closed = true; // whether the next action begins a chapter
  #before: PlayEvent | null = null; // the last action that was not taken back
  #laid = 0; // tiles on the board, or out of the game
  #final = false; // the final round has begun
  #leaps: boolean; // in leaps, points without a tile are nothing special
  #levels = new Map<Hex, number>();
  #places: Map<number, number>;

  constructor(
    events: readonly GameEvent[],
    readonly names: Names,
    readonly scored: readonly Scored[],
    board: string,
  ) {
    this.#places = new Map(history(events).map((event, place) => [event.seq, place + 1]));
    this.#leaps = events.some((event) => event.kind === 'play' && parse(event.action)?.kind === 'leap');
    for (const [hex, tile] of Object.entries(PRINTED[board] ?? {})) this.#levels.set(hex, tile.value);
    for (const event of events) this.#tell(event);
  }

  #tell(event: GameEvent): void {
    switch (event.kind) {
      case 'play':
        return this.#play(event);
      case 'undo':
        return this.#aside('undo', event.seat, event.seq, t('log.undo', { count: event.count }));
      case 'seat': {
        const values = { name: event.name ?? nameOf(this.names, event.seat), bot: levelName(event.level) };
        const key = event.to === 'person' ? 'endings.log_taken' : event.why === 'absent' ? 'endings.log_absent' : 'log.substituted';
        return this.#aside('seat', event.seat, event.seq, t(key, values));
      }
      case 'vote': {
        const text = t(event.end ? 'endings.log_vote' : 'endings.log_vote_back', { name: nameOf(this.names, event.seat) });
        return this.#aside('seat', event.seat, event.seq, text);
      }
      case 'end': {
        const names = listed(event.winners.map((seat) => nameOf(this.names, seat)));
        return this.#begin(null, event.seq, t(event.why === 'vote' ? 'endings.ended_vote' : 'endings.ended_absent', { names }));
      }
      case 'start':
        return this.#begin(null, event.seq, t('log.start'));
    }
  }

  #begin(seat: SeatNumber | null, seq: number, title: string, scoring = false): void {
    this.chapters.push({ key: `${this.chapters.length}-${seq}`, seat, title, lines: [], scoring });
    this.#open = null;
    this.#closed = false;
  }

  /** Adds a line about the events up to `seq`; its key comes from the first, so that it stays when the line grows. */
  #add(line: Omit<Line, 'key' | 'seq'>, seq: number, first = seq): Line {
    const { lines } = this.chapters.at(-1)!;
    const whole = { ...line, seq, key: `${first}-${lines.length}` };
    lines.push(whole);
    return whole;
  }

  /** An event that is not an action. */
  #aside(kind: Line['kind'], seat: SeatNumber | null, seq: number, text: string, at: number | null = null, symbol: Symbol | null = null): void {
    if (!this.chapters.length) this.#begin(null, seq, t('log.start'));
    this.#open = null;
    this.#add({ kind, seat, at, until: at, text, symbol, undone: false }, seq);
  }

  #play(event: PlayEvent): void {
    const action = parse(event.action);
    if (!action) return;
    const at = this.#places.get(event.seq) ?? null;
    this.#turnPage(event, action);
    this.#act(event, action, at);
    if (at === null) return;
    this.#follow(event, action, at);
    this.#closed = action.kind === 'end';
    this.#before = event;
  }

  /** Starts a new chapter with a turn, an auction or a choice of tokens. */
  #turnPage(event: PlayEvent, action: Action): void {
    const chapter = this.chapters.at(-1);
    if (isTogether(action)) {
      const title = capital(word(action.kind === 'leap' ? 'leap' : 'auction'));
      const goesOn = chapter?.title === title && this.#before && isTogether(parse(this.#before.action)) && this.#before.after.phase !== 'take';
      if (!goesOn) this.#begin(null, event.seq, title);
    } else if (this.#closed || chapter?.seat !== event.seat) {
      const { phase, tile } = this.#before?.after ?? {};
      // A volcano that waits while seats spend points: a scoring round.
      const scoring = phase === 'act' && tile ? TILES[tile]?.terrain === 'volcano' : false;
      this.#begin(event.seat, event.seq, turnTitle(this.names, event.seat, scoring), scoring);
    }
  }

  #act(event: PlayEvent, action: Action, at: number | null): void {
    const undone = at === null;
    if (!undone && action.kind === 'place') this.#levels.set(action.hex, TILES[action.tile]?.value ?? 0);
    if (isWalking(action)) return this.#walk(action, event, at);
    if (action.kind === 'excavate') return this.#excavate(action.hex, event, at);
    const what = actionInWords(action, this.names, event.revealed);
    const text = isTogether(action) ? t('log.caption', { name: nameOf(this.names, event.seat), text: what }) : what;
    this.#open = null;
    const symbol = symbolOf(action, event.revealed);
    this.#add({ kind: action.kind, seat: event.seat, at, until: at, text, symbol, undone }, event.seq);
  }

  /** Consecutive steps become one line with the members' goals. */
  #walk(action: Walking, event: PlayEvent, at: number | null): void {
    const { lines } = this.chapters.at(-1)!;
    const undone = at === null;
    if (this.#open?.kind !== 'walk' || this.#open.undone !== undone) this.#open = { kind: 'walk', first: lines.length, undone, journeys: [] };
    const { first, journeys } = this.#open;
    travel(journeys, action, at, event.seq);
    lines.length = first;
    for (const group of together(journeys)) {
      const { member, at, from } = group[0]!;
      const symbol: Symbol = { what: 'member', member, count: group.length };
      const until = group.map((one) => one.until).reduce((a, b) => (a !== null && b !== null ? Math.max(a, b) : a));
      const kind = from === null ? 'enter' : 'move';
      const last = Math.max(...group.map((one) => one.last));
      this.#add({ kind, seat: event.seat, at, until, text: journeyInWords(group), symbol, undone }, last, group[0]!.seq);
    }
  }

  #excavate(hex: Hex, event: PlayEvent, at: number | null): void {
    const undone = at === null;
    const level = undone ? null : (this.#levels.get(hex) ?? 0) + 1;
    if (level !== null) this.#levels.set(hex, level);
    const text = excavationInWords(hex, level, event.revealed);
    const symbol: Symbol = { what: 'temple', level: level ?? 1 };
    const open = this.#open;
    if (open?.kind === 'excavate' && open.hex === hex && open.undone === undone && event.revealed === null) {
      Object.assign(open.line, { text, symbol, until: at, seq: event.seq });
      return;
    }
    const line = this.#add({ kind: 'excavate', seat: event.seat, at, until: at, text, symbol, undone }, event.seq);
    this.#open = event.revealed === null ? { kind: 'excavate', line, undone, hex } : null;
  }

  /** The outcome of an action: tiles that fitted nowhere, tokens shown, an auction won, points. */
  #follow(event: PlayEvent, action: Action, at: number): void {
    const { names } = this;
    for (const { tile, seat } of event.gone)
      this.#aside('gone', seat, event.seq, t('log.gone', tileValues(tile)), at, { what: 'tile', tile });
    if (event.shown) {
      const list = scoreList(names, Object.entries(event.shown).map(([seat, tokens]) => [Number(seat), tokens] as const));
      this.#aside('shown', null, event.seq, t('log.shown', { list }), at, { what: 'token' });
    }
    const before = this.#before?.after.scores ?? event.after.scores;
    const winner = event.after.seat;
    if (isTogether(action) && event.after.phase === 'take' && winner) {
      const paid = before[winner - 1]! - event.after.scores[winner - 1]!;
      this.#aside('won', winner, event.seq, t('log.won', { name: nameOf(names, winner), paid }), at);
    }
    const drawn = drewVolcano(event, this.#before);
    if (drawn) this.#aside('volcano', drawn, event.seq, t('log.volcano', { name: nameOf(names, drawn) }), at, { what: 'tile', tile: event.after.tile! });
    this.#score(event, action, at, before);
    if (this.#isFinal(event, action)) {
      this.#final = true;
      this.#aside('final', null, event.seq, t('log.final'), at);
    }
    if (event.after.phase === 'over') {
      this.#begin(null, event.seq, capital(word('end_of_game')));
      const scores = event.after.scores.map((score, place) => [place + 1, score] as const);
      this.#aside('scores', null, event.seq, scoreList(names, scores), at);
    }
  }

  /** The final round begins: no tile is left, a turn has ended, and the next one has points to spend. */
  #isFinal({ after, gone }: PlayEvent, action: Action): boolean {
    this.#laid += gone.length + (action.kind === 'place' ? 1 : 0);
    if (this.#final || this.#leaps || this.#laid < Object.keys(TILES).length) return false;
    return action.kind === 'end' && after.phase === 'act';
  }

  #score(event: PlayEvent, action: Action, at: number, before: readonly number[]): void {
    const known = this.scored.filter((one) => one.actions === at);
    // One seat alone scores at the end of its turn of a scoring round.
    const chapter = this.chapters.at(-1)!;
    if (known.length === 1 && action.kind === 'end') Object.assign(chapter, { title: turnTitle(this.names, event.seat, true), scoring: true });
    for (const [place, score] of event.after.scores.entries()) {
      const seat = place + 1;
      const total = score - before[place]!;
      const source = known.find((one) => one.seat === seat);
      if (total <= 0 && !source) continue;
      const values = { name: nameOf(this.names, seat), total, temples: source?.temples ?? 0, treasures: source?.treasures ?? 0 };
      this.#aside('score', seat, event.seq, t(source ? 'log.score_by' : 'log.score', values), at, { what: 'points' });
    }
  }
}

const isTogether = (action: Action | null): boolean => action !== null && ['bid', 'pass', 'leap'].includes(action.kind);

function turnTitle(names: Names, seat: SeatNumber, scoring: boolean): string {
  const name = nameOf(names, seat);
  return scoring ? t('log.turn_scoring', { name }) : name;
}

/** The seat that got a volcano with an action, if any; `before` is the action before it. */
export function drewVolcano(event: PlayEvent, before: PlayEvent | null): SeatNumber | null {
  const { tile, seat } = event.after;
  return tile && tile !== before?.after.tile && TILES[tile]?.terrain === 'volcano' ? seat : null;
}

/** The events of a table in words, on its board. With `scored` (from the server), points are broken down by source. */
export function chapters(events: readonly GameEvent[], names: Names, scored: readonly Scored[] = [], board = boardOf(null)): Chapter[] {
  return new Chronicle(events, names, scored, board).chapters;
}

/** Outcomes of an action: these are news to the acting player, too. */
const OUTCOMES: readonly Line['kind'][] = ['volcano', 'final', 'gone', 'shown', 'won', 'score', 'scores', 'seat'];

/** What has happened since an event, as a text for the player of the seats `own`: everything but their own actions. */
export function news(all: readonly Chapter[], since: number, own: readonly SeatNumber[]): string {
  const isNew = ({ kind, seat, seq }: Line) => seq > since && (OUTCOMES.includes(kind) || seat === null || !own.includes(seat));
  return standing(all)
    .map(({ title, lines }) => ({ title, fresh: lines.filter(isNew) }))
    .filter(({ fresh }) => fresh.length)
    .map(({ title, fresh }) => t('log.news', { title, list: listed(fresh.map((line) => line.text)) }))
    .join(' ');
}

/** The log without actions that were taken back. */
export function standing(all: readonly Chapter[]): Chapter[] {
  return all
    .map((chapter) => ({ ...chapter, lines: chapter.lines.filter((line) => !line.undone && line.kind !== 'undo') }))
    .filter((chapter, place) => chapter.lines.length || !all[place]!.lines.length);
}

/** The chapters in rounds: a new one begins when a seat has its next turn, and where a scoring round begins or ends. */
export function rounds(all: readonly Chapter[]): Round[] {
  const found: Round[] = [];
  const seats = new Set<SeatNumber>();
  let [number, scoring] = [0, false];
  for (const chapter of all) {
    const { seat } = chapter;
    if (!found.length || (seat !== null && (seats.has(seat) || chapter.scoring !== scoring))) {
      seats.clear();
      scoring = chapter.scoring;
      const title = scoring ? t('log.round_scoring') : t('log.round', { number: ++number });
      found.push({ key: chapter.key, title, chapters: [] });
    }
    if (seat !== null) seats.add(seat);
    found.at(-1)!.chapters.push(chapter);
  }
  return found;
}
