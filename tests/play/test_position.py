"""Positions: the inverse of a view, enough to play from; impossible positions are refused."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.deals import letter_deck
from tests.kit.games import (
    HEXES,
    exact_game,
    idle_until,
    kinds,
    moments,
    new,
    options_of,
    scaled,
    sealed_game,
    seats,
    sudden_deck,
)
from tests.kit.spoil import JSON, View, pool, spoil
from tikal.play import Game, TikalError, notation
from tikal.play.position import SCORE_LIMIT, Position, ViewError, position
from tikal.play.view import status, view
from tikal.rules.codes import FINISHED
from tikal.rules.core import Moves
from tikal.rules.tree import playout


def legal(here: Position) -> list[str]:
    moves = Moves()
    here.state.legal(moves)
    return sorted(map(notation.text, moves))


def play_out(here: Position, seed: int) -> None:
    """Plays a position to its end at random: uncompiled, any index out of range raises."""
    end = here.state.clone()
    playout(end, Moves(), seed + 1)
    assert end.phase == FINISHED


# The inverse


@pytest.mark.parametrize("kind", kinds(3))
def test_a_position_shows_the_view_it_was_made_from_and_allows_the_same(kind: str) -> None:
    rng = random.Random(f"back {kind}")
    for number, game in enumerate(moments(exact_game(options_of(kind), rng), rng, share=0.1)):
        for viewer in seats(game):
            seen = game.view(viewer)
            here = position(json.loads(json.dumps(seen)))
            assert (here.viewer, here.options) == (viewer, game.options)
            assert view(here.state, here.options, viewer) == seen
            assert legal(here) == game.legal()
            assert status(here.state) == game.status()
        if number % 4 == 0:
            play_out(position(game.view(game.seat)), number)


@pytest.mark.parametrize("kind", kinds(0))
def test_actions_do_the_same_in_a_position_as_in_the_game(kind: str) -> None:
    """All actions without chance: a view omits nothing that the rules need."""
    rng = random.Random(f"same {kind}")
    compared = 0
    for game in moments(exact_game(options_of(kind), rng), rng, share=0.04):
        here = position(game.view(game.seat))
        for action in game.legal():
            states, steps = game.foresee([action])
            drawn = states[0].deck_next != game.state.deck_next
            if steps[0].revealed is None and not drawn and not action.startswith("J:"):
                after = here.state.clone()
                after.apply(notation.parse(action))
                assert view(after, here.options, game.seat) == view(states[0], game.options, game.seat)
                compared += 1
    assert compared > 50


@pytest.mark.parametrize("kind", ["sudden death", "redraw", "taker decides"])  # two and four players
def test_volcanoes_of_sudden_death_are_filled_in_where_they_may_come(kind: str) -> None:
    rng = random.Random(kind)
    for game in moments(exact_game(options_of(kind), rng), rng, share=0.1):
        deck = position(game.view(None)).state.export()["deck"]
        names = [letter_deck()[tile] for tile in deck]
        out = 36 - game.status()["deck_left"]
        for volcano, limit in zip(
            ("B6", "D5", "F5"), (9, 18, 27) if game.options.players == 3 else (8, 16, 24), strict=True
        ):
            assert names.index(volcano) < out or names.index(volcano) >= limit


# Impossible positions


def start(**options: Any) -> View:
    return new(**options).view(1)


def acting(**options: Any) -> View:
    game = new(dice=[12] * 48 if options.get("boulders") else None, **options)
    game.play("A1@b3^0", "+W@a1", "+W@a1", "W:a1-a2", "X@a2")
    return game.view(1)


def full_board(**options: Any) -> View:
    """All tiles are placed; the first seat is in the final scoring round."""
    game = idle_until(new(**options), lambda game: game.status()["deck_left"] == 0 and game.phase == "act")
    return idle_until(game, lambda game: bool(game.view(1)["scoring"])).view(1)


def bidding() -> View:
    game = new(players=4, auction=True)
    game.play("B:-", "B:3")
    return game.view(1)


def second_turn(phase: str = "act") -> View:
    """The second turn of an auction's round, seat 1 has had the first."""
    game = new(players=3, auction=True)
    game.play("B:-", "B:-", "B:-", "K:A2", "A2@b3^0", ".", "B:-", "B:-", "K:A3", "A3@c2^0")
    return game.view(1)


