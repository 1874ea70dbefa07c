"""`Game`: a game as people and programs use it. Every action is checked before the core gets it.

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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import Any

from tikal.play import notation
from tikal.play.action import Action
from tikal.play.chance import check_nonces, check_seed, commit, deal, new_seed
from tikal.play.view import Json, seat_or_none, status, tiles_of, view
from tikal.rules import RULES_VERSION, codes
from tikal.rules.codes import FINISHED, LEAPING, NO_TILE, PHASES, fields_of, kind_of
from tikal.rules.core import Moves, State
from tikal.rules.errors import TikalError
from tikal.rules.facts import Facts
from tikal.rules.options import OptionError, Options
from tikal.rules.setup import Chance, new_state
from tikal.rules.tables import DICE_LIMIT, TILES

JSON_FORMAT = 1
PICKLE_FORMAT = 1
CHANCE = ("seed", "deck", "treasures", "dice")  # keys of a new game besides its options
SECRET = "J:?"  # tokens that are still hidden
CHECKPOINT = 64  # the state after every 64th action is kept; those in between are replayed on demand


class IllegalAction(TikalError):
    """An action that can't be taken now; `code` names the condition that failed, `rule` is its section or ruling."""

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
    """A stored game that is malformed or does not replay to its stored position; `code` is `load`."""


@dataclass(frozen=True, slots=True)
class Gone:
    """A tile that fitted nowhere and left the game [R2], and the seat that had to place it."""

    seat: int
    tile: str


@dataclass(frozen=True, slots=True)
class Step:
    """An action that was played: the seat, what chance revealed, and the tiles that left the game right after it."""

    seat: int
    action: str
    revealed: int | None = None
    gone: tuple[Gone, ...] = ()

    @property
    def parsed(self) -> Action:
        """The action with its parts.

        >>> Step(1, "D@b3", 3).parsed.hexes
        ('b3',)
        """
        return _parsed(self.action)

    @property
    def text(self) -> str:
        """The action as a record writes it.

        >>> Step(1, "D@b3", 3).text
        'D@b3(3)'
        """
        return self.action if self.revealed is None else f"{self.action}({self.revealed})"


