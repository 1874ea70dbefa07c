"""docs/fairness.md: its program is a second reading of the stream, its numbers are right, and both agree with ours."""

from __future__ import annotations

import ast
import hashlib
import hmac
import random
import re
from pathlib import Path
from typing import Any

import pytest

from tests.kit.deals import random_options
from tikal.play import Game
from tikal.play.chance import STREAM_VERSION, Stream, commit, deal
from tikal.rules.options import Options

PAGE = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text("utf-8")
(SOURCE,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
NUMBERS = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
PROGRAM: dict[str, Any] = {}
exec(compile(SOURCE, "docs/fairness.md", "exec"), PROGRAM)  # noqa: S102  # it is our own page


def printed(name: str) -> list[str]:
    """The page's value of a name."""
    (line,) = [line for line in "".join(NUMBERS).splitlines() if line.startswith(f"{name}: ")]
    return line.removeprefix(f"{name}: ").removesuffix(" …").split()


def test_the_program_uses_hashlib_and_hmac_only() -> None:
    imports = [node for node in ast.walk(ast.parse(SOURCE)) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert [alias.name for node in imports for alias in node.names] == ["hashlib", "hmac"]


def test_the_worked_numbers_match_the_program() -> None:
    assert printed("deck") == PROGRAM["deck"]("42")
    assert [int(kind) for kind in printed("treasures")] == PROGRAM["treasures"]("42")
    assert [int(total) for total in printed("dice 3d6")] == PROGRAM["dice"]("42", 3, 6)[:12]
    assert printed("commitment") == [PROGRAM["commitment"]("42")]
    assert printed("deck with the nonces ann and bob") == PROGRAM["deck"]("42", ["ann", "bob"])[:6]
    assert printed("sudden deck") == PROGRAM["sudden_death_deck"]("32", 2, redraw=True)


def test_the_worked_shuffle_is_right_step_by_step() -> None:
    block = hmac.new(b"42", b"tikal/1/deck/0", hashlib.sha256).hexdigest()
    assert printed("block 0") == [block]
    items = ["A1", "A2", "A3", "A4", "A5", "A6"]
    steps = re.findall(r"^(\d+) mod (\d) = (\d): (.*)$", NUMBERS[0], re.MULTILINE)
    assert len(steps) == 5
    for at, (number, n, result, after) in enumerate(steps):
        assert int(number) == int(block[at * 8 : at * 8 + 8], 16)
        assert int(number) % int(n) == int(result)
        items[int(n) - 1], items[int(result)] = items[int(result)], items[int(n) - 1]
        assert items == after.split()
    assert items == printed("deck")[:6]


@pytest.mark.parametrize("number", range(60))
def test_the_program_and_the_game_shuffle_alike(number: int) -> None:
    rng = random.Random(number)
    options = random_options(rng)
    seed = f"{rng.getrandbits(256):064x}" if number % 2 else str(number)
    nonces = tuple(f"n{rng.getrandbits(32)}" for _ in range(rng.choice((0, 0, 1, options.players))))
    chance = deal(options, seed, nonces)
    if options.sudden_death:
        redraw = options.double_volcano == "redraw"
        assert list(chance.deck) == PROGRAM["sudden_death_deck"](seed, options.players, redraw, nonces)
    else:
        assert list(chance.deck) == PROGRAM["deck"](seed, nonces)
    assert list(chance.treasures) == PROGRAM["treasures"](seed, nonces)
    if options.boulders:
        number_of, sides = map(int, str(options.boulders).split("d"))
        assert list(chance.dice) == PROGRAM["dice"](seed, number_of, sides, nonces)
    assert commit(seed) == PROGRAM["commitment"](seed)


def test_a_game_is_dealt_as_the_page_says() -> None:
    game = Game.new(Options(boulders="3d6"), seed="42")
    assert list(game.chance.deck) == printed("deck")
    assert game.status()["tile"] == printed("deck")[0]
    assert [game.commitment] == printed("commitment")


@pytest.mark.parametrize("n", [2, 3, 5, 6, 20, 33, 36, 2**31 + 1, 2**32 - 1, 2**32])
def test_numbers_that_would_favour_some_results_are_skipped(n: int) -> None:
    """With an n just above half of 2^32 every second number is skipped."""
    ours = Stream("42", "deck")
    theirs = PROGRAM["words"]("42", "deck")
    assert [ours.below(n) for _ in range(50)] == [PROGRAM["below"](theirs, n) for _ in range(50)]
    raw = PROGRAM["words"]("42", "deck")
    kept = [word for word in (next(raw) for _ in range(400)) if word < 2**32 // n * n]
    again = Stream("42", "deck")
    assert [again.below(n) for _ in range(50)] == [word % n for word in kept[:50]]
    assert (len(kept) < 260) == (n == 2**31 + 1)


def test_the_page_names_the_version() -> None:
    assert f"This is version {STREAM_VERSION}." in PAGE
