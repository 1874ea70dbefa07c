/**
 * The page's one socket. It reconnects by itself, resumes from the last event it received, and resends requests that
 * were not acknowledged: the id of a request makes that harmless.
 */
import { Refused } from './server';
import type { ChatLine, ClientMessage, ServerMessage, Update } from './types';

export type Connection = 'connecting' | 'online' | 'offline';

export type Ack = Extract<ServerMessage, { type: 'ack' }>;
/** A message that the server acknowledges. */
type Asked = Extract<ClientMessage, { type: 'play' | 'undo' | 'restart' | 'resign' }>;
/** The same without its id, which `request` adds. */
type Request = Asked extends infer One ? (One extends Asked ? Omit<One, 'id'> : never) : never;

interface Waiting {
  message: Asked;
  resolve: (ack: Ack) => void;
  reject: (error: Refused) => void;
}

interface Watcher {
  seq: number; // the last event received
  pages: Update['events']; // events of an update whose last page is still missing
  onUpdate: (update: Update) => void;
  onChat: (line: ChatLine) => void;
  onError: (error: Refused) => void;
}

const BEAT = 10_000; // ms: a server that is silent for longer is gone, even if the socket is still open
const WATCH = 'watch:'; // prefix of the id of a watch request, so that a refusal finds its watcher

export class Live {
  connection = $state<Connection>('connecting');
  /** Called when the player's turn comes at any table, watched or not. */
  onTurn: (table: string) => void = () => undefined;

  #socket: WebSocket | null = null;
  #watchers = new Map<string, Watcher>();
  #waiting = new Map<string, Waiting>();
  #pause = 250;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heart: ReturnType<typeof setInterval> | undefined;
  #alive = true; // something was received since the last heartbeat
  #number = 0;
  #tab = crypto.getRandomValues(new Uint32Array(2)).join('-');
  #makeSocket: () => WebSocket;

  constructor(makeSocket: () => WebSocket = defaultSocket) {
    this.#makeSocket = makeSocket;
    globalThis.addEventListener?.('online', () => this.#now());
    globalThis.addEventListener?.('offline', () => this.#drop());
  }

  /** Watches a table; `since` is the last known event. Returns a function that stops watching. */
  watch(table: string, hearing: Omit<Watcher, 'seq' | 'pages'>, since = 0): () => void {
    const watcher = { ...hearing, seq: since, pages: [] };
    this.#watchers.set(table, watcher);
    if (this.#isOpen()) this.#sendWatch(table, since);
    else this.#connect();
    return () => {
      if (this.#watchers.get(table) !== watcher) return;
      this.#watchers.delete(table);
      if (this.#isOpen()) this.#send({ type: 'unwatch', table });
    };
  }

  /** Sends a request that the server acknowledges; resends it after a reconnect until it is answered. */
  request(message: Request): Promise<Ack> {
    const id = `${this.#tab}-${++this.#number}`;
    return new Promise((resolve, reject) => {
      const whole: Asked = { ...message, id };
      this.#waiting.set(id, { message: whole, resolve, reject });
      if (this.#isOpen()) this.#send(whole);
      else this.#connect();
    });
  }

  play(table: string, on: number, actions: string[]): Promise<Ack> {
    return this.request({ type: 'play', table, on, actions });
  }

  undo(table: string, on: number, count: number): Promise<Ack> {
    return this.request({ type: 'undo', table, on, count });
  }

  restart(table: string, on: number): Promise<Ack> {
    return this.request({ type: 'restart', table, on });
  }

  resign(table: string, seat: number): Promise<Ack> {
    return this.request({ type: 'resign', table, seat });
  }

  /** Connects even if no table is watched, to receive the player's turns. */
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

  #send(message: ClientMessage): void {
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

  /** Pings the server: a network that silently goes away does not close the socket. */
  #beat(): void {
    if (!this.#alive) return this.#drop();
    this.#alive = false;
    this.#send({ type: 'ping' });
  }

  /** Drops the socket without waiting for it to close. */
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
        if (watcher) this.#updated(watcher, message);
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
        const error = new Refused(message.code, message.text, 0, null, message.action, message.why, message.reason);
        const id = String(message.id);
        if (id.startsWith(WATCH)) this.#watchers.get(id.slice(WATCH.length))?.onError(error);
        else this.#answered(id, (waiting) => waiting.reject(error));
        return;
      }
    }
  }

  /** Long logs come in pages, one update each. They are passed on as one when the last page has arrived. */
  #updated(watcher: Watcher, update: Update): void {
    const events = [...watcher.pages, ...update.events.filter((event) => event.seq > (watcher.pages.at(-1)?.seq ?? 0))];
    const last = update.events.at(-1)?.seq ?? update.seq;
    watcher.seq = last;
    watcher.pages = last < update.seq ? events : [];
    if (last >= update.seq) watcher.onUpdate({ ...update, events });
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
