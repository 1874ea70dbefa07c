"""Results and ratings anew, from the logs: for `tikal stats --recompute`."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, select

from tikal.server import statistics
from tikal.server.database import database_url, writer
from tikal.server.migrate import migrate
from tikal.server.room import ended, new_game
from tikal.server.schema import events, tables
from tikal.server.statistics import Ended
from tikal.server.store import Json, Store, Table, read_tables


def recompute(database: str, progress: Callable[[int, int], None]) -> int:
    """Replays all finished games and computes results and ratings from them; returns how many."""
    migrate(database)
    engine = writer(database_url(database))
    try:
        with engine.begin() as c:
            over = read_tables(c, select(tables).where(tables.c.state == "over").order_by(tables.c.id))
            ends = []
            for number, table in enumerate(over, 1):
                ends.append((table, _end_of(c, table)))
                progress(number, len(over))
            statistics.recompute(c, ends)
    finally:
        engine.dispose()
    return len(over)


def _end_of(c: Connection, table: Table) -> Ended:
    """How a game ended, by its log."""
    game = new_game(table)
    ask = select(events.c.kind, events.c.data).where(events.c.table_id == table.id).order_by(events.c.seq)
    for row in c.execute(ask):
        if row.kind == "play":
            game.play(row.data["action"])
        elif row.kind == "undo":
            game.undo(row.data["count"])
    return ended(game.state)


async def ranking_of(database: str) -> Json:
    """The ranking, without a server."""
    store = await Store.open(database)
    try:
        return await statistics.ranking(store, None)
    finally:
        await store.close()
