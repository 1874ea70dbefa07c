"""The entries of a game in memory: old ones are packed, since they are seldom read."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from itertools import islice

import orjson

from tikal.server.live.projection import Entry

CHUNK = 16  # entries per pack
HASH = 8  # bytes


class Log:
    """A sequence of entries, numbered from 1: it can be read, extended, and searched by client.

    >>> log = Log([Entry(1, "start", None, {}, 0), Entry(2, "play", 1, {"action": "."}, 0, "ann/x", 1)])
    >>> len(log), log[1].facts, log.find("ann/x").seq, log.find("bob/x")
    (2, {'action': '.'}, 2, None)
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._packed: list[bytes] = []
        self._recent: list[str] = []  # JSON, in which an entry takes a quarter of the memory
        self._clients = bytearray()  # a hash for each entry; zeros if it is not the first of a request
        for entry in entries:
            self.append(entry)

    def append(self, entry: Entry) -> None:
        """Appends an entry."""
        self._recent.append(orjson.dumps(entry.as_row()).decode())  # bytearrays reserve memory that is never used
        self._clients += bytes(HASH) if entry.client is None else _hash(entry.client)
        if len(self._recent) == 2 * CHUNK:
            self._packed.append(zlib.compress(",".join(self._recent[:CHUNK]).encode(), 1))
            del self._recent[:CHUNK]

    def find(self, client: str) -> Entry | None:
        """The first entry of a client's request."""
        wanted, at = _hash(client), -1
        while (at := self._clients.find(wanted, at + 1)) >= 0:
            if at % HASH == 0 and (entry := self[at // HASH]).client == client:
                return entry
        return None

    def __len__(self) -> int:
        return len(self._clients) // HASH

    def __getitem__(self, index: int) -> Entry:
        return next(self._from(range(len(self))[index]))

    def __iter__(self) -> Iterator[Entry]:
        return self._from(0)

    def since(self, seq: int, most: int | None = None) -> list[Entry]:
        """At most `most` entries after a given one."""
        return list(islice(self._from(max(0, seq)), most))

    def _from(self, start: int) -> Iterator[Entry]:
        """The entries from an index on."""
        packed = len(self._packed) * CHUNK
        for number in range(start // CHUNK, len(self._packed)):
            rows = orjson.loads(b"[" + zlib.decompress(self._packed[number]) + b"]")
            for row in rows[max(0, start - number * CHUNK) :]:
                yield Entry(*row)
        for row in self._recent[max(0, start - packed) :]:
            yield Entry(*orjson.loads(row))


def _hash(client: str) -> bytes:
    """A few bytes: finding them in a bytearray is much faster than finding a number in a list."""
    return hash(client).to_bytes(HASH, "little", signed=True)
