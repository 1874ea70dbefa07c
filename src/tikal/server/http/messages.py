"""The messages of the WebSocket, /api/live: what a client may send, and what it receives.

These models also validate incoming messages, so the documentation states what the server accepts.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import BaseModel, Field, RootModel

from tikal.server.http.requests import Back, Play, Resign, Schema, SeatNumber, Seq, Undo, example
from tikal.server.http.responses import ChatLine, Millis, Problem, Update, maybe

Table = Annotated[str, Field(max_length=40, description="the id of a table")]
MessageId = Annotated[str, Field(max_length=40)] | Annotated[int, Field(strict=True)]
OWN = "the client's own; the answer carries it too"


# Messages from the client


class Watch(Schema):
    """Subscribes to a table: an update at once, with the events after `since`, and after every change."""

    model_config = example(type="watch", table="dGhlIGp1bmdsZSBpcyBk", since=0)
    type: Literal["watch"]
    table: Table
    since: Seq | None = maybe("none: no events")
    id: MessageId = maybe(OWN)


class Unwatch(Schema):
    """Unsubscribes from a table."""

    model_config = example(type="unwatch", table="dGhlIGp1bmdsZSBpcyBk")
    type: Literal["unwatch"]
    table: Table
    id: MessageId = maybe(OWN)


class PlayMessage(Play):
    """Plays actions, all or none."""

    model_config = example(type="play", table="dGhlIGp1bmdsZSBpcyBk", id="tab1-17", on=4, actions=["W:a1-b2", "."])
    type: Literal["play"]
    table: Table


class UndoMessage(Undo):
    """Takes back the last action, or several."""

    model_config = example(type="undo", table="dGhlIGp1bmdsZSBpcyBk", id="tab1-18", on=6, count=2)
    type: Literal["undo"]
    table: Table


class RestartMessage(Back):
    """Starts the turn again."""

    model_config = example(type="restart", table="dGhlIGp1bmdsZSBpcyBk", id="tab1-19", on=6)
    type: Literal["restart"]
    table: Table


class ResignMessage(Resign):
    """Resigns a seat."""

    model_config = example(type="resign", table="dGhlIGp1bmdsZSBpcyBk", id="tab1-20")
    type: Literal["resign"]
    table: Table


class Ping(Schema):
    """Asks whether the server is alive."""

    model_config = example(type="ping", id=1)
    type: Literal["ping"]
    id: MessageId = maybe(OWN)


Said = Watch | Unwatch | PlayMessage | UndoMessage | RestartMessage | ResignMessage | Ping
TYPES: tuple[str, ...] = tuple(get_args(one.model_fields["type"].annotation)[0] for one in get_args(Said))
"""What `type` may be."""


class ClientMessage(RootModel[Annotated[Said, Field(discriminator="type")]]):
    """What a client may send over the WebSocket."""


# Messages from the server


class UpdateMessage(Update):
    """An update; with the `id` of the `watch` that it answers."""

    id: MessageId = maybe(OWN)


class Ack(Schema):
    """An action is stored; or a table is no longer watched, then without numbers."""

    model_config = example(type="ack", table="dGhlIGp1bmdsZSBpcyBk", id="tab1-17", first=5, seq=6, duplicate=False)
    type: Literal["ack"]
    table: Table
    first: Seq = maybe("the number of its first event")
    seq: Seq = maybe("and of its last")
    duplicate: bool = maybe("whether it was a resend")
    id: MessageId = maybe(OWN)


class ErrorMessage(Problem):
    """Why a message was refused; it changed nothing."""

    model_config = example(type="error", id="tab1-17", code="stale", text="made on 4, but the table is at 6", seq=6)
    type: Literal["error"]
    id: MessageId = maybe(OWN)


class ChatMessage(Schema):
    """A line of chat at a watched table."""

    type: Literal["chat"]
    table: Table
    line: ChatLine


class TurnMessage(Schema):
    """It is the caller's turn at a table, watched or not."""

    model_config = example(type="turn", table="dGhlIGp1bmdsZSBpcyBk", seat=1, deadline=None)
    type: Literal["turn"]
    table: Table
    seat: SeatNumber
    deadline: Millis | None


class Pong(Schema):
    """The server is alive."""

    model_config = example(type="pong", id=1)
    type: Literal["pong"]
    id: MessageId = maybe(OWN)


_Heard = UpdateMessage | Ack | ErrorMessage | ChatMessage | TurnMessage | Pong


class ServerMessage(RootModel[Annotated[_Heard, Field(discriminator="type")]]):
    """What a client may receive over the WebSocket."""


SOCKET: tuple[type[BaseModel], ...] = (ClientMessage, ServerMessage)
"""OpenAPI does not describe sockets, so the document lists these among its schemas."""