_parsed = lru_cache(1 << 13)(Action.parse)


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
        seed: str | int | None = None,
        nonces: Sequence[str] = (),
        deck: Sequence[str] | None = None,
        treasures: Sequence[int] | None = None,
        dice: Sequence[int] | None = None,
    ) -> Game:
        """A new game: from a seed (42 means "42"), from exact chance, or from a fresh random seed.

        >>> Game.new(Options(), seed="42", deck=["A1"])
        Traceback (most recent call last):
        tikal.rules.options.OptionError: seed: can't be combined with deck, treasures and dice; give one or the other
        """
        exact = deck is not None or treasures is not None or dice is not None
        if not exact:
            seed = check_seed(seed) if seed is not None else new_seed()
            return cls(options, deal(options, seed, nonces), seed, nonces)
        if seed is not None or nonces:
            text = "seed: can't be combined with deck, treasures and dice; give one or the other"
            raise OptionError("option", text, "option_seed_and_deck")
        if deck is None:
            raise OptionError("deck", "deck: is missing; deck= and treasures= go together", "option_deck")
        if treasures is None:
            text = "treasures: are missing; deck= and treasures= go together"
            raise OptionError("treasures", text, "option_treasures")
        if options.boulders and dice is None:
            text = f"dice: are missing; boulders needs their sums, dice=11,9,… ({DICE_LIMIT} always suffice)"
            raise OptionError("dice", text, "option_dice", most=DICE_LIMIT)
        chance = Chance(tuple(deck), tuple(treasures), tuple(dice or ()))
        chance.check(options)
        return cls(options, chance)

    @classmethod
    def from_pairs(cls, pairs: Mapping[str, str]) -> Game:
        """A new game from options and chance in the notation's form.

        >>> Game.from_pairs({"players": "3", "auction": "true", "seed": "7"}).options.players
        3
        """
        chance = {name: pairs[name] for name in CHANCE if name in pairs}
        options = Options.parse({name: text for name, text in pairs.items() if name not in chance})
        return cls.new(
            options,
            seed=chance.get("seed"),
            deck=chance["deck"].split(",") if "deck" in chance else None,
            treasures=_numbers(chance, "treasures"),
            dice=_numbers(chance, "dice"),
        )

    # Copies and pickles

    def __copy__(self) -> Game:
        """An independent copy."""
        copy = Game.__new__(Game)
        copy.__dict__.update(self.__dict__)
        copy._state = self._state.clone()
        copy._marks, copy._steps = self._marks[:], self._steps[:]
        return copy

    def __deepcopy__(self, _memo: Any) -> Game:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: the options, the chance and the actions; unpickling replays them."""
        actions = " ".join(step.text for step in self._steps)
        chance = self.chance.deck, self.chance.treasures, self.chance.dice
        return _unpickled, (PICKLE_FORMAT, self.options.as_dict(), chance, self.seed, self.nonces, actions)

    # Reading a game

    @property
    def state(self) -> State:
        """The state of the core. Don't change it; continue with a clone."""
        return self._state

    @property
    def phase(self) -> str:
        """The kind of decision: place, act, bid, take, decide, leap; or over."""
        return PHASES[self.state.phase]

    @property
    def seat(self) -> int | None:
        """The seat to move, from 1; None when the game is over."""
        return seat_or_none(self.state.seat)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.state.phase == FINISHED

    @property
    def history(self) -> Sequence[Step]:
        """All actions that were played, without those taken back."""
        return self._steps

    # Secrecy: what a seat may know of the history. Tokens of a leap are secret until all have chosen.

    @property
    def secret(self) -> int:
        """How many actions at the end of the history are secret choices of tokens.

        Between two rounds of choices a seat spends tokens and ends with `.`, so all choices at the end belong together.
        """
        return self._tokens_at_end() if self.state.phase == LEAPING else 0

    @property
    def public_history(self) -> Sequence[Step]:
        """The actions that are public."""
        return self._steps[: len(self._steps) - self.secret]

    def step_for(self, number: int, seat: int | None) -> Step:
        """Action `number` (from 1) of the history as a seat may know it; None is a spectator.

        A secret choice of another seat is `J:?`.
        """
        step = self._steps[number - 1]
        hidden = number > len(self._steps) - self.secret and step.seat != seat
        return Step(step.seat, SECRET) if hidden else step

    def just_shown(self) -> dict[int, int]:
        """Tokens by seat, if the last action made all seats show their choices; otherwise empty."""
        if not self.options.leaps or self.state.phase == LEAPING:
            return {}
        last = self._steps[len(self._steps) - self._tokens_at_end() :]
        return {step.seat: step.parsed.number for step in reversed(last)}

    def _tokens_at_end(self) -> int:
        return sum(1 for _ in takewhile(lambda step: step.parsed.kind == "leap", reversed(self._steps)))

    @property
    def commitment(self) -> str | None:
        """The commitment to the seed; it may be published from the start."""
        return commit(self.seed) if self.seed is not None else None

    def state_at(self, actions: int) -> State:
        """The state after this number of actions."""
        if actions == len(self._steps):
            return self._state
        mark = actions // CHECKPOINT
        state = self._marks[mark].clone()
        for step in self._steps[mark * CHECKPOINT : actions]:
            state.apply_unchecked(notation.parse(step.action))
        return state

    def states(self) -> Iterator[State]:
        """All states of the game, from before the first action to now."""
        state = self._marks[0]
        yield state
        for step in self._steps:
            state = state.clone()
            state.apply_unchecked(notation.parse(step.action))
            yield state

    def legal(self) -> list[str]:
        """All legal actions, in ASCII order."""
        moves = Moves()
        self.state.legal(moves)
        return sorted(notation.text(action) for action in moves)

    def status(self) -> Json:
        """The position, in the form of the protocol's `status`."""
        return status(self.state)

    def view(self, seat: int | None) -> Json:
        """What a seat may know; None is a spectator."""
        if seat is not None and seat not in range(1, self.options.players + 1):
            text = f"seat {seat}: must be from 1 to {self.options.players}"
            raise OptionError("usage", text, "option_seat", seat=seat, seats=self.options.players)
        return view(self.state, self.options, seat)

    def offer(self) -> Json:
        """What the seat can do now, with costs, walks, refusals and previews; see `tikal.play.offer`."""
        from tikal.play.offer import offer

        return offer(self.state)

    def forecast(self) -> list[Json]:
        """What each seat would score now; see `tikal.play.offer`."""
        from tikal.play.offer import forecast

        return forecast(self.state)

    # Playing

    def play(self, *actions: str) -> None:
        """Plays all of these actions, or raises and plays none; the error names the one that failed and the reason."""
        self.adopt(*self.foresee(actions))

    def foresee(self, actions: Iterable[str], after: State | None = None) -> tuple[list[State], list[Step]]:
        """The states and steps that actions would lead to, from the current state or another. Plays nothing."""
        states = [after or self.state]
        steps = []
        moves = Moves()
        for action in actions:
            state, step = _step(states[-1], action, moves)
            states.append(state)
            steps.append(step)
        return states[1:], steps

    def adopt(self, states: Iterable[State], steps: Iterable[Step]) -> None:
        """Plays what `foresee` returned; nothing may have been played since."""
        for state, step in zip(states, steps, strict=True):
            self._state = state
            self._steps.append(step)
            if len(self._steps) % CHECKPOINT == 0:
                self._marks.append(state)

    def undo(self, actions: int = 1) -> None:
        """Takes back the last actions, even if they revealed something."""
        played = len(self._steps)
        if not 1 <= actions <= played:
            right = f"must be from 1 to {played}" if played else "nothing has been played"
            raise UndoError("undo", f"can't take back {actions} actions: {right}")
        state = self.state_at(played - actions)
        del self._steps[-actions:]
        del self._marks[(played - actions) // CHECKPOINT + 1 :]
        self._state = state

    def can_take_back(self) -> int:
        """How many actions the seat may take back: those of this turn since the last barrier (`Action.is_barrier`)."""
        free = 0
        for step in reversed(self._steps):
            if not may_take_back(step, self.state):
                break
            free += 1
        return free

    def take_back(self) -> None:
        """Takes back the seat's last action, unless it is a barrier."""
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
        """The whole game with its history, including what is hidden."""
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
        """Replays a game that `to_json` stored; raises `LoadError` if the position differs.

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
            raise LoadError("load", f"state: not an output of `state` ({type(error).__name__}: {error})") from None

    @classmethod
    def _restored(cls, stored: Any) -> Game:
        if (stored["format"], stored["rules"]) != (JSON_FORMAT, RULES_VERSION):
            raise LoadError("load", f"state: only format {JSON_FORMAT} of rules {RULES_VERSION} can be loaded")
        options = Options(**stored["options"])
        deck, treasures, dice = _list(stored, "deck", str), _list(stored, "treasures", int), _list(stored, "dice", int)
        chance = Chance(tuple(deck), tuple(treasures), tuple(dice))
        chance.check(options)
        seed, nonces = stored["seed"], check_nonces(_list(stored, "nonces", str))
        if not isinstance(seed, str | None):
            raise ValueError("seed must be a str")
        if seed is not None and deal(options, seed, nonces) != chance:
            raise LoadError("load", "state: the seed does not give this deck, treasures and dice")
        game = cls(options, chance, seed, nonces)
        game.play(*_list(stored, "actions", str))
        if game.status() != stored["status"]:
            raise LoadError("load", "state: the actions do not lead to this status")
        return game

    def record(self, players: Sequence[str] = (), date: str = "", reveal: bool = False) -> str:
        """The game so far as a `.tikal` record; what is hidden is included when the game is over, or with `reveal`."""
        from tikal.play.records import write

        return write(self, players, date, reveal)

    @classmethod
    def from_record(cls, text: str) -> Game:
        """The game of a record, replayed and checked; see `tikal.play.records.read`."""
        from tikal.play.records import read

        return read(text).game


def _numbers(chance: Mapping[str, str], name: str) -> list[int] | None:
    if name not in chance:
        return None
    words = chance[name].split(",")
    if not all(word.isascii() and word.isdigit() and len(word) <= 3 for word in words):
        text = f"{name}: must be numbers separated by commas, without spaces"
        raise OptionError(name, text, "option_numbers", option=name)
    return [int(word) for word in words]


def _unpickled(
    form: int, options: Json, chance: tuple[Any, Any, Any], seed: str | None, nonces: tuple[str, ...], actions: str
) -> Game:
    """Rebuilds a pickled game."""
    if form != PICKLE_FORMAT:
        raise LoadError("load", f"a game pickled in format {form} can't be read; this version reads {PICKLE_FORMAT}")
    game = Game(Options(**options), Chance(*chance), seed, nonces)
    game.play(*actions.split())
    return game


def _list(stored: Any, name: str, kind: type) -> list[Any]:
    """A list of a stored game; JSON's `true` does not count as a number."""
    items = stored[name]
    if type(items) is not list or any(type(item) is not kind for item in items):
        raise ValueError(f"{name} must be a list of {kind.__name__}")
    return items


def _step(state: State, action: str, moves: Moves) -> tuple[State, Step]:
    """Checks and plays one action."""
    plain, given = notation.split(action)
    code = notation.parse(plain)
    state.legal(moves)
    if code not in list(moves):
        _refuse(state, plain, code)
    revealed = _revealed(state, code)
    if given is not None and given != revealed:
        raise IllegalAction("chance", f"{action}: the value in brackets is not what chance gives here", action)
    after = state.clone()
    after.apply_unchecked(code)
    if after.gone != state.gone:
        return after, Step(state.seat + 1, plain, revealed, _gone(state, plain, after))
    return after, _plain_step(state.seat + 1, plain, revealed)


@lru_cache(1 << 14)
def _plain_step(seat: int, action: str, revealed: int | None) -> Step:
    """A step without tiles that left the game; equal steps share one object, across games."""
    return Step(seat, action, revealed)


def _gone(state: State, action: str, after: State) -> tuple[Gone, ...]:
    """The tiles that left the game by an action, in the order in which their owners would have placed them.

    At most one, of the seat to move; but in `leaps`, where a round's tiles are placed in a row, several are possible.
    """
    tiles = tiles_of(after.gone & ~state.gone)
    facts = Facts(after)
    if not facts.leaps:
        return tuple(Gone(facts.turn_seat + 1, tile) for tile in tiles)
    owners = {TILES[tile].name: seat for seat, tile in enumerate(Facts(state).won) if tile != NO_TILE}
    played = Action.parse(action)
    if played.kind == "take":
        owners[played.tile] = state.seat
    return tuple(Gone(owners[tile] + 1, tile) for tile in sorted(tiles, key=lambda t: facts.order.index(owners[t])))


def may_take_back(step: Step, state: State) -> bool:
    """Whether the seat to move in a state may take back the step that led to it."""
    return step.seat == state.seat + 1 and not step.parsed.is_barrier(state)


def _refuse(state: State, action: str, code: int) -> None:
    from tikal.rules.refusals import is_ruling, refusal

    why = refusal(Facts(state), code)
    assert why is not None, f"{action} is not legal, but no refusal says why"
    rule = f"[{why.rule}]" if is_ruling(why.rule) else f"[rules {why.rule}]"
    raise IllegalAction(why.code, f"{action}: {why.text} {rule}", action, why.rule)


def _revealed(state: State, code: int) -> int | None:
    """What chance reveals after this action: the kind of the treasure, or the dice."""
    kind = kind_of(code)
    if kind == codes.DIG:
        facts = Facts(state)
        return int(facts.kinds[facts.token_at[fields_of(code)[0]]]) + 1
    if kind == codes.EXCAVATE and getattr(state, "boulders", False):
        facts = Facts(state)
        if facts.dice_next >= facts.dice_count:
            text = f"dice: all {facts.dice_count} given sums are used up"
            raise DiceError("dice", text, "dice_used_up", count=int(facts.dice_count))
        return int(facts.dice[facts.dice_next])
    return None
