"""The queue of one socket, for what can't be written at once: bounded in bytes, with at most one update for each table.

Updates of a table are not queued one behind the other. Those that could not be sent yet are merged into one, and it is
made when there is room for it: a slow reader gets the position of that moment, with the events it has missed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass


@dataclass(slots=True)
class Budget:
    """The total of bytes that wait for all sockets of a process."""

    most: int
    used: int = 0


@dataclass(slots=True)
class Waiting:
    """An update of a table, with the events after `since`; without a text it is made when it is sent."""

    table: str
    since: int
    text: bytes | None


class Outbox:
    """A queue of texts and updates. `put` returns whether there was room.

    >>> outbox = Outbox(5, Budget(100))
    >>> outbox.put(b"12345"), outbox.put(b"6")
    (True, False)
    """

    def __init__(self, most: int, budget: Budget) -> None:
        self._most = most
        self._budget = budget
        self._bytes = 0
        self._items: deque[bytes | Waiting | None] = deque()
        self._updates: dict[str, Waiting] = {}
        self._filled = asyncio.Event()
        self.idle = False  # whether nothing waits, and nothing is being sent

    def __len__(self) -> int:
        return len(self._items)

    def put(self, text: bytes) -> bool:
        """Adds a text, unless too much is waiting."""
        if self._is_full():
            return False
        self._add(text, len(text))
        return True

    def put_update(self, table: str, since: int, text: bytes | None) -> None:
        """Adds an update. If one of the same table is waiting, or too much is, it is made later instead."""
        waiting = self._updates.get(table)
        if waiting is not None:
            self._count(-len(waiting.text or b""))
            waiting.text = None
            waiting.since = min(waiting.since, since)
            return
        waiting = self._updates[table] = Waiting(table, since, None if self._is_full() else text)
        self._add(waiting, len(waiting.text or b""))

    async def filled(self) -> bool:
        """Waits until something is to be sent; False at the end."""
        while not self._items:
            self._filled.clear()
            self.idle = True
            await self._filled.wait()
        return self._items[0] is not None

    def take(self) -> bytes | Waiting | None:
        """The next message to send; None at the end. Until it is taken, an update grows by what happens meanwhile."""
        item = self._items.popleft()
        if isinstance(item, Waiting):
            del self._updates[item.table]
            self._count(-len(item.text or b""))
        elif item is not None:
            self._count(-len(item))
        return item

    def finish(self) -> None:
        """Drops the waiting messages; `take` returns None from now on."""
        self._items.clear()
        self._updates.clear()
        self._count(-self._bytes)
        self._add(None, 0)

    def _is_full(self) -> bool:
        return self._bytes >= self._most or (self._bytes > 0 and self._budget.used >= self._budget.most)

    def _add(self, item: bytes | Waiting | None, size: int) -> None:
        self.idle = False
        self._items.append(item)
        self._count(size)
        self._filled.set()

    def _count(self, size: int) -> None:
        self._bytes += size
        self._budget.used += size
