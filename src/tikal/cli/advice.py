"""A bot's opinion of a position, in words: for `hint` and `tikal analyse`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tikal.cli.language import phrase, t
from tikal.cli.say import say, say_name
from tikal.play.view import Json
from tikal.words import keys


def advice(view: Json, spec: str, seed: int, stop: Callable[[], bool] = lambda: False) -> Json:
    """A level's opinion of a position; see `tikal.bots.analyse`. Bots are imported on first use."""
    from tikal.bots.analyse import analyse

    return analyse(view, spec, seed, stop=stop)


def advice_lines(analysis: Json, names: Sequence[str]) -> list[str]:
    """The best turn: what to type, what it does, why, and everybody's chances."""
    turn = analysis["turns"][0]
    sure = turn["actions"][: turn["sure"]]
    then = turn["actions"][turn["sure"] :]
    lines = [
        t("hint_type", level=_who(analysis["level"]), actions=" ".join(sure)),
        t("hint_words", actions=_in_words(sure)),
    ]
    if then:
        lines.append(t("hint_then", actions=_in_words(then)))
    lines.append(t("hint_worth", points=turn["value"], parts=parts_in_words(turn["parts"])))
    chances = [
        t("hint_chance", seat=row["seat"], name=say_name(names[row["seat"] - 1]), chance=row["chance"])
        for row in analysis["seats"]
    ]
    return [*lines, t("hint_chances", chances=t("comma").join(chances))]


def _who(level: str) -> str:
    """The name of the bot; a level with parameters (`surveyor:width=9`) is named as typed."""
    return phrase("the", f"bot.{level}") if f"bot.{level}" in keys() else level


def _in_words(actions: Sequence[str]) -> str:
    return t("semicolon").join(map(say, actions))


def parts_in_words(parts: Mapping[str, float]) -> str:
    """The parts of a value that matter, greatest first.

    >>> parts_in_words({"score": 0.0, "temples": 4.26, "reach": -6.0})
    'reach -6.0, temples +4.3'
    """
    by_size = sorted(parts.items(), key=lambda item: -abs(item[1]))
    rows = [t("hint_part", part=t(f"part_{name}"), points=points) for name, points in by_size if abs(points) >= 0.05]
    return t("comma").join(rows) or t("hint_nothing")
