/** Events in words. Pure but for the language: the same events give the same lines. */
import { PRINTED, TILES } from '../lib/data';
import { t, word } from '../lib/messages.svelte';
import { treasureName } from '../lib/names';
import { parse, type Action } from '../lib/notation';
import type { GameEvent, Hex, Scored, SeatNumber } from '../lib/types';
import { history, type PlayEvent } from './history';

/** A line of the log: about the actions `at` to `until`, if about any that stand. */
export interface Line {
  key: string;
  kind: Action['kind'] | 'gone' | 'shown' | 'won' | 'score' | 'undo' | 'seat' | 'scores';
  seat: SeatNumber | null;
  at: number | null;
  until: number | null;
  text: string;
  undone: boolean;
  /** The last event that it tells of. */
  seq: number;
}

/** A turn, an auction or a choice of tokens, with a heading. */
export interface Chapter {
  key: string;
  seat: SeatNumber | null;
  title: string;
  lines: Line[];
}

type Names = readonly string[];

const nameOf = (names: Names, seat: SeatNumber): string => names[seat - 1] ?? t('table.seat', { number: seat });

/** A tile in words: what it is, and its value where it has one. */
export function tileInWords(name: string): string {
  const tile = TILES[name];
  if (!tile) return name;
  const what = word(tile.terrain === 'treasure' ? 'treasure_tile' : tile.terrain);
  return tile.value ? t('log.tile_value', { what, value: tile.value }) : what;
}

/** The game's words that sentences about members are made of. */
const members = () => ({ worker: word('worker'), leader: word('leader'), workers: word('worker', 2) });

type Teller<K extends Action['kind']> = (action: Extract<Action, { kind: K }>, names: Names, revealed: number | null) => string;

const TELLERS: { [K in Action['kind']]: Teller<K> } = {
  place: ({ tile, hex }) => t('log.place', { tile, what: tileInWords(tile), hex }),
  enter: ({ member, hex }) => t('log.enter', { ...members(), member, count: 1, hex }),
  move: ({ member, from, to }) => t('log.walk', { ...members(), member, from, to }),
  camp_move: ({ member, from, to }) => t('log.camp_move', { ...members(), member, from, to, camp: word('camp') }),
  excavate: ({ hex }, _names, revealed) =>
    revealed === null ? t('log.excavate', { hex, temple: word('temple') }) : t('log.excavate_dice', { hex, temple: word('temple'), ...rolled(revealed) }),
  dig: ({ hex }, _names, revealed) =>
    revealed === null ? t('log.dig_hidden', { hex, treasure: word('treasure') }) : t('log.dig', { hex, treasure: treasureName(revealed) }),
  exchange: ({ give, take, with: seat }, names) =>
    t('log.exchange', { give: treasureName(give), take: treasureName(take), name: nameOf(names, seat) }),
  camp: ({ hex }) => t('log.camp', { camp: word('camp'), hex }),
  guard: ({ member, hex }) => t('log.guard', { ...members(), member, hex, guard: word('guard') }),
  gun: ({ hex }) => t('log.gun', { ...members(), hex, guard: word('guard'), gun: word('gun') }),
  shoot: ({ seat, hex }, names) => t('log.shoot', { ...members(), hex, name: nameOf(names, seat) }),
  obstacle: ({ from, to }) => t('log.obstacle', { from, to, obstacle: word('obstacle') }),
  end: () => t('log.end'),
  bid: ({ amount }) => t('log.bid', { amount }),
  pass: () => t('log.pass'),
  take: ({ tile }) => t('log.take', { tile, what: tileInWords(tile) }),
  score_volcano: () => word('action.score_volcano'),
  skip_volcano: () => word('action.skip_volcano'),
  leap: ({ tokens }) =>
    tokens === null ? t('log.leap_secret') : tokens ? t('log.leap', { count: tokens, tokens: word('token', tokens) }) : t('log.leap_out'),
};

const rolled = (sum: number) => ({ dice: word('die', 2), sum });

/** An action in words, without who did it. */
export function actionInWords(action: Action, names: Names, revealed: number | null = null): string {
  return (TELLERS[action.kind] as Teller<Action['kind']>)(action as never, names, revealed);
}

/** One action, with who did it: for the bar beside the board. */
export function caption(event: PlayEvent, names: Names): string {
  const action = parse(event.action);
  const text = action ? actionInWords(action, names, event.revealed) : event.action;
  return t('log.caption', { name: nameOf(names, event.seat), text });
}

/** Actions that make one line, and how they are told. */
interface Group {
  event: PlayEvent;
  actions: Action[];
  undone: boolean;
  level: number | null; // of the temple, after an excavation
}

