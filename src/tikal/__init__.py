"""Tikal, the complete computer edition: rules, games, opponents.

>>> import tikal
>>> game = tikal.Game.new(tikal.Options(players=2), seed="42")
>>> game.over
False

Names are loaded when they are first used, so that `import tikal` costs next to nothing.
"""

from tikal import _compiled

_compiled.install()  # before any other module of this package is imported

__version__ = "0.2.0"

__all__ = ["Game", "IllegalAction", "OptionError", "Options", "State", "TikalError", "__version__"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tikal.play import Game, IllegalAction, TikalError
    from tikal.rules.core import State
    from tikal.rules.options import OptionError, Options

_HOME = {
    "Game": "tikal.play",
    "IllegalAction": "tikal.play",
    "TikalError": "tikal.play",
    "State": "tikal.rules.core",
    "OptionError": "tikal.rules.options",
    "Options": "tikal.rules.options",
}


def __getattr__(name: str) -> object:
    """Load a public name from its module at first use."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'tikal' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)
