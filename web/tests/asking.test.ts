import { expect, test } from 'vitest';
import { Refused } from '../src/lib/server';
import { Asking } from '../src/ui/asking.svelte';

const no = new Refused('name', 'no such name');

test('it is busy as long as an answer is awaited', async () => {
  const asking = new Asking();
  let answer = () => {};
  const asked = asking.ask(() => new Promise<void>((resolve) => (answer = resolve)));
  expect(asking.busy).toBe(true);
  answer();
  expect(await asked).toBe(true);
  expect(asking.busy).toBe(false);
});

test('a refusal stays until the next request', async () => {
  const asking = new Asking();
  expect(await asking.ask(() => Promise.reject(no))).toBe(false);
  expect(asking).toMatchObject({ busy: false, problem: no });
  await asking.ask(() => Promise.resolve());
  expect(asking.problem).toBeNull();
});

test('a result stays until the next request', async () => {
  const asking = new Asking();
  await asking.ask(async () => (asking.said = 'done'));
  expect(asking.said).toBe('done');
  await asking.ask(() => Promise.reject(no));
  expect(asking.said).toBe('');
});

test('a fault of ours is not taken for a refusal', async () => {
  const asking = new Asking();
  await expect(asking.ask(() => Promise.reject(new TypeError('ours')))).rejects.toThrow('ours');
  expect(asking).toMatchObject({ busy: false, problem: null });
});
