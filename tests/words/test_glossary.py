"""The glossary is complete and has one word for one thing; the loader answers or explains why not."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from itertools import combinations
from typing import Any

import pytest

import tikal.words
from tikal.rules.errors import TikalError
from tikal.rules.options import VALUES
from tikal.words import WordError, keys, languages, word

LANGUAGES = ("en", "de", "fr", "es", "it", "zh")
TEXT = files("tikal.words").joinpath("glossary.toml").read_text("utf-8")
ENTRIES: dict[str, dict[str, Any]] = tomllib.loads(TEXT)
del ENTRIES["languages"]
EVERY_LANGUAGE = pytest.mark.parametrize("lang", LANGUAGES)


def forms(key: str, lang: str) -> set[str]:
    """All forms of a word, normalised for comparison."""
    said = ENTRIES[key][lang]
    return {form.casefold() for form in ([said] if isinstance(said, str) else said)}


def clashes(lang: str) -> Iterator[tuple[str, str]]:
    """Pairs of things that have the same word in a language."""
    return ((one, other) for one, other in combinations(ENTRIES, 2) if forms(one, lang) & forms(other, lang))


def may_clash(one: str, other: str) -> bool:
    """Whether the glossary allows two things to share a word; both entries must say so."""
    return other in ENTRIES[one].get("like", []) and one in ENTRIES[other].get("like", [])


# ---- the data


def test_every_entry_has_all_languages_and_nothing_unknown() -> None:
    told = {key: set(entry) - {"like", "note", "class"} for key, entry in ENTRIES.items()}
    assert [key for key, fields in told.items() if fields != {"kind", *LANGUAGES}] == []
    assert {entry["kind"] for entry in ENTRIES.values()} == {"noun", "phrase", "name"}


@EVERY_LANGUAGE
def test_nouns_have_two_forms_where_the_language_has_plurals(lang: str) -> None:
    def right(entry: dict[str, Any]) -> bool:
        if entry["kind"] == "noun" and lang != "zh":
            return isinstance(entry[lang], list) and len(entry[lang]) == 2
        return isinstance(entry[lang], str)

    assert [key for key, entry in ENTRIES.items() if not right(entry)] == []


@EVERY_LANGUAGE
def test_words_are_clean_pieces_of_text(lang: str) -> None:
    def clean(form: str) -> bool:
        in_shape = bool(form) and form == " ".join(form.split()) and form.isprintable()
        return in_shape and form[-1] not in ".,:;!?" and "'" not in form  # apostrophes are typographic

    assert [form for key in ENTRIES for form in forms(key, lang) if not clean(form)] == []


def test_chinese_is_chinese() -> None:
    latin = {key for key, entry in ENTRIES.items() if not re.search("[\u4e00-\u9fff]", entry["zh"])}
    assert latin == {"ap", "action.pass"}  # the rulebook itself keeps the English here


@EVERY_LANGUAGE
def test_two_things_do_not_share_a_word(lang: str) -> None:
    assert [pair for pair in clashes(lang) if not may_clash(*pair)] == []


def test_permitted_equal_words_occur() -> None:
    alike = {frozenset(pair) for lang in LANGUAGES for pair in clashes(lang)}
    said = {frozenset((key, other)) for key, entry in ENTRIES.items() for other in entry.get("like", [])}
    assert said == alike


def test_every_option_and_every_value_with_a_name_has_a_word() -> None:
    pairs = ((option, value) for option, values in VALUES.items() for value in values)
    named = {f"{option}.{value}" for option, value in pairs if isinstance(value, str)}
    assert {f"option.{option}" for option in VALUES} | named <= set(ENTRIES)


# ---- the loader


def test_the_languages_are_the_six() -> None:
    assert tuple(languages()) == LANGUAGES
    assert len(set(languages().values())) == 6


def test_keys_are_those_of_the_file() -> None:
    assert keys() == tuple(ENTRIES)


@EVERY_LANGUAGE
def test_a_word_matches_the_file(lang: str) -> None:
    for key, entry in ENTRIES.items():
        singular, plural = [entry[lang]] * 2 if isinstance(entry[lang], str) else entry[lang]
        assert (word(key, lang), word(key, lang, count=5)) == (singular, plural)


@pytest.mark.parametrize(
    ("lang", "none", "one", "two"),
    [
        ("en", "workers", "worker", "workers"),
        ("fr", "explorateur", "explorateur", "explorateurs"),  # French counts none as one
        ("es", "trabajadores", "trabajador", "trabajadores"),
        ("zh", "工人", "工人", "工人"),
    ],
)
def test_the_form_goes_with_the_count(lang: str, none: str, one: str, two: str) -> None:
    assert [word("worker", lang, count) for count in (0, 1, 2)] == [none, one, two]


@pytest.mark.parametrize(
    ("key", "lang", "code", "text"),
    [
        ("temple", "xx", "language", "xx: no such language; there are en, de, fr, es, it, zh"),
        ("temple", "EN", "language", "EN: no such language; there are en, de, fr, es, it, zh"),
        ("tempel", "de", "word", "tempel: no such word in the glossary; the nearest is temple"),
        ("languages", "en", "word", "languages: no such word in the glossary; the nearest is language"),
        ("§§§", "en", "word", "§§§: no such word in the glossary; see glossary.toml"),
    ],
)
def test_an_unknown_word_or_language_is_refused(key: str, lang: str, code: str, text: str) -> None:
    with pytest.raises(WordError) as refused:
        word(key, lang)
    assert (refused.value.code, str(refused.value)) == (code, text)
    assert isinstance(refused.value, TikalError)


def test_the_glossary_is_not_read_before_its_first_use() -> None:
    ask = "from tikal import words; read = lambda: words._glossary.cache_info().currsize"
    ask += "; before = read(); words.word('camp'); print(before, read())"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout == "0 1\n"


def test_the_examples_in_the_docstrings_are_true() -> None:
    result = doctest.testmod(tikal.words)
    assert (result.failed, result.attempted > 0) == (0, True)
