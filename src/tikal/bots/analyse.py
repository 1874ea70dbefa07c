"""A bot explains itself: the best few turns, what each is worth and why, and who is likely to win.

>>> from tikal.play import Game
>>> from tikal.rules.options import Options
>>> told = analyse(Game.new(Options(), seed="42").view(1), "surveyor:width=4")
>>> sorted(told), round(sum(seat["chance"] for seat in told["seats"]), 6)
(['level', 'nodes', 'phase', 'seat', 'seats', 'turns'], 1.0)
>>> best = told["turns"][0]
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
from tikal.bots.levels import Level, dice, reveals
from tikal.bots.planner import Planner, Turn, signature
from tikal.bots.sample import redeal
from tikal.bots.search import NAMES, Search
from tikal.bots.thinkers import Thinker
from tikal.bots.weights import spread, weights
from tikal.play import notation
from tikal.play.position import position
from tikal.play.view import Json
from tikal.rules.codes import ACTING, BID, BIDDING, END, FINISHED, FRESH, LEAPING, PLACING, TAKING, fields_of
from tikal.rules.core import Moves, State

PARTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "score": ("points scored, and those that this turn of a scoring round brings", ()),
    "temples": ("temples held, how safely, and guards", ("hold_", "guarded", "urgent_", "raisable")),
    "treasures": ("treasures, and what can still be dug",
                  ("treasure_", "singles", "pairs", "ruins_", "members_at_ruins")),
    "reach": ("members, camps and guards left, and temples within reach",
              ("take_", "members_at_temples", "workers_", "leader_", "camps", "guards_left")),
    "time": ("turns and scorings that everybody still has", ("turns", "scorings", "one")),
    "outlook": ("what the turn's end does not show: bids, tokens, others' answers where the level looks ahead", ()),
}  # fmt: skip
"""The parts of a value: what each says, and how the names of its features begin. They add up to the value."""

LEVEL = "professor"  # whose thinking is used when only a budget is given
TURNS = 5
DEALS = 8  # on which a turn with chance in it is looked at
SURE = 0.5  # points; even a score that nothing can change is not surer than this
NODES = 81  # of the integration of chances
MANY = 64  # turns out of which those that differ in kind are chosen

Stop = Callable[[], bool]


def analyse(
    view: Json, budget: Budget | str = "surveyor", seed: int = 0, *, stop: Stop = lambda: False, most: int = TURNS
) -> Json:
    """What the seat to move can do best, as far as it may know; ready for JSON.

    `budget` is the spec of a level (`surveyor:width=100`, `professor:nodes=50000`), or a budget for the professor.
    The keys: `turns`, in the order in which the level prefers them, each with its `actions` up to the end of the turn
    (the first `sure` of them can be played before chance or others have a say), its `value` in points ahead of the
    rivals, the `parts` of the value and the own `chance` to win; `seats`, each with its `score`, an `estimate` of the
    final score and its `chance`, after the first of the turns; `seat`, `phase`, `level`, and `nodes` looked at.
    `stop` interrupts the thinking: then it is the best so far.
    """
    here = position(view)
    state = here.state
    if state.phase == FINISHED:
        raise BotError("usage", "analyse: the game is over; there is nothing to play")
    if here.viewer != state.seat + 1:
        who = f"seat {here.viewer}" if here.viewer else "a spectator"
        raise BotError("usage", f"analyse: seat {state.seat + 1} is to move, but this is what {who} sees")
    level, budget = _level(budget, stop)
    thinker = level.thinker(state)
    turns = _candidates(thinker, state, dice(state, seed), budget, most)
    told = [_told(thinker.planner, state, turn, random.Random(f"{seed}/deals")) for turn in turns]
    return {
        "seat": state.seat + 1,
        "phase": view["phase"],
        "level": level.name,
        "nodes": thinker.planner.nodes,
        "turns": [row.turn for row in told],
        "seats": [
            {"seat": seat + 1, "score": view["scores"][seat], "estimate": round(worth, 1), "chance": chance}
            for seat, (worth, chance) in enumerate(zip(told[0].worths, told[0].chances, strict=True))
        ],
    }


def _level(budget: Budget | str, stop: Stop) -> tuple[Level, Budget]:
    """Whose thinking is asked for, and how much of it."""
    spec = budget if isinstance(budget, str) else LEVEL
    name = spec.partition(":")[0]
    thinking = [known for known in table() if known != "tourist"]
    if name not in thinking:
        raise BotError("option", f"analyse: {name} can't explain itself; there are {', '.join(thinking)}")
    level = Level(name, split_spec(spec)[1])
    if isinstance(budget, Budget):
        given = budget
        return level, Budget(given.nodes, given.ms, lambda: given.stop() or stop(), given.started)
    return level, Budget(level.parameters.get("nodes"), level.parameters.get("time"), stop)


# What can be done


def _candidates(thinker: Thinker, state: State, rng: random.Random, budget: Budget, most: int) -> list[Turn]:
    """The best few, the level's own choice first."""
    if state.phase in (PLACING, ACTING):
        found = thinker.turns(state, rng, budget)
        if len(_different(state, found, most)) < most and not budget.stop():
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
        after.apply(action)
        own = after.seat == state.seat and after.phase in (PLACING, ACTING)
        rest = planner.turns(after, planner.width, 1)[0].actions if own else ()
        found.append(Turn(values[fields_of(action)[0]], (action, *rest)))
    return found


