"""Chance: what may be given exactly, what a seed gives, and the stream is unbiased."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.deals import letter_deck, ordered_treasures, random_options
from tests.kit.games import idle_until, sudden_deck
from tests.oracle import random_chance
from tests.oracle.chance import check_deck
from tikal.play import Game, TikalError
from tikal.play.chance import SeedError, Stream, check_nonces, check_seed, commit, deal, new_seed
from tikal.rules.options import VALUES, OptionError, Options
from tikal.rules.setup import Chance, ChanceError

DECK = letter_deck()
KINDS = ordered_treasures()


def start(deck: Any = DECK, treasures: Any = KINDS, dice: Any = None, **options: Any) -> Game:
    return Game.new(Options(**options), deck=deck, treasures=treasures, dice=dice)


# Exact chance


def replaced(deck: list[str], **changes: str) -> list[str]:
    """The deck with tiles replaced by others, or left out."""
    return [changes.get(tile, tile) for tile in deck if changes.get(tile, tile)]


@pytest.mark.parametrize(
    ("deck", "reason"),
    [
        ([], "36 tiles are missing, the first is A1; list all 36 as they come up"),
        (["A1"], "35 tiles are missing, the first is A2"),
        (DECK[:-1], "1 tile is missing: it is G4"),
        (replaced(DECK, A3=""), "1 tile is missing: it is A3"),
        ([*DECK, "A1"], "A1 occurs 2 times; list all 36 as they come up, each once"),
        (replaced(DECK, A3="A2"), "A2 occurs 2 times"),
        (replaced(DECK, A3="A7"), "no tile is called 'A7'"),
        (replaced(DECK, A3="a3"), "no tile is called 'a3'"),
        ([*DECK[:6], *DECK[7:], "B1"], "B1 can't come after G4; letters come in the order ABCDEFG"),
        (list(reversed(DECK)), "G3 can't come after G4|F5 can't come after G1"),
        (["B1", *replaced(DECK, B1="")], "A1 can't come after B1"),
    ],
)
def test_a_deck_must_have_all_tiles_in_the_order_of_their_letters(deck: list[str], reason: str) -> None:
    with pytest.raises(ChanceError, match=f"^deck: ({reason})") as caught:
        start(deck)
    assert caught.value.code == "deck"


def test_within_a_letter_any_order_will_do() -> None:
    rng = random.Random(0)
    for _ in range(20):
        deck = sorted(rng.sample(DECK, 36), key=lambda name: name[0])
        assert start(deck).chance.deck == tuple(deck)


@pytest.mark.parametrize(
    "treasures",
    [[], KINDS[:-1], [*KINDS, 1], [1] * 24, [0] * 24, [9, *KINDS[1:]], [*KINDS[:-1], 7], ["1"] * 24],
)
def test_treasures_are_three_of_each_kind(treasures: list[Any]) -> None:
    with pytest.raises(ChanceError, match=r"^treasures: must be 24 kinds, 3 of each from 1 to 8$") as caught:
        start(treasures=treasures)
    assert caught.value.code == "treasures"


@pytest.mark.parametrize(
    ("boulders", "dice", "reason"),
    [
        ("3d6", [2], "every sum of 3d6 is from 3 to 18"),
        ("3d6", [19], "every sum of 3d6 is from 3 to 18"),
        ("1d20", [0], "every sum of 1d20 is from 1 to 20"),
        ("1d20", [21], "every sum of 1d20 is from 1 to 20"),
        ("2d6", [1], "every sum of 2d6 is from 2 to 12"),
        ("2d6", [7, 7, 13], "every sum of 2d6 is from 2 to 12"),
        ("2d6", [7] * 49, "49 sums are too many; 48 always suffice"),
        (False, [7], "only the variant boulders rolls dice; leave them out or set boulders=3d6"),
        ("2d6", None, "are missing; boulders needs their sums"),
    ],
)
def test_dice_are_sums_of_the_dice_that_are_rolled(boulders: str, dice: Any, reason: str) -> None:
    with pytest.raises(TikalError, match=f"^dice: {reason}") as caught:
        start(dice=dice, boulders=boulders)
    assert caught.value.code == "dice"


@pytest.mark.parametrize(
    ("boulders", "dice"), [("3d6", [3, 18]), ("1d20", [1, 20]), ("2d6", [2, 12]), ("2d6", [7] * 48), ("2d6", [])]
)
def test_all_sums_from_the_lowest_to_the_highest_are_accepted(boulders: str, dice: list[int]) -> None:
    assert start(dice=dice, boulders=boulders).chance.dice == tuple(dice)


@pytest.mark.parametrize(
    ("given", "code", "reason"),
    [
        ({"deck": DECK}, "treasures", "treasures: are missing; deck= and treasures= go together"),
        ({"treasures": KINDS}, "deck", "deck: is missing; deck= and treasures= go together"),
        ({"dice": [7]}, "deck", "deck: is missing"),
        ({"deck": DECK, "treasures": KINDS, "seed": "1"}, "option", "seed: can't be combined"),
        ({"deck": DECK, "treasures": KINDS, "nonces": ("n",)}, "option", "seed: can't be combined"),
    ],
)
def test_deck_and_treasures_go_together_and_exclude_a_seed(given: dict[str, Any], code: str, reason: str) -> None:
    with pytest.raises(OptionError, match=f"^{reason}") as caught:
        Game.new(Options(), **given)
    assert caught.value.code == code


# Exact chance of sudden_death


@pytest.mark.parametrize(("players", "limits"), [(2, (8, 16, 24)), (3, (9, 18, 27)), (4, (8, 16, 24))])
def test_a_volcano_does_not_come_up_before_it_was_shuffled_in(players: int, limits: tuple[int, ...]) -> None:
    options = {"players": players, "auction": True, "sudden_death": True}
    for volcano, limit in zip(("B6", "D5", "F5"), limits, strict=True):
        start(sudden_deck((limit, volcano)), **options)
        for at in (0, limit - 1):
            with pytest.raises(
                ChanceError, match=rf"{volcano} can't be among the first {limit} tiles with sudden_death"
            ):
                start(sudden_deck((at, volcano)), **options)
    earliest = zip(limits, ("B6", "D5", "F5"), strict=True)
    start(sudden_deck(*earliest), **options)


def test_letters_may_come_in_any_order_with_sudden_death() -> None:
    assert start(sudden_deck((0, "G4")), auction=True, sudden_death=True).status()["display"] == ["A1", "G4"]


@pytest.mark.parametrize("way", ["score_all", "taker_decides"])
def test_without_redraw_every_tile_is_listed_once(way: str) -> None:
    with pytest.raises(ChanceError, match="B6 occurs 2 times"):
        start([*sudden_deck(), "B6"], auction=True, sudden_death=True, double_volcano=way)
    with pytest.raises(ChanceError, match="B6 occurs 2 times"):
        start([*DECK, "B6"])


REDRAW: dict[str, Any] = {"auction": True, "sudden_death": True, "double_volcano": "redraw"}


def redraw_deck(first: int, *more: tuple[int, str]) -> list[str]:
    """B6 and D5 come up together at this place, and D5 goes back; `more` are further tiles with their places."""
    deck = sudden_deck((first, "B6"), (first + 1, "D5"))
    for at, name in more:
        deck.insert(at, name)
    return deck


@pytest.mark.parametrize(
    ("deck", "players", "reason"),
    [
        (redraw_deck(16, (20, "D5")), 2, None),
        (redraw_deck(16, (18, "D5"), (19, "D5"), (24, "D5")), 2, None),  # back again at once, and again
        (redraw_deck(16, (22, "D5")), 4, None),
        (redraw_deck(16, (20, "D5")), 4, "ends within a round"),  # drawn again in the same round, it goes back again
        (redraw_deck(18, (22, "D5")), 3, None),
        (redraw_deck(16), 2, "ends within a round; a volcano that goes back must be listed again later"),
        (redraw_deck(16, (20, "B6")), 2, "B6 comes up again without having gone back"),
        (redraw_deck(16, (20, "D5"), (25, "D5")), 2, "D5 comes up again without having gone back"),
        (redraw_deck(16, (20, "A1")), 2, "A1 occurs 2 times"),
        (redraw_deck(14, (20, "D5")), 2, "D5 can't be among the first 16 tiles with sudden_death"),
        (sudden_deck((34, "B6"), (35, "D5")), 2, None),  # the last round: the deck is empty, both stay
        (sudden_deck((32, "B6"), (33, "D5"), (34, "F5")), 2, "ends within a round"),
    ],
)  # fmt: skip
def test_with_redraw_a_volcano_that_goes_back_is_listed_again(
    deck: list[str], players: int, reason: str | None
) -> None:
    if reason is None:
        assert start(deck, players=players, **REDRAW).chance.deck == tuple(deck)
    else:
        with pytest.raises(ChanceError, match=f"^deck: {reason}") as caught:
            start(deck, players=players, **REDRAW)
        assert caught.value.code == "deck"


def test_a_repetition_shifts_the_limits_by_one() -> None:
    """F5 must not be among the first 24 tiles; with one repetition before, not among the first 25 of the list."""
    base = redraw_deck(16, (20, "D5"))
    base.remove("F5")
    for at, good in ((24, False), (25, True)):
        deck = [*base[:at], "F5", *base[at:]]
        if good:
            start(deck, **REDRAW)
        else:
            with pytest.raises(ChanceError, match="F5 can't be among the first 24 tiles"):
                start(deck, **REDRAW)


def test_a_volcano_that_goes_back_is_not_on_display_and_counts_again() -> None:
    game = start(redraw_deck(16, (20, "D5")), **REDRAW)
    idle_until(game, lambda game: "B6" in game.status()["display"])
    assert (len(game.status()["display"]), game.status()["deck_left"]) == (2, 18)
    assert "D5" in game.view(1)["unseen_tiles"]
    idle_until(game, lambda game: "D5" in game.status()["display"])
    assert game.status()["deck_left"] == 16


@pytest.mark.parametrize("seed", range(40))
def test_core_and_oracle_accept_and_refuse_the_same_decks(seed: int) -> None:
    """Decks of sudden_death, valid ones and some with a tile moved, against the oracle's reading."""
    rng = random.Random(seed)
    options = Options(
        players=rng.choice((2, 3, 4)), **(REDRAW | {"double_volcano": rng.choice(VALUES["double_volcano"])})
    )
    deck, treasures, _ = random_chance(options.as_dict(), rng)
    for _ in range(20):
        changed = list(deck)
        changed.insert(
            rng.randrange(36),
            changed.pop(rng.choice([at for at, name in enumerate(deck) if name in ("B6", "D5", "F5")])),
        )
        ours = theirs = True
        try:
            Chance(tuple(changed), tuple(treasures)).check(options)
        except ChanceError:
            ours = False
        try:
            check_deck(options.as_dict(), changed)
        except ValueError:
            theirs = False
        assert ours == theirs, changed