/** Whether an action goes on with what the last one did. */
function goesOn(group: Group, action: Action, event: PlayEvent, undone: boolean): boolean {
  const last = group.actions.at(-1)!;
  if (group.undone !== undone || event.revealed !== null || group.event.revealed !== null) return false;
  if (last.kind === 'enter' && action.kind === 'enter') return action.member === 'W' && last.member === 'W' && last.hex === action.hex;
  if (last.kind === 'excavate' && action.kind === 'excavate') return last.hex === action.hex;
  const walks = (one: Action) => one.kind === 'move' || one.kind === 'camp_move';
  return walks(last) && walks(action) && 'from' in action && 'to' in last && 'member' in action && 'member' in last
    ? last.to === action.from && last.member === action.member
    : false;
}

function tellGroup({ actions, event, level }: Group, names: Names): string {
  const [first, last] = [actions[0]!, actions.at(-1)!];
  if (first.kind === 'enter') return t('log.enter', { ...members(), member: first.member, count: actions.length, hex: first.hex });
  if (first.kind === 'excavate' && level !== null) {
    const values = { hex: first.hex, temple: word('temple'), level: word('level'), number: level };
    return event.revealed === null ? t('log.excavate_to', values) : t('log.excavate_to_dice', { ...values, ...rolled(event.revealed) });
  }
  if (actions.length > 1 && 'from' in first && 'to' in last && 'member' in first) {
    const by = actions.slice(1).map((action) => ('from' in action ? action.from : '')).join(', ');
    return t('log.walk_by', { ...members(), member: first.member, from: first.from, to: last.to, by });
  }
  return actionInWords(first, names, event.revealed);
}

/** Tells the events of a game, chapter by chapter. */
class Chronicle {
  readonly chapters: Chapter[] = [];
  #group: { group: Group; line: Line } | null = null;
  #closed = true; // whether the next action begins a chapter
  #before: PlayEvent | null = null; // the last action that stands
  #levels = new Map<Hex, number>();
  #places: Map<number, number>;

  constructor(
    events: readonly GameEvent[],
    readonly names: Names,
    readonly scored: readonly Scored[],
  ) {
    this.#places = new Map(history(events).map((event, place) => [event.seq, place + 1]));
    for (const [hex, tile] of Object.entries(PRINTED.original ?? {})) this.#levels.set(hex, tile.value);
    for (const event of events) this.#tell(event);
  }

