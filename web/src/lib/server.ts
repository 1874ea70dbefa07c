/** Requests to the server over HTTP. A refusal is thrown as `Refused`, with the server's code and text. */
import type { Analysis, ChatLine, ChatLines, Frames, Invitation, Limits, Me, MyTableList, NewPractice, NewTable, PersonalLink, Ranking, Reason, RecordBody, Scores, Stats, TableInfo, TableList, Update, Webhook, WebhookTest, WhatIf, WhoAmI } from './types';

export class Refused extends Error {
  constructor(
    readonly code: string,
    text: string,
    readonly status = 0,
    /** The field of the request that it is about, if the server names it. */
    readonly field: string | null = null,
    /** The action that is not legal, and the condition of the rules that failed. */
    readonly action = '',
    readonly why = '',
    /** The details, for a sentence in the player's language. */
    readonly reason: Reason | null = null,
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
    throw new Refused(error.code ?? 'fault', error.text ?? `the server answers ${answer.status}`, answer.status, error.field, error.action, error.why, error.reason);
  }
  return json as T;
}

/** A new id for a request: if it is sent twice, it counts once. */
const requestId = () => crypto.randomUUID();
const at = (table: string) => `/tables/${encodeURIComponent(table)}`;

/** The endpoints of the server, by name. */
export const server = {
  me: () => ask<WhoAmI>('GET', '/me'),
  becomeGuest: (name: string, language: string) => ask<Me>('POST', '/people', { name, language }),
  rename: (name: string) => ask<Me>('PATCH', '/me', { name }),
  speak: (language: string) => ask<Me>('PATCH', '/me', { language }),
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
  openTables: () => ask<TableList>('GET', '/tables').then((answer) => answer.tables),
  myTables: () => ask<MyTableList>('GET', '/me/tables').then((answer) => answer.tables),
  create: (table: NewTable) => ask<TableInfo>('POST', '/tables', table),
  practise: (practice: NewPractice) => ask<TableInfo>('POST', '/practice', practice),
  look: (table: string) => ask<Update>('GET', at(table)),
  invitation: (table: string) => ask<Invitation>('GET', `${at(table)}/invitation`),
  join: (table: string, seat?: number) => ask<TableInfo>('POST', `${at(table)}/join`, seat ? { seat } : {}),
  leave: (table: string) => ask<TableInfo>('POST', `${at(table)}/leave`),
  /** Assigns a seat, if it is still what the owner saw: somebody may have joined meanwhile. */
  putSeat: (table: string, seat: number, to: string, was: string) =>
    ask<TableInfo>('PUT', `${at(table)}/seats/${seat}`, { to, was }),
  start: (table: string) => ask<TableInfo>('POST', `${at(table)}/start`),
  rematch: (table: string) => ask<TableInfo>('POST', `${at(table)}/rematch`),
  whatIf: (table: string, on: number, actions: string[]) =>
    ask<WhatIf>('POST', `${at(table)}/whatif`, { on, actions }),
  analysis: (table: string, number?: number) =>
    ask<Analysis>('GET', `${at(table)}/analysis${number === undefined ? '' : `?at=${number}`}`),
  /** The same by a quick analysis. */
  quickAnalysis: (table: string) => ask<Analysis>('GET', `${at(table)}/analysis?quick=true`),
  absent: (table: string, act: 'bot' | 'win') => ask<unknown>('POST', `${at(table)}/absent`, { id: requestId(), do: act }),
  vote: (table: string, end: boolean) => ask<unknown>('POST', `${at(table)}/vote`, { id: requestId(), end }),
  seatLink: (table: string, seat: number) => ask<PersonalLink>('POST', `${at(table)}/seats/${seat}/link`),
  takeSeat: (table: string, seat: number, token: string) =>
    ask<TableInfo>('POST', `${at(table)}/seats/${seat}/take`, { token }),
  bids: (table: string) => ask<Limits>('GET', `${at(table)}/bid`),
  bidUpTo: (table: string, seat: number, up_to: number) =>
    ask<Limits>('PUT', `${at(table)}/bid`, { seat, up_to }),
  bidMyself: (table: string, seat: number) =>
    ask<Limits>('DELETE', `${at(table)}/bid?seat=${seat}`),
  record: (table: string) => ask<string>('GET', `${at(table)}/record`),
  frames: (table: string, start: number, seat?: number) =>
    ask<Frames>('GET', `${at(table)}/frames?start=${start}${seat ? `&seat=${seat}` : ''}`),
  readRecord: (text: string, start = 0, seat?: number) =>
    ask<RecordBody>('POST', '/records', { text, start, ...(seat ? { seat } : {}) }),
  scores: (table: string) => ask<Scores>('GET', `${at(table)}/scores`),
  said: (table: string) => ask<ChatLines>('GET', `${at(table)}/chat`).then((answer) => answer.lines),
  say: (table: string, text: string) => ask<ChatLine>('POST', `${at(table)}/chat`, { text }),
};
