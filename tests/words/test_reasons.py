"""Errors have a sentence in every language: each that a player can meet names its reason and its values."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.kit.catalogues import ENGLISH, LANGUAGES, catalogue, values_of
from tikal.cli.language import choose, explained
from tikal.play import Game
from tikal.play.records import RecordError, read
from tikal.rules.errors import TikalError
from tikal.rules.options import OptionError, Options
from tikal.server.errors import STATUS

SOURCE = Path(__file__).parents[2] / "src" / "tikal"
PACKAGES = ("rules", "play", "bots", "server")
FOR_PEOPLE = {
    "RecordError",
    "OptionError",
    "SeedError",
    "ChanceError",
    "NotationError",
    "DiceError",
    "BotError",
    "Undelivered",
    "Failure",  # becomes a BotError, which adds the bot
}
MAY_HAVE_A_REASON = {"Refused", "Conflict"}  # a code of the server has a sentence of its own
# Codes whose sentence says enough whatever has happened, that only programs meet, or that come with a condition.
SAY_ENOUGH = {
    "malformed", "oversized", "identity", "origin", "unknown", "running", "over", "frozen", "stale", "turn", "rate",
    "fault", "password", "illegal",
}  # fmt: skip
FOR_PROGRAMS = {"best", "analyse"}  # functions whose own refusals only programs can cause: `best` of the protocol
OTHERS = {"illegal", "interrupted"}  # reasons that no call names: of `IllegalAction`, and of Ctrl-C


@dataclass(frozen=True)
class Call:
    """An error that is made somewhere: its class, the function, and its reason with the values, if it names one."""

    error: str
    function: str
    reason: str | None
    values: frozenset[str]


def calls() -> Iterator[Call]:
    for package in PACKAGES:
        for path in sorted((SOURCE / package).rglob("*.py")):
            for function in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield from calls_in(function)


def calls_in(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Call]:
    for node in ast.walk(function):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        reason = node.args[2] if len(node.args) > 2 else None
        if node.func.id not in (FOR_PEOPLE | MAY_HAVE_A_REASON if reason else FOR_PEOPLE):
            continue
        if isinstance(reason, ast.Attribute):  # passes another error's reason on
            continue
        values = frozenset(word.arg or "" for word in node.keywords)
        values |= {"bot"} if node.func.id == "Failure" else set()
        yield Call(node.func.id, function.name, str(reason.value) if isinstance(reason, ast.Constant) else None, values)


CALLS = sorted(set(calls()), key=str)


def test_every_error_that_a_player_can_meet_names_its_reason() -> None:
    assert len(CALLS) > 50
    assert [call for call in CALLS if call.reason is None and call.function not in FOR_PROGRAMS] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_sentence_that_takes_its_values(language: str) -> None:
    own = catalogue(language)
    wrong = [c for c in CALLS if c.reason and values_of(own.get(f"reason.{c.reason}", "")) != c.values]
    assert wrong == []


def test_every_sentence_is_the_reason_of_an_error() -> None:
    named = {f"reason.{reason}" for reason in {call.reason for call in CALLS if call.reason} | OTHERS}
    told = {key for key in ENGLISH if key.startswith("reason.") and not key.startswith("reason.check_")}
    assert told == named


def texts_without_a_reason() -> dict[str, set[str]]:
    """The codes of the server, each with the English texts of its refusals that name no reason."""
    found: dict[str, set[str]] = {code: set() for code in STATUS}
    for path in (SOURCE / "server").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refused":
                codes = [str(one.value) for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)]
                for code in codes if len(node.args) == 2 else []:
                    form = "password" if path.stem == "passwords" else ""  # a form may have a sentence of its own
                    if f"problem.{form}_{code}" not in ENGLISH:
                        found[code].add(ast.unparse(node.args[1]))
    return found


@pytest.mark.parametrize(("code", "texts"), texts_without_a_reason().items())
def test_a_refusal_says_what_has_happened(code: str, texts: set[str]) -> None:
    """A code's own sentence is about one thing; where it can mean several, the others name their reasons."""
    assert len(texts) <= 1 or code in SAY_ENOUGH, texts


def checks() -> Iterator[tuple[str, frozenset[str]]]:
    """The checks of a record, each with its values."""
    for node in ast.walk(ast.parse((SOURCE / "play" / "records.py").read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Check":
            given = node.args[3].keys if len(node.args) > 3 and isinstance(node.args[3], ast.Dict) else []
            code = node.args[1]
            assert isinstance(code, ast.Constant)
            yield str(code.value), frozenset(str(key.value) for key in given if isinstance(key, ast.Constant))


def test_every_check_of_a_record_has_a_sentence() -> None:
    told = {f"reason.check_{code}": values for code, values in checks()}
    assert {key: values_of(ENGLISH[key]) for key in told} == told
    assert {key for key in ENGLISH if key.startswith("reason.check_")} == told.keys()


# ---- what is said


RECORD = Game.new(Options(), seed="42").record(reveal=True)
BROKEN = {
    "record_game": "1 .",
    "record_line": RECORD + "\n5 .",
    "record_one_value": RECORD.replace('"super-meeple"', '"super-meeple" "classic"'),
    "record_in_line": RECORD + "\n1 X@a2",
    "option_value": RECORD.replace("players=2", "players=9"),
    "option_unknown": RECORD.replace("players=2", "players=2 weather=wet"),
}


@pytest.fixture
def _english_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    yield
    choose("en")


@pytest.mark.usefixtures("_english_again")
@pytest.mark.parametrize("reason", BROKEN)
def test_a_record_that_cannot_be_read_is_explained_in_every_language(reason: str) -> None:
    with pytest.raises(TikalError) as caught:
        read(BROKEN[reason])
    assert caught.value.reason == reason
    told = []
    for language in LANGUAGES:
        choose(language)
        told.append(explained(caught.value))
    assert len(set(told)) == len(LANGUAGES), told


@pytest.mark.usefixtures("_english_again")
def test_the_error_behind_an_error_is_explained_too() -> None:
    with pytest.raises(RecordError) as caught:
        read(RECORD + "\n1 X@a2")
    choose("de")
    line = len(RECORD.splitlines()) + 2
    assert explained(caught.value).startswith(f"Zeile {line}: X@a2: ")
    assert str(caught.value).startswith(f"line {line}: X@a2: ")  # programs read English
    assert "must" not in explained(caught.value)


def test_an_error_keeps_its_reason_in_a_pickle() -> None:
    with pytest.raises(OptionError) as caught:
        Options(players=5)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (type(copy), str(copy)) == (OptionError, str(caught.value))
    assert (copy.code, copy.reason, copy.values) == ("players", "option_value", caught.value.values)
