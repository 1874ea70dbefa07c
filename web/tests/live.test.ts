import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Live } from '../src/lib/live.svelte';
import { Refused } from '../src/lib/server';

class FakeSocket {
  static made: FakeSocket[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen: () => void = () => undefined;
  onclose: () => void = () => undefined;
  onmessage: (message: { data: string }) => void = () => undefined;

  constructor() {
    FakeSocket.made.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.readyState = 3;
    this.onclose();
  }
  open(): void {
    this.readyState = 1;
    this.onopen();
  }
  hear(message: unknown): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

const last = () => FakeSocket.made.at(-1)!;
const hearing = () => ({ onUpdate: vi.fn(), onChat: vi.fn(), onError: vi.fn() });

describe('the socket', () => {
  let live: Live;
  beforeEach(() => {
    vi.useFakeTimers();
    FakeSocket.made = [];
    live = new Live(() => new FakeSocket() as unknown as WebSocket);
  });

  it('watches again from the last event that was heard after a gap', async () => {
    const heard = hearing();
    live.watch('t1', heard);
    last().open();
    expect(live.connection).toBe('online');
    expect(last().sent).toMatchObject([{ type: 'watch', table: 't1', since: 0 }]);
    last().hear({ type: 'update', table: 't1', seq: 7, events: [], info: { your_turn: false } });
    expect(heard.onUpdate).toHaveBeenCalledOnce();

    last().close();
    expect(live.connection).toBe('offline');
    await vi.advanceTimersByTimeAsync(1000);
    expect(FakeSocket.made).toHaveLength(2);
    last().open();
    expect(last().sent).toMatchObject([{ type: 'watch', table: 't1', since: 7 }]);
  });

  it('passes a long log on as one update when its last page has come, also after a gap', async () => {
    const heard = hearing();
    const page = (...seqs: number[]) => ({ type: 'update', table: 't1', seq: 6, events: seqs.map((seq) => ({ seq })) });
    live.watch('t1', heard);
    last().open();
    last().hear(page(1, 2));
    last().hear(page(3, 4));
    expect(heard.onUpdate).not.toHaveBeenCalled();
    last().close();
    await vi.advanceTimersByTimeAsync(1000);
    last().open();
    expect(last().sent).toMatchObject([{ type: 'watch', since: 4 }]);
    last().hear(page(5, 6));
    expect(heard.onUpdate).toHaveBeenCalledExactlyOnceWith(page(1, 2, 3, 4, 5, 6));
    last().hear(page(7));
    expect(heard.onUpdate).toHaveBeenLastCalledWith(page(7));
  });

  it('resends unacknowledged requests with the same id', async () => {
    const done = live.play('t1', 3, ['+W@a1']);
    last().open();
    const first = last().sent.at(-1)!;
    last().close();
    await vi.advanceTimersByTimeAsync(1000);
    last().open();
    expect(last().sent.at(-1)).toEqual(first);
    last().hear({ type: 'ack', id: first.id, first: 4, seq: 4, duplicate: true });
    await expect(done).resolves.toMatchObject({ seq: 4 });

    last().close();
    await vi.advanceTimersByTimeAsync(1000);
    last().open();
    expect(last().sent).toEqual([]); // it was answered: nothing is to be sent again
  });

  it('detects a silent server by itself, and reconnects', async () => {
    live.watch('t1', hearing());
    const first = last();
    first.open();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(first.sent.at(-1)).toEqual({ type: 'ping' });
    first.hear({ type: 'pong' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(live.connection).toBe('online');
    await vi.advanceTimersByTimeAsync(10_000); // the second ping was not answered
    expect(live.connection).toBe('offline');
    expect(first.readyState).toBe(3);
    await vi.advanceTimersByTimeAsync(1000);
    expect(last()).not.toBe(first);
    last().open();
    expect(live.connection).toBe('online');
    expect(last().sent).toMatchObject([{ type: 'watch', table: 't1' }]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(last().sent).toHaveLength(2); // one heart beats, not two
  });

  it('passes a refusal to the request', async () => {
    const refused = live.play('t1', 3, ['X@a1']).catch((error: unknown) => error);
    last().open();
    last().hear({ type: 'error', id: last().sent[0]!.id, code: 'illegal', text: 'a1 is not a temple' });
    const error = await refused;
    expect(error).toBeInstanceOf(Refused);
    expect(error).toMatchObject({ code: 'illegal', message: 'a1 is not a temple' });
  });

  it('notifies a watcher of an unknown table', () => {
    const heard = hearing();
    live.watch('nowhere', heard);
    last().open();
    last().hear({ type: 'error', id: 'watch:nowhere', code: 'unknown', text: 'there is no such table' });
    expect(heard.onError.mock.lastCall![0].code).toBe('unknown');
  });

  it('waits longer each time while the server does not answer', async () => {
    live.watch('t1', hearing());
    for (let gap = 0; gap < 6; gap++) {
      last().close();
      await vi.advanceTimersByTimeAsync(400 * 2 ** FakeSocket.made.length);
    }
    const before = FakeSocket.made.length;
    last().close();
    await vi.advanceTimersByTimeAsync(1000);
    expect(FakeSocket.made).toHaveLength(before);
  });
});
