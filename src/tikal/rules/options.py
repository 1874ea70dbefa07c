"""The options of a game: one frozen, validated object, made from the table in `data/options.toml`.

>>> Options(players=3, edition="classic").volcano_may_seal
False
>>> Options.parse({"players": "3", "auction": "true"}).pairs()
{'players': '3', 'auction': 'true'}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

from tikal.rules.errors import TikalError
from tikal.rules.tables import BOARDS, Board, data

_DATA = data("options")
EDITIONS: dict[str, dict[str, Any]] = _DATA["edition"]
_ROWS: dict[str, dict[str, Any]] = _DATA["option"]
VALUES: dict[str, list[Any]] = {name: row["values"] for name, row in _ROWS.items()}
OF_EDITION: tuple[str, ...] = tuple(name for name, row in _ROWS.items() if row.get("edition"))
VARIANTS: tuple[str, ...] = tuple(name for name, row in _ROWS.items() if row.get("variant"))
NEEDS: dict[str, str] = {name: row["needs"] for name, row in _ROWS.items() if "needs" in row}
EXCLUDES = tuple((name, other) for name, row in _ROWS.items() for other in row.get("excludes", ()))


class OptionError(TikalError):
    """An option, a value or a combination that is not allowed; `code` is `option` or `players`."""


def as_text(value: object) -> str:
    """A value as the notation writes it.

    >>> as_text(True)
    'true'
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Options:
    """How a game is played. Options that an edition decides may be omitted or overridden.

    >>> Options(players=2, edition="rio-grande").camp_needs_member
    False
    >>> Options(players=5)
    Traceback (most recent call last):
    tikal.rules.options.OptionError: players=5: must be one of 2, 3, 4
    """

    players: int = 2
    edition: str = "super-meeple"
    camp_needs_member: bool = None  # type: ignore[assignment]  # None until the edition is asked
    tie_break: str = None  # type: ignore[assignment]
    volcano_may_seal: bool = None  # type: ignore[assignment]
    final_start: str = None  # type: ignore[assignment]
    board: str = None  # type: ignore[assignment]
    members_work_once: bool = None  # type: ignore[assignment]
    leader_may_guard: bool = True
    auction: bool = False
    instant_scoring: bool = False
    boulders: bool | str = False
    obstacles: bool = False
    machine_gun: bool = False
    sudden_death: bool = False
    double_volcano: str = "score_all"
    leaps: bool = False

    def __post_init__(self) -> None:
        _check("edition", self.edition)
        for name in OF_EDITION:
            if getattr(self, name) is None:
                object.__setattr__(self, name, EDITIONS[self.edition][name])
        for field in fields(self):
            _check(field.name, getattr(self, field.name))
        for variant, needed in NEEDS.items():
            if getattr(self, variant) and not getattr(self, needed):
                raise OptionError(
                    "option", f"{variant} needs {needed}=true", "option_needs", option=variant, needed=needed
                )
        for variant, other in EXCLUDES:
            if getattr(self, variant) and getattr(self, other):
                text = f"{variant} and {other} exclude each other; leave one of them out"
                raise OptionError("option", text, "option_excludes", option=variant, other=other)

    @property
    def variants(self) -> tuple[str, ...]:
        """The unofficial variants that are on.

        >>> Options(obstacles=True).variants
        ('obstacles',)
        """
        return tuple(name for name in VARIANTS if getattr(self, name))

    @property
    def plain(self) -> bool:
        """Whether `State` alone can play this game; variants and `members_work_once` need `VariantState`.

        >>> Options().plain, Options(edition="rio-grande-zh").plain
        (True, False)
        """
        return not (self.variants or self.members_work_once)

    @property
    def table(self) -> Board:
        """The board of the game.

        >>> Options().table.base
        'a1'
        """
        return BOARDS[self.board]

    @classmethod
    def with_variant(cls, name: str, players: int = 2) -> Options:
        """A game with one variant and the option that it needs.

        >>> Options.with_variant("leaps").auction
        True
        """
        chosen = {name: VALUES[name][1]} | ({NEEDS[name]: True} if name in NEEDS else {})
        return cls(players=players, **chosen)

    @classmethod
    def parse(cls, pairs: Mapping[str, str]) -> Options:
        """Options from text, as in `newgame players=2 auction=true`."""
        return cls(**{name: _value(name, text) for name, text in pairs.items()})

    def pairs(self) -> dict[str, str]:
        """The options as pairs: the players, and everything that differs from the edition."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        plain = EDITIONS[self.edition] | {name: VALUES[name][0] for name in VALUES if name not in OF_EDITION}
        kept = {name: value for name, value in given.items() if name == "players" or value != plain[name]}
        kept.pop("edition", None)
        return {name: as_text(value) for name, value in kept.items()}

    def as_dict(self) -> dict[str, Any]:
        """All options by name, as JSON values.

        >>> Options().as_dict()["leader_may_guard"]
        True
        """
        return dict(zip(_NAMES, _values(self), strict=True))


_NAMES = tuple(field.name for field in fields(Options))
_values = attrgetter(*_NAMES)


def _check(name: str, value: object) -> None:
    """Refuses a value that is not in the table; `True` does not count as 1."""
    if not any(value == known and type(value) is type(known) for known in VALUES[name]):
        _refuse(name, as_text(value))


def _value(name: str, text: str) -> Any:
    """Parses the text of a value."""
    if name not in VALUES:
        known = ", ".join(VALUES)
        message = f"{name}: no such option; there are {known}"
        raise OptionError("option", message, "option_unknown", option=name, known=known)
    if name == "boulders" and text == "true":
        return VALUES[name][1]
    for known in VALUES[name]:
        if as_text(known) == text:
            return known
    return _refuse(name, text)


def _refuse(name: str, text: str) -> None:
    code = "players" if name == "players" else "option"
    known = ", ".join(map(as_text, VALUES[name]))
    message = f"{name}={text}: must be one of {known}"
    raise OptionError(code, message, "option_value", option=name, value=text, known=known)