# Seeds


@pytest.mark.parametrize("seed", ["x", "42", "!", "~", "a/b=c,d", "x" * 200, pytest.param(new_seed(), id="fresh")])
def test_valid_seeds(seed: str) -> None:
    assert check_seed(seed) == seed
    game = Game.new(Options(), seed=seed)
    assert Game.from_record(game.record(reveal=True)).chance == game.chance


@pytest.mark.parametrize("seed", ["", " ", "a b", 'a"b', "x" * 201, "é", "a\n", "\t", "٣"])
def test_invalid_seeds(seed: str) -> None:
    with pytest.raises(SeedError, match=r"^seed: must be 1 to 200 printable ASCII characters without spaces") as caught:
        Game.new(Options(), seed=seed)
    assert caught.value.code == "option"
    with pytest.raises(SeedError, match=r"^nonce: must be 1 to 200 printable ASCII characters without spaces"):
        Game.new(Options(), seed="1", nonces=("fine", seed))


def test_nonces_cannot_be_confused_with_each_other() -> None:
    with pytest.raises(SeedError, match="quotation marks or /"):
        check_nonces(["a/b"])
    ways = [("a", "b"), ("b", "a"), ("ab",), ("a",), ("b",), (), ("a", "b", "b")]
    assert len({deal(Options(), "42", nonces).deck for nonces in ways}) == len(ways)


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters='"/'), min_size=1, max_size=20))
def test_a_nonce_changes_the_deal_and_not_the_commitment(nonce: str) -> None:
    plain, other = Game.new(Options(), seed="42"), Game.new(Options(), seed="42", nonces=(nonce,))
    assert plain.chance.deck != other.chance.deck
    assert plain.chance.treasures != other.chance.treasures
    assert plain.commitment == other.commitment


