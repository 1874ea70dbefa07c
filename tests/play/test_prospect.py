"""What everybody can deduce about future tiles and scoring rounds, against the truth of whole games."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.kit.games import VOLCANOES, finished, idle_until, kinds
from tikal.play import Game
from tikal.play.prospect import prospect
from tikal.play.view import view
from tikal.rules.options import Options


@pytest.mark.parametrize("kind", kinds(1))
def test_the_next_tile_is_among_those_that_may_come(kind: str) -> None:
    game = finished(kind)
    for state in game.states():
        facts, known = prospect(state), view(state, game.options, None)
        letters = Counter(name[0] for name in known["unseen_tiles"])
        assert all(row["tiles"] <= letters[row["letter"]] for row in facts["letters"])
        assert facts["letter"] == known["top_letter"]
        assert 0 <= facts["volcano"] <= 1
        if not game.options.sudden_death:
            rows = {row["letter"]: row for row in facts["letters"]}
            assert {letter: row["tiles"] for letter, row in rows.items()} == dict(letters)
            hidden = [name for name in VOLCANOES if name in known["unseen_tiles"]]
            assert [row["letter"] for row in facts["letters"] if row["volcano"]] == [name[0] for name in hidden]
            here = [name for name in hidden if name[0] == facts["letter"]]
            assert facts["volcano"] == (len(here) / facts["left"] if here else 0)
        scoring = known["scoring"]
        if scoring is None or known["phase"] == "over":
            assert (facts["round"], facts["scored"], facts["to_score"]) == ("none", [], [])
        else:
            assert facts["round"] == scoring["kind"]
            assert facts["scored"] + facts["to_score"] == scoring["order"]
            assert len(facts["scored"]) == scoring["place"]


def test_with_sudden_death_a_volcano_may_come_only_when_it_is_in_the_deck() -> None:
    options = Options.parse({"players": "2", "auction": "true", "sudden_death": "true"})
    game = Game.new(options, seed="sudden")
    assert prospect(game.state)["volcano"] == 0
    assert not any(row["volcano"] for row in prospect(game.state)["letters"])
    idle_until(game, lambda now: now.status()["deck_left"] == 28)
    facts = prospect(game.state)
    assert (facts["letter"], facts["left"]) == (None, 26)
    assert facts["volcano"] == 1 / 26
