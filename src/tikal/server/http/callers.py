"""Callers: the token and the address of a request, and whether it may come from its origin."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from tikal.server.accounts.tokens import TOKEN
from tikal.server.errors import Refused

COOKIE = "tikal"
LINK_MS = 24 * 3600 * 1000  # a personal link is valid for a day


def token_of(headers: Mapping[str, str], cookies: Mapping[str, str]) -> str | None:
    """The token of a request: `Authorization: Bearer …`, or the cookie.

    >>> token_of({"authorization": "Bearer " + "a" * 43}, {}) == "a" * 43
    True
    """
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    token = bearer.strip() if scheme.lower() == "bearer" else cookies.get(COOKIE)
    return token if token and TOKEN.fullmatch(token) else None


def address(connection: HTTPConnection) -> str:
    """The caller's address; of IPv6 only the prefix, since one household has a great many addresses."""
    host = connection.client.host if connection.client else ""
    try:
        ip = ipaddress.IPv6Address(host)
    except ValueError:
        return host
    return str(ip.ipv4_mapped or ipaddress.ip_network((ip, 64), strict=False))


def forwarded(connection: HTTPConnection) -> str:
    """Whether a proxy named the caller's address, and whether we trusted it: `none`, `trusted` or `ignored`."""
    named = connection.headers.get("x-forwarded-for")
    if named is None:
        return "none"
    host = connection.client.host if connection.client else ""
    return "trusted" if host in (one.strip() for one in named.split(",")) else "ignored"


def known_host(host: str, public_url: str | None) -> bool:
    """Whether a host name is ours: an address, localhost, this machine, or the public name.

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
    """Refuses requests for other host names."""
    if not known_host(headers.get("host", ""), public_url):
        raise Refused("host", "host: not a name of this server; start it with --public-url")


def check_origin(headers: Mapping[str, str], public_url: str | None, needed: bool) -> None:
    """Refuses requests from pages of other sites; with `needed`, also requests without an origin."""
    origin = headers.get("origin")
    if origin is None:
        if needed:
            raise Refused("origin", "origin: is missing; a program sends its token as Authorization: Bearer …")
        return
    host = headers.get("host", "")
    ours = {f"http://{host}", f"https://{host}"} | ({public_url.rstrip("/")} if public_url else set())
    if origin not in ours:
        raise Refused("origin", "origin: requests from other sites are refused")
