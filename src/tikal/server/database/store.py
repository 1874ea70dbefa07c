"""The store: everything that the server keeps, by topic. When a call returns, its result is on the disk."""

from __future__ import annotations

from tikal.server.database.people import People
from tikal.server.database.tables import Chat, Games, Tables


class Store(People, Tables, Games, Chat):
    """The database. `await Store.open(url)` migrates and opens it."""
