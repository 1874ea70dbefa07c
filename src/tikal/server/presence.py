"""Who is here: the open sockets of each person, to tell them something, and to end those that have lost their token."""

from __future__ import annotations

from collections import defaultdict
from typing import Protocol

from tikal.server.store import Store


class Here(Protocol):
    """A socket that is open."""

    person: str | None
    token: str | None

    def tell(self, message: str) -> None:
        """Queues a message; never waits."""

    def revoke(self) -> None:
        """Ends it: its token is worthless now."""


class Presence:
    """The open sockets of this process, by person."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._here: defaultdict[str, set[Here]] = defaultdict(set)

    def add(self, socket: Here) -> None:
        """Somebody has come. A stranger is not noted."""
        if socket.person is not None:
            self._here[socket.person].add(socket)

    def remove(self, socket: Here) -> None:
        """And is gone."""
        if socket.person is not None:
            self._here[socket.person].discard(socket)
            if not self._here[socket.person]:
                del self._here[socket.person]

    def tell(self, person: str, message: str) -> None:
        """Tells all sockets of a person."""
        for socket in list(self._here.get(person, ())):
            socket.tell(message)

    async def check(self) -> None:
        """Ends the sockets whose tokens were revoked, here or by another process."""
        sockets = [socket for sockets in self._here.values() for socket in sockets]
        if not sockets:
            return
        good = await self._store.sessions([socket.token for socket in sockets if socket.token])
        for socket in sockets:
            if socket.token not in good:
                socket.revoke()
