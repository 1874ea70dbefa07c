"""Turn notifications: over every socket of a person, and by a webhook, an address that the person sets.

A delivery is a JSON POST that never delays play: it waits in the background and is tried a few times. After several
failed deliveries in a row the webhook rests until it is set or tested again.

A webhook lets people make this server call an address, so that must not be one that only this server can reach. The
address is checked after the name was resolved, and the connection goes to the checked address: a name that resolves
differently a moment later changes nothing. Redirects are not followed, and nothing of an answer is read.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import httpx

from tikal.play.view import Json
from tikal.rules.errors import TikalError
from tikal.server.bots.fair import Asker, Gate, Rank
from tikal.server.config import Config
from tikal.server.database.calls import Calls
from tikal.server.database.people import REMEMBERED
from tikal.server.database.rows import Person, Table, Webhook
from tikal.server.database.store import Store
from tikal.server.errors import Refused, reason_of
from tikal.server.limits import Limiter
from tikal.server.live import projection
from tikal.server.live.presence import Presence
from tikal.server.live.room import Background
from tikal.words.texts import ENGLISH, text

log = logging.getLogger("tikal.server")
PAUSES_S = (2.0, 20.0)  # seconds before the second and the third attempt
PATIENCE_S = 5.0  # time limit of an attempt, from the name to the status
MOST_FAILURES = 5  # failed deliveries in a row before it rests
AT_ONCE, EACH = 8, 2  # deliveries at once, in all and for one person
WAITING = 100  # deliveries of one person that wait
LOOKUPS = 16  # names at once; a name may take long, and other work must not wait for it
LONGEST_URL = 500
UNKNOWN = Webhook("", 0)  # stands for a webhook that was not read yet
UNICAST = ipaddress.ip_network("2000::/3")  # IPv6 addresses that are tunnels or relays
WRAPPED = [ipaddress.ip_network(net) for net in ("2001::/32", "2002::/16")]  # and those that embed an IPv4 address
HOST = re.compile(r"[A-Za-z0-9._:-]+")
WRONG = "url: must be http://… or https://… at a public address, without a user or password"
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]


class Undelivered(TikalError):
    """Why a webhook could not be called, in a few words; `code` is `webhook`."""


def is_public(address: str) -> bool:
    """Whether an address is public.

    >>> is_public("8.8.8.8"), is_public("10.0.0.1"), is_public("::ffff:127.0.0.1"), is_public("2002:7f00:1::")
    (True, False, False, False)
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if ip.version == 6 and (ip not in UNICAST or any(ip in net for net in WRAPPED)):
        return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def check_url(text: str) -> httpx.URL:
    """Checks the text of a webhook's address.

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


_lookups = ThreadPoolExecutor(LOOKUPS, "names")  # not asyncio's own threads, which check passwords too


async def resolve(host: str, port: int) -> Sequence[str]:
    """Resolves a name."""
    look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(_lookups, look_up)
    return [str(row[4][0]) for row in found]


def turn_message(table: Table) -> Json:
    """The body of a notification: the table and nothing of the game."""
    return {"type": "turn", "table": table.id, "seat": table.turn, "deadline": table.deadline}


def said(what: str, language: str | None) -> str:
    """A sentence in the person's language.

    >>> said("turn", "es"), said("turn", None)
    ('¡Te toca jugar en Tikal!', 'It’s your turn in Tikal!')
    """
    return text(f"server.{what}", language or ENGLISH)


def waits_for(table: Table) -> str | None:
    """The person to move.

    >>> from tikal.server.openapi import TABLE
    >>> waits_for(TABLE)
    'ann'
    """
    if table.state != "playing" or table.turn is None or table.bot_plays_for is not None:
        return None
    return table.seats[table.turn - 1].person


class Caller:
    """Calls webhooks: checks their addresses, and connects only to checked ones."""

    def __init__(self, private: bool) -> None:
        self._private = private
        self._client: httpx.AsyncClient | None = None
        self.resolve: Resolve = resolve
        logging.getLogger("httpx").setLevel(logging.WARNING)  # at INFO it logs addresses, which are secret

    async def address_of(self, url: httpx.URL) -> str:
        """An address of a name, if all its addresses may be called."""
        port = url.port or (443 if url.scheme == "https" else 80)
        try:
            found = await asyncio.wait_for(self.resolve(url.raw_host.decode(), port), PATIENCE_S)
        except (OSError, UnicodeError, TimeoutError):
            raise Undelivered("webhook", "the name is not known", "webhook_name") from None
        if not found or not (self._private or all(is_public(address) for address in found)):
            raise Undelivered("webhook", "the address is not public", "webhook_private")
        return found[0].partition("%")[0]

    async def call(self, text: str, body: Json) -> None:
        """Posts once."""
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
                    content=projection.as_json(body),
                    headers=headers,
                    extensions={"sni_hostname": url.raw_host.decode()},
                ) as answer,
            ):
                if not answer.is_success:
                    status = answer.status_code
                    raise Undelivered("webhook", f"the answer was {status}", "webhook_status", status=status)
        except TimeoutError:
            raise Undelivered("webhook", "no answer in time", "webhook_late") from None
        except httpx.HTTPError as error:
            raise Undelivered("webhook", f"no connection ({type(error).__name__})", "webhook_closed") from None

    async def _open(self) -> httpx.AsyncClient:
        if self._client is None:
            trusted = await asyncio.to_thread(ssl.create_default_context)
            limits = httpx.Limits(max_keepalive_connections=0)  # each call checks its address again
            ours = httpx.Timeout(None)  # `call` has one time limit for all of it
            self._client = httpx.AsyncClient(verify=trusted, trust_env=False, timeout=ours, limits=limits)
        return self._client

    async def close(self) -> None:
        """Closes open connections."""
        if self._client is not None:
            await self._client.aclose()


class Notifier:
    """Notifies people that it is their turn."""

    def __init__(
        self,
        store: Store,
        presence: Presence,
        config: Config,
        background: Background,
    ) -> None:
        self._store = store
        self._presence = presence
        self._background = background
        self._base = config.public_url.rstrip("/") if config.public_url else None
        self._known: dict[str, Webhook | None] = {}
        self._calls = Calls(store)
        self._waiting: dict[tuple[str, str], Json] = {}  # messages by person and table
        self._left: list[Json] = []  # calls that failed while the server stopped, for the next start
        self._few = Gate(AT_ONCE, EACH)
        self._stopping = asyncio.Event()
        self._tests = Limiter(0.1, 5)
        self._new = Limiter(config.webhooks, config.webhooks_burst)
        self.caller = Caller(config.private_webhooks)
        self.sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    def turn(self, before: Table, after: Table) -> None:
        """After a change: notifies the player to move, unless they just moved on another seat at the same screen."""
        person = waits_for(after) if after.practice is None else None
        if person is not None and person != waits_for(before):
            message = turn_message(after)
            self._presence.tell(person, projection.as_json(message))
            if self._store.shared or self._known.get(person, UNKNOWN) is not None:  # otherwise there is nothing to do
                self._background(self._spread(person, message))

    def forget(self, person: str | None) -> None:
        """Drops a person (None: everybody) from the cache: their webhook may have changed, here or elsewhere."""
        kept = self._known.items() if person is not None else ()
        self._known = {one: hook for one, hook in kept if one != person}

    # Webhooks

    async def mine(self, me: Person) -> Json:
        """The caller's webhook, which is private."""
        hook = await self._store.webhook(me.id)
        if hook is None:
            return {"url": None, "failures": 0, "enabled": False}
        return {"url": hook.url, "failures": hook.failures, "enabled": hook.failures < MOST_FAILURES}

    async def put(self, me: Person, text: str) -> None:
        """Sets a webhook, if its address is allowed."""
        url = check_url(text)
        if not self._new.allows(self._presence.address(me.id)):
            raise Refused("rate", "too many new webhooks from your address; wait a little")
        try:
            await self.caller.address_of(url)
        except Undelivered:
            raise Refused("webhook", WRONG) from None  # no details: they would reveal names of the internal network
        await self._store.set_webhook(me.id, str(url))

    async def remove(self, me: Person) -> None:
        """Removes the webhook."""
        await self._store.set_webhook(me.id, None)

    async def test(self, me: Person) -> Json:
        """Calls the webhook once, now, and reports the result; a resting webhook works again."""
        hook = await self._store.webhook(me.id)
        if hook is None:
            raise Refused("unknown", "you have no webhook")
        if not self._tests.allows(me.id):
            raise Refused("rate", "too many tests; wait a little")
        try:
            await self.caller.call(hook.url, {"type": "test", "text": said("test", hook.language)})
        except Undelivered as error:
            return {"ok": False, "problem": error.text, "reason": reason_of(error)}
        await self._store.count_failure(me.id, hook.url, failed=False)
        return {"ok": True, "problem": None, "reason": None}

    # Deliveries

    async def _spread(self, person: str, message: Json) -> None:
        """Notifies other processes, and calls the webhook."""
        key = (person, message["table"])
        calls = key not in self._waiting and sum(one == person for one, _ in self._waiting) < WAITING
        if calls:
            self._waiting[key] = message  # from the first moment: the server may stop at any time
        try:
            await self._store.tell(person, projection.as_json(message).decode())
            hook = await self._hook_of(person)
            if calls and hook is not None and hook.failures < MOST_FAILURES:
                await self._deliver(person, hook, message)
        except Exception as error:  # never the address: it is a secret
            log.error("a notification failed: %s", type(error).__name__)
        finally:
            if calls:
                self._waiting.pop(key, None)

    async def _hook_of(self, person: str) -> Webhook | None:
        known = self._known
        if person not in known:
            if len(known) >= REMEMBERED:
                known.clear()
            known[person] = await self._store.webhook(person)  # not cached if it has changed meanwhile
        return known[person]

    async def _deliver(self, person: str, hook: Webhook, message: Json) -> None:
        url = f"{self._base}/table/{message['table']}" if self._base else None
        asker = Asker(Rank.DAILY, person, self._presence.address(person))
        for pause in (*PAUSES_S, None):
            try:
                async with self._few.turn(asker):
                    await self.caller.call(hook.url, {**message, "url": url, "text": said("turn", hook.language)})
            except (Undelivered, Refused):
                if self._stopping.is_set():
                    self._left.append({"person": person, "message": message})
                    return
                if pause is not None:
                    await self._pause(pause)
            else:
                if hook.failures:
                    await self._store.count_failure(person, hook.url, failed=False)
                return
        await self._store.count_failure(person, hook.url, failed=True)

    async def _pause(self, seconds: float) -> None:
        """Waits before the next attempt; when the server stops, the attempt is made at once."""
        stop = asyncio.ensure_future(self._stopping.wait())
        pause = asyncio.ensure_future(self.sleep(seconds))
        try:
            await asyncio.wait((stop, pause), return_when=asyncio.FIRST_COMPLETED)
        finally:
            stop.cancel()
            pause.cancel()

    async def finish(self, seconds: float) -> None:
        """Tries waiting calls once more before the server stops; stores the rest for the next start."""
        self._stopping.set()
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while self._waiting and loop.time() < until:
            await asyncio.sleep(0.02)
        left = [*self._left, *({"person": key[0], "message": message} for key, message in self._waiting.items())]
        if left:
            await self._calls.keep(left)
            log.warning("%d webhooks are called after the next start", len(left))

    async def resume(self) -> None:
        """Makes the calls that the last server could not make, if it is still the person's turn."""
        for call in await self._calls.take():
            table = await self._store.table(call["message"]["table"])
            if table is not None and waits_for(table) == call["person"]:
                self._background(self._spread(call["person"], call["message"]))

    async def close(self) -> None:
        """Closes open connections."""
        await self.caller.close()
