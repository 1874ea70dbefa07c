"""The HTTP API. Each function validates a request, calls the hub, and answers through the projection."""

from __future__ import annotations

import gzip
import secrets
from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse

from tikal import __version__
from tikal.play.view import Json
from tikal.rules import RULES_VERSION
from tikal.rules.codes import SEATS
from tikal.server.accounts.names import check_language, check_name
from tikal.server.accounts.tokens import digest, new_token
from tikal.server.bots.fair import Asker, Rank
from tikal.server.config import Config
from tikal.server.database import statistics
from tikal.server.database.rows import Person, Table, now
from tikal.server.errors import Refused
from tikal.server.http import invite, requests, responses
from tikal.server.http.callers import COOKIE, LINK_MS, address, forwarded, token_of
from tikal.server.http.pages import takes_gzip
from tikal.server.limits import Limiter
from tikal.server.live import projection, replays
from tikal.server.live.hub import Hub, TableSettings
from tikal.server.live.practice import Start as PracticeStart
from tikal.server.live.projected import TableInfo
from tikal.server.live.projection import Viewer

COOKIE_AGE = 400 * 24 * 3600  # seconds; browsers allow no more
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": responses.ProblemBody, "description": text}
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
BUSY: dict[int | str, dict[str, Any]] = {503: {"model": responses.ProblemBody, "description": "no time for it"}}
UNWELL: dict[int | str, dict[str, Any]] = {503: {"model": responses.Health, "description": "something does not work"}}
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
    """The caller, if known."""
    hub, token = hub_of(request), token_of(request.headers, request.cookies)
    person = await hub.store.person_of(digest(token)) if token else None
    if person is not None:
        hub.presence.seen(person.id, address(request))
    return person


async def me_or_refuse(person: Annotated[Person | None, Depends(maybe_me)]) -> Person:
    """The caller; callers without an identity are refused."""
    if person is None:
        raise unknown_person()
    return person


def unknown_person() -> Refused:
    """The refusal for callers without an identity."""
    return Refused("identity", "identify yourself first: POST /api/people, then send its token or cookie")


AtHub = Annotated[Hub, Depends(hub_of)]
Me = Annotated[Person, Depends(me_or_refuse)]
Anybody = Annotated[Person | None, Depends(maybe_me)]
TableId = Annotated[str, Path(max_length=40, examples=["dGhlIGp1bmdsZSBpcyBk"])]
SeatInPath = Annotated[int, Path(ge=1, le=SEATS)]
SeatInQuery = Annotated[int | None, Query(ge=1, le=SEATS)]
AtInPath = Annotated[int, Path(ge=0, le=requests.MOST_AT)]
Start = Annotated[int, Query(ge=0, le=requests.MOST_AT)]
Since = Annotated[int, Query(ge=0, le=requests.MOST_SEQ)]


def _set_cookie(request: Request, response: Response, token: str) -> None:
    response.set_cookie(COOKIE, token, COOKIE_AGE, secure=_secure(request), httponly=True, samesite="strict")


def _secure(request: Request) -> bool:
    config: Config = request.app.state.config
    return request.url.scheme == "https" or (config.public_url or "").startswith("https:")


def _session(request: Request) -> str:
    """The hash of the caller's token."""
    token = token_of(request.headers, request.cookies)
    assert token is not None
    return digest(token)


def _info(hub: Hub, table: Table, person: Person | None) -> TableInfo:
    return projection.table_info(table, Viewer.of(table, person.id if person else None), hub.time.now())


def _packed(request: Request, value: object) -> Response:
    """A long, repetitive answer: compressed if the client accepts that."""
    text = projection.as_json(value)
    if not takes_gzip(request.headers.get("accept-encoding", "")):
        return Response(text, media_type="application/json")
    headers = {"content-encoding": "gzip", "vary": "accept-encoding"}
    return Response(gzip.compress(text, 1), media_type="application/json", headers=headers)


def _json(value: object, status: int = 200) -> Response:
    """An answer as the projection made it, with the same bytes as over a socket; its schema is only documentation."""
    return Response(projection.as_json(value), status, media_type="application/json")


def _me(person: Person) -> Json:
    """A person's own account."""
    return {"name": person.name, "login": person.login, "language": person.language}


# The server


