"""The panel beside the board: whose turn it is, AP, scores, treasures, the supply and the tiles to come."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tikal.cli import theme
from tikal.cli.board import COMPACT, FULL, draw_tile, tile_width
from tikal.cli.language import listed, t
from tikal.cli.say import say_name, say_tile
from tikal.cli.scene import bare_tile
from tikal.cli.theme import UNICODE, Glyphs
from tikal.rules.codes import TURN_AP
from tikal.rules.tables import CAMPS, GUARDS, KINDS, TILE_BY_NAME
from tikal.words.texts import Value

NAME_ROOM = 10
PRIVATE = 0xE000  # characters without a meaning: they mark where coloured text goes in a message


@dataclass(frozen=True, slots=True)
class PanelContent:
    """The content of the panel: a view, names, and what each seat would score now."""

    view: Mapping[str, Any]
    names: Sequence[str]
    forecast: Sequence[int]
    glyphs: Glyphs = UNICODE


def headline(desk: PanelContent) -> Text:
    """The seat to decide, its decision, and the AP as beads."""
    view = desk.view
    if view["phase"] == "over":
        return _winners(desk)
    facts = [_decision(desk)]
    if view["scoring"]:
        order = " ".join(map(str, view["scoring"]["order"]))
        facts.append(Text(t(f"round_{view['scoring']['kind']}", order=order), theme.GOLD))
    if view["tile"]:
        facts.append(Text(t("in_hand", tile=say_tile(view["tile"]))))
    if view["phase"] in ("act", "leap"):
        facts.append(Text.assemble(beads(view["ap"], desk.glyphs), f" {_points(view)}"))
    if view["phase"] == "bid":
        facts.append(Text(_bid(view)))
    return Text(t("comma")).join(facts)


def summary(desk: PanelContent) -> Text:
    """The seat to decide and everybody's score, on one line."""
    view = desk.view
    facts = [_winners(desk) if view["phase"] == "over" else _decision(desk)]
    if view["phase"] in ("act", "leap"):
        facts.append(Text(_points(view), theme.COST))
    if view["scoring"]:
        facts.append(Text(t("round"), theme.GOLD))
    if view["tile"]:
        facts.append(Text(say_tile(view["tile"])))
    if view["phase"] == "bid":
        facts.append(Text(_bid(view)))
    scores = [
        Text.assemble((f" {seat} ", theme.seat_style(seat)), f" {score}")
        for seat, score in enumerate(view["scores"], start=1)
    ]
    now = Text(t("comma")).join(facts)
    return Text(t("semicolon")).join([now, styled("scores_are", scores=Text(" ").join(scores))])


def styled(key: str, /, **values: Text | Value) -> Text:
    """A message whose values keep their colours.

    >>> styled("phase_act", who=Text("Ann", "bold")).markup
    '[bold]Ann[/bold] to act'
    """
    coloured = [value for value in values.values() if isinstance(value, Text)]
    marks = {id(value): _mark(number) for number, value in enumerate(coloured)}
    text = t(key, **{name: marks[id(value)] if isinstance(value, Text) else value for name, value in values.items()})
    return _coloured(text, coloured)


def _mark(number: int) -> str:
    return chr(PRIVATE + number)


def _coloured(text: str, values: Sequence[Text]) -> Text:
    """A text whose marks are replaced by coloured values."""
    line = Text()
    for part in re.split(f"([{_mark(0)}-{_mark(9)}])", text):
        line.append_text(values[ord(part) - PRIVATE] if _mark(0) <= part <= _mark(9) else Text(part))
    return line


def _decision(desk: PanelContent) -> Text:
    return styled(f"phase_{desk.view['phase']}", who=seat_name(desk, desk.view["seat"]))


def _points(view: Mapping[str, Any]) -> str:
    return t("ap", ap=view["ap"]) if view["phase"] == "act" else t("tokens", count=view["ap"])


def _bid(view: Mapping[str, Any]) -> str:
    return t("bid_is", bid=view["bid"]) if view["bid"] else t("no_bid")


def beads(ap: int, glyphs: Glyphs = UNICODE) -> Text:
    """AP as ten beads.

    >>> beads(7).plain
    '●●●●●●●○○○'
    """
    spent = max(TURN_AP - ap, 0)
    return Text.assemble((glyphs.bead * ap, theme.COST), (glyphs.spent * spent, theme.FAINT))


def seat_name(desk: PanelContent, seat: int) -> Text:
    """A seat's number in its colours, and its name; a long one is abbreviated."""
    name = Text(say_name(desk.names[seat - 1]))
    if name.cell_len > NAME_ROOM:
        name.truncate(NAME_ROOM - 1)
        name.append(".")
    return Text.assemble((f" {seat} ", theme.seat_style(seat)), " ", name)


