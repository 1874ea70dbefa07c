"""Opponents. For now one that plays at random, so that everything that asks for a bot has an answer."""

from __future__ import annotations

import random
from collections.abc import Mapping

from tikal.play import notation
from tikal.play.position import Position
from tikal.rules.codes import BID, DIG, EXCAVATE, kind_of
from tikal.rules.core import Moves
from tikal.rules.errors import TikalError

LEVELS = ("tourist",)


class BotError(TikalError):
    """A bot or a budget that there is not."""


def best(position: Position, settings: Mapping[str, str]) -> list[str]:
    """What a bot would play, up to the next decision that depends on something not yet revealed."""
    if settings.get("level") not in LEVELS:
        raise BotError("option", f"level={settings.get('level')}: must be one of {', '.join(LEVELS)}")
    state = position.state.clone()
    rng = random.Random(settings.get("seed", "0"))
    moves, plan, seat = Moves(), [], state.seat
    while state.seat == seat and state.legal(moves):
        action = rng.choice(list(moves))
        plan.append(notation.text(action))
        state.apply(action)
        if kind_of(action) in (BID, DIG, EXCAVATE):
            break
    return plan
