"""`tikal arena`: bots against bots, from the command line."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tikal.arena.errors import ArenaError
from tikal.arena.journal import journal_of, read_journal
from tikal.arena.match import Match
from tikal.arena.outcome import Outcome
from tikal.arena.run import LIMIT, Keeper, check_players, play_match
from tikal.arena.schedule import Fixture
from tikal.arena.specs import split_players
from tikal.arena.sprt import Sprt
from tikal.rules.options import EDITIONS, Options

OK, NO, INTERRUPTED = 0, 1, 130
GAMES, SEED = 100, "1"

EPILOG = """\
players:
  LEVEL[:key=value[,key=value...]], for example tourist, digger, surveyor:width=200, professor:nodes=20000.
  program:COMMAND is a program that speaks the engine protocol; packages add more by the entry point tikal.bots.
  Commas separate players and also the parameters of one: a part with "=" and no ":" before it is a parameter of the
  previous player, so professor:nodes=1000,width=20,digger is two players. A spec with other commas needs --player.
  The same spec may occur more than once; each is counted separately.

games:
  A deal (the same tiles and treasures) is played once for each rotation of the seats, so that luck cancels out; --games
  is rounded up to whole deals. A win shared by two players counts half for each. A bot that crashes, plays something
  illegal or thinks longer than --limit loses that game; the others share the win, and the game does not count in the
  mean scores. If bots are limited by nodes, not by time, the same --seed gives the same match, whatever --workers is.

files:
  --out FILE also keeps FILE.journal, a line per game, on disk as soon as the game ends. After Ctrl-C or a crash,
  --resume FILE plays exactly the games that are missing; with --games it can also play more.

sequential test:
  --sprt 0,20 asks whether the first player is better than the others: H0, it is 0 Elo stronger, against H1, 20 Elo.
  --sprt 50%,55% asks the same in win rates. All entries with the first player's spec are one side. The match ends when
  the test is decided, or after --games; the exit code is 0 if H1 is accepted, else 1.

