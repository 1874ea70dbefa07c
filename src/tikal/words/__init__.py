"""The game's words in every language that it speaks, from the one data file `glossary.toml`.

Everything that talks to people asks here, so that a thing has one name everywhere:

>>> word("leader")
'leader'
>>> word("temple", "it", count=3)
'templi'
>>> list(languages())
['en', 'de', 'fr', 'es', 'it', 'zh']

The file is read at the first question, not at import.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from tikal.rules.errors import TikalError

__all__ = ["WordError", "keys", "languages", "word"]


class WordError(TikalError):
    """A word or a language that the glossary does not have; `code` is `word` or `language`.

    >>> word("temple", "la")
    Traceback (most recent call last):
    tikal.words.WordError: la: no such language; there are en, de, fr, es, it, zh
    """


def word(key: str, lang: str = "en", count: int = 1) -> str:
    """The word for `key` in a language, in the form that goes with `count`.

    >>> word("worker", count=2), word("worker", "fr", count=0), word("worker", "zh", count=2)
    ('workers', 'explorateur', '探险队工人')
    >>> word("tempel")
    Traceback (most recent call last):
    tikal.words.WordError: tempel: no such word in the glossary; the nearest is temple
    """
    speech, entries = _glossary()
    if lang not in speech:
        raise WordError("language", f"{lang}: no such language; there are {', '.join(speech)}")
    if key not in entries:
        raise WordError("word", f"{key}: no such word in the glossary; {_nearest(key)}")
    forms: str | list[str] = entries[key][lang]
    if isinstance(forms, str):
        return forms
    singular, plural = forms
    return singular if count in speech[lang]["one"] else plural


def languages() -> dict[str, str]:
    """The languages by code, each under its own name.

    >>> languages()["de"]
    'Deutsch'
    """
    return {code: speech["name"] for code, speech in _glossary()[0].items()}


def keys() -> tuple[str, ...]:
    """All keys that `word` knows, in the order of the glossary.

    >>> "action.dig" in keys()
    True
    """
    return tuple(_glossary()[1])


@cache
def _glossary() -> tuple[dict[str, Any], dict[str, Any]]:
    """The glossary's languages and its entries."""
    import tomllib  # here, and not above: a program that says nothing does not pay for it

    entries = tomllib.loads(files(__name__).joinpath("glossary.toml").read_text("utf-8"))
    return entries.pop("languages"), entries


def _nearest(key: str) -> str:
    """What the caller may have meant."""
    import difflib

    near = difflib.get_close_matches(key, keys(), n=1)
    return f"the nearest is {near[0]}" if near else "see glossary.toml"
