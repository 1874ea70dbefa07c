"""Optional passwords: a name to log in with on another device. Guests need none.

Only hashes are kept (argon2id). Hashing takes time and memory on purpose: it is done in threads, few at a time, and
how often one may try is limited by address and by name. A name that nobody has takes as long as one with a wrong
password.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from tikal.server.config import Config
from tikal.server.errors import Refused
from tikal.server.limits import Limiter
from tikal.server.store import Conflict, Person, Store

T = TypeVar("T")
HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)  # some 30 ms and 19 MiB for each try
AT_ONCE = 2
SHORTEST, LONGEST = 8, 200


def check_login(name: str) -> str:
    """A name to log in with, as it is compared: without regard to case, width or outer spaces.

    >>> check_login(" Ann  Bee ")
    'ann bee'
    """
    folded = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    if not 1 <= len(folded) <= 40 or not folded.isprintable():
        raise Refused("name", "login: must be 1 to 40 characters that can be seen")
    return folded


def check_password(password: str, login: str) -> str:
    """A password that may be set: long enough, and not the name.

    >>> check_password("secret", "ann")
    Traceback (most recent call last):
    tikal.server.errors.Refused: password: must have 8 to 200 characters
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise Refused("password", f"password: must have {SHORTEST} to {LONGEST} characters")
    if password.casefold() == login:
        raise Refused("password", "password: must not be the name")
    return password


class Passwords:
    """Sets, changes, removes and checks passwords."""

    def __init__(self, store: Store, config: Config) -> None:
        self._store = store
        self._limiter = Limiter(config.logins, config.logins_burst)
        self._few = asyncio.Semaphore(AT_ONCE)
        self._nobody = HASHER.hash("nobody")  # so that a name that nobody has costs the same work

    async def log_in(self, login: str, password: str, address: str, session: str) -> Person:
        """Who that is; `session` is the hash of the token that is good from now on."""
        folded = check_login(login)
        self._may_try(f"address {address}", f"name {folded}")
        found = await self._store.person_by_login(folded)
        right = await self._right(password, found[1] if found else self._nobody)
        if found is None or not right:
            raise Refused("identity", "no such name with this password")
        await self._store.add_token(session, found[0].id, "session")
        return found[0]

    async def put(self, me: Person, login: str, password: str, current: str | None, session: str) -> str:
        """Sets or changes name and password; to change them one must know the one before. Logs other devices out."""
        folded = check_login(login)
        check_password(password, folded)
        await self._must_know(me, current)
        hashed = await self._in_thread(HASHER.hash, password)
        try:
            await self._store.set_login(me.id, folded, hashed, keep=session)
        except Conflict as error:
            raise Refused("taken", error.text) from None
        return folded

    async def remove(self, me: Person, current: str) -> None:
        """One is a guest again; the devices that know one stay."""
        if me.login is None:
            raise Refused("unknown", "you have no password")
        await self._must_know(me, current)
        await self._store.set_login(me.id, None, None)

    async def _must_know(self, me: Person, current: str | None) -> None:
        if me.login is None:
            return
        self._may_try(f"person {me.id}")
        found = await self._store.person_by_login(me.login)
        if current is None or found is None or not await self._right(current, found[1]):
            raise Refused("rights", "current: is not your password")

    def _may_try(self, *keys: str) -> None:
        allowed = [self._limiter.allows(key) for key in keys]  # each is counted, also when another has refused
        if not all(allowed):
            raise Refused("rate", "too many tries; wait a little")

    async def _right(self, password: str, hashed: str) -> bool:
        def verify() -> bool:
            try:
                return HASHER.verify(hashed, password[:LONGEST])
            except VerificationError:
                return False

        return await self._in_thread(verify)

    async def _in_thread(self, work: Callable[..., T], *values: str) -> T:
        async with self._few:
            return await asyncio.to_thread(work, *values)
