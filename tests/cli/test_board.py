"""The board in the terminal: nothing may get lost, in any size and without colours."""

from __future__ import annotations

import io
from random import Random
from typing import Any

import pytest
from rich.console import Console

from tests.cli.status_maker import crowded
from tikal.cli.board import COMPACT, FULL, Size, draw_board, draw_tile, fitting
from tikal.cli.canvas import Canvas
from tikal.cli.panel import PanelContent, worked
from tikal.cli.scene import Scene, bare_tile, scene_of
from tikal.cli.theme import ASCII, UNICODE, Glyphs, seat_paper
from tikal.play import Game
from tikal.rules.options import Options
from tikal.rules.tables import BOARDS, HEX_INDEX, HEX_NAMES, NEIGHBOURS, TILE_BY_NAME, Board

SIZES = [pytest.param(FULL, id="full"), pytest.param(COMPACT, id="compact")]
GLYPHS = [pytest.param(UNICODE, id="unicode"), pytest.param(ASCII, id="ascii")]


def scene(seed: int, **wishes: int) -> tuple[dict[str, Any], Scene]:
    status = crowded(Random(seed), **wishes)
    return status, scene_of(status, BOARDS["original"])


def lines_of(view: Scene, size: Size, glyphs: Glyphs = UNICODE, targets: tuple[str, ...] = ()) -> list[str]:
    """The drawing as a terminal without colours gets it."""
    console = Console(file=io.StringIO(), width=120, no_color=True)
    console.print(draw_board(view, size, glyphs, targets))
    text = console.file
    assert isinstance(text, io.StringIO)
    return [line.ljust(size.width) for line in text.getvalue().splitlines()]


def inside(lines: list[str], size: Size, name: str) -> str:
    """Everything drawn within a hex."""
    x, y = size.corner(HEX_INDEX[name])
    rows = []
    for i in range(2 * size.half):
        start, length = size.line(i)
        rows.append(lines[y + i][x + start : x + start + length])
    return "\n".join(rows)


def border(lines: list[str], size: Size, index: int, side: int) -> str:
    """Everything drawn on one side of a hex."""
    x, y = size.corner(index)
    if side in (0, 3):
        line = lines[y - 1] if side == 0 else lines[y + 2 * size.half - 1]
        return line[x + size.half : x + size.half + size.flat]
    rows = range(size.half) if side in (1, 5) else range(size.half, 2 * size.half)
    cells = []
    for i in rows:
        start, length = size.line(i)
        cells.append(lines[y + i][x + start - 1 if side in (4, 5) else x + start + length])
    return "".join(cells)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("glyphs", GLYPHS)
@pytest.mark.parametrize("seed", range(4))
def test_every_hex_shows_its_content(size: Size, glyphs: Glyphs, seed: int) -> None:
    status, view = scene(seed)
    lines = lines_of(view, size, glyphs)
    for place in view.places:
        shown = inside(lines, size, place.name)
        assert place.name in shown
        if place.terrain == "temple":
            assert f"{glyphs.temple}{status['levels'][place.name]}" in shown
        if place.terrain == "treasure":
            tokens = status["tokens"][place.name]
            assert f"{glyphs.treasure if tokens else glyphs.dug_out}{tokens}" in shown
        if place.terrain in ("jungle", "volcano", "base"):
            assert glyphs.terrain(place.terrain) in shown
        if place.name in status["camps"]:
            assert f"{glyphs.camp}{status['camps'][place.name]}" in shown
        if place.name in status["guards"]:
            glyph = glyphs.gun if place.name in status["guns"] else glyphs.guard
            assert f"{glyph}{status['guards'][place.name]}" in shown


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", range(4))
def test_all_76_members_can_be_read(size: Size, seed: int) -> None:
    status, view = scene(seed)
    lines = lines_of(view, size)
    found = [0] * 4
    for name in HEX_NAMES:
        words = inside(lines, size, name).replace(UNICODE.flat, " ").replace(UNICODE.stone, " ").split()
        for word in words:
            seat, glyph, count = word[:1], word[1:2], word[2:]
            if glyph in (UNICODE.leader, UNICODE.times):
                found[int(seat) - 1] += int(count or 0) + (glyph == UNICODE.leader)
                assert (status["leader"][int(seat) - 1] == name) == (glyph == UNICODE.leader)
    assert found == [19] * 4


