"""The benchmark against version 0.1.0: the fields that it removes are empty in games that both can play."""

from __future__ import annotations

import json

import pytest

from benchmarks.bots_release import NEW_OPTIONS, NEW_PARTS, POSITION, translated
from tests.bots.samples import decisions
from tests.kit.games import KINDS, options_of

OLD_KINDS = [kind for kind in KINDS if not options_of(kind).members_work_once]


@pytest.mark.parametrize("kind", OLD_KINDS)
def test_the_fields_left_out_are_always_empty(kind: str) -> None:
    for game in decisions(kind, 6):
        view = game.view(game.seat)
        assert not any(view["options"][name] for name in NEW_OPTIONS)
        assert not any(any(seat) for name in NEW_PARTS for seat in view[name])
        sent = json.loads(translated(POSITION + json.dumps(view)).removeprefix(POSITION))
        assert view.keys() - sent.keys() == set(NEW_PARTS)
        assert view["options"].keys() - sent["options"].keys() == set(NEW_OPTIONS)
