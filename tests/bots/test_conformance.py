"""The conformance test: good bots pass, and every fault of a bad one is found and reported."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from tests.kit.games import KINDS as ALL_KINDS
from tests.kit.games import options_of
from tikal.bots import LEVELS, Bot, make
from tikal.bots.conformance import KINDS, Check, Report, assert_conforms, check
from tikal.bots.levels import Level
from tikal.play.view import Json
from tikal.rules.options import VALUES, Options

QUICK = ("two", "leaps and all")


class Copycat:
    """Plays like a tourist; those below do one thing differently."""

    def __init__(self) -> None:
        self.name = "copycat"
        self.tourist = Level("tourist", {})
        self.asked = 0
        self.kept: Json = {}

    def plan(self, view: Json, seed: int) -> list[str]:
        return self.tourist.plan(view, seed)

    def close(self) -> None:
        pass


def variation(plan: Callable[[Copycat, Json, int], Any]) -> Callable[[], Bot]:
    """A copycat with another way to plan."""
    return type("Other", (Copycat,), {"plan": plan})


def text(report: Report) -> str:
    return "\n".join(report.lines())


@pytest.mark.parametrize("spec", ["tourist", "digger", "surveyor:width=2", "professor:width=2,candidates=2,nodes=100"])
def test_our_levels_conform(spec: str) -> None:
    told: list[Check] = []
    report = check(lambda: make(spec), kinds=QUICK, tell=told.append)
    assert report.ok, text(report)
    assert report.name == spec
    assert told == report.checks
    assert [row.name for row in told] == ["make", *(f"game: {kind}" for kind in QUICK), "interrupt", "close"]
    assert len(report.ms) > 20
    assert report.lines()[-1].startswith(f"{spec} conforms; a plan takes ")
    assert {spec.partition(":")[0]} < set(LEVELS)


def test_the_games_have_every_player_count_and_every_option() -> None:
    played = [Options(**kind) for kind in KINDS.values()]
    for name in ("players", "auction", "instant_scoring", "obstacles", "machine_gun", "sudden_death", "leaps"):
        assert {getattr(options, name) for options in played} == set(VALUES[name])
    assert {options.double_volcano for options in played} == set(VALUES["double_volcano"])
    for players in (2, 3, 4):
        assert {options.auction for options in played if options.players == players} == {True, False}
    assert any(options.boulders for options in played)
    assert len(played) <= len(ALL_KINDS)
    assert options_of("basic").players == played[0].players


def test_assert_conforms_is_for_tests() -> None:
    assert_conforms(Copycat, kinds=["two"])
    with pytest.raises(AssertionError, match="NO  game: two: an empty plan"):
        assert_conforms(variation(lambda *_: []), kinds=["two"])


def raising(error: BaseException) -> Any:
    raise error


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (lambda *_: [], "an empty plan (after "),
        (lambda *_: ["X@h5"], "an illegal action (after "),
        (lambda *_: ["castle"], "castle: no action is written like that"),
        (lambda *_: None, "plan() answered None, which is no list of actions"),
        (lambda *_: ".", "plan() answered '.', which is no list of actions"),
        (lambda *_: [1, 2], "which is no list of actions"),
        (lambda *_: raising(ValueError("two\nlines")), "plan() failed: ValueError: two lines"),
        (lambda *_: sys.exit("enough"), "plan() failed: SystemExit: enough"),
        (lambda *_: make("wizard"), "plan() failed: wizard: no such bot"),
    ],
)
def test_bad_plans_are_reported(plan: Callable[..., Any], said: str) -> None:
    report = check(variation(plan), kinds=["two"])
    assert not report.ok
    assert said in text(report)
    assert report.lines()[-1].startswith("copycat does NOT conform")


def test_a_plan_that_continues_after_a_dig() -> None:
    def plan(self: Copycat, view: Json, seed: int) -> list[str]:
        found = self.tourist.plan(view, seed)
        return [*found, "."] if found[-1].startswith("D@") else found

    report = check(variation(plan), kinds=["two"])
    assert "a plan that does not stop where others have a say, at D@" in text(report)


def test_a_plan_that_continues_for_other_seats() -> None:
    def plan(self: Copycat, view: Json, seed: int) -> list[str]:
        found = self.tourist.plan(view, seed)
        auction = view["auction"]
        others_decide = not auction["had_turn"] and not auction["out"]
        return [*found, "B:-"] if found[-1] == "B:-" and others_decide else found

    report = check(variation(plan), kinds=["auction of three"])
    assert "a plan that does not stop where others have a say, at B:-" in text(report)


def test_a_plan_must_not_depend_on_earlier_questions() -> None:
    def plan(self: Copycat, view: Json, seed: int) -> list[str]:
        self.asked += 1
        return self.tourist.plan(view, self.asked)

    report = check(variation(plan), kinds=["two", "three", "four"])
    assert "not the same plan for the same view and seed" in text(report)
    assert "when asked again" in text(report)


def test_a_plan_must_not_depend_on_the_instance() -> None:
    number = count()

    class Moody(Copycat):
        def __init__(self) -> None:
            super().__init__()
            self.mood = next(number)

        def plan(self, view: Json, seed: int) -> list[str]:
            return self.tourist.plan(view, seed + self.mood)

    report = check(Moody, kinds=["two", "three", "four"])
    assert "when created again" in text(report)


def test_bots_that_think_by_the_clock_say_so() -> None:
    number = count()

    class Hasty(Copycat):
        deterministic = False

        def plan(self, view: Json, seed: int) -> list[str]:
            return self.tourist.plan(view, next(number))

    assert check(Hasty, kinds=["two"]).ok
    assert not check(Hasty, kinds=["two", "three"], deterministic=True).ok


def test_trouble_at_the_beginning_and_at_the_end() -> None:
    class Unmade(Copycat):
        def __init__(self) -> None:
            raise OSError("no engine here")

    class Sulker(Copycat):
        def close(self) -> None:
            raise RuntimeError("I will not go")

    class Nameless(Copycat):
        def __init__(self) -> None:
            super().__init__()
            del self.name

    class Planless:
        name = "planless"

        def close(self) -> None:
            pass

    assert text(check(Unmade)).startswith("NO  make: making it failed: OSError: no engine here")
    assert "close() failed: RuntimeError: I will not go" in text(check(Sulker, kinds=["two"]))
    assert "it has no name" in text(check(Nameless))
    assert "it has no method plan" in text(check(Planless))  # type: ignore[arg-type]
    assert len(check(Unmade).checks) == 1


def test_a_second_close_is_harmless_or_reported() -> None:
    class Once(Copycat):
        def close(self) -> None:
            del self.tourist

    report = check(Once, kinds=["two"])
    assert "the second close() failed: AttributeError" in text(report)
    assert [row.ok for row in report.checks] == [True, True, True, False]


def test_an_interrupted_bot_must_answer() -> None:
    class Speechless(Copycat):
        def plan_until(self, view: Json, seed: int, stop: Callable[[], bool]) -> list[str]:
            assert stop()
            return []

    report = check(Speechless, kinds=["two"])
    assert "NO  interrupt: an empty plan" in text(report)


def test_a_bot_gets_nothing_but_plain_data() -> None:
    seen = set()

    class Curious(Copycat):
        def plan(self, view: Json, seed: int) -> list[str]:
            def look(thing: Any) -> None:
                seen.add(type(thing))
                for part in (
                    [*thing, *thing.values()] if isinstance(thing, dict) else thing if type(thing) is list else ()
                ):
                    look(part)

            look(view)
            view.clear()  # changing its copy does no harm
            return self.tourist.plan(self.kept, seed)

    class Keeper(Curious):
        def plan(self, view: Json, seed: int) -> list[str]:
            self.kept = dict(view)
            return super().plan(view, seed)

    assert check(Keeper, kinds=["two"]).ok
    assert seen <= {dict, list, str, int, bool, type(None)}
