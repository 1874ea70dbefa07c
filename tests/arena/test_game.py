"""One game: its outcome, its faults, and that it is reproducible."""

from __future__ import annotations

import pytest

from tikal.arena import Match
from tikal.arena.game import play_game
from tikal.arena.outcome import Outcome
from tikal.arena.schedule import Fixture, deal_seed
from tikal.bots.skill import places
from tikal.play import Game
from tikal.play.records import read


def play(*players: str, rotation: int = 0, deal: int = 0, **options: object) -> tuple[Outcome, str]:
    return play_game(Match.of(players, seed="9", options=options), Fixture(deal, rotation))


@pytest.mark.parametrize("rotation", [0, 1, 2])
def test_results_are_by_entry_whatever_the_seats(rotation: int) -> None:
    outcome, record = play("wanderer", "passive", "wanderer", rotation=rotation)
    found = read(record)
    by_seat = found.game.status()["scores"]
    fixture = Fixture(0, rotation)
    seats = [fixture.seat_of(entry, 3) for entry in range(3)]
    assert outcome.scores == [by_seat[seat - 1] for seat in seats]
    assert outcome.scores[1] == 0 < min(outcome.scores[0], outcome.scores[2])
    assert found.tags["Players"] == [["wanderer", "passive", "wanderer"][fixture.entry_at(s, 3)] for s in (1, 2, 3)]
    assert outcome.places[1] == 3 and outcome.shares[1] == 0
    assert [a + b for a, b in zip(outcome.temples, outcome.treasures, strict=True)] == outcome.scores
    assert [sum(rounds) for rounds in outcome.rounds] == outcome.scores
    assert [len(rounds) for rounds in outcome.rounds] == [4, 4, 4]
    assert [curve[-1] for curve in outcome.course] == outcome.scores


def test_the_record_has_the_seed_and_replays_to_the_result() -> None:
    outcome, record = play("wanderer", "wanderer", deal=3)
    game = read(record).game
    assert game.seed == deal_seed("9", 3)
    assert game.status()["scores"] == outcome.scores


def test_the_same_game_again_is_the_same() -> None:
    first, record = play("wanderer", "wanderer", rotation=1, auction=True)
    again, record_again = play("wanderer", "wanderer", rotation=1, auction=True)
    assert (first.without_times(), record) == (again.without_times(), record_again)
    other, _ = play("wanderer", "wanderer", rotation=0, auction=True)
    assert other.without_times()["course"] != first.without_times()["course"]


def test_a_shared_win_counts_its_part() -> None:
    outcome, _ = play("passive", "passive", "passive")
    assert outcome.scores == [0, 0, 0]
    assert outcome.shares == pytest.approx([1 / 3] * 3)
    assert outcome.places == [1, 1, 1]


def test_bids_and_their_times_are_kept() -> None:
    outcome, record = play("wanderer", "wanderer", auction=True)
    lines = zip(outcome.temples, outcome.treasures, outcome.bids, outcome.scores, strict=True)
    assert all(20 + temples + treasures - bids == score for temples, treasures, bids, score in lines)
    assert any(outcome.bids)
    words = record.split("\n\n")[1].split()
    assert sum(len(times) for times in outcome.bid_ms) == sum(word.startswith("B:") for word in words)
    assert sum(len(times) for times in outcome.turn_ms) == words.count(".")


@pytest.mark.parametrize("variant", ["leaps", "sudden_death", "instant_scoring", "machine_gun"])
def test_variants_are_played_to_their_end(variant: str) -> None:
    outcome, record = play("wanderer", "wanderer", auction=True, **{variant: True})
    assert outcome.fault is None
    assert read(record).game.over


FAULTS = [
    ("crasher", "crash", "ValueError: two lines"),
    ("quitter", "crash", "SystemExit: enough"),
    ("cheat:how=illegal", "illegal", "X@h5: "),
    ("cheat:how=nonsense", "illegal", "checkmate"),
    ("cheat:how=nothing", "illegal", "the bot gave no answer"),
    ("cheat:how=number", "illegal", "answered 42, which is not a list of actions"),
    ("cheat:how=numbers", "illegal", "answered [1, 2], which is not a list of actions"),
    ("cheat:how=text", "illegal", "answered '.', which is not a list of actions"),
    ("meddler", "illegal", "A1@c2^0: the bot kept playing after its turn had ended"),
]


@pytest.mark.parametrize(("bad", "kind", "text"), FAULTS)
@pytest.mark.parametrize("rotation", [0, 1, 2])
def test_a_fault_loses_the_game_and_the_others_share_it(bad: str, kind: str, text: str, rotation: int) -> None:
    outcome, record = play("passive", bad, "passive", rotation=rotation)
    assert outcome.fault is not None
    assert (outcome.fault.entry, outcome.fault.kind) == (1, kind)
    assert text in outcome.fault.text and "\n" not in outcome.fault.text
    assert outcome.shares == [0.5, 0.0, 0.5]
    assert outcome.places == [1, 3, 1]
    assert outcome.scores == []
    game = Game.from_record(record)
    assert not game.over and game.history
    assert record.splitlines()[-1] == f"# {bad} lost by a fault ({kind}): {outcome.fault.text}"


def test_a_bot_that_cant_be_made_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOYS_UNMAKABLE", "1")
    outcome, _ = play("passive", "unmakable")
    assert outcome.fault is not None
    assert outcome.fault.kind == "crash" and "OSError: no engine here" in outcome.fault.text


def test_trouble_after_the_end_changes_nothing() -> None:
    outcome, _ = play("sulker", "wanderer")
    assert outcome.fault is None
    assert outcome.shares == [0.0, 1.0]


def test_places_by_winners_then_scores() -> None:
    assert places([61, 61, 40, 50], winners=[1]) == [2, 1, 4, 3]
    assert places([61, 61, 40, 40], winners=[0, 1]) == [1, 1, 3, 3]