def scoring(**options: Any) -> View:
    game = idle_until(new(players=3, **options), lambda game: game.status()["tile"] == "B6")
    return game.view(1)


def deciding() -> View:
    deck = sudden_deck((16, "B6"), (17, "D5"))
    game = new(deck, players=4, auction=True, sudden_death=True, double_volcano="taker_decides")
    idle_until(game, lambda game: "K:B6" in game.legal()).play("K:B6")
    return game.view(1)


def third_volcano() -> View:
    game = new(sudden_deck((24, "B6"), (25, "D5"), (26, "F5")), players=4, auction=True, sudden_death=True)
    for tile in ("B6", "D5", "F5"):
        idle_until(game, _offers(f"K:{tile}")).play(f"K:{tile}")
    return game.view(1)


def _offers(action: str) -> Callable[[Game], bool]:
    return lambda game: action in game.legal()


def leaps(*actions: str) -> View:
    """A game of leaps for three after its first auctions and tiles, and these actions."""
    game = idle_until(new(players=3, auction=True, leaps=True), lambda game: game.phase == "leap")
    game.play(*actions)
    return game.view(1)


def leaps_taking() -> View:
    game = new(players=3, auction=True, leaps=True)
    game.play("B:-", "B:-", "B:-", "K:A2", "B:-", "B:-")
    return game.view(1)


def leaps_placing() -> View:
    return idle_until(new(players=3, auction=True, leaps=True), lambda game: game.phase == "place").view(1)


def leaps_volcano() -> View:
    game = idle_until(new(players=2, auction=True, leaps=True), _offers("K:B6"))
    game.play("K:B6")
    idle_until(game, lambda game: game.phase == "leap").play("J:0", "J:0")
    return game.view(1)


def over(**options: Any) -> View:
    return idle_until(new(**options), lambda game: game.over).view(1)


def change(seen: View, **changes: Any) -> View:
    """A view with other values; `auction__out` is the entry `out` of `auction`."""
    for name, value in changes.items():
        where = seen
        *path, last = name.split("__")
        for part in path:
            where = where[part]
        where[last] = value
    return seen


def moved(seen: View, tile: str, to: list[str]) -> View:
    """A tile is put back into the deck; as many others as are named come up in its place."""
    unseen = sorted({*seen["unseen_tiles"], tile} - set(to))
    return change(seen, unseen_tiles=unseen, top_letter=unseen[0][0], deck_left=len(unseen))


def sealed() -> View:
    """A tile is to be placed that fits nowhere."""
    game = idle_until(sealed_game(players=2), lambda game: bool(game.view(1)["gone"]))
    return change(game.view(1), phase="place", ap=0, tile="G3", gone=[])


def unplaced() -> View:
    """Tokens are chosen before the last tile was placed."""
    seen = leaps()
    hex, tile = seen["tiles"].popitem()
    seen["levels"].pop(hex)
    return change(seen, leaps__tiles=[None, None, tile[:2]])


def too_early() -> View:
    """Tiles are placed before the last one was taken."""
    seen = leaps_placing()
    tile = seen["leaps"]["tiles"][2]
    return change(
        seen,
        display=[tile],
        auction__had_turn=[1, 2],
        leaps__tiles=[None, seen["leaps"]["tiles"][1], None],
        leaps__order=[],
    )