@router.get("/health", response_model=responses.Health, responses=UNWELL)
async def health(request: Request, hub: AtHub) -> Response:
    """Whether the server works: it checks the database and the bots. 503 if something does not work."""
    database = await hub.database_works()
    hub.runner.heal()
    bots = hub.runner.as_json()
    caller = {"scheme": request.url.scheme, "forwarded": forwarded(request)}
    health = {"ok": bots["ok"] and database, "version": __version__, "rules": RULES_VERSION}
    health |= {"database": database, "bots": bots, "caller": caller}
    return _json(health, 200 if health["ok"] else 503)


# People


@router.post("/people", response_model=responses.Me, status_code=201)
async def new_person(request: Request, response: Response, hub: AtHub, body: requests.NewPerson) -> Json:
    """Creates a guest: a cookie, and the token for programs."""
    limiter: Limiter = request.app.state.new_people
    if not limiter.allows(address(request)):
        raise Refused("rate", "too many new people from your address; wait a little")
    await hub.settings.check_registration()
    language = check_language(body.language)
    person, token = Person(secrets.token_hex(12), check_name(body.name), language=language), new_token()
    await hub.store.add_person(person, digest(token))
    _set_cookie(request, response, token)
    return {**_me(person), "token": token}


@router.post("/people/claim", response_model=responses.Me)
async def claim(request: Request, response: Response, hub: AtHub, body: requests.Claim) -> Json:
    """Exchanges the token of a personal link for a session on this device; it works once."""
    token = new_token()
    person = await hub.store.spend_link(digest(body.token), digest(token))
    if person is None:
        raise Refused("identity", "this link was used already, or has expired")
    _set_cookie(request, response, token)
    return {**_me(person), "token": token}


@router.post("/people/login", response_model=responses.Me)
async def log_in(request: Request, response: Response, hub: AtHub, body: requests.Login) -> Json:
    """Logs this device in with name and password."""
    token = new_token()
    person = await hub.passwords.log_in(body.login, body.password, address(request), digest(token))
    _set_cookie(request, response, token)
    return {**_me(person), "token": token}


@router.get("/me", response_model=responses.WhoAmI)
async def who_am_i(request: Request, response: Response, person: Anybody) -> Json:
    """The caller's name; null for callers without an identity. Invalid tokens are refused.

    A cookie is sent again, so that it lasts as long as its session, which each use extends.
    """
    token = token_of(request.headers, request.cookies)
    if person is None and token:
        raise unknown_person()
    if token is not None and token == request.cookies.get(COOKIE):
        _set_cookie(request, response, token)
    return _me(person) if person else {"name": None, "login": None, "language": None}


@router.patch("/me", response_model=responses.Me)
async def change_me(hub: AtHub, me: Me, body: requests.ChangePerson) -> Json:
    """Changes the nickname, for tables joined from now on, or the language of notifications."""
    name = me.name if body.name is None else check_name(body.name)
    changed = replace(me, name=name, language=check_language(body.language) or me.language)
    await hub.store.change_person(me.id, changed.name, changed.language)
    return _me(changed)


@router.put("/me/password", response_model=responses.Me)
async def put_password(request: Request, hub: AtHub, me: Me, body: requests.PutPassword) -> Json:
    """Sets or changes the name and password for other devices. Other devices are logged out."""
    login = await hub.passwords.put(me, body.login, body.password, body.current, _session(request), address(request))
    await hub.presence.check(me.id)
    return _me(replace(me, login=login))


@router.post("/me/password/remove", response_model=responses.Me)
async def remove_password(hub: AtHub, me: Me, body: requests.RemovePassword) -> Json:
    """Removes the password; devices that are logged in stay logged in."""
    await hub.passwords.remove(me, body.current)
    return _me(replace(me, login=None))


@router.get("/me/webhook", response_model=responses.WebhookBody)
async def my_webhook(hub: AtHub, me: Me) -> Json:
    """The caller's webhook. It is private."""
    return await hub.notifier.mine(me)


@router.put("/me/webhook", response_model=responses.WebhookBody)
async def put_webhook(hub: AtHub, me: Me, body: requests.PutWebhook) -> Json:
    """Sets an address that receives a JSON POST when it is the caller's turn. It must be public."""
    await hub.notifier.put(me, body.url)
    return await hub.notifier.mine(me)


@router.delete("/me/webhook", response_model=responses.WebhookBody)
async def remove_webhook(hub: AtHub, me: Me) -> Json:
    """Removes the webhook."""
    await hub.notifier.remove(me)
    return await hub.notifier.mine(me)


@router.post("/me/webhook/test", response_model=responses.WebhookTest)
async def test_webhook(hub: AtHub, me: Me) -> Json:
    """Calls the webhook once, now, with `{"type": "test"}`, and reports the result."""
    return await hub.notifier.test(me)


