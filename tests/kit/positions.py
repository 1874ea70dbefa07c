"""Positions made by hand: pieces are put where a test wants them, even if no game could get there.

>>> state = Position(tiles="B2@c3^0", members={1: "c3:LW", 2: "c3:WWW"}, ap=5).state()
>>> [action for action in legal(state) if action[0] == "G"]
['GL@c3', 'GW@c3']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tikal.play.notation import parse, text
from tikal.rules.codes import GONE, NO_CHOICE, NO_SEAT, NO_TILE, PHASES, RESERVE
from tikal.rules.core import TERRAINS, Moves, State
from tikal.rules.facts import Facts
from tikal.rules.options import Options
from tikal.rules.refusals import refusal
from tikal.rules.setup import blank
from tikal.rules.tables import BOARDS, HEX_INDEX, HEX_NAMES, NEIGHBOURS, TILE_INDEX, TILES, WORKERS

KINDS_IN_ORDER = [kind for kind in range(8) for _ in range(3)]
ROUNDS = (None, "volcano", "final")
OFFICIAL = Options()
STAGES = (None, "fresh", "walking", "spent")
Counts = Mapping[int, Mapping[str, int]]


def hexes(names: str | Iterable[str]) -> int:
    """A set of hexes as bits, from names in one text or one by one."""
    return sum(1 << HEX_INDEX[name] for name in (names.split() if isinstance(names, str) else names))


def seats(numbers: Iterable[int]) -> int:
    """A set of seats as bits."""
    return sum(1 << seat - 1 for seat in numbers)


def tile_or_none(name: str | None) -> int:
    return NO_TILE if name is None else TILE_INDEX[name]


def seat_or_none(seat: int | None) -> int:
    return NO_SEAT if seat is None else seat - 1


@dataclass(frozen=True, kw_only=True)
class Position:
    """Where everything is, and whose decision it is. Seats count from 1; hexes, tiles and phases go by their names.

    `tiles` are laid on top of the board without checking ("B2@c3^0 C3@d3^1"); `members` are on hexes ("c3:LWW d3:W";
    "gone" instead of hexes removes the leader); workers on hexes are missing from the reserve.
    `dataclasses.replace` changes one thing and leaves the rest.
    """

    options: Options = OFFICIAL
    phase: str = "act"
    seat: int = 1
    ap: int = 10
    hand: str | None = None
    tiles: str = ""
    levels: Mapping[str, int] = field(default_factory=dict)
    tokens: Mapping[str, int] = field(default_factory=dict)
    members: Mapping[int, str] = field(default_factory=dict)
    reserve: Mapping[int, int] = field(default_factory=dict)
    camps: Mapping[str, int] = field(default_factory=dict)
    guards: Mapping[str, int] = field(default_factory=dict)
    treasures: Mapping[int, Mapping[int, int]] = field(default_factory=dict)  # seat -> kind -> how many
    scores: Mapping[int, int] = field(default_factory=dict)
    supply: Mapping[int, int] = field(default_factory=dict)
    done: Counts = field(default_factory=dict)  # seat -> hex -> levels or tokens taken there this turn
    turn: int | None = None  # the seat whose turn it is, if another seat decides
    last_volcano: int | None = None  # the seat that drew the last volcano
    scoring: str | None = None  # "volcano" or "final"
    order: tuple[int, ...] = ()
    place: int = 0
    deck_left: int | None = None
    # The auction.
    display: str = ""
    bid: int = 0
    bidder: int | None = None
    out: tuple[int, ...] = ()
    first_out: int | None = None
    had_turn: tuple[int, ...] = ()
    # Variants.
    guns: str = ""
    fired: str = ""
    obstacles: str = ""  # "a1-a2 …"
    lost: Counts = field(default_factory=dict)
    worked: Counts = field(default_factory=dict)  # with members_work_once: seat -> hex -> members that have worked
    dice: tuple[int, ...] = ()
    volcanoes_taken: int = 0
    round_scored: bool = False
    stage: str | None = None
    walker: str = "W:a1"
    leap_tokens: Mapping[int, int] = field(default_factory=dict)

    def state(self) -> State:
        """The state of the core."""
        state = blank(self.options)(self.options, range(36), KINDS_IN_ORDER, self.dice)
        fields = state.export()
        for part in (self._flow, self._board, self._deck, self._seats, self._work):
            fields |= part(fields)
        if not self.options.plain:
            fields |= self._variants()
        state.restore(fields)
        return state

    def _flow(self, _start: dict[str, Any]) -> dict[str, Any]:
        order = [seat - 1 for seat in self.order]
        return {
            "phase": PHASES.index(self.phase),
            "seat": self.seat - 1,
            "turn_seat": (self.turn or self.seat) - 1,
            "ap": self.ap if self.phase in ("act", "leap") else 0,
            "hand": tile_or_none(self.hand),
            "volcano_seat": seat_or_none(self.last_volcano),
            "round_kind": ROUNDS.index(self.scoring),
            "order": order + [0] * (4 - len(order)),
            "place": self.place,
            "display": sum(1 << TILE_INDEX[name] for name in self.display.split()),
            "bid": self.bid,
            "bidder": seat_or_none(self.bidder),
            "out": seats(self.out),
            "first_out": seat_or_none(self.first_out),
            "had_turn": seats(self.had_turn),
        }

    def _board(self, start: dict[str, Any]) -> dict[str, Any]:
        """Tiles, levels, tokens (taken from the supply in the order of `tiles`), camps and guards."""
        names = ("terrain", "tile", "rotation", "stones", "level", "tokens", "token_at", "supply", "camp", "guard")
        rows = {name: list(start[name]) for name in names}
        next_token = 0
        for word in self.tiles.split():
            tile, at, rotation = TILES[TILE_INDEX[word[:2]]], HEX_INDEX[word[3:5]], int(word[6])
            assert rows["terrain"][at] == 0, f"{word}: the hex is taken"
            rows["terrain"][at] = TERRAINS[tile.terrain]
            rows["tile"][at], rows["rotation"][at] = TILE_INDEX[tile.name], rotation
            rows["stones"][at] = sum(stones << 2 * side for side, stones in enumerate(tile.turned(rotation)))
            if tile.terrain == "temple":
                rows["level"][at] = tile.value
            elif tile.terrain == "treasure":
                left = self.tokens.get(word[3:5], tile.value)
                rows["tokens"][at], rows["token_at"][at] = left, next_token + tile.value - left
                next_token += tile.value
        for row, counts in (("level", self.levels), ("camp", self.camps), ("guard", self.guards)):
            for name, count in counts.items():
                rows[row][HEX_INDEX[name]] = count
        for level, count in self.supply.items():
            rows["supply"][level] = count
        return rows | {"kind_next": next_token}

    def _deck(self, _start: dict[str, Any]) -> dict[str, Any]:
        """All revealed tiles are at the front of the deck, the others follow in the order of the table."""
        up = [word[:2] for word in self.tiles.split()] + self.display.split() + ([self.hand] if self.hand else [])
        assert len(up) == len(set(up)), f"a tile is there twice: {up}"
        rest = [tile.name for tile in TILES if tile.name not in up]
        left = len(rest) if self.deck_left is None else self.deck_left
        return {"deck": [TILE_INDEX[name] for name in up + rest], "deck_next": len(TILES) - left}

    def _seats(self, start: dict[str, Any]) -> dict[str, Any]:
        rows = {name: list(start[name]) for name in ("workers", "leader", "reserve", "treasures", "score")}
        for seat in range(1, self.options.players + 1):
            rows["leader"][seat - 1] = RESERVE
            for word in self.members.get(seat, "").split():
                if word == "gone":
                    rows["leader"][seat - 1] = GONE
                    continue
                name, _, pieces = word.partition(":")
                rows["workers"][(seat - 1) * 40 + HEX_INDEX[name]] = pieces.count("W")
                rows["reserve"][seat - 1] -= pieces.count("W")
                if "L" in pieces:
                    rows["leader"][seat - 1] = HEX_INDEX[name]
            rows["reserve"][seat - 1] = self.reserve.get(seat, rows["reserve"][seat - 1])
            rows["score"][seat - 1] = self.scores.get(seat, rows["score"][seat - 1])
            for kind, count in self.treasures.get(seat, {}).items():
                rows["treasures"][(seat - 1) * 8 + kind - 1] = count
            assert 0 <= rows["reserve"][seat - 1] <= WORKERS
        return rows

    def _work(self, _start: dict[str, Any]) -> dict[str, Any]:
        once, twice = _masks(self.done)
        return {"done_once": once, "done_twice": twice}

    def _variants(self) -> dict[str, Any]:
        sides = [0] * 40
        for pair in self.obstacles.split():
            one, other = (HEX_INDEX[name] for name in pair.split("-"))
            sides[one] |= 1 << NEIGHBOURS[one].index(other)
            sides[other] |= 1 << NEIGHBOURS[other].index(one)
        once, twice = _masks(self.lost)
        member, _, at = self.walker.partition(":")
        tokens = [self.leap_tokens.get(seat, 0) for seat in range(1, 5)]
        return {
            "guns": hexes(self.guns),
            "fired": hexes(self.fired),
            "obstacle_sides": sides,
            "lost_once": once,
            "lost_twice": twice,
            "worked": [self.worked.get(seat, {}).get(name, 0) for seat in range(1, 5) for name in HEX_NAMES],
            "volcanoes_taken": self.volcanoes_taken,
            "round_scored": int(self.round_scored),
            "leap_stage": STAGES.index(self.stage),
            "walk_hex": HEX_INDEX[at] if self.stage == "walking" else 0,
            "walk_member": "WL".index(member) if self.stage == "walking" else 0,
            "leap_tokens": tokens,
            "chosen": [NO_CHOICE if left and self.phase == "leap" else 0 for left in tokens],
        }


def _masks(counts: Counts) -> tuple[list[int], list[int]]:
    """Counts of 1 or 2 per seat and hex as two sets of bits per seat."""
    rows = [counts.get(seat, {}) for seat in range(1, 5)]
    return [hexes(row) for row in rows], [hexes(name for name in row if row[name] == 2) for row in rows]


def legal(state: State, start: str = "") -> list[str]:
    """The legal actions as text in ASCII order; only those with this prefix."""
    moves = Moves()
    state.legal(moves)
    return sorted(action for action in map(text, moves) if action.startswith(start))


def play(state: State, *actions: str) -> State:
    """The state after these actions, each of which must be legal; the given one is not changed."""
    after = state.clone()
    for action in actions:
        assert action in legal(after), f"{action} is not legal: {why_not(after, action)}"
        after.apply(parse(action))
    return after


def why_not(state: State, action: str) -> str | None:
    """The code of an action's refusal; None if it is legal."""
    why = refusal(Facts(state), parse(action))
    return why.code if why else None


