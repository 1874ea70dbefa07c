"""The catalogues of texts in Python: complete in every language, and in step with the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel import Locale

from tests.kit.catalogues import ENGLISH, LANGUAGES, catalogue, parts_of, values_of
from tikal.cli.menu import GROUPS
from tikal.play import Action
from tikal.rules import refusals
from tikal.rules.codes import PHASES
from tikal.rules.errors import TikalError
from tikal.server.errors import STATUS
from tikal.words import texts
from tikal.words.texts import TextError, best, from_environment, has, number, parse, text

ROOT = Path(__file__).parents[2]
FOR_PYTHON = ("terminal", "server")
EVERY_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)


# ---- the catalogues


@EVERY_LANGUAGE
def test_a_language_has_the_keys_of_english_and_the_same_values(language: str) -> None:
    own = catalogue(language)
    assert own.keys() == ENGLISH.keys()
    assert [key for key in own if values_of(own[key]) != values_of(ENGLISH[key])] == []


@EVERY_LANGUAGE
def test_plurals_have_every_form_of_the_language(language: str) -> None:
    locale = Locale.parse(language)
    needed = {locale.plural_form(count): count for count in range(200, -1, -1)}  # each with the first count that has it

    def missing(options: dict[str, Any]) -> bool:
        return any(form not in options and f"={first}" not in options for form, first in needed.items())

    def plurals(message: str) -> list[dict[str, Any]]:
        return [part["options"] for part in parts_of(parse(message)) if part.get("type") == "plural"]

    counting = [key for key, told in ENGLISH.items() if any("one" in options for options in plurals(told))]
    assert [key for key in counting if any(map(missing, plurals(catalogue(language)[key])))] == []


@EVERY_LANGUAGE
def test_texts_are_tidy(language: str) -> None:
    def tidy(told: str) -> bool:
        return bool(told.strip()) and "  " not in told and not re.search(r"(?<=\w)'(?=\w)", told)

    untidy = [key for key, told in catalogue(language).items() if not tidy(told)]
    assert [key for key in untidy if key not in ("terminal.check_yes", "terminal.check_no")] == []


@EVERY_LANGUAGE
def test_code_in_a_text_stays_as_it_is(language: str) -> None:
    def code(message: str) -> list[str]:
        return sorted(re.findall("`[^`]+`", message))

    assert [key for key, told in catalogue(language).items() if code(told) != code(ENGLISH[key])] == []


# ---- the code


@cache
def calls(name: str, folder: str) -> list[tuple[str, ast.Call]]:
    """Every call of a function in a package, with its file."""
    files = sorted((ROOT / "src" / "tikal" / folder).rglob("*.py"))
    nodes = ((path.name, node) for path in files for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    return [
        (file, node)
        for file, node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    ]


def pattern_of(node: ast.expr) -> Iterator[str]:
    """The possible keys of an argument, as patterns: texts, f-strings and choices between them."""
    match node:
        case ast.Constant(value=str(key)):
            yield re.escape(key)
        case ast.JoinedStr(values=values):
            yield "".join(re.escape(str(v.value)) if isinstance(v, ast.Constant) else r"\w+" for v in values)
        case ast.IfExp(body=body, orelse=orelse):
            yield from pattern_of(body)
            yield from pattern_of(orelse)
        case _:
            yield from ()


EXAMPLES = "A5@b3^0 +W@a1 W:a1-b2 W:a1=b2 X@a2 D@b3 S:2:3/5 C@b2 GW@c3 M@c3 R:2@c3 O:a1-b2 B:- B:5 K:A5 V:+ V:- J:2 ."
KINDS = {Action.parse(action).kind for action in EXAMPLES.split()}


@cache
def used() -> set[str]:
    """Patterns of all keys of the terminal and the server that the code uses."""
    spoken = {p for name in ("t", "styled") for _, call in calls(name, "cli") for p in pattern_of(call.args[0])}
    told = {p for _, call in calls("said", "server") for p in pattern_of(call.args[0])}
    found = {rf"terminal\.{pattern}" for pattern in spoken} | {rf"server\.{pattern}" for pattern in told}
    found |= {p for _, call in calls("text", "server") for p in pattern_of(call.args[0]) if p.startswith("server")}
    return found | {rf"terminal\.{key}" for key in (*KINDS, *GROUPS)}


def test_every_key_for_python_is_used_and_every_key_that_is_used_exists() -> None:
    keys = [key for key in ENGLISH if key.startswith(FOR_PYTHON)]
    assert [key for key in keys if not any(re.fullmatch(pattern, key) for pattern in used())] == []
    assert [pattern for pattern in used() if not any(re.fullmatch(pattern, key) for key in keys)] == []


def test_every_call_gives_the_values_that_its_message_takes() -> None:
    wrong = []
    for name in ("t", "styled"):
        for file, call in calls(name, "cli"):
            given = {keyword.arg for keyword in call.keywords}
            for pattern in pattern_of(call.args[0]):
                keys = [key for key in ENGLISH if re.fullmatch(rf"terminal\.{pattern}", key)]
                needs = set[str]().union(*(values_of(ENGLISH[key]) for key in keys))
                if None not in given and not needs <= given:
                    wrong.append((file, pattern, needs - given))
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_of_the_server_has_a_sentence(language: str) -> None:
    assert [code for code in STATUS if not catalogue(language).get(f"problem.{code}")] == []


def codes_of(function: str) -> set[str]:
    """The codes of all refusals that a function of the rules can give, directly or through another."""
    tree = ast.parse(Path(refusals.__file__).with_name("refusals.py").read_text("utf-8"))
    [found] = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == function]
    inner = [node.func.id for node in ast.walk(found) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    own = {
        str(node.args[0].value)
        for node in ast.walk(found)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal"
        if isinstance(node.args[0], ast.Constant)
    }
    others = [name for name in inner if name.startswith("_") and name != function and hasattr(refusals, name)]
    return own.union(*(codes_of(name) for name in others))


@pytest.mark.parametrize("check", sorted({function.__name__ for function in refusals._CHECKS.values()} - {"_end"}))
def test_every_refusal_of_the_rules_has_a_sentence(check: str) -> None:
    codes = codes_of(check) | codes_of("_price") | codes_of("_leap_limits")
    assert len(codes) > 2
    assert [code for code in codes if not {f"refusal.{check[1:]}_{code}", f"refusal.{code}"} & ENGLISH.keys()] == []


@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_has_an_instruction(phase: str) -> None:
    assert f"refusal.phase_{phase}" in ENGLISH


# ---- formatting


@pytest.mark.parametrize(
    ("language", "count", "told"),
    [("en", 1, "1 token"), ("en", 0, "0 tokens"), ("fr", 0, "0 jeton"), ("fr", 1, "1 jeton"), ("fr", 2, "2 jetons")],
)
def test_plurals_follow_the_language(language: str, count: int, told: str) -> None:
    assert text("terminal.tokens", language, count=count) == told


def test_numbers_follow_the_language() -> None:
    assert text("terminal.too_large", "en", path="x", bytes=4_000_000).count("4,000,000") == 1
    assert text("terminal.too_large", "fr", path="x", bytes=4_000_000).count("4\u202f000\u202f000") == 1
    assert text("terminal.percent", "fr", chance=0.59) == "59\u00a0%"
    assert number(1234.5, "fr") == "1\u202f234,5"


def test_the_pseudo_language_shows_where_a_text_begins_and_ends() -> None:
    assert text("terminal.bid", texts.PSEUDO, number=3) == "[bíd 3]"
    assert text("terminal.end", texts.PSEUDO).startswith("[éñd")


def test_a_language_without_a_text_yet_says_it_in_english() -> None:
    assert text("terminal.bid", "eo", number=3) == "bid 3"


@pytest.mark.parametrize("key", ["terminal.nothing", "nothing", ""])
def test_a_key_that_does_not_exist_is_an_error(key: str) -> None:
    assert not has(key)
    with pytest.raises(TextError, match="no such message"):
        text(key, "en")


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        (["fr-CA", "en"], "fr"),
        (["FR"], "fr"),
        (["xx", "fr_FR.UTF-8"], "fr"),
        (["*"], "en"),
        (["POSIX"], "en"),
        (["qps"], "qps"),
    ],
)
def test_the_best_language_is_the_first_that_we_speak(wanted: list[str], language: str) -> None:
    assert best(wanted) == language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LC_MESSAGES": "fr_FR", "LANG": "en_US.UTF-8"}, "fr"),
        ({"LC_ALL": "C.UTF-8", "LANG": "fr_FR"}, "en"),
        ({"LC_ALL": "", "LANG": "fr_FR"}, "fr"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "fr:en"}, "fr"),
        ({"LANG": "C", "LANGUAGE": "fr"}, "en"),
    ],
)
def test_the_language_comes_from_the_environment(environment: dict[str, str], language: str) -> None:
    assert from_environment(environment) == language


def test_errors_are_ours() -> None:
    assert issubclass(TextError, TikalError)
