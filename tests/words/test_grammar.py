"""Nouns have a class in every language, and the articles and measure words of all texts agree with it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tikal.words import noun_class
from tikal.words.texts import PSEUDO, glossary_language, phrase

ROOT = Path(__file__).parents[2]
ENTRIES: dict[str, dict[str, Any]] = tomllib.loads(files("tikal.words").joinpath("glossary.toml").read_text("utf-8"))
NOUNS = {key: entry for key, entry in ENTRIES.items() if entry.get("kind") == "noun"}
CLASSES = {
    "en": "c|v",
    "de": "m|f|n",
    "fr": "[mf]v?",
    "es": "m|f",
    "it": "fv?|m[vs]?",
    "zh": "[\u4e00-\u9fff]{1,3}",
}
# Words that stand right before a noun in the singular, with the genders that they allow.
ARTICLES = {
    language: {article: gender for gender, articles in by_gender.items() for article in articles.split()}
    for language, by_gender in {
        "de": {"m": "einen keinen", "f": "eine einer zur", "n": "das ins", "mn": "dem einem eines zum im am vom beim"},
        "fr": {"m": "un le du au ce aucun", "f": "une la cette aucune toute"},
        "es": {"m": "un el del al este ningún otro", "f": "una la esta ninguna otra"},
        "it": {"m": "un il lo del al nel sul dal questo", "f": "una un’ la della alla nella sulla dalla questa"},
    }.items()
}
# Kinds and times (种, 次) can be said of everything.
MEASURED = re.compile("[一两三几每这那哪]([个位名座张块片条只件枚颗组轮局支挺堆顶份副])(?=[\u4e00-\u9fff])")


def texts(language: str) -> Iterator[tuple[str, str]]:
    """All texts in a language: messages by key, and the paragraphs of the rules."""
    for path in sorted((ROOT / "web" / "src" / "messages" / language).glob("*.json")):
        for key, told in json.loads(path.read_text("utf-8")).items():
            yield f"{path.stem}.{key}", told
    for page in sorted((ROOT / "docs" / "rules" / language).glob("*.md")):
        for number, line in enumerate(page.read_text("utf-8").splitlines(), start=1):
            yield f"{page.name}:{number}", line


@cache
def genders(language: str) -> dict[str, set[str]]:
    """The genders that a word has as the head of a noun of the glossary."""
    found: dict[str, set[str]] = {}
    for entry in NOUNS.values():
        head = entry[language][0].split(" ")[0].casefold()
        found.setdefault(head, set()).add(entry["class"][language][0])
    return found


@cache
def with_article(language: str) -> re.Pattern[str]:
    """An article and a noun of the glossary."""
    nouns = "|".join(map(re.escape, genders(language)))
    return re.compile(rf"(?<![\w’])({'|'.join(ARTICLES[language])})[ ]?(?<=[ ’])({nouns})(?!\w)")


def disagreements(language: str, told: str) -> list[str]:
    """Articles before nouns of another gender."""
    known, articles = genders(language), ARTICLES[language]
    found = with_article(language).finditer(told.casefold())
    return [match[0] for match in found if not known[match[2]] & set(articles[match[1]])]


def measures(told: str) -> list[str]:
    """Counting words that the noun after them does not take."""
    nouns = sorted(((entry["zh"], entry["class"]["zh"]) for entry in NOUNS.values()), key=lambda noun: -len(noun[0]))
    wrong = []
    for match in MEASURED.finditer(told):
        at, allowed = match.end(), ""
        while noun := next(((word, taken) for word, taken in nouns if told.startswith(word, at)), None):
            at, allowed = at + len(noun[0]), allowed + noun[1]  # of nouns in a row, any may be counted
        if allowed and match[1] not in allowed:
            wrong.append(told[match.start() : at])
    return wrong


@pytest.mark.parametrize("language", CLASSES)
def test_every_noun_has_a_class(language: str) -> None:
    assert [key for key, entry in NOUNS.items() if not re.fullmatch(CLASSES[language], entry["class"][language])] == []


@pytest.mark.parametrize("language", ["fr", "it"])
def test_the_class_says_whether_a_vowel_begins_the_noun(language: str) -> None:
    elided = {key for key, entry in NOUNS.items() if re.match("[aeiouhéèêâ]", entry[language][0])}
    assert {key for key, entry in NOUNS.items() if "v" in entry["class"][language]} == elided


@pytest.mark.parametrize("language", ARTICLES)
def test_articles_agree_with_their_nouns(language: str) -> None:
    wrong = {key: found for key, told in texts(language) if (found := disagreements(language, told))}
    assert wrong == {}


def test_measure_words_go_with_their_nouns() -> None:
    assert {key: found for key, told in texts("zh") if (found := measures(told))} == {}


@pytest.mark.parametrize(
    ("language", "told", "wrong"),
    [
        ("de", "Lege einen Tempel auf das Feld.", []),
        ("de", "Lege eine Tempel auf dem Feld.", ["eine tempel"]),
        ("fr", "la tuile du temple", []),
        ("fr", "le tuile de la temple", ["le tuile", "la temple"]),
        ("es", "el templo de la selva", []),
        ("it", "un’azione del partecipante", []),
        ("it", "un tavola", ["un tavola"]),
    ],
)
def test_a_wrong_article_is_noticed(language: str, told: str, wrong: list[str]) -> None:
    assert disagreements(language, told) == wrong


def test_a_wrong_measure_word_is_noticed() -> None:
    assert measures("一座神庙，一个机枪守卫，一只神庙") == ["一只神庙"]


@pytest.mark.parametrize(
    ("language", "object_", "subject"),
    [
        ("en", "an obstacle", "the obstacle"),
        ("de", "ein Hindernis", "das Hindernis"),
        ("fr", "un obstacle", "l’obstacle"),
        ("es", "un obstáculo", "el obstáculo"),
        ("it", "un ostacolo", "l’ostacolo"),
        ("zh", "一个障碍物", "障碍物"),
        (PSEUDO, "áñ obstacle", "thé obstacle"),
        ("eo", "an obstacle", "the obstacle"),  # a language that the glossary does not have yet
    ],
)
def test_a_noun_takes_its_article(language: str, object_: str, subject: str) -> None:
    assert (phrase("a", "obstacle", language), phrase("the", "obstacle", language)) == (object_, subject)


def test_italian_articles_follow_the_sound() -> None:
    told = [phrase(form, key, "it") for key in ("bot.mason", "bot.tourist", "auction") for form in ("a", "the")]
    assert told == ["uno scalpellino", "lo scalpellino", "un turista", "il turista", "un’asta", "l’asta"]


def test_the_class_for_messages_is_one_code() -> None:
    assert (noun_class("player", "zh"), noun_class("title", "de"), glossary_language("eo")) == ("位", "", "en")
