/**
 * Lessons are data: a deal, the actions that lead to the first position, and steps. The texts are messages under
 * `lessons.LESSON_STEP`. The server's rules judge every action; `tests/play/test_lessons.py` plays every lesson.
 */
import { boardOf } from '../board/model';
import { PRINTED } from '../lib/data';
import { recall, remember } from '../lib/kept';
import type { Hex, NewPractice, View } from '../lib/types';

/** A step has text only, or actions that the player takes (`want`, `free`) or that play by themselves (`script`). */
export interface Step {
  key: string;
  /** Hexes that the text is about. */
  show?: Hex[];
  /** The player takes one of these lists of actions. */
  want?: string[];
  /** Answers to wrong actions: the prefix of an action to the suffix of a text's key. The longest prefix wins. */
  wrong?: Record<string, string>;
  /** These actions are played automatically; of `a|b` the first legal one. */
  script?: string;
  /** The player acts freely until the view matches `until`; `free` is one way to get there. */
  free?: string;
  until?: Partial<View>;
}

export interface Lesson {
  key: string;
  players: number;
  options?: Record<string, string>;
  deck: string;
  treasures: string;
  dice?: string;
  opening: string;
  steps: Step[];
}

/** The lessons in the order in which they are best taken; variants are optional. */
export const COURSE = ['aim', 'explore', 'walk', 'temples', 'treasures', 'camps', 'guards', 'volcano'] as const;
export const MORE = ['auction', 'instant_scoring', 'boulders', 'obstacles', 'machine_gun', 'sudden_death', 'leaps'] as const;
export const ALL: readonly string[] = [...COURSE, ...MORE];

const FILES = import.meta.glob<Lesson>('./lessons/*.json', { import: 'default' });

export function load(key: string): Promise<Lesson> | null {
  return ALL.includes(key) ? FILES[`./lessons/${key}.json`]!() : null;
}

export const words = (text: string): string[] => text.split(' ').filter(Boolean);
const numbers = (text = ''): number[] => text.split(',').filter(Boolean).map(Number);

/** The actions that finish the steps before this one. */
function before(lesson: Lesson, step: number): string[] {
  const done = lesson.steps.slice(0, step).map(({ want, script, free }) => want?.[0] ?? script ?? free ?? '');
  return done.flatMap(words).map((action) => action.split('|')[0]!);
}

/** The practice table for a lesson, from one of its steps on; the other seats are at the same screen. */
export function practice(lesson: Lesson, step: number, others: readonly string[]): NewPractice {
  return {
    seats: ['me', ...others.slice(0, lesson.players - 1).map((name) => `person:${name}`)],
    options: lesson.options ?? {},
    deal: { deck: lesson.deck.split(','), treasures: numbers(lesson.treasures), dice: numbers(lesson.dice) },
    opening: [...words(lesson.opening), ...before(lesson, step)],
  };
}

/** The hexes of a lesson: those that it shows, and those in its actions. */
export function places(lesson: Lesson): Hex[] {
  const texts = [lesson.opening, ...lesson.steps.flatMap(({ show = [], want = [], script = '', free = '' }) => [...show, ...want, script, free])];
  return [...Object.keys(PRINTED[boardOf(null)]!), ...texts.flatMap((text) => text.match(/\b[a-h][1-5]/g) ?? [])];
}

/** The player's progress: the step to continue with, or `done`. */
export type Progress = number | 'done';

export function progress(): Record<string, Progress> {
  return recall('lessons') as Record<string, Progress>;
}

/** Stores the player's progress; a finished lesson stays finished. */
export function keep(lesson: string, step: Progress): void {
  const kept = progress();
  if (kept[lesson] !== 'done') remember('lessons', { ...kept, [lesson]: step });
}
