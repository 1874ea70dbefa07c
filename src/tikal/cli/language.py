"""The language of the terminal: `play`, `replay`, `verify` and `analyse` choose one when they start.

`--language` sets it and is remembered; otherwise it is the remembered one, or that of the locale. Commands,
options, notation and `--help` are English everywhere.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tikal.play import Action
from tikal.play.game import IllegalAction
from tikal.play.notation import EXAMPLES, NotationError
from tikal.rules.errors import TikalError
from tikal.words import texts, word
from tikal.words.texts import Value

_spoken = texts.ENGLISH
_typewriter = False


def add_language_argument(parser: argparse.ArgumentParser) -> None:
    """The argument `--language`."""
    about = f"speak {', '.join(texts.languages())}; remembered from now on (default: the language of the locale)"
    parser.add_argument("--language", metavar="LANG", help=about)


def choose(wish: str | None) -> None:
    """Use the given language, or the default one."""
    global _spoken
    if wish is not None:
        if wish not in (*texts.languages(), texts.PSEUDO):
            raise TikalError("usage", f"--language {wish}: must be one of {', '.join(texts.languages())}")
        _remember(wish)
    _spoken = wish or _remembered() or texts.from_environment()


def use_typewriter(wanted: bool) -> None:
    """Write straight apostrophes, for terminals that only support ASCII."""
    global _typewriter
    _typewriter = wanted


def _shown(told: str) -> str:
    return told.replace("’", "'") if _typewriter else told


def t(key: str, /, **values: Value) -> str:
    """A message of the area `terminal`, in the current language.

    >>> t("bid", number=3)
    'bid 3'
    """
    return _shown(texts.text(f"terminal.{key}", _spoken, **values))


def shared(key: str) -> str:
    """A message of an area that the browser client shares.

    >>> shared("refusal.ap")
    'not enough action points'
    """
    return _shown(texts.text(key, _spoken))


def spoken_word(key: str) -> str:
    """A word of the glossary.

    >>> spoken_word("treasure.2")
    'jaguar'
    """
    return word(key, texts.glossary_language(_spoken))


def phrase(form: str, key: str) -> str:
    """A word of the glossary with its article: `a` as an object, `the` as a subject.

    >>> phrase("a", "treasure.2"), phrase("the", "bot.adventurer")
    ('a jaguar', 'the adventurer')
    """
    return _shown(texts.phrase(form, key, _spoken))


def listed(items: Sequence[str]) -> str:
    """Several things as a part of a sentence; the message `comma` separates facts beside each other.

    >>> listed(["Ann", "Bob", "Cleo"])
    'Ann, Bob, and Cleo'
    """
    return texts.listing(items, _spoken)


def signed(points: float) -> str:
    """Points with their sign, in the language's format.

    >>> signed(4.26), signed(-0.01)
    ('+4.3', '+0.0')
    """
    return texts.number(round(points, 1) + 0.0, _spoken, "+#,##0.0;-#,##0.0")


def percent(chance: float) -> str:
    """A probability in the language's format.

    >>> percent(0.4)
    '40%'
    """
    return t("percent", chance=chance)


def refusal(error: TikalError, phase: str) -> str:
    """Why input at the prompt is refused: a whole line. `phase` is that of the game.

    >>> refusal(TikalError("usage", "9: no such choice"), "act")
    'No: 9: no such choice'
    """
    if isinstance(error, NotationError):
        return t("no", why=t("not_an_action", text=error.text.partition(": no action")[0], examples=EXAMPLES))
    if not isinstance(error, IllegalAction) or not error.rule:
        return t("no", why=error.text)
    key = "refused_ruling" if error.rule.startswith("R") else "refused"
    return t(key, action=error.action, why=_condition(error, phase), rule=error.rule)


def _condition(error: IllegalAction, phase: str) -> str:
    """The condition that failed, in the browser client's words."""
    about = phase if error.code == "phase" else error.code
    kind = "phase" if error.code == "phase" else Action.parse(error.action).kind
    key = f"refusal.{kind}_{about}"
    return shared(key if texts.has(key) else f"refusal.{error.code}")


def _file() -> Path:
    from tikal.cli.files import data_folder

    return data_folder() / "language"


def _remember(language: str) -> None:
    from tikal.cli.files import FileError, write_text

    with suppress(FileError):  # then the choice is not remembered
        write_text(_file(), f"{language}\n")


def _remembered() -> str | None:
    try:
        language = _file().read_text("utf-8").strip()
    except (OSError, ValueError):
        return None
    return language if language in (*texts.languages(), texts.PSEUDO) else None
