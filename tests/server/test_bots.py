"""Bots run in workers that may die or hang. The table shows it, the bot runs again, and nothing plays for it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.server.conftest import Json, Site, Somebody, hear, send
from tests.server.faults import cheat, die, hang, stumble, who_am_i
from tikal.play import Game
from tikal.rules.options import Options
from tikal.server.bots import pool, task
from tikal.server.bots.fair import Asker, Rank
from tikal.server.bots.pool import MOST_ASKING, Runner
from tikal.server.bots.worker import CannotThink
from tikal.server.config import Config
from tikal.server.errors import Refused

ANN = Asker(Rank.LIVE, "ann")
VIEW = Game.new(Options(), seed="42").view(1)


async def until(who: Somebody, table: str, wanted: Callable[[Json], object]) -> Json:
    async with who.socket() as socket:
        await send(socket, type="watch", table=table)
        while not wanted(update := await hear(socket, "update")):
            pass
        return update


@pytest.mark.parametrize("fault", [die, hang, cheat, stumble])
def test_a_failing_bot_is_shown_and_retried(play_out: Callable[..., None], fault: Callable[..., list[str]]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = (await ann.post("/tables", {"seats": ["bot:digger", "me"]}))["id"]
        runner = site.hub.runner
        runner.task = fault
        await ann.post(f"/tables/{table}/start")
        update = await until(ann, table, lambda update: update["info"]["stuck"])
        assert update["info"]["stuck"] == 1 and update["seq"] == 1, "nobody may play in its place"
        figures = (await site.know(None).ask("GET", "/metrics")).text
        assert "\ntikal_bots_stuck 1.0\n" in figures
        if fault is not cheat:
            health = await ann.ask("GET", "/health")
            assert (health.status_code, health.json()["ok"], health.json()["bots"]["ok"]) == (503, False, False)
            assert "\ntikal_bots_ok 0.0\n" in figures and runner.failures > 0
        asked: list[str] = []

        async def works(level: str, view: Json, ms: int, asker: Asker) -> list[str]:
            asked.append(level)
            return task.think(level, view, 1, ms)

        runner.decide = works  # type: ignore[method-assign]
        update = await until(ann, table, lambda update: update["offer"] is not None)
        assert update["info"]["stuck"] is None and set(asked) == {"digger"}
        assert (await ann.ask("GET", "/health")).json()["ok"]

    play_out(scenario, bot_ms=10, bot_grace_ms=600, bot_retry_ms=10, bot_retry_most_ms=40)


def test_the_pause_between_tries_grows_up_to_a_limit(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        assert [site.hub._pause_s(failed) for failed in (1, 2, 3, 8, 5000)] == [1, 2, 4, 60, 60]

    play_out(scenario)


def with_runner(scenario: Callable[[Runner], Any], **settings: Any) -> None:
    async def whole() -> None:
        runner = Runner(Config("", **{"bot_ms": 10, "bot_grace_ms": 60_000, **settings}))
        try:
            await asyncio.wait_for(scenario(runner), 240)
        finally:
            runner.close()

    asyncio.run(whole())


@pytest.mark.parametrize("wound", [signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM])
def test_a_worker_that_is_killed_or_stopped_while_idle_is_replaced(wound: signal.Signals) -> None:
    async def scenario(runner: Runner) -> None:
        runner.task = who_am_i
        before = int((await runner.plan("digger", VIEW, ANN))[0])
        runner.task = task.think
        os.kill(before, wound)
        if wound is signal.SIGSTOP:  # it looks alive, so the job must wait until its time is over
            runner._config = replace(runner._config, bot_grace_ms=600)
            with pytest.raises(CannotThink):
                await runner.plan("digger", VIEW, ANN)
            runner._config = replace(runner._config, bot_grace_ms=60_000)
        assert (await runner.plan("digger", VIEW, ANN))[-1] == "."
        assert (await runner.explain(VIEW, ANN))["turns"], "analyses come back, too"
        assert runner.failures > 0 and not runner.failing

    with_runner(scenario, bot_workers=1)


def test_an_idle_dead_worker_is_detected() -> None:
    async def scenario(runner: Runner) -> None:
        runner.task = who_am_i
        os.kill(int((await runner.plan("digger", VIEW, ANN))[0]), signal.SIGKILL)
        while not runner.as_json()["failures"]:
            runner.heal()
            await asyncio.sleep(0.01)
        assert runner.as_json() == {"ok": True, "workers": 1, "waiting": 0, "failures": 1}

    with_runner(scenario, bot_workers=1)


@pytest.mark.parametrize("fault", [die, hang, stumble])
def test_a_worker_that_fails_while_it_thinks_is_replaced(fault: Callable[..., list[str]]) -> None:
    async def scenario(runner: Runner) -> None:
        runner.task = fault
        runner._config = replace(runner._config, bot_grace_ms=600)
        with pytest.raises(CannotThink):
            await runner.plan("digger", VIEW, ANN)
        assert runner.failing and not runner.as_json()["ok"]
        runner.task = task.think
        runner._config = replace(runner._config, bot_grace_ms=60_000)  # a worker that starts on a busy machine is slow
        plans = await asyncio.gather(*(runner.plan("digger", VIEW, ANN) for _ in range(3)))
        assert all(plan[-1] == "." for plan in plans) and runner.failures == 1 and not runner.failing

    with_runner(scenario, bot_workers=1)


def test_after_a_failed_analysis_health_recovers_although_nobody_asks(
    play_out: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "explain", stumble)

    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = (await ann.post("/tables", {"seats": ["me", "person:Bob"], "hints": True}))["id"]
        await ann.post(f"/tables/{table}/start")
        assert (await ann.ask("GET", f"/tables/{table}/analysis")).status_code == 503
        assert site.hub.runner.failures == 1
        while (await ann.ask("GET", "/health")).status_code == 503:
            await asyncio.sleep(0.01)
        assert site.hub.runner.failures == 1 and (await ann.get("/health"))["bots"]["ok"]

    play_out(scenario, sweep_ms=10)


def test_only_the_worker_that_dies_loses_its_job() -> None:
    async def scenario(runner: Runner) -> None:
        bob = Asker(Rank.LIVE, "bob")
        first = asyncio.create_task(runner.judge(VIEW, 1500, ANN))
        await asyncio.sleep(0)
        runner.task = die
        with pytest.raises(CannotThink):
            await runner.plan("digger", VIEW, bob)
        assert (await first)["turns"]
        assert runner.failures in (1, 2)  # on a busy machine the death may look like an earlier one: the job runs again

    with_runner(scenario, bot_workers=2)


def test_fewer_workers_from_now_on() -> None:
    async def scenario(runner: Runner) -> None:
        runner.task = who_am_i
        askers = [Asker(Rank.LIVE, name) for name in "abc"]
        pids = await asyncio.gather(*(runner.plan("digger", VIEW, asker) for asker in askers))
        assert len({pid for (pid,) in pids}) > 1 and runner.workers == 3
        runner.cap(1, None)
        pids = await asyncio.gather(*(runner.plan("digger", VIEW, asker) for asker in askers))
        assert runner.workers == 1
        while len({pid for (pid,) in pids}) > 1:  # surplus workers end when they have finished their jobs
            pids = await asyncio.gather(*(runner.plan("digger", VIEW, asker) for asker in askers))

    with_runner(scenario, bot_workers=3)


def test_analyses_leave_workers_to_bots_whose_moves_people_wait_for() -> None:
    async def scenario(runner: Runner) -> None:
        begun, held = [], asyncio.Event()

        async def slow(view: Json, _ms: int, _asker: Asker) -> Json:
            begun.append(view)
            await held.wait()
            return view

        runner.judge = slow  # type: ignore[method-assign,assignment]
        asked = [asyncio.create_task(runner.explain({"number": number}, ANN)) for number in range(MOST_ASKING)]
        while len(begun) < 2:
            await asyncio.sleep(0)
        with pytest.raises(Refused, match="too many people want an analysis"):
            await runner.explain({}, ANN)
        assert len(begun) == 2
        held.set()
        assert [told["number"] for told in await asyncio.gather(*asked)] == list(range(MOST_ASKING))
        assert await runner.explain({}, ANN) == {}

    with_runner(scenario, bot_workers=5)


def test_one_address_does_not_ask_for_all_analyses() -> None:
    async def scenario(runner: Runner) -> None:
        held, order = asyncio.Event(), []

        async def slow(view: Json, _ms: int, asker: Asker) -> Json:
            await held.wait()
            order.append(asker.person)
            return view

        runner.judge = slow  # type: ignore[method-assign,assignment]
        guests = [Asker(Rank.ADVICE, f"guest {number}", "one address") for number in range(MOST_ASKING)]
        asked = [asyncio.create_task(runner.explain(VIEW, guest)) for guest in guests]
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="too many people want an analysis"):
            await runner.explain(VIEW, Asker(Rank.ADVICE, "one more", "one address"))
        asked.append(asyncio.create_task(runner.explain(VIEW, Asker(Rank.ADVICE, "ann", "another address"))))
        await asyncio.sleep(0)
        held.set()
        await asyncio.gather(*asked)
        assert order.index("ann") <= 2, "addresses take turns"

    with_runner(scenario, bot_workers=1)


def test_one_guest_s_many_tables_don_t_keep_other_bots_waiting(play_out: Callable[..., None]) -> None:
    """The guest's bots hang forever; despite the guest's share of the workers the other's bot plays."""

    async def scenario(site: Site) -> None:
        guest, ann = await site.person("Guest"), await site.person("Ann")
        decide, begun = site.hub.runner._run, asyncio.Event()

        async def slow(job: Any, args: list[Any], ms: int, asker: Asker) -> Any:
            if args[0] == "professor":
                async with site.hub.runner._gate.turn(asker):
                    begun.set()
                    await asyncio.Event().wait()
            return await decide(job, args, ms, asker)

        site.hub.runner._run = slow  # type: ignore[method-assign,assignment]
        for _ in range(5):
            table = (await guest.post("/tables", {"seats": ["bot:professor"] * 4}))["id"]
            await guest.post(f"/tables/{table}/start")
        await begun.wait()
        table = (await ann.post("/tables", {"seats": ["bot:digger", "me"]}))["id"]
        await ann.post(f"/tables/{table}/start")
        await until(ann, table, lambda update: update["offer"] is not None)
        assert site.hub.runner.waiting == 4

    play_out(scenario)
