"""A game as people and programs use it: checked actions, history, undo, views, notation, records."""

from tikal.play.action import Action
from tikal.play.game import Game, IllegalAction, Step
from tikal.rules.errors import TikalError

__all__ = ["Action", "Game", "IllegalAction", "Step", "TikalError"]
