"""The HTTP API. Each function checks a shape, asks the hub, and answers through the projection."""

from __future__ import annotations

import gzip
import secrets
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse

from tikal import __version__
from tikal.rules import RULES_VERSION
from tikal.server import answers, invite, projection, replays, shapes, statistics
from tikal.server.config import Config
from tikal.server.errors import Refused
from tikal.server.hub import Hub, Wish, check_name
from tikal.server.identity import COOKIE, LINK_MS, address, digest, new_token, token_of
from tikal.server.limits import Limiter
from tikal.server.pages import takes_gzip
from tikal.server.projection import Viewer
from tikal.server.store import Json, Person, Table, now

COOKIE_AGE = 400 * 24 * 3600  # seconds; browsers allow no more
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": answers.ProblemBody, "description": text}
    for status, text in (
        (401, "no identity"),
        (403, "no right"),
        (404, "unknown"),
        (409, "not now"),
        (413, "too large"),
        (422, "malformed"),
        (429, "too much"),
    )
}
RECORD: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/plain": {"example": '[Game "Tikal"]\n[Rules "1"]\n[Players "Ann" "bot:digger"]\n…'}}}
}
BUSY: dict[int | str, dict[str, Any]] = {503: {"model": answers.ProblemBody, "description": "no time for it"}}
SVG: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/svg+xml": {"example": '<svg xmlns="http://www.w3.org/2000/svg">…</svg>'}}}
}
router = APIRouter(prefix="/api", responses=REFUSALS)


class SvgResponse(Response):
    """A picture."""

    media_type = "image/svg+xml"


def hub_of(request: Request) -> Hub:
    """The hub of this server."""
    hub: Hub = request.app.state.hub
    return hub


async def maybe_me(request: Request) -> Person | None:
    """Who asks, if it is somebody we know."""
    token = token_of(request.headers, request.cookies)
    return await hub_of(request).store.person_of(digest(token)) if token else None


async def me_or_refuse(person: Annotated[Person | None, Depends(maybe_me)]) -> Person:
    """Who asks; a stranger is refused."""
    if person is None:
        raise unknown_person()
    return person


def unknown_person() -> Refused:
    """What a stranger is told where somebody is needed."""
    return Refused("identity", "say who you are first: POST /api/people, then send its token or cookie")


AtHub = Annotated[Hub, Depends(hub_of)]
Me = Annotated[Person, Depends(me_or_refuse)]
Anybody = Annotated[Person | None, Depends(maybe_me)]
TableId = Annotated[str, Path(max_length=40, examples=["dGhlIGp1bmdsZSBpcyBk"])]
SeatInPath = Annotated[int, Path(ge=1, le=4)]
SeatInQuery = Annotated[int | None, Query(ge=1, le=4)]
Start = Annotated[int, Query(ge=0, le=100_000)]
Since = Annotated[int, Query(ge=0, le=1_000_000)]


def _set_cookie(request: Request, response: Response, token: str) -> None:
    response.set_cookie(COOKIE, token, COOKIE_AGE, secure=_secure(request), httponly=True, samesite="strict")


def _secure(request: Request) -> bool:
    config: Config = request.app.state.config
    return request.url.scheme == "https" or (config.public_url or "").startswith("https:")


def _session(request: Request) -> str:
    """The hash of the token with which somebody we know asks."""
    token = token_of(request.headers, request.cookies)
    assert token is not None
    return digest(token)


def _info(hub: Hub, table: Table, person: Person | None) -> Json:
    return projection.table_info(table, Viewer.of(table, person.id if person else None), hub.time.now())


def _packed(request: Request, value: Json) -> Response:
    """An answer that is long and says much the same again and again: compressed where that is understood."""
    text = projection.text(value).encode()
    if not takes_gzip(request.headers.get("accept-encoding", "")):
        return Response(text, media_type="application/json")
    headers = {"content-encoding": "gzip", "vary": "accept-encoding"}
    return Response(gzip.compress(text, 1), media_type="application/json", headers=headers)