def _bids(planner: Planner, state: State, rng: random.Random, choice: int) -> list[Turn]:
    """The chosen bid, the least one and a pass: the best tile for its price, or what the next rival would leave."""
    values = auction.tile_values(planner, state, state.seat, rng)
    left = dict(values)
    away = state.had_turn | state.out | 1 << state.seat
    rival = next((seat for seat in range(state.players) if not away >> seat & 1), None)
    if rival is not None and len(left) > 1:
        theirs = auction.tile_values(planner, state, rival, rng)
        del left[max(theirs, key=theirs.__getitem__)]
    legal = _legal(state)
    least = [action for action in legal if action >> 5 == state.bid + 1]
    bids = {action: max(values.values()) - (action >> 5) for action in (choice, *least)}
    return [Turn(value, (action,)) for action, value in (bids | {BID: max(left.values())}).items() if action in legal]


def _leaps(planner: Planner, state: State) -> list[Turn]:
    """Tokens with how they would be spent; each is priced at what it brings where it brings most."""
    before = planner.outcome(state, state.seat)
    turns = []
    for action in _legal(state):
        tokens = action >> 5
        after = state.clone()
        after.restore(state.export() | {"phase": ACTING, "ap": tokens, "leap_stage": FRESH})
        best = planner.turns(after, planner.width, 1)[0] if tokens else Turn(before, ())
        turns.append((tokens, action, best))
    price = max(((best.value - before) / tokens for tokens, _, best in turns if tokens), default=0.0)
    return [Turn(best.value - tokens * price, (action, *best.actions)) for tokens, action, best in turns]


def _decisions(planner: Planner, state: State) -> list[Turn]:
    """Whether a volcano scores."""
    found = []
    for action in _legal(state):
        after = state.clone()
        after.apply(action)
        found.append(Turn(planner.outcome(after, state.seat), (action,)))
    return found


# What it is worth, and why


@dataclass(frozen=True, slots=True)
class Told:
    """A turn as it is told, with what each seat may have in the end, and its chance to win."""

    turn: Json
    worths: list[float]
    chances: list[float]