SEAT = "a running game has a seat to decide, and a finished game has winners"
ORDER = "in a scoring round the seat at its place in the order spends AP"
FAULTS: list[tuple[Callable[[], View], str]] = [
    # tiles
    (lambda: change(start(), tile=None, unseen_tiles=letter_deck(), deck_left=36), "a game begins with a tile"),
    (
        lambda: change(acting(), tiles={"b3": "A2^0"}, levels={"a2": 2, "b1": 1, "b3": 2}),
        "every tile must be in one place",
    ),
    (
        lambda: change(moved(start(players=2, auction=True, sudden_death=True), "A1", ["B6"]), display=["A2", "B6"]),
        "a volcano can't come up before it is shuffled in",
    ),
    (lambda: change(moved(start(), "A1", ["G1"]), tile="G1"), "tiles come up in the order of their letters"),
    (
        lambda: change(moved(start(players=2, auction=True), "A3", ["A3"]), display=["A1", "A2", "A3"]),
        "as many tiles as players are turned up at a time",
    ),
    # the board
    (
        lambda: change(acting(), tiles={"h5": "A1^0"}, levels={"a2": 2, "b1": 1, "h5": 1}),
        "must be reachable from the base camp",
    ),
    (
        lambda: change(full_board(), levels={**full_board()["levels"], "b1": 1, "c1": 1}),
        "the temple on c1 can't be below level",
    ),
    (
        lambda: change(acting(), supply__2=3),
        "the level tiles on temples and in the supply must add up to all level tiles",
    ),
    (
        lambda: change(acting(), levels__a2=3),
        "the level tiles on temples and in the supply must add up to all level tiles",
    ),
    # pieces
    (lambda: change(acting(), reserve=[17, 18]), "seat 1 can't have more than 18 workers"),
    (
        lambda: change(acting(), workers=[{"a1": 1, "h5": 1}, {}]),
        "members must be on explored hexes that are not volcanoes",
    ),
    (lambda: change(acting(), leader=["h5", "reserve"]), "members must be on explored hexes that are not volcanoes"),
    (lambda: change(full_board(), camps={"b2": 1, **jungles(2)}), "seat 1 can't have more than 2 camps and 2 guards"),
    (
        lambda: change(full_board(), guards={"a2": 1, "b1": 1, **temples(1)}),
        "seat 1 can't have more than 2 camps and 2 guards",
    ),
    (lambda: change(acting(), camps={"a2": 1}), "camps must be on jungle hexes or on treasure tiles without tokens"),
    (lambda: change(acting(), guards={"b2": 1}), "guards must be on temples"),
    (lambda: change(acting(machine_gun=True), guns=["b1"]), "guns must be with guards, and need machine_gun"),
    (lambda: change(acting(machine_gun=True), guards={"b1": 1}, fired=["b1"]), "guns must be with guards"),
    (
        lambda: change(acting(obstacles=True), guards={"b1": 1}, guns=["b1"]),
        "guns must be with guards, and need machine_gun",
    ),
    (
        lambda: change(acting(machine_gun=True), obstacles=["a1-a2"]),
        "obstacles must be on passages, and need obstacles",
    ),
    (lambda: change(acting(obstacles=True), obstacles=["a2-b2"]), "obstacles must be on passages, and need obstacles"),
    # work
    (lambda: change(acting(), work=[{"b2": 1}, {}]), "work is done on temples and treasure tiles"),
    (lambda: change(acting(boulders="2d6"), lost=[{"b1": 1}, {}]), "boulders take at most one worker for each level"),
    (lambda: change(acting(), work=[{}, {"a2": 1}]), "work is forgotten at the end of a turn"),
    (lambda: change(start(), work=[{"a2": 1}, {}]), "work is forgotten at the end of a turn"),
    (lambda: change(acting(obstacles=True), lost=[{"a2": 1}, {}]), "workers are lost only to boulders"),
    (lambda: change(acting(boulders="2d6"), rolls=2), "boulders roll once for each level"),
    (lambda: change(acting(obstacles=True), rolls=1), "boulders roll once for each level"),
    # members that work once
    (
        lambda: change(acting(obstacles=True), worked=[{"a2": 1}, {}]),
        "only members_work_once counts the members that have worked",
    ),
    (lambda: change(acting(members_work_once=True), worked=[{"b1": 1}, {}]), "no more members can have worked than"),
    (lambda: change(acting(members_work_once=True), worked=[{"a1": 1, "a2": 1}, {}]), "a member has worked for each"),
    (lambda: change(acting(members_work_once=True), worked=[{}, {}]), "a member has worked for each level and token"),
    # whose decision
    (lambda: change(scoring(), scoring__place=3), "a place in an order is below the number of seats"),
    (lambda: change(start(), seat=None), SEAT),
    (lambda: change(over(), seat=1), SEAT),
    (lambda: change(over(), winners=[]), SEAT),
    (lambda: change(over(), phase="act", seat=1, winners=None, ap=1), "spends AP|one after the other|turn"),
    (lambda: change(over(players=2), scores=[3, 2], winners=[2]), "winners have the highest score"),
    (lambda: change(start(), ap=1), "there are AP only in the phases act and leap"),
    (lambda: change(moved(acting(), "A1", ["A1", "A2"]), tile="A2"), "a tile in hand is to be placed"),
    # turns and auctions
    (lambda: change(acting(), auction__had_turn=[2]), "only the auction has bids, a display and turns of a round"),
    (lambda: change(start(), turn_seat=2, seat=2), "the seats take turns, with one tile each"),
    (lambda: change(second_turn(), auction__had_turn=[2]), "a seat that has had its turn in this round has no other"),
    (lambda: change(second_turn(), auction__had_turn=[]), "the display must have a tile for each seat"),
    (lambda: change(leaps_taking(), seat=1), "a seat that has had its turn in this round neither bids nor takes"),
    (lambda: change(acting(), auction__out=[2]), "there are bids only during an auction"),
    (lambda: change(acting(), auction__first_out=2), "there are bids only during an auction"),
    (lambda: change(acting(), auction__bidder=2), "there are bids only during an auction"),
    (
        lambda: change(
            second_turn(),
            phase="bid",
            seat=3,
            ap=0,
            auction__had_turn=[1, 2],
            display=["A1"],
        ),
        "an auction needs two seats without a turn",
    ),
    (
        lambda: change(bidding(), auction__out=[3], auction__first_out=3),
        "a seat that is out of an auction has had no turn",
    ),
    (lambda: change(bidding(), auction__first_out=4), "the first seat to pass must be out of the auction"),
    (lambda: change(bidding(), auction__first_out=None), "the first seat to pass must be out of the auction"),
    (lambda: change(bidding(), bid=0), "a bid needs a bidder"),
    (lambda: change(bidding(), auction__bidder=None), "a bid needs a bidder"),
    (lambda: change(bidding(), auction__bidder=3), "the high bidder can pay the bid"),
    (lambda: change(bidding(), auction__bidder=1), "the high bidder can pay the bid"),
    (lambda: change(bidding(), bid=21), "the high bidder can pay the bid"),
    # volcanoes
    (lambda: change(acting(), volcano_seat=1), "a seat must have drawn or taken the last volcano"),
    (lambda: change(scoring(), volcano_seat=None), "a seat must have drawn or taken the last volcano"),
    (
        lambda: change(acting(obstacles=True), volcanoes_taken=1),
        "volcanoes_taken must be the number of volcanoes taken",
    ),
    (
        lambda: change(third_volcano(), scoring=None, **lying("F5")),
        "the third volcano of sudden_death ends the game",
    ),
    # phases
    (lambda: change(start(), seat=2), "the seat whose turn it is places"),
    (
        lambda: change(deciding(), seat=3),
        "only taker_decides has the phase decide, and the seat whose turn it is decides",
    ),
    (
        lambda: change(start(), phase="decide"),
        "only taker_decides has the phase decide, and the seat whose turn it is decides",
    ),
    (lambda: change(third_volcano(), phase="decide", ap=0, scoring=None, **deciders()), "decide is about a volcano"),
    (
        lambda: change(acting(), phase="over", seat=None, ap=0, winners=[1], work=[{}, {}]),
        "a game is not over before its last tile",
    ),
    (
        lambda: change(second_sudden(), phase="over", seat=None, ap=0, winners=[1, 2]),
        "sudden_death ends with the third volcano",
    ),
    (lambda: change(acting(), phase="leap"), "only leaps has the phase leap"),
    (sealed, "nothing is legal in the phase place"),
    # scoring rounds
    (lambda: change(acting(), seat=2, work=[{}, {}]), "the seat whose turn it is spends AP"),
    (lambda: change(scoring(), seat=1), ORDER),
    (lambda: change(scoring(), scoring__order=[1, 2, 3]), ORDER),
    (
        lambda: change(scoring(), scoring__order=[3, 2, 1]),
        "a volcano's scoring round goes clockwise from the seat that drew it",
    ),
    (
        lambda: change(scoring(), volcano_seat=1, scoring__order=[1, 2, 3], seat=1),
        "is part of the turn of the seat that drew it",
    ),
    (
        lambda: change(acting(), scoring={"kind": "final", "order": [1, 2], "place": 0}),
        "the final scoring round follows the last tile",
    ),
    (
        lambda: change(
            scoring(instant_scoring=True),
            phase="act",
            ap=10,
            scoring={"kind": "volcano", "order": [3, 1, 2], "place": 0},
        ),
        "instant_scoring has no scoring round for a volcano",
    ),
    # leaps
    (
        lambda: change(leaps(), scoring={"kind": "final", "order": [1, 2, 3], "place": 0}),
        "leaps has no scoring rounds with AP",
    ),
    (lambda: change(leaps(), leaps__erupted=True), "a seat must have taken the volcano of this round"),
    (lambda: change(leaps_placing(), leaps__tokens=[1, 0, 0]), "there are tokens only while they are chosen and spent"),
    (
        lambda: change(leaps_taking(), leaps__order=[2]),
        "a seat that has won a tile in this round has a place in its order",
    ),
    (lambda: change(leaps_taking(), leaps__place=0, leaps__order=[]), "leaps does not agree|has a place in its order"),
    (lambda: change(leaps_placing(), leaps__order=[3, 2, 1]), "tiles are placed in the round's order"),
    (lambda: change(leaps(), leaps__order=[1, 2]), "the order of a round|every seat has a place|leaps does not agree"),
    (
        lambda: change(leaps_volcano(), seat=3 - leaps_volcano()["seat"]),
        "only the seat that took a volcano in this round has AP without tokens",
    ),
    (unplaced, "all tiles of the round are placed before tokens are spent"),
    (too_early, "every seat has a place in the round's order"),
    (lambda: change(leaps(), ap=9), "tokens are chosen in the round's order, from those that are left"),
    (lambda: change(leaps(), seat=2), "tokens are chosen in the round's order, from those that are left"),
    (lambda: change(leaps("J:2"), leaps__place=0, seat=1), "a later seat with tokens has not chosen yet"),
    (
        lambda: change(leaps("J:2"), leaps__chosen=[5, None, None], leaps__tokens=[3, 10, 10]),
        "an earlier seat has chosen",
    ),
    (lambda: change(leaps("J:2", "J:2", "J:2"), leaps__tokens=[9, 8, 8]), "all have chosen, from 10 tokens"),
    (lambda: change(leaps("J:2", "J:2", "J:2"), ap=3), "AP of a leap are tokens that the seat has shown"),
    (
        lambda: change(leaps("J:2", "J:2", "J:2"), leaps__chosen=[0, 2, 2]),
        "AP of a leap are tokens that the seat has shown",
    ),
    (lambda: change(leaps("J:2", "J:2", "J:2"), ap=1), "a leap begins with all tokens shown"),
    (
        lambda: change(leaps("J:2", "J:2", "J:2"), leaps__stage="walking", leaps__walker=["W", "a1"]),
        "the walking member is on the hex that the walk has reached",
    ),
]


