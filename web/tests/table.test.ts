import { beforeEach, expect, it, vi } from 'vitest';
import { Refused } from '../src/lib/server';
import type { Update } from '../src/lib/types';
import { update } from './story';

/** A server that acknowledges only when it is told to: its updates come before. */
const server = vi.hoisted(() => {
  const made = {
    hear: (() => undefined) as (update: unknown) => void,
    asked: [] as [string, ...unknown[]][],
    acks: [] as { resolve: () => void; reject: (error: unknown) => void }[],
  };
  const ask =
    (kind: string) =>
    (_table: string, ...rest: unknown[]) => {
      made.asked.push([kind, ...rest]);
      return new Promise<void>((resolve, reject) => made.acks.push({ resolve, reject }));
    };
  const live = {
    play: ask('play'),
    undo: ask('undo'),
    restart: ask('restart'),
    watch: (_table: string, hearing: { onUpdate: (update: unknown) => void }) => {
      made.hear = hearing.onUpdate;
      return () => undefined;
    },
  };
  return Object.assign(made, { live });
});
vi.mock('../src/lib/me.svelte', () => ({ live: server.live }));
vi.mock('../src/lib/server', async (original) => ({
  ...(await original<typeof import('../src/lib/server')>()),
  server: { said: async () => [] },
}));
const { Table } = await import('../src/lib/table.svelte');

const at = (seq: number, undo = 0): Update => ({ ...update(seq, [], null as never), undo });
const calm = () => new Promise((resolve) => setTimeout(resolve));
const WALK = ['W:a1-b2', 'W:b2-b3'];

let table: InstanceType<typeof Table>;
beforeEach(() => {
  server.asked.length = server.acks.length = 0;
  table = new Table('t');
  table.open();
  server.hear(at(5));
});

it('accepts the next request when the board shows the last one, even before the ack', async () => {
  const played = table.play(WALK);
  expect(table.busy).toBe(true);
  server.hear(at(7, 2));
  expect(table.busy).toBe(false);
  server.acks[0]!.resolve();
  expect(await played).toBe(true);
});

it('waits for the whole of a walk, and takes it back as a whole', async () => {
  void table.play(WALK);
  server.hear(at(6, 1)); // somebody else's
  expect(table.busy).toBe(true);
  server.hear(at(7, 2));
  void table.undo();
  expect(table.busy).toBe(true);
  server.hear(at(8, 0));
  expect(server.asked.slice(1)).toEqual([['undo', 7, 2]]);
  expect(table).toMatchObject({ busy: false, undone: [WALK] });
});

it('redoes an undo before its ack has arrived', async () => {
  void table.play(['+W@a1']);
  server.hear(at(6, 1));
  void table.undo();
  server.hear(at(7, 0));
  void table.redo();
  expect(server.asked.at(-1)).toEqual(['play', 7, ['+W@a1']]);
  server.acks[1]!.resolve(); // late, and no answer to the request that is on its way
  await calm();
  expect(table).toMatchObject({ busy: true, undone: [['+W@a1']] });
  server.acks[2]!.resolve();
  await calm();
  expect(table).toMatchObject({ busy: false, undone: [] });
});

it('asks for one thing at a time', async () => {
  void table.play(['+W@a1']);
  expect(await table.play(['+L@a1'])).toBe(false);
  expect(server.asked).toHaveLength(1);
});

it('ignores refused actions', async () => {
  const refused = new Refused('stale', 'made on 5, but the table is at 6', 409);
  const played = table.play(WALK);
  server.acks[0]!.reject(refused);
  expect(await played).toBe(false);
  expect(table).toMatchObject({ busy: false, problem: refused });
  server.hear(at(6, 2));
  void table.undo();
  expect(server.asked.at(-1)).toEqual(['undo', 6, 1]);
  server.acks[1]!.resolve();
  await calm();
  expect(server.asked).toHaveLength(2); // a single action: the table does not know what was played together
});
