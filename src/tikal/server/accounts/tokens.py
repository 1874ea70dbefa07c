"""Opaque tokens. The server stores only their hashes."""

from __future__ import annotations

import hashlib
import re
import secrets

TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def new_token() -> str:
    """A fresh token of 256 bits.

    >>> bool(TOKEN.fullmatch(new_token()))
    True
    """
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """The hash under which a token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()
