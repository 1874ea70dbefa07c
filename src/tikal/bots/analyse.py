"""Explains a bot's opinion: its best turns, what each is worth and why, and how likely each seat wins.

>>> from tikal.play import Game
>>> from tikal.rules.options import Options
>>> analysis = analyse(Game.new(Options(), seed="42").view(1), "surveyor:width=4")
>>> sorted(analysis), round(sum(seat["chance"] for seat in analysis["seats"]), 6)
(['fears', 'level', 'nodes', 'now', 'phase', 'seat', 'seats', 'turns'], 1.0)
>>> best = analysis["turns"][0]
>>> best["actions"][-1], best["value"] == round(sum(best["parts"].values()), 3)
('.', True)
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tikal.bots import auction
from tikal.bots.bot import BotError, Budget, split_spec, table
from tikal.bots.evaluation import PART_NAMES
from tikal.bots.levels import Level, dice
from tikal.bots.planner import Planner, Turn, leaping, signature
from tikal.bots.sample import redeal
from tikal.bots.thinkers import Professor, Thinker
from tikal.bots.weights import spread
from tikal.play import notation
from tikal.play.action import Action
from tikal.play.position import own_position
from tikal.play.view import Json
from tikal.rules.codes import (
    ACTING,
    BID,
    BIDDING,
    END,
    FINISHED,
    LEAPING,
    PLACING,
    TAKING,
    TEMPLE,
    TURN_AP,
    fields_of,
)
from tikal.rules.core import Moves, State
from tikal.rules.facts import Facts
from tikal.rules.tables import HEX_NAMES

PARTS = {
    "score": "points scored, and those that this turn of a scoring round brings",
    "temples": "temples held, by how likely they still are when they score",
    "reach": "temples that could be taken",
    "guards": "temples with a guard",
    "treasures": "treasures, and the kinds that may complete them",
    "exchanges": "exchanges of treasures that could be made",
    "ruins": "treasures in reach that nobody has dug yet",
    "camps": "how far the goals are from the camps",
    "members": "workers and leaders on the board",
    "outlook": "what the turn's end does not show: bids, tokens, unknown treasures, the rivals' replies",
}
"""The parts of a value, each the seat's own less its rivals', and what each means. They add up to the value.
All but the last are the parts of the evaluation, see `tikal.bots.evaluation`."""

LEVEL = "professor"  # the level that thinks if only a budget is given
TURNS = 5
DEALS = 8  # a turn that depends on chance is valued on this many deals
SURE = 0.5  # points: the least deviation of a final score
NODES = 81  # points of the numerical integration
MANY = 64  # turns to choose from, so that the chosen ones differ in kind

Stop = Callable[[], bool]


def analyse(
    view: Json, budget: Budget | str = "surveyor", seed: int = 0, *, stop: Stop = lambda: False, most: int = TURNS
) -> Json:
    """The best turns of the seat to move, from what it may know; ready for JSON.

    `budget` is the spec of a level (`surveyor:width=100`, `professor:nodes=50000`), or a budget for the professor.
    When `stop` returns true, the answer is the best so far. The keys:

    - `turns`: the best turns, best first; of a level that looks ahead only those whose replies it has tried. Each has
      its `actions` up to the end of the turn (the first `sure` of them reveal nothing), its `value` in points ahead of
      the rivals, the `parts` of the value, the seat's `chance` to win, its `changes` (temples that change hands) and
      its `fears` (temples that the seat then holds and a rival can take in one turn, with the AP that the rival needs);
    - `seats`: the `score` of each, an `estimate` of its final score, and its `chance`, after the first of the turns;
    - `now`: the parts of the value before the turn; `fears`: what the seat must fear if the turn ends now;
    - `seat`, `phase`, `level`, and the number of `nodes`.
    """
    here = own_position(view)
    state = here.state
    if state.phase == FINISHED:
        raise BotError("usage", "analyse: the game is over; there is nothing to play")
    if here.viewer != state.seat + 1:
        who = f"seat {here.viewer}" if here.viewer else "a spectator"
        raise BotError("usage", f"analyse: seat {state.seat + 1} is to move, but this is what {who} sees")
    level, budget = _level(budget, stop)
    thinker = level.thinker(state)
    turns = _candidates(thinker, state, dice(state, seed), budget, most)
    now = _look(thinker.planner, state, state, state.seat)
    valued = [_valued(thinker.planner, state, turn, random.Random(f"{seed}/deals")) for turn in turns]
    return {
        "seat": state.seat + 1,
        "phase": view["phase"],
        "level": level.name,
        "nodes": thinker.planner.nodes,
        "now": {name: _rounded(points) for name, points in now.parts.items()},
        "fears": now.fears,
        "turns": [row.turn for row in valued],
        "seats": [
            {"seat": seat + 1, "score": view["scores"][seat], "estimate": round(worth, 1), "chance": chance}
            for seat, (worth, chance) in enumerate(zip(valued[0].worths, valued[0].chances, strict=True))
        ],
    }


def _level(budget: Budget | str, stop: Stop) -> tuple[Level, Budget]:
    """The level to ask, and its budget."""
    spec = budget if isinstance(budget, str) else LEVEL
    name = spec.partition(":")[0]
    if name not in table():
        known = ", ".join(table())
        text = f"analyse: {name} can't explain itself; there are {known}"
        raise BotError("option", text, "bot_level", bot=name, known=known)
    level = Level(name, split_spec(spec)[1])
    if isinstance(budget, Budget):
        given = budget
        return level, Budget(given.nodes, given.ms, lambda: given.stop() or stop(), given.started)
    return level, Budget(level.parameters.get("nodes"), level.parameters.get("time"), stop)


# What can be done


def _candidates(thinker: Thinker, state: State, rng: random.Random, budget: Budget, most: int) -> list[Turn]:
    """The best turns, the level's own choice first."""
    if state.phase in (PLACING, ACTING):
        found = thinker.turns(state, rng, budget)
        ahead = isinstance(thinker, Professor)  # only turns whose replies it has tried can be compared with each other
        if not ahead and len(_different(state, found, most)) < most and not budget.stop():
            found = [*found, *thinker.planner.turns(state, thinker.planner.width, MANY, budget)]
        return _different(state, found, most)
    choice = thinker.decide(state, rng, budget)
    if state.phase == TAKING:
        found = _takes(thinker.planner, state, rng)
    elif state.phase == BIDDING:
        found = _bids(thinker.planner, state, rng, choice[0])
    elif state.phase == LEAPING:
        found = _leaps(thinker.planner, state)
    else:
        found = _decisions(thinker.planner, state)
    found.sort(key=lambda turn: (turn.actions[0] != choice[0], -turn.value))
    return found[:most]