def _json(value: Json, status: int = 200) -> Response:
    """An answer as the projection made it, the same bytes as over a socket; its shape is only documented."""
    return Response(projection.text(value), status, media_type="application/json")


# The server


@router.get("/health", response_model=answers.Health)
async def health(hub: AtHub) -> Json:
    """Whether the server works; asks the database."""
    await hub.store.table("")
    return {"ok": True, "version": __version__, "rules": RULES_VERSION}


# People


@router.post("/people", response_model=answers.Me, status_code=201)
async def new_person(request: Request, response: Response, hub: AtHub, body: shapes.NewPerson) -> Json:
    """A guest gets an identity at once: a cookie, and the token for programs."""
    limiter: Limiter = request.app.state.new_people
    if not limiter.allows(address(request)):
        raise Refused("rate", "too many new people from your address; wait a little")
    await hub.admin.check_registration()
    person, token = Person(secrets.token_hex(12), check_name(body.name)), new_token()
    await hub.store.add_person(person, digest(token))
    _set_cookie(request, response, token)
    return {"name": person.name, "token": token}


@router.post("/people/claim", response_model=answers.Me)
async def claim(request: Request, response: Response, hub: AtHub, body: shapes.Claim) -> Json:
    """Turns the token of a personal link into a session on this device; it works once."""
    token = new_token()
    person = await hub.store.spend_link(digest(body.token), digest(token))
    if person is None:
        raise Refused("identity", "this link was used already, or has expired")
    _set_cookie(request, response, token)
    return {"name": person.name, "login": person.login, "token": token}


@router.post("/people/login", response_model=answers.Me)
async def log_in(request: Request, response: Response, hub: AtHub, body: shapes.Login) -> Json:
    """Name and password give this device a session."""
    token = new_token()
    person = await hub.passwords.log_in(body.login, body.password, address(request), digest(token))
    _set_cookie(request, response, token)
    return {"name": person.name, "login": person.login, "token": token}


@router.get("/me", response_model=answers.WhoAmI)
async def who_am_i(request: Request, person: Anybody) -> Json:
    """One's own name; none for who has no identity yet. A token that means nobody is refused."""
    if person is None and token_of(request.headers, request.cookies):
        raise unknown_person()
    return {"name": person.name, "login": person.login} if person else {"name": None, "login": None}


@router.patch("/me", response_model=answers.Me)
async def rename(hub: AtHub, me: Me, body: shapes.NewPerson) -> Json:
    """Another nickname, at tables joined from now on."""
    name = check_name(body.name)
    await hub.store.rename(me.id, name)
    return {"name": name, "login": me.login}


@router.put("/me/password", response_model=answers.Me)
async def put_password(request: Request, hub: AtHub, me: Me, body: shapes.PutPassword) -> Json:
    """A name and password for other devices: set or changed. Other devices are logged out."""
    login = await hub.passwords.put(me, body.login, body.password, body.current, _session(request))
    await hub.presence.check()
    return {"name": me.name, "login": login}


@router.post("/me/password/remove", response_model=answers.Me)
async def remove_password(hub: AtHub, me: Me, body: shapes.RemovePassword) -> Json:
    """Without a password again; devices that are logged in stay so."""
    await hub.passwords.remove(me, body.current)
    return {"name": me.name, "login": None}


@router.get("/me/webhook", response_model=answers.WebhookBody)
async def my_webhook(hub: AtHub, me: Me) -> Json:
    """The address that is called when it is one's turn. Nobody else is told."""
    return await hub.notifier.mine(me)


@router.put("/me/webhook", response_model=answers.WebhookBody)
async def put_webhook(hub: AtHub, me: Me, body: shapes.PutWebhook) -> Json:
    """An address that is called with a JSON POST when it is one's turn. It must lead to a public address."""
    await hub.notifier.put(me, body.url)
    return await hub.notifier.mine(me)


