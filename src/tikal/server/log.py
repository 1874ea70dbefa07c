"""The entries of a game in memory: old ones are kept packed, since they are seldom read."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterable, Iterator

import orjson

from tikal.server.projection import Entry

CHUNK = 16  # entries that are packed together


class Log:
    """A sequence of entries, which are numbered from 1: what is appended can be read, and found by its client.

    >>> log = Log([Entry(1, "start", None, {}, 0), Entry(2, "play", 1, {"action": "."}, 0, "ann/x", 1)])
    >>> len(log), log[1].facts, log.find("ann/x").seq, log.find("bob/x")
    (2, {'action': '.'}, 2, None)
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._packed: list[bytes] = []
        self._recent: list[str] = []  # JSON, as which an entry takes a quarter of the memory
        self._clients = array("q")  # a hash for each entry; 0 where it is not the first of a request
        for entry in entries:
            self.append(entry)

    def append(self, entry: Entry) -> None:
        """One more entry."""
        self._recent.append(orjson.dumps(entry.as_row()).decode())  # the bytes have room that is never used
        self._clients.append(0 if entry.client is None else hash(entry.client))
        if len(self._recent) == 2 * CHUNK:
            self._packed.append(zlib.compress(",".join(self._recent[:CHUNK]).encode(), 1))
            del self._recent[:CHUNK]

    def find(self, client: str) -> Entry | None:
        """The first entry of what a client has asked for."""
        start = 0
        while True:
            try:
                start = self._clients.index(hash(client), start) + 1
            except ValueError:
                return None
            entry = self[start - 1]
            if entry.client == client:
                return entry

    def __len__(self) -> int:
        return len(self._clients)

    def __getitem__(self, index: int) -> Entry:
        return next(self._from(range(len(self))[index]))

    def __iter__(self) -> Iterator[Entry]:
        return self._from(0)

    def since(self, seq: int) -> list[Entry]:
        """The entries after one of them."""
        return list(self._from(max(0, seq)))

    def _from(self, start: int) -> Iterator[Entry]:
        """The entries from an index on."""
        packed = len(self._packed) * CHUNK
        for number in range(start // CHUNK, len(self._packed)):
            rows = orjson.loads(b"[" + zlib.decompress(self._packed[number]) + b"]")
            for row in rows[max(0, start - number * CHUNK) :]:
                yield Entry(*row)
        for row in self._recent[max(0, start - packed) :]:
            yield Entry(*orjson.loads(row))
