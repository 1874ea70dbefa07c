"""`best` in the protocol: from a game, from a position, and with wrong arguments."""

from __future__ import annotations

import json

import pytest

from tests.bots.samples import PHASES, by_phase, fault
from tikal.engine.protocol import Engine, reply

ASK = "best level=surveyor nodes=2000 seed=3"


def say(engine: Engine, line: str) -> list[str]:
    return list(reply(engine, line))


def started(*lines: str) -> Engine:
    engine = Engine()
    for line in lines:
        assert say(engine, line)[-1] == "ok"
    return engine


@pytest.mark.parametrize("phase", PHASES)
def test_a_position_is_answered_as_the_game_it_was_seen_in(phase: str) -> None:
    for game in by_phase(phase)[:3]:
        inside = started("load " + json.dumps(game.to_json()))
        outside = started("position " + json.dumps(game.view(game.seat)))
        answer = say(inside, ASK)
        assert answer[-1] == "ok"
        assert len(answer) == 2
        assert fault(game, answer[0].split()) == ""
        assert say(outside, ASK) == answer
        assert say(outside, "legal") == say(inside, "legal")  # asking changes nothing
        assert say(outside, ASK) == answer


def test_the_views_of_others_give_the_same_answer() -> None:
    """A position may be the view of any seat; the seat to move answers, and hidden tokens stay hidden."""
    game = by_phase("act")[0]
    for viewer in (None, 1, 2):
        engine = started("position " + json.dumps(game.view(viewer)))
        assert say(engine, ASK) == say(started("position " + json.dumps(game.view(game.seat))), ASK)


def test_a_plan_can_be_played_on() -> None:
    engine = started("newgame players=2 seed=8")
    for seed in range(12):
        [plan, ok] = say(engine, f"best level=tourist seed={seed}")
        assert ok == "ok"
        assert say(engine, f"play {plan}") == ["ok"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("best", "err option: level=: must be one of tourist, digger, mason, adventurer, surveyor, professor"),
        ("best level=wizard", "err option: level=wizard: must be one of"),
        ("best digger", "err usage: 'digger': must be KEY=VALUE"),
        ("best level=digger level=digger", "err option: level: is given twice"),
        ("best level=digger depth=2", "err option: depth: no such setting; there are level, time, nodes, seed"),
        ("best level=surveyor width=2", "err option: width: no such setting"),
        ("best level=digger seed=x", "err option: seed=x: must be a whole number"),
        ("best level=digger seed=--1", "err option: seed=--1: must be a whole number"),
        ("best level=digger seed=1.5", "err option: seed=1.5: must be a whole number"),
        ("best level=digger seed=²", "err option: seed=²: must be a whole number"),
        ("best level=professor nodes=0", "err option: professor: nodes=0 must be a number from 1"),
        ("best level=professor time=soon", "err option: professor: time=soon must be a number from 1"),
        ("best level=professor time=5 nodes=5", "err option: professor: nodes and time exclude each other"),
    ],
)
def test_wrong_questions(line: str, said: str) -> None:
    engine = started("newgame seed=1")
    before = say(engine, "state")
    [answer] = say(engine, line)
    assert answer.startswith(said)
    assert say(engine, "state") == before


def test_negative_seeds_are_seeds() -> None:
    engine = started("newgame seed=1")
    assert say(engine, "best level=tourist seed=-7") != say(engine, "best level=tourist seed=7")


def test_without_a_game_there_is_nothing_to_ask() -> None:
    assert say(Engine(), ASK)[0].startswith("err nogame")


def test_nothing_is_best_when_the_game_is_over() -> None:
    engine = started("newgame seed=1")
    while json.loads(say(engine, "status")[0])["phase"] != "over":
        say(engine, f"play {say(engine, 'best level=tourist')[0]}")
    assert say(engine, ASK)[0].startswith("err usage: the game is over")