def jungles(count: int) -> dict[str, int]:
    names = [name for name, tile in full_board()["tiles"].items() if tile[:2] in ("A6", "B4", "B5", "C4")]
    return dict.fromkeys(names[:count], 1)


def temples(count: int) -> dict[str, int]:
    return dict.fromkeys([name for name in full_board()["levels"] if name not in ("a2", "b1")][:count], 1)


def lying(tile: str) -> View:
    """The changes that put the tile in hand onto the board."""
    seen = third_volcano()
    empty = next(name for name in HEXES if name not in {"a1", "a2", "b1", "b2", *seen["tiles"]})
    return {"tile": None, "tiles": {**seen["tiles"], empty: f"{tile}^0"}}


def deciders() -> View:
    return {"options": {**third_volcano()["options"], "double_volcano": "taker_decides"}}


def second_sudden() -> View:
    """sudden_death in the middle of its first round."""
    game = new(sudden_deck(), players=2, auction=True, sudden_death=True)
    game.play("B:-", "B:-", "K:A1", "A1@b3^0")
    return game.view(1)


@pytest.mark.parametrize("number", range(len(FAULTS)))
def test_a_view_that_no_game_could_give_is_refused(number: int) -> None:
    make, reason = FAULTS[number]
    with pytest.raises(ViewError, match=f"^view: .*({reason})") as caught:
        position(make())
    assert caught.value.code == "load"


