"""The conformance test for bots, ours and yours.

>>> from tikal.bots import make
>>> report = check(lambda: make("tourist"), kinds=["two"])
>>> report.ok
True

`tikal bots --check SPEC` runs it too; in a test of your own write `assert_conforms(lambda: MyBot({}))`. A bot conforms
if

* it plays with any number of players, the auction and every variant: each plan has at least one action, all legal;
* a plan ends with its seat's turn, and at every barrier: a dig, dice, `.`, a bid, tokens, a volcano taken;
* the same view and seed give the same plan, whatever came before; bots that think by the clock declare it
  (`deterministic = False`) and are exempt;
* when it must stop at once (`plan_until`, if it has that), it still answers, and then continues as before;
* `close()` works, even twice.

A bot only gets views that went through JSON, so it can't look at anything hidden.
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
from tikal.bots.levels import Level
from tikal.play import Game
from tikal.play.action import Action
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

SAMPLES = 3  # decisions of a game that are repeated
LONGEST = 5000  # plans; no game comes close


class Fault(Exception):
    """What is wrong with a bot, in one line."""


@dataclass(frozen=True, slots=True)
class Check:
    """One requirement: whether the bot meets it, and if not, what happened."""

    name: str
    ok: bool
    text: str = ""


@dataclass(slots=True)
class Report:
    """All checks, and how long each plan took, in milliseconds."""

    name: str = ""
    checks: list[Check] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether the bot conforms."""
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
    """Tests the bots that `make_bot` makes; `tell` is called with each check when it is done.

    The bot's own `deterministic` counts unless the argument is given.
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
    """A question to a bot, and its answer."""

    view: Json
    seed: int
    plan: list[str]
    where: str


class Examiner:
    """Runs the checks on a bot."""

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
        """Asks the same questions in another order, the same bot and a new one."""
        fresh = self._new()
        try:
            for which, other in (("asked again", bot), ("created again", fresh)):
                for question in reversed(asked):
                    again = _plan(other, question.view, question.seed)
                    if again != question.plan:
                        plans = f"{_said(question.plan)}, then {_said(again)} when {which}"
                        raise Fault(f"not the same plan for the same view and seed ({question.where}): {plans}")
        finally:
            _guarded("close()", fresh.close)

    def is_interrupted(self) -> None:
        """Stopped at once, it still answers with a legal plan."""
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
        """It can be closed before the first question, and twice."""
        bot = self._new()
        _guarded("close()", bot.close)
        _guarded("the second close()", bot.close)

    def _new(self) -> Bot:
        bot: Bot = _guarded("making it", self._make_bot)
        return bot

    def _plan(self, bot: Bot, game: Game, seed: int) -> list[str]:
        """A plan, timed and checked."""
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
    """Runs a function; any error is a fault of the bot."""
    try:
        return work()
    except TikalError as error:
        raise Fault(f"{what} failed: {error}") from error
    except (Exception, SystemExit) as error:
        raise Fault(f"{what} failed: {type(error).__name__}: {' '.join(str(error).split())}"[:300]) from error


def _plan(bot: Bot, view: Json, seed: int) -> list[str]:
    view = json.loads(json.dumps(view))  # a copy, as if it came over a network
    answer = _guarded("plan()", lambda: bot.plan(view, seed))
    if not isinstance(answer, list) or not all(isinstance(action, str) for action in answer):
        raise Fault(f"plan() answered {_said(answer)}, which is no list of actions")
    return answer


def _judge(game: Game, plan: list[str]) -> None:
    """A plan has at least one action, all are legal, and it ends where it must."""
    if not plan:
        raise Fault(f"an empty plan ({_where(game)})")
    try:
        states, _ = game.foresee(plan)
    except TikalError as error:
        raise Fault(f"an illegal action ({_where(game)}): {error}; the plan was {_said(plan)}") from error
    for before, action, after in zip([game.state, *states], plan[:-1], states[:-1], strict=False):
        if after.seat != before.seat or Action.parse(action).is_barrier(before):
            raise Fault(
                f"a plan that does not stop where others have a say, at {action} ({_where(game)}): {_said(plan)}"
            )
