"""Where a human's lines come from: a prompt with completion in a terminal, plain lines from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from tikal.cli.plain import plain

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

NO_KEYS: Mapping[str, str] = {}
Words = Callable[[], Sequence[tuple[str, str]]]


def no_words() -> Sequence[tuple[str, str]]:
    """Nothing to complete."""
    return ()


class Reader(Protocol):
    """Gives a line at a time; None when there are no more."""

    interactive: bool

    def read(
        self,
        prompt: str,
        words: Words = no_words,
        secret: bool = False,
        keys: Mapping[str, str] = NO_KEYS,
    ) -> str | None:
        """Ask with `prompt`; `words` gives what completion offers, each word with its meaning.

        A key of `keys`, pressed on an empty line, stands for a whole line.
        """


class LineReader:
    """Lines of standard input; what was read is printed, so that a transcript tells the whole story."""

    interactive = False

    def read(
        self,
        prompt: str,
        words: Words = no_words,
        secret: bool = False,
        keys: Mapping[str, str] = NO_KEYS,
    ) -> str | None:
        """The next line, or None at the end of the input."""
        del words, keys
        line = sys.stdin.readline()
        if not line:
            return None
        print(prompt + ("(hidden)" if secret else plain(line.strip())))
        return line.strip()


class PromptReader:
    """A prompt with history and completion; secret lines are neither shown nor remembered."""

    interactive = True

    def __init__(self) -> None:
        from prompt_toolkit import PromptSession

        self._open: PromptSession[str] = PromptSession(complete_while_typing=True)

    def read(
        self,
        prompt: str,
        words: Words = no_words,
        secret: bool = False,
        keys: Mapping[str, str] = NO_KEYS,
    ) -> str | None:
        """The next line, or None when the terminal is closed (Ctrl-D)."""
        from prompt_toolkit import PromptSession

        session: PromptSession[str] = PromptSession() if secret else self._open
        completer = None if secret else _completer(words())
        try:
            line = session.prompt(prompt, completer=completer, is_password=secret, key_bindings=_bindings(keys))
        except EOFError:
            return None
        return line.strip()


def reader_for_stdin() -> Reader:
    """A prompt where somebody sits at a terminal, else plain lines."""
    return PromptReader() if sys.stdin.isatty() and sys.stdout.isatty() else LineReader()


def completions(text: str, words: Sequence[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    """The words that go on from the last word of `text`.

    >>> list(completions("+W@a1 X", [("X@a2", "excavate"), ("D@b3", "dig")]))
    [('X@a2', 'excavate')]
    """
    last = text.rpartition(" ")[2]
    return [(word, meaning) for word, meaning in words if word.startswith(last)]


def _completer(words: Sequence[tuple[str, str]]) -> Completer:
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.document import Document

    class Words(Completer):
        def get_completions(self, document: Document, _: object) -> Iterable[Completion]:
            last = document.text_before_cursor.rpartition(" ")[2]
            for word, meaning in completions(document.text_before_cursor, words):
                yield Completion(word, start_position=-len(last), display_meta=meaning)

    return Words()


def _bindings(keys: Mapping[str, str]) -> KeyBindings:
    from prompt_toolkit.application import get_app
    from prompt_toolkit.filters import Condition
    from prompt_toolkit.key_binding import KeyBindings

    bindings = KeyBindings()
    empty = Condition(lambda: not get_app().current_buffer.text)
    for key, line in keys.items():

        @bindings.add(key, filter=empty)
        def _(event: KeyPressEvent, line: str = line) -> None:
            event.app.exit(result=line)

    return bindings
