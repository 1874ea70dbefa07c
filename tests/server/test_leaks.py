"""Swap all that is hidden from somebody: every byte that he gets, by whatever channel, is the same."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from tests.play.hidden import lookalike
from tests.server.conftest import Hands, Json, Site, Somebody, hear, send
from tests.server.test_rights import finish
from tikal.play import Game
from tikal.server.hub import _bot_view
from tikal.server.log import Log
from tikal.server.projection import Viewer, entry_of_play
from tikal.server.room import Room
from tikal.server.schema import seats
from tikal.server.store import Person

OPTIONS = [
    pytest.param({}, id="basic"),
    pytest.param({"auction": "true", "sudden_death": "true", "double_volcano": "redraw"}, id="sudden death"),
    pytest.param({"auction": "true", "leaps": "true"}, id="leaps"),
    pytest.param({"boulders": "2d6", "machine_gun": "true"}, id="boulders"),
]


@dataclass
class Ear:
    """A listener that keeps what it is told."""

    person: str | None
    heard: list[str] = field(default_factory=list)

    def tell(self, message: str) -> None:
        self.heard.append(message)

    __hash__ = object.__hash__


def swap(room: Room, viewer: Viewer, rng: random.Random) -> None:
    """The same table for the eyes of a viewer; deck, tokens, dice, others' choices and the seed are others."""
    game = room.game
    assert game is not None
    twin = lookalike(game, viewer.eyes(game), rng)
    replayed = Game(twin.options, twin.chance, game.seed)
    first, *rest = room.entries
    entries = [first]
    for entry, step in zip(rest, twin.history, strict=True):
        replayed.play(step.action)
        entries.append(entry_of_play(entry.seq, replayed, entry.at))
    room.game, room.entries = replayed, Log(entries)


PROBES = (["D@b3"], ["D@b3", "S:2:3/5"], [".", "A5@b3^0"], ["X@a2"], ["K:A5"], ["J:2", "J:1"], ["B:1", "K:B6"], ["V:+"])


async def everything(site: Site, who: Somebody, person: str | None, table: str) -> list[str]:
    """All that somebody can get of a running game, without changing it."""
    async with site.hub.room(table) as room:
        seq, ear = room.seq, Ear(person)
        actions = seq - 1
        room.listeners.add(ear)
        room.tell(0)
        room.listeners.discard(ear)
        game = room.game
        assert game is not None
        legal = game.legal() if game.seat in room.table.held_by(person) else []
    got = list(ear.heard)
    here = f"/tables/{table}"
    paths = [
        f"{here}?since=0",
        f"{here}/events",
        f"{here}/record",
        f"{here}/chat",
        "/tables",
        "/me/tables",
        "/me/stats",
        "/ranking",
    ]
    paths += [f"{here}/invitation", f"{here}/qr.svg", f"{here}/scores"]
    paths += [f"{here}/frames", f"{here}/frames?start={max(0, actions - 9)}"]
    paths += [f"{here}/bid", "/tables?state=playing", "/me", "/me/webhook"]
    paths += [f"{here}/replay/{at}" for at in (actions, actions - 1, actions - 2)]
    got += [(await who.ask("GET", path)).text for path in paths]
    for number, probe in enumerate([*PROBES, *([action, "D@a1"] for action in legal[::9])]):
        body = {"on": seq, "actions": probe}
        got.append((await who.ask("POST", f"/tables/{table}/whatif", body)).text)
        if len(probe) > 1 or probe[0] not in legal:
            got.append((await who.ask("POST", f"/tables/{table}/actions", body | {"id": f"p{number}"})).text)
    for seat in {1, 2, 3} - room.table.held_by(person):
        got.append((await who.ask("PUT", f"{here}/bid", {"up_to": 5, "seat": seat})).text)
        got.append((await who.ask("DELETE", f"{here}/bid?seat={seat}")).text)
    async with who.socket() as socket:
        await send(socket, type="watch", table=table, since=0)
        got.append(str(await hear(socket)))
    async with site.hub.room(table) as room:
        assert room.seq == seq, "a probe was played"
    return got


async def limits_of_others(site: Site, table: str, viewer: Viewer, up_to: int | None) -> None:
    """Writes how far those go whom the viewer is not, behind the server's back: nobody bids for it now."""
    others = (seats.c.table_id == table, seats.c.seat.not_in(viewer.seats))
    await site.hub.store._do(lambda c: c.execute(seats.update().where(*others).values(up_to=up_to)).rowcount)


