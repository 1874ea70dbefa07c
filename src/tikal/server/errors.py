"""What a request can be refused for: a code for programs, a line for people, and the status of HTTP."""

from __future__ import annotations

import logging

from tikal.rules.errors import TikalError

log = logging.getLogger("tikal.server")

STATUS = {
    "malformed": 422,
    "oversized": 413,
    "option": 422,
    "players": 422,
    "name": 422,
    "password": 422,
    "seat": 422,
    "webhook": 422,
    "identity": 401,
    "origin": 403,
    "host": 403,
    "admin": 403,
    "rights": 403,
    "unknown": 404,
    "method": 405,
    "started": 409,
    "waiting": 409,
    "seats": 409,
    "taken": 409,
    "turn": 409,
    "stale": 409,
    "time": 409,
    "auction": 409,
    "illegal": 409,
    "reveals": 409,
    "undo": 409,
    "over": 409,
    "running": 409,
    "frozen": 409,
    "closed": 409,
    "hints": 403,
    "limit": 429,
    "rate": 429,
    "slow": 429,
    "busy": 503,
    "fault": 500,
}
"""Every code that leaves the server, and the status that goes with it."""


class Refused(TikalError):
    """A request that changes nothing.

    >>> Refused("stale", "the table is at 7").status
    409
    """

    def __init__(self, code: str, text: str, **more: object) -> None:
        super().__init__(code, text)
        self.more = more

    @property
    def status(self) -> int:
        """The status of HTTP."""
        return STATUS[self.code]

    def as_json(self) -> dict[str, object]:
        """What the client gets."""
        return {"code": self.code, "text": self.text, **self.more}


def fault(error: Exception) -> Refused:
    """What is told of a fault of ours; what it was is written down, and nothing else."""
    log.error("a fault: %s", type(error).__name__, exc_info=error)
    return Refused("fault", "a fault in the server; it was written down")
