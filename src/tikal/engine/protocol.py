r"""The line protocol of `tikal engine`: a command is a line; the answer ends with `ok` or is one line `err CODE: text`.

>>> import io
>>> out = io.BytesIO()
>>> serve(io.BytesIO(b"newgame players=2 seed=42\nlegal\nplay nonsense\n"), out)
0
>>> out.getvalue().decode().splitlines()[0]
'ok'
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from tikal import __version__
from tikal.play import notation
from tikal.play.game import Game, IllegalAction
from tikal.play.view import status
from tikal.rules.core import Moves
from tikal.rules.errors import TikalError
from tikal.rules.options import VALUES, OptionError, as_text
from tikal.rules.tables import DICE_LIMIT

if TYPE_CHECKING:
    from tikal.play.position import Position

LINE_LIMIT = 16 * 2**20
ERROR_LIMIT = 500
PERFT_LIMIT = 64


class ProtocolError(TikalError):
    """A command that can't be carried out."""


def usage(text: str) -> ProtocolError:
    """Wrong or missing arguments."""
    return ProtocolError("usage", text)


class Engine:
    """One conversation, with the game or position that commands refer to.

    >>> list(Engine().answer("perft"))
    Traceback (most recent call last):
    tikal.engine.protocol.ProtocolError: no game is on; start one with newgame
    """

    def __init__(self) -> None:
        self._game: Game | None = None
        self._position: Position | None = None
        self.over = False

    def answer(self, line: str) -> Iterator[str]:
        """The answer to a command without the closing `ok`; raises a TikalError instead of `err`."""
        command, *rest = line.split(maxsplit=1)
        handler = _COMMANDS.get(command)
        if handler is None:
            shown = command if len(command) <= 40 else command[:40] + "…"
            raise ProtocolError("unknown", f"no command {shown!r}; there are {' '.join(_COMMANDS)}")
        return handler(self, rest[0].strip() if rest else "")

    def game(self) -> Game:
        """The current game."""
        if self._game is None:
            why = "only a position is set" if self._position else "no game is on"
            raise ProtocolError("nogame", f"{why}; start one with newgame")
        return self._game

    def current(self) -> Game | Position:
        """The game or position that commands refer to: whichever was set last."""
        return self._position or self.game()

    # Commands

    def info(self, rest: str) -> Iterator[str]:
        """Name, version, options and levels."""
        from tikal.bots import LEVELS

        _nothing("info", rest)
        yield f"id tikal {__version__}"
        for name, values in VALUES.items():
            yield f"option {name} {' '.join(map(as_text, values))}"
        for level in LEVELS:
            yield f"level {level}"

    def newgame(self, rest: str) -> Iterator[str]:
        """Starts a game; if that fails, the old one stays."""
        pairs = _pairs(rest, "newgame players=2 auction=true seed=42")
        self._game = Game.from_pairs(pairs)
        self._position = None
        return iter(())

    def legal(self, rest: str) -> Iterator[str]:
        """All legal actions, in ASCII order."""
        _nothing("legal", rest)
        moves = Moves()
        self.current().state.legal(moves)
        yield " ".join(sorted(map(notation.text, moves)))

    def play(self, rest: str) -> Iterator[str]:
        """Plays all of the actions, or none."""
        game = self.game()
        if not rest:
            raise usage("play needs actions, such as: play A5@b3^0 +L@a1")
        game.play(*rest.split())
        return iter(())

    def status(self, rest: str) -> Iterator[str]:
        """The position as one line of JSON."""
        _nothing("status", rest)
        yield _json(status(self.current().state))

    def state(self, rest: str) -> Iterator[str]:
        """The whole game with its history."""
        _nothing("state", rest)
        yield _json(self.game().to_json())

    def load(self, rest: str) -> Iterator[str]:
        """Loads a game that `state` returned."""
        self._game = Game.from_json(_parsed("load", rest))
        self._position = None
        return iter(())

    def view(self, rest: str) -> Iterator[str]:
        """What a seat may know."""
        game = self.game()
        seats = range(1, game.options.players + 1)
        if rest not in map(str, seats):
            raise usage(f"view needs a seat from 1 to {seats[-1]}")
        yield _json(game.view(int(rest)))

    def position(self, rest: str) -> Iterator[str]:
        """Sets a position that `view` returned."""
        from tikal.play.position import position

        self._position = position(_parsed("position", rest))
        self._game = None
        return iter(())

    def undo(self, rest: str) -> Iterator[str]:
        """Takes back the last actions."""
        game = self.game()
        game.undo(_count("undo", rest, 1, 10**9))
        return iter(())

    def best(self, rest: str) -> Iterator[str]:
        """What a bot would play."""
        from tikal.bots import best
        from tikal.play.position import own_position

        here = self.current()
        pairs = _pairs(rest, "best level=digger nodes=1000 seed=1")
        if isinstance(here, Game):
            here = own_position(here.view(here.seat))
        yield " ".join(best(here, pairs))

    def perft(self, rest: str) -> Iterator[str]:
        """Counts action sequences."""
        from tikal.rules.tree import perft

        game = self.game()
        depth = _count("perft", rest, 0, PERFT_LIMIT)
        dice = getattr(game.state, "dice_count", DICE_LIMIT), getattr(game.state, "dice_next", 0)
        if game.options.boulders and dice[0] < DICE_LIMIT and depth > dice[0] - dice[1]:
            raise ProtocolError("dice", f"dice: {dice[0] - dice[1]} sums are left, perft {depth} may need {depth}")
        total = 0 if depth and not game.over else 1
        for action in game.legal() if depth else ():
            child = game.state.clone()
            child.apply_unchecked(notation.parse(action))
            count = perft(child, depth - 1)
            total += count
            yield f"{action} {count}"
        yield f"total {total}"

    def record(self, rest: str) -> Iterator[str]:
        """The game so far as a record."""
        _nothing("record", rest)
        yield from self.game().record().splitlines()

    def quit(self, rest: str) -> Iterator[str]:
        """Ends the conversation."""
        _nothing("quit", rest)
        self.over = True
        return iter(())


