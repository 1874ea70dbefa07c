"""Bots on other machines: a worker that answers, one that is killed in the middle, and none at all."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from tests.server.conftest import Json, Site, Somebody, hear, send, serving
from tests.server.players import Program
from tikal.cli.main import main
from tikal.play import Game
from tikal.rules.options import Options
from tikal.server.bots import remote
from tikal.server.bots.fair import Asker, Rank
from tikal.server.bots.remote import Workers, schema


@asynccontextmanager
async def asking(folder: Path, database: str, bot_ms: int) -> AsyncIterator[tuple[Site, Workers]]:
    async with serving(folder, database=database, bots="workers", bot_ms=bot_ms) as site:
        asked = site.hub.runner
        assert isinstance(asked, Workers)
        yield site, asked


@asynccontextmanager
async def a_worker(folder: Path, database: str) -> AsyncIterator[Program]:
    worker = Program(folder, "bot-worker", "--database", database)
    worker.run()
    try:
        yield worker
    finally:
        worker.kill()


async def jobs(database: str, status: str) -> int:
    async with await psycopg.AsyncConnection.connect(database) as connection:
        ask = f"SELECT id FROM {schema()}.procrastinate_jobs WHERE status = %s"
        return (await connection.execute(ask.encode(), (status,))).rowcount


async def a_table(ann: Somebody, level: str) -> str:
    table: str = (await ann.post("/tables", {"seats": [f"bot:{level}", "me"], "hints": True}))["id"]
    await ann.post(f"/tables/{table}/start")
    return table


async def my_turn(who: Somebody, table: str) -> Json:
    async with who.socket() as socket:
        await send(socket, type="watch", table=table)
        while (update := await hear(socket, "update"))["offer"] is None:
            pass
        return update


def test_a_worker_of_another_process_thinks(tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "ALONE_S", 0.2)

    async def scenario() -> None:
        async with asking(tmp_path, database, 30) as (site, asked), a_worker(tmp_path, database) as worker:
            ann = await site.person("Ann")
            table = await a_table(ann, "digger")
            while not asked.answered:  # until it has started, the server runs the bots itself
                worker.must_run()
                table = await a_table(ann, "digger")
                assert (await my_turn(ann, table))["seq"] > 2
            before = asked.answered
            while asked.answered == before:  # after a timeout the server uses its own processes for a while
                assert (await ann.get(f"/tables/{table}/analysis"))["turns"]
            assert await jobs(database, "todo") == 0

    asyncio.run(asyncio.wait_for(scenario(), 240))


def test_a_worker_that_is_killed_in_the_middle_costs_no_move(tmp_path: Path, database: str) -> None:
    async def scenario() -> None:
        async with asking(tmp_path, database, 2000) as (site, asked), a_worker(tmp_path, database) as worker:
            ann = await site.person("Ann")
            table = await a_table(ann, "professor")
            while not await jobs(database, "doing"):
                worker.must_run()
                update = await ann.get(f"/tables/{table}")
                if update["offer"] is not None:  # the worker was too slow to start; another turn for it
                    table = await a_table(ann, "professor")
                await asyncio.sleep(0.02)
            worker.kill()
            answered = asked.answered
            update = await my_turn(ann, table)
            assert update["seq"] > 2 and asked.answered == answered

    asyncio.run(asyncio.wait_for(scenario(), 240))


def test_a_process_of_a_worker_that_dies_is_replaced(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "ALONE_S", 0.2)

    async def scenario() -> None:
        async with asking(tmp_path, database, 30) as (site, asked), a_worker(tmp_path, database) as worker:
            ann = await site.person("Ann")

            async def until_answered() -> None:
                before = asked.answered
                while asked.answered == before:
                    worker.must_run()
                    assert (await my_turn(ann, await a_table(ann, "digger")))["seq"] > 2

            await until_answered()
            for child in worker.children():
                os.kill(child, signal.SIGKILL)
            await until_answered()
            assert (await ann.get("/health"))["ok"]

    asyncio.run(asyncio.wait_for(scenario(), 240))


def test_questions_of_a_better_rank_are_answered_first(tmp_path: Path, database: str) -> None:
    async def scenario() -> None:
        async with asking(tmp_path, database, 10) as (_, asked):
            view = Game.new(Options(), seed="42").view(1)
            levels = {"tourist": Rank.BOTS, "digger": Rank.DAILY, "surveyor": Rank.LIVE}
            asked._config = replace(asked._config, worker_patience_ms=60_000)
            plans = [asyncio.create_task(asked.plan(level, view, Asker(levels[level], level))) for level in levels]
            while await jobs(database, "todo") < len(levels):
                await asyncio.sleep(0.02)
            async with await psycopg.AsyncConnection.connect(database) as connection:
                ask = f"SELECT args->>'level', priority FROM {schema()}.procrastinate_jobs"
                rows = await (await connection.execute(ask.encode())).fetchall()
            assert dict(rows) == {level: -rank for level, rank in levels.items()}
            for plan in plans:
                plan.cancel()

    asyncio.run(asyncio.wait_for(scenario(), 120))


def test_without_any_worker_the_server_thinks_itself(tmp_path: Path, database: str) -> None:
    async def scenario() -> None:
        async with asking(tmp_path, database, 10) as (site, asked):
            ann = await site.person("Ann")
            assert (await my_turn(ann, await a_table(ann, "digger")))["seq"] > 2
            assert asked.answered == 0 and await jobs(database, "todo") == 0

    asyncio.run(asyncio.wait_for(scenario(), 120))


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["bot-worker", "--database", "sqlite:///a.db"], "need postgresql://"),
        (["bot-worker", "--database", "postgresql://127.0.0.1:1/db"], "the queue of bots can't be used: connection"),
        (["bot-worker", "--database", "postgresql://127.0.0.1:1/db", "--workers", "0"], "--workers 0: must be from 1"),
        (["serve", "--bots", "workers", "--database", "sqlite:///a.db"], "need postgresql://"),
    ],
)
def test_impossible_settings_get_one_line(words: list[str], wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    told = capsys.readouterr().err
    assert wrong in told and told.count("\n") == 1


def test_the_packages_that_are_missing_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(remote, "find_spec", lambda _: None)
    assert main(["bot-worker", "--database", "postgresql://host/db"]) == 2
    assert "pip install 'tikal[postgres]'" in capsys.readouterr().err
