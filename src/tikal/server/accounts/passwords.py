"""Optional passwords: people can log in by name on another device. Guests need none.

The server stores only hashes (argon2id). Hashing is slow and needs much memory on purpose, so it runs in threads, few
at a time. Attempts are limited by address and by name. An unknown name takes as long to refuse as a wrong
password.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from tikal.server.config import Config
from tikal.server.database.rows import Conflict, Person
from tikal.server.database.store import Store
from tikal.server.errors import Refused
from tikal.server.limits import Limiter

T = TypeVar("T")
HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)  # about 30 ms and 19 MiB per attempt
AT_ONCE = 2
SHORTEST, LONGEST = 8, 200
REMEMBERED = 10_000  # addresses from which people have logged in


def check_login(name: str) -> str:
    """Normalises a login name for comparison: case, width and outer spaces do not matter.

    >>> check_login(" Ann  Bee ")
    'ann bee'
    """
    folded = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    if not 1 <= len(folded) <= 40 or not folded.isprintable():
        raise Refused("name", "login: must be 1 to 40 visible characters")
    return folded


def check_password(password: str, login: str) -> str:
    """Checks a new password: it must be long enough and differ from the name.

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
        self._by_name = Limiter(config.logins, 10 * config.logins_burst)  # attempts from all addresses together
        self._new_logins = Limiter(config.logins, 2 * config.logins_burst)
        self._welcome: OrderedDict[tuple[str, str], None] = OrderedDict()  # see `_remember`
        self._hashing = asyncio.Semaphore(AT_ONCE)
        self._nobody = HASHER.hash("nobody")  # an unknown name must cost as much work as a known one

    async def log_in(self, login: str, password: str, address: str, session: str) -> Person:
        """Returns the person; `session` is the hash of the new token."""
        folded = check_login(login)
        self._may_try(f"address {address}", f"name {folded} from {address}")
        if (folded, address) not in self._welcome and not self._by_name.allows(folded):
            raise Refused("rate", "too many attempts; wait a little")
        found = await self._store.person_by_login(folded)
        right = await self._right(password, found[1] if found else self._nobody)
        if found is None or not right:
            raise Refused("identity", "no such name with this password")
        await self._store.add_token(session, found[0].id, "session")
        self._remember(folded, address)
        return found[0]

    async def put(self, me: Person, login: str, password: str, current: str | None, session: str, address: str) -> str:
        """Sets or changes name and password; a change needs the current password. Logs other devices out."""
        folded = check_login(login)
        check_password(password, folded)
        if not self._new_logins.allows(address):  # the answer reveals whether a name is taken
            raise Refused("rate", "too many attempts; wait a little")
        was = await self._must_know(me, current)
        hashed = await self._in_thread(HASHER.hash, password)
        try:
            await self._store.set_login(me.id, was, folded, hashed, keep=session)
        except Conflict as error:
            raise Refused(error.code, error.text) from None
        return folded

    async def remove(self, me: Person, current: str) -> None:
        """Makes the person a guest again; devices that are logged in stay logged in."""
        if me.login is None:
            raise Refused("unknown", "you have no password")
        await self._store.set_login(me.id, await self._must_know(me, current), None, None)

    async def _must_know(self, me: Person, current: str | None) -> str | None:
        """Returns the hash of a person's password if `current` matches; None if they have none."""
        if me.login is None:
            return None
        self._may_try(f"person {me.id}")
        found = await self._store.person_by_login(me.login)
        if current is None or found is None or not await self._right(current, found[1]):
            raise Refused("rights", "current: is not your password")
        return found[1]

    def _remember(self, login: str, address: str) -> None:
        """Remembers an address from which the owner has logged in: others' failures can't lock the name there."""
        self._welcome[(login, address)] = None
        self._welcome.move_to_end((login, address))
        if len(self._welcome) > REMEMBERED:
            self._welcome.popitem(last=False)

    def _may_try(self, *keys: str) -> None:
        allowed = [self._limiter.allows(key) for key in keys]  # each limit counts, even if another refused
        if not all(allowed):
            raise Refused("rate", "too many attempts; wait a little")

    async def _right(self, password: str, hashed: str) -> bool:
        def verify() -> bool:
            try:
                return HASHER.verify(hashed, password[:LONGEST])
            except VerificationError:
                return False

        return await self._in_thread(verify)

    async def _in_thread(self, work: Callable[..., T], *values: str) -> T:
        async with self._hashing:
            return await asyncio.to_thread(work, *values)