  #tell(event: GameEvent): void {
    switch (event.kind) {
      case 'play':
        return this.#play(event);
      case 'undo':
        return this.#aside('undo', event.seat, event.seq, t('log.undo', { count: event.count }));
      case 'seat': {
        const values = { name: nameOf(this.names, event.seat), bot: word(`bot.${event.level}`) };
        return this.#aside('seat', event.seat, event.seq, t('log.substituted', values));
      }
      case 'start':
        return this.#begin(null, event.seq, t('log.start'));
    }
  }

  #begin(seat: SeatNumber | null, seq: number, title: string): void {
    this.chapters.push({ key: `${this.chapters.length}-${seq}`, seat, title, lines: [] });
    this.#group = null;
    this.#closed = false;
  }

  #add(line: Omit<Line, 'key' | 'seq'>, seq: number): Line {
    const { lines } = this.chapters.at(-1)!;
    const whole = { ...line, seq, key: `${seq}-${lines.length}` };
    lines.push(whole);
    return whole;
  }

  /** Something that is no action. */
  #aside(kind: Line['kind'], seat: SeatNumber | null, seq: number, text: string, at: number | null = null): void {
    if (!this.chapters.length) this.#begin(null, seq, t('log.start'));
    this.#group = null;
    this.#add({ kind, seat, at, until: at, text, undone: false }, seq);
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

  /** A new chapter where a turn, an auction or a choice of tokens begins. */
  #turnPage(event: PlayEvent, action: Action): void {
    const chapter = this.chapters.at(-1);
    if (isTogether(action)) {
      const title = capital(word(action.kind === 'leap' ? 'leap' : 'auction'));
      const goesOn = chapter?.title === title && this.#before && isTogether(parse(this.#before.action)) && this.#before.after.phase !== 'take';
      if (!goesOn) this.#begin(null, event.seq, title);
    } else if (this.#closed || chapter?.seat !== event.seat) {
      const { phase, tile } = this.#before?.after ?? {};
      // A volcano that waits while somebody spends points: a scoring round.
      const scoring = phase === 'act' && tile ? TILES[tile]?.terrain === 'volcano' : false;
      this.#begin(event.seat, event.seq, turnTitle(this.names, event.seat, scoring));
    }
  }

  #act(event: PlayEvent, action: Action, at: number | null): void {
    const undone = at === null;
    if (!undone && action.kind === 'place') this.#levels.set(action.hex, TILES[action.tile]?.value ?? 0);
    let level: number | null = null;
    if (!undone && action.kind === 'excavate') {
      level = (this.#levels.get(action.hex) ?? 0) + 1;
      this.#levels.set(action.hex, level);
    }
    const last = this.#group;
    if (last && goesOn(last.group, action, event, undone)) {
      last.group.actions.push(action);
      last.group.level = level;
      last.line.until = at;
      last.line.seq = event.seq;
      last.line.text = tellGroup(last.group, this.names);
      return;
    }
    const group = { event, actions: [action], undone, level };
    const told = tellGroup(group, this.names);
    const text = isTogether(action) ? t('log.caption', { name: nameOf(this.names, event.seat), text: told }) : told;
    this.#group = { group, line: this.#add({ kind: action.kind, seat: event.seat, at, until: at, text, undone }, event.seq) };
  }

  /** What came of an action: tiles that fitted nowhere, tokens shown, an auction won, points. */
  #follow(event: PlayEvent, action: Action, at: number): void {
    const { names } = this;
    for (const { tile, seat } of event.gone)
      this.#aside('gone', seat, event.seq, t('log.gone', { tile, what: tileInWords(tile) }), at);
    if (event.shown) {
      const shown = Object.entries(event.shown).map(([seat, tokens]) => `${nameOf(names, Number(seat))} ${tokens}`);
      this.#aside('shown', null, event.seq, t('log.shown', { tokens: word('token', 2), shown: shown.join(', ') }), at);
    }
    const before = this.#before?.after.scores ?? event.after.scores;
    const winner = event.after.seat;
    if (isTogether(action) && event.after.phase === 'take' && winner) {
      const paid = before[winner - 1]! - event.after.scores[winner - 1]!;
      this.#aside('won', winner, event.seq, t('log.won', { name: nameOf(names, winner), paid }), at);
    }
    this.#score(event, action, at, before);
    if (event.after.phase === 'over') {
      this.#begin(null, event.seq, capital(word('end_of_game')));
      const scores = event.after.scores.map((score, place) => `${nameOf(names, place + 1)} ${score}`);
      this.#aside('scores', null, event.seq, scores.join(', '), at);
    }
  }

  #score(event: PlayEvent, action: Action, at: number, before: readonly number[]): void {
    const known = this.scored.filter((one) => one.actions === at);
    // One seat alone scores at the end of its turn of a scoring round.
    const chapter = this.chapters.at(-1)!;
    if (known.length === 1 && action.kind === 'end') chapter.title = turnTitle(this.names, event.seat, true);
    for (const [place, score] of event.after.scores.entries()) {
      const seat = place + 1;
      const total = score - before[place]!;
      const source = known.find((one) => one.seat === seat);
      if (total <= 0 && !source) continue;
      const values = { name: nameOf(this.names, seat), total, temples: source?.temples ?? 0, treasures: source?.treasures ?? 0 };
      const words = { temple: word('temple', 2), treasure: word('treasure', 2) };
      this.#aside('score', seat, event.seq, source ? t('log.score_by', { ...values, ...words }) : t('log.score', values), at);
    }
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const isTogether = (action: Action | null): boolean => action !== null && ['bid', 'pass', 'leap'].includes(action.kind);

function turnTitle(names: Names, seat: SeatNumber, scoring: boolean): string {
  const name = nameOf(names, seat);
  return scoring ? t('log.turn_scoring', { name, scoring: word('scoring_round') }) : name;
}

/** The events of a table in words. With `scored` (of the server) points are told by their sources. */
export function chapters(events: readonly GameEvent[], names: Names, scored: readonly Scored[] = []): Chapter[] {
  return new Chronicle(events, names, scored).chapters;
}

/** What came of an action, and so is news also to whom it belongs. */
const OUTCOMES: readonly Line['kind'][] = ['gone', 'shown', 'won', 'score', 'scores', 'seat'];

/** What has happened since an event, in a text for who plays `own`: all but what they did themselves. */
export function news(all: readonly Chapter[], since: number, own: readonly SeatNumber[]): string {
  const isNew = ({ kind, seat, seq }: Line) => seq > since && (OUTCOMES.includes(kind) || seat === null || !own.includes(seat));
  return standing(all)
    .map(({ title, lines }) => ({ title, told: lines.filter(isNew) }))
    .filter(({ told }) => told.length)
    .map(({ title, told }) => `${title}: ${told.map((line) => line.text).join('; ')}`)
    .join('. ');
}

/** The log without what was taken back. */
export function standing(all: readonly Chapter[]): Chapter[] {
  return all
    .map((chapter) => ({ ...chapter, lines: chapter.lines.filter((line) => !line.undone && line.kind !== 'undo') }))
    .filter((chapter, place) => chapter.lines.length || !all[place]!.lines.length);
}