def test_nothing_is_found_wrong_with_the_views_that_were_changed() -> None:
    made = [start(), acting(), full_board(), bidding(), second_turn(), scoring(), deciding(), third_volcano(), leaps()]
    made += [leaps("J:2", "J:2", "J:2"), leaps_taking(), leaps_placing(), leaps_volcano(), over(), second_sudden()]
    made += [scoring(instant_scoring=True), acting(boulders="2d6"), acting(machine_gun=True)]
    for seen in made:
        play_out(position(seen), 1)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"viewer": 3}, "3 is not a number from 1 to 2"),
        ({"viewer": True}, "True is not a number from 1 to 2"),
        ({"viewer": "1"}, "'1' is not a number"),
        ({"scores": [SCORE_LIMIT + 1, 0]}, f"1501 is not a number from 0 to {SCORE_LIMIT}"),
        ({"scores": [-1, 0]}, "-1 is not a number"),
        ({"scores": [0.0, 0]}, "0.0 is not a number"),
        ({"scores": [0]}, "scores must have 2 entries"),
        ({"workers": [{"a1": 40}, {}]}, "40 is not a number from 1 to 18"),
        ({"workers": [{"z9": 1}, {}]}, "KeyError: 'z9'"),
        ({"reserve": [19, 18]}, "19 is not a number from 0 to 18"),
        ({"leader": ["nowhere", "reserve"]}, "KeyError: 'nowhere'"),
        ({"ap": 11}, "11 is not a number from 0 to 10"),
        ({"ap": None}, "None is not a number"),
        ({"phase": "thinking"}, "is not in tuple|not in list|x not in"),
        ({"tile": "A7"}, "KeyError: 'A7'"),
        ({"tiles": {"b3": "A5"}}, "not enough values"),
        ({"tiles": {"b3": "A5^9"}}, "A5\\^9 can't lie on b3"),
        ({"tiles": {"a1": "A5^0"}}, "A5\\^0 can't lie on a1"),
        ({"tiles": []}, "has no attribute 'items'"),
        ({"levels": {"a2": 11, "b1": 1}}, "11 is not a number from 1 to 10"),
        ({"treasures": [[4, 0, 0, 0, 0, 0, 0, 0], [0] * 8]}, "4 is not a number from 0 to 3"),
        (
            {"treasures": [[1, 0, 0, 0, 0, 0, 0, 0], [0] * 8], "unseen_kinds": [2, 3, 3, 3, 3, 3, 3, 3]},
            "must have been dug",
        ),
        ({"treasures": [[0] * 7, [0] * 8]}, "treasures has too many or too few entries"),
        ({"treasures": [[0] * 9, [0] * 8]}, "treasures has too many or too few entries"),
        ({"unseen_kinds": [3] * 7}, "unseen_kinds must have 8 entries"),
        ({"unseen_kinds": [4] * 8}, "4 is not a number from 0 to 3"),
        ({"unseen_tiles": ["A2", "A2"]}, "unseen_tiles must name different tiles"),
        ({"unseen_tiles": ["Z9"]}, "unseen_tiles must name different tiles"),
        ({"work": [{"a2": 3}, {}]}, "3 is not a number from 1 to 2"),
        ({"scoring": {"kind": "volcano", "order": [1, 1], "place": 0}}, "names every seat once"),
        ({"supply": {}}, "KeyError: '2'"),
        ({"options": {"players": 9}}, "players=9: must be one of 2, 3, 4"),
        ({"options": {"colour": "red"}}, "unexpected keyword argument 'colour'"),
        ({"options": {"players": 2}}, "options does not agree with the rest"),
        ({"top_letter": "B"}, "top_letter does not agree with the rest"),
        ({"display": ["A2"]}, "every tile must be in one place|only the auction"),
        ({"more": 1}, "more is not a part of a view"),
        ({"leaps": {}}, "leaps does not agree with the rest"),
    ],
)
def test_wrong_values_are_refused(changes: View, reason: str) -> None:
    with pytest.raises(ViewError, match=reason) as caught:
        position(change(start(), **changes))
    assert str(caught.value).startswith("view: ")
    assert "\n" not in str(caught.value)


