"""`kill -9` of the server at random moments during several games: nothing acknowledged is lost, no game is stuck."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.amounts import amounts
from tests.server.conftest import copied
from tests.server.players import Crowd, Server, must_end


async def scenario(folder: Path, database: str, kills: int, rng: random.Random) -> int:
    """Kills repeatedly; returns the number of acknowledged actions, all of which are stored."""
    server = Server(folder, database)
    workers: list[int] = []
    await server.start()
    try:
        async with Crowd([server.base], rng) as crowd:
            await crowd.must_move()
            for _ in range(kills):
                await asyncio.sleep(rng.uniform(0.0, 1.0))
                workers += server.children()
                server.kill()
                await server.start()
                await crowd.must_move()
        acknowledged = await crowd.check(server.base)
        await must_end(workers)
        return acknowledged
    finally:
        server.kill()


async def takeover(folder: Path, database: str, kills: int, rng: random.Random) -> int:
    """Kills one of two servers repeatedly, and continues with the other before it restarts."""
    servers = [Server(folder, database), Server(folder, database)]
    try:
        for server in servers:
            await server.start()
        async with Crowd([server.base for server in servers], rng) as crowd:
            await crowd.must_move()
            for number in range(kills):
                await asyncio.sleep(rng.uniform(0.0, 1.0))
                servers[number % 2].kill()
                await crowd.must_move()
                await servers[number % 2].start()
            await crowd.must_move()
        return await crowd.check(servers[0].base)
    finally:
        for server in servers:
            server.kill()


def outlives(folder: Path, database: str, kills: int, tell: Callable[[str, object], None]) -> None:
    acknowledged = asyncio.run(scenario(folder, database, kills, random.Random(kills)))
    assert acknowledged > kills
    kind = database.partition(":")[0]
    tell("told", f"{kills} kills of a server on {kind}: {acknowledged} acknowledged actions, none lost, no game stuck")


@pytest.mark.slow
def test_acknowledged_actions_survive_a_kill(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    outlives(tmp_path, copied(tmp_path), 1, record_property)


@pytest.mark.parametrize("kills", [pytest.param(10, marks=pytest.mark.long), pytest.param(500, marks=pytest.mark.soak)])
def test_acknowledged_actions_survive_many_kills(
    tmp_path: Path, address: str, kills: int, record_property: Callable[[str, object], None]
) -> None:
    outlives(tmp_path, address, kills, record_property)


@pytest.mark.parametrize("kills", amounts(1, long=6))
def test_of_two_servers_one_is_killed_and_the_games_go_on(
    tmp_path: Path, database: str, kills: int, record_property: Callable[[str, object], None]
) -> None:
    acknowledged = asyncio.run(takeover(tmp_path, database, kills, random.Random(1)))
    assert acknowledged > kills
    record_property("told", f"{kills} kills of one of two servers: {acknowledged} acknowledged actions, none lost")