def _different(state: State, turns: Sequence[Turn], most: int) -> list[Turn]:
    """The first turn of each kind."""
    found: dict[object, Turn] = {}
    for turn in turns:
        found.setdefault(signature(_reached(state, turn.actions)[1], state.seat), turn)
    return list(found.values())[:most]


def _legal(state: State) -> list[int]:
    moves = Moves()
    state.legal(moves)
    return list(moves)


def _takes(planner: Planner, state: State, rng: random.Random) -> list[Turn]:
    """Every tile, with the turn that would follow."""
    values = auction.tile_values(planner, state, state.seat, rng)
    found = []
    for action in _legal(state):
        after = state.clone()
        after.apply_unchecked(action)
        own = after.seat == state.seat and after.phase in (PLACING, ACTING)
        rest = planner.turns(after, planner.width, 1)[0].actions if own else ()
        found.append(Turn(values[fields_of(action)[0]], (action, *rest)))
    return found


def _bids(planner: Planner, state: State, rng: random.Random, choice: int) -> list[Turn]:
    """The chosen bid, the lowest one, and a pass. A bid brings the best tile at its price, a pass what others leave."""
    won = max(auction.tile_values(planner, state, state.seat, rng).values())
    legal = _legal(state)
    least = [action for action in legal if fields_of(action)[0] == Facts(state).least_bid()]
    bids = {action: won - fields_of(action)[0] for action in (choice, *least)}
    passing = {BID: auction.value_of_passing(planner, state, rng)}
    return [Turn(value, (action,)) for action, value in (bids | passing).items() if action in legal]


def _leaps(planner: Planner, state: State) -> list[Turn]:
    """Every number of tokens with the best way to spend it. A token's price is the most that one brings anywhere."""
    before = planner.outcome(state, state.seat)
    turns = []
    for action in _legal(state):
        tokens = fields_of(action)[0]
        best = planner.turns(leaping(state, tokens), planner.width, 1)[0] if tokens else Turn(before, ())
        turns.append((tokens, action, best))
    price = max(((best.value - before) / tokens for tokens, _, best in turns if tokens), default=0.0)
    return [Turn(best.value - tokens * price, (action, *best.actions)) for tokens, action, best in turns]


def _decisions(planner: Planner, state: State) -> list[Turn]:
    """Both answers: the volcano scores, or it does not."""
    found = []
    for action in _legal(state):
        after = state.clone()
        after.apply_unchecked(action)
        found.append(Turn(planner.outcome(after, state.seat), (action,)))
    return found


# What it is worth, and why


@dataclass(frozen=True, slots=True)
class ValuedTurn:
    """A turn as the answer has it, with the expected final score of each seat and its chance to win."""

    turn: Json
    worths: list[float]
    chances: list[float]