def test_wrong_values_of_leaps_are_refused() -> None:
    for changes, reason in (
        ({"leaps": None}, "not subscriptable"),
        ({"leaps__order": [1, 1, 2]}, "the order of a round names a seat twice"),
        ({"leaps__tokens": [11, 10, 10]}, "11 is not a number from 0 to 10"),
        ({"leaps__chosen": [6, None, None]}, "6 is not a number from 0 to 5"),
        ({"leaps__stage": "sleeping"}, "not in tuple|x not in"),
        ({"leaps__walker": ["W", "a1"]}, "leaps does not agree with the rest"),
    ):
        with pytest.raises(ViewError, match=reason):
            position(change(leaps(), **changes))


@pytest.mark.parametrize("key", list(start()))
def test_every_part_of_a_view_is_needed(key: str) -> None:
    seen = start()
    del seen[key]
    with pytest.raises(
        ViewError, match=rf"^view: (not an output of `view` \(KeyError: '{key}'\)|{key} does not agree)"
    ):
        position(seen)


@pytest.mark.parametrize("seen", [None, 7, "view", [], [[]], {}, {"options": None}, {"options": []}, True])
def test_other_json_is_refused_as_a_view(seen: Any) -> None:
    with pytest.raises(ViewError, match=r"^view: not an output of `view`"):
        position(seen)