async def advance(site: Site, table: str, rng: random.Random, actions: int) -> None:
    """Plays at random for whoever has the turn; digs and rolls when it can, so that there is something to know."""
    async with site.hub.room(table) as room:
        for _ in range(actions):
            game = room.game
            assert game is not None
            if game.over:
                return
            legal = game.legal()
            telling = [action for action in legal if action[0] in "DX"] or legal
            action = rng.choice(telling if rng.random() < 0.7 else legal)
            person = room.table.seats[(game.seat or 1) - 1].person
            await site.hub.play(Person(str(person), ""), table, f"a{room.seq}", room.seq, [action])


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS)
def test_every_channel_is_the_same_whatever_is_hidden(play_out: Callable[..., None], options: dict[str, str]) -> None:
    async def scenario(site: Site) -> None:
        rng = random.Random(f"leaks/{options}")
        people = [await site.person(name) for name in ("Ann", "Bob", "Eve")]
        body = {"seats": ["me", "open", "person:Cid"], "options": options, "clock": {"kind": "live"}}
        table = (await people[0].post("/tables", body))["id"]
        await people[1].post(f"/tables/{table}/join", {})
        await people[0].post(f"/tables/{table}/start")
        async with site.hub.room(table) as room:
            ids = [room.table.seats[0].person, room.table.seats[1].person, None]
        differed = 0
        for _ in range(3):
            await advance(site, table, rng, 30)
            async with site.hub.room(table) as room:
                if room.game is None or room.game.over:
                    break
                for who, person in zip(people, ids, strict=True):
                    game, entries = room.game, room.entries
                    viewer = Viewer.of(room.table, person)
                    before = await everything(site, who, person, table)
                    bot = None if game.seat is None else _bot_view(room, room.table.seats[game.seat - 1])
                    swap(room, viewer, rng)
                    await limits_of_others(site, table, viewer, rng.randrange(20))
                    differed += room.game.chance != game.chance
                    assert await everything(site, who, person, table) == before
                    if game.seat in viewer.seats and game.seat is not None:
                        assert _bot_view(room, room.table.seats[game.seat - 1]) == bot
                    room.game, room.entries = game, entries
                    await limits_of_others(site, table, viewer, None)
        assert differed >= 5  # there was something to be hidden

    play_out(scenario, time=Hands(), beat_ms=10**12, sweep_ms=10**9)


def test_a_secret_choice_is_hidden_until_all_have_chosen(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob = await site.person("Ann"), await site.person("Bob")
        options = {"auction": "true", "leaps": "true"}
        table = (await ann.post("/tables", {"seats": ["me", "open"], "options": options}))["id"]
        await bob.post(f"/tables/{table}/join", {})
        await ann.post(f"/tables/{table}/start")
        async with site.hub.room(table) as room:
            assert room.game is not None
            while room.game.phase != "leap":
                await advance(site, table, random.Random(room.seq), 1)
            chooser, seq = room.game.seat, room.seq
        first, second = (ann, bob) if chooser == 1 else (bob, ann)
        await first.post(f"/tables/{table}/actions", {"id": "j1", "on": seq, "actions": ["J:3"]})

        async def last(who: Somebody) -> Json:
            event: Json = (await who.get(f"/tables/{table}/events"))["events"][-1]
            return event

        assert [(await last(who))["action"] for who in (first, second, site.know(None))] == ["J:3", "J:?", "J:?"]
        await second.post(f"/tables/{table}/actions", {"id": "j2", "on": seq + 1, "actions": ["J:2"]})
        shown = {str(chooser): 3, str(3 - (chooser or 0)): 2}
        for who in (first, second, site.know(None)):
            events = (await who.get(f"/tables/{table}/events"))["events"]
            assert [event["action"] for event in events[seq:]][:2] == ["J:3", "J:2"]
            assert events[seq + 1]["shown"] == shown

    play_out(scenario)


def test_logs_hold_no_secrets(play_out: Callable[..., None], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secrets: list[str] = []

    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        secrets.append(str(ann.token))
        table = ""
        for _ in range(2):
            table = (await ann.post("/tables", {"seats": ["me", "person:Bob"]}))["id"]
            await ann.post(f"/tables/{table}/start")
            async with site.hub.room(table) as room:
                secrets.extend([room.table.seed, ",".join(room.game.chance.deck) if room.game else ""])
        await ann.ask("POST", f"/tables/{table}/actions", {"id": "x", "on": 1, "actions": ["nonsense"]})
        secrets.append((await ann.post("/me/link"))["token"])
        await finish(site, table)

    play_out(scenario)
    ours = "\n".join(
        record.getMessage() for record in caplog.records if not record.name.startswith(("http", "websock"))
    )
    assert not [secret for secret in secrets if secret in ours]
