"""What must hold in every state and for every action of every game, judged from the exported fields alone.

Nothing here relies on the core: costs, points and counts are computed independently.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from tikal.rules import codes
from tikal.rules.codes import EMPTY, GONE, JUNGLE, NO_TILE, RESERVE, TEMPLE, TREASURE, VOLCANO, fields_of, kind_of
from tikal.rules.options import Options
from tikal.rules.tables import LEVEL_TILES, NEIGHBOURS, TILES

Fields = dict[str, Any]
HEXES = range(40)
PRICES = {
    codes.ENTER: 1, codes.CAMP_MOVE: 1, codes.EXCAVATE: 2, codes.DIG: 3, codes.EXCHANGE: 3, codes.CAMP: 5,
    codes.GUARD: 5, codes.OBSTACLE: 4, codes.GUN: 6, codes.SHOOT: 1,
}  # fmt: skip
VOLCANO_TILES = {index for index, tile in enumerate(TILES) if tile.terrain == "volcano"}


def bits(mask: int) -> list[int]:
    """The members of a set of bits."""
    return [index for index in range(mask.bit_length()) if mask >> index & 1]


def side(now: Fields, hex: int, direction: int) -> int:
    """The stones on a side."""
    return int(now["stones"][hex]) >> 2 * direction & 3


def has_obstacle(now: Fields, hex: int, direction: int) -> bool:
    """Whether there is an obstacle on a side."""
    return bool("obstacle_sides" in now and now["obstacle_sides"][hex] >> direction & 1)


def strength(now: Fields, seat: int, hex: int) -> int:
    """Workers 1 each, the leader 3."""
    return int(now["workers"][seat * 40 + hex]) + (3 if now["leader"][seat] == hex else 0)


def worth(now: Fields, players: int, seat: int) -> int:
    """What a seat would score."""
    points = sum((0, 1, 3, 6)[count] for count in now["treasures"][seat * 8 : seat * 8 + 8])
    for hex in HEXES:
        if now["terrain"][hex] != TEMPLE:
            continue
        others = max(strength(now, other, hex) for other in range(players) if other != seat)
        guard = now["guard"][hex]
        if guard == seat + 1 or (not guard and strength(now, seat, hex) > others):
            points += now["level"][hex]
    return points


# ---------------------------------------------------------------- states


def check_state(now: Fields, options: Options) -> None:
    """Everything that must hold in any state of a game on the original hexes."""
    check_tiles(now)
    check_tokens(now)
    check_levels(now)
    check_pieces(now, options)
    check_ways(now, options)
    check_gone(now, options)


def check_tiles(now: Fields) -> None:
    """Each revealed tile is in exactly one place."""
    placed = [tile for tile in now["tile"] if tile != NO_TILE]
    held = [tile for tile in (now["hand"], *now.get("won", ())) if tile != NO_TILE]
    up = placed + held + bits(now["display"]) + bits(now["gone"])
    assert sorted(up) == sorted(now["deck"][: now["deck_next"]])
    assert sorted(now["deck"]) == list(range(36))
    for hex in HEXES:
        if now["tile"][hex] != NO_TILE:
            tile = TILES[now["tile"][hex]]
            stones = tuple(side(now, hex, direction) for direction in range(6))
            assert stones == tile.turned(now["rotation"][hex])


def check_tokens(now: Fields) -> None:
    """Three of each kind: with players, on tiles, and in the supply."""
    found = Counter(now["kinds"][now["kind_next"] :])
    for hex in HEXES:
        if now["tokens"][hex]:
            assert now["terrain"][hex] == TREASURE
            found.update(now["kinds"][now["token_at"][hex] : now["token_at"][hex] + now["tokens"][hex]])
    for at, count in enumerate(now["treasures"]):
        found[at % 8] += count
    assert found == dict.fromkeys(range(8), 3)


def check_levels(now: Fields) -> None:
    """48 level tiles, in the supply or on temples."""
    used: Counter[int] = Counter()
    for hex in HEXES:
        if now["terrain"][hex] == TEMPLE:
            printed = 1 if now["tile"][hex] == NO_TILE else TILES[now["tile"][hex]].value
            used.update(range(printed + 1, now["level"][hex] + 1))
        else:
            assert now["level"][hex] == 0
    assert {level: now["supply"][level] + used[level] for level in LEVEL_TILES} == LEVEL_TILES


def check_pieces(now: Fields, options: Options) -> None:
    """Members, camps, guards, guns and obstacles are where they may be; nobody has more than there are."""
    enterable = {hex for hex in HEXES if EMPTY < now["terrain"][hex] < VOLCANO}
    for seat in range(4):
        row = now["workers"][seat * 40 : seat * 40 + 40]
        if seat >= options.players:
            assert not any(row) and not now["reserve"][seat] and not now["score"][seat]
            continue
        assert {hex for hex in HEXES if row[hex]} <= enterable
        assert sum(row) + now["reserve"][seat] <= 18
        assert now["leader"][seat] in enterable | {RESERVE, GONE}
        assert now["camp"].count(seat + 1) <= 2 and now["guard"].count(seat + 1) <= 2
        assert now["score"][seat] >= 0
    for hex in HEXES:
        clearing = now["terrain"][hex] == JUNGLE or (now["terrain"][hex] == TREASURE and not now["tokens"][hex])
        assert clearing or not now["camp"][hex]
        assert now["terrain"][hex] == TEMPLE or not now["guard"][hex]
        for direction in range(6):
            if has_obstacle(now, hex, direction):
                other = NEIGHBOURS[hex][direction]
                assert has_obstacle(now, other, (direction + 3) % 6)
                assert {hex, other} <= enterable
    assert all(now["guard"][hex] for hex in bits(now.get("guns", 0)))
    assert 0 <= now["ap"] <= 10


def check_ways(now: Fields, options: Options) -> None:
    """Every explored hex but volcanoes can be reached from the base camp, by passages alone.

    A tile is placed with a stone between it and such a hex, and no later tile takes a stone away: so it holds with all
    options. (Obstacles raise the cost of a passage; a gun excludes others, not its owner.) If sealing is forbidden, all
    hexes, even empty ones, are connected without volcanoes.
    """
    land = {hex for hex in HEXES if EMPTY < now["terrain"][hex] < VOLCANO}
    assert reached(now, land, by_stones=True) == land
    if not options.volcano_may_seal:
        open_land = {hex for hex in HEXES if now["terrain"][hex] != VOLCANO}
        assert reached(now, open_land, by_stones=False) == open_land


def reached(now: Fields, land: set[int], by_stones: bool) -> set[int]:
    """What can be reached from the base camp within these hexes."""
    found: set[int] = set()
    edge = [now["terrain"].index(codes.BASE)]
    while edge:
        hex = edge.pop()
        found.add(hex)
        for direction, other in enumerate(NEIGHBOURS[hex]):
            if other in land and other not in found:
                stones = side(now, hex, direction) + side(now, other, (direction + 3) % 6)
                if stones or not by_stones:
                    edge.append(other)
    return found


def check_gone(now: Fields, options: Options) -> None:
    """Which tiles can fit nowhere on a whole board of 40 hexes.

    It has room for all tiles and is connected, so a volcano always has a place if it may seal. If it may not,
    every empty hex stays connected to the explored ones, and any other tile fits: it can turn a stone to them.
    """
    gone = set(bits(now["gone"]))
    assert not gone & VOLCANO_TILES if options.volcano_may_seal else gone <= VOLCANO_TILES


# ---------------------------------------------------------------- steps


def check_step(before: Fields, action: int, after: Fields, options: Options) -> None:
    """What one action may and must change."""
    check_scores(before, action, after, options)
    check_members(before, action, after, options)
    check_lasting(before, action, after)
    check_price(before, action, after)


def check_scores(before: Fields, action: int, after: Fields, options: Options) -> None:
    """Scores change only by bids and by scoring, and by the right amount."""
    seats = range(options.players)
    moved = [after["score"][seat] - before["score"][seat] for seat in seats]
    kind = kind_of(action)
    if kind == codes.BID:
        won = after["phase"] == codes.TAKING
        bid = max(before["bid"], action >> 5)
        assert moved == [-bid if won and seat == after["seat"] else 0 for seat in seats]
        return
    if kind == codes.END and before["round_kind"]:
        due = [worth(before, options.players, seat) if seat == before["seat"] else 0 for seat in seats]
        assert moved == due
    elif any(moved):
        assert options.instant_scoring or options.leaps
        assert kind in (codes.END, codes.TAKE, codes.DECIDE, codes.LEAP)
        assert moved == [worth(before, options.players, seat) for seat in seats]


def losses(before: Fields, action: int, after: Fields, options: Options) -> list[int]:
    """How many workers of each seat an action sends out of the game."""
    lost = [0] * 4
    kind, (p, q, _r), seat = kind_of(action), fields_of(action), before["seat"]
    if kind in (codes.GUARD, codes.GUN):
        lost[seat] = before["workers"][seat * 40 + p]
    elif kind == codes.SHOOT:
        lost[q] = 1
    elif kind == codes.EXCAVATE and options.boulders:
        roll = before["dice"][before["dice_next"]]
        lost[seat] = int(roll <= after["level"][p] and before["workers"][seat * 40 + p] > 0)
    return lost


def check_members(before: Fields, action: int, after: Fields, options: Options) -> None:
    """Members leave the game as the rules say, and never come back."""
    gone = losses(before, action, after, options)
    kind, (p, q, r), seat = kind_of(action), fields_of(action), before["seat"]
    for other in range(options.players):
        had = before["reserve"][other] + sum(before["workers"][other * 40 : other * 40 + 40])
        has = after["reserve"][other] + sum(after["workers"][other * 40 : other * 40 + 40])
        assert had - has == gone[other]
        entered = kind == codes.ENTER and r == codes.WORKER and other == seat
        assert before["reserve"][other] - after["reserve"][other] == int(entered)
        place = before["leader"][other]
        if other == seat and r == codes.LEADER and kind == codes.ENTER:
            assert (place, after["leader"][other]) == (RESERVE, p)
        elif other == seat and r == codes.LEADER and kind in (codes.MOVE, codes.CAMP_MOVE):
            assert (place, after["leader"][other]) == (p, q)
        elif other == seat and kind in (codes.GUARD, codes.GUN) and place == p:
            assert after["leader"][other] == GONE
        else:
            assert after["leader"][other] == place


def check_lasting(before: Fields, action: int, after: Fields) -> None:
    """Tiles, camps, guards and obstacles stay for good; levels rise and tokens go one at a time."""
    kind, (p, _q, _r) = kind_of(action), fields_of(action)
    for hex in HEXES:
        here = hex == p
        if before["tile"][hex] != NO_TILE or (before["terrain"][hex] != EMPTY):
            same = ("tile", "terrain", "rotation", "stones")
            assert [before[name][hex] for name in same] == [after[name][hex] for name in same]
            assert after["level"][hex] - before["level"][hex] == int(kind == codes.EXCAVATE and here)
            assert before["tokens"][hex] - after["tokens"][hex] == int(kind == codes.DIG and here)
        else:
            assert after["tile"][hex] == NO_TILE or (kind == codes.PLACE and here)
        if kind != codes.CAMP or not here:
            assert after["camp"][hex] == before["camp"][hex]
        if kind not in (codes.GUARD, codes.GUN) or not here:
            assert after["guard"][hex] == before["guard"][hex]
        if "obstacle_sides" in before and kind != codes.OBSTACLE:
            assert after["obstacle_sides"][hex] == before["obstacle_sides"][hex]


def check_price(before: Fields, action: int, after: Fields) -> None:
    """An action of a budget costs what the table says; everything else starts or ends one."""
    kind, (p, q, _r) = kind_of(action), fields_of(action)
    if kind == codes.MOVE:
        direction = NEIGHBOURS[p].index(q)
        price = (
            side(before, p, direction) + side(before, q, (direction + 3) % 6) + 2 * has_obstacle(before, p, direction)
        )
    elif kind in PRICES:
        price = PRICES[kind]
    else:
        return
    assert price > 0
    assert (after["phase"], after["seat"], after["ap"]) == (codes.ACTING, before["seat"], before["ap"] - price)
