"""Bots against bots: matches over paired deals, with intervals, ratings, a sequential test and charts.

>>> from tikal.arena import run_match
>>> report = run_match(["tourist", "tourist"], games=4, seed="7")
>>> [player.games for player in report.players]
[4, 4]
"""

from tikal.arena.errors import ArenaError
from tikal.arena.match import Match
from tikal.arena.report import PlayerReport, Report
from tikal.arena.run import resume_match, run_match
from tikal.arena.sprt import Sprt

__all__ = ["ArenaError", "Match", "PlayerReport", "Report", "Sprt", "resume_match", "run_match"]
