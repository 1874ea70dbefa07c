"""A short digest of a position and of all chance still to come.

A server stores one with every event. When it replays stored actions, a different digest shows that the rules or the
seed have changed since. A digest is prefixed by the version of its format; format 1 has no prefix.

Format 3 covers what everybody may see (`view` for a spectator) and the chance, in the terms of the notation.
Empty values are left out, so that an option added later changes no digest of games without it. Formats 1 and 2 are
only computed to be compared with stored ones.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

from tikal.play.view import Json, hidden, is_empty, status
from tikal.rules.core import State
from tikal.rules.facts import Facts

FORMAT = "3:"
_FORMAT_2 = "2:"
_LENGTH = 12
Encode = Callable[[Json, bool], bytes]
_NOT_POSITION = {"viewer": None, "options": None}  # left out; the options are already in the game's first event

# Format 2 hashes these fields of the core, under their names at that time.
_FIELDS_OF_FORMAT_2 = (
    "place", "phase", "seat", "ap", "hand", "turn_seat", "volcano_seat", "round_kind", "had_turn", "out", "first_out",
    "bid", "bidder", "deck_next", "kind_next", "winners", "display", "gone", "order", "terrain", "tile", "rotation",
    "level", "camp", "guard", "tokens", "token_at", "stones", "done_once", "done_twice", "score", "workers", "leader",
    "reserve", "treasures", "supply", "deck", "kinds",
    # of variants
    "guns", "fired", "dice_next", "dice_count", "volcanoes_taken", "round_scored", "leap_stage", "walk_hex",
    "walk_member", "erupted", "lost_once", "lost_twice", "walls", "dice", "won", "purse", "chosen",
)  # fmt: skip
_RENAMED = {"walls": "obstacle_sides", "purse": "leap_tokens"}


def encode(value: Json, sort: bool) -> bytes:
    """JSON without spaces, with sorted or unsorted keys.

    >>> encode({"b": 1, "a": [None]}, sort=True)
    b'{"a":[null],"b":1}'
    """
    return json.dumps(value, sort_keys=sort, separators=(",", ":"), ensure_ascii=False).encode()


def digest(state: State, seen: Json, like: str = FORMAT, encode: Encode = encode) -> str:
    """The digest of a state, given the spectator's view of it, in the format of another digest.

    A caller that computes many may pass a faster `encode` that writes the same bytes.

    >>> from tikal.play import Game
    >>> from tikal.rules.options import Options
    >>> game = Game.new(Options(), seed="42")
    >>> len(digest(game.state, game.view(None)))
    14
    """
    if like.startswith(FORMAT):
        return FORMAT + _hash(encode(_content(state, seen), True))
    if like.startswith(_FORMAT_2):
        facts = Facts(state)
        today = {name: _RENAMED.get(name, name) for name in _FIELDS_OF_FORMAT_2}
        known = {name: facts.fields[field] for name, field in today.items() if field in facts.fields}
        return _FORMAT_2 + _hash(encode(known, True))
    facts = Facts(state)
    chance = [facts.fields.get(name) for name in ("deck", "kinds", "dice")]
    return _hash(encode({"status": status(state), "chance": chance}, False))


def _content(state: State, seen: Json) -> Json:
    known = seen | hidden(state) | _NOT_POSITION
    return {name: value for name, value in known.items() if not is_empty(value)}


def _hash(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:_LENGTH]