@router.delete("/me/webhook", response_model=answers.WebhookBody)
async def remove_webhook(hub: AtHub, me: Me) -> Json:
    """Nothing is called any more."""
    await hub.notifier.remove(me)
    return await hub.notifier.mine(me)


@router.post("/me/webhook/test", response_model=answers.WebhookTest)
async def test_webhook(hub: AtHub, me: Me) -> Json:
    """Calls the webhook once, now, with `{"type": "test"}`, and says how it went."""
    return await hub.notifier.test(me)


@router.post("/me/link", response_model=answers.Link, status_code=201)
async def link(request: Request, hub: AtHub, me: Me) -> Json:
    """A personal link for another device. The token stands behind #, so that no server or log sees it."""
    token, expires = new_token(), now() + LINK_MS
    await hub.store.add_token(digest(token), me.id, "link", expires)
    url = f"{invite.base_url(request.app.state.config, request.base_url)}/link#{token}"
    return {"token": token, "url": url, "svg": invite.qr_svg(url), "expires": expires}


@router.delete("/me/sessions", status_code=204)
async def log_out_others(request: Request, hub: AtHub, me: Me) -> None:
    """All other devices, and links not yet used, lose this identity."""
    await hub.store.revoke(me.id, keep=_session(request))
    await hub.presence.check()


@router.delete("/me/session", status_code=204)
async def log_out(request: Request, response: Response, hub: AtHub, me: Me) -> None:
    """This device loses the identity."""
    await hub.store.revoke(me.id, only=_session(request))
    await hub.presence.check()
    response.delete_cookie(COOKIE, secure=_secure(request), httponly=True, samesite="strict")


# Tables


@router.get("/tables", response_model=answers.TableList)
async def public_tables(hub: AtHub, person: Anybody, state: Literal["open", "playing"] = "open") -> Response:
    """Public tables that have an open seat; or those where a game is played, to watch."""
    return _json({"tables": [_info(hub, table, person) for table in await hub.store.public_tables(state)]})


@router.get("/me/tables", response_model=answers.TableList)
async def my_tables(hub: AtHub, me: Me) -> Response:
    """One's own tables, and whose turn it is there."""
    return _json({"tables": [_info(hub, table, me) for table in await hub.store.tables_of(me.id)]})


@router.post("/tables", response_model=answers.TableInfo, status_code=201)
async def create(hub: AtHub, me: Me, body: shapes.NewTable) -> Response:
    """A new table. One that is not public is found by its address only."""
    return _json(_info(hub, await hub.create(me, Wish(**body.model_dump())), me), 201)


@router.get("/tables/{table}", response_model=answers.Update)
async def look(hub: AtHub, person: Anybody, table: TableId, since: Since | None = None) -> Response:
    """How a table stands, for a seat or a spectator; with the events after `since`."""
    async with hub.room(table) as room:
        return _json(room.update(person.id if person else None, since))


@router.get("/tables/{table}/events", response_model=answers.EventList)
async def events(hub: AtHub, person: Anybody, table: TableId, since: Since = 0) -> Response:
    """The events after `since`."""
    async with hub.room(table) as room:
        return _json({"seq": room.seq, "events": room.events(person.id if person else None, since)})


@router.get("/tables/{table}/invitation", response_model=answers.Invitation)
async def invitation(request: Request, hub: AtHub, table: TableId) -> Response:
    """The table's address as other devices reach it, and its QR code."""
    url = await _invitation(request, hub, table)
    return _json({"url": url, "svg": invite.qr_svg(url)})


@router.get("/tables/{table}/qr.svg", response_class=SvgResponse, responses=SVG)
async def qr(request: Request, hub: AtHub, table: TableId) -> SvgResponse:
    """The QR code of the table's address, as a picture."""
    return SvgResponse(invite.qr_svg(await _invitation(request, hub, table)))


