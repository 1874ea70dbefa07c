"""Tables of a server under test: sit down, play a turn or a whole game, wait for a condition."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.kit.hidden import lookalike
from tests.server.conftest import Json, Site, Somebody, choose, hear, send
from tikal.play import Game
from tikal.server.database.rows import Person
from tikal.server.live.entries import Log
from tikal.server.live.projection import Viewer, entry_of_play
from tikal.server.live.room import Room


async def finish(site: Site, table: str) -> None:
    """Plays a game to its end, for every seat, without sockets: whole turns at random, up to each barrier."""
    rng = random.Random(table)
    async with site.hub.room(table) as room:
        game = room.game
        assert game is not None
        while not game.over:
            person = next((s.person for s in room.table.seats if s.seat == game.seat), None)
            if person is None and room.thinking is not None:
                await room.thinking
                continue
            actions: list[str] = []
            while not actions or game.can_take_back():
                actions.append(rng.choice(game.legal()))
                game.play(actions[-1])
            game.undo(len(actions))
            await site.hub.play(Person(str(person), ""), table, f"f{room.seq}", room.seq, actions)


async def at_table(ann: Somebody, bob: Somebody, clock: Json, **more: Any) -> str:
    body = {"seats": ["me", "open"], "clock": clock, "substitute": "tourist", **more}
    table: str = (await ann.post("/tables", body))["id"]
    await bob.post(f"/tables/{table}/join", {})
    await ann.post(f"/tables/{table}/start")
    return table


async def end_turn(who: Somebody, table: str) -> None:
    """Places a tile anywhere, and ends the turn."""
    update = await who.get(f"/tables/{table}")
    place = update["offer"]["actions"][0]["action"]
    body = {"id": f"e{update['seq']}", "on": update["seq"], "actions": [place, "."]}
    await who.post(f"/tables/{table}/actions", body)


async def until(who: Somebody, table: str, reached: Callable[[Json], bool]) -> Json:
    """The first update that meets a condition."""
    async with who.socket() as socket:
        await send(socket, type="watch", table=table, since=0)
        events: list[Json] = []
        while True:
            update = await hear(socket, "update")
            events += update["events"]
            if reached(update):
                return update | {"events": events}


async def play_seat(somebody: Somebody, table: str, rng: random.Random, most: int = 100_000, drops: int = 0) -> Json:
    """Plays all turns of a person over a socket, from the offers alone; drops the connection from time to time.

    Requests that are not acknowledged when a connection ends are resent in the next one, with the same id.
    """
    last: Json = {"seq": 0, "offer": None}
    pending: Json | None = None
    made = 0
    while True:
        left = rng.randrange(5, 40) if drops else 10**9
        drops = max(0, drops - 1)
        async with somebody.socket() as socket:
            await send(socket, type="watch", table=table, since=last["seq"])
            if pending:
                await send(socket, **pending)
            while left:
                left -= 1
                message = await hear(socket)
                if message["type"] == "update":
                    seqs = [event["seq"] for event in message["events"]]
                    assert seqs == list(range(last["seq"] + 1, message["seq"] + 1))
                    last = message
                elif message["type"] != "turn":  # the offer says that, too
                    assert message["type"] == "ack" and pending and message["id"] == pending["id"], message
                    pending = None
                if last["info"]["state"] == "over" or (made >= most and not pending):
                    return last
                if last["offer"] is not None and not pending:
                    made += 1
                    action = choose(last["offer"], rng)
                    name = f"{somebody.name}-{rng.getrandbits(40)}"
                    pending = {"type": "play", "table": table, "id": name, "on": last["seq"], "actions": [action]}
                    await send(socket, **pending)


@dataclass
class Ear:
    """A listener that keeps its messages."""

    person: str | None
    heard: list[str] = field(default_factory=list)

    def tell(self, message: bytes) -> None:
        self.heard.append(message.decode())

    def tell_update(self, table: str, since: int, message: bytes | None) -> None:
        assert message is not None
        self.heard.append(message.decode())

    __hash__ = object.__hash__


def swap(room: Room, viewer: Viewer, rng: random.Random) -> None:
    """Gives a table different hidden facts (deck, tokens, dice, choices, seed) that look the same to a viewer."""
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
    """Everything that a person can read of a running game."""
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


async def advance(site: Site, table: str, rng: random.Random, actions: int) -> None:
    """Plays at random for the seat to move; prefers digs and dice, so that there is something hidden."""
    async with site.hub.room(table) as room:
        for _ in range(actions):
            game = room.game
            assert game is not None
            if game.over:
                return
            legal = game.legal()
            revealing = [action for action in legal if action[0] in "DX"] or legal
            action = rng.choice(revealing if rng.random() < 0.7 else legal)
            person = room.table.seats[(game.seat or 1) - 1].person
            await site.hub.play(Person(str(person), ""), table, f"a{room.seq}", room.seq, [action])
