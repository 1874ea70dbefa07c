"""Who asks: opaque tokens, of which only hashes are kept."""

from __future__ import annotations

import hashlib
import ipaddress
import re
import secrets
import socket
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from tikal.server.errors import Refused

COOKIE = "tikal"
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
LINK_MS = 24 * 3600 * 1000  # a personal link is good for a day


def new_token() -> str:
    """A fresh token of 256 bits.

    >>> bool(TOKEN.fullmatch(new_token()))
    True
    """
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def token_of(headers: Mapping[str, str], cookies: Mapping[str, str]) -> str | None:
    """The token that came with a request: `Authorization: Bearer …`, or the cookie.

    >>> token_of({"authorization": "Bearer " + "a" * 43}, {}) == "a" * 43
    True
    """
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    token = bearer.strip() if scheme.lower() == "bearer" else cookies.get(COOKIE)
    return token if token and TOKEN.fullmatch(token) else None


def address(connection: HTTPConnection) -> str:
    """Where somebody calls from; of IPv6 the part that is one household's, which has a great many addresses."""
    host = connection.client.host if connection.client else ""
    try:
        ip = ipaddress.IPv6Address(host)
    except ValueError:
        return host
    return str(ip.ipv4_mapped or ipaddress.ip_network((ip, 64), strict=False))


def known_host(host: str, public_url: str | None) -> bool:
    """Whether this is a name of ours: an address, localhost, this machine, or the public name.

    Other names could be made to point here by a hostile page (DNS rebinding).

    >>> known_host("localhost:8088", None), known_host("evil.example", None)
    (True, False)
    """
    here = socket.gethostname().lower()
    try:
        name = (urlsplit(f"//{host}").hostname or "").lower()
        if name in ("localhost", here, f"{here}.local") or (public_url and name == urlsplit(public_url).hostname):
            return True
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def check_host(headers: Mapping[str, str], public_url: str | None) -> None:
    """Refuses requests for a name that is not ours."""
    if not known_host(headers.get("host", ""), public_url):
        raise Refused("host", "host: not a name of this server; start it with --public-url")


def check_origin(headers: Mapping[str, str], public_url: str | None, needed: bool) -> None:
    """Refuses what a page of another site sends; `needed`: also what says nothing of where it comes from."""
    origin = headers.get("origin")
    if origin is None:
        if needed:
            raise Refused("origin", "origin: is missing; a program sends its token as Authorization: Bearer …")
        return
    host = headers.get("host", "")
    ours = {f"http://{host}", f"https://{host}"} | ({public_url.rstrip("/")} if public_url else set())
    if origin not in ours:
        raise Refused("origin", "origin: another site may not act here")
