import { describe, expect, test } from 'vitest';
import { next, objection, over } from '../src/learn/judge';
import { ALL, load, places, practice, words, type Lesson, type Step } from '../src/learn/lessons';
import { blank } from '../src/rules/blank';

const guard: Step = { key: 'guard', want: ['GW@a2', 'X@a2 GW@a2'], wrong: { 'W:': 'tie', 'W:a2-b3': 'there' } };
const free: Step = { key: 'spend', free: '+W@a1 .', until: { seat: 2 } };

describe('a step with actions that it wants', () => {
  test('accepts every way, action by action', () => {
    expect([objection(guard, [], ['GW@a2']), objection(guard, [], ['X@a2']), objection(guard, ['X@a2'], ['GW@a2'])]).toEqual([null, null, null]);
  });
  test('objects to anything else, for the reason that fits best', () => {
    expect([objection(guard, [], ['W:a2-a1']), objection(guard, [], ['W:a2-b3']), objection(guard, ['X@a2'], ['X@a2'])]).toEqual(['tie', 'there', '']);
  });
  test('says what is left to do', () => {
    expect([next(guard, []), next(guard, ['X@a2']), next(guard, ['GW@a2'])]).toEqual([['GW@a2'], ['GW@a2'], []]);
  });
  test('is over when one way is gone to its end', () => {
    expect([over(guard, ['X@a2'], blank()), over(guard, ['X@a2', 'GW@a2'], blank())]).toEqual([false, true]);
  });
});

describe('a step in which one does as one likes', () => {
  test('objects to nothing', () => expect(objection(free, [], ['D@b3'])).toBeNull());
  test('leads to the end of the turn from wherever one is', () => expect([next(free, ['+W@a1']), next(free, ['D@b3'])]).toEqual([['.'], ['.']]));
  test('is over when the view is as it should be', () =>
    expect([over(free, ['+W@a1'], blank({ seat: 1 })), over(free, ['.'], blank({ seat: 2 }))]).toEqual([false, true]));
});

test('a lesson is resumed by playing the steps before', () => {
  const steps: Step[] = [{ key: 'a' }, { key: 'b', want: ['+W@a1 +W@a1', '+L@a1'] }, { key: 'c', script: '. A6@c2^0|A6@b3^0' }, free];
  const lesson: Lesson = { key: 'x', players: 2, deck: 'A5,A6', treasures: '1,2', opening: 'A5@b3^0', steps };
  expect(practice(lesson, 3, ['Blue'])).toEqual({
    seats: ['me', 'person:Blue'],
    options: {},
    deal: { deck: ['A5', 'A6'], treasures: [1, 2], dice: [] },
    opening: ['A5@b3^0', '+W@a1', '+W@a1', '.', 'A6@c2^0'],
  });
});

test.each(ALL)('in the lesson %s every wrong answer that has a text gets that text', async (key) => {
  for (const step of (await load(key))!.steps) {
    for (const [answer, why] of Object.entries(step.wrong ?? {})) expect([answer, objection(step, [], words(answer))]).toEqual([answer, why]);
  }
});

test('a walk is judged by its goal, not by its first step', () => {
  const step: Step = { key: 'walk', want: ['L:a1-a2'], wrong: { 'L:a1-b2': 'jungle', 'L:a1-b2 L:b2-b3': 'treasure' } };
  expect([objection(step, [], ['L:a1-b2']), objection(step, [], ['L:a1-b2', 'L:b2-b3'])]).toEqual(['jungle', 'treasure']);
});

test('the picture of a lesson shows every hex that the lesson names', () => {
  const steps: Step[] = [{ key: 'a', show: ['c2'] }, { key: 'b', want: ['W:a1-b2 W:b2-d3'] }, { key: 'c', script: 'B1@e4^0|B1@f5^0' }];
  const lesson: Lesson = { key: 'x', players: 2, deck: 'A5,A6', treasures: '1,2', opening: 'A5@b3^0', steps };
  expect([...new Set(places(lesson))].sort()).toEqual(['a1', 'a2', 'b1', 'b2', 'b3', 'c2', 'd3', 'e4', 'f5']);
});