examples:
  tikal arena --players surveyor,digger --games 200 --seed 1 --workers 2
  tikal arena --players professor,digger,digger,digger --options auction --games 40 --out run.json
  tikal arena --resume run.json --records games --plot run.svg
  tikal arena --players surveyor:width=32,surveyor --sprt 0,30 --games 5000
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: players, options of the game, how to play, and which files to write."""
    parser.epilog = EPILOG
    match = parser.add_argument_group("the match")
    match.add_argument("--players", metavar="SPEC,SPEC", help="2 to 4 players, separated by commas")
    match.add_argument(
        "--player", action="append", metavar="SPEC", help="one player; can be repeated (instead of --players)"
    )
    match.add_argument("--games", type=int, metavar="N", help="how many games, rounded up to whole deals (default 100)")
    match.add_argument("--seed", help="seed of all deals and bots (default 1)")
    match.add_argument(
        "--sprt", metavar="H0,H1", help="sequential test for the first player, such as 0,20 or 50%%,55%%"
    )
    match.add_argument("--sprt-errors", metavar="ALPHA,BETA", help="its chances of error (default 0.05,0.05)")
    game = parser.add_argument_group("the game")
    game.add_argument("--edition", choices=list(EDITIONS), help="which edition of the rules (default super-meeple)")
    game.add_argument("--options", metavar="NAME,NAME", help="options to switch on, such as auction,boulders=2d6")
    game.add_argument("--option", action="append", metavar="KEY=VALUE", help="any option by name; can be repeated")
    how = parser.add_argument_group("how it is played")
    how.add_argument("--workers", type=int, metavar="N", help="processes (default: one per core; 0: this one)")
    about = f"how long a bot may think about one answer (default {LIMIT:g})"
    how.add_argument("--limit", type=float, metavar="SECONDS", default=LIMIT, help=about)
    how.add_argument("--quiet", action="store_true", help="no progress on standard error")
    kept = parser.add_argument_group("what is kept")
    kept.add_argument("--out", type=Path, metavar="FILE", help="results as .json or .csv, and a journal to resume from")
    kept.add_argument("--resume", type=Path, metavar="FILE", help="continue the match of an out file or a journal")
    kept.add_argument("--records", type=Path, metavar="DIR", help="a .tikal record of every game")
    kept.add_argument("--plot", type=Path, metavar="FILE.svg", help="charts")
    line = "the report as one line of JSON on standard output; the tables go to standard error"
    kept.add_argument("--json", action="store_true", help=line)


def run(args: argparse.Namespace) -> int:
    """Play the match, and report."""
    out, journal = _files(args)
    match, done = _match(args, journal)
    check_players(match)
    if args.resume is None and journal is not None:
        _refuse_overwriting(journal)
    workers = _cores() if args.workers is None else args.workers

    from tikal.arena.live import Display
    from tikal.arena.tables import console_for, show

    console = console_for(sys.stderr)
    console.quiet = args.quiet
    if args.games is not None and match.games != args.games:
        console.print(f"{args.games} games are rounded up to {match.games}: whole deals, every rotation of the seats")
    with Display(match, done.values(), console) as display:
        report = play_match(
            match,
            done,
            workers=workers,
            limit=args.limit,
            journal=journal,
            records=args.records,
            listener=display.take,
        )
    _keep(report, out, args.plot)
    show(report, console_for(sys.stderr if args.json else sys.stdout))
    if report.interrupted:
        advice = f"; to continue: tikal arena --resume {out or journal}" if journal else ""
        sys.stderr.write(f"tikal: interrupted after {report.games} games of whole deals{advice}\n")
    if args.json:
        sys.stdout.write(json.dumps(report.as_json(), ensure_ascii=False) + "\n")
    if report.interrupted:
        return INTERRUPTED
    return NO if report.verdict is not None and report.verdict.accepted != "H1" else OK


def _files(args: argparse.Namespace) -> tuple[Path | None, Path | None]:
    """The out file and the journal, if there are any; all names are checked before the first game."""
    from tikal.arena.export import check_name
    from tikal.arena.journal import SUFFIX

    if args.plot is not None and args.plot.suffix != ".svg":
        raise ArenaError("usage", f"{args.plot}: must end in .svg")
    for path in (args.out, args.plot):
        if path is not None and path.is_dir():
            raise ArenaError("file", f"{path}: is a folder, not a file")
    if args.resume is None:
        return (None, None) if args.out is None else (check_name(args.out), journal_of(args.out))
    path = args.resume.with_suffix("") if args.resume.suffix == SUFFIX else args.resume
    if args.out is not None and args.out != path:
        raise ArenaError("usage", f"--out {args.out}: --resume continues {path}; omit --out")
    return (path if path.suffix in (".json", ".csv") else None), journal_of(args.resume)


def _match(args: argparse.Namespace, journal: Path | None) -> tuple[Match, dict[Fixture, Outcome]]:
    """The match to play, and the games that a journal already has."""
    sprt = Sprt.parse(args.sprt, args.sprt_errors or "0.05,0.05") if args.sprt else None
    if args.sprt_errors and not args.sprt:
        raise ArenaError("usage", "--sprt-errors goes with --sprt")
    players = _players(args)
    pairs = _option_pairs(args)
    if args.resume is None:
        if players is None:
            raise ArenaError("usage", "--players is missing, such as --players surveyor,digger")
        options = Options.parse(pairs).as_dict()
        games = GAMES if args.games is None else args.games
        return Match.of(players, games, SEED if args.seed is None else args.seed, options, sprt), {}
    assert journal is not None
    match, done = read_journal(journal)
    _refuse_differences(args, match, players, pairs)
    if args.games is not None:
        match = Match.of(match.players, args.games, match.seed, match.options.as_dict(), match.sprt)
    return (match.with_sprt(sprt) if sprt else match), done


def _players(args: argparse.Namespace) -> list[str] | None:
    if args.players is not None and args.player is not None:
        raise ArenaError("usage", "--players and --player: give one or the other")
    return split_players(args.players) if args.players is not None else args.player


def _option_pairs(args: argparse.Namespace) -> dict[str, str]:
    """The options of the game as text, from all the ways to give them."""
    pairs: dict[str, str] = {"edition": args.edition} if args.edition else {}
    words = [word for word in (args.options or "").split(",") if word]
    given = [(name, value if equals else "true") for name, equals, value in (word.partition("=") for word in words)]
    for word in args.option or []:
        name, equals, value = word.partition("=")
        if not equals:
            raise ArenaError("option", f"--option {word}: must be KEY=VALUE, for example auction=true")
        given.append((name, value))
    for name, value in given:
        if name == "players":
            raise ArenaError("option", "option players: is as many as there are in --players; leave it out")
        if name in pairs:
            raise ArenaError("option", f"option {name}: given twice")
        pairs[name] = value
    return pairs


def _refuse_differences(
    args: argparse.Namespace, match: Match, players: list[str] | None, pairs: Mapping[str, str]
) -> None:
    """Refuse arguments beside --resume that differ from the match in the journal."""
    compared: list[tuple[str, Any, Any]] = [
        ("--players", players, list(match.players)),
        ("--seed", args.seed, match.seed),
        ("the game's options", _options(pairs, len(match.players)), match.options),
    ]
    for name, given, played in compared:
        if given is not None and given != played:
            raise ArenaError(
                "usage", f"{name}: differs from the match in {args.resume}; leave it out to continue the match"
            )


def _options(pairs: Mapping[str, str], players: int) -> Options | None:
    return replace(Options.parse(pairs), players=players) if pairs else None


def _refuse_overwriting(journal: Path) -> None:
    """Refuse to overwrite the journal of a match that is not finished."""
    if not journal.exists():
        return
    match, done = read_journal(journal)
    keeper = Keeper(match, done)
    if done and next(keeper.missing(), None) is not None:
        out = journal.with_suffix("")
        raise ArenaError(
            "file",
            f"{journal}: has {len(done)} of {match.games} games of a match that is not finished; "
            f"go on with --resume {out}, or delete it",
        )


def _cores() -> int:
    """The processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _keep(report: Any, out: Path | None, plot: Path | None) -> None:
    if out is not None:
        from tikal.arena.export import write_report

        write_report(report, out)
    if plot is not None:
        from tikal.arena.plot import write_chart

        plot.parent.mkdir(parents=True, exist_ok=True)
        write_chart(report, plot)
