"""Bots on the command line: the list, the test, analyses, and games against them."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bots.samples import PHASES, by_phase
from tests.kit.commands import Run, lines_of, random_game
from tests.kit.terminal import Terminal, kept
from tikal.bots import LEVELS, make
from tikal.bots.bot import table
from tikal.cli.main import COMMANDS
from tikal.cli.opponent import bots_given, named
from tikal.cli.welcome import Answers, welcome
from tikal.play import Game, records

BAD = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    print({"info": "level bad\\nok", "best": ANSWER + "\\nok"}.get(word, "ok"), flush=True)
"""


@pytest.fixture
def bad(tmp_path: Path) -> str:
    """The spec of a program whose answers are illegal."""
    path = tmp_path / "bad.py"
    path.write_text(BAD.replace("ANSWER", "'X@h5'"))
    return f"program:{shlex.quote(sys.executable)} {shlex.quote(str(path))}"


# tikal bots


def test_the_list_has_every_level_with_its_sentence(tikal: Run) -> None:
    answer = tikal("bots")
    assert (answer.code, answer.err) == (0, "")
    for name in LEVELS:
        assert f"  {name} " in answer.out
        assert table()[name]["sentence"] in answer.out
    assert "width=" in answer.out
    assert "none installed" in answer.out
    assert "program:COMMAND" in answer.out


@pytest.mark.long  # test_conformance has every level, in two kinds of games
def test_a_bot_that_conforms(tikal: Run) -> None:
    answer = tikal("bots", "--check", "tourist", "--seed", "3")
    assert (answer.code, answer.err) == (0, "")
    assert "ok  game: leaps" in answer.out
    assert "NO " not in answer.out
    assert answer.out.splitlines()[-1].startswith("tourist conforms")


def test_a_bot_that_does_not(tikal: Run, bad: str) -> None:
    answer = tikal("bots", "--check", bad)
    assert answer.code == 1
    assert "NO  game: two: an illegal action" in answer.out
    assert "ok  close" in answer.out
    assert "does NOT conform" in answer.out.splitlines()[-1]


def test_an_impossible_bot_is_an_input_error(tikal: Run) -> None:
    answer = tikal("bots", "--check", "wizard")
    assert (answer.code, answer.out) == (2, "")
    assert answer.complaint.startswith("wizard: no such bot")


@pytest.mark.parametrize("name", ["bots", "analyse"])
def test_the_new_commands_have_help_with_examples(tikal: Run, name: str) -> None:
    assert name in [command.name for command in COMMANDS]
    answer = tikal(name, "--help")
    assert (answer.code, answer.err) == (0, "")
    assert f"tikal {name}" in answer.out.partition("examples:")[2]


# tikal analyse


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.tikal"
    path.write_text(random_game("players=3", seed=6).record(["Ann", "Bob", "bot:digger"]))
    return path


def test_an_analysis_as_tables(tikal: Run, record: Path) -> None:
    answer = tikal("analyse", record, "--at", "30", "--level", "surveyor:width=4")
    assert (answer.code, answer.err) == (0, "")
    game = Game.from_record(record.read_text())
    game.undo(len(game.history) - 30)
    assert f"after 30 of {len(Game.from_record(record.read_text()).history)} actions: {game.seat} " in answer.out
    for word in ("Ann", "Bob", "Digger", "temples", "treasures", "reach", "%"):
        assert word in answer.out


@pytest.mark.parametrize("phase", PHASES)
def test_an_analysis_as_json(tikal: Run, tmp_path: Path, phase: str) -> None:
    game = by_phase(phase)[0]
    path = tmp_path / "game.tikal"
    path.write_text(game.record(reveal=True))
    answer = tikal("analyse", path, "--level", "surveyor", "--nodes", "500", "--json", "--seed", "2")
    assert (answer.code, answer.err) == (0, "")
    [line] = answer.out.splitlines()
    told = json.loads(line)
    assert (told["phase"], told["seat"], told["level"]) == (phase, game.seat, "surveyor:nodes=500")
    game.foresee(told["turns"][0]["actions"][: told["turns"][0]["sure"]])
    assert tikal("analyse", path, "--level", "surveyor", "--nodes", "500", "--json", "--seed", "2") == answer


