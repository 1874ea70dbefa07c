/**
 * The server's messages and requests, by the names that the client uses. `api.d.ts` is made from the server's OpenAPI
 * document, so that the type checker checks the client against it. It is not in the repository: `make types` makes it, or
 * `python -m tikal.server.openapi openapi.json && npm run types`.
 */
import type { components } from './api';

type Schemas = components['schemas'];

export type Hex = string;
export type SeatNumber = number;
export type MemberKind = Walk['member'];
export type Phase = View['phase'];

// The game as a viewer may see it
export type View = Schemas['View'];
/** The tiles that may come next, and the progress of a scoring round. */
export type Prospect = Schemas['Prospect'];
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
/** One of the player's tables, with the result of its game. */
export type MyTable = Schemas['MyTable'];
export type MyTableList = Schemas['MyTableList'];
export type TableList = Schemas['TableList'];
export type Clock = NonNullable<TableInfo['clock']>;
export type NewTable = Schemas['NewTable'];
export type NewPractice = Partial<Schemas['NewPractice']> & Pick<Schemas['NewPractice'], 'seats'>;
export type NewClock = NonNullable<NewTable['clock']>;
export type After = Schemas['After'];
export type GameEvent = Schemas['Event'];
export type Update = Schemas['Update'];
/** The position after the action `at` of `of`. */
export type Frame = Schemas['ReplayBody'];
/** The server's bid limits for the player's seats. */
export type Limits = Schemas['Limits'];
/** Where the scores come from. */
export type Scores = Schemas['Scores'];
export type Scored = Schemas['Scored'];
/** A tie for first place and what decided it. */
export type Tie = Schemas['Tie'];
export type Frames = Schemas['Frames'];
/** A record that the player opened, replayed and checked. */
export type RecordBody = Schemas['RecordBody'];
export type Check = Schemas['Check'];
export type Reason = Schemas['Reason'];
export type WhatIf = Schemas['WhatIfBody'];
export type ChatLine = Schemas['ChatLine'];
export type ChatLines = Schemas['ChatLines'];
/** A bot's opinion of a position: its best turns, and everybody's chances. */
export type Analysis = Schemas['Analysis'];
/** A temple that changes hands in a turn; null is nobody. */
export type Change = Schemas['Change'];
/** A temple that the player controls and a rival can take in one turn, and the points they need. */
export type Fear = Schemas['Fear'];
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