def refused(state: State, action: str) -> str:
    """The code of an action's refusal; the legal actions must not contain it."""
    code = why_not(state, action)
    assert action not in legal(state), f"{action} is legal"
    assert code is not None, f"{action} is not legal, but no refusal says why"
    return code


def cost(state: State, start: str, goal: str) -> int:
    """The cost of a step; 0 without a passage."""
    return Facts(state).passage(HEX_INDEX[start], HEX_INDEX[goal])


def seat_of(state: State) -> int:
    """The seat to move, from 1."""
    return state.seat + 1


def scores(state: State) -> list[int]:
    """The scores of all seats."""
    found: list[int] = Facts(state).score[: state.players]
    return found


def worth(state: State, seat: int) -> int:
    """What a seat would score now."""
    return state.temple_points(seat - 1) + state.treasure_points(seat - 1)


def laid_everywhere(but: dict[str, str], empty: set[str], last: str) -> str:
    """Tiles on all hexes but these empty ones: some as given, the rest in order; `last` stays in the deck."""
    hexes = [name for name in HEX_NAMES if name not in BOARDS["original"].printed and name not in empty | set(but)]
    rest = [tile.name for tile in TILES if tile.name not in (*but.values(), last)]
    pairs = [*but.items(), *zip(hexes, rest, strict=True)]
    return " ".join(f"{tile}@{name}^0" for name, tile in pairs)


# Volcanoes on h2 and g1 cut off h1, the only hex without a tile.
SEALED = laid_everywhere({"h2": "B6", "g1": "D5"}, {"h1"}, last="G4")
# A volcano on g1, the only hex without a tile, would cut off h1.
SEALING = laid_everywhere({"h2": "B6", "a5": "D5", "h1": "C5"}, {"g1"}, last="F5")
