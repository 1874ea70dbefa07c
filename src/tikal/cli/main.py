"""`tikal …`: finds the subcommand, runs it, and turns errors into one line and an exit code.

A subcommand is a module with `add_arguments(parser)` and `run(args) -> int`, and one line in `COMMANDS`. Only
the module of the used subcommand is imported: `tikal engine` must start at once.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NoReturn

from tikal.cli.plain import plain
from tikal.rules.errors import TikalError

OK, NO, USAGE, FAULT, INTERRUPTED = 0, 1, 2, 3, 130
LONGEST = 600  # characters of an error message


@dataclass(frozen=True, slots=True)
class Command:
    """A subcommand: its name, its module, and its purpose."""

    name: str
    module: str
    help: str


COMMANDS = (
    Command("play", "tikal.cli.play", "play in this terminal, against bots or with others at one keyboard"),
    Command("replay", "tikal.cli.replay", "step through the record of a game"),
    Command("picture", "tikal.cli.picture", "draw the board as an SVG file"),
    Command("verify", "tikal.cli.verify", "check a record: the rules, the result, the shuffle"),
    Command("bots", "tikal.cli.bots", "list the bots, and test one"),
    Command("analyse", "tikal.cli.analyse", "find the best turns in a position, and who is likely to win"),
    Command("habits", "tikal.cli.habits", "measure how players spend their action points, from records"),
    Command("learn", "tikal.cli.learn", "tune the bots by letting them play"),
    Command("engine", "tikal.cli.engine", "speak the engine protocol on standard input and output"),
    Command("perft", "tikal.cli.perft", "count the action sequences of a given length"),
    Command("bench", "tikal.cli.bench", "measure the speed of the rules on this machine"),
    Command("arena", "tikal.arena.cli", "let bots play matches against each other"),
    Command("serve", "tikal.cli.serve", "run a server: play in the browser, alone or with others"),
    Command("bot-worker", "tikal.cli.bot_worker", "run a server's bots, on this or another machine"),
    Command("migrate", "tikal.cli.migrate", "upgrade a server's database"),
    Command("doctor", "tikal.cli.doctor", "check a server: database, disk, permissions, clock, workers, proxy"),
    Command("export", "tikal.cli.export", "save all of a server's games to one file"),
    Command("import", "tikal.cli.import_games", "load an exported file into an empty database"),
    Command("stats", "tikal.cli.stats", "show a server's ranking, or recompute it"),
    Command("completion", "tikal.cli.completion", "print a completion script for your shell"),
)

EPILOG = """\
examples:
  tikal play                            asks how many players, and against whom
  tikal play --bot 2=surveyor           a game against a bot
  tikal play --resume                   resume your last game
  tikal replay game.tikal --at 40       look at a game after its 40th action
  tikal verify game.tikal && echo fair  use the exit code in a script

exit codes:
  0    done
  1    the answer is no: a record does not verify, a match was lost, …
  2    wrong arguments, or input that can't be used
  3    a fault in tikal itself (TIKAL_DEBUG=1 shows where)
  130  interrupted

`tikal COMMAND --help` explains a command.
"""


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def __init__(self, *args: Any, **options: Any) -> None:
        ours = {"formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False}
        super().__init__(*args, **{**ours, **options})

    def error(self, message: str) -> NoReturn:
        """Report the error, and name the help command."""
        self.exit(USAGE, f"tikal: {message} (try: {self.prog} --help)\n")


class _Version(argparse.Action):
    """Prints the version; whether the rules are compiled is only checked on demand."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from tikal import __version__
        from tikal._compiled import mode

        name, why = mode()
        print(f"tikal {__version__} ({name}: {why})" if why else f"tikal {__version__} ({name})")
        parser.exit()


def parser_for(names: Sequence[str]) -> Parser:
    """The parser of `tikal`; only the commands in `names` get their arguments (and their modules imported).

    >>> parser_for(["play"]).parse_args(["play", "--players", "3"]).players
    3
    """
    parser = Parser(prog="tikal", description="Tikal, the complete computer edition.", epilog=EPILOG)
    about = "print the version, and whether the rules run compiled"
    parser.add_argument("--version", action=_Version, nargs=0, help=about)
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for command in COMMANDS:
        sub = subparsers.add_parser(command.name, help=command.help, description=_sentence(command.help))
        if command.name in names:
            module = _module(command)
            module.add_arguments(sub)
            sub.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run `tikal` with these arguments; returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # Undecodable or unprintable text is replaced; it must not end a game.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader (`| head`) has closed the pipe. Buffered output must not fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        return _complain(_in_words(TikalError("usage", "interrupted", "interrupted")), INTERRUPTED)
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # rich's reaction to a closed pipe
            return OK
        return end.code if isinstance(end.code, int) else OK
    except TikalError as error:
        return _complain(_in_words(error), USAGE)
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error), USAGE)
    except UnicodeDecodeError:
        return _complain("a file is damaged, or not text in UTF-8", USAGE)
    except Exception as error:
        if why := _trouble_with_database(error):
            return _complain(f"the database can't be used: {why}; if it is damaged, restore a backup", USAGE)
        return _complain(f"a fault in tikal itself: {error!r} (TIKAL_DEBUG=1 shows where)", FAULT)


def _trouble_with_database(error: Exception) -> str | None:
    """A database error in one line; None for other errors."""
    module = sys.modules.get("sqlalchemy.exc")  # loaded only if a database is used
    if module is None or not isinstance(error, module.DBAPIError):
        return None
    return str(error.orig).splitlines()[0]


def _run(arguments: list[str]) -> int:
    chosen = next((word for word in arguments if not word.startswith("-")), "")
    parser = parser_for([chosen])
    args, unknown = parser.parse_known_args(arguments)
    if unknown:
        parser.prog = f"tikal {args.command or ''}".strip()
        parser.error(f"unknown argument: {unknown[0]}")
    if args.command is None:
        parser.print_help()
        return USAGE
    code: int = args.run(args)
    return code


def _module(command: Command) -> Any:
    try:
        return import_module(command.module)
    except ModuleNotFoundError as error:
        if error.name is None or not command.module.startswith(error.name):
            raise
        raise TikalError("usage", f"{command.name}: this installation has no {command.module}") from error


def _complain(text: str, code: int) -> int:
    """Prints one line on stderr; with TIKAL_DEBUG=1 the traceback first."""
    if os.environ.get("TIKAL_DEBUG") == "1":
        import traceback

        traceback.print_exc()
    line = plain(" ".join(text.split()))
    print("tikal:", line if len(line) <= LONGEST else f"{line[:LONGEST]}…", file=sys.stderr)
    return code


def _in_words(error: TikalError) -> str:
    """An error in the user's language, if the command speaks it."""
    language = sys.modules.get("tikal.cli.language")
    return str(language.explained(error)) if language else error.text


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."
