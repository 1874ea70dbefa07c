"""Your turn: told over every socket of a person, and by a webhook, an address of the person's own.

A delivery is a JSON POST that never delays play: it waits in the background, is tried a few times, and after several
deliveries in a row that failed the webhook rests until it is set or tested again.

A webhook lets people make this server call an address, so that must not be one that only this server can reach.
The address is checked after the name was resolved, and it is that address to which we connect: a name that says
something else a moment later changes nothing. Redirects are not followed, and nothing of an answer is read.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

import httpx

from tikal.server import projection
from tikal.server.config import Config
from tikal.server.errors import Refused
from tikal.server.limits import Limiter
from tikal.server.presence import Presence
from tikal.server.store import REMEMBERED, Json, Person, Store, Table, Webhook

log = logging.getLogger("tikal.server")
PAUSES_S = (2.0, 20.0)  # before the second and the third try
PATIENCE_S = 5.0  # for each try, from the name to the status
MOST_FAILURES = 5  # deliveries in a row; then it rests
AT_ONCE, WAITING = 8, 1000  # deliveries
LONGEST_URL = 500
UNICAST = ipaddress.ip_network("2000::/3")  # addresses of IPv6 that lead somewhere by themselves
WRAPPED = [ipaddress.ip_network(net) for net in ("2001::/32", "2002::/16")]  # and those that hide one of IPv4
HOST = re.compile(r"[A-Za-z0-9._:-]+")
WRONG = "url: must be http://… or https://… at a public address, without a user or password"
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]


class Undelivered(Exception):
    """Why a webhook could not be called, in a few words."""


def is_public(address: str) -> bool:
    """Whether an address is one of the public net.

    >>> is_public("8.8.8.8"), is_public("10.0.0.1"), is_public("::ffff:127.0.0.1"), is_public("2002:7f00:1::")
    (True, False, False, False)
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if ip.version == 6 and (ip not in UNICAST or any(ip in net for net in WRAPPED)):
        return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def check_url(text: str) -> httpx.URL:
    """The address of a webhook, as far as its text goes.

    >>> check_url("https://hooks.example/tikal").host
    'hooks.example'
    >>> check_url("ftp://hooks.example")
    Traceback (most recent call last):
    tikal.server.errors.Refused: url: must be http://… or https://… at a public address, without a user or password
    """
    try:
        url = httpx.URL(text)
    except (httpx.InvalidURL, ValueError):
        raise Refused("webhook", WRONG) from None
    named = HOST.fullmatch(url.raw_host.decode()) and not url.userinfo and (url.port or 1) <= 65535
    if url.scheme not in ("http", "https") or not named or len(text) > LONGEST_URL:
        raise Refused("webhook", WRONG)
    return url