def test_deep_nesting_is_refused() -> None:
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    for name in start():
        with pytest.raises(ViewError, match=r"^view: "):
            position(change(start(), **{name: deep}))


@pytest.mark.parametrize("score", [SCORE_LIMIT, 0])
def test_the_highest_score_still_leaves_room_for_all_bids(score: int) -> None:
    here = position(change(bidding(), scores=[score] * 4, bid=min(score, 3), auction__bidder=2 if score else None))
    assert len(legal(here)) == 1 + max(score - 3, 0)
    play_out(here, 3)


# Fuzzing


def fuzz(seen: View, seed: int) -> bool:
    """A corrupted view is refused properly, or it can be played: returns whether it was accepted."""
    try:
        here = position(seen)
    except ViewError:
        return False
    assert here.state.phase == FINISHED or legal(here)
    play_out(here, seed)
    return True


def test_corrupted_views_are_refused_or_can_be_played() -> None:
    taken = 0
    for seed in range(scaled(800)):
        rng = random.Random(seed)
        seen = json.loads(json.dumps(rng.choice(pool())))
        for _ in range(rng.choice((1, 1, 2, 3))):
            spoil(seen, rng)
        taken += fuzz(seen, seed)
    assert 0 < taken < scaled(200)


def test_corrupted_states_are_refused_or_can_be_played() -> None:
    """Corrupts a state and takes its view, so that the parts of the view agree with each other."""
    taken = refused = 0
    for seed in range(scaled(800)):
        rng = random.Random(seed)
        here = position(rng.choice(pool()))
        fields: Any = here.state.export()
        for _ in range(rng.choice((1, 1, 2, 3, 4))):
            name = rng.choice(sorted(fields))
            where, at = (
                (fields, name) if isinstance(fields[name], int) else (fields[name], rng.randrange(len(fields[name])))
            )
            where[at] = rng.choice(
                (where[at] + 1, max(0, where[at] - 1), 0, 1, 2, 3, 4, 63, where[at] | 1 << rng.randrange(6))
            )
        try:
            here.state.restore(fields)
            seen = view(here.state, here.options, here.viewer)
        except (IndexError, OverflowError, ValueError):
            continue  # the numbers are no state at all
        accepted = fuzz(seen, seed)
        taken, refused = taken + accepted, refused + (not accepted)
    assert taken > scaled(50) and refused > scaled(150)


@given(JSON, st.sampled_from(sorted(start())))
def test_any_json_in_any_place_is_refused_or_can_be_played(value: Any, key: str) -> None:
    with pytest.raises(TikalError, match=r"^view: "):
        position(value)
    fuzz(start() | {key: value}, 0)
