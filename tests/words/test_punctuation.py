"""Every language has its own punctuation, in all messages and in the rules; docs/translating.md says which."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.kit.catalogues import LANGUAGES, catalogue
from tikal.words.texts import parse

RULES = Path(__file__).parents[2] / "docs" / "rules"
VALUE = "\ufffc"  # stands for a value
NARROW = "\u202f"
CHINESE = "\u4e00-\u9fff"

WRONG = {
    "en": {
        "a straight quotation mark": r'"',
        "a space before a mark": r"\s[;:!?](?=\s|$)",
    },
    "fr": {
        "no narrow space before a mark": rf"[^{NARROW}!?][;:!?»](?=[\s,.)”]|$)",
        "no narrow space after «": rf"«(?!{NARROW})",
        "another quotation mark": r'["“”„]',
    },
    "es": {
        "a space before a mark": r"\s[;:!?](?=\s|$)",
        "another quotation mark": r'["“”„]',
    },
    "it": {
        "a space before a mark": r"\s[;:!?](?=\s|$)",
        "another quotation mark": r'["“”„]',
    },
    "de": {
        "a space before a mark": r"\s[;:!?](?=\s|$)",
        "another quotation mark": r'["”«»]',
    },
    "zh": {
        "a half-width mark": rf"(?<=[{CHINESE}])[,;:!?()]|[,;:!?(](?=[{CHINESE}])|(?<=[{CHINESE}])\.(?=\s|$)",
        "a space beside a full-width mark": r"[，。：；！？（）、“”] (?!$)| [，。：；！？）、”]",
        "half an ellipsis": r"(?<![…,])…(?!…)",
        "another quotation mark": r'["„«»]',
    },
}
PAIRS = {"es": ("¿?", "¡!", "«»"), "fr": ("«»",), "it": ("«»",), "de": ("„“",), "zh": ("“”", "（）"), "en": ("“”",)}


def spoken(message: str) -> Iterator[str]:
    """The texts that a message can become, with a sign for each value, for code and for the quoted key ?."""
    for text in expanded(parse(message)):
        yield re.sub(rf"`[^`]*`|[“„«]{NARROW}?\?{NARROW}?[”“»]", VALUE, text)


def expanded(nodes: list[Any]) -> Iterator[str]:
    choices: list[list[str]] = []
    for node in nodes:
        if isinstance(node, str):
            choices.append([node])
        elif "options" in node:
            choices.append([text for option in node["options"].values() for text in expanded(option)])
        else:
            choices.append([VALUE])
    return ("".join(parts) for parts in product(*choices))


def paragraphs(language: str) -> Iterator[tuple[str, str]]:
    """The lines of the rules, without what is not text: code, links, anchors and the rows of dashes in tables."""
    for page in sorted((RULES / language).glob("*.md")):
        code = False
        for number, line in enumerate(page.read_text("utf-8").splitlines(), start=1):
            code ^= line.startswith("```")
            if not code and not line.startswith("```") and not re.fullmatch(r"[|:\- ]+", line):
                plain = re.sub(r"`[^`]*`|<[^>]*>|https?://\S+", VALUE, line)
                plain = re.sub(r"(?<=[。：])\*+ ", "", plain)  # Markdown needs this space
                for cell in re.sub(r"!\[|\]\([^)]*\)|[*\[\]]", "", plain).split("|"):
                    yield f"{page.name}:{number}", cell.strip()


def texts(language: str) -> Iterator[tuple[str, str]]:
    for key, message in catalogue(language).items():
        for text in spoken(message):
            yield key, text
    if language != "en":
        yield from paragraphs(language)


def faults(language: str, text: str) -> list[str]:
    """What is wrong with the punctuation of a text."""
    found = [what for what, pattern in WRONG[language].items() if re.search(pattern, text)]
    opened = [pair for pair in PAIRS[language] if text.count(pair[0]) != text.count(pair[1])]
    return found + [f"{pair} don't match" for pair in opened]


@pytest.mark.parametrize("language", LANGUAGES)
def test_punctuation_is_that_of_the_language(language: str) -> None:
    assert {(key, text): found for key, text in texts(language) if (found := faults(language, text))} == {}


@pytest.mark.parametrize(
    ("language", "text", "right"),
    [
        ("fr", f"Attention{NARROW}: à vous{NARROW}!", True),
        ("fr", "Attention : à vous !", False),
        ("fr", "Attention: à vous", False),
        ("fr", f"«{NARROW}oui{NARROW}»", True),
        ("fr", "«oui»", False),
        ("fr", '"oui"', False),
        ("es", "¡Hola! ¿Quién juega?", True),
        ("es", "Quién juega?", False),
        ("de", "„Ja“, sagt sie.", True),
        ("de", '"Ja", sagt sie.', False),
        ("it", "Dice «sì»: avanti!", True),
        ("it", "Dice «sì» : avanti", False),
        ("zh", "好，还剩 3 点。", True),
        ("zh", "好,还剩 3 点。", False),
        ("zh", "好， 还剩", False),
        ("zh", "正在加载…", False),
        ("en", "“Yes”: go on!", True),
        ("en", '"Yes"', False),
    ],
)
def test_wrong_punctuation_is_noticed(language: str, text: str, right: bool) -> None:
    assert (not faults(language, text)) == right