async def resolve(host: str, port: int) -> Sequence[str]:
    """The addresses of a name."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(row[4][0]) for row in found]


def turn_message(table: Table) -> Json:
    """What somebody is told whose turn it is: nothing but that."""
    return {"type": "turn", "table": table.id, "seat": table.turn, "deadline": table.deadline}


def waits_for(table: Table) -> str | None:
    """The person whose turn it is.

    >>> from tikal.server.openapi import TABLE
    >>> waits_for(TABLE)
    'ann'
    """
    if table.state != "playing" or table.turn is None or table.lent is not None:
        return None
    return table.seats[table.turn - 1].person


class Caller:
    """Calls webhooks: checks where they lead, and connects to nothing else."""

    def __init__(self, private: bool) -> None:
        self._private = private
        self._client: httpx.AsyncClient | None = None
        self.resolve: Resolve = resolve
        logging.getLogger("httpx").setLevel(logging.WARNING)  # at INFO it writes down addresses, which are secrets

    async def address_of(self, url: httpx.URL) -> str:
        """The address that a name has now, if all that it has may be called."""
        port = url.port or (443 if url.scheme == "https" else 80)
        try:
            found = await asyncio.wait_for(self.resolve(url.raw_host.decode(), port), PATIENCE_S)
        except (OSError, UnicodeError, TimeoutError):
            raise Undelivered("the name is not known") from None
        if not found or not (self._private or all(is_public(address) for address in found)):
            raise Undelivered("the address is not public")
        return found[0].partition("%")[0]

    async def call(self, text: str, body: Json) -> None:
        """Posts, once."""
        url = check_url(text)
        address = await self.address_of(url)
        headers = {"host": url.netloc.decode(), "content-type": "application/json", "user-agent": "tikal"}
        client = await self._open()
        try:
            async with (
                asyncio.timeout(PATIENCE_S),
                client.stream(
                    "POST",
                    url.copy_with(host=address),
                    content=projection.text(body),
                    headers=headers,
                    extensions={"sni_hostname": url.raw_host.decode()},
                ) as answer,
            ):
                if not answer.is_success:
                    raise Undelivered(f"the answer was {answer.status_code}")
        except TimeoutError:
            raise Undelivered("no answer in time") from None
        except httpx.HTTPError as error:
            raise Undelivered(f"no connection ({type(error).__name__})") from None

    async def _open(self) -> httpx.AsyncClient:
        if self._client is None:
            trusted = await asyncio.to_thread(ssl.create_default_context)
            limits = httpx.Limits(max_keepalive_connections=0)  # each call checks its address anew
            ours = httpx.Timeout(None)  # `call` has one for all of it
            self._client = httpx.AsyncClient(verify=trusted, trust_env=False, timeout=ours, limits=limits)
        return self._client

    async def close(self) -> None:
        """Lets go of what is open."""
        if self._client is not None:
            await self._client.aclose()


class Notifier:
    """Tells people that it is their turn."""

    def __init__(
        self,
        store: Store,
        presence: Presence,
        config: Config,
        background: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        self._store = store
        self._presence = presence
        self._background = background
        self._base = config.public_url.rstrip("/") if config.public_url else None
        self._known: dict[str, Webhook | None] = {}
        self._waiting: set[tuple[str, str]] = set()
        self._few = asyncio.Semaphore(AT_ONCE)
        self._tests = Limiter(0.1, 5)
        self.caller = Caller(config.private_webhooks)
        self.sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    def turn(self, before: Table, after: Table) -> None:
        """After a change: tells whose turn has come. Who had it before, on another seat of the same screen, knows."""
        person = waits_for(after)
        if person is not None and person != waits_for(before):
            message = turn_message(after)
            self._presence.tell(person, projection.text(message))
            self._background(self._spread(person, message))

    def forget(self) -> None:
        """Webhooks may have changed, here or elsewhere."""
        self._known = {}

    # Webhooks

    async def mine(self, me: Person) -> Json:
        """One's own webhook; only oneself may know it."""
        hook = await self._store.webhook(me.id)
        if hook is None:
            return {"url": None, "failures": 0, "enabled": False}
        return {"url": hook.url, "failures": hook.failures, "enabled": hook.failures < MOST_FAILURES}

    async def put(self, me: Person, text: str) -> None:
        """Sets a webhook, if it leads where it may."""
        url = check_url(text)
        try:
            await self.caller.address_of(url)
        except Undelivered:
            raise Refused("webhook", WRONG) from None  # not more: names of an inner network are nobody's business
        await self._store.set_webhook(me.id, str(url))

    async def remove(self, me: Person) -> None:
        """No webhook any more."""
        await self._store.set_webhook(me.id, None)

    async def test(self, me: Person) -> Json:
        """Calls one's webhook once, now, and says how it went; if it had rested it works again."""
        hook = await self._store.webhook(me.id)
        if hook is None:
            raise Refused("unknown", "you have no webhook")
        if not self._tests.allows(me.id):
            raise Refused("rate", "too many tests; wait a little")
        try:
            await self.caller.call(hook.url, {"type": "test"})
        except Undelivered as error:
            return {"ok": False, "problem": str(error)}
        await self._store.count_failure(me.id, failed=False)
        return {"ok": True, "problem": None}

    # Deliveries

    async def _spread(self, person: str, message: Json) -> None:
        """Tells other processes, and the webhook."""
        try:
            await self._store.tell(person, projection.text(message))
            known = self._known
            if person not in known:
                if len(known) >= REMEMBERED:
                    known.clear()
                known[person] = await self._store.webhook(person)  # forgotten already if it has changed meanwhile
            hook = known[person]
            key = (person, message["table"])
            if hook is None or hook.failures >= MOST_FAILURES or key in self._waiting or len(self._waiting) >= WAITING:
                return
            self._waiting.add(key)
            try:
                await self._deliver(person, hook, message)
            finally:
                self._waiting.discard(key)
        except Exception as error:  # never the address: it is a secret
            log.error("a notification failed: %s", type(error).__name__)

    async def _deliver(self, person: str, hook: Webhook, message: Json) -> None:
        url = f"{self._base}/table/{message['table']}" if self._base else None
        for pause in (*PAUSES_S, None):
            try:
                async with self._few:
                    await self.caller.call(hook.url, {**message, "url": url})
            except (Undelivered, Refused):
                if pause is not None:
                    await self.sleep(pause)
            else:
                if hook.failures:
                    await self._store.count_failure(person, failed=False)
                return
        await self._store.count_failure(person, failed=True)

    async def close(self) -> None:
        """Lets go of what is open."""
        await self.caller.close()