@pytest.mark.parametrize("size", SIZES)
def test_everybody_on_one_hex_still_fits(size: Size) -> None:
    status = crowded(Random(0))
    status["workers"] = [{"b2": 18}] * 4
    status["leader"] = ["b2"] * 4
    shown = inside(lines_of(scene_of(status, BOARDS["original"]), size), size, "b2")
    assert [word for word in shown.split() if "★" in word] == ["1★18", "2★18", "3★18", "4★18"]


def step_cost(status: dict[str, Any], index: int, side: int) -> int:
    """The cost of a step, straight from the tables and not through the scene."""

    def stones(hex_: int, towards: int) -> int:
        name = HEX_NAMES[hex_]
        if name not in status["tiles"]:
            return BOARDS["original"].printed[name].stones[towards]
        tile, rotation = status["tiles"][name].split("^")
        return TILE_BY_NAME[tile].stones[(towards - int(rotation)) % 6]

    def entered(hex_: int) -> bool:
        name = HEX_NAMES[hex_]
        if name in BOARDS["original"].printed:
            return True
        return name in status["tiles"] and TILE_BY_NAME[status["tiles"][name][:2]].terrain != "volcano"

    other = NEIGHBOURS[index][side]
    if other < 0 or not entered(index) or not entered(other):
        return 0
    cost = stones(index, side) + stones(other, (side + 3) % 6)
    obstacle = "-".join(sorted((HEX_NAMES[index], HEX_NAMES[other]))) in status["obstacles"]
    return cost + 2 * obstacle if cost else 0


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", range(4))
def test_every_passage_shows_its_cost_and_nothing_else_does(size: Size, seed: int) -> None:
    status, view = scene(seed, tiles=30)
    lines = lines_of(view, size)
    for index in range(len(HEX_NAMES)):
        for side in range(6):
            digits = [char for char in border(lines, size, index, side) if char in "123456789"]
            cost = step_cost(status, index, side)
            assert digits == ([str(cost)] if cost else []), (HEX_NAMES[index], side)


@pytest.mark.parametrize("size", SIZES)
def test_an_obstacle_is_marked(size: Size) -> None:
    _, view = scene(1)
    lines = lines_of(view, size)
    assert UNICODE.obstacle in border(lines, size, HEX_INDEX["a1"], 0)
    assert UNICODE.obstacle in border(lines, size, HEX_INDEX["a1"], 2)
    assert UNICODE.obstacle not in border(lines, size, HEX_INDEX["a1"], 1)


def test_the_full_size_shows_every_stone() -> None:
    status, view = scene(2)
    lines = lines_of(view, FULL)
    for place in view.places:
        assert inside(lines, FULL, place.name).count(UNICODE.stone) == sum(place.stones), place.name
    assert len(status["tiles"]) == 36


def test_the_compact_size_shows_the_stones_that_look_outside() -> None:
    status, view = scene(3, tiles=14)
    lines = lines_of(view, COMPACT)
    seen = 0
    for index, place in enumerate(view.places):
        for side, stones in enumerate(place.stones):
            other = NEIGHBOURS[index][side]
            if stones and other >= 0 and view.places[other].terrain == "empty":
                assert UNICODE.pips[stones - 1] in border(lines, COMPACT, index, side)
                seen += 1
    assert seen > 3
    assert len(status["tiles"]) == 14


