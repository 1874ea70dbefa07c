/**
 * The one socket of this page. It comes back by itself, watches again from the last event that was heard, and sends
 * again what was not acknowledged: the id of a request makes that harmless.
 */
import { Refused } from './server';
import type { ChatLine, ServerMessage, Update } from './types';

export type Connection = 'connecting' | 'online' | 'offline';

export type Ack = Extract<ServerMessage, { type: 'ack' }>;

interface Waiting {
  message: Record<string, unknown>;
  resolve: (ack: Ack) => void;
  reject: (error: Refused) => void;
}

interface Watcher {
  seq: number;
  onUpdate: (update: Update) => void;
  onChat: (line: ChatLine) => void;
  onError: (error: Refused) => void;
}

const BEAT = 10_000; // ms: who has not answered within this is gone, whatever the socket believes
const WATCH = 'watch:'; // the id of a request to watch, so that its refusal finds the watcher

export class Live {
  connection = $state<Connection>('connecting');
  /** Tables where it has become one's turn, also those that nobody watches here. */
  onTurn: (table: string) => void = () => undefined;

  #socket: WebSocket | null = null;
  #watchers = new Map<string, Watcher>();
  #waiting = new Map<string, Waiting>();
  #pause = 250;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heart: ReturnType<typeof setInterval> | undefined;
  #alive = true; // something was heard since the last beat
  #number = 0;
  #tab = crypto.getRandomValues(new Uint32Array(2)).join('-');
  #makeSocket: () => WebSocket;

  constructor(makeSocket: () => WebSocket = defaultSocket) {
    this.#makeSocket = makeSocket;
    globalThis.addEventListener?.('online', () => this.#now());
    globalThis.addEventListener?.('offline', () => this.#drop());
  }

  /** Hears of a table from now on; `since` is the last event that is known. Returns how to stop. */
  watch(table: string, hearing: Omit<Watcher, 'seq'>, since = 0): () => void {
    const watcher = { ...hearing, seq: since };
    this.#watchers.set(table, watcher);
    if (this.#isOpen()) this.#sendWatch(table, since);
    else this.#connect();
    return () => {
      if (this.#watchers.get(table) !== watcher) return;
      this.#watchers.delete(table);
      if (this.#isOpen()) this.#send({ type: 'unwatch', table });
    };
  }

  /** Asks for something that is acknowledged; sent again after a gap until it is answered. */
  request(message: Record<string, unknown>): Promise<Ack> {
    const id = `${this.#tab}-${++this.#number}`;
    return new Promise((resolve, reject) => {
      const whole = { ...message, id };
      this.#waiting.set(id, { message: whole, resolve, reject });
      if (this.#isOpen()) this.#send(whole);
      else this.#connect();
    });
  }

  play(table: string, on: number, actions: string[]): Promise<Ack> {
    return this.request({ type: 'play', table, on, actions });
  }

  undo(table: string, on: number): Promise<Ack> {
    return this.request({ type: 'undo', table, on });
  }

  restart(table: string, on: number): Promise<Ack> {
    return this.request({ type: 'restart', table, on });
  }

  resign(table: string, seat: number): Promise<Ack> {
    return this.request({ type: 'resign', table, seat });
  }

  /** Connects, also where nobody watches a table: so that one hears of one's turn. */
  open(): void {
    this.#connect();
  }

  /** A new identity needs a new socket. */
  reconnect(): void {
    this.#socket?.close();
    this.#now();
  }

  #isOpen(): boolean {
    return this.#socket?.readyState === 1;
  }

  #send(message: unknown): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #sendWatch(table: string, since: number): void {
    this.#send({ type: 'watch', table, since, id: `${WATCH}${table}` });
  }

  #now(): void {
    clearTimeout(this.#timer);
    this.#pause = 250;
    this.#connect();
  }

  #connect(): void {
    if (this.#socket && this.#socket.readyState < 2) return;
    const socket = this.#makeSocket();
    this.#socket = socket;
    socket.onopen = () => this.#opened();
    socket.onmessage = (message) => {
      this.#alive = true;
      this.#heard(JSON.parse(String(message.data)));
    };
    socket.onclose = () => this.#closed(socket);
  }

  #opened(): void {
    this.connection = 'online';
    this.#pause = 250;
    this.#alive = true;
    clearInterval(this.#heart);
    this.#heart = setInterval(() => this.#beat(), BEAT);
    for (const [table, watcher] of this.#watchers) this.#sendWatch(table, watcher.seq);
    for (const waiting of this.#waiting.values()) this.#send(waiting.message);
  }

  #closed(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.connection = 'offline';
    clearInterval(this.#heart);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), this.#pause * (0.75 + Math.random() / 2));
    this.#pause = Math.min(this.#pause * 2, 10_000);
  }

  /** Asks the server for a sign of life: a net that went away without a word closes no socket. */
  #beat(): void {
    if (!this.#alive) return this.#drop();
    this.#alive = false;
    this.#send({ type: 'ping' });
  }

  /** Gives the socket up without waiting for an answer to that. */
  #drop(): void {
    const socket = this.#socket;
    if (!socket || socket.readyState > 1) return;
    this.#closed(socket);
    this.#socket = null;
    socket.onmessage = socket.onopen = null;
    socket.close();
  }

  #heard(message: ServerMessage): void {
    switch (message.type) {
      case 'update': {
        const watcher = this.#watchers.get(message.table);
        if (!watcher) return;
        watcher.seq = message.seq;
        watcher.onUpdate(message);
        return;
      }
      case 'chat':
        this.#watchers.get(message.table)?.onChat(message.line);
        return;
      case 'turn':
        this.onTurn(message.table);
        return;
      case 'ack':
        this.#answered(String(message.id), (waiting) => waiting.resolve(message));
        return;
      case 'error': {
        const error = new Refused(message.code, message.text);
        const id = String(message.id);
        if (id.startsWith(WATCH)) this.#watchers.get(id.slice(WATCH.length))?.onError(error);
        else this.#answered(id, (waiting) => waiting.reject(error));
        return;
      }
    }
  }

  #answered(id: string, settle: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting) settle(waiting);
  }
}

function defaultSocket(): WebSocket {
  return new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/live`);
}
