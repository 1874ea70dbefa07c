"""Reasons to refuse a request: a code for programs, a line for people, and the HTTP status."""

from __future__ import annotations

import errno
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy.exc import DBAPIError

from tikal.play import IllegalAction
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
    "chance": 422,
    "identity": 401,
    "origin": 403,
    "host": 403,
    "admin": 403,
    "registration": 403,
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
    "absent": 409,
    "illegal": 409,
    "reveals": 409,
    "undo": 409,
    "undos": 429,
    "over": 409,
    "running": 409,
    "frozen": 409,
    "closed": 409,
    "hints": 403,
    "limit": 429,
    "rate": 429,
    "slow": 408,
    "busy": 503,
    "fault": 500,
}
"""Every code that the server sends, with its HTTP status."""


class Refused(TikalError):
    """A refused request; it changes nothing.

    >>> Refused("stale", "the table is at 7").status
    409

    If the sentence of the code says too little, a reason and its values say more. Without a reason, `more` are further
    fields of the answer.

    >>> Refused("auction", "seat 2 is out of this auction", "auction_out", seat=2).as_json()["reason"]
    {'key': 'auction_out', 'values': {'seat': 2}}
    """

    def __init__(self, code: str, text: str, reason: str = "", /, **more: Any) -> None:
        super().__init__(code, text, reason, **(more if reason else {}))
        self.more: dict[str, object] = {"reason": reason_of(self)} if reason else more

    @property
    def status(self) -> int:
        """The HTTP status."""
        return STATUS[self.code]

    def as_json(self) -> dict[str, object]:
        """The JSON that the client gets."""
        return {"code": self.code, "text": self.text, **self.more}


def reason_of(error: TikalError) -> dict[str, object] | None:
    """An error as JSON, so that a client can say it in its own language; None if only its text is known.

    >>> reason_of(TikalError("option", "leaps needs auction=true", "option_needs", option="leaps", needed="auction"))
    {'key': 'option_needs', 'values': {'option': 'leaps', 'needed': 'auction'}}
    """
    if isinstance(error, IllegalAction):
        return {"key": "illegal", "values": {"action": error.action, "code": error.code, "rule": error.rule}}
    return {"key": error.reason, "values": as_values(error.values)} if error.reason else None


def as_values(values: Mapping[str, object]) -> dict[str, object]:
    """The values of a reason as JSON; one that is an error becomes its reason."""
    return {
        name: (reason_of(value) or value.text) if isinstance(value, TikalError) else value
        for name, value in values.items()
    }


def refused(code: str, error: TikalError, **more: object) -> Refused:
    """The refusal of a request because of an error of the rules.

    >>> refused("option", TikalError("option", "leaps needs auction=true")).as_json()
    {'code': 'option', 'text': 'leaps needs auction=true'}
    """
    reason = reason_of(error)
    return Refused(code, error.text, **more, **({"reason": reason} if reason else {}))


def check_seat(seat: int, seats: int) -> None:
    """Refuses a seat that the game does not have.

    >>> check_seat(3, 2)
    Traceback (most recent call last):
    tikal.server.errors.Refused: seat: must be from 1 to 2
    """
    if not 1 <= seat <= seats:
        raise Refused("seat", f"seat: must be from 1 to {seats}", "option_seat", seat=seat, seats=seats)


@contextmanager
def about(field: str) -> Iterator[None]:
    """Names the field of the request that a refusal is about, so that a form can show it there.

    >>> with about("nonce"):
    ...     raise Refused("option", "nonce: must be printable")
    Traceback (most recent call last):
    tikal.server.errors.Refused: nonce: must be printable
    """
    try:
        yield
    except Refused as error:
        error.more["field"] = field
        raise


def fault(error: Exception) -> Refused:
    """The answer to an internal error; the details go only to the log."""
    if _is_disk_full(error):
        log.error("the disk is full: %s", type(error).__name__)
        return Refused("busy", "the server's disk is full, so nothing was changed; tell its administrator", "disk_full")
    log.error("a fault: %s", type(error).__name__, exc_info=error)
    return Refused("fault", "an internal error; it was logged")


def _is_disk_full(error: BaseException | None) -> bool:
    """Whether an error means that a disk is full: the database's, or another one.

    >>> _is_disk_full(OSError(errno.ENOSPC, "No space left on device")), _is_disk_full(OSError("broken"))
    (True, False)
    """
    if error is None:
        return False
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return True
    if isinstance(error, DBAPIError):
        return "disk is full" in str(error.orig) or "No space left" in str(error.orig)
    return _is_disk_full(error.__cause__)
