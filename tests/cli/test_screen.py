"""The whole screen in terminals of all sizes: the panel's content, and nothing is cut off."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from tests.kit.commands import Run, random_game
from tikal.cli.board import COMPACT, FULL
from tikal.cli.panel import NAME_ROOM, beads, tile_row
from tikal.cli.scene import scene_of
from tikal.cli.screen import Terminal, present, screen
from tikal.cli.table import desk_of
from tikal.cli.theme import ASCII, UNICODE
from tikal.play import Game

NAMES = ["Ann", "Bartholomew the Great", "Cleo", "Dan"]


def drawn(game: Game, width: int, height: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, height=height, no_color=True)
    scene = scene_of(game.view(None), game.options.table)
    console.print(screen(console, scene, desk_of(game, NAMES[: game.options.players], UNICODE)))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def midgame(*pairs: str, most: int = 150) -> Game:
    return random_game("players=4", *pairs, seed=8, most=most)


@pytest.mark.parametrize(
    ("width", "height"), [(80, 24), (80, 60), (100, 40), (100, 60), (120, 50), (155, 40), (160, 40), (200, 60)]
)
@pytest.mark.parametrize("most", [0, 150, 9999])
def test_everything_is_shown_and_nothing_is_cut(width: int, height: int, most: int) -> None:
    game = midgame(most=most)
    lines = drawn(game, width, height)
    assert max(map(len, lines)) <= width
    text, status = "\n".join(lines), game.status()
    for seat, score in enumerate(status["scores"], start=1):
        name = NAMES[seat - 1] if len(NAMES[seat - 1]) <= NAME_ROOM else f"{NAMES[seat - 1][: NAME_ROOM - 1]}."
        assert re.search(rf" {seat} +{re.escape(name)} +{score} ", text)
    assert all(f"{column}{row}" in text for column in "abcdefgh" for row in range(1, 6))
    assert "…" not in text


def test_a_wide_terminal_has_the_panel_beside_the_board() -> None:
    beside, below = drawn(midgame(), 165, 50), drawn(midgame(), 120, 50)
    assert len(beside) == FULL.height
    assert len(below) > FULL.height
    assert any("score" in line[FULL.width :] for line in beside)


def test_a_low_terminal_has_the_small_board() -> None:
    lines = drawn(midgame(), 120, 35)
    assert max(map(len, lines[: COMPACT.height])) <= COMPACT.width


def test_the_panel_shows_public_information() -> None:
    game = midgame()
    view, text = game.view(game.seat), "\n".join(drawn(game, 100, 60))
    assert f"deck {view['deck_left']}, left in {view['top_letter']}:" in text
    unseen = [tile for tile in view["unseen_tiles"] if tile[0] == view["top_letter"]]
    assert f"{view['top_letter']}: {' '.join(unseen)}" in text
    assert re.search(r"left +" + r" +".join(str(count) for count in view["supply"].values()), text)
    for row in game.forecast():
        assert f"+{row['total']}" in text
    assert f"{beads(view['ap']).plain} {view['ap']} AP" in text


def test_the_tile_in_hand_is_drawn_in_all_its_rotations() -> None:
    game = midgame(most=0)
    text = "\n".join(drawn(game, 100, 60))
    tile = game.status()["tile"]
    assert f"in hand {tile}" in text
    for action in game.legal():
        assert f"{tile}^{action[-1]}" in text


def test_the_auction_shows_display_and_bid() -> None:
    game = midgame("auction=true", most=0)
    game.play("B:3")
    text = "\n".join(drawn(game, 100, 60))
    assert "highest bid 3" in text
    assert all(tile in text for tile in game.status()["display"])


def test_a_scoring_round_says_so() -> None:
    game = midgame(most=9999)
    while (game.view(None)["scoring"] or {"kind": ""})["kind"] != "final":
        game.undo(1)
    order = " ".join(map(str, game.view(None)["scoring"]["order"]))
    assert f"final scoring round, order {order}" in "\n".join(drawn(game, 100, 60))


def test_the_end_names_the_winners() -> None:
    game = midgame(most=9999)
    text = "\n".join(drawn(game, 100, 60))
    assert "The game is over:" in text
    [line] = [line for line in text.splitlines() if "The game is over" in line]
    assert [int(seat) for seat in re.findall(r" (\d) ", line)] == game.status()["winners"]
    assert "the deck is empty" in text


def shown_live(width: int, height: int) -> tuple[Terminal, io.StringIO]:
    file = io.StringIO()
    return Terminal(Console(file=file, width=width, height=height, no_color=True), UNICODE, live=True), file


@pytest.mark.parametrize("most", [0, 150, 9999])
@pytest.mark.parametrize("pairs", [(), ("auction=true",), ("auction=true", "leaps=true")])
def test_a_terminal_of_24_lines_has_the_board_one_line_and_room_for_the_prompt(
    most: int, pairs: tuple[str, ...]
) -> None:
    game = midgame(*pairs, most=most)
    terminal, file = shown_live(80, 24)
    scene = scene_of(game.view(None), game.options.table)
    present(terminal, scene, desk_of(game, NAMES, UNICODE), ["one", "two"])
    lines = file.getvalue().splitlines()
    assert lines[:2] == ["one", "two"]  # above the board
    assert len(lines[2:]) == 23
    assert max(map(len, lines)) <= 80
    assert all(f"{column}{row}" in file.getvalue() for column in "abcdefgh" for row in range(1, 6))
    for score in game.status()["scores"]:
        assert f" {score}" in lines[-1]


@pytest.mark.parametrize(("width", "height"), [(80, 40), (120, 40), (120, 50), (165, 40)])
def test_a_high_terminal_has_the_whole_panel_below_many_messages(width: int, height: int) -> None:
    game = midgame()
    terminal, file = shown_live(width, height)
    messages = [f"message {number}" for number in range(60)]
    present(terminal, scene_of(game.view(None), game.options.table), desk_of(game, NAMES, UNICODE), messages)
    lines = file.getvalue().splitlines()
    assert lines[: len(messages)] == messages
    below = lines[len(messages) :]
    assert len(below) < height
    assert any("level tiles" in line for line in below)
    assert all(f"{column}{row}" in "\n".join(below) for column in "abcdefgh" for row in range(1, 6))


def test_long_lines_are_wrapped_between_words() -> None:
    terminal, file = shown_live(40, 50)
    text = "The surveyor would enter the leader and walk to the temple on c3, which it would then hold."
    terminal.tell(text)
    lines = file.getvalue().splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= 40
    assert " ".join(line.strip() for line in lines) == text


def test_beads() -> None:
    assert beads(0).plain == "○" * 10
    assert beads(10).plain == "●" * 10
    assert beads(3, ASCII).plain == "***......."


@pytest.mark.parametrize("width", [12, 40, 80, 200])
def test_tiles_stand_in_as_many_rows_as_they_need(width: int) -> None:
    console = Console(file=io.StringIO(), width=max(width, 20), no_color=True)
    console.print(tile_row([f"A5^{turn}" for turn in range(6)], width))
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert all(f"A5^{turn}" in text for turn in range(6))


def test_a_pipe_gets_no_colours_unless_it_wants_them(tikal: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in tikal("play", "--seed", "1").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = tikal("play", "--seed", "1", stdin="+W@a1\n").out
    assert "\x1b[" in coloured
    assert not re.search(r"\x1b\[[0-9;]*[HJ]", coloured)  # nothing moves the cursor or clears
    monkeypatch.setenv("NO_COLOR", "1")
    assert not re.search(r"\x1b\[[0-9;]*(3|4)8;", tikal("play", "--seed", "1").out)