@router.post("/me/link", response_model=responses.Link, status_code=201)
async def link(request: Request, hub: AtHub, me: Me) -> Json:
    """Creates a personal link for another device. The token is after the #, so that no server or log sees it."""
    token, expires = new_token(), now() + LINK_MS
    await hub.store.add_token(digest(token), me.id, "link", expires)
    url = f"{invite.base_url(request.app.state.config, request.base_url)}/link#{token}"
    return {"token": token, "url": url, "svg": invite.qr_svg(url), "expires": expires}


@router.delete("/me/sessions", status_code=204)
async def log_out_others(request: Request, hub: AtHub, me: Me) -> None:
    """Logs all other devices out, and revokes unused links."""
    await hub.store.revoke(me.id, keep=_session(request))
    await hub.presence.check(me.id)


@router.delete("/me/session", status_code=204)
async def log_out(request: Request, response: Response, hub: AtHub, me: Me) -> None:
    """Logs this device out."""
    await hub.store.revoke(me.id, only=_session(request))
    await hub.presence.check(me.id)
    response.delete_cookie(COOKIE, secure=_secure(request), httponly=True, samesite="strict")


# Tables


@router.get("/tables", response_model=responses.TableList)
async def public_tables(hub: AtHub, person: Anybody, state: Literal["open", "playing"] = "open") -> Response:
    """Public tables with an open seat, or with a running game to watch."""
    return _json({"tables": [_info(hub, table, person) for table in await hub.store.public_tables(state)]})


@router.get("/me/tables", response_model=responses.MyTableList)
async def my_tables(hub: AtHub, me: Me) -> Response:
    """The caller's tables: whose turn it is, or how the game ended."""
    tables = await hub.store.tables_of(me.id)
    ended = await statistics.of_tables(hub.store, [table.id for table in tables if table.state == "over"])
    return _json({"tables": [{**_info(hub, table, me), "results": ended.get(table.id, [])} for table in tables]})


@router.post("/tables", response_model=responses.TableInfo, status_code=201)
async def create(request: Request, hub: AtHub, me: Me, body: requests.NewTable) -> Response:
    """Creates a table. A private one is found only by its address."""
    limiter: Limiter = request.app.state.new_tables
    if not limiter.allows(address(request)):
        raise Refused("rate", "too many new tables from your address; wait a little")
    return _json(_info(hub, await hub.create(me, TableSettings(**body.model_dump())), me), 201)


@router.post("/practice", response_model=responses.TableInfo, status_code=201)
async def practise(request: Request, hub: AtHub, me: Me, body: requests.NewPractice) -> Response:
    """Creates a practice table and starts it: from a deal, or from a moment of a finished game or of a record.

    It is in no list and not rated; it is removed a day after its last use.
    """
    limiter: Limiter = request.app.state.records
    if not limiter.allows(address(request)):
        raise Refused("rate", "too many practice tables from your address; wait a little")
    fields = body.model_dump()
    return _json(_info(hub, await hub.practice.create(me, fields.pop("seats"), PracticeStart(**fields)), me), 201)


@router.get("/tables/{table}", response_model=responses.Update)
async def look(hub: AtHub, person: Anybody, table: TableId, since: Since | None = None) -> Response:
    """A table as a seat or a spectator sees it, with the events after `since`."""
    async with hub.room(table) as room:
        return _json(room.update(person.id if person else None, since))


@router.get("/tables/{table}/events", response_model=responses.EventList)
async def events(hub: AtHub, person: Anybody, table: TableId, since: Since = 0) -> Response:
    """The events after `since`."""
    async with hub.room(table) as room:
        return _json({"seq": room.seq, "events": room.events(person.id if person else None, since)})


@router.get("/tables/{table}/invitation", response_model=responses.Invitation)
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


@router.post("/tables/{table}/join", response_model=responses.TableInfo)
async def join(hub: AtHub, me: Me, table: TableId, body: requests.Join) -> Response:
    """Takes an open seat."""
    return _json(_info(hub, await hub.join(me, table, body.seat, body.nonce, body.name), me))


@router.post("/tables/{table}/leave", response_model=responses.TableInfo)
async def leave(hub: AtHub, me: Me, table: TableId) -> Response:
    """Gives up the caller's seats before the start. When the owner leaves, the table is closed."""
    return _json(_info(hub, await hub.leave(me, table), me))


