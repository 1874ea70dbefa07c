"""The test for bots, ours and others': run it on yours.

>>> from tikal.bots import make
>>> report = check(lambda: make("tourist"), kinds=["two"])
>>> report.ok
True

`tikal bots --check SPEC` does the same; in a test of your own say `assert_conforms(lambda: MyBot({}))`. What is asked
of a bot:

* it plays all player counts, the auction and every variant: in each decision at least one action, and only legal ones;
* a plan ends where its seat's decisions end, and where chance answers: digging, dice, `.`, bids, tokens;
* the same view and seed give the same plan, whatever was asked before; not asked of one that thinks by the clock and
  says so (`deterministic = False`);
* told to stop at once (`plan_until`, if it has that), it answers all the same, and then goes on as before;
* `close()` ends it, also twice.

A bot never gets anything but views that went through JSON, so there is nothing hidden that it could look at.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter
from typing import Any

from tikal.bots.bot import Bot
from tikal.bots.levels import Level, reveals
from tikal.play import Game
from tikal.play.notation import parse
from tikal.play.view import Json
from tikal.rules.errors import TikalError
from tikal.rules.options import Options

KINDS: dict[str, dict[str, Any]] = {
    "two": {"players": 2},
    "three": {"players": 3, "edition": "rio-grande"},
    "four": {"players": 4, "final_start": "after_last_volcano"},
    "auction of two": {"players": 2, "auction": True},
    "auction of three": {"players": 3, "auction": True, "edition": "classic"},
    "auction of four": {"players": 4, "auction": True},
    "instant scoring": {"players": 2, "instant_scoring": True},
    "boulders": {"players": 3, "boulders": "3d6"},
    "obstacles and guns": {"players": 4, "obstacles": True, "machine_gun": True},
    "sudden death": {"players": 3, "auction": True, "sudden_death": True},
    "redraw": {"players": 2, "auction": True, "sudden_death": True, "double_volcano": "redraw"},
    "taker decides": {"players": 4, "auction": True, "sudden_death": True, "double_volcano": "taker_decides"},
    "leaps": {"players": 3, "auction": True, "leaps": True},
    "leaps and all": {
        "players": 2, "auction": True, "leaps": True, "boulders": "2d6", "obstacles": True, "machine_gun": True,
    },
}  # fmt: skip
"""The games that are played: all player counts, the auction, and every variant."""

SAMPLES = 3  # decisions of a game that are asked for again
LONGEST = 5000  # plans; no game comes near


class Fault(Exception):
    """What is wrong with a bot, in one line."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was asked of a bot: whether it holds, and if not what happened."""

    name: str
    ok: bool
    text: str = ""


