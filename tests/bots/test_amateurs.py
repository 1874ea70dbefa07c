"""Amateurs: each has its own taste and mood, whims are legal, and no AP are wasted."""

from __future__ import annotations

import random
from statistics import fmean

import pytest

from tests.bots.samples import by_phase, decisions, fault
from tests.kit.games import KINDS
from tikal.bots import LEVELS, USUAL, make
from tikal.bots.amateurs import tasted, varied, whim_of
from tikal.bots.bot import table
from tikal.bots.evaluation import WEIGHT_NAMES
from tikal.bots.habits import observe
from tikal.bots.weights import weights
from tikal.play import Game
from tikal.rules.codes import END
from tikal.rules.options import Options

AMATEURS = [name for name, row in table().items() if row["thinker"] == "amateur"]


def test_every_level_has_a_character() -> None:
    assert len(LEVELS) == 6
    for row in table().values():
        assert all(row[key] for key in ("sentence", "style", "face", "thinker", "parameters"))
    assert len({row["style"] for row in table().values()}) == len(LEVELS)
    names = [name for row in table().values() for name in row["names"]]
    assert len(set(names)) == len(names)  # every name belongs to one character
    assert all(len(row["names"]) >= 4 for row in table().values())  # so bots of a level never share one
    assert USUAL in LEVELS


@pytest.mark.parametrize("name", AMATEURS)
def test_every_taste_names_existing_weights(name: str) -> None:
    assert set(table()[name]["taste"]) <= set(WEIGHT_NAMES)


def test_chances_stay_between_0_and_1_in_any_mood() -> None:
    plain = weights(2)
    for seed in range(20):
        for before, after in zip(plain, varied(plain, 3.0, random.Random(seed)), strict=True):
            assert after <= 1.0 or before > 1.0
    assert varied(plain, 0.0, random.Random(1)) == tasted(plain, {})


@pytest.mark.parametrize("kind", KINDS)
def test_whims_are_legal_in_every_kind_of_game(kind: str) -> None:
    bot = make("tourist:whims=100")
    for game in decisions(kind, 5):
        assert fault(game, bot.plan(game.view(game.seat), 3)) == ""


def test_a_whim_ends_a_turn_only_if_nothing_else_can_be_done() -> None:
    for game in by_phase("act")[:6]:
        rng = random.Random(2)
        assert all(whim_of(game.state, rng) != END for _ in range(20)) or game.legal() == ["."]


def test_tastes_show_in_the_played_actions() -> None:
    view = Game.new(Options(), seed="42").view(1)
    plans = {name: tuple(make(f"{name}:mood=0,whims=0").plan(view, 1)) for name in AMATEURS}
    games = [game.view(game.seat) for game in by_phase("act")[:6]]
    for seen in games:
        plans |= {name: (*plans[name], *make(f"{name}:mood=0,whims=0").plan(seen, 1)) for name in AMATEURS}
    assert len(set(plans.values())) > 1


@pytest.mark.slow
@pytest.mark.parametrize("name", AMATEURS)
def test_no_amateur_wastes_action_points(name: str) -> None:
    game = Game.new(Options(), seed="7")
    bot = make(name)
    while game.seat is not None:
        game.play(*bot.plan(game.view(game.seat), len(game.history)))
    assert fmean(left for seat in observe(game) for left in seat.unused) <= 0.5
