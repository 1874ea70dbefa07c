"""Nobody takes so much that too little is left for others: sockets, the lobby, links, sessions, votes, files."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.server.conftest import Site, hear, send
from tests.server.tables import at_table
from tikal.cli import serve
from tikal.server.database import people as people_module
from tikal.server.http.sockets import Socket
from tikal.server.http.wire import MOST_PARTS
from tikal.server.live import endings


def test_pings_of_a_client_that_does_not_read_are_not_answered(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        async with ann.socket() as socket:
            await send(socket, type="ping")
            await hear(socket, "pong")
            (listener,) = next(iter(site.hub.presence._sockets.values()))
            assert isinstance(listener, Socket)
            listener.wire.pause_writing()  # the system's buffer is full
            unanswered: list[Any] = [await socket.ping() for _ in range(10)]
            await send(socket, type="ping", id="last")
            while not len(listener.outbox) and listener.outbox.idle:
                await asyncio.sleep(0.01)
            assert not any(pong.done() for pong in unanswered)
            listener.wire.resume_writing()
            assert (await hear(socket, "pong"))["id"] == "last"
            assert not any(pong.done() for pong in unanswered)
            await (await socket.ping())  # a client that reads gets its answer

    play_out(scenario)


def test_a_message_has_only_so_many_parts(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        async with site.know(None).socket() as socket:
            await socket.send(['{"type":', '"ping"', *[""] * (MOST_PARTS - 4), "}"])
            assert await hear(socket) == {"type": "pong"}
            with suppress(ConnectionClosed):
                await socket.send(['{"type":', '"ping"', *[""] * MOST_PARTS, "}"])
            with pytest.raises(ConnectionClosed):
                await hear(socket)

    play_out(scenario)


def test_one_address_does_not_open_all_sockets(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob, cid = [await site.person(name) for name in ("Ann", "Bob", "Cid")]
        async with ann.socket(), bob.socket():
            with pytest.raises(InvalidStatus):
                await cid.socket()
        while site.hub.presence._sockets:
            await asyncio.sleep(0.01)
        async with cid.socket() as socket:
            await send(socket, type="ping")
            await hear(socket, "pong")

    play_out(scenario, sockets_address=2)


def test_one_address_does_not_fill_the_lobby(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        public, private = [{"seats": ["me", "open"], "public": public} for public in (True, False)]
        guests = [await site.person(f"Guest {number}") for number in range(3)]
        await guests[0].post("/tables", public)
        table = (await guests[1].post("/tables", public))["id"]
        assert await guests[2].refused("POST", "/tables", public) == "limit"
        await guests[2].post("/tables", private)
        async with site.hub.room(table) as room:
            site.hub.presence.seen(room.table.owner, "192.0.2.1")
        table = (await guests[2].post("/tables", public))["id"]
        assert await guests[0].refused("POST", "/tables", public) == "limit"
        await guests[2].post(f"/tables/{table}/leave")
        await guests[0].post("/tables", public)

    play_out(scenario, open_address=2)


def test_links_of_one_person_are_few(play_out: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people_module, "LINKS", 2)

    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        others = (await bob.post("/me/link"))["token"]
        links = []
        for _ in range(3):
            links.append((await ann.post("/me/link"))["token"])
            await asyncio.sleep(0.002)  # links of one millisecond have no order
        assert await ann.refused("POST", "/people/claim", {"token": links[0]}) == "identity"
        for link in (*links[1:], others):
            await ann.post("/people/claim", {"token": link})

    play_out(scenario)


def test_sessions_of_one_person_are_few(play_out: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people_module, "SESSIONS", 2)

    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        phones = []
        for _ in range(2):
            await asyncio.sleep(0.002)  # sessions of one millisecond have no order
            link = (await ann.post("/me/link"))["token"]
            phones.append(site.know((await bob.post("/people/claim", {"token": link}))["token"]))
        assert await ann.refused("GET", "/me") == "identity", "the session that was not used for longest ends"
        for who in (*phones, bob):
            await who.get("/me")

    play_out(scenario)


def test_nobody_votes_for_ever(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        table = await at_table(ann, bob, {"kind": "daily"})

        async def vote(number: int) -> int:
            body = {"id": f"v{number}", "end": number % 2 == 0}
            return (await ann.ask("POST", f"/tables/{table}/vote", body)).status_code

        assert [await vote(number) for number in range(endings.MOST_VOTES)] == [200] * endings.MOST_VOTES
        assert await vote(98) == 429
        site.hub.rooms.clear()  # counted again from the log
        assert await vote(99) == 429
        look = await ann.get(f"/tables/{table}")
        place = {"id": "p", "on": look["seq"], "actions": [look["offer"]["actions"][0]["action"]]}
        await ann.post(f"/tables/{table}/actions", place)
        assert await vote(100) == 200, "the game has gone on"
        await bob.post(f"/tables/{table}/vote", {"id": "b", "end": True})
        assert (await bob.get(f"/tables/{table}"))["info"]["state"] == "over"

    play_out(scenario)


def test_a_change_of_one_person_leaves_others_in_the_cache(play_out: Callable[..., None]) -> None:
    """Otherwise one person could make the server read everybody's token again with every request."""

    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        await asyncio.gather(ann.get("/me"), bob.get("/me"))
        asked: list[Sequence[str]] = []
        sessions = site.hub.store.sessions

        async def counted(hashes: Sequence[str]) -> set[str]:
            asked.append(hashes)
            return await sessions(hashes)

        site.hub.store.sessions = counted  # type: ignore[method-assign]
        async with bob.socket() as socket:
            await send(socket, type="ping")
            await hear(socket, "pong")
            assert len(site.hub.store._known) == 2
            await ann.post("/me", {"name": "Anna"}, "PATCH")
            assert [known.name for known in site.hub.store._known.values()] == ["Bob"]
            await asyncio.gather(*(task for task in site.hub._tasks if "coro=<Presence.check()" in repr(task)))
            assert asked == []
        assert (await ann.get("/me"))["name"] == "Anna"

    play_out(scenario)


def test_the_server_may_open_as_many_files_as_the_system_lets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    monkeypatch.setattr(resource, "setrlimit", lambda *limits: made.append(limits))
    for before in ((1024, 4096), (1024, 2**20), (1024, resource.RLIM_INFINITY), (2**20, 2**20)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, before=before: before)
        serve._allow_many_files()
    most, which = serve.OPEN_FILES, resource.RLIMIT_NOFILE
    assert made == [(which, (4096, 4096)), (which, (most, 2**20)), (which, (most, resource.RLIM_INFINITY))]
