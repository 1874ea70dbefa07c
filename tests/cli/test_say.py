"""Every action can be said in words."""

from __future__ import annotations

import pytest

from tikal.cli.say import say, say_tile, say_walk
from tikal.cli.table import step_line
from tikal.play.game import Gone, Step


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("A5@b3^0", "place A5 (treasures 4) on b3"),
        ("A5@b3^2", "place A5 (treasures 4) on b3, turned by 2"),
        ("+W@a1", "a worker enters at a1"),
        ("+L@a1", "the leader enters at a1"),
        ("L:a1-b2", "the leader walks from a1 to b2"),
        ("W:a1=d3", "a worker goes from camp a1 to camp d3"),
        ("X@a2", "excavate the temple at a2"),
        ("D@b3", "dig up a treasure at b3"),
        ("S:2:3/5", "exchange a serpent for a frog from seat 2"),
        ("C@b2", "found a camp at b2"),
        ("GL@c3", "the leader becomes the guard at c3"),
        ("B:12", "bid 12"),
        ("B:-", "pass"),
        ("K:A5", "take A5 (treasures 4)"),
        ("O:a1-a2", "build an obstacle between a1 and a2"),
        ("M@c3", "two workers guard c3 with a gun"),
        ("R:2@c3", "shoot one of seat 2’s workers at c3"),
        ("V:+", "the volcano scores"),
        ("V:-", "the volcano does not score"),
        ("J:3", "choose 3 tokens"),
        ("J:0", "sit out the rest of the round"),
        (".", "end the turn"),
        ("something new", "something new"),
    ],
)
def test_actions(action: str, words: str) -> None:
    assert say(action) == words


def test_outcomes_of_chance_are_said() -> None:
    assert say("D@b3", 5) == "dig up a treasure at b3: frog"
    assert say("X@b3", 11) == "excavate the temple at b3: the dice come up 11"


def test_walks() -> None:
    assert say_walk(["L:a1-b2"]) == "the leader walks from a1 to b2"
    assert say_walk(["W:a1-b2", "W:b2=d3", "W:d3-d4"]) == "a worker walks from a1 to d4 via b2 and d3"


def test_tiles() -> None:
    assert [say_tile(tile) for tile in ("A6", "B6", "E2")] == ["A6 (jungle)", "B6 (volcano)", "E2 (temple 6)"]


def test_a_tile_that_leaves_the_game_is_mentioned_with_the_action_before_it() -> None:
    step = Step(2, ".", gone=(Gone(1, "C5"),))
    assert step_line(step, ["Ann", "Bob"]) == "2 Bob: end the turn [.]; C5 (jungle) fits nowhere and leaves the game"