async def _invitation(request: Request, hub: Hub, table: str) -> str:
    async with hub.room(table):
        return f"{invite.base_url(request.app.state.config, request.base_url)}/table/{table}"


@router.post("/tables/{table}/join", response_model=answers.TableInfo)
async def join(hub: AtHub, me: Me, table: TableId, body: shapes.Join) -> Response:
    """Takes an open seat."""
    return _json(_info(hub, await hub.join(me, table, body.seat, body.nonce, body.name), me))


@router.post("/tables/{table}/leave", response_model=answers.TableInfo)
async def leave(hub: AtHub, me: Me, table: TableId) -> Response:
    """Gives one's seats up before the start. When the owner leaves, the table is closed."""
    return _json(_info(hub, await hub.leave(me, table), me))


@router.put("/tables/{table}/seats/{seat}", response_model=answers.TableInfo)
async def put_seat(hub: AtHub, me: Me, table: TableId, seat: SeatInPath, body: shapes.PutSeat) -> Response:
    """The owner decides before the start who sits there."""
    return _json(_info(hub, await hub.put_seat(me, table, seat, body.to), me))


@router.post("/tables/{table}/start", response_model=answers.TableInfo)
async def start(hub: AtHub, me: Me, table: TableId) -> Response:
    """The owner starts the game."""
    return _json(_info(hub, await hub.start(me, table), me))


@router.post("/tables/{table}/rematch", response_model=answers.TableInfo)
async def rematch(hub: AtHub, me: Me, table: TableId) -> Response:
    """The same again: who asks first makes the table, the others join it."""
    return _json(_info(hub, await hub.rematch(me, table), me))


# Play


@router.post("/tables/{table}/actions", response_model=answers.AckBody)
async def play(hub: AtHub, me: Me, table: TableId, body: shapes.Play) -> Response:
    """Plays actions, all or none. The answer comes when they are on the disk."""
    return _json(await hub.play(me, table, body.id, body.on, body.actions))


@router.post("/tables/{table}/undo", response_model=answers.AckBody)
async def undo(hub: AtHub, me: Me, table: TableId, body: shapes.Back) -> Response:
    """Takes back the last action, if nothing was revealed since."""
    return _json(await hub.undo(me, table, body.id, body.on, all_of_it=False))


@router.post("/tables/{table}/restart", response_model=answers.AckBody)
async def restart(hub: AtHub, me: Me, table: TableId, body: shapes.Back) -> Response:
    """Goes back to the beginning of the turn, or to what was revealed last."""
    return _json(await hub.undo(me, table, body.id, body.on, all_of_it=True))


@router.post("/tables/{table}/resign", response_model=answers.AckBody)
async def resign(hub: AtHub, me: Me, table: TableId, body: shapes.Resign) -> Response:
    """Gives a seat up in the game: a bot goes on with it."""
    return _json(await hub.resign(me, table, body.id, body.seat))


@router.get("/tables/{table}/bid", response_model=answers.Limits)
async def my_bids(hub: AtHub, me: Me, table: TableId) -> Json:
    """How far the server bids for one's own seats in the auction that runs. Nobody else is told."""
    return {"bids": await hub.bids.mine(me, table)}


@router.put("/tables/{table}/bid", response_model=answers.Limits)
async def put_bid(hub: AtHub, me: Me, table: TableId, body: shapes.PutBid) -> Json:
    """In the auction that runs the server bids for one's seat the least that is needed, up to this; else it passes."""
    await hub.bids.put(me, table, body.seat, body.up_to)
    return {"bids": await hub.bids.mine(me, table)}


@router.delete("/tables/{table}/bid", response_model=answers.Limits)
async def withdraw_bid(hub: AtHub, me: Me, table: TableId, seat: SeatInQuery = None) -> Json:
    """From now on one bids oneself."""
    await hub.bids.put(me, table, seat, None)
    return {"bids": await hub.bids.mine(me, table)}


