"""Presence: the open sockets of each person, to send messages to them, and to close those with a revoked token."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from typing import Protocol

from tikal.server.database.store import Store

REMEMBERED = 20_000  # people with a known address


class OpenSocket(Protocol):
    """An open socket."""

    person: str | None
    token: str | None

    def tell(self, message: bytes) -> None:
        """Queues a message; never waits."""

    def revoke(self) -> None:
        """Closes it: its token was revoked."""


class Presence:
    """The open sockets of this process, by person."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sockets: defaultdict[str, set[OpenSocket]] = defaultdict(set)
        self._addresses: OrderedDict[str, str] = OrderedDict()  # the last address of each person

    def add(self, socket: OpenSocket) -> None:
        """Adds a socket. Sockets without a person are not tracked."""
        if socket.person is not None:
            self._sockets[socket.person].add(socket)

    def remove(self, socket: OpenSocket) -> None:
        """Removes a socket."""
        if socket.person is not None:
            self._sockets[socket.person].discard(socket)
            if not self._sockets[socket.person]:
                del self._sockets[socket.person]

    def seen(self, person: str, address: str) -> None:
        """Remembers a person's last address."""
        self._addresses.pop(person, None)
        self._addresses[person] = address
        if len(self._addresses) > REMEMBERED:
            self._addresses.popitem(last=False)

    def address(self, person: str) -> str:
        """A person's last address; if unknown, the person's id, so that strangers do not share a limit."""
        return self._addresses.get(person, person)

    def tell(self, person: str, message: bytes) -> None:
        """Sends a message to all sockets of a person."""
        for socket in list(self._sockets.get(person, ())):
            socket.tell(message)

    async def check(self, person: str | None = None) -> None:
        """Closes the sockets of a person (None: of all) whose tokens were revoked, here or by another process."""
        people = self._sockets if person is None else (person,)
        sockets = [socket for one in people for socket in self._sockets.get(one, ())]
        if not sockets:
            return
        good = await self._store.sessions([socket.token for socket in sockets if socket.token])
        for socket in sockets:
            if socket.token not in good:
                socket.revoke()
