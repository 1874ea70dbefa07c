"""Sentences by key, in the reader's language.

The catalogues are those of the browser client, `web/src/messages/LANGUAGE/AREA.json`: one folder for each language,
one file for each area, messages in ICU's format. An installed package has a copy of that folder. The areas `terminal`
and `server` are for Python alone; Python and the client share the others.

>>> text("terminal.bid", "en", number=3)
'bid 3'
>>> text("terminal.taken_back", "fr", count=2)
'2 actions annulées'

Plural forms, numbers and dates follow the locale (Babel's data). Nothing is read before the first question.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tikal.rules.errors import TikalError
from tikal.words import languages as glossary_languages
from tikal.words import noun_class, word

if TYPE_CHECKING:
    from babel import Locale

ENGLISH = "en"
PSEUDO = "qps"  # made from the English texts; exposes cut, assembled or untranslated texts
Value = str | int | float | date
Nodes = list[Any]

_INSTALLED = Path(__file__).parents[1] / "messages"
_IN_CLONE = Path(__file__).parents[3] / "web" / "src" / "messages"
_ACCENTS = str.maketrans("aceinosuyz", "áçéíñôšüýž")


class TextError(TikalError):
    """A key that no catalogue has, or a value that a message needs; `code` is `text`.

    >>> text("terminal.bid", "en")
    Traceback (most recent call last):
    tikal.words.texts.TextError: terminal.bid: needs a value for number
    """


def text(key: str, language: str, /, **values: Value) -> str:
    """The message of a key, filled in with values. A key that a language lacks falls back to English."""
    formatted = _Formatter(key, language, values).all(_parsed(_source(language), key))
    return f"[{formatted}]" if language == PSEUDO else formatted


def phrase(form: str, key: str, language: str) -> str:
    """A noun of the glossary with its article, as sentences need it: `a` as an object, `the` as a subject.

    >>> phrase("a", "treasure.1", "de"), phrase("the", "bot.surveyor", "fr"), phrase("a", "treasure.1", "zh")
    ('eine Maske', 'l’arpenteur', '一副面具')

    The pseudo-language puts no brackets here: a noun is a value like a name.
    """
    spoken = glossary_language(language)
    values = {"word": word(key, spoken), "kind": noun_class(key, spoken)}
    return _Formatter(f"words.{form}", language, values).all(_parsed(_source(language), f"words.{form}"))


def glossary_language(language: str) -> str:
    """The language whose words of the glossary are used: English if the glossary lacks this one.

    >>> glossary_language("fr"), glossary_language("eo"), glossary_language(PSEUDO)
    ('fr', 'en', 'en')
    """
    return language if language in glossary_languages() else ENGLISH


def has(key: str) -> bool:
    """Whether there is a message for a key composed at run time, such as the code of a problem.

    >>> has("refusal.ap"), has("refusal.weather")
    (True, False)
    """
    return key in _texts(ENGLISH)


@cache
def languages() -> tuple[str, ...]:
    """The languages that have a folder, English first.

    >>> languages()[:1]
    ('en',)
    """
    found = sorted(path.name for path in _folder().iterdir() if path.is_dir())
    return ENGLISH, *(name for name in found if name != ENGLISH)


def best(wanted: Iterable[str]) -> str:
    """The first of the wanted locales that is supported, else English.

    >>> best(["fr_CA.UTF-8"]), best(["la", "fr"]), best(["C"]), best([])
    ('fr', 'fr', 'en', 'en')

    A folder for a region (`pt-BR`) goes before one for its language.
    """
    known = {language.lower(): language for language in (*languages(), PSEUDO)}
    tags = (locale.partition(".")[0].partition("@")[0].replace("_", "-").lower() for locale in wanted)
    codes = (code for tag in tags for code in (tag, tag.partition("-")[0]))
    return next((known[code] for code in codes if code in known), ENGLISH)


def number(value: float, language: str, pattern: str | None = None) -> str:
    """A number in the language's format.

    >>> number(4.26, "en", "+0.0;-0.0"), number(4.26, "fr", "+0.0;-0.0")
    ('+4.3', '+4,3')
    """
    from babel.numbers import format_decimal

    return format_decimal(value, format=pattern, locale=_locale(language))


def listing(items: Sequence[str], language: str) -> str:
    """Several things as one, as a part of a sentence.

    >>> listing(["Ann", "Bob"], "en"), listing(["Ann", "Bob"], "fr")
    ('Ann and Bob', 'Ann et Bob')
    """
    patterns: dict[str, str] = _locale(language).list_patterns["standard"]
    if len(items) < 3:
        return patterns["2"].format(*items) if len(items) == 2 else "".join(items)
    joined = patterns["start"].format(*items[:2])
    for item in items[2:-1]:
        joined = patterns["middle"].format(joined, item)
    return patterns["end"].format(joined, items[-1])


def _source(language: str) -> str:
    """The language whose texts and locale are used: the pseudo-language is English with accents."""
    return ENGLISH if language == PSEUDO else language


@cache
def _locale(language: str) -> Locale:
    from babel import Locale

    return Locale.parse(_source(language), sep="-")


def _folder() -> Path:
    return _INSTALLED if _INSTALLED.is_dir() else _IN_CLONE


@cache
def _texts(language: str) -> Mapping[str, str]:
    """All messages of a language by `AREA.key`."""
    texts = {}
    for file in sorted((_folder() / language).glob("*.json")):
        area = json.loads(file.read_text("utf-8"))
        texts.update({f"{file.stem}.{key}": message for key, message in area.items()})
    return texts


@cache
def _parsed(language: str, key: str) -> Nodes:
    """A message parsed into its parts."""
    message = _texts(language).get(key) or _texts(ENGLISH).get(key)
    if message is None:
        raise TextError("text", f"{key}: no such message")
    return parse(message)


def parse(message: str) -> Nodes:
    """Parses a message into `pyicumessageformat`'s parts; a malformed message raises `SyntaxError`.

    >>> parse("bid {number}")
    ['bid ', {'name': 'number'}]
    """
    from pyicumessageformat import Parser

    parts: Nodes = Parser().parse(message)
    return parts


class _Formatter:
    """Formats the parts of one message with values."""

    def __init__(self, key: str, language: str, values: Mapping[str, Value]) -> None:
        self._key = key
        self._language = language
        self._values = values

    def all(self, parts: Iterable[Any]) -> str:
        return "".join(self._literal(part) if isinstance(part, str) else self._part(part) for part in parts)

    def _literal(self, part: str) -> str:
        return part.translate(_ACCENTS) if self._language == PSEUDO else part

    def _part(self, part: Mapping[str, Any]) -> str:
        name = part["name"]
        if name not in self._values:
            raise TextError("text", f"{self._key}: needs a value for {name}")
        value = self._values[name]
        kind = part.get("type")
        if kind is None:
            return str(value)
        if kind == "select":
            options = part["options"]
            return self.all(options.get(str(value), options["other"]))
        if kind in ("plural", "selectordinal"):
            return self._plural(part, value, ordinal=kind == "selectordinal")
        return self._formatted(kind, part.get("format"), value)

    def _plural(self, part: Mapping[str, Any], value: Value, *, ordinal: bool) -> str:
        assert isinstance(value, (int, float))
        options = part["options"]
        if f"={value}" in options:
            return self.all(options[f"={value}"])
        locale = _locale(self._language)
        form = (locale.ordinal_form if ordinal else locale.plural_form)(value)
        return self.all(options.get(form, options["other"]))

    def _formatted(self, kind: str, style: str | None, value: Value) -> str:
        from babel import dates, numbers

        locale = _locale(self._language)
        if kind == "number":
            assert isinstance(value, (int, float))
            if style == "percent":
                return numbers.format_percent(value, locale=locale)
            return number(value, self._language, _DECIMALS.get(style or ""))
        assert isinstance(value, date)
        if kind == "date":
            return dates.format_date(value, format=style or "medium", locale=locale)
        assert isinstance(value, datetime)
        return dates.format_time(value, format=style or "short", locale=locale)


_DECIMALS = {"::.0": "#,##0.0", "::+.0": "+#,##0.0;-#,##0.0"}
"""The number skeletons that messages use; the client's library supports all of ICU's."""


def from_environment(environment: Mapping[str, str] = os.environ) -> str:
    """The language of the terminal's locale.

    >>> from_environment({"LANG": "fr_FR.UTF-8"}), from_environment({"LC_ALL": "C", "LANG": "fr_FR.UTF-8"})
    ('fr', 'en')
    """
    wanted = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    if wanted:
        preferred = environment.get("LANGUAGE", "").split(":") if wanted.partition(".")[0] not in ("C", "POSIX") else []
        return best([*preferred, wanted])
    return best([_of_the_system()])


def _of_the_system() -> str:
    """Windows has no such variables, but a function."""
    import locale

    return locale.getlocale()[0] or ""
