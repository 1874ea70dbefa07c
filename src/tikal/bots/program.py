"""Runs any program that speaks the engine protocol as a bot.

The program gets `position` and `best`, so it sees no more than its seat may know.
The spec is `program:COMMAND`. Settings may precede the command, like variables in a shell:
`program:level=surveyor nodes=2000 tikal engine`. Without a level the program plays the last one that its `info` names.
A program that hangs, dies, writes without end or gives an invalid answer is killed with all its children, and
restarted for the next question.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import IO, Generic, TypeVar

from tikal.bots.bot import BotError, numbers
from tikal.play import notation
from tikal.play.view import Json
from tikal.rules.errors import TikalError

WAIT = 60  # seconds for an answer, in addition to the program's time to think
WAITS = (1, 3600)
ANSWER_LIMIT = 2**20  # bytes of one answer
SHOWN = 80  # characters of an answer that error messages quote
POSIX = os.name == "posix"
SETTINGS = ("level", "time", "nodes", "wait")
EXAMPLE = "program:level=surveyor nodes=2000 tikal engine"

LEASH = '(while kill -0 "$0"; do sleep 1; done; kill -KILL 0) </dev/null >/dev/null 2>&1 & exec "$@"'
"""A shell runs this before the program replaces it: the program's group dies with us, even if we are killed."""

T = TypeVar("T")


class Failure(TikalError):
    """A failure of a program; `code` as in BotError."""


def split_command(command: str) -> tuple[dict[str, str], list[str]]:
    """The settings in front of a command, and the words of the command.

    >>> split_command("level=surveyor nodes=2000 tikal engine")
    ({'level': 'surveyor', 'nodes': '2000'}, ['tikal', 'engine'])
    """
    example = f"such as {EXAMPLE}"
    try:
        words = shlex.split(command, posix=POSIX)
    except ValueError as error:
        text = f"program:{command}: can't be taken apart ({error}); {example}"
        raise BotError("option", text, "bot_command", bot=f"program:{command}", example=EXAMPLE) from None
    settings: dict[str, str] = {}
    while words and words[0].partition("=")[0] in SETTINGS and "=" in words[0]:
        name, _, value = words.pop(0).partition("=")
        if name in settings or not value:
            text = f"program:{command}: {name} needs one value; {example}"
            raise BotError("option", text, "bot_setting", bot=f"program:{command}", name=name, example=EXAMPLE)
        settings[name] = value
    if not words:
        text = f"program:{command}: the command is missing, {example}"
        raise BotError("option", text, "bot_no_command", bot=f"program:{command}", example=EXAMPLE)
    return settings, words


class Program:
    """A program as a bot. The first question starts it.

    >>> Program("no-such-program --fast")
    Traceback (most recent call last):
    tikal.bots.bot.BotError: program:no-such-program --fast: there is no program no-such-program that can be run
    """

    def __init__(self, command: str) -> None:
        self.name = f"program:{command}"
        settings, self._words = split_command(command)
        self._level = settings.pop("level", None)
        wait = settings.pop("wait", str(WAIT))
        if not (wait.isascii() and wait.isdigit() and WAITS[0] <= int(wait[:9]) <= WAITS[1]):
            least, most = WAITS
            text = f"{self.name}: wait={wait} must be seconds from {least} to {most}"
            raise BotError("option", text, "bot_number", bot=self.name, name="wait", value=wait, least=least, most=most)
        budget = numbers(self.name, settings, ("nodes", "time"))
        self.deterministic = "time" not in budget
        self._wait = int(wait) + budget.get("time", 0) / 1000
        self._budget = "".join(f" {key}={value}" for key, value in budget.items())
        if shutil.which(self._words[0]) is None:
            text = f"{self.name}: there is no program {self._words[0]} that can be run"
            raise BotError("option", text, "bot_no_program", bot=self.name, program=self._words[0])
        self._process: Process | None = None

    def plan(self, view: Json, seed: int) -> list[str]:
        """The program's answer to `position` and `best`."""
        try:
            process = self._process or self._start()
            process.ask("position " + json.dumps(view, separators=(",", ":")), self._wait)
            return _actions(process.ask(f"best level={self._level}{self._budget} seed={seed}", self._wait))
        except Failure as failure:
            self._end()
            text = f"{self.name}: {failure}"
            raise BotError(failure.code, text, failure.reason, bot=self.name, **failure.values) from None
        except BaseException:  # an interrupt: the pending answer must not be taken for that to the next question
            self._end()
            raise

    def _start(self) -> Process:
        self._process = process = Process(self._words)
        said = process.ask("info", self._wait)
        levels = [line.split()[1] for line in said if line.startswith("level ") and len(line.split()) == 2]
        if not levels:
            raise Failure("bot", "its `info` names no level", "program_info")
        if self._level is None:
            self._level = levels[-1]
        if self._level not in levels:
            known = ", ".join(levels)[:400]
            text = f"has no level {self._level}; there are {known}"
            raise Failure("option", text, "program_level", level=self._level, known=known)
        return process

    def close(self) -> None:
        """Asks the program to quit, then kills it."""
        if self._process is not None:
            with suppress(Failure):
                self._process.ask("quit", 1)
        self._end()

    def _end(self) -> None:
        if self._process is not None:
            self._process.end()
        self._process = None


