/** A running lesson: its table, the current step, and the last feedback. */
import { me } from '../lib/me.svelte';
import { t } from '../lib/messages.svelte';
import { Refused, server } from '../lib/server';
import { settings } from '../lib/settings.svelte';
import { Table } from '../lib/table.svelte';
import type { Hex, MemberKind } from '../lib/types';
import { Stage } from '../story/stage.svelte';
import { Picker } from '../table/picker.svelte';
import { ask } from '../ui/ask.svelte';
import { next, objection, over } from './judge';
import { keep, practice, words, type Lesson, type Step } from './lessons';

/** Lessons have no undo: actions that do not belong to the step are not played in the first place. */
class LessonTable extends Table {
  override get canUndo(): boolean {
    return false;
  }
  override undo(): Promise<boolean> {
    return Promise.resolve(false);
  }
  override restart(): Promise<boolean> {
    return Promise.resolve(false);
  }
}

class LessonPicker extends Picker {
  constructor(
    table: Table,
    readonly lesson: LessonRun,
  ) {
    super(table);
  }

  /** A click on the goal of the step's walk plays it, even on one of the player's members; any other click selects. */
  override choose(hex: Hex, look = false, member?: MemberKind): void {
    const wanted = this.lesson.next.join(' ');
    const walk = this.walks.get(hex);
    if (walk && wanted.startsWith(walk.actions.join(' '))) void this.walk(walk);
    else super.choose(hex, look || (walk !== undefined && wanted.includes(hex)), member);
  }

  override async play(actions: string[]): Promise<boolean> {
    if (this.lesson.objects(actions)) return false;
    this.lesson.sending = true;
    const done = await super.play(actions);
    if (done) this.lesson.played(actions);
    this.lesson.sending = false;
    return done;
  }
}

export class LessonRun {
  /** The current step; the number of steps when the lesson is over. */
  at = $state(0);
  taken = $state.raw<readonly string[]>([]);
  /** The key of the feedback to a wrong action. */
  wrong = $state<string | null>(null);
  /** Counts feedback, so that the same text is announced again. */
  mistakes = $state(0);
  /** An action of the player is pending. */
  sending = $state(false);
  /** Actions of a script are being played. */
  acting = $state(false);
  problem = $state.raw<Refused | null>(null);
  table = $state.raw<Table | null>(null);
  picker = $state.raw<Picker | null>(null);
  stage = $state.raw<Stage | null>(null);
  /** Called before the player does anything. */
  onInput: () => void = () => undefined;
  #run = 0; // counts starts; tasks of an older one stop
  #stop: () => void = () => undefined;

  constructor(readonly lesson: Lesson) {}

  step = $derived.by<Step | null>(() => this.lesson.steps[this.at] ?? null);
  done = $derived.by<boolean>(() => this.at >= this.lesson.steps.length);
  /** The remaining actions of this step. */
  next = $derived.by<string[]>(() => (this.step && !this.acting && !this.sending ? this.#possible(next(this.step, this.taken)) : []));
  /** Whether the step is only text. */
  reads = $derived.by<boolean>(() => this.step !== null && !this.step.want && !this.step.free);

  /** After free play the lesson's own way may no longer be legal; then any place for the tile will do. */
  #possible(way: string[]): string[] {
    const legal = this.table?.offer?.actions.map(({ action }) => action) ?? [];
    if (!this.step?.free || !legal.length || legal.includes(way[0] ?? '')) return way;
    return legal.includes('.') ? ['.'] : legal.slice(0, 1);
  }

  /** Starts at a step, on a new table. */
  async open(step = 0): Promise<void> {
    this.close();
    const run = ++this.#run;
    try {
      await me.ensure();
      const info = await server.practise(practice(this.lesson, step, [t('lessons.blue')]));
      if (run !== this.#run) return;
      const table = new LessonTable(info.id);
      this.picker = new LessonPicker(table, this);
      this.stage = new Stage(table);
      this.picker.onInput = () => {
        this.stage?.finish();
        this.onInput();
      };
      this.picker.onDenied = (hex) => ask.about(document.querySelector(`[data-hex="${hex}"]`), null, null, false);
      const forget = table.listen(() => this.#heard());
      this.#stop = () => {
        forget();
        this.stage?.close();
        table.close();
      };
      this.table = table;
      this.#begin(step);
      table.open();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (run === this.#run) this.problem = error;
    }
  }

  close(): void {
    this.#run++;
    this.#stop();
    this.#stop = () => undefined;
    this.table = null;
    this.problem = null;
    this.acting = false;
  }

  #begin(step: number): void {
    this.at = step;
    this.taken = [];
    this.wrong = null;
    keep(this.lesson.key, this.done ? 'done' : step);
    this.picker?.select(null);
    if (this.step?.script && this.table?.update) void this.#act(this.step.script);
  }

  /** Continues after a text or a script. */
  goOn(): void {
    if (this.reads && !this.acting) this.#begin(this.at + 1);
  }

  /** Whether the step refuses these actions; then it says why. */
  objects(actions: readonly string[]): boolean {
    const why = this.step && !this.reads ? objection(this.step, this.taken, actions) : '';
    const plain = actions[0] === '.' ? 'lessons.not_yet' : 'lessons.not_now';
    this.wrong = why === null ? null : why ? `lessons.${this.lesson.key}_${this.step!.key}_${why}` : plain;
    if (why !== null) this.mistakes++;
    return why !== null;
  }

  played(actions: readonly string[]): void {
    this.taken = [...this.taken, ...actions];
    this.#check();
  }

  #heard(): void {
    this.picker?.settle();
    if (this.step?.script && !this.acting && !this.taken.length) void this.#act(this.step.script);
    else this.#check();
  }

  /** Continues when the step is done, after a moment to see the result. */
  #check(): void {
    const view = this.table?.view;
    const [run, at] = [this.#run, this.at];
    if (!view || !this.step || this.reads || !this.taken.length || !over(this.step, this.taken, view)) return;
    setTimeout(() => run === this.#run && at === this.at && this.#begin(at + 1), settings.step * 2);
  }

  async #act(script: string): Promise<void> {
    const run = this.#run;
    const table = this.table!;
    this.acting = true;
    for (const action of words(script)) {
      await new Promise((resolve) => setTimeout(resolve, settings.step * 2));
      if (run !== this.#run) return;
      const legal = table.offer?.actions.map((choice) => choice.action) ?? [];
      const chosen = action.split('|').find((one) => legal.includes(one)) ?? action;
      this.taken = [...this.taken, chosen];
      const seq = (table.update?.seq ?? 0) + 1;
      if (!(await table.play([chosen]))) break;
      await table.reaches(seq);
    }
    if (run === this.#run) this.acting = false;
  }
}
