"""Whole random games over random options: what must hold after every action, judged from `status` alone."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest

from . import Oracle, random_chance
from .chance import VALUES, resolve
from .tables import LEVEL_TILES, TILES, VOLCANOES, neighbour, opposite, rotated

Status = dict[str, Any]
GAMES = 28
PRINTED_STONES = {
    "a1": (1, 1, 1, 0, 0, 0),
    "a2": (1, 1, 0, 1, 0, 0),
    "b2": (1, 1, 1, 0, 0, 0),
    "b1": (0, 1, 0, 0, 0, 1),
}
# The kinds that the random games must contain, so that they prove something.
ACTION_KINDS = {
    "place", "+W", "+L", "W-", "W=", "L-", "L=", "X@", "D@", "S:", "C@", "GW", "GL", ".",
    "B:", "B-", "K:", "O:", "M@", "R:", "V:", "J:",
}  # fmt: skip


def random_options(rng: random.Random, game: int) -> dict[str, object]:
    """Every third game basic, every third `leaps` or `sudden_death`; the rest of the options at random."""
    while True:
        options = {name: rng.choice(values) for name, values in VALUES.items()}
        options["auction"] = game % 3 > 0
        if game % 3 == 2:
            options["leaps"] = rng.random() < 0.5
            options["sudden_death"] = not options["leaps"]
        try:
            return resolve(options)
        except ValueError:
            continue


def kind(action: str) -> str:
    if action[2:3] == "@" and action[:2] in TILES:
        return "place"
    if action.startswith(("W:", "L:")):
        return action[0] + action[4]
    if action.startswith("B:"):
        return "B-" if action == "B:-" else "B:"
    return action[:2]


def choose(g: Oracle, rng: random.Random) -> str:
    """A random action, with low bids, few ends of turns, and a liking for the rarer kinds."""
    legal = g.legal()
    if g.phase == "bid":
        return "B:-" if len(legal) == 1 or rng.random() < 0.5 else f"B:{g.bid + 1}"
    volcanoes = [action for action in legal if action[2:] in VOLCANOES]
    if g.phase == "take" and volcanoes and rng.random() < 0.5:
        return rng.choice(volcanoes)
    by_kind: dict[str, list[str]] = {}
    for action in legal:
        by_kind.setdefault(kind(action), []).append(action)
    weights = {"C@": 0.3, "GW": 0.1, "GL": 0.1, "O:": 0.1, ".": 0.3, "W=": 0.3, "+W": 2.0, "M@": 3.0}
    kinds = sorted(by_kind)
    (chosen,) = rng.choices(kinds, [weights.get(each, 1.0) for each in kinds])
    return rng.choice(by_kind[chosen])


def worth(status: Status, index: int) -> int:
    """A seat's points if it scored now, from the status alone."""

    def strength(player: int, name: str) -> int:
        leader = 3 if status["leader"][player] == name else 0
        return leader + int(status["workers"][player].get(name, 0))

    points = sum({0: 0, 1: 1, 2: 3, 3: 6}[count] for count in status["treasures"][index])
    for name, level in status["levels"].items():
        strengths = [strength(player, name) for player in range(len(status["scores"]))]
        majority = strengths.count(max(strengths)) == 1 and strengths[index] == max(strengths)
        guard = status["guards"].get(name)
        if guard == index + 1 or (guard is None and majority):
            points += level
    return points


def check_pieces(g: Oracle, s: Status) -> None:
    """Members, tokens, level tiles, tiles and camps are conserved."""
    for index, seat in enumerate(g.seats):
        on_board = sum(s["workers"][index].values())
        assert s["reserve"][index] + on_board + g.players[seat].gone == 18
        assert all(count > 0 for count in s["workers"][index].values())
        assert list(s["camps"].values()).count(seat) <= 2
        assert list(s["guards"].values()).count(seat) <= 2
        assert s["scores"][index] >= 0
    dug = [sum(counts) for counts in s["treasures"]]
    assert sum(dug) + sum(s["tokens"].values()) + len(g.treasure_supply) == 24
    kinds = Counter(g.treasure_supply)
    for hex_ in g.hexes.values():
        kinds.update(hex_.tokens)
    assert all(kinds[k] + sum(counts[k - 1] for counts in s["treasures"]) == 3 for k in range(1, 9))
    raised: Counter[int] = Counter()
    for name, level in s["levels"].items():
        printed = TILES[s["tiles"][name][:2]].value if name in s["tiles"] else 1
        raised.update(range(printed + 1, level + 1))
    assert {level: s["supply"][str(level)] + raised[level] for level in LEVEL_TILES} == LEVEL_TILES
    placed = [tile[:2] for tile in s["tiles"].values()]
    seen = placed + s["display"] + ([s["tile"]] if s["tile"] else []) + list(g.held.values()) + g.discarded
    assert len(seen) == len(set(seen))
    assert len(seen) + s["deck_left"] == 36