def _told(planner: Planner, state: State, turn: Turn, rng: random.Random) -> Told:
    """Looks at the position after a turn; where chance has a say, at several of them."""
    sure = _sure(state, turn.actions)
    deals = [state] if sure == len(turn.actions) else [redeal(state, rng) for _ in range(DEALS)]
    looks = [_look(planner.search, *_reached(deal, turn.actions), state.seat) for deal in deals]
    worths = [sum(column) / len(looks) for column in zip(*(look.worths for look in looks), strict=True)]
    parts = {name: _rounded(sum(look.parts[name] for look in looks) / len(looks)) for name in looks[0].parts}
    value = _rounded(turn.value)
    parts["outlook"] = _rounded(value - sum(parts.values()) + parts["outlook"])
    # What is not seen yet is half won and half taken from the others: so chances agree with the value.
    half = parts["outlook"] / 2
    worths = [worth + (half if seat == state.seat else -half) for seat, worth in enumerate(worths)]
    chances = chances_to_win(worths, [spread(state.players, left) for left in looks[0].scorings])
    told = {
        "actions": [notation.text(action) for action in turn.actions],
        "sure": sure,
        "value": value,
        "parts": parts,
        "chance": chances[state.seat],
    }
    return Told(told, worths, chances)


def _rounded(points: float) -> float:
    """Points as they are told; no -0.0 among them."""
    return round(points, 3) + 0.0


def _sure(state: State, actions: Sequence[int]) -> int:
    """How many actions come up to the first after which chance or another seat has a say."""
    return next((n for n, action in enumerate(actions, start=1) if reveals(state, action)), len(actions))


def _reached(state: State, actions: Sequence[int]) -> tuple[State, State]:
    """Where the AP of a turn begin to be spent, and where they are spent; chance may end it early."""
    start, here = state, state.clone()
    for action in actions:
        over = here.seat != state.seat or here.phase not in (PLACING, ACTING, TAKING)
        if action == END or over or action not in _legal(here):
            break
        fresh = here.phase != ACTING
        here.apply(action)
        start = here.clone() if fresh else start
    return start, here


@dataclass(frozen=True, slots=True)
class Look:
    """What is seen in a position: what each seat may have in the end, the parts of the value, scorings left."""

    worths: list[float]
    parts: dict[str, float]
    scorings: list[int]


def _look(search: Search, start: State, end: State, seat: int) -> Look:
    """Takes the value of a position apart: the own worth less the rivals', feature by feature."""
    search.prepare(start, seat)
    value, worths, features = search.evaluate(end), search.seat_worths(end), search.features(end)
    scorings = search.scorings_left()[: end.players]
    mix = _mix(value, worths, seat)
    parts = dict.fromkeys(PARTS, 0.0) | {"score": sum(map(math.prod, zip(mix, worths, strict=True)))}
    table = weights(end.players)
    stages = len(table) // len(NAMES)
    for factor, stage, row in zip(mix, scorings, features, strict=True):
        start_of_row = min(stage, stages - 1) * len(NAMES)
        for name, weight, feature in zip(NAMES, table[start_of_row:], row, strict=False):
            points = factor * weight * feature if stage else 0.0
            parts[part_of(name)] += points
            parts["score"] -= points  # what is left of the worths when all features are taken out
    return Look(worths, parts, scorings)


def _mix(value: float, worths: Sequence[float], seat: int) -> list[float]:
    """How each seat's worth counts in the value: 1 for the own, the rivals' mean and their best mixed."""
    rivals = [worth for other, worth in enumerate(worths) if other != seat]
    mean, best = sum(rivals) / len(rivals), max(rivals)
    spite = (worths[seat] - mean - value) / (best - mean) if best - mean > 1e-9 else 0.0
    factors = [-(1 - spite) / len(rivals)] * len(worths)
    factors[seat] = 1.0
    factors[next(other for other, worth in enumerate(worths) if other != seat and worth == best)] -= spite
    return factors


def part_of(name: str) -> str:
    """The part that a feature belongs to.

    >>> part_of("hold_next_4"), part_of("camps_by_turns")
    ('temples', 'reach')
    """
    return next((part for part, (_, starts) in PARTS.items() if name.startswith(starts)), "outlook")


def chances_to_win(means: Sequence[float], deviations: Sequence[float]) -> list[float]:
    """Each seat's chance to have the most, if final scores scatter normally around what is expected; their sum is 1.

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
