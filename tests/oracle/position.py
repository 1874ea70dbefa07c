"""The pieces on the table, what a seat may do there, and the effects: rules.md sections 3.1, 4, 5 and 10.

`Position` knows nothing of turns, auctions or rounds: those are in `model.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .chance import check_deck, check_dice, check_treasures, resolve
from .tables import (
    LEVEL_TILES,
    MAX_CAMPS,
    MAX_GUARDS,
    NO_STONES,
    ORIGINAL_BOARD,
    TILES,
    TREASURE_KINDS,
    WORKERS,
    Printed,
    Stones,
    neighbour,
    opposite,
    rotations,
)


@dataclass
class Hex:
    """A space of the board and its content.

    `terrain`: "empty", "lake", "base", "jungle", "temple", "treasure" or "volcano". A printed volcano and a
    volcano tile have the same terrain; only the tile is `explored`.
    """

    name: str
    terrain: str
    explored: bool = False
    stones: Stones = NO_STONES
    level: int = 0
    tile: str | None = None
    rotation: int = 0
    tokens: list[int] = field(default_factory=list)

    @property
    def enterable(self) -> bool:
        return self.explored and self.terrain != "volcano"

    @property
    def counts_as_jungle(self) -> bool:
        return self.terrain == "jungle" or (self.terrain == "treasure" and not self.tokens)


@dataclass
class Player:
    """The belongings of one seat. `leader` is "reserve", a hex or "gone"; `gone` counts workers out of the game."""

    score: int
    reserve: int = WORKERS
    leader: str = "reserve"
    workers: dict[str, int] = field(default_factory=dict)
    gone: int = 0
    treasures: dict[int, int] = field(default_factory=lambda: dict.fromkeys(TREASURE_KINDS, 0))


@dataclass
class TurnLimits:
    """What counts against the per-turn limits of one seat: work by hex, boulder victims by hex, guns.

    `worked` counts by hex the members that have worked [R21]; they are counted in every game, and matter only with
    `members_work_once`.
    """

    work: dict[str, int] = field(default_factory=dict)
    worked: Counter[str] = field(default_factory=Counter)
    crushed: dict[str, int] = field(default_factory=dict)
    fired: set[str] = field(default_factory=set)
    guns_placed: set[str] = field(default_factory=set)


class Position:
    """Board and belongings. All attributes are plain and public, so that tests can build positions by hand.

    `ap` are those of the budget running now, `limits` what each seat has done in it.
    """

    def __init__(self, options: Mapping[str, object], deck: list[str], treasures: list[int], dice: list[int]) -> None:
        self.options = resolve(options)
        check_deck(self.options, deck)
        check_treasures(treasures)
        check_dice(self.options, dice)
        self.deck = list(deck)
        self.treasure_supply = list(treasures)
        self.dice = list(dice)

        self.seats = list(range(1, int(str(self.options["players"])) + 1))
        start_score = 20 if self.options["auction"] else 0
        self.players = {seat: Player(start_score) for seat in self.seats}
        self.hexes = _make_board(self.options["board"])
        self.base = next(hex_.name for hex_ in self.hexes.values() if hex_.terrain == "base")
        self.level_supply = dict(LEVEL_TILES)
        self.camps: dict[str, int] = {}
        self.guards: dict[str, int] = {}
        self.guns: set[str] = set()
        self.obstacles: set[tuple[str, str]] = set()
        self.ap = 0
        self.limits = {seat: TurnLimits() for seat in self.seats}

    # ---------------------------------------------------------------- building positions by hand

    def put_tile(self, tile: str, name: str, k: int = 0) -> None:
        """Lays a tile without checking; treasure tiles take their tokens."""
        kind, hex_ = TILES[tile], self.hexes[name]
        hex_.terrain, hex_.explored = kind.terrain, True
        hex_.stones = dict(rotations(kind))[k]
        hex_.tile, hex_.rotation = tile, k
        if kind.terrain == "temple":
            hex_.level = kind.value
        if kind.terrain == "treasure":
            hex_.tokens = self.treasure_supply[: kind.value]
            self.treasure_supply = self.treasure_supply[kind.value :]

    def put_members(self, seat: int, name: str, workers: int = 0, leader: bool = False) -> None:
        """Bring members from the reserve onto a hex, for nothing."""
        player = self.players[seat]
        player.reserve -= workers
        if workers:
            player.workers[name] = player.workers.get(name, 0) + workers
        if leader:
            player.leader = name

    # ---------------------------------------------------------------- placing a tile (section 3.1)

    def places(self, tile: str) -> list[str]:
        """All placements of a tile, as actions (section 3.1)."""
        return [
            f"{tile}@{hex_.name}^{k}"
            for hex_ in self.hexes.values()
            for k, stones in rotations(TILES[tile])
            if hex_.terrain == "empty" and self._may_lie(TILES[tile].terrain, hex_.name, stones)
        ]

    def _may_lie(self, terrain: str, name: str, stones: Stones) -> bool:
        around = self._neighbours(name)
        if terrain == "volcano":
            next_to_explored = any(hex_.explored for hex_ in around.values())
            may_seal = bool(self.options["volcano_may_seal"])
            return next_to_explored and (may_seal or not self._would_cut_off(name))
        return any(
            hex_.enterable and stones[direction] + hex_.stones[opposite(direction)] > 0
            for direction, hex_ in around.items()
        )

    def _would_cut_off(self, volcano: str) -> bool:
        """With a volcano there, is some hex no longer joined to the base camp by non-volcano hexes?"""
        must_be_joined = {
            hex_.name
            for hex_ in self.hexes.values()
            if hex_.terrain not in ("volcano", "lake") and hex_.name != volcano
        }
        joined: set[str] = set()
        to_visit = [self.base]
        while to_visit:
            name = to_visit.pop()
            if name in must_be_joined and name not in joined:
                joined.add(name)
                to_visit += [hex_.name for hex_ in self._neighbours(name).values()]
        return joined != must_be_joined

    # ---------------------------------------------------------------- actions (section 4 and variants 2 to 4)

    def affordable(self, seat: int) -> list[str]:
        return [action for action, cost in self.actions(seat).items() if cost <= self.ap]

    def actions(self, seat: int) -> dict[str, int]:
        """Every action whose conditions hold for the seat now, with its cost, whatever AP are left."""
        costs: dict[str, int] = {}
        costs |= self._enter_actions(seat)
        costs |= self._move_actions(seat)
        costs |= self._work_actions(seat)
        costs |= self._exchange_actions(seat)
        costs |= self._camp_actions(seat)
        costs |= self._guard_actions(seat)
        if self.options["machine_gun"]:
            costs |= self._gun_actions(seat)
        if self.options["obstacles"]:
            costs |= self._obstacle_actions(seat)
        return costs

    def _enter_actions(self, seat: int) -> dict[str, int]:
        costs = {}
        for name in self._own_camps(seat):
            if self.players[seat].reserve > 0:
                costs[f"+W@{name}"] = 1
            if self.players[seat].leader == "reserve":
                costs[f"+L@{name}"] = 1
        return costs

    def _move_actions(self, seat: int) -> dict[str, int]:
        costs = {}
        for member, start in self._movable_members(seat):
            for hex_ in self._neighbours(start).values():
                cost = self.crossing_cost(start, hex_.name)
                closed = hex_.name in self.guns and self.guards[hex_.name] != seat
                if cost is not None and not closed:
                    costs[f"{member}:{start}-{hex_.name}"] = cost
            if start in self._own_camps(seat):
                for end in self._own_camps(seat):
                    if end != start:
                        costs[f"{member}:{start}={end}"] = 1
        return costs

    def _work_actions(self, seat: int) -> dict[str, int]:
        costs = {}
        limits = self.limits[seat]
        for hex_ in self.hexes.values():
            done = limits.work.get(hex_.name, 0)
            hands = self._members(seat, hex_.name) + limits.crushed.get(hex_.name, 0)
            if done == 2 or hands < done + 1:
                continue
            if self.options["members_work_once"] and self._rested(seat, hex_.name) < 1:
                continue
            next_level_left = self.level_supply.get(hex_.level + 1, 0) > 0
            if hex_.terrain == "temple" and hex_.name not in self.guards and next_level_left:
                costs[f"X@{hex_.name}"] = 2
            if hex_.terrain == "treasure" and hex_.tokens:
                costs[f"D@{hex_.name}"] = 3
        return costs

    def _exchange_actions(self, seat: int) -> dict[str, int]:
        mine = self.players[seat].treasures
        return {
            f"S:{other}:{give}/{take}": 3
            for other in self.seats
            for give in TREASURE_KINDS
            for take in TREASURE_KINDS
            if other != seat and give != take and mine[give] == 1 and self.players[other].treasures[take] == 1
        }

    def _camp_actions(self, seat: int) -> dict[str, int]:
        costs: dict[str, int] = {}
        if list(self.camps.values()).count(seat) == MAX_CAMPS:
            return costs
        for hex_ in self.hexes.values():
            member_there = self._members(seat, hex_.name) > 0 or not self.options["camp_needs_member"]
            if hex_.counts_as_jungle and hex_.name not in self.camps and member_there:
                costs[f"C@{hex_.name}"] = 5
        return costs

    def _guard_actions(self, seat: int) -> dict[str, int]:
        costs = {}
        for name in self._temples_to_guard(seat):
            if self._lead(seat, name) >= 1:
                if self.players[seat].workers.get(name, 0) >= 1:
                    costs[f"GW@{name}"] = 5
                if self.players[seat].leader == name and self.options["leader_may_guard"]:
                    costs[f"GL@{name}"] = 5
        return costs

    def _gun_actions(self, seat: int) -> dict[str, int]:
        costs = {}
        for name in self._temples_to_guard(seat):
            if self._lead(seat, name) >= 2 and self.players[seat].workers.get(name, 0) >= 2:
                costs[f"M@{name}"] = 6
        for name in self.guns:
            limits = self.limits[seat]
            if self.guards[name] == seat and name not in limits.fired and name not in limits.guns_placed:
                for other in self.seats:
                    if other != seat and self.players[other].workers.get(name, 0) > 0:
                        costs[f"R:{other}@{name}"] = 1
        return costs

    def _obstacle_actions(self, seat: int) -> dict[str, int]:
        costs = {}
        for here in self.hexes:
            if self._has_free_worker(seat, here):
                for there in self._neighbours(here).values():
                    a, b = sorted((here, there.name))
                    if self.crossing_cost(a, b) is not None and (a, b) not in self.obstacles:
                        costs[f"O:{a}-{b}"] = 4
        return costs

    def _has_free_worker(self, seat: int, name: str) -> bool:
        limits = self.limits[seat]
        free = self._members(seat, name) + limits.crushed.get(name, 0) - limits.work.get(name, 0)
        if self.options["members_work_once"]:
            free = self._rested(seat, name)
        return self.players[seat].workers.get(name, 0) > 0 and free >= 1

    def _rested(self, seat: int, name: str) -> int:
        """Own members there that have not worked this turn; those that a boulder hit there are counted as there."""
        limits = self.limits[seat]
        return self._members(seat, name) + limits.crushed.get(name, 0) - limits.worked[name]

    # ---------------------------------------------------------------- what the actions do

    def perform(self, seat: int, action: str) -> None:
        self.ap -= self.actions(seat)[action]
        verb, place = action[0], action[-2:]
        player, limits = self.players[seat], self.limits[seat]
        if verb == "+":
            self._enter(player, action[1], place)
        elif verb in "WL":
            all_worked = self._rested(seat, action[2:4]) < 1
            self._leave(player, verb, action[2:4])
            self._arrive(player, verb, place)
            if all_worked:
                limits.worked[action[2:4]] -= 1
                limits.worked[place] += 1
        elif verb == "X":
            self._excavate(seat, place)
        elif verb == "D":
            player.treasures[self.hexes[place].tokens.pop(0)] += 1
            limits.work[place] = limits.work.get(place, 0) + 1
            limits.worked[place] += 1
        elif verb == "S":
            self._exchange(seat, int(action[2]), int(action[4]), int(action[6]))
        elif verb == "C":
            self.camps[place] = seat
        elif verb == "G" or verb == "M":
            self._guard(seat, place)
            if verb == "M":
                self.guns.add(place)
                limits.guns_placed.add(place)
        elif verb == "R":
            victim = int(action[2])
            if self._rested(victim, place) < 1:
                self.limits[victim].worked[place] -= 1
            self._lose_worker(victim, place)
            limits.fired.add(place)
        else:
            self.obstacles.add((action[2:4], place))

    def _enter(self, player: Player, member: str, name: str) -> None:
        if member == "W":
            player.reserve -= 1
        self._arrive(player, member, name)

    def _arrive(self, player: Player, member: str, name: str) -> None:
        if member == "L":
            player.leader = name
        else:
            player.workers[name] = player.workers.get(name, 0) + 1

    def _leave(self, player: Player, member: str, name: str) -> None:
        if member == "L":
            player.leader = "gone"
        else:
            player.workers[name] -= 1
            if not player.workers[name]:
                del player.workers[name]

    def _lose_worker(self, seat: int, name: str) -> None:
        self._leave(self.players[seat], "W", name)
        self.players[seat].gone += 1

    def _excavate(self, seat: int, name: str) -> None:
        limits, temple = self.limits[seat], self.hexes[name]
        temple.level += 1
        self.level_supply[temple.level] -= 1
        limits.work[name] = limits.work.get(name, 0) + 1
        limits.worked[name] += 1
        if self.options["boulders"]:
            roll = self.dice.pop(0)
            if roll <= temple.level and self.players[seat].workers.get(name, 0):
                self._lose_worker(seat, name)
                limits.crushed[name] = limits.crushed.get(name, 0) + 1

    def _exchange(self, seat: int, other: int, give: int, take: int) -> None:
        mine, theirs = self.players[seat].treasures, self.players[other].treasures
        mine[give] -= 1
        theirs[give] += 1
        theirs[take] -= 1
        mine[take] += 1

    def _guard(self, seat: int, name: str) -> None:
        """All own members there leave the board: as guards, or out of the game."""
        while self.players[seat].workers.get(name, 0):
            self._lose_worker(seat, name)
        if self.players[seat].leader == name:
            self._leave(self.players[seat], "L", name)
        # The hex is empty except, in the count, for workers that a boulder hit.
        limits = self.limits[seat]
        limits.worked[name] = min(limits.worked[name], limits.crushed.get(name, 0))
        self.guards[name] = seat

    # ---------------------------------------------------------------- scoring and winning

    def worth(self, seat: int) -> int:
        """What the seat would score now (section 5)."""
        points = 0
        for hex_ in self.hexes.values():
            if hex_.terrain == "temple":
                guard = self.guards.get(hex_.name)
                if guard == seat or (guard is None and self._lead(seat, hex_.name) >= 1):
                    points += hex_.level
        counts = self.players[seat].treasures.values()
        return points + sum({0: 0, 1: 1, 2: 3, 3: 6}[count] for count in counts)

    def find_winners(self) -> list[int]:
        tied = self._best(self.seats, lambda seat: self.players[seat].score)
        if self.options["tie_break"] == "guard_then_treasures":
            tied = self._best(tied, self._best_guarded_level)
            tied = self._best(tied, lambda seat: sum(self.players[seat].treasures.values()))
        return tied

    def _best_guarded_level(self, seat: int) -> int:
        own = [name for name, owner in self.guards.items() if owner == seat]
        return max((self.hexes[name].level for name in own), default=0)

    @staticmethod
    def _best(seats: list[int], value: Callable[[int], int]) -> list[int]:
        highest = max(value(seat) for seat in seats)
        return [seat for seat in seats if value(seat) == highest]

    # ---------------------------------------------------------------- helpers

    def left_of(self, seat: int) -> int:
        return seat % len(self.seats) + 1

    def clockwise_from(self, first: int) -> list[int]:
        return self.seats[first - 1 :] + self.seats[: first - 1]

    def _neighbours(self, name: str) -> dict[int, Hex]:
        """By direction, the hexes of this board around one."""
        around = {}
        for direction in range(6):
            other = neighbour(name, direction)
            if other is not None and other in self.hexes:
                around[direction] = self.hexes[other]
        return around

    def crossing_cost(self, start: str, end: str) -> int | None:
        """AP from a hex to a neighbouring one, obstacle included; None where there is no passage."""
        if not self.hexes[start].enterable or not self.hexes[end].enterable:
            return None
        for direction, hex_ in self._neighbours(start).items():
            if hex_.name == end:
                stones = self.hexes[start].stones[direction] + hex_.stones[opposite(direction)]
                if stones == 0:
                    return None
                return stones + (2 if tuple(sorted((start, end))) in self.obstacles else 0)
        return None

    def _own_camps(self, seat: int) -> list[str]:
        """Where the seat may enter and move camp to camp: the base camp and its own camps."""
        return [self.base] + [name for name, owner in self.camps.items() if owner == seat]

    def _movable_members(self, seat: int) -> list[tuple[str, str]]:
        player = self.players[seat]
        members = [("W", name) for name in player.workers]
        if player.leader in self.hexes:
            members.append(("L", player.leader))
        return members

    def _members(self, seat: int, name: str) -> int:
        player = self.players[seat]
        return player.workers.get(name, 0) + (1 if player.leader == name else 0)

    def _strength(self, seat: int, name: str) -> int:
        player = self.players[seat]
        return player.workers.get(name, 0) + (3 if player.leader == name else 0)

    def _lead(self, seat: int, name: str) -> int:
        """How much stronger the seat is there than the strongest of the others; a majority if above 0."""
        others = [self._strength(other, name) for other in self.seats if other != seat]
        return self._strength(seat, name) - max(others)

    def _temples_to_guard(self, seat: int) -> list[str]:
        if list(self.guards.values()).count(seat) == MAX_GUARDS:
            return []
        temples = [hex_.name for hex_ in self.hexes.values() if hex_.terrain == "temple"]
        return [name for name in temples if name not in self.guards]


def _make_board(board: object) -> dict[str, Hex]:
    """Hexes by name. `board` is a name (both named boards are alike today) or a dict of printed hexes."""
    printed: Mapping[str, Printed] = board if isinstance(board, dict) else ORIGINAL_BOARD
    hexes = {}
    for name, what in sorted(printed.items()):
        if what == "off":
            continue
        if isinstance(what, str):
            hexes[name] = Hex(name, what)
        else:
            terrain, level, stones = what
            a, b, c, d, e, f = stones
            hexes[name] = Hex(name, terrain, True, (a, b, c, d, e, f), level if terrain == "temple" else 0)
    if sum(hex_.terrain == "base" for hex_ in hexes.values()) != 1:
        raise ValueError("a board needs exactly one base camp")
    return hexes