@router.put("/tables/{table}/seats/{seat}", response_model=responses.TableInfo)
async def put_seat(hub: AtHub, me: Me, table: TableId, seat: SeatInPath, body: requests.PutSeat) -> Response:
    """Lets the owner assign a seat before the start, if it is still what the owner saw."""
    return _json(_info(hub, await hub.put_seat(me, table, seat, body.to, body.was), me))


@router.post("/tables/{table}/start", response_model=responses.TableInfo)
async def start(hub: AtHub, me: Me, table: TableId) -> Response:
    """Starts the game; only the owner can."""
    return _json(_info(hub, await hub.start(me, table), me))


@router.post("/tables/{table}/rematch", response_model=responses.TableInfo)
async def rematch(hub: AtHub, me: Me, table: TableId) -> Response:
    """A rematch: the first request makes the table, later ones join it."""
    return _json(_info(hub, await hub.rematch(me, table), me))


# Play


@router.post("/tables/{table}/actions", response_model=responses.AckBody)
async def play(hub: AtHub, me: Me, table: TableId, body: requests.Play) -> Response:
    """Plays actions, all or none. The answer follows when they are on the disk."""
    return _json(await hub.play(me, table, body.id, body.on, body.actions))


@router.post("/tables/{table}/undo", response_model=responses.AckBody)
async def undo(hub: AtHub, me: Me, table: TableId, body: requests.Undo) -> Response:
    """Takes back the last action, or `count` actions, if nothing was revealed since."""
    return _json(await hub.undo(me, table, body.id, body.on, body.count))


@router.post("/tables/{table}/restart", response_model=responses.AckBody)
async def restart(hub: AtHub, me: Me, table: TableId, body: requests.Back) -> Response:
    """Goes back to the start of the turn, or to the last revelation."""
    return _json(await hub.undo(me, table, body.id, body.on, None))


@router.post("/tables/{table}/resign", response_model=responses.AckBody)
async def resign(hub: AtHub, me: Me, table: TableId, body: requests.Resign) -> Response:
    """Resigns: a bot takes over the seat."""
    return _json(await hub.resign(me, table, body.id, body.seat))


@router.post("/tables/{table}/absent", response_model=responses.AckBody)
async def absent(hub: AtHub, me: Me, table: TableId, body: requests.Absent) -> Response:
    """Acts on a player whose turn has exceeded the table's patience: a bot takes the seat, or the game is won."""
    return _json(await hub.absent(me, table, body.id, body.do))


@router.post("/tables/{table}/vote", response_model=responses.AckBody)
async def vote(hub: AtHub, me: Me, table: TableId, body: requests.Vote) -> Response:
    """Votes for or against ending the game; when all people have voted for it, it ends without a winner."""
    return _json(await hub.vote(me, table, body.id, body.end))


@router.post("/tables/{table}/seats/{seat}/link", response_model=responses.Link, status_code=201)
async def seat_link(request: Request, hub: AtHub, me: Me, table: TableId, seat: SeatInPath) -> Json:
    """Lets the owner create a link to the seat of a guest who has lost their session, as all have after an import."""
    return await make_seat_link(request, hub, table, seat, me)


async def make_seat_link(request: Request, hub: Hub, table: str, seat: int, owner: Person | None) -> Json:
    """A link for taking over a seat, once and within a day."""
    token, expires = new_token(), now() + LINK_MS
    await hub.seat_link(table, seat, token, expires, owner)
    url = f"{invite.base_url(request.app.state.config, request.base_url)}/table/{table}?seat={seat}#{token}"
    return {"token": token, "url": url, "svg": invite.qr_svg(url), "expires": expires}


@router.post("/tables/{table}/seats/{seat}/take", response_model=responses.TableInfo)
async def take_seat(hub: AtHub, me: Me, table: TableId, seat: SeatInPath, body: requests.TakeSeat) -> Response:
    """Takes over the seat of a lost guest, with the token of a link."""
    return _json(_info(hub, await hub.take_seat(me, table, seat, body.token), me))


@router.get("/tables/{table}/bid", response_model=responses.Limits)
async def my_bids(hub: AtHub, me: Me, table: TableId) -> Json:
    """The caller's bid limits in the current auction. They are private."""
    return await hub.bids.mine(me, table)


@router.put("/tables/{table}/bid", response_model=responses.Limits)
async def put_bid(hub: AtHub, me: Me, table: TableId, body: requests.PutBid) -> Json:
    """Sets a bid limit: the server bids the least that is needed for the seat, up to this, and otherwise passes."""
    await hub.bids.put(me, table, body.seat, body.up_to)
    return await hub.bids.mine(me, table)


