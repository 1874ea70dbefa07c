"""The tables of the database. `migrations` makes them; a test compares the two."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    false,
)

metadata = MetaData()

people = Table(
    "people",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("login", String(80)),  # the name to log in with, in lower case; none: a guest
    Column("password", String(200)),  # its hash, by argon2
    Index("people_by_login", "login", unique=True),
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("person", String(32), ForeignKey("people.id"), nullable=False, index=True),
    Column("kind", String(8), nullable=False),  # session, or link: good for one session, once
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("owner", String(32), ForeignKey("people.id"), nullable=False),
    Column("state", String(8), nullable=False),  # open, playing, over, frozen, closed
    Column("public", Boolean, nullable=False),
    Column("options", JSON, nullable=False),
    Column("rules", Integer, nullable=False),
    Column("seed", String(200), nullable=False),
    Column("seating", String(8), nullable=False),
    Column("hints", Boolean, nullable=False),
    Column("substitute", String(40), nullable=False),
    Column("turn", Integer),
    Column("rematch", String(32)),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("clock", JSON(none_as_null=True)),  # how it is set; none: a table without a clock
    Column("banks", JSON(none_as_null=True)),  # milliseconds of each seat when its turn began; live clocks only
    Column("deadline", BigInteger),  # of the turn that runs, if a person has it
    Column("hinted", Boolean, nullable=False, server_default=false()),  # somebody has asked for a hint
    Column("lent", Integer),  # the seat whose turn a bot plays because its time ran out
    Index("tables_by_state", "state", "public", "changed"),
    Index("tables_by_deadline", "deadline"),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),  # open, person, bot
    Column("person", String(32), ForeignKey("people.id"), index=True),
    Column("name", String(40), nullable=False),
    Column("level", String(40)),
    Column("nonce", String(200)),
    Column("substituted", Boolean, nullable=False),
    Column("up_to", Integer),  # the most that is bid for the seat in the auction that runs; secret
)

events = Table(
    "events",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),  # start, play, undo, seat, time
    Column("seat", Integer),
    Column("data", JSON, nullable=False),
    Column("client", String(100)),  # who asked, and the id that the client gave: a resend finds it
    Column("at", BigInteger, nullable=False),
    Index("events_by_client", "table_id", "client", unique=True),
)

chat = Table(
    "chat",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("person", String(32), ForeignKey("people.id"), nullable=False),
    Column("name", String(40), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

results = Table(
    "results",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person", String(32), ForeignKey("people.id"), index=True),
    Column("level", String(40)),  # of a bot; neither: somebody gave the seat up, or was removed
    Column("players", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("score", Integer, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
)

ratings = Table(
    "ratings",
    metadata,
    Column("who", String(48), primary_key=True),  # person:ID or bot:LEVEL
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
)

settings = Table(
    "settings",
    metadata,
    Column("name", String(40), primary_key=True),  # admin: the hash of the token; settings: what is set with it
    Column("value", JSON, nullable=False),
)

beats = Table(
    "beats",
    metadata,
    Column("id", Integer, primary_key=True),  # 1: there is only one row
    Column("at", BigInteger, nullable=False),  # when a server was known to run: from then on clocks stood still
)

webhooks = Table(
    "webhooks",
    metadata,
    Column("person", String(32), ForeignKey("people.id"), primary_key=True),
    Column("url", Text, nullable=False),
    Column("failures", Integer, nullable=False),  # deliveries in a row that failed
    Column("created", BigInteger, nullable=False),
)
