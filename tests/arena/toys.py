"""Small bots for tests, good and bad ones; `conftest.py` registers them under their names in small letters."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tikal.play import notation
from tikal.play.position import position
from tikal.rules.codes import BID, DIG, END, EXCAVATE, LEAP, TAKE, kind_of
from tikal.rules.core import Moves

View = dict[str, Any]


class Toy:
    """A bot that places where it can and ends its turns: nobody scores."""

    def __init__(self, parameters: dict[str, str] | None = None) -> None:
        self.parameters = parameters or {}
        self.name = type(self).__name__.lower()
        self.asked = 0

    def plan(self, view: View, seed: int) -> list[str]:
        self.asked += 1
        if view["phase"] == "act":
            return ["."]
        moves = Moves()
        position(view).state.legal(moves)
        return [min(notation.text(action) for action in moves)]

    def close(self) -> None:
        pass

    def now(self) -> bool:
        """Whether to misbehave: at the n-th question."""
        return self.asked == int(self.parameters.get("at", "5"))


class Passive(Toy):
    pass


class Wanderer(Toy):
    """Plays at random from its seed; ends its turns late, and bids low."""

    def plan(self, view: View, seed: int) -> list[str]:
        rng = random.Random(seed)
        state = position(view).state.clone()
        seat, plan, moves = state.seat, [], Moves()
        while state.seat == seat:
            state.legal(moves)
            action = rng.choice([a for a in moves if kind_of(a) != END][: 3 if view["phase"] == "bid" else None] or [0])
            plan.append(notation.text(action))
            state.apply(action)
            if kind_of(action) in (BID, DIG, EXCAVATE, END, LEAP, TAKE):
                break
        return plan


class Slow(Wanderer):
    """Takes its time, so that a test can interrupt it; writes its process id into a folder."""

    def plan(self, view: View, seed: int) -> list[str]:
        folder = os.environ.get("TOYS_FOLDER")
        if folder:
            (Path(folder) / f"worker-{os.getpid()}").touch()
        time.sleep(0.002)
        return super().plan(view, seed)


class Crasher(Toy):
    def plan(self, view: View, seed: int) -> list[str]:
        answer = super().plan(view, seed)
        if self.now():
            raise ValueError("two\nlines")
        return answer


class Quitter(Toy):
    def plan(self, view: View, seed: int) -> list[str]:
        answer = super().plan(view, seed)
        return sys.exit("enough") if self.now() else answer


class Unmakable(Toy):
    """Can be made in the main process, where it is checked, but not at the table."""

    def __init__(self, parameters: dict[str, str] | None = None) -> None:
        super().__init__(parameters)
        if os.environ.get("TOYS_UNMAKABLE"):
            raise OSError("no engine here")


class Killed(Toy):
    """Kills its whole process."""

    def plan(self, view: View, seed: int) -> list[str]:
        answer = super().plan(view, seed)
        if self.now():
            os.kill(os.getpid(), signal.SIGKILL)
        return answer


class Leaver(Toy):
    """Ends its process with exit code 0."""

    def plan(self, view: View, seed: int) -> list[str]:
        answer = super().plan(view, seed)
        if self.now():
            os._exit(0)
        return answer


class Hanger(Toy):
    """Starts a program, writes its process id, and never answers."""

    def plan(self, view: View, seed: int) -> list[str]:
        answer = super().plan(view, seed)
        if self.now():
            program = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
            (Path(os.environ["TOYS_FOLDER"]) / f"program-{program.pid}").touch()
            program.wait()
        return answer


class Cheat(Toy):
    """Answers with an illegal action, given by the parameter."""

    ANSWERS: dict[str, Any] = {  # noqa: RUF012
        "illegal": ["X@h5"],
        "nonsense": ["checkmate"],
        "nothing": [],
        "number": 42,
        "numbers": [1, 2],
        "text": ".",
    }

    def plan(self, view: View, seed: int) -> list[str]:
        answer = super().plan(view, seed)
        chosen: list[str] = self.ANSWERS[self.parameters["how"]] if self.now() else answer
        return chosen


class Meddler(Toy):
    """Continues for the next seat."""

    def plan(self, view: View, seed: int) -> list[str]:
        answer = super().plan(view, seed)
        return [".", "A1@c2^0"] if view["phase"] == "act" and view["scoring"] is None else answer


class Talker(Toy):
    """Prints to standard output, from Python and below it."""

    def plan(self, view: View, seed: int) -> list[str]:
        sys.stdout.write("I think, therefore I print\n")
        sys.stdout.flush()
        os.write(1, b"and so do my libraries\n")
        return super().plan(view, seed)


class Sulker(Toy):
    """Plays well, and fails when it is closed."""

    def close(self) -> None:
        raise RuntimeError("I will not go")


def die_at_once(*_: object) -> None:
    """A game that ends its worker before any bot is asked."""
    os._exit(3)


TOYS = (Passive, Wanderer, Slow, Crasher, Quitter, Unmakable, Killed, Leaver, Hanger, Cheat, Meddler, Talker, Sulker)