@router.delete("/tables/{table}/bid", response_model=responses.Limits)
async def withdraw_bid(hub: AtHub, me: Me, table: TableId, seat: SeatInQuery = None) -> Json:
    """Withdraws the bid limit."""
    await hub.bids.put(me, table, seat, None)
    return await hub.bids.mine(me, table)


@router.post("/tables/{table}/whatif", response_model=responses.WhatIfBody)
async def what_if(hub: AtHub, me: Me, table: TableId, body: requests.WhatIf) -> Response:
    """The position after these actions; stops before anything would be revealed. Nothing is played."""
    async with hub.room(table) as room:
        return _json(room.what_if(me.id, body.on, body.actions))


@router.get("/tables/{table}/record", response_class=PlainTextResponse, responses=RECORD)
async def record(hub: AtHub, table: TableId) -> PlainTextResponse:
    """The game as a `.tikal` record: without hidden information while it runs, with the seed when it is over."""
    return PlainTextResponse(await hub.record(table))


@router.get("/tables/{table}/replay/{at}", response_model=responses.ReplayBody)
async def replay(
    hub: AtHub,
    person: Anybody,
    table: TableId,
    at: Annotated[int, Path(ge=0, le=requests.MOST_AT)],
    seat: SeatInQuery = None,
) -> Response:
    """The position after a number of actions; when the game is over, as any seat saw it."""
    async with hub.room(table) as room:
        return _json(room.replay(person.id if person else None, at, seat))


@router.get("/tables/{table}/scores", response_model=responses.Scores)
async def scores(hub: AtHub, table: TableId) -> Response:
    """Where the scores come from: every scoring by its sources, bids paid, and the scores after each tile."""
    async with hub.room(table) as room:
        return _json(room.scores())


@router.get("/tables/{table}/frames", response_model=responses.Frames)
async def frames(
    request: Request, hub: AtHub, person: Anybody, table: TableId, start: Start = 0, seat: SeatInQuery = None
) -> Response:
    """The positions after each of the actions from `start` on, many at once."""
    async with hub.room(table) as room:
        game, eyes = room.to_replay(person.id if person else None, seat)
        return _packed(request, await replays.frames(game, start, eyes))


@router.post("/records", response_model=responses.RecordBody)
async def read_record(request: Request, body: requests.NewRecord) -> Response:
    """Replays and checks an uploaded record. It is not stored."""
    limiter: Limiter = request.app.state.records
    if not limiter.allows(address(request)):
        raise Refused("rate", "too many records from your address; wait a little")
    return _packed(request, await replays.of_record(body.text, body.start, body.seat))


@router.get("/tables/{table}/analysis", response_model=responses.Analysis, responses=BUSY)
async def analysis(
    request: Request,
    hub: AtHub,
    person: Anybody,
    table: TableId,
    at: Annotated[int | None, Query(ge=0, le=requests.MOST_AT)] = None,
    quick: Annotated[bool, Query(description="a quick analysis, as for the coach")] = False,
) -> Response:
    """A bot's analysis: in the caller's own turn if hints are allowed; anywhere when the game is over."""
    async with hub.room(table) as room:
        view = room.to_explain(person.id if person else None, at)
        await hub.note_hint(room)
        where = address(request)
        asker = Asker(Rank.ADVICE, person.id if person else where, where)
        return _json(await hub.runner.explain(view, asker, quick=quick))


# Statistics


@router.get("/me/stats", response_model=responses.Stats)
async def my_stats(hub: AtHub, me: Me) -> Response:
    """The caller's results and rating."""
    return _json(await statistics.of_person(hub.store, me.id))


@router.get("/ranking", response_model=responses.Ranking)
async def ranking(hub: AtHub, person: Anybody) -> Response:
    """People and bots by a cautious estimate of their rating."""
    return _json(await statistics.ranking(hub.store, person.id if person else None))


# Chat


@router.post("/tables/{table}/chat", response_model=responses.ChatLine, status_code=201)
async def say(hub: AtHub, me: Me, table: TableId, body: requests.Say) -> Response:
    """Sends a line of chat to the table."""
    return _json(await hub.say(me, table, body.text), 201)


@router.get("/tables/{table}/chat", response_model=responses.ChatLines)
async def said(hub: AtHub, table: TableId, since: Since = 0) -> Response:
    """The last lines of chat."""
    async with hub.room(table):
        return _json({"lines": [projection.line(line) for line in await hub.store.said(table, since)]})
