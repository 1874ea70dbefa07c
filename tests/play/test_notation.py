"""Notation both ways: every action that can be written, every action that occurs, and everything else."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.kit.actions import all_actions
from tests.kit.games import exact_game, kinds, moments, options_of
from tikal.play import notation
from tikal.play.notation import NotationError, gone_text, gone_tile, parse, spelled, split, text
from tikal.rules.tables import TILES


def test_every_action_that_can_be_written_is_read_and_written_the_same() -> None:
    made = all_actions()
    codes = [parse(action) for action in made]
    assert [text(code) for code in codes] == made
    assert len(set(codes)) == len(made)


def test_upper_and_lower_case_are_corrected_in_every_action() -> None:
    made = all_actions()
    assert [spelled(action.lower()) for action in made] == made
    assert [spelled(action.upper()) for action in made] == made
    assert [spelled(other) for other in ("D@B3(3)", "a1-b2", "k:g6")] == ["D@b3(3)", "a1-b2", "k:g6"]


def test_tiles_that_left_the_game_are_written_and_read() -> None:
    assert [gone_tile(gone_text(tile.name)) for tile in TILES] == [tile.name for tile in TILES]
    assert [gone_tile(other) for other in ("G6@-", "A5@b3^0", "A5@-x")] == [None, None, None]


@pytest.mark.parametrize("kind", kinds(0))
def test_every_action_that_occurs_is_read_and_written_the_same(kind: str) -> None:
    rng = random.Random(kind)
    seen = 0
    for game in moments(exact_game(options_of(kind), rng), rng):
        for action in game.legal():
            assert text(parse(action)) == action
            seen += 1
    assert seen > 1000


@pytest.mark.parametrize(
    "wrong",
    [
        "", " ", "a1-b2", "A7@b3^0", "G5@b3^0", "E6@b3^0", "A5@b3^6", "A5@b3", "A5@i1^0", "A5@b6^0", "A5@-", "a5@b3^0",
        "+W@", "+w@a1", "W@a1", "+X@a1", "W:a1-b9", "W:a1~b2", "W:a1-b2-b3", "X@", "X@a0", "S:0:1/2", "S:5:1/2",
        "S:1:0/2", "S:1:1/9", "B:", "B:0", "B:01", "B:+3", "B:-3", "B:1000000000", "B:٣", "K:A7", "J:6", "J:-1", "J:",
        "V:", "V:?", "..", ". ", " .", ".\n", "X@a2(0)", "X@a2()", "X@a2(-1)", "X@a2(100)", "D@b3(01)", "D@b3 (3)",
        "A5@b3^0(3)", "+W@a1(1)", ".(1)", "G@c3", "GG@c3", "M:c3", "R:2:c3", "O:a1=a2", "X@a2\x00", "Ｗ:a1-b2",
    ],
)  # fmt: skip
def test_other_text_is_refused_with_examples(wrong: str) -> None:
    plain, _ = split(wrong)
    with pytest.raises(NotationError) as caught:
        parse(plain)
    assert caught.value.code == "illegal"
    assert "no action is written like that (for example: A5@b3^0 " in str(caught.value)
    assert str(caught.value).startswith(plain)


def test_a_long_text_is_not_repeated_in_full() -> None:
    with pytest.raises(NotationError) as caught:
        parse("W" * 100_000)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("written", "parts"), [("D@b3(3)", ("D@b3", 3)), ("X@a2(11)", ("X@a2", 11)), (".", (".", None))]
)
def test_the_chance_value_is_split_off(written: str, parts: tuple[str, int | None]) -> None:
    assert split(written) == parts


def read_back(written: str) -> str | None:
    """The text of the action that a text stands for; None if it stands for none. No other error may come out."""
    try:
        return text(parse(written))
    except NotationError:
        return None


ALPHABET = "ABCDEFGKLMNORSVWXJabcdefgh0123456789@^+-=:/.() "


@given(st.one_of(st.text(), st.text(ALPHABET, max_size=12), st.from_regex(notation._BRACKET)))
@example("B:" + "9" * 5000)
def test_any_text_is_an_action_that_is_written_the_same_or_an_error(written: str) -> None:
    plain, value = split(written)
    assert value is None or f"{plain}({value})" == written
    assert read_back(plain) in (plain, None)


@given(st.sampled_from(all_actions()), st.integers(0, 12), st.sampled_from(ALPHABET))
def test_a_changed_letter_makes_another_action_or_an_error(action: str, at: int, letter: str) -> None:
    changed = action[:at] + letter + action[at + 1 :]
    assert read_back(changed) in (changed, None)
