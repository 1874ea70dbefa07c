"""`Game`: a game as people and programs handle it. Every action is checked before the core sees it.

>>> from tikal.rules.options import Options
>>> game = Game.new(Options(players=2), seed="42")
>>> game.phase, game.seat
('place', 1)
>>> game.play(game.legal()[0], "+W@a1")
>>> [step.action for step in game.history][-1], game.status()["ap"]
('+W@a1', 9)
>>> game.play("X@a2")
Traceback (most recent call last):
tikal.play.game.IllegalAction: X@a2: a member must be on a2 to take a level [R5]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tikal.play import notation
from tikal.play.chance import check_nonces, check_seed, commit, deal, new_seed
from tikal.play.view import Json, seat_or_none, status, tiles_of, view
from tikal.rules import RULES_VERSION, codes
from tikal.rules.codes import FINISHED, NO_TILE, PHASES, kind_of
from tikal.rules.core import Moves, State
from tikal.rules.errors import TikalError
from tikal.rules.facts import Facts
from tikal.rules.options import OptionError, Options
from tikal.rules.setup import VOLCANOES, Chance, new_state
from tikal.rules.tables import TILES

JSON_FORMAT = 1
MARK = 64  # of every so many actions the state is kept; those in between are played again when they are asked for


class IllegalAction(TikalError):
    """An action that can't be taken now; `code` names the condition that failed, `rule` where it stands."""

    def __init__(self, code: str, text: str, action: str = "", rule: str = "") -> None:
        super().__init__(code, text)
        self.action = action
        self.rule = rule

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.code, self.text, self.action, self.rule)


class DiceError(TikalError):
    """The given dice have run out; `code` is `dice`."""


class UndoError(TikalError):
    """Nothing to take back; `code` is `undo`."""


class LoadError(TikalError):
    """A stored game that is none, or that does not replay to itself; `code` is `load`."""


@dataclass(frozen=True, slots=True)
class Gone:
    """A tile that fitted nowhere and left the game [R2], and the seat whose it was."""

    seat: int
    tile: str


@dataclass(frozen=True, slots=True)
class Step:
    """An action that was played: by whom, what chance answered, and the tiles that left the game right after it."""

    seat: int
    action: str
    revealed: int | None = None
    gone: tuple[Gone, ...] = ()

    @property
    def text(self) -> str:
        """The action as a record has it.

        >>> Step(1, "D@b3", 3).text
        'D@b3(3)'
        """
        return self.action if self.revealed is None else f"{self.action}({self.revealed})"