def check_board(s: Status) -> None:
    """Every tile but volcanoes can be reached on foot; members, camps, guards and guns are where they may be."""
    stones = dict(PRINTED_STONES)
    for name, tile in s["tiles"].items():
        if tile[:2] not in VOLCANOES:
            stones[name] = rotated(TILES[tile[:2]].stones, int(tile[3]))
    reached: set[str] = set()
    to_visit = ["a1"]
    while to_visit:
        here = to_visit.pop()
        reached.add(here)
        for direction in range(6):
            there = neighbour(here, direction)
            if there is None or there not in stones or there in reached:
                continue
            if stones[here][direction] + stones[there][opposite(direction)]:
                to_visit.append(there)
    assert reached == set(stones)
    for workers, leader in zip(s["workers"], s["leader"], strict=True):
        assert set(workers) <= reached
        assert leader in reached | {"reserve", "gone"}
    jungle = {name for name, tile in s["tiles"].items() if TILES[tile[:2]].terrain == "jungle"} | {"b2"}
    empty = {name for name, left in s["tokens"].items() if left == 0}
    assert set(s["camps"]) <= jungle | empty
    assert set(s["guns"]) <= set(s["guards"]) <= set(s["levels"])


def check_step(before: Status, action: str, after: Status) -> None:
    """Scores change only by bids and by scoring, and by the right amount."""
    for index, (old, new) in enumerate(zip(before["scores"], after["scores"], strict=True)):
        if new < old:
            high = int(action[2:]) if action[:2] == "B:" and action != "B:-" else before["bid"]
            assert before["phase"] == "bid"
            assert (after["phase"], after["seat"], old - new) == ("take", index + 1, high)
        elif new > old:
            assert before["phase"] in ("act", "take", "decide", "leap")
            assert new - old == worth(after, index)
    for name, level in before["levels"].items():
        assert after["levels"][name] - level == (1 if action == f"X@{name}" else 0)
    for name, guard in before["guards"].items():
        assert after["guards"][name] == guard


def check_ask(g: Oracle, s: Status) -> None:
    legal = g.legal()
    if s["phase"] == "over":
        assert (legal, s["seat"], s["ap"], s["tile"]) == ([], None, 0, None)
        assert s["winners"]
        assert max(s["scores"]) == s["scores"][s["winners"][0] - 1]
        return
    assert legal
    assert legal == sorted(set(legal))
    assert s["winners"] is None
    assert ("." in legal) == (s["phase"] == "act")
    assert s["bid"] == 0 or s["phase"] == "bid"
    assert (s["phase"] in ("act", "leap")) or s["ap"] == 0
    assert 0 <= s["ap"] <= 10
    assert (s["tile"] is not None) or s["phase"] not in ("place", "decide")


def play_game(game: int) -> set[str]:
    """Play one game with all checks after every action; returns the kinds of actions played."""
    rng = random.Random(game)
    options = random_options(rng, game)
    g = Oracle(options, *random_chance(options, rng))
    seen: set[str] = set()
    before: Status = g.status()
    for _ in range(3000):
        check_ask(g, before)
        check_pieces(g, before)
        check_board(before)
        assert json.loads(json.dumps(before)) == before
        if g.phase == "over":
            return seen
        action = choose(g, rng)
        seen.add(kind(action))
        g.play(action)
        after = g.status()
        check_step(before, action, after)
        before = after
    raise AssertionError(f"game {game} did not end")


def test_random_games_keep_the_invariants_and_show_every_action() -> None:
    seen: set[str] = set()
    for game in range(GAMES):
        seen |= play_game(game)
    assert seen == ACTION_KINDS


def test_random_wrong_actions_change_nothing() -> None:
    rng = random.Random(5)
    options = resolve({"players": 3, "auction": True, "machine_gun": True, "obstacles": True})
    other = Oracle(options, *random_chance(options, random.Random(6)))
    g = Oracle(options, *random_chance(options, rng))
    wrong = 0
    for _ in range(200):
        for action in other.legal()[:3]:
            if action not in g.legal():
                before = g.status()
                with pytest.raises(ValueError, match="not legal"):
                    g.play(action)
                assert g.status() == before
                wrong += 1
        g.play(choose(g, rng))
        other.play(choose(other, rng))
    assert wrong > 50