@dataclass(slots=True)
class Report:
    """All checks, and how long the bot thought about its plans, in milliseconds."""

    name: str = ""
    checks: list[Check] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether the bot is as a bot should be."""
        return all(check.ok for check in self.checks)

    def lines(self) -> list[str]:
        """The report for people.

        >>> Report("mine", [Check("close", False, "ValueError: no")], [2.0, 3.5, 8.0]).lines()
        ['NO  close: ValueError: no', 'mine does NOT conform; a plan takes 3.5 ms (median), 8.0 ms at the most']
        """
        rows = [f"{'ok ' if row.ok else 'NO '} {row.name}{': ' if row.text else ''}{row.text}" for row in self.checks]
        verdict = f"{self.name or 'the bot'} {'conforms' if self.ok else 'does NOT conform'}"
        if self.ms:
            verdict += f"; a plan takes {median(self.ms):.1f} ms (median), {max(self.ms):.1f} ms at the most"
        return [*rows, verdict]


def check(
    make_bot: Callable[[], Bot],
    *,
    kinds: Iterable[str] = tuple(KINDS),
    deterministic: bool | None = None,
    seed: int = 1,
    tell: Callable[[Check], None] = lambda _: None,
) -> Report:
    """Tests a bot that `make_bot` makes as often as it is asked; `tell` hears of each check when it is done.

    Whether it is deterministic the bot says itself, unless it is given.
    """
    report = Report()
    examiner = Examiner(make_bot, deterministic, seed, report)
    questions: list[tuple[str, Callable[[], None]]] = [("make", examiner.makes)]
    questions += [(f"game: {kind}", lambda kind=kind: examiner.plays(kind)) for kind in kinds]  # type: ignore[misc]
    questions += [("interrupt", examiner.is_interrupted), ("close", examiner.closes)]
    for name, question in questions:
        try:
            question()
            report.checks.append(Check(name, True))
        except Fault as fault:
            report.checks.append(Check(name, False, str(fault)))
        tell(report.checks[-1])
        if name == "make" and not report.ok:
            break
    return report


def assert_conforms(make_bot: Callable[[], Bot], **settings: Any) -> None:
    """The same for tests: an AssertionError that says what is wrong."""
    report = check(make_bot, **settings)
    assert report.ok, "\n".join(report.lines())


@dataclass(frozen=True, slots=True)
class Question:
    """What a bot was asked, and what it answered."""

    view: Json
    seed: int
    plan: list[str]
    where: str


class Examiner:
    """Asks a bot the questions."""

    def __init__(self, make_bot: Callable[[], Bot], deterministic: bool | None, seed: int, report: Report) -> None:
        self._make_bot = make_bot
        self._deterministic = deterministic
        self._seed = seed
        self._report = report

    def makes(self) -> None:
        """It can be made, and has the parts of a bot."""
        bot = self._new()
        try:
            for part in ("plan", "close"):
                if not callable(getattr(bot, part, None)):
                    raise Fault(f"it has no method {part}")
            if not isinstance(getattr(bot, "name", None), str):
                raise Fault("it has no name")
            self._report.name = bot.name
            if self._deterministic is None:
                self._deterministic = getattr(bot, "deterministic", True)
        finally:
            if callable(getattr(bot, "close", None)):
                _guarded("close()", bot.close)

    def plays(self, kind: str) -> None:
        """It plays a whole game against tourists, at a seat that depends on the kind of game."""
        options = Options(**KINDS[kind])
        game = Game.new(options, seed=f"conformance-{self._seed}-{kind.replace(' ', '-')}")
        own = 1 + list(KINDS).index(kind) % options.players
        rng = random.Random(f"{self._seed}/{kind}")
        bot, tourist = self._new(), Level("tourist", {})
        asked: list[Question] = []
        try:
            for number in range(LONGEST):
                if game.seat is None:
                    break
                if game.seat == own:
                    plan = self._plan(bot, game, number)
                    asked.append(Question(_view(game), number, plan, _where(game)))
                else:
                    plan = tourist.plan(game.view(game.seat), number)
                game.play(*plan)
            if self._deterministic:
                self._asks_again(bot, rng.sample(asked, min(SAMPLES, len(asked))))
        finally:
            _guarded("close()", bot.close)

    def _asks_again(self, bot: Bot, asked: Sequence[Question]) -> None:
        """The same questions in another order, to the same bot and to a fresh one."""
        fresh = self._new()
        try:
            for which, other in (("asked again", bot), ("made anew", fresh)):
                for question in reversed(asked):
                    again = _plan(other, question.view, question.seed)
                    if again != question.plan:
                        plans = f"{_said(question.plan)}, then {_said(again)} when {which}"
                        raise Fault(f"not the same plan for the same view and seed ({question.where}): {plans}")
        finally:
            _guarded("close()", fresh.close)

    def is_interrupted(self) -> None:
        """Told to stop at once it answers with something that can be played."""
        bot = self._new()
        plan_until = getattr(bot, "plan_until", None)
        try:
            game = Game.new(Options(), seed=f"interrupt-{self._seed}")
            if plan_until is not None:
                view = _view(game)
                _judge(game, _guarded("plan_until()", lambda: plan_until(view, 1, lambda: True)))
            _judge(game, _plan(bot, _view(game), 1))
        finally:
            _guarded("close()", bot.close)

    def closes(self) -> None:
        """It can be closed before it was asked anything, and twice."""
        bot = self._new()
        _guarded("close()", bot.close)
        _guarded("the second close()", bot.close)

    def _new(self) -> Bot:
        bot: Bot = _guarded("making it", self._make_bot)
        return bot

    def _plan(self, bot: Bot, game: Game, seed: int) -> list[str]:
        """A plan that was timed and judged."""
        view = _view(game)
        start = perf_counter()
        answer = _plan(bot, view, seed)
        self._report.ms.append(1000 * (perf_counter() - start))
        _judge(game, answer)
        return answer


def _view(game: Game) -> Json:
    return game.view(game.seat)


def _where(game: Game) -> str:
    return f"after {len(game.history)} actions, {game.phase}"


def _said(plan: object) -> str:
    text = " ".join(plan) if isinstance(plan, list) and all(isinstance(word, str) for word in plan) else repr(plan)
    return text if len(text) <= 100 else text[:100] + "…"


def _guarded(what: str, work: Callable[[], Any]) -> Any:
    """Whatever goes wrong is a fault of the bot."""
    try:
        return work()
    except TikalError as error:
        raise Fault(f"{what} failed: {error}") from error
    except (Exception, SystemExit) as error:
        raise Fault(f"{what} failed: {type(error).__name__}: {' '.join(str(error).split())}"[:300]) from error


def _plan(bot: Bot, view: Json, seed: int) -> list[str]:
    view = json.loads(json.dumps(view))  # as it would come from afar: nothing of ours hangs on it
    answer = _guarded("plan()", lambda: bot.plan(view, seed))
    if not isinstance(answer, list) or not all(isinstance(action, str) for action in answer):
        raise Fault(f"plan() answered {_said(answer)}, which is no list of actions")
    return answer


def _judge(game: Game, plan: list[str]) -> None:
    """Every action legal, at least one, and an end where it belongs."""
    if not plan:
        raise Fault(f"an empty plan ({_where(game)})")
    try:
        states, _ = game.foresee(plan)
    except TikalError as error:
        raise Fault(f"an illegal action ({_where(game)}): {error}; the plan was {_said(plan)}") from error
    for before, action, after in zip([game.state, *states], plan[:-1], states[:-1], strict=False):
        if after.seat != before.seat or reveals(before, parse(action)):
            raise Fault(
                f"a plan that does not stop where others have a say, at {action} ({_where(game)}): {_said(plan)}"
            )
