"""What stands beside the board: whose turn it is, AP, scores, treasures, the supply and the tiles to come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tikal.cli import theme
from tikal.cli.board import COMPACT, FULL, draw_tile, tile_width
from tikal.cli.say import say_tile
from tikal.cli.scene import bare_tile
from tikal.cli.theme import UNICODE, Glyphs
from tikal.rules.codes import TURN_AP
from tikal.rules.tables import CAMPS, GUARDS, KINDS, TILE_BY_NAME

NAME_ROOM = 10
BOT = "bot:"  # how the name of a seat begins that a bot plays; there is no room for it here
PHASES = {
    "place": "places a tile",
    "act": "acts",
    "bid": "bids",
    "take": "takes a tile",
    "decide": "decides whether the volcano scores",
    "leap": "chooses tokens",
}


@dataclass(frozen=True, slots=True)
class Desk:
    """What the panel shows: what may be known, names, and what each seat would score now."""

    view: Mapping[str, Any]
    names: Sequence[str]
    forecast: Sequence[int]
    glyphs: Glyphs = UNICODE


def headline(desk: Desk) -> Text:
    """Whose decision it is, why, and the AP as beads."""
    view = desk.view
    if view["phase"] == "over":
        return Text.assemble(("The game is over: ", "bold"), _winners(desk))
    line = Text.assemble(seat_name(desk, view["seat"]), f" {PHASES[view['phase']]}")
    if view["scoring"]:
        order = " ".join(map(str, view["scoring"]["order"]))
        line.append(f", {view['scoring']['kind']} scoring round, order {order}", theme.GOLD)
    if view["tile"]:
        line.append(f", in hand {say_tile(view['tile'])}")
    if view["phase"] in ("act", "leap"):
        what = "AP" if view["phase"] == "act" else "tokens"
        line.append_text(Text.assemble(", ", beads(view["ap"], desk.glyphs), f" {view['ap']} {what}"))
    if view["phase"] == "bid":
        line.append(f", the bid is {view['bid']}" if view["bid"] else ", no bid yet")
    return line


def beads(ap: int, glyphs: Glyphs = UNICODE) -> Text:
    """AP as ten beads.

    >>> beads(7).plain
    '●●●●●●●○○○'
    """
    spent = max(TURN_AP - ap, 0)
    return Text.assemble((glyphs.bead * ap, theme.COST), (glyphs.spent * spent, theme.FAINT))


def seat_name(desk: Desk, seat: int) -> Text:
    """A seat's number in its colours, and its name."""
    name = desk.names[seat - 1].removeprefix(BOT)[:NAME_ROOM]
    return Text.assemble((f" {seat} ", theme.seat_style(seat)), f" {name}")


def seats(desk: Desk, with_treasures: bool) -> Table:
    """A row per seat: score, what scoring would bring now, workers, camps and guards left, and treasures."""
    table = Table.grid(padding=(0, 1, 0, 0))
    for justify in ("left", "left", "right", "right", "right", "left", "left", "left"):
        table.add_column(justify=justify, no_wrap=True)
    kinds = [desk.glyphs.treasure, *map(str, range(1, KINDS + 1))] if with_treasures else []
    heads = ("", "", "score", "now", "workers", "leader", "camps", "guards", *kinds)
    table.add_row(*(Text(head, theme.FAINT) for head in heads))
    view = desk.view
    for seat, score in enumerate(view["scores"], start=1):
        table.add_row(
            desk.glyphs.turn if seat == view["seat"] else " ",
            seat_name(desk, seat),
            Text(str(score), "bold"),
            f"+{desk.forecast[seat - 1]}",
            str(view["reserve"][seat - 1]),
            view["leader"][seat - 1],
            _left(desk, "camps", seat, CAMPS),
            _left(desk, "guards", seat, GUARDS),
            *([Text(), *_kinds(desk, seat)] if with_treasures else []),
        )
    return table