def test_drawings_keep_to_their_size() -> None:
    _, view = scene(5)
    for size, columns in ((FULL, 100), (COMPACT, 80)):
        lines = draw_board(view, size).plain.split("\n")
        assert len(lines) == size.height
        assert {len(line) for line in lines} == {size.width}
        assert size.width <= columns


def test_size_follows_the_terminal() -> None:
    assert fitting(100, 40) is FULL
    assert fitting(98, 40) is COMPACT
    assert fitting(120, 30) is COMPACT


def test_targets_are_marked() -> None:
    _, view = scene(6, tiles=5)
    empty = next(place.name for place in view.places if place.terrain == "empty")
    for size in (FULL, COMPACT):
        assert UNICODE.target in inside(lines_of(view, size, targets=(empty,)), size, empty)
        assert UNICODE.target not in inside(lines_of(view, size), size, empty)


def test_lakes_printed_volcanoes_and_hexes_off_the_board() -> None:
    rows = {"a1": ["base", 0, [1, 1, 1, 0, 0, 0]], "a2": "lake", "b1": "volcano", "h5": "off"}
    status = crowded(Random(0), tiles=0)
    status.update(levels={}, guards={}, guns=[], camps={}, obstacles=[])
    lines = lines_of(scene_of(status, Board.from_data("small", rows)), FULL)
    assert UNICODE.lake in inside(lines, FULL, "a2")
    assert "volcano" in inside(lines, FULL, "b1")
    assert inside(lines, FULL, "h5").strip() == UNICODE.flat * FULL.flat  # the upper side of h4
    assert not any(char.isdigit() for char in border(lines, FULL, HEX_INDEX["a1"], 0))


@pytest.mark.parametrize("rotation", range(6))
def test_a_tile_by_itself_shows_its_stones_on_the_right_sides(rotation: int) -> None:
    tile = bare_tile(f"C2^{rotation}")
    assert tile.stones == TILE_BY_NAME["C2"].turned(rotation)
    lines = draw_tile(tile, COMPACT).plain.split("\n")
    marks = [border([line.ljust(80) for line in lines], COMPACT, HEX_INDEX["a5"], side) for side in range(6)]
    assert [max((UNICODE.pips.find(char) + 1 for char in mark), default=0) for mark in marks] == list(tile.stones)


def test_seats_have_colours_of_their_own() -> None:
    assert len({seat_paper(seat) for seat in range(1, 5)}) == 4


def test_a_canvas_ignores_drawing_outside_of_it() -> None:
    canvas = Canvas(3, 2)
    canvas.write(2, 0, "abc")
    canvas.write(0, 5, "x")
    canvas.fill(-1, 0, 9, "red")
    assert canvas.text().plain == "  a\n   "


@pytest.mark.parametrize("glyphs", GLYPHS)
@pytest.mark.parametrize("size", SIZES)
def test_members_that_have_worked_carry_a_mark(size: Size, glyphs: Glyphs) -> None:
    game = Game.new(Options(edition="rio-grande-zh"), seed="42")
    game.play(game.legal()[0], "+W@a1", "+L@a1", "W:a1-a2", "X@a2")
    lines = lines_of(scene_of(game.view(None), game.options.table), size, glyphs)
    assert f"1{glyphs.times}1{glyphs.worked}" in inside(lines, size, "a2")
    assert glyphs.worked not in inside(lines, size, "a1")
    desk = PanelContent(game.view(None), ["Ann", "Bob"], [0, 0], glyphs)
    assert worked(desk).plain == f"worked {glyphs.worked} 1 a2 1"
    game.play(".")
    assert not worked(PanelContent(game.view(None), ["Ann", "Bob"], [0, 0], glyphs))


def test_a_worker_that_a_boulder_took_carries_no_mark() -> None:
    status = crowded(Random(1)) | {"worked": [{"a1": 2}, {}, {}, {}], "lost": [{"a1": 1}, {}, {}, {}]}
    status["workers"][0]["a1"] = 1
    assert scene_of(status, BOARDS["original"]).place("a1").groups[0].worked == 1
