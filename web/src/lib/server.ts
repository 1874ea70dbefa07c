/** Asking the server over HTTP. A refusal is thrown as `Refused`, with the server's code and text. */
import type { ChatLine, Frames, Invitation, Limits, Me, NewTable, PersonalLink, Ranking, RecordBody, Scores, Stats, TableInfo, Update, Webhook, WebhookTest, WhatIf, WhoAmI } from './types';

export class Refused extends Error {
  constructor(
    readonly code: string,
    text: string,
    readonly status = 0,
  ) {
    super(text);
  }
}

export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refused('offline', 'the server does not answer');
  }
  const text = await answer.text();
  const json = text && answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  if (!answer.ok) {
    const error = json?.error ?? {};
    throw new Refused(error.code ?? 'fault', error.text ?? `the server answers ${answer.status}`, answer.status);
  }
  return json as T;
}

/** What a bot thinks of a position: its best turns, and everybody's chances. */
export interface Analysis {
  turns: { actions: string[]; sure: number; value: number; chance: number }[];
  seats: { score: number; estimate: number; chance: number }[];
}

const at = (table: string) => `/tables/${encodeURIComponent(table)}`;

/** The doors of the server, by name. */
export const server = {
  me: () => ask<WhoAmI>('GET', '/me'),
  becomeGuest: (name: string) => ask<Me>('POST', '/people', { name }),
  rename: (name: string) => ask<Me>('PATCH', '/me', { name }),
  personalLink: () => ask<PersonalLink>('POST', '/me/link'),
  claim: (token: string) => ask<Me>('POST', '/people/claim', { token }),
  logIn: (login: string, password: string) => ask<Me>('POST', '/people/login', { login, password }),
  putPassword: (login: string, password: string, current: string | null) =>
    ask<Me>('PUT', '/me/password', { login, password, current }),
  removePassword: (current: string) => ask<Me>('POST', '/me/password/remove', { current }),
  webhook: () => ask<Webhook>('GET', '/me/webhook'),
  putWebhook: (url: string) => ask<Webhook>('PUT', '/me/webhook', { url }),
  removeWebhook: () => ask<Webhook>('DELETE', '/me/webhook'),
  testWebhook: () => ask<WebhookTest>('POST', '/me/webhook/test'),
  logOut: () => ask<unknown>('DELETE', '/me/session'),
  logOutOthers: () => ask<unknown>('DELETE', '/me/sessions'),
  stats: () => ask<Stats>('GET', '/me/stats'),
  ranking: () => ask<Ranking>('GET', '/ranking'),
  openTables: () => ask<{ tables: TableInfo[] }>('GET', '/tables').then((answer) => answer.tables),
  myTables: () => ask<{ tables: TableInfo[] }>('GET', '/me/tables').then((answer) => answer.tables),
  create: (wish: NewTable) => ask<TableInfo>('POST', '/tables', wish),
  look: (table: string) => ask<Update>('GET', at(table)),
  invitation: (table: string) => ask<Invitation>('GET', `${at(table)}/invitation`),
  join: (table: string, seat?: number) => ask<TableInfo>('POST', `${at(table)}/join`, seat ? { seat } : {}),
  leave: (table: string) => ask<TableInfo>('POST', `${at(table)}/leave`),
  putSeat: (table: string, seat: number, to: string) => ask<TableInfo>('PUT', `${at(table)}/seats/${seat}`, { to }),
  start: (table: string) => ask<TableInfo>('POST', `${at(table)}/start`),
  rematch: (table: string) => ask<TableInfo>('POST', `${at(table)}/rematch`),
  whatIf: (table: string, on: number, actions: string[]) =>
    ask<WhatIf>('POST', `${at(table)}/whatif`, { on, actions }),
  analysis: (table: string, number?: number) =>
    ask<Analysis>('GET', `${at(table)}/analysis${number === undefined ? '' : `?at=${number}`}`),
  bids: (table: string) => ask<Limits>('GET', `${at(table)}/bid`).then((answer) => answer.bids),
  bidUpTo: (table: string, seat: number, up_to: number) =>
    ask<Limits>('PUT', `${at(table)}/bid`, { seat, up_to }).then((answer) => answer.bids),
  bidMyself: (table: string, seat: number) =>
    ask<Limits>('DELETE', `${at(table)}/bid?seat=${seat}`).then((answer) => answer.bids),
  record: (table: string) => ask<string>('GET', `${at(table)}/record`),
  frames: (table: string, start: number, seat?: number) =>
    ask<Frames>('GET', `${at(table)}/frames?start=${start}${seat ? `&seat=${seat}` : ''}`),
  readRecord: (text: string, start = 0, seat?: number) =>
    ask<RecordBody>('POST', '/records', { text, start, ...(seat ? { seat } : {}) }),
  scores: (table: string) => ask<Scores>('GET', `${at(table)}/scores`),
  said: (table: string) => ask<{ lines: ChatLine[] }>('GET', `${at(table)}/chat`).then((answer) => answer.lines),
  say: (table: string, text: string) => ask<ChatLine>('POST', `${at(table)}/chat`, { text }),
};