def test_a_seed_deals_the_same_again_and_another_seed_deals_otherwise() -> None:
    deals = [deal(Options(boulders="1d20"), str(seed)) for seed in range(200)]
    assert deals == [deal(Options(boulders="1d20"), str(seed)) for seed in range(200)]
    assert len({chance.deck for chance in deals}) == len({chance.treasures for chance in deals}) == 200
    assert len({chance.dice for chance in deals}) == 200


def test_without_a_seed_a_fresh_one_is_made() -> None:
    one, other = Game.new(Options()), Game.new(Options())
    assert one.seed and other.seed and one.seed != other.seed
    assert len(one.seed) == 64 and int(one.seed, 16) >= 0
    assert one.commitment == commit(one.seed)


def test_exact_chance_has_no_commitment() -> None:
    assert start().commitment is None


@pytest.mark.parametrize("number", range(40))
def test_every_seed_gives_chance_that_may_be_given_exactly(number: int) -> None:
    rng = random.Random(number)
    options = random_options(rng)
    for seed in range(10):
        chance = deal(options, f"{number}/{seed}")
        chance.check(options)
        check_deck(options.as_dict(), list(chance.deck))
        assert len(chance.dice) == (48 if options.boulders else 0)
        exact = Game.new(
            options, deck=chance.deck, treasures=chance.treasures, dice=chance.dice if options.boulders else None
        )
        assert exact.status() == Game.new(options, seed=f"{number}/{seed}").status()


