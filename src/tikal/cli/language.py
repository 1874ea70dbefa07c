"""The language of the terminal: `play`, `replay`, `verify` and `analyse` choose one when they start.

`--language` sets it and is remembered; otherwise it is the remembered one, or that of the locale. Commands,
options, notation and `--help` are English everywhere.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tikal.play import Action, notation
from tikal.play.game import IllegalAction
from tikal.rules.errors import TikalError
from tikal.rules.refusals import is_ruling
from tikal.words import texts, word
from tikal.words.texts import Value

_spoken = texts.ENGLISH
_plain_punctuation = False


def add_language_argument(parser: argparse.ArgumentParser) -> None:
    """The argument `--language`."""
    about = f"speak {', '.join(texts.languages())}; remembered from now on (default: the language of the locale)"
    parser.add_argument("--language", metavar="LANG", help=about)


def choose(wanted: str | None) -> None:
    """Use the given language, or the default one."""
    global _spoken
    _spoken = _remembered() or texts.from_environment()
    if wanted is not None:
        if wanted not in (*texts.languages(), texts.PSEUDO):
            raise TikalError("usage", t("arg_language", text=wanted, choices=t("comma").join(texts.languages())))
        _remember(wanted)
        _spoken = wanted


def use_plain_punctuation(wanted: bool) -> None:
    """Use ASCII apostrophes, quotation marks and spaces, for terminals that support nothing else."""
    global _plain_punctuation
    _plain_punctuation = wanted


PLAIN = str.maketrans(dict.fromkeys("“”„«»", '"') | {"’": "'", "…": "...", "\u00a0": " ", "\u202f": " "})


def _shown(text: str) -> str:
    return text.translate(PLAIN) if _plain_punctuation else text


def t(key: str, /, **values: Value) -> str:
    """A message of the area `terminal`, in the current language.

    >>> t("bid", number=3)
    'bid 3'
    """
    return _shown(texts.text(f"terminal.{key}", _spoken, **values))


def shared(key: str, /, **values: Value) -> str:
    """A message of an area that the browser client shares.

    >>> shared("refusal.ap")
    'not enough action points'
    """
    return _shown(texts.text(key, _spoken, **values))


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
    """Why input at the prompt is refused: a whole line. `phase` is the phase of the game.

    >>> refusal(TikalError("usage", "9: no such choice"), "act")
    'No: 9: no such choice'
    """
    return t("no", why=explained(error, phase))


def explained(error: TikalError, phase: str = "") -> str:
    """An error in words. The text of an error without a reason is in the reader's language already.

    >>> explained(TikalError("option", "leaps needs auction=true", "option_needs", option="leaps", needed="auction"))
    'leaps needs auction=true'
    """
    if isinstance(error, IllegalAction):
        by = "ruling" if is_ruling(error.rule) else "rules" if error.rule else "other"
        why = _condition(error, phase)
        return shared("reason.illegal", action=error.action, why=why, by=by, rule=error.rule)
    return sentence(f"reason.{error.reason}", error.values) if error.reason else error.text


def sentence(key: str, values: Mapping[str, str | int | TikalError]) -> str:
    """A shared message; a value may be the error behind it."""
    plain = {name: explained(value) if isinstance(value, TikalError) else value for name, value in values.items()}
    return shared(key, **plain)


def _condition(error: IllegalAction, phase: str) -> str:
    """The condition that failed, in the browser client's words."""
    about = phase if error.code == "phase" else error.code
    kind = "phase" if error.code == "phase" else Action.parse(notation.split(error.action)[0]).kind
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
