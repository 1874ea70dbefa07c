"""Recomputes results and ratings from the logs: for `tikal stats --recompute`."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, select

from tikal.play.view import Json
from tikal.server.database import statistics
from tikal.server.database.engines import database_url, writer
from tikal.server.database.migrate import migrate
from tikal.server.database.rows import Table, read_tables
from tikal.server.database.schema import events, tables
from tikal.server.database.statistics import Ended
from tikal.server.database.store import Store
from tikal.server.live.room import end_of, new_game


def recompute(database: str, progress: Callable[[int, int], None]) -> int:
    """Replays all finished games and computes results and ratings from them; returns the number of games."""
    migrate(database)
    engine = writer(database_url(database))
    try:
        with engine.begin() as c:
            over = read_tables(
                c, select(tables).where(tables.c.state == "over", tables.c.practice.is_(None)).order_by(tables.c.id)
            )
            ends = []
            for number, table in enumerate(over, 1):
                if (end := _end_of(c, table)) is not None:
                    ends.append((table, end))
                progress(number, len(over))
            statistics.recompute(c, ends)
    finally:
        engine.dispose()
    return len(ends)


def _end_of(c: Connection, table: Table) -> Ended | None:
    """How a game ended, by its log; None if the players agreed to end it."""
    game = new_game(table)
    ask = select(events.c.kind, events.c.data).where(events.c.table_id == table.id).order_by(events.c.seq)
    for row in c.execute(ask):
        if row.kind == "play":
            game.play(row.data["action"])
        elif row.kind == "undo":
            game.undo(row.data["count"])
        elif row.kind == "end":
            winners = [seat - 1 for seat in row.data["winners"]]
            return Ended(game.status()["scores"], winners) if winners else None
    return end_of(game.state)


async def ranking_of(database: str) -> Json:
    """The ranking, without a server."""
    store = await Store.open(database)
    try:
        return await statistics.ranking(store, None)
    finally:
        await store.close()
