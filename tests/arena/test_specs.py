"""Players in one argument."""

from __future__ import annotations

import pytest

from tikal.arena.errors import ArenaError
from tikal.arena.specs import split_players


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("digger,tourist", ["digger", "tourist"]),
        ("professor:nodes=1000,seed=3,digger", ["professor:nodes=1000,seed=3", "digger"]),
        ("digger,surveyor:width=200", ["digger", "surveyor:width=200"]),
        ("surveyor:width=1,surveyor:width=2", ["surveyor:width=1", "surveyor:width=2"]),
        ("program:bin/engine --a=1,digger", ["program:bin/engine --a=1", "digger"]),
        ("digger,nodes=5", ["digger,nodes=5"]),
        (" digger , tourist ", ["digger", "tourist"]),
    ],
)
def test_a_part_with_equals_and_no_colon_before_it_is_a_parameter(text: str, players: list[str]) -> None:
    assert split_players(text) == players


@pytest.mark.parametrize("text", ["", "digger,", ",digger", "digger,,tourist", "digger, ,tourist"])
def test_a_missing_name_is_refused(text: str) -> None:
    with pytest.raises(ArenaError, match="a name is missing beside a comma"):
        split_players(text)


def test_a_parameter_without_a_player_is_refused() -> None:
    with pytest.raises(ArenaError, match="nodes=5 is a parameter without a player before it"):
        split_players("nodes=5,digger")
