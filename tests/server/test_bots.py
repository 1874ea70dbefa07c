"""Bots think in workers that may die or hang: the move is made all the same."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.server.conftest import Json, Site, Somebody, hear, send
from tikal.server import thinking
from tikal.server.config import Config
from tikal.server.errors import Refused
from tikal.server.runner import MOST_ASKING, Runner


def die(*_: Any) -> list[str]:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def hang(*_: Any) -> list[str]:
    time.sleep(3600)
    raise AssertionError


def cheat(*_: Any) -> list[str]:
    return ["X@h5", "."]


def stumble(*_: Any) -> list[str]:
    raise ZeroDivisionError


async def until_my_turn(who: Somebody, table: str) -> Json:
    async with who.socket() as socket:
        await send(socket, type="watch", table=table)
        while (update := await hear(socket, "update"))["offer"] is None:
            pass
        return update


@pytest.mark.parametrize("fault", [die, hang, cheat, stumble])
def test_whatever_a_worker_does_the_move_is_made(
    play_out: Callable[..., None], fault: Callable[..., list[str]]
) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = (await ann.post("/tables", {"seats": ["bot:digger", "me"]}))["id"]
        site.hub.runner.task = fault
        await ann.post(f"/tables/{table}/start")
        update = await until_my_turn(ann, table)
        assert update["seq"] > 2
        assert (site.hub.runner.replaced > 0) == (fault is not cheat)

    play_out(scenario, bot_ms=10, bot_grace_ms=600)


def test_the_pool_works_on_after_a_worker_was_replaced() -> None:
    from tikal.play import Game
    from tikal.rules.options import Options

    view = Game.new(Options(), seed="42").view(1)

    async def whole() -> None:
        pool = Runner(Config("", bot_ms=10, bot_grace_ms=400))
        try:
            pool.task = hang
            assert await pool.plan("digger", view)
            pool.task = thinking.think
            pool._config = replace(pool._config, bot_grace_ms=60_000)  # a worker that starts on a busy machine is slow
            plans = await asyncio.gather(*(pool.plan("digger", view) for _ in range(3)))
            assert all(plans) and pool.replaced == 1
        finally:
            pool.close()

    asyncio.run(whole())


def test_who_only_wants_to_know_leaves_workers_to_those_who_wait_for_a_move() -> None:
    async def whole() -> None:
        pool, held = Runner(Config("", bot_workers=5)), asyncio.Event()
        begun = []

        async def slow(view: Json, _ms: int) -> Json:
            begun.append(view)
            await held.wait()
            return view

        pool.judge = slow  # type: ignore[method-assign,assignment]
        try:
            asked = [asyncio.create_task(pool.explain({"number": number})) for number in range(MOST_ASKING)]
            while len(begun) < 2:
                await asyncio.sleep(0)
            with pytest.raises(Refused, match="too many want an analysis"):
                await pool.explain({})
            assert len(begun) == 2
            held.set()
            assert [told["number"] for told in await asyncio.gather(*asked)] == list(range(MOST_ASKING))
            assert await pool.explain({}) == {}
        finally:
            pool.close()

    asyncio.run(whole())