class Game:
    """A game with its history. Make one by `Game.new`, `Game.from_json` or `tikal.play.records.read`."""

    def __init__(self, options: Options, chance: Chance, seed: str | None = None, nonces: Sequence[str] = ()) -> None:
        self.options = options
        self.chance = chance
        self.seed = seed
        self.nonces = tuple(nonces)
        self._state = new_state(options, chance)
        self._marks = [self._state]
        self._steps: list[Step] = []

    @classmethod
    def new(
        cls,
        options: Options,
        *,
        seed: str | None = None,
        nonces: Sequence[str] = (),
        deck: Sequence[str] | None = None,
        treasures: Sequence[int] | None = None,
        dice: Sequence[int] | None = None,
    ) -> Game:
        """A new game: from a seed, from exact chance, or from a fresh random seed.

        >>> Game.new(Options(), seed="42", deck=["A1"])
        Traceback (most recent call last):
        tikal.rules.options.OptionError: seed: goes without deck, treasures and dice; give one or the other
        """
        exact = deck is not None or treasures is not None or dice is not None
        if not exact:
            seed = check_seed(seed) if seed is not None else new_seed()
            return cls(options, deal(options, seed, nonces), seed, nonces)
        if seed is not None or nonces:
            raise OptionError("option", "seed: goes without deck, treasures and dice; give one or the other")
        if deck is None:
            raise OptionError("deck", "deck: is missing; deck= and treasures= go together")
        if treasures is None:
            raise OptionError("treasures", "treasures: are missing; deck= and treasures= go together")
        if options.boulders and dice is None:
            raise OptionError("dice", "dice: are missing; boulders needs their sums, dice=11,9,… (48 always suffice)")
        chance = Chance(tuple(deck), tuple(treasures), tuple(dice or ()))
        chance.check(options)
        return cls(options, chance)

    # What is

    @property
    def state(self) -> State:
        """The state of the core. Read it; a clone is for playing on."""
        return self._state

    @property
    def phase(self) -> str:
        """What the seat is asked for: place, act, bid, take, decide, leap; or over."""
        return PHASES[self.state.phase]

    @property
    def seat(self) -> int | None:
        """Whose decision it is, from 1; None when the game is over."""
        return seat_or_none(self.state.seat)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.state.phase == FINISHED

    @property
    def history(self) -> Sequence[Step]:
        """All actions played and not taken back."""
        return self._steps

    @property
    def commitment(self) -> str | None:
        """The commitment to the seed, which may be shown from the start."""
        return commit(self.seed) if self.seed is not None else None

    def state_at(self, actions: int) -> State:
        """The state after so many actions of the history."""
        if actions == len(self._steps):
            return self._state
        mark = actions // MARK
        state = self._marks[mark].clone()
        for step in self._steps[mark * MARK : actions]:
            state.apply(notation.parse(step.action))
        return state

    def states(self) -> Iterator[State]:
        """All states of the game, from before the first action to now."""
        state = self._marks[0]
        yield state
        for step in self._steps:
            state = state.clone()
            state.apply(notation.parse(step.action))
            yield state

    def legal(self) -> list[str]:
        """All legal actions, in ASCII order."""
        moves = Moves()
        self.state.legal(moves)
        return sorted(notation.text(action) for action in moves)

    def status(self) -> Json:
        """The position, as the protocol's `status` tells it."""
        return status(self.state)

    def view(self, seat: int | None) -> Json:
        """What a seat may know; None is a spectator."""
        if seat is not None and seat not in range(1, self.options.players + 1):
            raise OptionError("usage", f"seat {seat}: must be from 1 to {self.options.players}")
        return view(self.state, self.options, seat)

    def offer(self) -> Json:
        """What the seat can do now, with costs, walks, refusals and previews; see `tikal.play.offer`."""
        from tikal.play.offer import offer

        return offer(self.state)

    def forecast(self) -> list[Json]:
        """What each seat would score if scoring came now; see `tikal.play.offer`."""
        from tikal.play.offer import forecast

        return forecast(self.state)

    # What is done

    def play(self, *actions: str) -> None:
        """Plays all of these actions, or none: then it raises, and says which one failed and why."""
        self.adopt(*self.foresee(actions))

    def foresee(self, actions: Iterable[str], after: State | None = None) -> tuple[list[State], list[Step]]:
        """The states and steps that actions would lead to, from now or from another state; nothing is played."""
        states = [after or self.state]
        steps = []
        moves = Moves()
        for action in actions:
            state, step = _step(states[-1], action, moves)
            states.append(state)
            steps.append(step)
        return states[1:], steps

    def adopt(self, states: Iterable[State], steps: Iterable[Step]) -> None:
        """Plays what `foresee` has judged already; nothing must have been played since."""
        for state, step in zip(states, steps, strict=True):
            self._state = state
            self._steps.append(step)
            if len(self._steps) % MARK == 0:
                self._marks.append(state)

    def undo(self, actions: int = 1) -> None:
        """Takes back the last actions, whatever they revealed."""
        played = len(self._steps)
        if not 1 <= actions <= played:
            right = f"must be from 1 to {played}" if played else "nothing has been played"
            raise UndoError("undo", f"can't take back {actions} actions: {right}")
        state = self.state_at(played - actions)
        del self._steps[-actions:]
        del self._marks[(played - actions) // MARK + 1 :]
        self._state = state

    def can_take_back(self) -> int:
        """How many actions the seat may take back: its own of this turn, up to the last barrier.

        Barriers are what reveals something or hands the turn on: `.`, bids, `V:`, `J:`, digging, dice, and a volcano.
        """
        free = 0
        for step in reversed(self._steps):
            if not may_take_back(step, self.state):
                break
            free += 1
        return free

    def take_back(self) -> None:
        """Takes back the seat's last action, if no barrier is in the way."""
        self._must_be_free("take back")
        self.undo(1)

    def restart_turn(self) -> None:
        """Goes back to the last barrier in one step."""
        self._must_be_free("start again")
        self.undo(self.can_take_back())

    def _must_be_free(self, what: str) -> None:
        if not self.can_take_back():
            why = "this turn has no action since the last thing that was revealed"
            raise UndoError("undo", f"nothing to {what}: {why}")

    # Stored games

    def to_json(self) -> Json:
        """The whole game with its history, also what is hidden."""
        return {
            "format": JSON_FORMAT,
            "rules": RULES_VERSION,
            "options": self.options.as_dict(),
            "deck": list(self.chance.deck),
            "treasures": list(self.chance.treasures),
            "dice": list(self.chance.dice),
            "seed": self.seed,
            "nonces": list(self.nonces),
            "actions": [step.text for step in self._steps],
            "status": self.status(),
        }

    @classmethod
    def from_json(cls, stored: Any) -> Game:
        """The game that `to_json` stored; replayed, and refused if it does not come to the same position.

        >>> game = Game.new(Options(), seed="42")
        >>> Game.from_json(game.to_json()).status() == game.status()
        True
        """
        try:
            return cls._restored(stored)
        except LoadError:
            raise
        except TikalError as error:
            raise LoadError("load", f"state: {error}") from None
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
            raise LoadError("load", f"state: not what `state` gives ({type(error).__name__}: {error})") from None

    @classmethod
    def _restored(cls, stored: Any) -> Game:
        if (stored["format"], stored["rules"]) != (JSON_FORMAT, RULES_VERSION):
            raise LoadError("load", f"state: only format {JSON_FORMAT} of rules {RULES_VERSION} can be loaded")
        options = Options(**stored["options"])
        deck, treasures, dice = _list(stored, "deck", str), _list(stored, "treasures", int), _list(stored, "dice", int)
        chance = Chance(tuple(deck), tuple(treasures), tuple(dice))
        chance.check(options)
        seed, nonces = stored["seed"], check_nonces(_list(stored, "nonces", str))
        if seed is not None and deal(options, seed, nonces) != chance:
            raise LoadError("load", "state: the seed does not give this deck, treasures and dice")
        game = cls(options, chance, seed, nonces)
        game.play(*_list(stored, "actions", str))
        if game.status() != stored["status"]:
            raise LoadError("load", "state: the actions do not lead to this status")
        return game

    def record(self, players: Sequence[str] = (), date: str = "", reveal: bool = False) -> str:
        """The game so far as a `.tikal` record; what is hidden is in it when the game is over, or with `reveal`."""
        from tikal.play.records import write

        return write(self, players, date, reveal)

    @classmethod
    def from_record(cls, text: str) -> Game:
        """The game of a record, replayed and checked; see `tikal.play.records.read`."""
        from tikal.play.records import read

        return read(text).game


def _list(stored: Any, name: str, kind: type) -> list[Any]:
    """A list of a stored game; JSON's `true` is no number here."""
    items = stored[name]
    if type(items) is not list or any(type(item) is not kind for item in items):
        raise ValueError(f"{name} must be a list of {kind.__name__}")
    return items


def _step(state: State, action: str, moves: Moves) -> tuple[State, Step]:
    """One checked action."""
    plain, given = notation.split(action)
    code = notation.parse(plain)
    state.legal(moves)
    if code not in list(moves):
        _refuse(state, plain, code)
    revealed = _revealed(state, code)
    if given is not None and given != revealed:
        raise IllegalAction("chance", f"{action}: the value in brackets is not what chance gives here", action)
    after = state.clone()
    after.apply(code)
    if after.gone != state.gone:
        return after, Step(state.seat + 1, plain, revealed, _gone(state, plain, after))
    return after, _plain_step(state.seat + 1, plain, revealed)


@lru_cache(1 << 14)
def _plain_step(seat: int, action: str, revealed: int | None) -> Step:
    """A step by which no tile left the game; equal ones are one and the same, in all games."""
    return Step(seat, action, revealed)


def _gone(state: State, action: str, after: State) -> tuple[Gone, ...]:
    """The tiles that an action let go, in the order in which their owners would have placed them.

    It is one tile, of the seat whose turn it is; but in `leaps` all tiles of a round are placed in a row.
    """
    tiles = tiles_of(after.gone & ~state.gone)
    facts = Facts(after)
    if not facts.leaps:
        return tuple(Gone(facts.turn_seat + 1, tile) for tile in tiles)
    owners = {TILES[tile].name: seat for seat, tile in enumerate(Facts(state).won) if tile != NO_TILE}
    if action.startswith("K:"):
        owners[action[2:]] = state.seat
    return tuple(Gone(owners[tile] + 1, tile) for tile in sorted(tiles, key=lambda t: facts.order.index(owners[t])))


def may_take_back(step: Step, state: State) -> bool:
    """Whether the last step to a state may be taken back by the seat that is to decide then."""
    return step.seat == state.seat + 1 and not _is_barrier(step)


def _is_barrier(step: Step) -> bool:
    kind = kind_of(notation.parse(step.action))
    if kind == codes.TAKE:
        return step.action[2:] in VOLCANOES
    return kind in (codes.END, codes.BID, codes.DECIDE, codes.LEAP) or step.revealed is not None


def _refuse(state: State, action: str, code: int) -> None:
    from tikal.rules.refusals import refusal

    why = refusal(Facts(state), code)
    assert why is not None, f"{action} is not legal, and nothing is said against it"
    rule = f"[{why.rule}]" if why.rule.startswith("R") else f"[rules {why.rule}]"
    raise IllegalAction(why.code, f"{action}: {why.text} {rule}", action, why.rule)


def _revealed(state: State, code: int) -> int | None:
    """What chance answers to this action: the kind dug, or the dice."""
    kind = kind_of(code)
    if kind == codes.DIG:
        facts = Facts(state)
        return int(facts.kinds[facts.token_at[code >> 5 & 63]]) + 1
    if kind == codes.EXCAVATE and getattr(state, "boulders", False):
        facts = Facts(state)
        if facts.dice_next >= facts.dice_count:
            raise DiceError("dice", f"dice: all {facts.dice_count} given sums are used up")
        return int(facts.dice[facts.dice_next])
    return None
