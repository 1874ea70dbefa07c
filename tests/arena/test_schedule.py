"""Deals, rotations and seeds."""

from __future__ import annotations

import pytest

from tikal.arena import ArenaError, Match, Sprt
from tikal.arena.schedule import Fixture, bot_stream, deal_seed, schedule
from tikal.play import Game
from tikal.rules.errors import TikalError
from tikal.rules.options import Options


@pytest.mark.parametrize("players", [2, 3, 4])
def test_in_a_deal_every_entry_sits_in_every_seat_once(players: int) -> None:
    fixtures = list(schedule(1, players))
    for entry in range(players):
        assert sorted(fixture.seat_of(entry, players) for fixture in fixtures) == list(range(1, players + 1))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_and_entries_are_each_others_inverse(players: int) -> None:
    for fixture in schedule(3, players):
        assert [fixture.entry_at(fixture.seat_of(e, players), players) for e in range(players)] == list(range(players))


def test_neighbours_stay_neighbours() -> None:
    for fixture in schedule(1, 4):
        assert (fixture.seat_of(1, 4) - fixture.seat_of(0, 4)) % 4 == 1


def test_the_games_of_a_deal_have_the_same_tiles_and_other_deals_have_others() -> None:
    def tiles(seed: str, deal: int) -> object:
        return Game.new(Options(), seed=deal_seed(seed, deal)).chance

    assert tiles("1", 0) == tiles("1", 0)
    assert len({str(tiles(seed, deal)) for seed in ("1", "2") for deal in range(5)}) == 10


def test_every_entry_of_every_game_has_seeds_of_its_own() -> None:
    firsts = {
        bot_stream(seed, Fixture(deal, rotation), entry).below(2**31)
        for seed in ("1", "2")
        for deal in range(3)
        for rotation in range(2)
        for entry in range(2)
    }
    assert len(firsts) == 24


@pytest.mark.parametrize(("players", "games", "rounded"), [(2, 1, 2), (2, 200, 200), (3, 200, 201), (4, 1, 4)])
def test_games_are_rounded_up_to_whole_deals(players: int, games: int, rounded: int) -> None:
    match = Match.of(["tourist"] * players, games)
    assert match.games == rounded == len(list(match.fixtures()))
    assert match.deals == rounded // players
    assert match.options.players == players


@pytest.mark.parametrize(
    ("players", "more", "text"),
    [
        ([], {}, "players: none given, must be 2 to 4"),
        (["a"], {}, "players: 1 given, must be 2 to 4"),
        (["a"] * 5, {}, "players: 5 given, must be 2 to 4"),
        (["a", "b"], {"games": 0}, "games 0: must be 1 to 10000000"),
        (["a", "b"], {"games": -3}, "games -3: must be 1 to 10000000"),
        (["a", "b"], {"seed": "two words"}, "seed: must be 1 to 200 printable ASCII characters"),
        (["a", "b"], {"options": {"leaps": True}}, "leaps needs auction=true"),
        (["a", "a"], {"sprt": Sprt(0, 10)}, "all players are the same"),
        (["a", "b"], {"sprt": Sprt(0, 4000)}, "win rates below 0.1 % or above 99.9 %"),
    ],
)
def test_an_impossible_match_is_refused(players: list[str], more: dict[str, object], text: str) -> None:
    with pytest.raises(TikalError, match=text):
        Match.of(players, **more)  # type: ignore[arg-type]


def test_a_match_survives_its_journal_line() -> None:
    match = Match.of(["a", "b"], 7, "x", {"auction": True, "edition": "classic"}, Sprt(0.5, 0.6, "rate", 0.1, 0.2))
    assert Match.from_json(match.as_json()) == match
    with pytest.raises(ArenaError, match="was played by rules 0; these are rules"):
        Match.from_json({**match.as_json(), "rules": 0})