def _valued(planner: Planner, state: State, turn: Turn, rng: random.Random) -> ValuedTurn:
    """Values the position after a turn; if the turn depends on chance, the mean over several deals."""
    sure = _sure(state, turn.actions)
    deals = [state] if sure == len(turn.actions) else [redeal(state, rng) for _ in range(DEALS)]
    looks = [_look(planner, *_reached(deal, turn.actions), state.seat) for deal in deals]
    worths = [sum(column) / len(looks) for column in zip(*(look.worths for look in looks), strict=True)]
    parts = {name: _rounded(sum(look.parts[name] for look in looks) / len(looks)) for name in looks[0].parts}
    value = _rounded(turn.value)
    parts["outlook"] = _rounded(value - sum(parts.values()) + parts["outlook"])
    # The chances must agree with the value, so half of the outlook counts as the seat's gain, half as its rivals' loss.
    half = parts["outlook"] / 2
    worths = [worth + (half if seat == state.seat else -half) for seat, worth in enumerate(worths)]
    chances = chances_to_win(worths, [spread(state.players, left) for left in looks[0].scorings])
    answer = {
        "actions": [notation.text(action) for action in turn.actions],
        "sure": sure,
        "value": value,
        "parts": parts,
        "chance": chances[state.seat],
        "changes": _changes(state, _reached(deals[0], turn.actions)[1]),
        "fears": looks[0].fears,
    }
    return ValuedTurn(answer, worths, chances)


def _rounded(points: float) -> float:
    """Points as the answer has them, without -0.0."""
    return round(points, 3) + 0.0


def _sure(state: State, actions: Sequence[int]) -> int:
    """How many actions there are up to the first barrier."""
    barriers = (n for n, action in enumerate(actions, start=1) if Action.of(action).is_barrier(state))
    return next(barriers, len(actions))


def _reached(state: State, actions: Sequence[int]) -> tuple[State, State]:
    """The positions before and after the AP of a turn are spent; chance may end the turn early."""
    start, here = state, state.clone()
    for action in actions:
        over = here.seat != state.seat or here.phase not in (PLACING, ACTING, TAKING)
        if action == END or over or action not in _legal(here):
            break
        fresh = here.phase != ACTING
        here.apply_unchecked(action)
        start = here.clone() if fresh else start
    return start, here


@dataclass(frozen=True, slots=True)
class Look:
    """The value of a position: the expected final scores, the parts of the value, the scorings left, and the fears."""

    worths: list[float]
    parts: dict[str, float]
    scorings: list[int]
    fears: list[Json]


def _look(planner: Planner, start: State, end: State, seat: int) -> Look:
    """The value of a position in parts: the seat's own worth less its rivals'."""
    planner.prepare(start, seat)
    search = planner.search
    rows = search.parts(end)
    columns = [sum(map(math.prod, zip(search.shares(), column, strict=True))) for column in zip(*rows, strict=True)]
    parts = dict(zip(PART_NAMES, columns, strict=True)) | {"outlook": 0.0}
    levels = Facts(end).level
    fears = [
        {"hex": HEX_NAMES[hex], "level": int(levels[hex]), "seat": rival + 1, "cost": cost}
        for hex, rival, cost in search.fears(end)
        if cost <= TURN_AP
    ]
    return Look([math.fsum(row) for row in rows], parts, search.scorings_left(), fears)


def _changes(before: State, after: State) -> list[Json]:
    """Temples that change hands: who holds them before and after, as a scoring would see it; None is nobody."""
    then, now = Facts(before), Facts(after)
    held = ((hex, _holder(then, hex), _holder(now, hex)) for hex in now.hexes(TEMPLE))
    return [
        {"hex": HEX_NAMES[hex], "level": int(now.level[hex]), "before": old, "after": new}
        for hex, old, new in held
        if old != new
    ]


def _holder(facts: Facts, hex: int) -> int | None:
    """The seat that a temple would pay now, if any."""
    holder = facts.holder(hex) if facts.terrain[hex] == TEMPLE else None
    return None if holder is None else holder + 1


def chances_to_win(means: Sequence[float], deviations: Sequence[float]) -> list[float]:
    """Each seat's chance to win, if final scores are normally distributed around the expected ones; their sum is 1.

    >>> [round(chance, 3) for chance in chances_to_win([60, 60], [9, 9])]
    [0.5, 0.5]
    >>> chances_to_win([80, 60, 50], [9, 9, 9])[0] > 0.9
    True
    """
    spreads = [max(deviation, SURE) for deviation in deviations]
    steps = [8 * step / (NODES - 1) - 4 for step in range(NODES)]
    chances = []
    for seat, (mean, width) in enumerate(zip(means, spreads, strict=True)):
        others = [(m, w) for other, (m, w) in enumerate(zip(means, spreads, strict=True)) if other != seat]
        total = 0.0
        for step in steps:
            below = (0.5 * math.erfc((m - mean - width * step) / (w * math.sqrt(2))) for m, w in others)
            total += math.exp(-step * step / 2) * math.prod(below)
        chances.append(total)
    whole = math.fsum(chances)
    return [chance / whole for chance in chances]
