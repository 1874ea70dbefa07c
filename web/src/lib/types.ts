/**
 * What the server sends and takes, by the names that the client uses. `api.d.ts` is made from the server's own OpenAPI
 * document, so that the checker proves the client against it. It is not kept: `make types` makes it, or from web/
 * `python -m tikal.server.openapi openapi.json && npm run types`.
 */
import type { components } from './api';

type Schemas = components['schemas'];

export type Hex = string;
export type SeatNumber = number;
export type MemberKind = Walk['member'];
export type Phase = View['phase'];

// The game as somebody may see it
export type View = Schemas['View'];
export type Leaps = Schemas['Leaps'];
export type Forecast = Schemas['ForecastSeat'];

// What can be done
export type Choice = Schemas['OfferedAction'];
export type Walk = Schemas['Walk'];
export type Refusal = Schemas['Refusal'];
export type Place = Schemas['Place'];
export type Offer = Schemas['Offer'];

// Tables and their events
export type Seat = Schemas['Seat'];
export type TableInfo = Schemas['TableInfo'];
export type Clock = NonNullable<TableInfo['clock']>;
export type NewTable = Schemas['NewTable'];
export type NewClock = NonNullable<NewTable['clock']>;
export type After = Schemas['After'];
export type GameEvent = Schemas['Event'];
export type Update = Schemas['Update'];
/** How things stood after the action `at` of `of`. */
export type Frame = Schemas['ReplayBody'];
/** How far the server bids for one's own seats. */
export type Limits = Schemas['Limits'];
/** Where the scores come from. */
export type Scores = Schemas['Scores'];
export type Scored = Schemas['Scored'];
export type Frames = Schemas['Frames'];
/** A record that somebody brought, replayed and checked. */
export type RecordBody = Schemas['RecordBody'];
export type Check = Schemas['Check'];
export type WhatIf = Schemas['WhatIfBody'];
export type ChatLine = Schemas['ChatLine'];
export type Invitation = Schemas['Invitation'];

// The socket
export type ServerMessage = Schemas['ServerMessage'];
export type ClientMessage = Schemas['ClientMessage'];

// People
export type Me = Schemas['Me'];
export type WhoAmI = Schemas['WhoAmI'];
export type Webhook = Schemas['WebhookBody'];
export type WebhookTest = Schemas['WebhookTest'];
export type PersonalLink = Schemas['Link'];
export type Stats = Schemas['Stats'];
export type Ranking = Schemas['Ranking'];
