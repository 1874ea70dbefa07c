"""Input from a person: a prompt with completion in a terminal, plain lines from a pipe."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from tikal.cli.language import t
from tikal.cli.plain import plain

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

HIGH = 38  # lines for the small board, the panel below it, and the last messages
MENU_LINES = 8  # lines below the prompt for completions, if the terminal is high enough
VERY_HIGH = 54  # lines for the large board, the panel below it, and completions
NO_KEYS: Mapping[str, str] = {}
Words = Callable[[], Sequence[tuple[str, str]]]


def no_words() -> Sequence[tuple[str, str]]:
    """Nothing to complete."""
    return ()


class Reader(Protocol):
    """Returns one line at a time; None at the end."""

    interactive: bool

    def read(
        self,
        prompt: str,
        words: Words = no_words,
        secret: bool = False,
        keys: Mapping[str, str] = NO_KEYS,
    ) -> str | None:
        """Shows `prompt`; `words` returns the completions, each word with its meaning.

        Each key in `keys`, pressed on an empty line, enters a whole line.
        """


class LineReader:
    """Lines of standard input; they are echoed, so that a transcript is complete."""

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
        print(prompt + (t("hidden") if secret else plain(line.strip())))
        return line.strip()


class PromptReader:
    """A prompt with history and completion; secret lines are neither shown nor remembered."""

    interactive = True

    def __init__(self) -> None:
        from prompt_toolkit import PromptSession

        self._open: PromptSession[str] = PromptSession()

    def read(
        self,
        prompt: str,
        words: Words = no_words,
        secret: bool = False,
        keys: Mapping[str, str] = NO_KEYS,
    ) -> str | None:
        """The next line, or None when the terminal is closed (Ctrl-D)."""
        from prompt_toolkit import PromptSession
        from prompt_toolkit.shortcuts import CompleteStyle

        session: PromptSession[str] = PromptSession() if secret else self._open
        low = shutil.get_terminal_size().lines < VERY_HIGH
        try:
            line = session.prompt(
                prompt,
                completer=None if secret else _completer(words()),
                is_password=secret,
                key_bindings=_bindings(keys),
                # Lines reserved for completions would push the board off a low terminal; Tab lists them there.
                reserve_space_for_menu=0 if low else MENU_LINES,
                complete_while_typing=not low,
                complete_style=CompleteStyle.READLINE_LIKE if low else CompleteStyle.COLUMN,
            )
        except EOFError:
            return None
        return line.strip()


def reader_for_stdin() -> Reader:
    """A prompt in a terminal, otherwise plain lines."""
    return PromptReader() if sys.stdin.isatty() and sys.stdout.isatty() else LineReader()


def completions(text: str, words: Sequence[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    """The completions of the last word of `text`.

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

    @bindings.add("c-c", filter=~empty)
    def _(event: KeyPressEvent) -> None:
        """Ctrl-C clears a half-typed line, as in a shell; on an empty line it ends the program."""
        event.current_buffer.reset()

    return bindings
