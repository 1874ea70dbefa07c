"""Results and ratings. They are written with the action that ends a game, in its transaction: once, or not at all.

A game is rated if nobody's seat was substituted, nobody's time ran out, nobody asked for a hint, and no person held
two of its seats. Bots of one level have one rating; several of them at a table change it by their mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, delete, exists, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from tikal.bots.skill import Skill, places
from tikal.server.schema import events, people, ratings, results, tables

if TYPE_CHECKING:
    from tikal.server.store import Seat, Store, Table

Json = dict[str, Any]
TAU = 25 / 300  # people change: a little is forgotten with each game
LISTED = 100  # people in the ranking
LAST = 20  # results of one's own that are told


@dataclass(frozen=True, slots=True)
class Ended:
    """How a game ended, seat by seat; winners are counted from 0."""

    scores: Sequence[int]
    winners: Sequence[int]


@cache
def _skill() -> Skill:
    return Skill(TAU)


def who(person: str | None, level: str | None) -> str:
    """Whose rating it is.

    >>> who("5f0c", None), who(None, "digger")
    ('person:5f0c', 'bot:digger')
    """
    return f"person:{person}" if person is not None else f"bot:{level}"


# When a game ends


def record(c: Connection, table: Table, ended: Ended) -> None:
    """The results of a game, and the ratings after it, in the transaction that ends it."""
    if c.execute(select(exists().where(results.c.table_id == table.id))).scalar_one():
        return
    rated = _is_rated(c, table)
    c.execute(insert(results), _rows(table, ended, rated))
    if rated:
        _rate(c, [who(seat.person, seat.level) for seat in table.seats], places(ended.scores, ended.winners))


def _rows(table: Table, ended: Ended, rated: bool) -> list[Json]:
    taken = places(ended.scores, ended.winners)
    return [
        {
            "table_id": table.id,
            "seat": seat.seat,
            "person": seat.person,
            "level": None if seat.substituted else seat.level,
            "players": len(table.seats),
            "place": place,
            "score": score,
            "rated": rated,
            "at": table.changed,
        }
        for seat, place, score in zip(table.seats, taken, ended.scores, strict=True)
    ]


def _is_rated(c: Connection, table: Table) -> bool:
    persons = [seat.person for seat in table.seats if seat.person is not None]
    if len(set(persons)) < len(persons) or any(_is_gone(seat) for seat in table.seats):
        return False
    late = exists().where(events.c.table_id == table.id, events.c.kind == "time")
    hinted = exists().where(tables.c.id == table.id, tables.c.hinted)
    return not c.execute(select(late | hinted)).scalar_one()


def _is_gone(seat: Seat) -> bool:
    """Whether somebody gave the seat up, or was removed from it."""
    return seat.substituted or (seat.kind == "person" and seat.person is None)


def _rate(c: Connection, keys: Sequence[str], taken: Sequence[int]) -> None:
    """Ratings after a game. Their rows are locked in the order of their keys, so that none block others."""
    skill = _skill()
    fresh = skill.new()
    made = {"mu": fresh.mu, "sigma": fresh.sigma, "games": 0}
    dialect: Any = postgresql if c.dialect.name == "postgresql" else sqlite
    for key in sorted(set(keys)):
        c.execute(dialect.insert(ratings).values(who=key, **made).on_conflict_do_nothing())
    ask = select(ratings).where(ratings.c.who.in_(keys)).order_by(ratings.c.who).with_for_update()
    kept = {row.who: row for row in c.execute(ask)}
    after = skill.after([skill.known(kept[key].mu, kept[key].sigma) for key in keys], taken)
    for key in sorted(set(keys)):
        mine = [rating for rating, owner in zip(after, keys, strict=True) if owner == key]
        values = {"mu": fmean(one.mu for one in mine), "sigma": fmean(one.sigma for one in mine)}
        c.execute(update(ratings).where(ratings.c.who == key).values(**values, games=ratings.c.games + 1))


# Once more, from what is kept


def rate_again(c: Connection) -> None:
    """All ratings anew, from the results in the order in which games ended."""
    c.execute(delete(ratings))
    rated = select(results).where(results.c.rated).order_by(results.c.at, results.c.table_id, results.c.seat)
    games: dict[str, list[Any]] = {}
    for row in c.execute(rated).all():
        games.setdefault(row.table_id, []).append(row)
    for rows in games.values():
        _rate(c, [who(row.person, row.level) for row in rows], [row.place for row in rows])


def recompute(c: Connection, ends: Sequence[tuple[Table, Ended]]) -> None:
    """All results and ratings anew, from games as their logs tell them."""
    c.execute(delete(results))
    for table, ended in ends:
        c.execute(insert(results), _rows(table, ended, _is_rated(c, table)))
    rate_again(c)


# What is told


async def of_person(store: Store, person: str) -> Json:
    """One's own results: in all, by the number of players, against bots, the last ones, and the rating."""

    def ask(c: Connection) -> Json:
        mine = select(results).where(results.c.person == person)
        rows = c.execute(mine.order_by(results.c.at.desc(), results.c.table_id)).all()
        rating = c.execute(select(ratings).where(ratings.c.who == who(person, None))).first()
        return {
            "rating": None if rating is None else _rating(rating),
            **_sums(rows),
            "rated": sum(row.rated for row in rows),
            "by_players": [
                {"players": players, **_sums([row for row in rows if row.players == players])}
                for players in sorted({row.players for row in rows})
            ],
            "against": _against(c, person),
            "last": [_result(row) for row in rows[:LAST]],
        }

    return await store.ask(ask)


def _sums(rows: Sequence[Any]) -> Json:
    mean = fmean(row.place for row in rows) if rows else None
    return {"games": len(rows), "wins": sum(row.place == 1 for row in rows), "mean_place": mean}


def _against(c: Connection, person: str) -> list[Json]:
    """How often one was ahead of each level of bots."""
    other = results.alias()
    met = (other.c.table_id == results.c.table_id) & (other.c.person.is_(None)) & (other.c.level.is_not(None))
    ahead = func.sum((results.c.place < other.c.place).cast(results.c.place.type))
    ask = select(other.c.level, func.count().label("games"), ahead.label("ahead")).select_from(results)
    ask = ask.join(other, met).where(results.c.person == person).group_by(other.c.level).order_by(other.c.level)
    return [{"level": row.level, "games": row.games, "ahead": int(row.ahead)} for row in c.execute(ask)]


def _result(row: Any) -> Json:
    return {
        "table": row.table_id,
        "at": row.at,
        "players": row.players,
        "place": row.place,
        "score": row.score,
        "rated": row.rated,
    }


def _rating(row: Any) -> Json:
    """A rating as it is told: its doubt is one standard deviation."""
    return {"value": round(row.mu, 2), "doubt": round(row.sigma, 2), "games": row.games}


async def ranking(store: Store, person: str | None) -> Json:
    """People and bots by what they have surely reached: the rating less twice its doubt."""
    surely = (ratings.c.mu - 2 * ratings.c.sigma).desc()

    def ask(c: Connection) -> Json:
        known = ("person:" + people.c.id) == ratings.c.who
        asked = select(ratings, people.c.id, people.c.name).join(people, known).order_by(surely, ratings.c.who)
        rows = c.execute(asked.limit(LISTED)).all()
        bots = c.execute(select(ratings).where(ratings.c.who.startswith("bot:")).order_by(surely, ratings.c.who)).all()
        return {
            "people": [{"name": row.name, "you": row.id == person, **_rating(row)} for row in rows],
            "bots": [{"level": row.who.removeprefix("bot:"), **_rating(row)} for row in bots],
        }

    return await store.ask(ask)
