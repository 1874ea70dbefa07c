"""What a bot thinks of a position, in words: for `hint` and `tikal analyse`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tikal.cli.say import say

Json = dict[str, Any]


def advice(view: Json, spec: str, seed: int, stop: Callable[[], bool] = lambda: False) -> Json:
    """What a level says of a position; see `tikal.bots.analyse`. Bots are loaded only when they are asked."""
    from tikal.bots.analyse import analyse

    return analyse(view, spec, seed, stop=stop)


def advice_lines(told: Json, names: Sequence[str]) -> list[str]:
    """The best turn: what to type, in words, why, and everybody's chances."""
    turn = told["turns"][0]
    sure = turn["actions"][: turn["sure"]]
    then = turn["actions"][turn["sure"] :]
    lines = [f"{told['level']} would type: {' '.join(sure)}", f"that is: {'; '.join(map(say, sure))}"]
    if then:
        lines.append(f"and then, if nothing better turns up: {'; '.join(map(say, then))}")
    lines.append(f"worth {signed(turn['value'])} ({parts_in_words(turn['parts'])})")
    chances = (f"{row['seat']} {names[row['seat'] - 1]} {row['chance']:.0%}" for row in told["seats"])
    return [*lines, f"chances to win: {', '.join(chances)}"]


def parts_in_words(parts: Mapping[str, float]) -> str:
    """The parts of a value that matter, greatest first.

    >>> parts_in_words({"score": 0.0, "temples": 4.26, "reach": -6.0})
    'reach -6.0, temples +4.3'
    """
    told = sorted(parts.items(), key=lambda item: -abs(item[1]))
    return ", ".join(f"{name} {signed(points)}" for name, points in told if abs(points) >= 0.05) or "nothing stands out"


def signed(points: float) -> str:
    """Points with their sign.

    >>> signed(4.26), signed(-0.01)
    ('+4.3', '+0.0')
    """
    return f"{round(points, 1) + 0.0:+.1f}"
