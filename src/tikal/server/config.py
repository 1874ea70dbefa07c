"""How a server is run: one frozen object, made by `tikal serve` or by a test."""

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
    bot_workers: int = 1
    bot_ms: int = 1500  # what a bot may think for one decision
    bots: str = "local"  # who thinks: processes of this server, or workers anywhere (tikal bot-worker)
    worker_patience_ms: int = 3000  # beyond its time a bot-worker is waited for so long
    bot_grace_ms: int = 8000  # beyond it a worker counts as hung, and is killed
    sweep_ms: int = 3000  # how often bots are looked for whose turn it is and for whom nobody thinks
    rate: float = 40.0  # requests or messages per second, of one person or address
    burst: int = 200
    new_people: float = 0.5  # per second, of one address
    new_people_burst: int = 30
    records: float = 2.0  # that are brought along, per second, of one address
    records_burst: int = 30
    lines: float = 0.5  # of chat, per second, of one person
    lines_burst: int = 10
    logins: float = 0.1  # tries per second, with one name or of one address
    logins_burst: int = 10
    private_webhooks: bool = False  # whether webhooks may lead into private networks
    sockets_each: int = 24
    sockets: int = 4000
    queue: int = 256  # messages that wait for a slow reader
    body: int = 32_768  # bytes of a request or a message
    tables_each: int = 100  # unfinished ones of one owner
    idle_ms: int = 120_000  # then a table that nobody watches leaves memory
    beat_ms: int = 2000  # how often a server says that it runs, and looks for deadlines of others
