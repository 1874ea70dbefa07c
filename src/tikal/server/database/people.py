"""People in the database: names, tokens (their hashes), passwords, webhooks."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, Update, exists, insert, select, update
from sqlalchemy import delete as delete_
from sqlalchemy.exc import IntegrityError

from tikal.play.view import Json
from tikal.server.database.connection import PEOPLE, Database
from tikal.server.database.rows import Conflict, Person, Webhook, now
from tikal.server.database.schema import people, tokens, webhooks

REMEMBERED = 10_000  # size of the cache of people
DAY_MS = 86_400_000
LINKS, SESSIONS = 8, 64  # of one person; a new one replaces the oldest
SESSION_MS = 400 * DAY_MS  # a session expires after this long without use; browsers keep cookies no longer
TELL = "tell"  # the hint that carries a message for a person's sockets
STUCK = "stuck"  # the hint that a bot can't run: the table, its seq and the seat


class People(Database):
    """Reads and writes people."""

    async def add_person(self, person: Person, token: str) -> None:
        """Adds a person, with the hash of a first token."""

        def job(c: Connection) -> None:
            c.execute(insert(people).values(id=person.id, name=person.name, language=person.language, created=now()))
            c.execute(insert(tokens).values(_session(token, person.id)))

        await self.write(job)

    async def change_person(self, person: str, name: str, language: str | None) -> None:
        """Changes nickname or language."""
        what = update(people).where(people.c.id == person).values(name=name, language=language)
        await self.write(lambda c: c.execute(what).rowcount, f"{PEOPLE} {person}")
        self._forget_people(person)

    def knows(self, token: str) -> bool:
        """Whether the cache has the person of this token's hash."""
        return token in self._known

    async def person_of(self, token: str) -> Person | None:
        """The person of a session, by the hash of its token."""
        known = self._known
        if token in known:
            return known[token]
        ask = (
            select(people.c.id, people.c.name, people.c.login, people.c.language, tokens.c.expires)
            .join(tokens, tokens.c.person == people.c.id)
            .where(tokens.c.hash == token, tokens.c.kind == "session", tokens.c.expires > now())
        )
        row = await self.ask(lambda c: c.execute(ask).first())
        if row is None:
            return None
        if row.expires < now() + SESSION_MS - DAY_MS:  # each use extends the session; written once a day
            await self.write(lambda c: c.execute(_prolong(token)).rowcount)
        person = Person(row.id, row.name, row.login, row.language)
        if self._is_notified:
            if len(known) >= REMEMBERED:
                known.clear()
            known[token] = person  # not cached if anything has changed since the question
        return person

    async def add_token(self, token: str, person: str, kind: str, expires: int | None = None) -> None:
        """Adds a token of a person; a session expires after long disuse."""
        row = {"hash": token, "person": person, "kind": kind, "created": now(), "expires": expires}
        row = _session(token, person) if kind == "session" else row
        await self.write(lambda c: c.execute(insert(tokens).values(row)).rowcount)
        await self._drop_oldest(person, kind)

    async def spend_link(self, link: str, session: str) -> Person | None:
        """Exchanges a link, once and before it expires, for a session of its person."""

        def job(c: Connection) -> Person | None:
            is_link = (tokens.c.hash == link, tokens.c.kind == "link", tokens.c.expires > now())
            row = c.execute(select(people).join(tokens, tokens.c.person == people.c.id).where(*is_link)).first()
            if row is None:
                return None
            if not c.execute(delete_(tokens).where(tokens.c.hash == link)).rowcount:
                return None  # another process was faster
            c.execute(insert(tokens).values(_session(session, row.id)))
            return Person(row.id, row.name, row.login, row.language)

        person = await self.write(job)
        if person is not None:
            await self._drop_oldest(person.id, "session")
        return person

    async def _drop_oldest(self, person: str, kind: str) -> None:
        """Removes the tokens of a person that are too many: the oldest links, or the longest unused sessions."""
        mine = select(tokens.c.hash).where(tokens.c.person == person, tokens.c.kind == kind)
        newest = mine.order_by(tokens.c.expires.desc(), tokens.c.created.desc(), tokens.c.hash)
        old = newest.offset(SESSIONS if kind == "session" else LINKS)
        which = delete_(tokens).where(tokens.c.hash.in_(old))
        if await self.write(lambda c: c.execute(which).rowcount, f"{PEOPLE} {person}"):
            self._forget_people(person)

    async def is_lost(self, person: str) -> bool:
        """Whether nobody can act as this person any more: a guest without a session, as all are after an import."""
        back = (tokens.c.person == person, tokens.c.kind.in_(("session", "link")), tokens.c.expires > now())
        known = exists().where(*back) | exists().where(people.c.id == person, people.c.login.is_not(None))
        return not await self.ask(lambda c: c.execute(select(known)).scalar_one())

    async def has_token(self, token: str, person: str, kind: str) -> bool:
        """Whether the person owns this token of a kind, and it has not expired."""
        valid = (tokens.c.hash == token, tokens.c.person == person, tokens.c.kind == kind, tokens.c.expires > now())
        return await self.ask(lambda c: bool(c.execute(select(exists().where(*valid))).scalar_one()))

    async def revoke(self, person: str, keep: str | None = None, only: str | None = None) -> int:
        """Revokes tokens of a person: all, all but one, or only one. Returns how many."""
        which = delete_(tokens).where(tokens.c.person == person)
        which = which.where(tokens.c.hash != keep) if keep else which
        which = which.where(tokens.c.hash == only) if only else which
        revoked = await self.write(lambda c: c.execute(which).rowcount, f"{PEOPLE} {person}")
        self._forget_people(person)
        return revoked

    async def sessions(self, hashes: Sequence[str]) -> set[str]:
        """Those of the tokens that are valid."""
        ask = select(tokens.c.hash).where(
            tokens.c.hash.in_(hashes), tokens.c.kind == "session", tokens.c.expires > now()
        )
        return await self.ask(lambda c: set(c.scalars(ask)))

    async def remove_expired(self) -> int:
        """Removes expired tokens, and drops the cached ones; returns how many."""
        removed = await self.write(lambda c: c.execute(delete_(tokens).where(tokens.c.expires <= now())).rowcount)
        self._known = {}
        return removed

    # Passwords

    async def person_by_login(self, login: str) -> tuple[Person, str] | None:
        """The person with a login name, and the hash of their password."""
        row = await self.ask(lambda c: c.execute(select(people).where(people.c.login == login)).first())
        return None if row is None else (Person(row.id, row.name, row.login, row.language), row.password)

    async def set_login(
        self, person: str, was: str | None, login: str | None, password: str | None, keep: str | None = None
    ) -> None:
        """Sets a login name and the hash of a password, or removes both, if the stored hash is still `was`.

        If `keep` is given, all other tokens are revoked.
        """
        same = people.c.password.is_(None) if was is None else people.c.password == was
        what = update(people).where(people.c.id == person, same).values(login=login, password=password)

        def job(c: Connection) -> None:
            try:
                with c.begin_nested():
                    changed = c.execute(what).rowcount
            except IntegrityError:
                raise Conflict("taken", "login: this name is taken; choose another") from None
            if not changed:
                raise Conflict("stale", "your password was changed on another device; log in again")
            if keep is not None:
                c.execute(delete_(tokens).where(tokens.c.person == person, tokens.c.hash != keep))

        await self.write(job, f"{PEOPLE} {person}")
        self._forget_people(person)

    # Notifications

    async def tell(self, person: str, message: str) -> None:
        """Asks other processes to send a message to a person's sockets."""
        if self.shared:
            await self.write(lambda _: None, f"{TELL} {person} {message}")

    async def tell_stuck(self, table: str, seq: int, seat: int) -> None:
        """Notifies other processes that a bot can't run."""
        if self.shared:
            await self.write(lambda _: None, f"{STUCK} {table} {seq} {seat}")

    async def webhook(self, person: str) -> Webhook | None:
        """The webhook of a person."""
        ask = (
            select(webhooks.c.url, webhooks.c.failures, people.c.language)
            .join(people, people.c.id == webhooks.c.person)
            .where(webhooks.c.person == person)
        )
        row = await self.ask(lambda c: c.execute(ask).first())
        return None if row is None else Webhook(row.url, row.failures, row.language)

    async def set_webhook(self, person: str, url: str | None) -> None:
        """Sets a webhook with no failures, or removes it."""

        def job(c: Connection) -> None:
            c.execute(select(people.c.id).where(people.c.id == person).with_for_update(key_share=True))  # one at a time
            c.execute(delete_(webhooks).where(webhooks.c.person == person))
            if url is not None:
                c.execute(insert(webhooks).values(person=person, url=url, failures=0, created=now()))

        await self.write(job, f"{PEOPLE} {person}")
        self._forget_people(person)

    async def count_failure(self, person: str, url: str, failed: bool) -> None:
        """Counts a failed delivery to an address; a success resets the count."""
        failures = webhooks.c.failures + 1 if failed else 0
        what = update(webhooks).where(webhooks.c.person == person, webhooks.c.url == url).values(failures=failures)
        await self.write(lambda c: c.execute(what).rowcount, f"{PEOPLE} {person}")
        self._forget_people(person)


def _session(token: str, person: str) -> Json:
    return {"hash": token, "person": person, "kind": "session", "created": now(), "expires": now() + SESSION_MS}


def _prolong(token: str) -> Update:
    return update(tokens).where(tokens.c.hash == token).values(expires=now() + SESSION_MS)
