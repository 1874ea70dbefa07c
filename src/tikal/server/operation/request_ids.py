"""Request ids: every request and every connection has one, in the answer's headers and in all its log lines.

A proxy may send its own in `X-Request-ID`; anything that does not look like an id is replaced.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from contextvars import ContextVar

HEADER = "x-request-id"
FORM = re.compile(r"[A-Za-z0-9._-]{1,40}")
current: ContextVar[str | None] = ContextVar("request_id", default=None)


def begin(headers: Mapping[str, str]) -> str:
    r"""The id of a new request: the proxy's, or a fresh one.

    >>> begin({"x-request-id": "abc-1"})
    'abc-1'
    >>> begin({"x-request-id": "two\nlines"}) == "two"
    False
    """
    given = headers.get(HEADER, "")
    chosen = given if FORM.fullmatch(given) else secrets.token_hex(6)
    current.set(chosen)
    return chosen
