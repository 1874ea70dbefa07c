"""The terminal in every language: whole games and records, the choice of the language, and the width of the drawing."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from tests.kit.amounts import sampled
from tests.kit.catalogues import ENGLISH
from tests.kit.commands import Run
from tikal.cli.analyse import turns_table
from tikal.cli.board import COMPACT, FULL, draw_board
from tikal.cli.language import choose, t
from tikal.cli.panel import panel
from tikal.cli.scene import scene_of
from tikal.cli.screen import PANEL_WIDTH, terminal
from tikal.cli.table import desk_of
from tikal.cli.theme import UNICODE
from tikal.cli.wrap import wrapped
from tikal.play import Game
from tikal.rules.options import Options
from tikal.words.texts import PSEUDO, languages, text

SPOKEN = (*languages(), PSEUDO)
EVERY_LANGUAGE = pytest.mark.parametrize("language", SPOKEN)
BOTS = ("--bot", "1=tourist:width=1", "--bot", "2=tourist:width=1")
RAW_KEY = re.compile(r"\b(terminal|refusal|options|start)\.[a-z_]+")


@pytest.fixture(autouse=True)
def _english_again(home: Path) -> object:
    yield
    choose("en")


@pytest.mark.parametrize("language", sampled(SPOKEN, "de", PSEUDO))
def test_a_whole_game(tikal: Run, home: Path, language: str) -> None:
    played = tikal("play", *BOTS, "--seed", "1", "--language", language)
    assert played.code == 0, played.err
    [record] = (home / "games").glob("*.tikal")
    over = text("terminal.over_one", language, who="|")
    told = [
        played,
        tikal("replay", record, "--no-input"),
        tikal("verify", record),
        tikal("replay", record, "--at", "40", "--no-input"),
    ]
    assert [answer.code for answer in told] == [0, 0, 0, 0]
    assert over.partition("|")[0] in played.out and over.partition("|")[0] in told[1].out
    assert text("terminal.verifies", language) in told[2].out
    assert not any(RAW_KEY.search(answer.out) for answer in told)
    assert not any("bot:" in answer.out for answer in (played, told[1], told[3]))  # names as in the browser
    if language not in ("en", PSEUDO):
        assert "The game is over" not in played.out and "action 40 of" not in told[3].out


@EVERY_LANGUAGE
def test_input_is_answered_in_the_language(tikal: Run, language: str) -> None:
    typed = "1\n1\nhelp\nmenu\nX@a2\ndance\nundo\nlog\nseats\nhint tourist\nquit\n"
    answer = tikal("play", "--seed", "42", "--language", language, stdin=typed)
    assert answer.code == 0, answer.err
    for key in ("help_intro", "help_commands", "kept", "command_undo"):
        assert text(f"terminal.{key}", language) in answer.out
    assert not RAW_KEY.search(answer.out)


@EVERY_LANGUAGE
@pytest.mark.parametrize("width", [40, 80, 120])
def test_long_texts_break_where_the_language_breaks_them(language: str, width: int) -> None:
    marks = {field.name: getattr(UNICODE, field.name) for field in fields(UNICODE)}
    told = text("terminal.legend", language, **marks)
    lines = wrapped(told, width)
    assert max(map(cell_len, lines)) <= width
    assert "".join(lines).replace(" ", "") == told.replace(" ", "")
    assert not [line for line in lines if line[0] in "，。、：；！？） \u00a0\u202f"]
    if language == "zh":  # a break only at spaces would end lines long before the edge
        assert min(map(cell_len, lines[:-1])) >= width - 6


@EVERY_LANGUAGE
@pytest.mark.parametrize("width", [60, 80])
def test_no_reason_of_an_analysis_is_cut(home: Path, language: str, width: int) -> None:
    choose(language)
    parts = {key.removeprefix("terminal.part_"): 1.0 for key in ENGLISH if key.startswith("terminal.part_")}
    turn = {"value": 1.0, "chance": 0.5, "parts": parts, "actions": ["+W@a1"] * 8}
    console = Console(width=width)
    with console.capture() as told:
        console.print(turns_table({"turns": [turn]}))
    assert "…" not in told.get()
    assert told.get().count("+W@a1") == 8


@EVERY_LANGUAGE
@pytest.mark.parametrize("players", [2, 4])
def test_board_and_panel_have_their_width(home: Path, language: str, players: int) -> None:
    choose(language)
    game = Game.new(Options(players=players), seed="3")
    names = [t(f"seat_{seat}") for seat in range(1, players + 1)]
    shown = terminal()
    for size in (FULL, COMPACT):
        lines = draw_board(scene_of(game.view(None), game.options.table), size).plain.split("\n")
        assert {cell_len(line) for line in lines} == {size.width}
    if language != PSEUDO:
        drawn = shown.console.render_lines(panel(desk_of(game, names, shown.glyphs), 400, beside=True), pad=False)
        heads = ["".join(part.text for part in line) for line in drawn[:14]]
        assert [head for head in heads if cell_len(head.rstrip()) > PANEL_WIDTH] == []


def test_the_language_comes_from_the_locale_and_is_remembered(
    tikal: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = text("terminal.kept", "fr")
    assert over not in tikal("play", "--seed", "1").out
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert over in tikal("play", "--seed", "1").out
    monkeypatch.setenv("LC_ALL", "C")
    assert over in tikal("play", "--seed", "1", "--language", "fr").out
    assert over in tikal("play", "--seed", "1").out
    (home / "language").write_text("klingon")
    assert over not in tikal("play", "--seed", "1").out


def test_an_unsupported_language_is_refused(tikal: Run) -> None:
    answer = tikal("play", "--language", "xx")
    assert (answer.code, answer.complaint.startswith("--language xx: choose one of en, ")) == (2, True)