def treasures(desk: Desk) -> Table:
    """A row per seat, a column per kind of treasure."""
    table = Table.grid(padding=(0, 1, 0, 0))
    heads = ("treasures", *map(str, range(1, KINDS + 1)))
    table.add_row(*(Text(head, theme.FAINT) for head in heads))
    for seat in range(1, len(desk.names) + 1):
        table.add_row(Text.assemble((f" {seat} ", theme.seat_style(seat))), *_kinds(desk, seat))
    return table


def supply(desk: Desk) -> Table:
    """The level tiles that are left."""
    table = Table.grid(padding=(0, 1, 0, 0))
    for _ in range(len(desk.view["supply"]) + 1):
        table.add_column(justify="right")
    left = desk.view["supply"]
    table.add_row(*(Text(head, theme.FAINT) for head in ("level tiles", *left)))
    counts = (Text(str(count), theme.STONE if count else theme.FAINT) for count in left.values())
    table.add_row(Text("left", theme.FAINT), *counts)
    return table


def deck(desk: Desk) -> Text:
    """How many tiles are to come, and which of the current letter."""
    left = desk.view["deck_left"]
    if not left:
        return Text("the deck is empty", theme.FAINT)
    letter, unseen = desk.view["top_letter"], desk.view["unseen_tiles"]
    if letter is None:
        return Text(f"deck {left}, shuffled before the next tile comes up", theme.FAINT)
    tiles = " ".join(tile for tile in unseen if tile[0] == letter)
    return Text.assemble((f"deck {left}, left in {letter}: ", theme.FAINT), tiles)


def tile_row(tiles: Iterable[str], width: int, glyphs: Glyphs = UNICODE) -> RenderableType:
    """Tiles drawn side by side, each with its notation below: `A5^2` is turned by two sixths."""
    shown = list(tiles)
    size = FULL if len(shown) * (tile_width(FULL) + 1) <= width else COMPACT
    table = Table.grid(padding=(0, 1, 0, 0))
    per_row = max(width // (tile_width(size) + 1), 1)
    for start in range(0, len(shown), per_row):
        row = shown[start : start + per_row]
        table.add_row(*(draw_tile(bare_tile(tile), size, glyphs) for tile in row))
        table.add_row(*(Text(tile.center(tile_width(size)), theme.FAINT) for tile in row))
    return table


def rotations(tile: str) -> list[str]:
    """A tile in all the ways it can be turned.

    >>> rotations("D4")
    ['D4^0', 'D4^1']
    """
    return [f"{tile}^{rotation}" for rotation in TILE_BY_NAME[tile].rotations()]


def tiles_shown(desk: Desk) -> list[str]:
    """The tiles to draw: the one to place in all its rotations, or those on display."""
    view = desk.view
    if view["phase"] == "place":
        return rotations(view["tile"])
    return list(view["display"]) if view["phase"] in ("bid", "take") else []


def panel(desk: Desk, width: int, beside: bool) -> RenderableType:
    """The whole panel: stacked to stand beside the board, or flat to stand below it."""
    if not beside:
        return Group(headline(desk), seats(desk, True), Columns([supply(desk), deck(desk)], padding=(0, 3)))
    parts: list[RenderableType] = [seats(desk, False), treasures(desk), supply(desk), deck(desk)]
    if shown := tiles_shown(desk):
        parts.append(tile_row(shown, width, desk.glyphs))
    return Group(headline(desk), *(line for part in parts for line in ("", part)))


def _left(desk: Desk, what: str, seat: int, most: int) -> Text:
    """What is left of a seat's few pieces: `●○` is one of two."""
    left = most - sum(1 for owner in desk.view[what].values() if owner == seat)
    used = desk.glyphs.spent * (most - left)
    return Text.assemble((desk.glyphs.bead * left, theme.COST), (used, theme.FAINT))


def _kinds(desk: Desk, seat: int) -> list[Text]:
    counts = desk.view["treasures"][seat - 1]
    none = Text(desk.glyphs.none, theme.FAINT)
    return [Text(str(count), theme.GOLD) if count else none for count in counts]


def _winners(desk: Desk) -> Text:
    names = [seat_name(desk, seat) for seat in desk.view["winners"]]
    verb = " wins" if len(names) == 1 else " share the win"
    return Text(" and ").join(names).append(verb)