def test_a_budget_joins_the_parameters(tikal: Run, record: Path) -> None:
    answer = tikal("analyse", record, "--at", "9", "--level", "surveyor:width=9", "--time", "50", "--json")
    assert json.loads(answer.out)["level"] == "surveyor:width=9,time=50"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "the game is over at this point; use --at N with N from 0 to "),
        (["--at", "100000"], "100000: this record has actions 0 to "),
        (["--at", "3", "--level", "wizard"], "wizard: no such level"),
        (["--at", "3", "--nodes", "0"], "nodes=0 must be a number from 1"),
        (["--at", "3", "--time", "long"], "time=long must be a number from 1"),
        (["--at", "3", "--time", "5", "--nodes", "5"], "not allowed with"),
    ],
)
def test_impossible_analyses_are_refused(tikal: Run, record: Path, arguments: list[str], said: str) -> None:
    answer = tikal("analyse", record, *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.complaint


def test_an_interrupt_shows_the_best_so_far(tmp_path: Path, record: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal("analyse", str(record), "--at", "30", "--time", "600000", home=tmp_path)
    terminals.append(terminal)
    terminal.hear("thinking")
    terminal.type("\x03")
    terminal.hear("value")
    assert terminal.end() == 0


# tikal play --bot


def test_bots_alone_play_to_the_end(tikal: Run, home: Path) -> None:
    answer = tikal(
        "play", "-p", "3", "--seed", "4", "--bot", "1=digger", "--bot", "3=surveyor:width=2", "--bot", "2=tourist"
    )
    assert (answer.code, answer.err) == (0, "")
    assert "The game is over:" in answer.out
    [done] = kept(home, "games")
    record = records.read(done.read_text())
    assert record.tags["Players"] == ["bot:digger", "bot:tourist", "bot:surveyor:width=2"]
    # action by action, in words
    assert answer.out.count("Digger: end the turn [.]") > 5
    assert f"[{record.game.history[0].text}]" in answer.out
    assert all(f"[{step.text}]" in answer.out for step in record.game.history)


@pytest.mark.slow
def test_a_person_against_a_bot(tikal: Run, home: Path) -> None:
    """Always the first choice of every menu, to the end of the game."""
    answer = tikal("play", "--seed", "5", "--bot", "2=digger", "--names", "Ann", stdin="1\n" * 3000)
    assert (answer.code, answer.err) == (0, "")
    [done] = kept(home, "games")
    game = Game.from_record(done.read_text())
    assert {step.seat for step in game.history} == {1, 2}
    scores = game.status()["scores"]
    assert scores[1] > scores[0]


def test_a_bot_sees_only_the_view_of_its_seat(tikal: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tikal.bots.levels import Level

    viewers = set()
    plan = Level.plan

    def watched(self: Level, view: dict[str, object], seed: int) -> list[str]:
        viewers.add((view["viewer"], view["seat"]))
        return plan(self, view, seed)

    monkeypatch.setattr(Level, "plan", watched)
    tikal("play", "--seed", "5", "--bot", "2=tourist", "--bot", "1=tourist")
    assert viewers == {(1, 1), (2, 2)}


def test_a_resumed_game_keeps_its_bots(tikal: Run, home: Path) -> None:
    first = random_game("players=2", seed=1, most=1).history[0].action
    tikal("play", "--seed", "1", "--bot", "2=tourist", "--names", "Ann", stdin=f"{first} .\nquit\n")
    [saved] = kept(home)
    before = Game.from_record(saved.read_text())
    assert before.seat == 1
    assert before.history[-1].seat == 2
    answer = tikal("play", "--resume", stdin="1\n" * 60)
    assert (answer.code, answer.err) == (0, "")
    record = records.read(saved.read_text())
    assert record.tags["Players"] == ["Ann", "bot:tourist"]
    steps = list(record.game.history)
    assert steps[: len(before.history)] == list(before.history)
    assert {step.seat for step in steps[len(before.history) :]} == {1, 2}


def test_loading_brings_the_bots_of_that_game(tikal: Run, home: Path, tmp_path: Path) -> None:
    path = tmp_path / "three.tikal"
    path.write_text(random_game("players=3", seed=2, most=1).record(["Ann", "bot:tourist", "bot:digger"], reveal=True))
    answer = tikal("play", "--seed", "1", stdin=f"load {path}\n.\nlog 30\nquit\n")
    assert "2 Tourist: end the turn" in answer.out
    assert "3 Digger: end the turn" in answer.out


def test_a_record_starts_no_programs(tikal: Run, home: Path, tmp_path: Path, bad: str) -> None:
    path = tmp_path / "trap.tikal"
    proof = tmp_path / "proof"
    path.write_text(random_game("players=2", seed=2, most=0).record([f"bot:program:touch {proof}", "Ann"], reveal=True))
    answer = tikal("play", "--load", path)
    assert answer.code == 2
    assert f"to let it play on, add --bot 1=program:touch {proof}" in answer.complaint
    assert "No: seat 1 was played by a program" in tikal("play", "--seed", "1", stdin=f"load {path}\n").out
    assert not proof.exists()
    tikal("play", "--load", path, "--bot", f"1=program:touch {proof}")
    assert proof.exists()


def test_a_bot_that_fails_is_replaced_by_the_player(tikal: Run, home: Path, bad: str) -> None:
    game = random_game("players=2", seed=1, most=12)
    answer = tikal("play", "--seed", "1", "--bot", f"1={bad}", stdin=lines_of(game))
    assert (answer.code, answer.err) == (0, "")
    assert "has failed: X@h5: " in answer.out
    assert "You play this seat now." in answer.out
    [saved] = kept(home)
    assert [step.action for step in Game.from_record(saved.read_text()).history] == [s.action for s in game.history]


class Broken:
    """A bot with given answers."""

    name = "broken"

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def plan(self, view: object, seed: int) -> object:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ([], "the bot gave no answer"),
        (ValueError("two\nlines"), "ValueError: two lines"),
        (None, "TypeError"),
    ],
)
def test_other_ways_to_fail(tikal: Run, home: Path, monkeypatch: pytest.MonkeyPatch, answer: object, said: str) -> None:
    monkeypatch.setattr("tikal.bots.make", lambda _: Broken(answer))
    out = tikal("play", "--seed", "1", "--bot", "1=broken", stdin="quit\n").out
    assert f"1 broken has failed: {said}" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bot", "digger"], "must be SEAT=SPEC with a seat from 1 to 2, such as 2=digger"),
        (["--bot", "3=digger"], "--bot 3=digger: must be SEAT=SPEC with a seat from 1 to 2"),
        (["--bot", "0=digger"], "must be SEAT=SPEC"),
        (["--bot", "2="], "must be SEAT=SPEC"),
        (["--bot", "2=digger", "--bot", "2=digger"], "seat 2 already has a bot"),
        (["--bot", "2=wizard"], "wizard: no such bot"),
        (["--bot", "2=digger:depth=2"], "no parameter depth"),
        (["--bot", "2=program:no-such-program"], "there is no program no-such-program"),
        (["--bot", "2=digger", "--names", "Ann,Bob"], "give 1 name, separated"),
        (["--names", "Ann,bot:digger"], "bot: is for bots"),
    ],
)
def test_impossible_bots_are_refused(tikal: Run, home: Path, arguments: list[str], said: str) -> None:
    answer = tikal("play", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.complaint
    assert not home.exists()


def test_seats_and_names() -> None:
    assert bots_given(["2=program:x --a=b"], 2) == {2: "program:x --a=b"}
    assert named(["Ann", "Blue", "Yellow"], {3: "digger"}) == ["Ann", "Blue", "bot:digger"]


# hint


@pytest.mark.parametrize("phase", PHASES)
def test_a_hint_in_every_phase(tikal: Run, tmp_path: Path, phase: str) -> None:
    game = by_phase(phase)[0]
    path = tmp_path / "game.tikal"
    path.write_text(game.record(reveal=True))
    answer = tikal("play", "--load", path, stdin="hint\nquit\n")
    assert (answer.code, answer.err) == (0, "")
    told = answer.out.partition("surveyor would type: ")[2]
    typed = told.splitlines()[0].split()
    assert typed[0] in game.legal()
    game.foresee(typed)
    assert "chances to win: 1 " in told
    assert "No:" not in answer.out


def test_a_hint_can_be_typed_as_printed(tikal: Run) -> None:
    game = random_game("players=2", seed=1, most=0)
    plan = make("surveyor").plan(game.view(1), 0)
    answer = tikal("play", "--seed", "1", stdin=f"hint\n{' '.join(plan)}\nlog 99\nquit\n")
    assert f"surveyor would type: {' '.join(plan)}" in answer.out
    assert "No:" not in answer.out


def test_hints_of_others(tikal: Run) -> None:
    answer = tikal("play", "--seed", "1", stdin="hint digger\nhint wizard\nhint surveyor:width=0\nquit\n")
    assert "digger would type: " in answer.out
    assert "No: wizard: no such level" in answer.out
    assert "No: wizard: no such level" in answer.out
    assert "No: surveyor: width=0 must be a number" in answer.out


# the start menu


class Lines:
    """A person who types these lines."""

    interactive = True

    def __init__(self, *lines: str) -> None:
        self.lines: Iterator[str] = iter(lines)

    def read(self, prompt: str, *_: object, **__: object) -> str | None:
        return next(self.lines, None)


@pytest.mark.parametrize(
    ("typed", "wish"),
    [
        ([""], Answers(2, "digger")),
        (["3", ""], Answers(3, "digger")),
        (["4", "1"], Answers(4, "tourist")),
        (["2", "professor"], Answers(2, "professor")),
        (["2", "people"], Answers(2, "people")),
        (["r"], Answers(resume=True)),
        (["7", "two", "3", "9", "wizard", "5"], Answers(3, "surveyor")),
        (["q"], None),
        (["2", "quit"], None),
        ([], None),
        (["2"], None),
    ],
)
def test_the_first_questions(typed: list[str], wish: Answers | None) -> None:
    told: list[str] = []
    assert welcome(Lines(*typed), told.append, can_resume=True) == wish
    assert sum(": choose one of " in line for line in told) == sum(
        word in ("7", "two", "9", "wizard") for word in typed
    )


def test_there_may_be_nothing_to_go_on_with() -> None:
    told: list[str] = []
    assert welcome(Lines("r", ""), told.append, can_resume=False) == Answers()
    assert "r: choose one of 2, 3, 4, or just press Enter" in told[-1]


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def test_enter_starts_a_game_against_a_digger(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal("play", home=tmp_path)
    terminals.append(terminal)
    terminal.hear("Enter to play against the bot Digger")
    terminal.hear(r"players \[2\]>")
    terminal.type("\r")
    terminal.hear("`hint` for advice")
    terminal.hear("1 Red>")
    terminal.type("hint\r")
    told = terminal.hear("chances to win: 1 Red")
    typed = told.partition("surveyor would type: ")[2].split("\n")[0].strip()
    terminal.hear("1 Red>")
    place = typed.split()[0]
    terminal.type(f"{place} .\r")
    terminal.hear("Digger is thinking|Digger: ")
    shown = terminal.hear(r"2 Digger: end the turn \[\.\]")
    terminal.hear("1 Red>")
    terminal.type("\x04")
    terminal.hear("tikal play --resume")
    assert terminal.end() == 0
    assert "Digger" in shown

    again = Terminal("play", home=tmp_path)
    terminals.append(again)
    again.hear("or r to resume")
    again.type("r\r")
    again.hear("1 Red>")
    again.type("log\r")
    again.hear("2 Digger: end the turn")


def test_a_bot_s_turn_stays_on_the_screen(tmp_path: Path, terminals: list[Terminal]) -> None:
    """The screen is redrawn for each action; the last drawing still shows the whole turn."""
    terminal = Terminal("play", "--seed", "1", "--bot", "2=digger", home=tmp_path)
    terminals.append(terminal)
    terminal.hear("1 Red>")
    first = random_game("players=2", seed=1, most=0).legal()[0]
    terminal.type(f"{first} .\r")
    shown = terminal.hear(r"2 Digger: end the turn \[\.\]")
    terminal.hear("1 Red>")
    terminal.type("\x04")
    terminal.hear("tikal play --resume")
    terminal.end()
    [saved] = (tmp_path / "tikal" / "autosave").glob("*.tikal")
    steps = [step for step in Game.from_record(saved.read_text()).history if step.seat == 2]
    assert len(steps) > 3
    assert shown.count(f"[{steps[0].text}]") == len(steps)


def test_a_hidden_choice_needs_no_cover_against_bots(tmp_path: Path, terminals: list[Terminal]) -> None:
    game = by_phase("leap")[0]
    names = ["bot:tourist"] * game.options.players
    names[(game.seat or 1) - 1] = "Ann"
    path = tmp_path / "leap.tikal"
    path.write_text(game.record(names, reveal=True))
    terminal = Terminal("play", "--load", str(path), home=tmp_path)
    terminals.append(terminal)
    assert "press Enter when nobody else is looking" not in terminal.hear("Ann>")