def seats(desk: PanelContent, with_treasures: bool) -> Table:
    """A row per seat: score, what scoring would bring now, workers, camps and guards left, and treasures."""
    table = Table.grid(padding=(0, 1, 0, 0))
    for justify in ("left", "left", "right", "right", "right", "left", "left", "left"):
        table.add_column(justify=justify, no_wrap=True)
    kinds = [desk.glyphs.treasure, *map(str, range(1, KINDS + 1))] if with_treasures else []
    columns = ("score", "now", "workers", "leader", "camps", "guards")
    heads = ("", "", *(t(f"head_{column}") for column in columns), *kinds)
    table.add_row(*(Text(head, theme.FAINT) for head in heads))
    view = desk.view
    for seat, score in enumerate(view["scores"], start=1):
        table.add_row(
            desk.glyphs.turn if seat == view["seat"] else " ",
            seat_name(desk, seat),
            Text(str(score), "bold"),
            "" if view["phase"] == "over" else f"+{desk.forecast[seat - 1]}",
            str(view["reserve"][seat - 1]),
            _leader(view["leader"][seat - 1]),
            _left(desk, "camps", seat, CAMPS),
            _left(desk, "guards", seat, GUARDS),
            *([Text(), *_kinds(desk, seat)] if with_treasures else []),
        )
    return table


def treasures(desk: PanelContent) -> Table:
    """A row per seat, a column per kind of treasure."""
    table = Table.grid(padding=(0, 1, 0, 0))
    heads = (t("head_treasures"), *map(str, range(1, KINDS + 1)))
    table.add_row(*(Text(head, theme.FAINT) for head in heads))
    for seat in range(1, len(desk.names) + 1):
        table.add_row(Text.assemble((f" {seat} ", theme.seat_style(seat))), *_kinds(desk, seat))
    return table


def supply(desk: PanelContent) -> Table:
    """The level tiles that are left."""
    table = Table.grid(padding=(0, 1, 0, 0))
    for _ in range(len(desk.view["supply"]) + 1):
        table.add_column(justify="right")
    left = desk.view["supply"]
    table.add_row(*(Text(head, theme.FAINT) for head in (t("head_levels"), *left)))
    counts = (Text(str(count), theme.STONE if count else theme.FAINT) for count in left.values())
    table.add_row(Text(t("head_left"), theme.FAINT), *counts)
    return table


def deck(desk: PanelContent) -> Text:
    """How many tiles are left, and which of the current letter."""
    left = desk.view["deck_left"]
    if not left:
        return Text(t("deck_empty"), theme.FAINT)
    letter, unseen = desk.view["top_letter"], desk.view["unseen_tiles"]
    if letter is None:
        return Text(t("deck_shuffled", count=left), theme.FAINT)
    tiles = " ".join(tile for tile in unseen if tile[0] == letter)
    line = styled("deck", count=left, letter=letter, tiles=Text(tiles, theme.INK))
    line.stylize_before(theme.FAINT)
    return line


def worked(desk: PanelContent) -> Text:
    """With `members_work_once`: the members that have worked this turn, by seat and hex; else empty."""
    rows = (
        f"{seat} " + t("comma").join(f"{name} {count}" for name, count in counts.items())
        for seat, counts in enumerate(desk.view["worked"], start=1)
        if counts
    )
    members = t("semicolon").join(rows)
    if not members:
        return Text()
    line = styled("worked", members=Text(f"{desk.glyphs.worked} {members}", theme.INK))
    line.stylize_before(theme.FAINT)
    return line


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
    """A tile in all its rotations.

    >>> rotations("D4")
    ['D4^0', 'D4^1']
    """
    return [f"{tile}^{rotation}" for rotation in TILE_BY_NAME[tile].rotations()]


def tiles_shown(desk: PanelContent) -> list[str]:
    """The tiles to draw: the one to place in all its rotations, or those on display."""
    view = desk.view
    if view["phase"] == "place":
        return rotations(view["tile"])
    return list(view["display"]) if view["phase"] in ("bid", "take") else []


def panel(desk: PanelContent, width: int, beside: bool) -> RenderableType:
    """The whole panel: stacked beside the board, or flat below it."""
    if not beside:
        notes = [deck(desk), worked(desk)] if worked(desk) else [deck(desk)]
        return Group(headline(desk), seats(desk, True), Columns([supply(desk), *notes], padding=(0, 3)))
    parts: list[RenderableType] = [seats(desk, False), treasures(desk), supply(desk), deck(desk)]
    if line := worked(desk):
        parts.append(line)
    if shown := tiles_shown(desk):
        parts.append(tile_row(shown, width, desk.glyphs))
    return Group(headline(desk), *(line for part in parts for line in ("", part)))


def _left(desk: PanelContent, what: str, seat: int, most: int) -> Text:
    """A seat's remaining camps or guards: `●○` is one of two."""
    left = most - sum(1 for owner in desk.view[what].values() if owner == seat)
    used = desk.glyphs.spent * (most - left)
    return Text.assemble((desk.glyphs.bead * left, theme.COST), (used, theme.FAINT))


def _kinds(desk: PanelContent, seat: int) -> list[Text]:
    counts = desk.view["treasures"][seat - 1]
    none = Text(desk.glyphs.none, theme.FAINT)
    return [Text(str(count), theme.GOLD) if count else none for count in counts]


def _leader(where: str) -> str:
    """Where a leader is: on a hex, or not on the board."""
    return t(f"leader_{where}") if where in ("reserve", "gone") else where


def _winners(desk: PanelContent) -> Text:
    names = [seat_name(desk, seat) for seat in desk.view["winners"]]
    if len(names) == 1:
        line = styled("over_one", who=names[0])
    else:
        line = styled("over_more", who=_coloured(listed([_mark(number) for number in range(len(names))]), names))
    line.stylize_before("bold")
    return line
