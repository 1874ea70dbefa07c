"""Records: written, read, verified and replayed; hidden information in them, and manipulations."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.deals import letter_deck, ordered_treasures
from tests.kit.games import (
    copy,
    exact_game,
    finished,
    idle,
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
from tikal.play import Game, TikalError
from tikal.play.chance import commit
from tikal.play.game import Gone
from tikal.play.records import RecordError, Verification, parse, read, verify
from tikal.rules.options import Options

HIDDEN = ("Seed", "Deck", "Treasures", "Dice")


def tags_of(text: str) -> list[str]:
    return re.findall(r"^\[(\w+)", text, re.MULTILINE)


def actions_of(text: str) -> list[tuple[int, str]]:
    _, lines = parse(text)
    return [(line.seat, word) for line in lines for word in line.actions]


# Writing


def test_a_record_is_laid_out_as_the_notation_shows() -> None:
    deck = letter_deck(last=("A1", "A2", "A3", "A4", "A6"))
    game = new(deck)
    game.play("A5@b3^0", "+L@a1", "L:a1-b2", "L:b2-b3", "D@b3", "+W@a1", "+W@a1", "W:a1-a2", ".")
    game.play("A1@a3^0")
    assert game.record(["Red", "bot:digger"], date="2024-05-01").splitlines() == [
        '[Game "Tikal"]',
        '[Rules "1"]',
        '[Edition "super-meeple"]',
        '[Options "players=2"]',
        '[Players "Red" "bot:digger"]',
        '[Date "2024-05-01"]',
        '[Result "*"]',
        "",
        "1 A5@b3^0 +L@a1 L:a1-b2 L:b2-b3 D@b3(1) +W@a1 +W@a1 W:a1-a2 .",
        "2 A1@a3^0",
    ]


def test_a_finished_game_shows_its_chance_and_its_result() -> None:
    seeded, exact = finished("boulders"), finished("boulders", by_seed=False)
    scores = " ".join(map(str, seeded.status()["scores"]))
    assert tags_of(seeded.record()) == [
        "Game", "Rules", "Edition", "Options", "Players", "Result", "Seed", "Commitment",
    ]  # fmt: skip
    assert f'[Result "{scores}"]' in seeded.record()
    assert tags_of(exact.record())[5:] == ["Result", "Deck", "Treasures", "Dice"]
    assert tags_of(finished("basic", by_seed=False).record())[5:] == ["Result", "Deck", "Treasures"]


def test_players_have_names_when_none_are_given() -> None:
    assert '[Players "Seat 1" "Seat 2" "Seat 3"]' in new(players=3).record()


@pytest.mark.parametrize("names", [["Ann"], ["Ann", "Bob", "Eve"]])
def test_there_is_a_name_for_each_seat(names: list[str]) -> None:
    with pytest.raises(RecordError, match=rf"^record: {len(names)} names of players for 2 seats; give one for each$"):
        new().record(names)


@given(st.lists(st.text(), min_size=2, max_size=2), st.text())
def test_any_name_and_date_makes_a_record_that_can_be_read(names: list[str], date: str) -> None:
    text = new().record(names, date)
    assert len(text.split("\n")) in (8, 9)
    tags = read(text).tags
    assert [" ".join(name.replace('"', "'").split()) for name in names] == tags["Players"]


@pytest.mark.parametrize("kind", kinds(1))
def test_the_record_of_a_running_game_has_no_hidden_tags(kind: str) -> None:
    rng = random.Random(kind)
    for game in moments(Game.new(options_of(kind), seed="secret", nonces=("n",)), rng, share=0.1):
        text = game.record()
        assert game.over == ("secret" in text)
        assert game.over == any(tag in HIDDEN for tag in tags_of(text))
        assert f'[Commitment "{commit("secret")}"]\n[Nonces "n"]' in text
        assert '[Seed "secret"]' in game.record(reveal=True)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_tokens_chosen_and_not_shown_are_left_out(players: int) -> None:
    game = idle_until(new(players=players, auction=True, leaps=True), lambda game: game.phase == "leap")
    before = game.record()
    for seat in range(players - 1):
        game.play("J:3")
        assert game.record() == before
        assert game.record(reveal=True).count("J:3") == seat + 1
    game.play("J:3")
    assert game.record().count("J:3") == players
    for _ in range(players):
        game.play(".")
    shown = game.record()
    assert shown.count("J:3") == players
    game.play("J:0")
    assert game.record() == shown


def test_actions_taken_back_are_not_in_a_record() -> None:
    game = new()
    game.play("A1@b3^0", "+W@a1", "+W@a1")
    game.undo(2)
    game.play("+L@a1")
    assert game.record().splitlines()[-1] == "1 A1@b3^0 +L@a1"


# Reading and replaying


def same_for_all(one: Game, other: Game) -> None:
    """Checks that two games look the same to every viewer."""
    for viewer in seats(one):
        assert one.view(viewer) == other.view(viewer)
    assert list(one.history) == list(other.history)


@pytest.mark.parametrize("kind", kinds(2))
@pytest.mark.parametrize("by_seed", [True, False])
def test_a_record_replays_to_the_same_state(kind: str, by_seed: bool) -> None:
    game = finished(kind, 1, by_seed)
    record = read(game.record(date="2024-05-01"))
    assert record.game.to_json() == game.to_json()
    assert record.game.state.key() == game.state.key()
    assert Game.from_record(game.record()).record() == game.record()
    assert verify(game.record()).ok


@pytest.mark.parametrize("kind", kinds(3))
def test_a_running_game_is_saved_with_everything_hidden(kind: str) -> None:
    rng = random.Random(kind)
    for game in moments(exact_game(options_of(kind), rng), rng, share=0.03):
        again = read(game.record(reveal=True)).game
        assert again.to_json() == game.to_json()


def without_chance(text: str) -> str:
    """The record without the tags that give its chance away."""
    return "".join(
        line for line in text.splitlines(keepends=True) if not line.startswith(tuple(f"[{t} " for t in HIDDEN))
    )


@pytest.mark.parametrize("kind", kinds(0))
def test_a_whole_game_replays_without_its_seed(kind: str) -> None:
    game = finished(kind, 2, by_seed=False)
    again = read(without_chance(game.record())).game
    assert actions_of(again.record()) == actions_of(game.record())
    assert list(again.history) == list(game.history)
    if game.status()["deck_left"] == 0:
        assert again.status() == game.status()
    assert {**again.status(), "display": []} == {**game.status(), "display": []}
    assert verify(without_chance(game.record())).ok


def known(game: Game) -> dict[str, Any]:
    """What a record without a seed does not contain of a running game: the current tile, and the display."""
    status = game.status()
    in_hand = status["phase"] == "place" or (status["phase"] == "act" and status["tile"] is not None)
    hidden = {"tile", "display"} | ({"phase", "ap", "seat"} if in_hand and not game.options.auction else set())
    if game.options.instant_scoring and not game.options.auction:
        hidden.add("scores")  # a volcano just drawn has scored
    return {name: value for name, value in status.items() if name not in hidden}


@pytest.mark.parametrize("kind", kinds(1))
def test_a_running_game_replays_from_public_information(kind: str) -> None:
    """In the middle of a volcano's scoring round, of an auction's round, of a leap, after dice: at any moment."""
    rng = random.Random(f"seen {kind}")
    phases = set()
    for game in moments(exact_game(options_of(kind), rng), rng, share=0.15):
        if game.over:
            break
        phases.add(game.phase)
        text = game.record()
        again = read(text).game
        assert actions_of(again.record()) == actions_of(text)
        shown = len(again.history)
        assert [step.action for step in again.history] == [step.action for step in game.history[:shown]]
        assert shown == len(game.history) or game.phase == "leap"
        if shown == len(game.history):
            mine, yours = known(game), known(again)
            assert {name: yours[name] for name in mine if name in yours} == {n: mine[n] for n in mine if n in yours}
        assert Game.from_json(again.to_json()).to_json() == again.to_json()
    assert phases >= ({"leap", "act", "bid"} if game.options.leaps else {"act", "place"})


def test_a_volcano_drawn_and_not_yet_placed_is_inferred() -> None:
    game = idle_until(new(players=3), lambda game: game.status()["tile"] == "B6")
    game.play("+W@a1", ".", "+W@a1")
    again = read(game.record()).game
    assert again.status() == game.status()
    assert again.view(1)["scoring"] == {"kind": "volcano", "order": [3, 1, 2], "place": 1}


def test_a_volcano_that_another_may_follow_is_inferred() -> None:
    """`taker_decides`: the taker decides only because another volcano is on display that is not taken yet."""
    deck = sudden_deck((16, "B6"), (17, "D5"))
    game = new(deck, players=4, auction=True, sudden_death=True, double_volcano="taker_decides")
    idle_until(game, lambda game: "K:B6" in game.legal())
    game.play("K:B6", "V:-")
    game.play(idle(game), ".")
    again = read(game.record()).game
    assert list(again.history) == list(game.history)
    assert again.view(1)["round_scored"] is False


def test_a_volcano_that_went_back_comes_up_again_in_a_record_without_a_seed() -> None:
    """`redraw`: the record names tiles when they are taken, so it does not show that one went back."""
    deck = sudden_deck((16, "B6"), (17, "D5"))
    deck.insert(20, "D5")
    game = new(deck, players=2, auction=True, sudden_death=True, double_volcano="redraw")
    idle_until(game, lambda game: game.over)
    text = without_chance(game.record())
    assert "K:D5" in text
    again = read(text).game
    assert list(again.history) == list(game.history)
    assert again.status()["scores"] == game.status()["scores"]
    assert len(set(again.chance.deck)) == len(again.chance.deck) == 36
    running = copy(game, len(game.history) // 2)
    assert actions_of(read(running.record()).game.record()) == actions_of(running.record())


def test_a_record_of_boulders_without_a_seed_has_the_dice_that_were_rolled() -> None:
    game = new(boulders="2d6", dice=[12, 2, 7])
    game.play("A1@b3^0", "+W@a1", "+W@a1", "W:a1-a2", "W:a1-a2", "X@a2", "X@a2", ".")
    again = read(game.record()).game
    assert again.chance.dice == (12, 2)
    same_for_all(again, game)


def test_an_empty_list_of_dice_can_be_written_and_read() -> None:
    game = new(boulders="2d6", dice=[])
    assert '[Dice ""]' in game.record(reveal=True)
    assert read(game.record(reveal=True)).game.chance == game.chance


# Tiles that left the game


@pytest.mark.parametrize(
    ("options", "marks"),
    [
        ({"players": 2}, ["1 G3@- .", "2 G4@- ."]),
        ({"players": 3}, ["2 G3@- .", "3 G4@- ."]),
        ({"players": 2, "auction": True}, ["1 K:G3 G3@- .", "2 K:G4 G4@- ."]),
        ({"players": 2, "auction": True, "leaps": True}, ["2 G3@-", "1 G4@-"]),
        ({"players": 4, "auction": True, "leaps": True}, ["1 G3@-", "2 G4@-"]),
    ],
)
def test_a_tile_that_fits_nowhere_is_in_the_record_with_its_seat(options: dict[str, Any], marks: list[str]) -> None:
    game = idle_until(sealed_game(**options), lambda game: game.over)
    lines = game.record().splitlines()
    assert [line for line in lines if "@-" in line] == marks
    assert game.view(1)["gone"] == ["G3", "G4"]
    for text in (game.record(), without_chance(game.record())):
        again = read(text).game
        assert again.status() == game.status()
        assert list(again.history) == list(game.history)
        assert verify(text).ok


@pytest.mark.parametrize("options", [{"players": 2}, {"players": 4, "auction": True, "leaps": True}])
def test_the_record_of_a_running_game_names_a_tile_at_once(options: dict[str, Any]) -> None:
    game = idle_until(sealed_game(**options), lambda game: bool(game.view(1)["gone"]))
    assert game.record().endswith("@-\n")
    same_for_all(read(game.record(reveal=True)).game, game)


def gone_record() -> str:
    return idle_until(sealed_game(players=2), lambda game: game.over).record()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("1 G3@- .", "1 .", r"line \d+: \.: G3@- of seat 1 must come before it"),
        ("1 G3@- .", "1 G4@- .", r"line \d+: G4@-: G3@- of seat 1 must come before it"),
        ("1 G3@- .", "2 G3@- .", r"line \d+: G3@-: G3@- of seat 1 must come before it"),
        ("1 G3@- .", "1 G3@- G3@- .", r"line \d+: G3@-: no tile leaves the game here"),
        ("2 G4@- .", "2 G4@- G9@- .", r"line \d+: G9@-: no action is written like that"),
        ("1 G1@", "1 G1@- G1@", r"line \d+: G1@-: no tile leaves the game here"),
    ],
)
def test_a_wrong_mark_is_caught(old: str, new: str, reason: str) -> None:
    text = gone_record()
    assert text.count(old) == 1
    with pytest.raises(RecordError, match=f"^{reason}"):
        read(text.replace(old, new))


def test_a_mark_that_is_missing_at_the_end_is_caught() -> None:
    game = idle_until(sealed_game(players=2), lambda game: bool(game.view(1)["gone"]))
    text = game.record(reveal=True)
    assert text.endswith("1 G3@-\n")
    with pytest.raises(RecordError, match=r"^record: G3@- is missing at its end: this tile left the game$"):
        read(text.removesuffix("1 G3@-\n"))
    assert game.history[-1].gone == (Gone(1, "G3"),)


# Tolerated and refused deviations


def test_comments_empty_lines_and_byte_order_marks_are_ignored() -> None:
    game = new()
    game.play("A1@b3^0", "+W@a1")
    text = "\ufeff# a game\n" + game.record().replace('"Tikal"]', '"Tikal"]  # the game', 1)
    text = text.replace("1 A1@b3^0", "# who begins?\n\n  1   A1@b3^0 # there\n1") + "\n\n# the end"
    assert list(read(text).game.history) == list(game.history)
    assert list(read(text.replace("\n", "\r\n")).game.history) == list(game.history)


def test_unknown_tags_are_kept() -> None:
    text = new().record().replace("[Result", '[Event "Spring" "Finals"]\n[Result')
    assert read(text).tags["Event"] == ["Spring", "Finals"]


def record(**changes: str | None) -> str:
    """A short record, with these tags changed, added or (None) left out."""
    game = Game.new(Options(), seed="42")
    game.play(game.legal()[0], "+W@a1")
    text = game.record(reveal=True)
    for tag, value in changes.items():
        line = f"[{tag} {value}]\n" if value is not None else ""
        text, found = re.subn(rf"^\[{tag} .*\]\n", line, text, flags=re.MULTILINE)
        text = text if found else text.replace("[Result", f"{line}[Result")
    return text


EXACT = ",".join(letter_deck())
KINDS_LIST = ",".join(map(str, ordered_treasures()))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", r'the tag \[Game "Tikal"\] is missing; is this a \.tikal file\?'),
        ("{}", r"line 1: must be a tag, or a seat from 1 to 4 and its actions, not '\{\}'"),
        (record(Game='"Chess"'), r'the tag \[Game "Tikal"\] is missing'),
        (record(Game=None), r'the tag \[Game "Tikal"\] is missing'),
        (record(Rules='"2"'), "was played by rules 2; this version has rules 1"),
        (record(Rules=None), "the tag Rules must have one value"),
        (record(Edition=None), "the tag Edition must have one value"),
        (record(Edition='"pirate"'), "edition=pirate: must be one of"),
        (record(Options=None), "the tag Options must have one value"),
        (record(Options='"players=2" "auction=true"'), "the tag Options must have one value"),
        (record(Options='"players=2 players=3"'), "Options must be KEY=VALUE, each key once, not 'players=3'"),
        (record(Options='"players"'), "Options must be KEY=VALUE, each key once, not 'players'"),
        (record(Options='"players=5"'), "players=5: must be one of 2, 3, 4"),
        (record(Options='"players=2 edition=classic"'), "Options must be KEY=VALUE, each key once"),
        (record(Seed='"a" "b"'), "the tag Seed must have one value"),
        (record(Seed='"two words"'), "seed: must be 1 to 200 printable ASCII"),
        (record(Deck=f'"{EXACT}"'), "has a Seed and Deck; one of them is enough"),
        (record(Dice='"7"'), "has a Seed and Dice; one of them is enough"),
        (record(Seed=None, Deck=f'"{EXACT}"'), "treasures: are missing; deck= and treasures= go together"),
        (record(Seed=None, Treasures=f'"{KINDS_LIST}"'), "deck: is missing; deck= and treasures= go together"),
        (record(Seed=None, Deck='"A1"', Treasures=f'"{KINDS_LIST}"'), "deck: 35 tiles are missing"),
        (record(Seed=None, Deck=f'"{EXACT}"', Treasures='"1,x"'), "Treasures must be numbers separated by commas"),
        (record(Nonces='"a/b"'), "nonce: must be"),
        (record(Seed=None, Nonces='"a/b"'), "nonce: must be"),
        (record() + "7 .\n", r"line \d+: must be a tag, or a seat from 1 to 4 and its actions, not '7'"),
        (record() + '[Date "today"]\n', r"line \d+: must be a tag, or a seat from 1 to 4"),
        (record().replace("[Result", '[Edition "classic"]\n[Result'), r"line \d+: the tag Edition occurs twice"),
        (record() + "2 .\n", r"line \d+: \.: it is not the turn of seat 2"),
        (record() + "1 X@a2\n", r"line \d+: X@a2: a member must be on a2 to take a level \[R5\]"),
        (record() + "1 hello\n", r"line \d+: hello: no action is written like that"),
        ("#" * 1_000_001, "longer than 1000000 characters"),
    ],
)  # fmt: skip
def test_other_text_is_refused_as_a_record_in_a_clear_line(text: str, reason: str) -> None:
    with pytest.raises(TikalError, match=reason) as caught:
        read(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1 A4@b3^0 +W@a1 W:a1-b2 W:b2-b3 D@b3", r"line 8: D@b3: without a seed, the record must give the outcome"),
        ("1 A4@b3^0 +W@a1 W:a1-b2 W:b2-b3 D@b3(9)", r"record: kind 9 can't be dug 1 times: there are kinds 1 to 8"),
        ("1 A4@b3^0 +W@a1 D@b3(1) D@b3(1) D@b3(1) D@b3(1)", r"record: kind 1 can't be dug 4 times"),
        ("1 A4@b3^0 +W@a1 D@a2(1)", r"line 8: D@a2: a2 is not a treasure tile"),
        ("1 A4@b3^0 +W@a1 D@b3(0)", r"line 8: D@b3\(0\): without a seed, the record must give"),
        ("1 G4@b3^0 +W@a1 .\n2 A1@a3^0", r"record: deck: A1 can't come after G4"),
        ("1 A9@b3^0", r"line 8: A9@b3\^0: no action is written like that"),
    ],
)
def test_errors_in_a_record_without_a_seed_are_found(line: str, reason: str) -> None:
    with pytest.raises(RecordError, match=f"^{reason}"):
        read(f"{new().record()}{line}\n")


@pytest.mark.parametrize(
    ("options", "line", "reason"),
    [
        ({"boulders": "2d6"}, "1 A1@b3^0 +W@a1 W:a1-a2 X@a2", "line 8: X@a2: without a seed, the record must give"),
        ({"boulders": "2d6"}, "1 A1@b3^0 +W@a1 W:a1-a2 X@a2(13)", "record: dice: every sum of 2d6 is from 2 to 12"),
        ({}, "1 A1@b3^0 +W@a1 W:a1-a2 X@a2(11)", r"line 8: X@a2\(11\): the value in brackets is not what chance gives"),
        ({"auction": True}, "1 B:-\n2 B:-\n1 K:G1 G1@b3^0 .\n2 K:A1", "record: deck: A2 can't come after G1"),
        (
            {"auction": True, "sudden_death": True},
            "1 B:-\n2 B:-\n1 K:B6",
            "record: deck: B6 can't be among the first 8",
        ),
    ],
)
def test_impossible_chance_in_a_record_without_a_seed_is_caught(
    options: dict[str, Any], line: str, reason: str
) -> None:
    text = new(
        dice=[7] if "boulders" in options else None,
        deck=sudden_deck() if "sudden_death" in options else None,
        **options,
    ).record()
    with pytest.raises(RecordError, match=f"^{reason}"):
        read(f"{text}{line}\n")


def test_where_no_volcano_can_be_yet_there_is_one_way_to_fill_a_record() -> None:
    game = new(sudden_deck(), players=2, auction=True, sudden_death=True)
    with pytest.raises(RecordError, match=r"^line 8: K:A1: an auction is on"):
        read(game.record() + "1 K:A1\n")


def test_of_two_ways_to_complete_a_record_the_closer_one_reports_the_error() -> None:
    """In the middle of a scoring round the other way fails at its first action; that is not the error."""
    game = idle_until(new(players=2), lambda game: game.status()["tile"] == "B6")
    game.play("+W@a1")
    with pytest.raises(RecordError, match=r": X@h5: h5 is not a temple"):
        read(game.record().rstrip("\n") + " X@h5\n")


# Verifying


def seeded() -> str:
    return finished("boulders").record(["Ann", "Bob", "Eve"])


def checks(text: str) -> list[tuple[bool, str]]:
    result = verify(text)
    assert isinstance(result, Verification)
    assert result.ok == all(check.ok for check in result.checks)
    return [(check.ok, check.text) for check in result.checks]


def test_a_true_record_verifies() -> None:
    game = finished("boulders")
    assert checks(seeded()) == [
        (True, f"rules 1; {len(game.history)} actions replay, all legal"),
        (True, "result: " + " ".join(map(str, game.status()["scores"]))),
        (True, "shuffle: deck, treasures and dice come from the seed"),
        (True, "commitment: matches the seed"),
    ]


def test_unchecked_claims_are_reported() -> None:
    text = re.sub(r"\[Commitment .*\]\n", "", seeded())
    assert checks(text)[3] == (True, "commitment: the record has none, so the seed may have been chosen afterwards")
    assert checks(without_chance(seeded()))[2:] == [
        (True, "shuffle: the record has no seed, so the shuffle can't be checked"),
        (True, "commitment: can't be checked without the seed"),
    ]
    assert checks(without_chance(text))[2:] == [
        (True, "shuffle: the record has no seed, so the shuffle can't be checked")
    ]
    running = Game.new(Options(), seed="1", nonces=("a", "b"))
    assert checks(running.record(reveal=True))[1:3] == [
        (True, "result: the game is not over"),
        (True, "shuffle: deck, treasures and dice come from the seed and the nonces"),
    ]


def swap_seats(text: str) -> str:
    """Seats 1 and 2 change their actions."""
    head, _, body = text.partition("\n\n")
    return f"{head}\n\n" + re.sub(r"^([12]) ", lambda found: f"{3 - int(found[1])} ", body, flags=re.MULTILINE)


def change_last(pattern: str, value: str) -> Callable[[str], str]:
    """Changes the last match of a pattern in a record."""

    def changed(text: str) -> str:
        found = list(re.finditer(pattern, text))[-1]
        return text[: found.start()] + value + text[found.end() :]

    return changed


TAMPERED: dict[str, tuple[Callable[[str], str], str]] = {
    "seed": (change_last(r'\[Seed "', '[Seed "x'), r"line \d+: .+"),
    "commitment": (
        change_last(r'\[Commitment "..', '[Commitment "zz'),
        "commitment: does NOT match the seed; the seed was changed",
    ),
    "two commitments": (
        change_last(r'\[Commitment "', '[Commitment "" "'),
        "commitment: does NOT match the seed; the seed was changed",
    ),
    "result": (
        change_last(r'\[Result "\d+', '[Result "99'),
        r'result: the record says "99 .*", the actions give "\d.*"',
    ),
    "two results": (
        change_last(r'\[Result "', '[Result "*" "'),
        r'result: the record says "\* .*", the actions give "\d.*"',
    ),
    "no result": (
        change_last(r"\[Result .*\]\n", ""),
        r'result: the record says "\*", the actions give "\d.*"',
    ),
    "a dig elsewhere": (change_last(r"D@(..)\(\d\)", "D@a1(1)"), r"line \d+: D@a1: .+ \[rules 4\]"),
    "another kind": (
        change_last(r"\(\d+\)", "(1)"),
        r"line \d+: .+\(1\): the value in brackets is not what chance gives here",
    ),
    "more actions": (change_last(r" \+W@a1", " +W@a1" * 11), r"line \d+: \+W@a1: .+ \[rules 4\]"),
    "a tile elsewhere": (change_last(r"[A-G]\d@..\^\d", "A1@a1^0"), r"line \d+: A1@a1\^0: .+ \[rules 3.1\]"),
    "seats": (swap_seats, r"line \d+: .+: it is not the turn of seat 2"),
    "no last line": (
        change_last(r"\n\d [^\n]*\n$", "\n"),
        r'result: the record says ".*", the actions give "\*"',
    ),
    "players": (change_last(r"players=3", "players=4"), r"line \d+: .+: it is not the turn of seat 1"),
    "an option": (change_last(r" boulders=2d6", ""), r"line \d+: .+: the value in brackets is not what chance .+"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_record_that_was_changed_is_caught_with_a_clear_line(what: str) -> None:
    tamper, line = TAMPERED[what]
    text = tamper(seeded())
    assert text != seeded()
    result = verify(text)
    assert not result.ok
    wrong = [check.text for check in result.checks if not check.ok]
    assert len(wrong) == 1
    assert re.fullmatch(line, wrong[0]), wrong


def test_a_file_that_is_not_a_record_is_an_error() -> None:
    with pytest.raises(RecordError, match=r"is this a \.tikal file"):
        verify("")


def test_any_single_change_of_an_action_is_caught_or_makes_another_legal_game() -> None:
    """With the seed in it, a changed action leads to another result, an illegal action, or the same state."""
    rng = random.Random(11)
    game = finished("auction")
    text = game.record()
    head, _, body = text.partition("\n\n")
    words = body.split(" ")
    caught = 0
    for _ in range(scaled(150)):
        at = rng.randrange(1, len(words))
        other = rng.choice([step.action for step in game.history])
        changed = " ".join([*words[:at], other, *words[at + 1 :]])
        if changed == body or "\n" in words[at]:
            continue
        result = verify(f"{head}\n\n{changed}")
        caught += not result.ok
        if result.ok:
            assert read(f"{head}\n\n{changed}").game.status()["scores"] == game.status()["scores"]
    assert caught > scaled(60)


# Fuzzing


@pytest.mark.parametrize("reading", [read, verify])
def test_corrupted_records_raise_only_our_errors(reading: Callable[[str], object]) -> None:
    texts = [finished(kind, 3).record() for kind in ("basic", "leaps with all", "redraw of three")]
    texts += [without_chance(text) for text in texts] + [gone_record()]
    for seed in range(scaled(150)):
        rng = random.Random(seed)
        text = rng.choice(texts)
        for _ in range(rng.choice((1, 2, 5))):
            at = rng.randrange(len(text))
            until = at + rng.choice((0, 1, 2, 40))
            text = (
                text[:at] + rng.choice(("", "1", "\n", '"', " ", "]", "[", "#", "J:3", "\x00", "é", "=")) + text[until:]
            )
        try:
            reading(text)
        except TikalError as error:
            said = str(error)
        else:
            said = "fine"
        assert said and "\n" not in said


@given(st.text())
def test_any_text_raises_nothing_but_our_errors(text: str) -> None:
    for each in (text, '[Game "Tikal"]\n' + text, record() + text, new().record() + text):
        try:
            read(each)
        except TikalError as error:
            said = str(error)
        else:
            said = "fine"
        assert len(said.splitlines()) == 1
