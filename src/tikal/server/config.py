"""The settings of a server: one frozen object, made by `tikal serve` or by a test."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a server.

    >>> Config("sqlite:///games.db").port
    8088
    """

    database: str
    host: str = "127.0.0.1"
    port: int = 8088
    public_url: str | None = None
    client: Path | None = None
    bot_workers: int = 2  # with two, one person's bots never occupy all of them
    bot_ms: int = 1500  # a bot's time for one decision
    bots: str = "local"  # where bots run: in processes of this server, or in workers anywhere (tikal bot-worker)
    bot_tables_each: int = 2  # questions to bot-workers at once, for the bots of one person
    worker_patience_ms: int = 3000  # how much longer than its limit a bot-worker may take
    bot_grace_ms: int = 8000  # how much longer than its limit a process may take before it counts as hung and is killed
    bot_retry_ms: int = 1000  # a bot that failed is run again after this, then after twice as long, …
    bot_retry_most_ms: int = 60_000  # … up to this
    sweep_ms: int = 3000  # how often the server looks for bots that no process runs
    rate: float = 40.0  # requests or messages per second, per person or address
    burst: int = 200
    new_people: float = 0.5  # per second and address
    new_people_burst: int = 30
    records: float = 2.0  # uploaded records, per second and address
    records_burst: int = 30
    lines: float = 0.5  # lines of chat, per second and person
    lines_burst: int = 10
    logins: float = 0.1  # attempts per second, per name or address
    logins_burst: int = 10
    webhooks: float = 0.2  # new webhooks, per second and address
    webhooks_burst: int = 20
    private_webhooks: bool = False  # whether webhooks may call private networks
    sockets_each: int = 24
    sockets_address: int = 1000  # for all people of one address together
    sockets: int = 4000
    socket_bytes: int = 131_072  # queued bytes for one slow reader
    sockets_bytes: int = 67_108_864  # and for all of them together
    body: int = 32_768  # bytes of a request or a message
    read_ms: int = 20_000  # time limit for the head of a request, and for its body
    tables_each: int = 100  # unfinished tables of one owner
    open_each: int = 6  # public tables of one owner that wait for players
    open_address: int = 24  # the same for all owners at one address
    open_ms: int = 86_400_000  # after this, a public table that nobody has joined or changed is closed
    private_open_ms: int = 2_592_000_000  # the same for a private table
    new_tables: float = 0.2  # per second and address
    new_tables_burst: int = 30
    practice_each: int = 8  # practice tables of one owner; a new one replaces the oldest
    practice_ms: int = 86_400_000  # after this, an unused practice table is removed
    idle_ms: int = 120_000  # after this, a table without viewers leaves memory
    beat_ms: int = 2000  # how often a server signals that it runs, and checks the deadlines of others
