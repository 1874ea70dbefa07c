"""Results and ratings. They are written in the transaction of the action that ends a game: once, or not at all.

A game is rated if, when it starts, its table allows no hints and nobody holds two seats. Nothing that a player does
later changes that. A player who resigns, or is replaced by a bot when their time runs out, has lost to all who
stayed, and to those who left later. Bots of one level share a rating; several of them at a table change it by their
mean.
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
from tikal.play.view import Json
from tikal.server.database.schema import events, people, ratings, results

if TYPE_CHECKING:
    from tikal.server.database.rows import Seat, Table
    from tikal.server.database.store import Store

TAU = 25 / 300  # people change, so each game makes older ones count a little less
LISTED = 100  # people in the ranking
LAST = 20  # a person's latest results in an answer


@dataclass(frozen=True, slots=True)
class Ended:
    """How a game ended, seat by seat; winners are counted from 0."""

    scores: Sequence[int]
    winners: Sequence[int]


@cache
def _skill() -> Skill:
    return Skill(TAU)


def rating_key(person: str | None, level: str | None) -> str:
    """The key of a rating: of a person, or of a level of bots.

    >>> rating_key("5f0c", None), rating_key(None, "digger")
    ('person:5f0c', 'bot:digger')
    """
    return f"person:{person}" if person is not None else f"bot:{level}"


# When a game ends


def record(c: Connection, table: Table, ended: Ended) -> None:
    """Writes the results of a game, and the ratings after it, in the transaction that ends it."""
    if c.execute(select(exists().where(results.c.table_id == table.id))).scalar_one():
        return
    rows = _rows(c, table, ended)
    c.execute(insert(results), rows)
    if is_rated(table):
        _rate(c, [rating_key(row["person"], row["level"]) for row in rows], [row["place"] for row in rows])


def _rows(c: Connection, table: Table, ended: Ended) -> list[Json]:
    """The rows of a game: one for each seat, for the person who began the game there."""
    ask = select(events.c.seat).where(events.c.table_id == table.id, events.c.kind == "seat").order_by(events.c.seq)
    left = [seat - 1 for seat in c.scalars(ask) if table.seats[seat - 1].substituted]
    taken = places_after_leaving(places(ended.scores, ended.winners), left)
    return [
        {
            "table_id": table.id,
            "seat": seat.seat,
            "person": seat.left_by if seat.substituted else seat.person,
            "level": None if seat.substituted else seat.level,
            "players": len(table.seats),
            "place": place,
            "score": score,
            "rated": is_rated(table),
            "at": table.changed,
        }
        for seat, place, score in zip(table.seats, taken, ended.scores, strict=True)
    ]


def is_rated(table: Table) -> bool:
    """Whether a game is rated. Only the administrator can change that later, by removing a person."""
    persons = [seat.left_by if seat.substituted else seat.person for seat in table.seats if _is_of_person(seat)]
    return not table.hints and table.practice is None and None not in persons and len(set(persons)) == len(persons)


def _is_of_person(seat: Seat) -> bool:
    """Whether a person has, or had, the seat in the game."""
    return seat.kind == "person" or seat.substituted


def places_after_leaving(taken: Sequence[int], left: Sequence[int]) -> list[int]:
    """Places when some have left: players who stayed come first, players who left earliest come last.

    >>> places_after_leaving([1, 2, 2, 4], left=[0, 2])
    [4, 1, 3, 2]
    """
    stayed = [index for index in range(len(taken)) if index not in left]
    after = {index: len(taken) - number for number, index in enumerate(dict.fromkeys(left))}
    after |= {index: 1 + sum(taken[other] < taken[index] for other in stayed) for index in stayed}
    return [after[index] for index in range(len(taken))]


def _rate(c: Connection, keys: Sequence[str], taken: Sequence[int]) -> None:
    """The ratings after a game. Their rows are locked in the order of their keys, to avoid deadlocks."""
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


# Recomputing


def rate_again(c: Connection) -> None:
    """Recomputes all ratings from the results, in the order in which the games ended."""
    c.execute(delete(ratings))
    rated = select(results).where(results.c.rated).order_by(results.c.at, results.c.table_id, results.c.seat)
    games: dict[str, list[Any]] = {}
    for row in c.execute(rated).all():
        games.setdefault(row.table_id, []).append(row)
    for rows in games.values():
        _rate(c, [rating_key(row.person, row.level) for row in rows], [row.place for row in rows])


def recompute(c: Connection, ends: Sequence[tuple[Table, Ended]]) -> None:
    """Recomputes all results and ratings from the logs of the games."""
    c.execute(delete(results))
    for table, ended in ends:
        c.execute(insert(results), _rows(c, table, ended))
    rate_again(c)


# Answers


async def of_person(store: Store, person: str) -> Json:
    """A person's results: in all, by the number of players, against bots, the latest, and the rating."""

    def ask(c: Connection) -> Json:
        mine = select(results).where(results.c.person == person)
        rows = c.execute(mine.order_by(results.c.at.desc(), results.c.table_id)).all()
        rating = c.execute(select(ratings).where(ratings.c.who == rating_key(person, None))).first()
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


async def of_tables(store: Store, tables: Sequence[str]) -> dict[str, list[Json]]:
    """Places and scores of finished games by table, in the order of the seats; other tables are left out."""

    def ask(c: Connection) -> dict[str, list[Json]]:
        found: dict[str, list[Json]] = {}
        chosen = select(results).where(results.c.table_id.in_(tables)).order_by(results.c.table_id, results.c.seat)
        for row in c.execute(chosen):
            found.setdefault(row.table_id, []).append({"place": row.place, "score": row.score})
        return found

    return await store.ask(ask)


def _sums(rows: Sequence[Any]) -> Json:
    mean = fmean(row.place for row in rows) if rows else None
    return {"games": len(rows), "wins": sum(row.place == 1 for row in rows), "mean_place": mean}


def _against(c: Connection, person: str) -> list[Json]:
    """How often a person finished ahead of each level of bots."""
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
    """A rating as an answer shows it: its doubt is one standard deviation."""
    return {"value": round(row.mu, 2), "doubt": round(row.sigma, 2), "games": row.games}


async def ranking(store: Store, person: str | None) -> Json:
    """People and bots by a cautious estimate: the rating minus twice its doubt."""
    order = (ratings.c.mu - 2 * ratings.c.sigma).desc()

    def ask(c: Connection) -> Json:
        known = ("person:" + people.c.id) == ratings.c.who
        asked = select(ratings, people.c.id, people.c.name).join(people, known).order_by(order, ratings.c.who)
        rows = c.execute(asked.limit(LISTED)).all()
        bots = c.execute(select(ratings).where(ratings.c.who.startswith("bot:")).order_by(order, ratings.c.who)).all()
        return {
            "people": [{"name": row.name, "you": row.id == person, **_rating(row)} for row in rows],
            "bots": [{"level": row.who.removeprefix("bot:"), **_rating(row)} for row in bots],
        }

    return await store.ask(ask)
