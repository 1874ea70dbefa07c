"""`tikal picture`: the board as an SVG file."""

from __future__ import annotations

import argparse
from pathlib import Path

from tikal.cli.files import write_text
from tikal.cli.records import go_to, open_record
from tikal.cli.scene import scene_of
from tikal.cli.svg import draw_svg
from tikal.play import Game
from tikal.rules.options import Options

EPILOG = """\
examples:
  tikal picture -o empty.svg                       the board before the first tile
  tikal picture game.tikal --at 60 -o board.svg    a game after its 60th action
  tikal picture game.tikal > board.svg
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The record, the moment and the file to write."""
    parser.epilog = EPILOG
    parser.add_argument("record", nargs="?", type=Path, metavar="RECORD", help="a game record; - is standard input")
    parser.add_argument("--at", type=int, metavar="N", help="after N actions (default: all)")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="where to write (default: standard output)")


def run(args: argparse.Namespace) -> int:
    """Draw and write."""
    if args.record:
        game, names = open_record(args.record)
        go_to(game, args.at)
    else:
        game, names = Game.new(Options(), seed="picture"), []
    status = game.status()
    text = draw_svg(scene_of(status, game.options.table), names, status["scores"] if names else [])
    if args.output:
        write_text(args.output, text)
    else:
        print(text, end="")
    return 0
