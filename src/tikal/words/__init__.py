"""The game's words in all languages, from the data file `glossary.toml`.

Everything that people read takes its words from here, so that a thing has one name everywhere:

>>> word("leader")
'leader'
>>> word("temple", "it", count=3)
'templi'
>>> list(languages())
['en', 'de', 'fr', 'es', 'it', 'zh']

The file is read on first use, not at import.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from tikal.rules.errors import TikalError

__all__ = ["WordError", "keys", "languages", "noun_class", "word"]


class WordError(TikalError):
    """A word or a language that is not in the glossary; `code` is `word` or `language`.

    >>> word("temple", "la")
    Traceback (most recent call last):
    tikal.words.WordError: la: no such language; there are en, de, fr, es, it, zh
    """


def word(key: str, lang: str = "en", count: int = 1) -> str:
    """The word for `key` in a language, in the form for `count`.

    >>> word("worker", count=2), word("worker", "fr", count=0), word("worker", "zh", count=2)
    ('workers', 'explorateur', '工人')
    >>> word("tempel")
    Traceback (most recent call last):
    tikal.words.WordError: tempel: no such word in the glossary; the nearest is temple
    """
    forms: str | list[str] = _entry(key, lang)[lang]
    if isinstance(forms, str):
        return forms
    singular, plural = forms
    from babel import Locale

    return singular if Locale.parse(lang).plural_form(count) == "one" else plural


def noun_class(key: str, lang: str = "en") -> str:
    """What the articles of a noun depend on, as the glossary explains it: gender, or the usual measure word.

    >>> noun_class("temple", "de"), noun_class("worker", "fr"), noun_class("temple", "zh")
    ('m', 'mv', '座')
    """
    found: str = _entry(key, lang).get("class", {}).get(lang, "")
    return found[:1] if lang == "zh" else found


def _entry(key: str, lang: str) -> dict[str, Any]:
    """The glossary's entry for a key; the language must be one of the glossary's."""
    known, entries = _glossary()
    if lang not in known:
        raise WordError("language", f"{lang}: no such language; there are {', '.join(known)}")
    if key not in entries:
        raise WordError("word", f"{key}: no such word in the glossary; {_nearest(key)}")
    entry: dict[str, Any] = entries[key]
    return entry


def languages() -> dict[str, str]:
    """The languages by code, with their own names.

    >>> languages()["de"]
    'Deutsch'
    """
    return dict(_glossary()[0])


def keys() -> tuple[str, ...]:
    """All keys that `word` knows, in the order of the glossary.

    >>> "action.dig" in keys()
    True
    """
    return tuple(_glossary()[1])


@cache
def _glossary() -> tuple[dict[str, Any], dict[str, Any]]:
    """The glossary's languages and its entries."""
    import tomllib  # imported here: programs that need no words do not pay for it

    entries = tomllib.loads(files(__name__).joinpath("glossary.toml").read_text("utf-8"))
    return entries.pop("languages"), entries


def _nearest(key: str) -> str:
    """The key that the caller probably meant."""
    import difflib

    near = difflib.get_close_matches(key, keys(), n=1)
    return f"the nearest is {near[0]}" if near else "see glossary.toml"
