"""New deals: what is public stays, and every possible deal may come up."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.bots.samples import decisions
from tests.kit.games import KINDS, idle_until, seats
from tikal.bots.sample import redeal
from tikal.play import Game
from tikal.play.position import position
from tikal.play.view import view
from tikal.rules.facts import Facts
from tikal.rules.options import Options
from tikal.rules.setup import volcano_limits
from tikal.rules.tables import TILES


@pytest.mark.parametrize("kind", KINDS)
def test_public_information_stays(kind: str) -> None:
    rng = random.Random(kind)
    changed = 0
    for game in decisions(kind, 12):
        here = position(game.view(game.seat)).state
        for state in (game.state, here):
            before = state.export()
            for _ in range(5):
                dealt = redeal(state, rng)
                changed += dealt.export() != before
                for seat in seats(game) if state is game.state else (game.seat,):
                    assert view(dealt, game.options, seat) == view(state, game.options, seat)
            assert state.export() == before
    assert changed > 60


@pytest.mark.parametrize("kind", KINDS)
def test_a_deal_can_be_played_to_the_end(kind: str) -> None:
    rng = random.Random(kind)
    for game in decisions(kind, 4):
        facts = Facts(redeal(game.state, rng))
        assert sorted(facts.deck) == list(range(36))
        assert sorted(facts.kinds) == sorted(range(8)) * 3 or Counter(facts.kinds) == Counter(list(range(8)) * 3)
        assert facts.deck[: facts.deck_next] == Facts(game.state).deck[: facts.deck_next]


def names(state: object) -> list[str]:
    facts = Facts(state)  # type: ignore[arg-type]
    return [TILES[tile].name for tile in facts.deck[facts.deck_next :]]


def test_letters_stay_in_order_and_every_tile_of_the_next_comes_up() -> None:
    state = Game.new(Options(), seed="1").state
    deals = [names(redeal(state, random.Random(seed))) for seed in range(200)]
    assert all(deal == sorted(deal, key=lambda name: name[0]) for deal in deals)
    assert {deal[0] for deal in deals} == {name for name in names(state) if name[0] == "A"}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_sudden_death_brings_no_volcano_too_early(players: int) -> None:
    limits = volcano_limits(players)
    state = Game.new(Options(players=players, auction=True, sudden_death=True), seed="1").state
    firsts = {volcano: set() for volcano in limits}  # type: dict[str, set[int]]
    for seed in range(300):
        for place, name in enumerate(names(redeal(state, random.Random(seed))), start=players):
            if name in limits:
                firsts[name].add(place)
    for volcano, places in firsts.items():
        assert min(places) >= limits[volcano]
        assert max(places) == 35
        assert len(places) > (36 - limits[volcano]) * 0.8


def test_after_a_shuffle_any_letter_may_come_next() -> None:
    game = Game.new(Options(players=2, auction=True, sudden_death=True), seed="3")
    idle_until(game, lambda game: Facts(game.state).deck_next == volcano_limits(2)["B6"])
    assert game.view(1)["top_letter"] is None
    tops = Counter(names(redeal(game.state, random.Random(seed)))[0][0] for seed in range(300))
    assert set(tops) == set("ABCDEFG")


def test_every_kind_of_treasure_may_lie_anywhere() -> None:
    game = next(game for game in decisions("basic", 12) if Facts(game.state).tokens.count(0) < 40)
    facts = Facts(game.state)
    [spot, *_] = [hex for hex in range(40) if facts.tokens[hex]]
    hidden = {kind for kind, count in enumerate(game.view(1)["unseen_kinds"]) if count}
    met = {Facts(redeal(game.state, random.Random(seed))).kinds[facts.token_at[spot]] for seed in range(300)}
    assert met == hidden