def test_options_that_chance_does_not_depend_on_do_not_change_the_deal() -> None:
    plain = deal(Options(), "42")
    for more in ({"players": 4}, {"auction": True}, {"edition": "classic"}, {"boulders": "2d6"}, {"obstacles": True}):
        chance = deal(Options(**more), "42")
        assert (chance.deck, chance.treasures) == (plain.deck, plain.treasures)


# The stream is unbiased: chi-square with fixed seeds, far from the limit


def chi_square(counts: Counter[Any], cells: int) -> float:
    expected = sum(counts.values()) / cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in counts) + (cells - len(counts)) * expected


@pytest.mark.parametrize(("n", "limit"), [(2, 10.8), (6, 20.5), (20, 43.8), (36, 66.6)])
def test_numbers_below_n_are_equally_likely(n: int, limit: float) -> None:
    """The limit is exceeded by one stream in a thousand; these are not among them."""
    stream = Stream("fair", "deck")
    assert chi_square(Counter(stream.below(n) for _ in range(20_000)), n) < limit


def test_every_tile_is_as_likely_in_every_place_of_its_letter() -> None:
    deals = [deal(Options(), f"place{seed}").deck for seed in range(2000)]
    for letter, size, limit in (("A", 6, 52.6), ("E", 5, 39.3), ("G", 4, 27.9)):
        first = DECK.index(f"{letter}1")
        counts = Counter((at, deck[first + at]) for deck in deals for at in range(size))
        assert chi_square(counts, size * size) < limit  # (size - 1)² degrees of freedom, one in a thousand


def test_every_kind_is_as_likely_in_every_place() -> None:
    counts = Counter(
        (at, kind) for seed in range(1500) for at, kind in enumerate(deal(Options(), f"kind{seed}").treasures)
    )
    assert chi_square(counts, 24 * 8) < 161 + 4 * 18  # 23 · 7 degrees of freedom, four deviations above


@pytest.mark.parametrize(("boulders", "mean"), [("3d6", 10.5), ("1d20", 10.5), ("2d6", 7.0)])
def test_dice_have_the_mean_of_dice(boulders: str, mean: float) -> None:
    sums = [total for seed in range(200) for total in deal(Options(boulders=boulders), f"dice{seed}").dice]
    number, sides = map(int, boulders.split("d"))
    assert (min(sums), max(sums)) == (number, number * sides)
    deviation = (number * (sides**2 - 1) / 12 / len(sums)) ** 0.5
    assert abs(sum(sums) / len(sums) - mean) < 3.3 * deviation


@pytest.mark.parametrize(("players", "limit"), [(2, 8), (3, 9), (4, 8)])
def test_a_volcano_of_sudden_death_is_as_likely_in_every_place_after_its_stage(players: int, limit: int) -> None:
    options = Options(players=players, auction=True, sudden_death=True)
    decks = [deal(options, f"sudden{seed}").deck for seed in range(2000)]
    last = Counter(deck.index("F5") for deck in decks)
    assert min(last) == 3 * limit
    assert chi_square(last, 36 - 3 * limit) < 31.3  # at most 11 degrees of freedom, one in a thousand