_COMMANDS: dict[str, Callable[[Engine, str], Iterator[str]]] = {
    name: getattr(Engine, name)
    for name in ("info", "newgame", "legal", "play", "status", "state", "load", "view", "position", "undo", "best",
                 "perft", "record", "quit")
}  # fmt: skip


def _nothing(command: str, rest: str) -> None:
    if rest:
        raise usage(f"{command} takes no arguments")


def _pairs(rest: str, example: str) -> dict[str, str]:
    """KEY=VALUE words; each key may occur once."""
    pairs: dict[str, str] = {}
    for word in rest.split():
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise usage(f"{word[:40]!r}: must be KEY=VALUE, such as: {example}")
        if name in pairs:
            raise OptionError("option", f"{name}: is given twice")
        pairs[name] = value
    return pairs


def _count(command: str, rest: str, least: int, most: int) -> int:
    if not (rest.isascii() and rest.isdigit() and len(rest) <= 10 and least <= int(rest) <= most):
        raise usage(f"{command} needs a number from {least}" + (f" to {most}" if most < 10**9 else ""))
    return int(rest)


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


def _parsed(command: str, rest: str) -> Any:
    if not rest:
        raise usage(f"{command} needs one line of JSON")
    try:
        return json.loads(rest)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("load", f"{command}: this is not JSON ({error})") from None


def reply(engine: Engine, line: str) -> Iterator[str]:
    """The lines written for a line of input; an empty line gets no answer.

    >>> list(reply(Engine(), "legal"))
    ['err nogame: no game is on; start one with newgame']
    """
    if not line.strip():
        return
    try:
        lines = list(engine.answer(line))
    except IllegalAction as error:
        yield _error("illegal", str(error))
    except TikalError as error:
        yield _error(error.code, str(error))
    except Exception as error:
        # A bug in our code must not end the conversation: nothing has changed, and the other program gets an error.
        yield _error("usage", f"internal error, please report it ({type(error).__name__}: {error})")
    else:
        yield from lines
        yield "ok"


def _error(code: str, text: str) -> str:
    """An error as one line of limited length."""
    line = " ".join(text.split())
    return f"err {code}: {line if len(line) <= ERROR_LIMIT else line[:ERROR_LIMIT] + '…'}"


def _read_line(source: BinaryIO) -> bytes:
    """The next line, empty at the end of the input. A line that is too long is read to its end and cut."""
    line = rest = source.readline(LINE_LIMIT)
    while _is_cut(rest):
        rest = source.readline(LINE_LIMIT)
    return line


def _is_cut(line: bytes) -> bool:
    return len(line) == LINE_LIMIT and not line.endswith(b"\n")


def serve(source: BinaryIO, out: BinaryIO) -> int:
    """Answers line by line until `quit` or the end of the input."""
    engine = Engine()
    while not engine.over and (raw := _read_line(source)):
        if _is_cut(raw):
            answer = iter([_error("usage", f"a line must be shorter than {LINE_LIMIT >> 20} MiB")])
        else:
            answer = reply(engine, raw.decode("utf-8", "replace"))
        out.write("".join(f"{text}\n" for text in answer).encode("utf-8", "replace"))
        out.flush()
    return 0


def main() -> int:
    """Serves standard input and output until the input ends."""
    import sys

    return serve(sys.stdin.buffer, sys.stdout.buffer) if sys.stdin else 0