@router.post("/tables/{table}/whatif", response_model=answers.WhatIfBody)
async def what_if(hub: AtHub, me: Me, table: TableId, body: shapes.WhatIf) -> Response:
    """How things would stand after these actions; stops before what would reveal something. Nothing is played."""
    async with hub.room(table) as room:
        return _json(room.what_if(me.id, body.on, body.actions))


@router.get("/tables/{table}/record", response_class=PlainTextResponse, responses=RECORD)
async def record(hub: AtHub, table: TableId) -> PlainTextResponse:
    """The game as a `.tikal` record: while it runs without what is hidden, when it is over with the seed."""
    return PlainTextResponse(await hub.record(table))


@router.get("/tables/{table}/replay/{at}", response_model=answers.ReplayBody)
async def replay(
    hub: AtHub, person: Anybody, table: TableId, at: Annotated[int, Path(ge=0, le=100_000)], seat: SeatInQuery = None
) -> Response:
    """How things stood after so many actions; when the game is over, through anybody's eyes."""
    async with hub.room(table) as room:
        return _json(room.replay(person.id if person else None, at, seat))


@router.get("/tables/{table}/scores", response_model=answers.Scores)
async def scores(hub: AtHub, table: TableId) -> Response:
    """Where the scores come from: every scoring by its sources, bids paid, and the scores as the tiles came up."""
    async with hub.room(table) as room:
        return _json(room.scores())


@router.get("/tables/{table}/frames", response_model=answers.Frames)
async def frames(
    request: Request, hub: AtHub, person: Anybody, table: TableId, start: Start = 0, seat: SeatInQuery = None
) -> Response:
    """How things stood after each of the actions from `start` on, a good many at once."""
    async with hub.room(table) as room:
        game, eyes = room.to_replay(person.id if person else None, seat)
        return _packed(request, await replays.frames(game, start, eyes))


@router.post("/records", response_model=answers.RecordBody)
async def read_record(request: Request, body: shapes.NewRecord) -> Response:
    """A record that somebody brings, replayed and checked. Nothing is kept."""
    limiter: Limiter = request.app.state.records
    if not limiter.allows(address(request)):
        raise Refused("rate", "too many records from your address; wait a little")
    return _packed(request, await replays.of_record(body.text, body.start, body.seat))


@router.get("/tables/{table}/analysis", response_model=answers.Analysis, responses=BUSY)
async def analysis(
    hub: AtHub, person: Anybody, table: TableId, at: Annotated[int | None, Query(ge=0, le=100_000)] = None
) -> Response:
    """What a bot would do and why: in one's own turn where hints are allowed; when the game is over, anywhere."""
    async with hub.room(table) as room:
        view = room.to_explain(person.id if person else None, at)
        await hub.note_hint(room)
        return _json(await hub.runner.explain(view))


# Statistics


@router.get("/me/stats", response_model=answers.Stats)
async def my_stats(hub: AtHub, me: Me) -> Response:
    """One's own results and rating."""
    return _json(await statistics.of_person(hub.store, me.id))


@router.get("/ranking", response_model=answers.Ranking)
async def ranking(hub: AtHub, person: Anybody) -> Response:
    """People and bots by what they have surely reached."""
    return _json(await statistics.ranking(hub.store, person.id if person else None))


# Chat


@router.post("/tables/{table}/chat", response_model=answers.ChatLine, status_code=201)
async def say(hub: AtHub, me: Me, table: TableId, body: shapes.Say) -> Response:
    """Says something to those at the table."""
    return _json(await hub.say(me, table, body.text), 201)


@router.get("/tables/{table}/chat", response_model=answers.ChatLines)
async def said(hub: AtHub, table: TableId, since: Since = 0) -> Response:
    """What was said."""
    async with hub.room(table):
        return _json({"lines": [projection.line(line) for line in await hub.store.said(table, since)]})
