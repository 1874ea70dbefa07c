"""What everybody at the table can deduce: the tiles that may come next, and the progress of a scoring round.

Clients know no rules; they show these facts. All of them follow from what is public.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby

from tikal.play.view import ROUNDS, Json, top_letter, unseen_tiles
from tikal.rules.codes import FINISHED
from tikal.rules.core import State
from tikal.rules.facts import Facts
from tikal.rules.setup import volcano_limits
from tikal.rules.tables import VOLCANOES


def prospect(state: State) -> Json:
    """What may come next.

    >>> from tikal.play import Game
    >>> from tikal.rules.options import Options
    >>> facts = prospect(Game.new(Options(), seed="42").state)
    >>> facts["letter"], facts["left"], facts["volcano"], facts["letters"][1]
    ('A', 5, 0.0, {'letter': 'B', 'tiles': 6, 'volcano': True})
    """
    coming, letter = tuple(_coming(state)), top_letter(state)
    return {**_tiles(coming, letter), **_round(state)}


@lru_cache(1024)  # it changes only with the next tile
def _tiles(coming: tuple[str, ...], letter: str | None) -> Json:
    """Facts about the tiles that the next one is drawn from."""
    nearest = [tile for tile in coming if letter in (None, tile[0])]
    volcanoes = [tile for tile in nearest if tile in VOLCANOES]
    return {
        "letter": letter,
        "left": len(nearest),
        "volcano": len(volcanoes) / len(nearest) if nearest else 0.0,
        "letters": [_group(name, list(tiles)) for name, tiles in groupby(coming, key=lambda tile: tile[0])],
    }


def _coming(state: State) -> list[str]:
    """The tiles that the next one is drawn from, sorted; with `sudden_death` volcanoes join one by one."""
    unseen = unseen_tiles(state)
    if not getattr(state, "sudden_death", False):
        return unseen
    limits = volcano_limits(state.players)
    return [name for name in unseen if limits.get(name, 0) <= state.deck_next]


def _group(letter: str, tiles: list[str]) -> Json:
    return {"letter": letter, "tiles": len(tiles), "volcano": any(tile in VOLCANOES for tile in tiles)}


def _round(state: State) -> Json:
    """The kind of scoring round, the seats that have scored in it, and those that have not."""
    if not state.round_kind or state.phase == FINISHED:
        return {"round": "none", "scored": [], "to_score": []}
    order = [seat + 1 for seat in Facts(state).order[: state.players]]
    return {"round": ROUNDS[state.round_kind], "scored": order[: state.place], "to_score": order[state.place :]}
