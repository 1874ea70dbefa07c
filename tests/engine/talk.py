"""A conversation with the engine, for tests."""

from __future__ import annotations

import json
from typing import Any

from tikal.engine.protocol import Engine, reply

CODES = {
    "illegal", "usage", "unknown", "option", "players", "deck", "treasures", "dice", "nogame", "undo", "load",
}  # fmt: skip


class Talk:
    """Talks to an engine in this process, and checks the form of its answers."""

    def __init__(self, *lines: str) -> None:
        self.engine = Engine()
        for line in lines:
            self.good(line)

    def ask(self, line: str) -> list[str]:
        """All lines of an answer."""
        answer = list(reply(self.engine, line))
        check_form(answer)
        return answer

    def good(self, line: str) -> list[str]:
        """The lines before `ok`."""
        answer = self.ask(line)
        assert answer[-1] == "ok", (line, answer)
        return answer[:-1]

    def bad(self, line: str) -> tuple[str, str]:
        """The code and the text of an error; the state of the conversation must not change."""
        before = self.snapshot()
        answer = self.ask(line)
        assert len(answer) == 1, (line, answer)
        assert answer[0].startswith("err "), (line, answer)
        assert self.snapshot() == before
        code, _, text = answer[0].removeprefix("err ").partition(": ")
        return code, text

    def json(self, line: str) -> Any:
        (text,) = self.good(line)
        return json.loads(text)

    def snapshot(self) -> list[list[str]]:
        """Everything that could have changed."""
        return [list(reply(self.engine, line)) for line in ("state", "legal", "status", "record")]


def check_form(answer: list[str]) -> None:
    """Lines and `ok`, or one line `err CODE: text`; never an internal error."""
    assert answer
    assert not any("internal error" in line for line in answer), answer
    assert all("\n" not in line and "\r" not in line for line in answer)
    if answer[-1] != "ok":
        (error,) = answer
        code, colon, text = error.removeprefix("err ").partition(": ")
        assert error.startswith("err ") and code in CODES and colon and text, error
        assert len(error) < 600
