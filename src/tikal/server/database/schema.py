"""The tables of the database. `migrations` creates them; a test compares the two."""

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
PATIENCE_H = 24  # hours for a turn at a table that names no other number

people = Table(
    "people",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("login", String(80)),  # login name in lower case; null: a guest
    Column("password", String(200)),  # argon2 hash of the password
    Column("language", String(8)),  # language of notifications; null: English
    Index("people_by_login", "login", unique=True),
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("person", String(32), ForeignKey("people.id"), nullable=False, index=True),
    Column("kind", String(8), nullable=False),  # session; link: exchanged once for a session; seat: see `Hub.take_seat`
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
    Column("patience_h", Integer, nullable=False, server_default=str(PATIENCE_H)),  # hours for a turn
    Column("turn", Integer),
    Column("rematch", String(32)),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("clock", JSON(none_as_null=True)),  # the clock's settings; null: a table without a clock
    Column("banks", JSON(none_as_null=True)),  # milliseconds left of each seat when its turn began; live clocks only
    Column("deadline", BigInteger),  # of the current turn, if a person has it
    Column("hinted", Boolean, nullable=False, server_default=false()),  # a player has asked for a hint
    Column("lent", Integer),  # the seat whose turn a bot plays because its time ran out
    Column("practice", JSON(none_as_null=True)),  # the exact chance of a practice table; null: an ordinary one
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
    Column("up_to", Integer),  # the bid limit of the seat in the current auction; secret
    Column("left_by", String(32), ForeignKey("people.id")),  # the person that a bot has replaced, and who has lost
)

events = Table(
    "events",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),  # start, play, undo, seat, time, vote, end
    Column("seat", Integer),
    Column("data", JSON, nullable=False),
    Column("client", String(100)),  # the person and the client's request id: a resend finds it
    Column("at", BigInteger, nullable=False),
    Index("events_by_client", "table_id", "client", unique=True),
)

chat = Table(
    "chat",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("person", String(32), ForeignKey("people.id"), nullable=False),
    Column("name", String(40), nullable=False),  # name of the seat, or of an owner without a seat
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("seat", Integer),  # seat of the speaker; null: an owner without a seat, or a line older than this column
)

results = Table(
    "results",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person", String(32), ForeignKey("people.id"), index=True),
    Column("level", String(40)),  # level of a bot; both null: the person was removed
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
    Column("name", String(40), primary_key=True),  # admin: the hash of the token; settings: choices
    Column("value", JSON, nullable=False),
)

beats = Table(
    "beats",
    metadata,
    Column("id", Integer, primary_key=True),  # 1: there is only one row
    Column("at", BigInteger, nullable=False),  # when a server last ran: clocks have stood still since
)

webhooks = Table(
    "webhooks",
    metadata,
    Column("person", String(32), ForeignKey("people.id"), primary_key=True),
    Column("url", Text, nullable=False),
    Column("failures", Integer, nullable=False),  # failed deliveries in a row
    Column("created", BigInteger, nullable=False),
)
