"""Golden games: whole games as records, played at random once and kept.

`python -m tests.golden.make` rewrites them. If a file changes, the rules have changed, or the way from a seed to
a deck: look at the difference, and increase the version of the rules if it is intended.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

from tests.kit.states import Player
from tikal.play import Game
from tikal.play.notation import parse, text
from tikal.rules.options import Options

FOLDER = Path(__file__).parent
Story = tuple[str, dict[str, Any]]
SUDDEN = {"auction": True, "sudden_death": True}
GAMES: dict[str, Story] = {
    "super-meeple": ("Super Meeple, two players.", {}),
    "rio-grande": (
        "Rio Grande, three players: camps need no member, ties are shared.",
        {"edition": "rio-grande", "players": 3},
    ),
    "rio-grande-fr": ("Rio Grande in French, four players.", {"edition": "rio-grande-fr", "players": 4}),
    "rio-grande-zh": (
        "Rio Grande in Chinese, three players: members work once.",
        {"edition": "rio-grande-zh", "players": 3},
    ),
    "members-work-once": (
        "Members work once, with leaps, boulders, obstacles and machine guns.",
        {
            "members_work_once": True,
            "auction": True,
            "leaps": True,
            "boulders": "2d6",
            "obstacles": True,
            "machine_gun": True,
        },
    ),
    "classic": ("Classic, three players: no volcano may seal.", {"edition": "classic", "players": 3}),
    "spanish": (
        "The final round as the Spanish text has it, after the player of the last volcano.",
        {"edition": "rio-grande", "players": 4, "final_start": "after_last_volcano"},
    ),
    "sealed": ("A tile that fits nowhere leaves the game, three players.", {"players": 3}),
    "auction": ("The auction game, four players.", {"players": 4, "auction": True}),
    "auction-of-two": ("The auction game, two players, Classic.", {"edition": "classic", "auction": True}),
    "instant-scoring": ("Instant scoring, three players.", {"players": 3, "instant_scoring": True}),
    "boulders": ("Boulders, two dice.", {"boulders": "2d6"}),
    "boulders-of-20": (
        "Boulders, one die of 20, in the auction game.",
        {"players": 3, "boulders": "1d20", "auction": True},
    ),
    "obstacles": ("Obstacles, three players.", {"players": 3, "obstacles": True}),
    "machine-gun": ("Machine guns, four players.", {"players": 4, "machine_gun": True}),
    "sudden-death": ("Sudden death, three players.", {"players": 3, **SUDDEN}),
    "sudden-death-redraw": ("Sudden death with redraw.", {"players": 4, "double_volcano": "redraw", **SUDDEN}),
    "sudden-death-decide": (
        "Sudden death, takers decide, scoring is instant.",
        {"players": 4, "double_volcano": "taker_decides", "instant_scoring": True, **SUDDEN},
    ),
    "leaps": ("Leaps, three players.", {"players": 3, "auction": True, "leaps": True}),
    "leaps-and-more": (
        "Leaps with boulders, obstacles and machine guns, two players.",
        {"auction": True, "leaps": True, "boulders": "3d6", "obstacles": True, "machine_gun": True},
    ),
}
# These records contain the whole chance instead of a seed.
EXACT = {"boulders", "sudden-death-redraw", "leaps-and-more", "rio-grande"}
# Seeds that show something rare: a tile that fits nowhere, a shot, a volcano that does not score, one that goes back.
SEEDS = {
    "super-meeple": 47, "rio-grande": 43, "rio-grande-fr": 46, "classic": 54, "spanish": 73, "sealed": 136,
    "auction": 16, "auction-of-two": 54, "instant-scoring": 54, "boulders": 25, "boulders-of-20": 37, "obstacles": 53,
    "machine-gun": 25, "sudden-death": 69, "sudden-death-redraw": 14, "sudden-death-decide": 18, "leaps": 75,
    "leaps-and-more": 19, "rio-grande-zh": 5, "members-work-once": 7,
}  # fmt: skip


def new_game(name: str) -> Game:
    """The game of this name before its first action."""
    options = Options(**GAMES[name][1])
    game = Game.new(options, seed=f"golden-{SEEDS[name]}")
    if name not in EXACT:
        return game
    chance = game.chance
    dice = list(chance.dice) if options.boulders else None
    return Game.new(options, deck=list(chance.deck), treasures=list(chance.treasures), dice=dice)


def play(name: str) -> Game:
    """The whole game of this name."""
    game = new_game(name)
    player = Player(random.Random(SEEDS[name]))
    while not game.over:
        game.play(text(player.choose([parse(action) for action in game.legal()])))
    return game


def end_lines(game: Game) -> list[str]:
    """The last position, a comment for each part of its status."""
    return [f"# {name}: {json.dumps(value)}" for name, value in game.status().items()]


def written(name: str, game: Game) -> str:
    """The content of a game's file: a sentence, the record, and the last position."""
    return f"# {GAMES[name][0]}\n{game.record()}\n" + "\n".join(end_lines(game)) + "\n"


def path(name: str) -> Path:
    """Where a game is kept."""
    return FOLDER / f"{name}.tikal"


def main() -> None:
    """Rewrites all files."""
    for name in GAMES:
        path(name).write_text(written(name, play(name)), "utf-8")
        sys.stdout.write(f"{path(name).name}\n")


if __name__ == "__main__":
    main()
