"""Logs: one line each, as text or as a JSON object. Secrets that get into a line by mistake are redacted."""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from datetime import UTC, datetime

from tikal.server.operation import request_ids

FORMATS = ("text", "json")
SECRETS = (
    re.compile(r"(?<![\w-])[A-Za-z0-9_-]{43}(?![\w-])"),  # tokens, and base64 digests
    re.compile(r"(?<!\w)[0-9a-f]{24,}(?!\w)"),  # seeds, commitments, hashes, ids of people
    re.compile(r"(?<=/)(?<=table/|ables/|eplay/)[\w-]{16,}"),  # addresses of tables are invitations
    re.compile(r"(?<=://)[^/@\s]+(?=@)"),  # names and passwords in the address of a database
)


def clean(text: str) -> str:
    """A text without anything that looks like a secret.

    >>> clean("GET /api/tables/dGhlIGp1bmdsZSBpcyBk/events")
    'GET /api/tables/***/events'
    >>> clean("postgresql://ann:secret@host/tikal")
    'postgresql://***@host/tikal'
    """
    for secret in SECRETS:
        text = secret.sub("***", text)
    return text


class _Format(logging.Formatter):
    """What both formats have in common."""

    def fault(self, record: logging.LogRecord) -> str | None:
        """The source and the text of an exception."""
        if not record.exc_info:
            return None
        return clean("".join(traceback.format_exception(*record.exc_info)).rstrip())

    def when(self, record: logging.LogRecord) -> str:
        """The time, in UTC."""
        return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


class JsonFormat(_Format):
    """One JSON object per line: `at`, `level`, `from`, `text`, the id of the `request`, and other known fields."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        entry = {
            "at": self.when(record),
            "level": record.levelname.lower(),
            "from": record.name,
            "text": clean(record.getMessage()),
        }
        if (request := request_ids.current.get()) is not None:
            entry["request"] = request
        facts = getattr(record, "facts", None)
        if facts:
            entry |= {name: clean(value) if isinstance(value, str) else value for name, value in facts.items()}
        fault = self.fault(record)
        if fault:
            entry["fault"] = fault
        return json.dumps(entry, ensure_ascii=False, default=lambda value: clean(str(value)))


class TextFormat(_Format):
    """A line for people; exceptions take more."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        facts = getattr(record, "facts", None) or {}
        request = request_ids.current.get()
        facts = facts if request is None else {"request": request, **facts}
        more = "".join(f" {name}={clean(str(value))}" for name, value in facts.items())
        line = f"{self.when(record)} {record.levelname.lower()} {clean(record.getMessage())}{more}"
        fault = self.fault(record)
        return f"{line}\n{fault}" if fault else line


def configure(form: str) -> None:
    """Sends all logs to standard error: for people only problems, for programs also events."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormat() if form == "json" else TextFormat())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("tikal").setLevel(logging.INFO if form == "json" else logging.WARNING)
