"""A game as people and programs handle it: checked actions, history, undo, views, notation, records."""

from tikal.play.game import Game, IllegalAction, Step
from tikal.rules.errors import TikalError

__all__ = ["Game", "IllegalAction", "Step", "TikalError"]