def _actions(answer: list[str]) -> list[str]:
    """The actions in the answer to `best`."""
    words = answer[0].split() if len(answer) == 1 else []
    if not words:
        text = f"answered `best` with {_shown(answer)} instead of one line of actions"
        raise Failure("bot", text, "program_no_plan", answer=_shown(answer))
    for word in words:
        try:
            notation.parse(word)
        except TikalError:
            text = f"answered `best` with {_shown([word])}, which is no action"
            raise Failure("bot", text, "program_no_action", answer=_shown([word])) from None
    return words


def _shown(lines: list[str]) -> str:
    """An answer as error messages quote it."""
    text = " / ".join(lines)
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "…") if lines else "nothing"


class Process:
    """A running program, with its pipes."""

    def __init__(self, words: list[str]) -> None:
        leash = ["/bin/sh", "-c", LEASH, str(os.getpid())] if POSIX else []
        pipe = subprocess.PIPE
        try:
            self._popen = subprocess.Popen(leash + words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=POSIX)
        except OSError as error:
            text = f"can't be started: {error.strerror}"
            raise Failure("bot", text, "program_start", why=str(error.strerror)) from None
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self._to, self._from = self._popen.stdin, self._popen.stdout
        self._errand: Errand[list[str]] | None = None
        self._complaints: deque[str] = deque(maxlen=1)
        self._listener = Thread(target=_listen, args=(self._popen.stderr, self._complaints), daemon=True)
        self._listener.start()

    def ask(self, line: str, seconds: float) -> list[str]:
        """The lines that answer a command, without the closing `ok`."""
        command = line.partition(" ")[0]
        try:
            self._errand = Errand(lambda: self._ask(line))
            return self._errand.result(seconds)
        except TimeoutError:
            text = f"did not answer `{command}` within {seconds:g} s"
            raise Failure("timeout", text, "program_late", command=command, seconds=f"{seconds:g}") from None
        except OSError:
            raise self._ended(command) from None

    def _ask(self, line: str) -> list[str]:
        self._to.write(line.encode() + b"\n")
        self._to.flush()
        lines: list[str] = []
        left = ANSWER_LIMIT
        command = line.partition(" ")[0]
        while raw := self._from.readline(left):
            left -= len(raw)
            if not left:
                text = f"answered `{command}` with more than {ANSWER_LIMIT >> 20} MiB"
                raise Failure("bot", text, "program_long", command=command, most=ANSWER_LIMIT >> 20)
            said = raw.decode("utf-8", "replace").rstrip("\r\n")
            if said == "ok":
                return lines
            if said.startswith("err "):
                text = f"answered `{command}` with {_shown([said])}"
                raise Failure("bot", text, "program_error", command=command, answer=_shown([said]))
            lines.append(said)
        raise BrokenPipeError

    def _ended(self, command: str) -> Failure:
        """The failure of a program that has ended, or closed its output, instead of answering a command."""
        instead = f"instead of answering `{command}`"
        try:
            code = self._popen.wait(1)
        except subprocess.TimeoutExpired:
            return Failure("bot", f"closed its output {instead}", "program_closed", command=command)
        self._listener.join(1)
        said = f" (it said: {_shown(list(self._complaints))})" if self._complaints else ""
        last = _shown(list(self._complaints))
        if code < 0:
            text = f"was ended by signal {-code}{said} {instead}"
            return Failure("bot", text, "program_killed", command=command, signal=-code, last=last)
        text = f"ended with exit code {code}{said} {instead}"
        return Failure("bot", text, "program_ended", command=command, code=code, last=last)

    def end(self) -> None:
        """Kills it with all its children."""
        if sys.platform == "win32":
            self._popen.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()
        self._listener.join(1)
        # A child that left the group may still hold the other end of a pipe: then reading and closing may never end.
        closer = Thread(target=self._close, daemon=True)
        closer.start()
        closer.join(1)

    def _close(self) -> None:
        if self._errand is not None:
            self._errand.join()
        for stream in (self._to, self._from):
            with suppress(OSError):
                stream.close()


def _listen(stream: IO[bytes], last: deque[str]) -> None:
    """Keeps the last line that a program writes to standard error; the pipe must never fill up."""
    with stream:
        while raw := stream.readline(4096):
            if said := raw.decode("utf-8", "replace").strip():
                last.append(said)


class Errand(Thread, Generic[T]):
    """Work that may block, in its own thread, so that the caller can stop waiting.

    >>> Errand(lambda: 6 * 7).result(1)
    42
    """

    def __init__(self, work: Callable[[], T]) -> None:
        super().__init__(daemon=True)
        self._work = work
        self._results: list[T] = []
        self._errors: list[BaseException] = []
        self.start()

    def run(self) -> None:
        """Does the work; keeps the result or the error."""
        try:
            self._results.append(self._work())
        except BaseException as error:
            self._errors.append(error)

    def result(self, seconds: float) -> T:
        """The result of the work; raises its error, or TimeoutError if it is not done yet."""
        self.join(seconds)
        if self._errors:
            raise self._errors[0]
        if not self._results:
            raise TimeoutError
        return self._results[0]
