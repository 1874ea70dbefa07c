"""The protocol: every command, every error code, and an unchanged state after every error."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.engine.talk import CODES, Talk
from tests.kit.deals import letter_deck, ordered_treasures
from tests.kit.games import choose, exact_game, finished, idle, idle_until, kinds, moments, options_of, sudden_deck
from tests.kit.hidden import lookalike
from tikal import __version__
from tikal.engine import protocol
from tikal.engine.protocol import Engine, reply
from tikal.play import Game, notation
from tikal.play.position import Position
from tikal.rules.options import VALUES, Options
from tikal.rules.tree import perft

DECK = ",".join(letter_deck())
TREASURES = ",".join(map(str, ordered_treasures()))
EXACT = f"deck={DECK} treasures={TREASURES}"
START = f"newgame players=2 {EXACT}"
LEVEL = "tourist"


def talk_of(game: Game) -> Talk:
    """A conversation with this game."""
    return Talk(f"load {json.dumps(game.to_json())}")


# info


def test_info_names_the_engine_its_options_and_its_levels() -> None:
    lines = Talk().good("info")
    assert lines[0] == f"id tikal {__version__}"
    options = {line.split()[1]: line.split()[2:] for line in lines if line.startswith("option ")}
    assert options == {
        "players": ["2", "3", "4"],
        "edition": ["super-meeple", "rio-grande", "rio-grande-fr", "rio-grande-zh", "classic"],
        "camp_needs_member": ["true", "false"],
        "tie_break": ["guard_then_treasures", "shared"],
        "volcano_may_seal": ["true", "false"],
        "final_start": ["next_player", "after_last_volcano"],
        "board": ["original", "classic"],
        "members_work_once": ["false", "true"],
        "leader_may_guard": ["true", "false"],
        "auction": ["false", "true"],
        "instant_scoring": ["false", "true"],
        "obstacles": ["false", "true"],
        "machine_gun": ["false", "true"],
        "sudden_death": ["false", "true"],
        "leaps": ["false", "true"],
        "boulders": ["false", "3d6", "1d20", "2d6"],
        "double_volcano": ["score_all", "redraw", "taker_decides"],
    }
    levels = [line.split()[1] for line in lines if line.startswith("level ")]
    assert LEVEL in levels
    assert len(lines) == 1 + len(options) + len(levels)


def test_the_first_value_of_each_option_is_the_default() -> None:
    plain = Options().as_dict()
    for line in Talk().good("info"):
        if line.startswith("option "):
            _, name, default, *_ = line.split()
            assert str(plain[name]).lower() == default


# newgame


def test_newgame_without_anything_is_a_game_for_two() -> None:
    talk = Talk("newgame")
    assert talk.json("status")["scores"] == [0, 0]
    assert len(talk.json("state")["seed"]) == 64


@pytest.mark.parametrize("name", list(VALUES))
def test_newgame_takes_every_value_of_every_option(name: str) -> None:
    needed = {"sudden_death": "auction=true", "leaps": "auction=true"}
    for value in VALUES[name]:
        text = str(value).lower()
        talk = Talk(f"newgame {name}={text} seed=1 {needed.get(name, '')}")
        assert talk.json("state")["options"][name] == value


def test_boulders_true_means_three_dice() -> None:
    assert Talk("newgame boulders=true seed=1").json("state")["options"]["boulders"] == "3d6"


def test_an_edition_sets_five_options_each_of_which_can_be_given() -> None:
    options = Talk("newgame edition=rio-grande camp_needs_member=true").json("state")["options"]
    assert (options["camp_needs_member"], options["tie_break"], options["volcano_may_seal"]) == (True, "shared", True)
    options = Talk("newgame edition=classic").json("state")["options"]
    assert (options["volcano_may_seal"], options["board"]) == (False, "classic")


def test_newgame_takes_exact_chance() -> None:
    talk = Talk(f"newgame players=3 boulders=2d6 {EXACT} dice=2,12,7")
    state = talk.json("state")
    assert (state["deck"], state["treasures"], state["dice"]) == (letter_deck(), ordered_treasures(), [2, 12, 7])
    assert state["seed"] is None
    assert talk.json("status")["tile"] == "A1"


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        ("players=5", "players", "players=5: must be one of 2, 3, 4"),
        ("players=", "players", "players=: must be one of 2, 3, 4"),
        ("players=two", "players", "players=two: must be one of 2, 3, 4"),
        ("colour=red", "option", "colour: no such option; there are players, edition"),
        ("auction=yes", "option", "auction=yes: must be one of false, true"),
        ("auction=True", "option", "auction=True: must be one of false, true"),
        ("edition=legend", "option", "edition=legend: must be one of super-meeple"),
        ("boulders=4d6", "option", "boulders=4d6: must be one of false, 3d6, 1d20, 2d6"),
        ("players=2 players=2", "option", "players: is given twice"),
        ("seed=1 seed=2", "option", "seed: is given twice"),
        ("deck=A1 deck=A1", "option", "deck: is given twice"),
        ("sudden_death=true", "option", "sudden_death needs auction=true"),
        ("leaps=true", "option", "leaps needs auction=true"),
        ("leaps=true auction=true sudden_death=true", "option", "leaps and sudden_death exclude each other"),
        ("leaps=true auction=true instant_scoring=true", "option", "leaps and instant_scoring exclude each other"),
        ("players", "usage", "'players': must be KEY=VALUE, such as: newgame players=2"),
        ("=2", "usage", "'=2': must be KEY=VALUE"),
        ("seed=", "option", "seed: must be 1 to 200 printable ASCII characters"),
        ('seed="1"', "option", "seed: must be 1 to 200 printable ASCII characters"),
        (f"seed=1 {EXACT}", "option", "seed: can't be combined with deck, treasures and dice"),
        (f"deck={DECK}", "treasures", "treasures: are missing; deck= and treasures= go together"),
        (f"treasures={TREASURES}", "deck", "deck: is missing; deck= and treasures= go together"),
        ("dice=7", "deck", "deck: is missing"),
        (f"deck=A1,A2 treasures={TREASURES}", "deck", "deck: 34 tiles are missing, the first is A3"),
        (f"deck= treasures={TREASURES}", "deck", "deck: no tile is called ''"),
        (f"deck={DECK},A1 treasures={TREASURES}", "deck", "deck: A1 occurs 2 times"),
        (f"deck={DECK} treasures=1,2,3", "treasures", "treasures: must be 24 kinds, 3 of each from 1 to 8"),
        (f"deck={DECK} treasures=1,,3", "treasures", "treasures: must be numbers separated by commas, without spaces"),
        (f"deck={DECK} treasures=", "treasures", "treasures: must be numbers separated by commas"),
        (f"deck={DECK} treasures=١", "treasures", "treasures: must be numbers separated by commas"),
        (f"{EXACT} dice=7", "dice", "dice: only the variant boulders rolls dice"),
        (f"boulders=2d6 {EXACT}", "dice", "dice: are missing; boulders needs their sums"),
        (f"boulders=2d6 {EXACT} dice=13", "dice", "dice: every sum of 2d6 is from 2 to 12"),
        (f"boulders=2d6 {EXACT} dice=-7", "dice", "dice: must be numbers separated by commas"),
        (f"boulders=2d6 {EXACT} dice={'7,' * 48}7", "dice", "dice: 49 sums are too many; 48 always suffice"),
    ],
)  # fmt: skip
def test_a_failed_newgame_keeps_the_old_game(words: str, code: str, text: str) -> None:
    talk = Talk(START, "play A1@b3^0 +W@a1")
    said = talk.bad(f"newgame {words}")
    assert said[0] == code
    assert said[1].startswith(text)
    assert talk.json("status")["workers"] == [{"a1": 1}, {}]


def test_the_same_seed_is_the_same_game() -> None:
    assert Talk("newgame seed=42").json("state") == Talk("newgame seed=42").json("state")
    assert Talk("newgame seed=42").json("state") != Talk("newgame seed=43").json("state")


def test_words_may_be_separated_by_any_white_space() -> None:
    talk = Talk("  newgame\tplayers=3   seed=1  ")
    assert len(talk.json("status")["scores"]) == 3
    talk.good("legal \r\n")


# legal and play


@pytest.mark.parametrize("kind", kinds(2))
def test_legal_is_one_line_in_ascii_order_separated_by_single_spaces(kind: str) -> None:
    rng = random.Random(kind)
    for game in moments(exact_game(options_of(kind), rng), rng, share=0.02):
        (line,) = talk_of(game).good("legal")
        assert line.split(" ") == (game.legal() or [""])
        assert line.split() == sorted(line.split(), key=lambda action: action.encode("ascii"))


def test_when_over_legal_is_an_empty_line() -> None:
    talk = talk_of(finished("basic"))
    assert talk.ask("legal") == ["", "ok"]
    assert talk.json("status")["phase"] == "over"
    assert talk.bad("play .") == ("illegal", ".: the game is over [rules 3]")


def test_play_plays_all_or_none_and_names_the_first_that_is_illegal() -> None:
    talk = Talk(START)
    assert talk.bad("play A1@b3^0 +W@a1 W:a1-c5 X@h5")[1].startswith("W:a1-c5: a1 and c5 are not neighbours [rules 4]")
    assert talk.bad("play A1@b3^0 what")[0] == "illegal"
    talk.good("play A1@b3^0 +W@a1")
    assert talk.json("status")["ap"] == 9


def test_play_takes_the_forms_of_records() -> None:
    deck = ",".join(letter_deck(last=("A1", "A2", "A3", "A6")))
    talk = Talk(f"newgame deck={deck} treasures={TREASURES}", "play A4@b3^0 +W@a1 W:a1-b2 W:b2-b3")
    for wrong in (2, 3, 8):
        said = talk.bad(f"play D@b3({wrong})")
        assert said == ("illegal", f"D@b3({wrong}): the value in brackets is not what chance gives here")
    talk.good("play D@b3(1)")
    assert talk.json("status")["treasures"][0] == [1, 0, 0, 0, 0, 0, 0, 0]


def test_a_rotation_other_than_the_smallest_is_illegal() -> None:
    """A temple of 3 0 0 0 0 0 has six; a jungle of 1 0 1 0 1 0 has two; a volcano one."""
    game = idle_until(Game.from_json(Talk(START).json("state")), lambda game: game.status()["tile"] == "D4")
    talk = talk_of(game)
    place = game.legal()[0]
    assert place.endswith("^0")
    assert talk.bad(f"play {place[:-1]}2") == (
        "illegal", f"{place[:-1]}2: rotation 2 looks the same as 0: use the smallest [rules 3.1]",
    )  # fmt: skip


def test_dice_that_run_out_answer_err_dice() -> None:
    talk = Talk(f"newgame boulders=2d6 {EXACT} dice=12", "play A1@b3^0 +W@a1 +W@a1 W:a1-a2 W:a1-a2 X@a2")
    assert "X@a2" in talk.good("legal")[0].split()
    assert talk.bad("play X@a2") == ("dice", "dice: all 1 given sums are used up")
    assert talk.bad("play +W@a1 X@a2")[0] == "illegal"  # there is 1 AP left then
    assert talk.bad("perft 1") == ("dice", "dice: 0 sums are left, perft 1 may need 1")
    assert talk.good("perft 0") == ["total 1"]


# status, view, state, load, record, undo


@pytest.mark.parametrize("kind", kinds(3))
def test_status_view_state_and_record_are_those_of_the_game(kind: str) -> None:
    rng = random.Random(f"say {kind}")
    for game in moments(exact_game(options_of(kind), rng), rng, share=0.02):
        talk = talk_of(game)
        assert talk.json("status") == game.status()
        assert talk.json("state") == game.to_json()
        assert "\n".join(talk.good("record")) + "\n" == game.record()
        for seat in range(1, game.options.players + 1):
            assert talk.json(f"view {seat}") == game.view(seat)


def test_json_is_one_line_of_ascii() -> None:
    talk = Talk(START)
    for command in ("status", "state", "view 1"):
        (line,) = talk.good(command)
        assert line.isascii() and " " not in line.replace('", "', "")


@pytest.mark.parametrize("kind", kinds(0))
def test_after_load_undo_and_record_go_on_as_before(kind: str) -> None:
    game = finished(kind)
    one = talk_of(game)
    other = Talk(f"load {one.good('state')[0]}")
    for back in (1, 7, 30):
        one.good(f"undo {back}")
        other.good(f"undo {back}")
        assert one.snapshot() == other.snapshot()


def test_undo_takes_back_whatever_was_revealed() -> None:
    deck = ",".join(letter_deck(last=("A1", "A2", "A3", "A6")))
    talk = Talk(f"newgame deck={deck} treasures={TREASURES}")
    fresh = talk.snapshot()
    talk.good("play A4@b3^0 +W@a1 W:a1-b2 W:b2-b3 D@b3 . A5@a3^0")
    talk.good("undo 3")
    assert talk.json("status")["tokens"] == {"b3": 4}
    talk.good("undo 4")
    assert talk.snapshot() == fresh


@pytest.mark.parametrize(
    ("command", "code", "text"),
    [
        ("undo", "usage", "undo needs a number from 1"),
        ("undo 0", "usage", "undo needs a number from 1"),
        ("undo -1", "usage", "undo needs a number from 1"),
        ("undo one", "usage", "undo needs a number from 1"),
        ("undo 1 1", "usage", "undo needs a number from 1"),
        ("undo ١", "usage", "undo needs a number from 1"),
        ("undo 99999999999999", "usage", "undo needs a number from 1"),
        ("undo 3", "undo", "can't take back 3 actions: must be from 1 to 2"),
        ("play", "usage", "play needs actions, such as: play A5@b3^0 +L@a1"),
        ("info now", "usage", "info takes no arguments"),
        ("legal all", "usage", "legal takes no arguments"),
        ("status 1", "usage", "status takes no arguments"),
        ("state 1", "usage", "state takes no arguments"),
        ("record it", "usage", "record takes no arguments"),
        ("quit now", "usage", "quit takes no arguments"),
        ("view", "usage", "view needs a seat from 1 to 2"),
        ("view 0", "usage", "view needs a seat from 1 to 2"),
        ("view 3", "usage", "view needs a seat from 1 to 2"),
        ("view one", "usage", "view needs a seat from 1 to 2"),
        ("view 01", "usage", "view needs a seat from 1 to 2"),
        ("perft", "usage", "perft needs a number from 0 to 64"),
        ("perft -1", "usage", "perft needs a number from 0 to 64"),
        ("perft 65", "usage", "perft needs a number from 0 to 64"),
        ("perft two", "usage", "perft needs a number from 0 to 64"),
        ("load", "usage", "load needs one line of JSON"),
        ("load {", "load", "load: this is not JSON"),
        ("load {}", "load", "state: not an output of `state`"),
        ("load null", "load", "state: not an output of `state`"),
        (f"load {'[' * 100_000}", "load", "load: this is not JSON"),
        (f"load {'[' * 900}{']' * 900}", "load", "state: not an output of `state`"),
        (f"load {'9' * 5000}", "load", "load: this is not JSON"),
        ("position", "usage", "position needs one line of JSON"),
        ("position nonsense", "load", "position: this is not JSON"),
        ("position {}", "load", "view: not an output of `view`"),
        ("position NaN", "load", "view: not an output of `view`"),
        ("best", "option", "level=: must be one of tourist"),
        ("best level=grandmaster", "option", "level=grandmaster: must be one of tourist"),
        (f"best level={LEVEL} level={LEVEL}", "option", "level: is given twice"),
        (f"best {LEVEL}", "usage", f"'{LEVEL}': must be KEY=VALUE, such as: best level="),
        ("dance", "unknown", "no command 'dance'; there are info newgame legal play status"),
        ("LEGAL", "unknown", "no command 'LEGAL'"),
        ("legal;quit", "unknown", "no command 'legal;quit'"),
        ("__init__", "unknown", "no command '__init__'"),
        ("x" * 100_000, "unknown", f"no command '{'x' * 40}…'"),
    ],
)  # fmt: skip
def test_wrong_commands_are_refused_and_change_nothing(command: str, code: str, text: str) -> None:
    talk = Talk(START, "play A1@b3^0 +W@a1")
    said = talk.bad(command)
    assert said[0] == code
    assert said[1].startswith(text)


@pytest.mark.parametrize(
    "command", ["legal", "play .", "status", "state", "view 1", "undo 1", f"best level={LEVEL}", "perft 1", "record"]
)
def test_commands_about_a_game_need_one(command: str) -> None:
    assert Talk().bad(command) == ("nogame", "no game is on; start one with newgame")


def test_empty_lines_are_ignored_without_an_answer() -> None:
    engine = Engine()
    assert [list(reply(engine, line)) for line in ("", " ", "\t", "\r\n", "\u2028")] == [[]] * 5


def test_every_code_of_the_notation_occurs() -> None:
    talk = Talk(f"newgame boulders=2d6 {EXACT} dice=12", "play A1@b3^0 +W@a1 +W@a1 W:a1-a2 W:a1-a2 X@a2")
    lines = [
        "play A1@b3^0", "undo", "dance", "newgame colour=red", "newgame players=9", "newgame deck=A1 treasures=1",
        f"newgame deck={DECK} treasures=1", "play X@a2", "undo 99", "load 1",
    ]  # fmt: skip
    assert {talk.bad(line)[0] for line in lines} | {Talk().bad("legal")[0]} == CODES


def test_a_long_word_is_not_repeated_in_full() -> None:
    talk = Talk(START)
    long = "y" * 1_000_000
    for line in (f"newgame {long}=1", f"newgame seed={long}", f"newgame board={long}", f"play {long}", long,
                 f"newgame deck={long} treasures={TREASURES}", f"best level={long}", f'load "{long}"'):  # fmt: skip
        talk.bad(line)


def test_an_error_stays_in_one_line() -> None:
    talk = Talk(START)
    for text in ("a\nb", "a\r\nb", "a\u2028b", "a\x0bb"):
        assert talk.bad("load " + json.dumps({"format": 1, "rules": 1, "options": {text: 1}}))[0] == "load"


# position


@pytest.mark.parametrize("kind", kinds(1))
def test_in_a_position_only_some_commands_answer(kind: str) -> None:
    rng = random.Random(f"position {kind}")
    for game in moments(exact_game(options_of(kind), rng), rng, share=0.01):
        seen = json.dumps(game.view(game.seat))
        talk = Talk("newgame seed=1", f"position {seen}")
        assert talk.good("legal")[0].split() == game.legal()
        assert talk.json("status") == game.status()
        assert talk.good("info")
        for command in ("play .", "state", "view 1", "undo 1", "perft 1", "record"):
            assert talk.bad(command) == ("nogame", "only a position is set; start one with newgame")


def test_best_answers_in_a_position_and_its_actions_are_legal_in_the_game() -> None:
    game = Game.from_json(Talk(START).json("state"))
    talk = Talk(f"position {json.dumps(game.view(1))}")
    (line,) = talk.good(f"best level={LEVEL} nodes=500 seed=3")
    game.play(*line.split())
    assert game.history


def test_a_new_game_and_a_load_end_a_position() -> None:
    view = json.dumps(Talk(START).json("view 1"))
    other = Talk("newgame players=4 seed=1")
    for line in ("newgame players=4 seed=1", f"load {json.dumps(other.json('state'))}"):
        talk = Talk(f"position {view}", line)
        assert talk.snapshot() == other.snapshot()


def test_a_refused_position_keeps_the_game_and_a_refused_game_keeps_the_position() -> None:
    talk = Talk(START)
    talk.bad("position {}")
    talk.good("record")
    view = json.dumps(talk.json("view 1"))
    talk.good(f"position {view}")
    talk.bad("newgame players=9")
    talk.bad("load {}")
    assert talk.good("legal")
    assert talk.bad("record")[0] == "nogame"


# best


def test_best_is_the_same_for_the_same_nodes_and_seed() -> None:
    talk = Talk("newgame players=2 seed=42")
    for _ in range(6):
        answers = {talk.good(f"best level={LEVEL} nodes=300 seed=5")[0] for _ in range(2)}
        (line,) = answers
        assert line
        talk.good(f"play {line}")


def test_best_changes_nothing() -> None:
    talk = Talk("newgame players=2 auction=true leaps=true seed=42")
    before = talk.snapshot()
    talk.good(f"best level={LEVEL} nodes=300 seed=1")
    assert talk.snapshot() == before


def test_best_does_not_get_hidden_information(monkeypatch: pytest.MonkeyPatch) -> None:
    """It gets the same position for games that look the same to the seat."""
    given: list[dict[str, Any]] = []

    def best(here: Position, _settings: object) -> list[str]:
        given.append(here.state.export())
        return ["."]

    monkeypatch.setattr("tikal.bots.best", best)
    rng = random.Random(1)
    game = exact_game(options_of("leaps with all"), rng)
    while not game.over:
        if rng.random() < (0.2 if game.phase == "leap" else 0.02):
            for each in (game, lookalike(game, game.seat, rng)):
                talk_of(each).good(f"best level={LEVEL}")
            assert given[-1] == given[-2]
        game.play(choose(game, rng))
    assert len(given) > 20


# perft


@pytest.mark.parametrize("kind", kinds(2))
def test_perft_counts_as_the_tree_does(kind: str) -> None:
    rng = random.Random(f"perft {kind}")
    for game in moments(exact_game(options_of(kind), rng), rng, share=0.01):
        talk = talk_of(game)
        assert talk.good("perft 0") == ["total 1"]
        for depth in (1, 2):
            *lines, total = talk.good(f"perft {depth}")
            assert [line.split()[0] for line in lines] == game.legal()
            for line in lines:
                action, count = line.split()
                child = game.state.clone()
                child.apply(notation.parse(action))
                assert int(count) == perft(child, depth - 1)
            assert total == f"total {perft(game.state, depth)}"
            counts = [int(line.split()[1]) for line in lines]
            assert sum(counts) == perft(game.state, depth) or game.over


def test_a_finished_game_counts_as_one_sequence() -> None:
    game = idle_until(Game.new(Options(), seed="1"), lambda game: game.over)
    talk = talk_of(game)
    assert talk.good("perft 3") == ["total 1"]
    talk.good("undo 1")
    *lines, total = talk.good("perft 3")
    assert ". 1" in lines
    assert total == f"total {sum(int(line.split()[1]) for line in lines)}"


def test_perft_looks_ahead_only_as_far_as_the_dice() -> None:
    talk = Talk(f"newgame boulders=2d6 {EXACT} dice=12,12")
    assert talk.good("perft 2")[-1].startswith("total ")
    assert talk.bad("perft 3") == ("dice", "dice: 2 sums are left, perft 3 may need 3")
    full = Talk("newgame boulders=2d6 seed=1")
    assert full.good("perft 3")[-1].startswith("total ")


# A given deal is the one that is played


def test_a_game_of_sudden_death_can_be_given_and_played_to_its_end() -> None:
    deck = ",".join(sudden_deck((24, "B6"), (25, "D5"), (26, "F5")))
    talk = Talk(f"newgame players=4 auction=true sudden_death=true deck={deck} treasures={TREASURES}")
    game = Game.from_json(talk.json("state"))
    while not game.over:
        action = idle(game)
        game.play(action)
        talk.good(f"play {action}")
    assert talk.json("status") == game.status()
    assert talk.json("status")["winners"] is not None


def test_an_error_of_ours_does_not_end_the_conversation(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise ZeroDivisionError("two\nlines")

    monkeypatch.setattr(protocol, "status", broken)
    engine = Engine()
    assert list(reply(engine, "newgame seed=1")) == ["ok"]
    said = "err usage: internal error, please report it (ZeroDivisionError: two lines)"
    assert list(reply(engine, "status")) == [said]
    assert list(reply(engine, "record"))[-1] == "ok"
