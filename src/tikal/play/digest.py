"""A short digest of a position and of all chance still to come.

A server stores one with every event. When it replays stored actions, a different digest shows that the rules or the
seed have changed since. A digest is prefixed by the version of its format; format 1 has no prefix.

Format 4 covers what everybody may know (`known`) and the chance, as JSON in the terms of the notation. A server has
that JSON anyway. Format 3 covers the same, sorted and without empty values. Formats 1 to 3 are only computed to be
compared with stored ones.
"""

from __future__ import annotations

import hashlib
import json

from tikal.play.view import Json, hidden, is_empty, known, status
from tikal.rules.core import State
from tikal.rules.facts import Facts

FORMAT = "4:"
_FORMAT_3, _FORMAT_2 = "3:", "2:"
_LENGTH = 12

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


def digest(everybody_knows: bytes, chance: bytes) -> str:
    """The digest of a position, from `known` and `hidden` as JSON without spaces.

    >>> digest(b'{"phase":"place"}', b'{"deck":["A1"]}')
    '4:1452bc387c22'
    """
    return FORMAT + _hash(everybody_knows + chance)


def digest_like(stored: str, state: State) -> str:
    """The digest of a state, in the format of a stored one.

    >>> from tikal.play import Game
    >>> from tikal.rules.options import Options
    >>> state = Game.new(Options(), seed="42").state
    >>> digest_like("3:", state)
    '3:8d1c12820a8d'
    """
    if stored.startswith(FORMAT):
        return digest(_encode(known(state, None)), _encode(hidden(state)))
    if stored.startswith(_FORMAT_3):
        content = known(state, None) | hidden(state)
        filled = {name: value for name, value in content.items() if not is_empty(value)}
        return _FORMAT_3 + _hash(_encode(filled, sort=True))
    facts = Facts(state)
    if stored.startswith(_FORMAT_2):
        today = {name: _RENAMED.get(name, name) for name in _FIELDS_OF_FORMAT_2}
        content = {name: facts.fields[field] for name, field in today.items() if field in facts.fields}
        return _FORMAT_2 + _hash(_encode(content, sort=True))
    chance = [facts.fields.get(name) for name in ("deck", "kinds", "dice")]
    return _hash(_encode({"status": status(state), "chance": chance}))


def _encode(value: Json, sort: bool = False) -> bytes:
    return json.dumps(value, sort_keys=sort, separators=(",", ":"), ensure_ascii=False).encode()


def _hash(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:_LENGTH]
