"""Every lesson, played through the real rules: a change of the rules can't break a lesson unnoticed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tikal.play import Game
from tikal.rules.options import VARIANTS, Options

Json = dict[str, Any]
WEB = Path(__file__).parents[2] / "web" / "src"
LESSONS = {
    path.stem: json.loads(path.read_text("utf-8")) for path in sorted((WEB / "learn" / "lessons").glob("*.json"))
}
TEXTS = {path.parts[-2]: json.loads(path.read_text("utf-8")) for path in WEB.glob("messages/*/lessons.json")}
STEPS = [(name, number) for name, lesson in LESSONS.items() for number in range(len(lesson["steps"]))]
COURSE = ("aim", "explore", "walk", "temples", "treasures", "camps", "guards", "volcano")


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",") if word]


def begin(lesson: Json) -> Game:
    options = Options.parse(lesson.get("options", {}) | {"players": str(lesson["players"])})
    dice = numbers(lesson.get("dice", "")) or None
    game = Game.new(options, deck=lesson["deck"].split(","), treasures=numbers(lesson["treasures"]), dice=dice)
    game.play(*lesson["opening"].split())
    return game


def take(game: Game, actions: str) -> None:
    """Plays a list of actions; of `a|b` the first that is legal."""
    for action in actions.split():
        legal = game.legal()
        game.play(next((one for one in action.split("|") if one in legal), action))


def ways(step: Json) -> list[str]:
    """All ways to finish a step that the lesson knows."""
    found: list[str] = step.get("want") or [step.get("script") or step.get("free") or ""]
    return found


def at(name: str, number: int) -> Game:
    """The game when a step begins, after the first way to finish each step before."""
    game = begin(LESSONS[name])
    for step in LESSONS[name]["steps"][:number]:
        take(game, ways(step)[0])
    return game


def reached(game: Game, until: Json) -> bool:
    """Whether the position is what a step waits for."""
    return all(game.status()[name] == value for name, value in until.items())


def test_there_is_a_course_and_a_lesson_for_each_variant() -> None:
    assert set(LESSONS) == {*COURSE, "auction", *VARIANTS}
    assert all(lesson["key"] == name for name, lesson in LESSONS.items())


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_plays_from_beginning_to_end_whichever_way_is_taken(name: str) -> None:
    steps = LESSONS[name]["steps"]
    for number, step in enumerate(steps):
        for way in ways(step)[1:]:
            game = at(name, number)
            take(game, way)
            for later in steps[number + 1 :]:
                take(game, ways(later)[0])
    game = at(name, len(steps))
    assert len({step["key"] for step in steps}) == len(steps)
    assert game.history


@pytest.mark.parametrize(("name", "number"), STEPS)
def test_a_step_asks_for_legal_actions(name: str, number: int) -> None:
    step, game = LESSONS[name]["steps"][number], at(name, number)
    if "want" in step or "free" in step:
        assert game.seat == 1
    if "free" in step:
        until = step["until"]
        assert not reached(game, until), "it is over before it begins"
        take(game, step["free"])
        assert reached(game, until)
    for hex in step.get("show", ()):
        assert hex in {"a1", "a2", "b1", "b2", *game.status()["tiles"]} or "script" in step


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name, number in STEPS if "wrong" in LESSONS[name]["steps"][number]]
)
def test_every_wrong_answer_with_a_text_is_legal_and_not_wanted(name: str, number: int) -> None:
    step, game = LESSONS[name]["steps"][number], at(name, number)
    wrong: dict[str, str] = step.get("wrong", {})
    wanted = {way.split()[0] for way in ways(step)}
    for answer in wrong:
        *way, start = answer.split()  # a walk of several steps: all but the last are there in full
        game.play(*way)
        others = [one for one in wrong if one != answer and one.startswith(answer)]
        tried = [
            action
            for action in game.legal()
            if action.startswith(start) and (way or action not in wanted) and not action.startswith(tuple(others))
        ]
        assert tried, f"nothing legal begins with {answer}"
        for action in tried:
            game.play(action)
            game.undo()
        for _ in way:
            game.undo()


@pytest.mark.parametrize(
    ("name", "number"),
    [(name, number) for name, number in STEPS if LESSONS[name]["steps"][number].get("until") == {"phase": "act"}],
)
def test_a_lesson_goes_on_wherever_the_player_puts_the_tile(name: str, number: int) -> None:
    """Steps with a free choice don't count: there the client shows a way that is possible."""
    places = at(name, number).legal()
    assert len(places) > 1
    for place in places:
        game = at(name, number)
        game.play(place)
        for step in LESSONS[name]["steps"][number + 1 :]:
            if "free" not in step:
                take(game, ways(step)[0])
            elif step["until"] == {"phase": "act"}:
                game.play(game.legal()[0])
            else:
                game.play(*([] if game.phase == "act" else [game.legal()[0]]), ".")


@pytest.mark.parametrize("language", TEXTS)
def test_every_step_and_every_wrong_answer_has_its_text(language: str) -> None:
    needed = {f"name_{name}" for name in LESSONS}
    for name, lesson in LESSONS.items():
        for step in lesson["steps"]:
            needed |= {f"{name}_{step['key']}"}
            needed |= {f"{name}_{step['key']}_{why}" for why in step.get("wrong", {}).values()}
    assert needed <= TEXTS[language].keys()
    left = {key for key in TEXTS[language].keys() - needed if key.startswith(tuple(f"{name}_" for name in LESSONS))}
    assert left == set()
