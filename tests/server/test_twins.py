"""Twin tables: the same past, another future and other secret choices. No request may distinguish them.

`test_leaks` compares what the server sends; this compares answers to requests. Both twins get every request that the
OpenAPI document describes and every action that the notation can write: legal, illegal, nonsense, and with a chance
value in brackets; over HTTP and over the WebSocket. The only requests left out are those by which the rules reveal
something: a legal action that digs, rolls dice or passes the turn.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Update
from websockets.asyncio.client import ClientConnection

from tests.kit.amounts import amounts
from tests.kit.hidden import lookalike
from tests.server.conftest import Hands, Json, Site, Somebody, hear, send, serving
from tikal.play import Game
from tikal.play.chance import deal
from tikal.play.game import may_take_back
from tikal.play.notation import parse
from tikal.rules import codes
from tikal.rules.options import Options
from tikal.rules.setup import Chance
from tikal.rules.tables import HEX_NAMES, TILES
from tikal.server import openapi
from tikal.server.database.rows import Person
from tikal.server.database.schema import seats, tables
from tikal.server.errors import Refused
from tikal.server.http import responses
from tikal.server.live import room as rooms
from tikal.server.live.room import Room, rehearse

DOCUMENT = openapi.document()
HEXES, DIGITS = list(HEX_NAMES), list("12345678")
SEED = "5eed" * 8
FORMS: dict[int, tuple[str, dict[str, Sequence[object]]]] = {
    codes.END: (".", {}),
    codes.ENTER: ("+{m}@{h}", {"m": "WL", "h": HEXES}),
    codes.MOVE: ("{m}:{h}-{g}", {"m": "WL", "h": HEXES, "g": HEXES}),
    codes.CAMP_MOVE: ("{m}:{h}={g}", {"m": "WL", "h": HEXES, "g": HEXES}),
    codes.EXCAVATE: ("X@{h}", {"h": HEXES}),
    codes.DIG: ("D@{h}", {"h": HEXES}),
    codes.EXCHANGE: ("S:{s}:{k}/{n}", {"s": "1234", "k": DIGITS, "n": DIGITS}),
    codes.CAMP: ("C@{h}", {"h": HEXES}),
    codes.GUARD: ("G{m}@{h}", {"m": "WL", "h": HEXES}),
    codes.PLACE: ("{t}@{h}^{r}", {"t": [tile.name for tile in TILES], "h": HEXES, "r": "012345"}),
    codes.BID: ("B:{n}", {"n": ["-", *range(1, 40)]}),
    codes.TAKE: ("K:{t}", {"t": [tile.name for tile in TILES]}),
    codes.OBSTACLE: ("O:{h}-{g}", {"h": HEXES, "g": HEXES}),
    codes.GUN: ("M@{h}", {"h": HEXES}),
    codes.SHOOT: ("R:{s}@{h}", {"s": "1234", "h": HEXES}),
    codes.DECIDE: ("V:{d}", {"d": "+-"}),
    codes.LEAP: ("J:{n}", {"n": "012345"}),
}
NONSENSE = ["", " ", "J:?", "d@b3", "D@b3 ", "D@z9", "X@a2\n", "((", "D@b3(", "D@b3()", "D@b3(1", "D@b3（1）", "x" * 25]
IN_BRACKETS = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "99", "x"]


def written(kind: int) -> list[str]:
    """Every action of a kind."""
    form, values = FORMS[kind]
    return [form.format(**dict(zip(values, row, strict=True))) for row in itertools.product(*values.values())]


def test_the_forms_are_those_of_the_notation() -> None:
    assert set(FORMS) == set(range(codes.LEAP + 1))  # LEAP is the highest code
    for kind in FORMS:
        assert all(codes.kind_of(parse(action)) == kind for action in written(kind)[::37])


@dataclass(frozen=True)
class Case:
    """The options of a game, and the point at which we ask about it: where something hidden matters."""

    options: dict[str, str]
    at: Callable[[Game], bool]


def can(first: str) -> Callable[[Game], bool]:
    return lambda game: len(game.history) > 30 and any(action.startswith(first) for action in game.legal())


def has_chosen(game: Game) -> bool:
    return game.phase == "leap" and game.history[-1].action.startswith("J:")


CASES = [
    pytest.param(Case({}, can("D@")), id="treasures"),
    pytest.param(Case({"boulders": "2d6", "machine_gun": "true"}, can("X@")), id="dice"),
    pytest.param(Case({"auction": "true", "sudden_death": "true"}, can("B:")), id="auction"),
    pytest.param(Case({"auction": "true", "leaps": "true"}, has_chosen), id="leaps"),
]


def played_until(case: Case, rng: random.Random) -> Game:
    """A game that random players have brought to the required point."""
    options = Options.parse({**case.options, "players": "3"})
    while True:
        game = Game(options, deal(options, f"{rng.getrandbits(128):032x}"))
        while not game.over and not case.at(game):
            legal = game.legal()
            telling = [action for action in legal if action[0] in "DX"] or legal
            game.play(rng.choice(telling if rng.random() < 0.7 else legal))
        if not game.over:
            return game


class Twins:
    """Two tables with the same players: the same happens at both."""

    def __init__(self, site: Site, people: Sequence[Somebody], monkeypatch: pytest.MonkeyPatch) -> None:
        self.site, self.people = site, people
        self._chances: dict[str, Chance] = {}
        self._requests = itertools.count()
        self.keys: list[str] = []
        self.explained: list[Json] = []

        async def explain(view: Json, _asker: object, *, quick: bool) -> Json:
            self.explained.append(view)
            example: Json = responses.Analysis.model_json_schema()["examples"][0]
            return example

        monkeypatch.setattr(rooms, "new_game", self._new_game)
        monkeypatch.setattr(site.hub, "nudge", lambda _: None)  # bots and automatic bids would reveal, as they may
        monkeypatch.setattr(site.hub.bids, "nudge", lambda _: None)
        monkeypatch.setattr(site.hub.runner, "explain", explain)

    def _new_game(self, table: Any) -> Game:
        return Game(rooms.options_of(table), self._chances[table.id], table.seed)

    async def set_up(self, games: Sequence[Game], own: Sequence[int]) -> None:
        """A table for each of the games, brought to its position. Ann has seats 1 and 3, Bob has seat 2.

        Players who do not hold the `own` seats have set secret bid limits, different at each table.
        """
        ann, bob = self.people[:2]
        self.keys = []
        for number, game in enumerate(games):
            options = {name: value for name, value in game.options.pairs().items() if name != "players"}
            body = {"seats": ["me", "open", "person:Cid"], "options": options, "clock": {"kind": "live"}, "hints": True}
            key = (await ann.post("/tables", body))["id"]
            self.keys.append(key)
            self._chances[key] = game.chance
            await bob.post(f"/tables/{key}/join", {})
            await self._write(tables.update().where(tables.c.id == key).values(seed=SEED))
            self.site.hub.rooms.pop(key)
            await ann.post(f"/tables/{key}/start")
            async with self.site.hub.room(key) as room:
                for step in game.history:
                    person = Person(str(room.table.seats[step.seat - 1].person), "")
                    await self.site.hub.play(person, key, f"a{room.seq}", room.seq, [step.action])
            others = (seats.c.table_id == key, seats.c.seat.not_in(own))
            await self._write(seats.update().where(*others).values(up_to=number * 7 + seats.c.seat))

    async def _write(self, what: Update) -> None:
        """Writes directly into the database: the same seed, and other secret bid limits."""
        await self.site.hub.store.write(lambda c: c.execute(what).rowcount)

    @property
    def room(self) -> Room:
        """The first twin, to know the possible requests."""
        return self.site.hub.rooms[self.keys[0]]

    def plain(self, text: str) -> str:
        """What must be equal: without the id of the table, its QR code and the time."""
        for key in self.keys:
            text = text.replace(key, "TABLE")
        return re.sub(r"\b1\d{12}\b", "TIME", re.sub(r"<svg.*</svg>", "QR CODE OF THE ADDRESS", text, flags=re.DOTALL))

    async def ask(self, who: Somebody, method: str, path: str, body: Any = None) -> int:
        """Sends a request to both; the answers must be equal. Returns the status."""
        request = f"r{next(self._requests)}"
        if isinstance(body, dict) and body.get("id") == "FRESH":
            body = {**body, "id": request}
        answers = [await who.ask(method, path.replace("{table}", key), body) for key in self.keys]
        left, right = (self.plain(answer.text) for answer in answers)
        assert left == right, (method, path, body, first_difference(left, right))
        assert answers[0].status_code == answers[1].status_code
        assert self.explained[-2:-1] == self.explained[-1:]
        return answers[0].status_code

    def reveals(self, actions: object) -> bool:
        """Whether the rules reveal something by these actions, so that the twins may answer differently."""
        game = self.room.game
        assert game is not None
        if not actions or not isinstance(actions, list):
            return False
        try:
            preview = rehearse(game, actions)
        except Refused:
            return False
        return not may_take_back(preview.steps[-1], preview.states[-1])


def first_difference(left: str, right: str) -> tuple[str, str]:
    """Where two texts begin to differ, with some context."""
    at = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    return left[max(0, at - 200) : at + 80], right[max(0, at - 200) : at + 80]


# Requests


def actions_to_ask(game: Game, rng: random.Random) -> Iterator[list[str]]:
    """Lists of actions of every sort."""
    legal = game.legal()
    chancy = [*written(codes.DIG), *written(codes.EXCAVATE)]
    some = [action for kind in FORMS for action in rng.sample(written(kind), min(4, len(written(kind))))]
    rng.shuffle(legal)
    now = [action for action in legal if action[0] in "DX"]
    for action in [*now, *legal[:12], *some, *NONSENSE]:
        yield [action]
        yield [action, rng.choice(legal)]
        yield [rng.choice(legal), action]
        yield [f"{action}({rng.choice(IN_BRACKETS)})"]
    for action in [*now, *rng.sample(chancy, 6)]:
        for value in IN_BRACKETS:
            yield [f"{action}({value})"]
            yield [f"{action}({value})", "Q"]
    yield []
    yield ["."] * 65


def values_of(name: str, seq: int) -> list[Any]:
    """Values for a field or a parameter: right, wrong, and of another type."""
    numbers = {"on": seq, "since": seq, "start": seq, "at": seq - 1, "number": 1, "seat": 2, "up_to": 3}
    if name == "id":
        return ["FRESH", "a3", "", "ü", 5]
    if name in numbers:
        right = numbers[name]
        return [right, 0, 1, right - 1, right + 1, 3, 4, 10**7, -1, "x", None]
    return ["x", "me", "open", "bot:digger", "person:Zoe", "", "\u202e", "y" * 3000, 5, None]


def operations() -> list[tuple[str, str, Json]]:
    """Every operation on a table of the OpenAPI document: method, path, description."""
    paths = DOCUMENT["paths"].items()
    return [(method, path, op) for path, ops in paths for method, op in ops.items() if "{table}" in path]


def bodies_of(operation: Json, seq: int) -> Iterator[Any]:
    """Bodies for an operation: the right one, each field varied or left out, one more field, and no object at all."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        yield None
        return
    schema = DOCUMENT["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
    names = [name for name in schema["properties"] if name != "actions"]
    right = {**schema["examples"][0], **{name: values_of(name, seq)[0] for name in names}}
    yield from (right, [], "x", 5, None, {})
    for name in names:
        yield {key: value for key, value in right.items() if key != name}
        for value in values_of(name, seq):
            yield {**right, name: value}
    yield {**right, "chance": 3}


def paths_of(path: str, operation: Json, seq: int) -> Iterator[str]:
    """Addresses for an operation: with every value of its parameters."""
    named = [parameter for parameter in operation.get("parameters", []) if parameter["name"] != "table"]
    inside = [parameter["name"] for parameter in named if parameter["in"] == "path"]
    asked = [parameter["name"] for parameter in named if parameter["in"] == "query"]
    filled = [path]
    for name in inside:
        filled = [one.replace(f"{{{name}}}", str(value)) for one in filled for value in values_of(name, seq)]
    for one in filled:
        yield one
        for name in asked:
            yield from (f"{one}?{name}={value}" for value in values_of(name, seq))


# Asking


async def ask_everything(twins: Twins, who: Somebody, step: int) -> set[str]:
    """Every operation with all variations; returns the operations that were requested."""
    asked = set()
    for method, path, operation in operations():
        if path.endswith("/resign"):
            continue  # the caller tries it last
        asked.add(f"{method} {path}")
        turn = itertools.count()
        for address in paths_of(path.removeprefix("/api"), operation, twins.room.seq):
            for body in bodies_of(operation, twins.room.seq):
                actions = body.get("actions") if isinstance(body, dict) else None
                if next(turn) % step == 0 and not twins.reveals(actions):
                    await twins.ask(who, method.upper(), address, body)
    for path in ("/me/tables", "/tables", "/tables?state=playing"):
        listed = {row["id"]: row for row in (await who.get(path)).get("tables", [])}
        left, right = (twins.plain(json.dumps(listed.get(key))) for key in twins.keys)
        assert left == right, path
    return asked


async def ask_for_actions(twins: Twins, who: Somebody, step: int, rng: random.Random) -> int:
    """All sorts of actions, tried and played; returns how many were accepted."""
    game, done = twins.room.game, 0
    assert game is not None
    for actions in list(actions_to_ask(game, rng))[::step]:
        tried = {"on": twins.room.seq, "actions": actions}
        done += await twins.ask(who, "POST", "/tables/{table}/whatif", tried) == 200
        if not twins.reveals(actions):
            played = await twins.ask(who, "POST", "/tables/{table}/actions", tried | {"id": "FRESH"}) == 200
            if played and rng.random() < 0.5:
                await twins.ask(who, "POST", "/tables/{table}/undo", {"on": twins.room.seq, "id": "FRESH"})
    await twins.ask(who, "POST", "/tables/{table}/restart", {"on": twins.room.seq, "id": "FRESH"})
    return done


async def ask_sockets(twins: Twins, who: Somebody, step: int, rng: random.Random) -> int:
    """The same over a socket for each twin; returns how many messages came back."""
    async with who.socket() as left, who.socket() as right:
        heard = 0
        for message in itertools.islice(messages(twins, rng), 0, None, step):
            if message.get("type") == "play" and twins.reveals(message.get("actions")):
                continue
            answers = []
            for socket, key in zip((left, right), twins.keys, strict=True):
                given = {name: key if value == "TABLE" else value for name, value in message.items()}
                answers.append([twins.plain(json.dumps(one)) for one in await exchange(socket, given)])
            assert answers[0] == answers[1], message
            heard += len(answers[0])
        return heard


def messages(twins: Twins, rng: random.Random) -> Iterator[Json]:
    """Messages of every type, valid and invalid."""
    fresh = (f"s{number}" for number in itertools.count())
    for since in (0, 5, twins.room.seq, 10**6, -1, "x", None):
        yield {"type": "watch", "table": "TABLE", "since": since}
    game = twins.room.game
    assert game is not None
    for actions in list(actions_to_ask(game, rng))[::7]:
        yield {"type": "play", "table": "TABLE", "id": next(fresh), "on": twins.room.seq, "actions": actions}
    for kind in ("undo", "restart", "whatif", "resign", "unwatch", "nonsense"):
        for on in (twins.room.seq, 0, "x"):
            yield {"type": kind, "table": "TABLE", "id": next(fresh), "on": on, "seat": 9}
    yield {"type": "watch", "table": "x" * 50}
    yield {}


async def exchange(socket: ClientConnection, message: Json) -> list[Json]:
    """A message, and all answers to it."""
    await send(socket, **message)
    await send(socket, type="ping", id="fence")
    answers = [await hear(socket)]
    while answers[-1] != {"type": "pong", "id": "fence"}:
        answers.append(await hear(socket))
    return answers


@pytest.mark.parametrize("share", amounts(24, long=1))
@pytest.mark.parametrize("case", CASES)
def test_no_request_tells_the_twins_apart(
    tmp_path: Path, case: Case, share: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every request, or one in `share` of each sort."""

    async def scenario(site: Site) -> None:
        rng = random.Random(f"twins/{case.options}")
        people = [await site.person(name) for name in ("Ann", "Bob", "Eve")]
        twins = Twins(site, people, monkeypatch)
        game = played_until(case, rng)
        holder = {1: people[0], 2: people[1], 3: people[0]}
        decides = holder[game.seat or 1]
        for who in people:
            own = [seat for seat in sorted(holder, key=lambda seat: seat != game.seat) if holder[seat] is who]
            eyes = own[0] if own else None
            twin = lookalike(game, eyes, rng)
            assert twin.chance != game.chance
            await twins.set_up([game, twin], own)
            step = share if who is decides else share * 5  # most requests of the others are refused anyway
            accepted = await ask_for_actions(twins, who, step, rng)
            assert (accepted > 0) == (who is decides)
            assert await ask_sockets(twins, who, share, rng) > 50 / share
            asked = await ask_everything(twins, who, step)
            assert len(asked) == len(operations()) - 1
            await twins.ask(who, "POST", "/tables/{table}/resign", {"id": "FRESH", "seat": eyes or 1})

    async def whole() -> None:
        async with serving(tmp_path, time=Hands(), beat_ms=10**12, sweep_ms=10**9, tables_each=100) as site:
            await scenario(site)

    asyncio.run(whole())


@pytest.mark.parametrize("action", ["D@b3(3)", "X@a2(11)", ".(1)", "D@b3(99)", "(", "A5@b3^0(2)"])
def test_no_action_of_a_client_carries_a_chance_value(play_out: Callable[..., None], action: str) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = (await ann.post("/tables", {"seats": ["me", "person:Bob"]}))["id"]
        await ann.post(f"/tables/{table}/start")
        body = {"on": 1, "actions": [action]}
        assert await ann.refused("POST", f"/tables/{table}/whatif", body) == "chance"
        assert await ann.refused("POST", f"/tables/{table}/actions", body | {"id": "a"}) == "chance"
        async with ann.socket() as socket:
            await send(socket, type="play", table=table, id="b", **body)
            answer = await hear(socket)
            assert (answer["code"], answer["id"]) == ("chance", "b") and "without" in answer["text"]
        assert (await ann.get(f"/tables/{table}"))["seq"] == 1

    play_out(scenario)
