"""Records: `.tikal` files, written, read, replayed and verified.

A record of a finished game holds its chance (`Seed`, or `Deck`, `Treasures` and `Dice`). One of a running game, as
others may see it, holds none; it can be replayed all the same, since the actions tell what came up so far.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tikal.play import notation
from tikal.play.chance import commit, deal
from tikal.play.game import Game
from tikal.rules import RULES_VERSION
from tikal.rules.codes import LEAPING
from tikal.rules.errors import TikalError
from tikal.rules.options import Options
from tikal.rules.setup import VOLCANOES, Chance
from tikal.rules.tables import KINDS, TILE_BY_NAME, TILES, TOKENS, TOKENS_OF_A_KIND

_TAG = re.compile(r'\[(?P<name>[A-Z][A-Za-z]*)(?P<values>(?: +"[^"]*")+) *\]')
_VALUE = re.compile(r'"([^"]*)"')
_GONE = re.compile(r"([A-G][1-6])@-")
SIZE_LIMIT = 1_000_000


class RecordError(TikalError):
    """A record that can't be read or does not replay; `code` is `record`."""


@dataclass(frozen=True, slots=True)
class Line:
    """A stretch of one seat's actions, and where it stands in the file."""

    number: int
    seat: int
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A record that was read: its tags, and the game replayed."""

    tags: dict[str, list[str]]
    game: Game


@dataclass(slots=True)
class Verification:
    """What was checked in a record: a sentence each, and whether it holds."""

    checks: list[tuple[bool, str]] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether all that was checked holds."""
        return all(good for good, _text in self.checks)


# Writing


def write(game: Game, players: Sequence[str] = (), date: str = "", reveal: bool = False) -> str:
    """The record of a game.

    >>> print(write(Game.new(Options(), seed="42"), ["Ann", "bot:digger"]).splitlines()[4])
    [Players "Ann" "bot:digger"]
    """
    return "\n".join([*_tags(game, players, date, reveal), "", *_lines(game, reveal)]) + "\n"


def _tags(game: Game, players: Sequence[str], date: str, reveal: bool) -> list[str]:
    names = [re.sub(r'["\n\r]', "'", name) for name in players] or [
        f"Seat {s + 1}" for s in range(game.options.players)
    ]
    pairs = " ".join(f"{name}={value}" for name, value in game.options.pairs().items())
    result = " ".join(map(str, game.status()["scores"])) if game.over else "*"
    tags = [
        ("Game", ["Tikal"]),
        ("Rules", [str(RULES_VERSION)]),
        ("Edition", [game.options.edition]),
        ("Options", [pairs]),
        ("Players", names),
        ("Date", [date] if date else []),
        ("Result", [result]),
    ]
    if game.over or reveal:
        tags += _chance_tags(game)
    tags += [("Commitment", [game.commitment] if game.commitment else []), ("Nonces", list(game.nonces))]
    return [f"[{name} {_quoted(values)}]" for name, values in tags if values]


def _quoted(values: Sequence[str]) -> str:
    return " ".join(f'"{value}"' for value in values)


def _chance_tags(game: Game) -> list[tuple[str, list[str]]]:
    if game.seed is not None:
        return [("Seed", [game.seed])]
    chance = game.chance
    tags = [("Deck", [",".join(chance.deck)]), ("Treasures", [",".join(map(str, chance.treasures))])]
    return [*tags, ("Dice", [",".join(map(str, chance.dice))])] if game.options.boulders else tags


def _lines(game: Game, reveal: bool) -> Iterator[str]:
    """A line for each stretch of one seat's actions; a tile that left the game stands with the seat whose it was."""
    stretch: list[str] = []
    seat = 0
    for who, word in _words(game, reveal):
        if who != seat and stretch:
            yield f"{seat} {' '.join(stretch)}"
            stretch = []
        seat = who
        stretch.append(word)
    if stretch:
        yield f"{seat} {' '.join(stretch)}"


def _words(game: Game, reveal: bool) -> Iterator[tuple[int, str]]:
    for step in game.history[: len(game.history) - (0 if reveal else _hidden(game))]:
        yield step.seat, step.text
        if step.gone and step.gone_seat:
            yield step.gone_seat, f"{step.gone}@-"


def _hidden(game: Game) -> int:
    """How many of the last actions are tokens that nobody may see yet."""
    if game.state.phase != LEAPING:
        return 0
    hidden = 0
    for step in reversed(game.history):
        if not step.action.startswith("J:") or game.state_at(len(game.history) - hidden).place == 0:
            break
        hidden += 1
    return hidden


# Reading


def read(text: str) -> Record:
    """The game of a record, replayed action by action.

    >>> game = Game.new(Options(), seed="42")
    >>> game.play(game.legal()[0])
    >>> read(write(game)).game.history[0].action == game.history[0].action
    True
    """
    tags, lines = parse(text)
    options = _options(tags)
    if "Seed" in tags or "Deck" in tags:
        return Record(tags, _replay(_given(options, tags), lines))
    error: TikalError | None = None
    for chance in _told(options, lines):
        try:
            return Record(tags, _replay(Game(options, chance, None, tags.get("Nonces", ())), lines))
        except RecordError as found:
            error = error or found
    assert error is not None
    raise error


def parse(text: str) -> tuple[dict[str, list[str]], list[Line]]:
    """The tags and the lines of a record, not replayed."""
    if len(text) > SIZE_LIMIT:
        raise RecordError("record", f"record: longer than {SIZE_LIMIT} characters")
    tags: dict[str, list[str]] = {}
    lines: list[Line] = []
    for number, raw in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        found = _TAG.fullmatch(raw.strip())
        if found and not lines:
            _add_tag(tags, found["name"], _VALUE.findall(found["values"]), number)
            continue
        words = raw.partition("#")[0].split()
        if words:
            lines.append(_line(number, words))
    if tags.get("Game") != ["Tikal"]:
        raise RecordError("record", 'record: the tag [Game "Tikal"] is missing; is this a .tikal file?')
    return tags, lines


def _add_tag(tags: dict[str, list[str]], name: str, values: list[str], number: int) -> None:
    if name in tags:
        raise RecordError("record", f"line {number}: the tag {name} stands there twice")
    tags[name] = values


def _line(number: int, words: list[str]) -> Line:
    if words[0] not in ("1", "2", "3", "4"):
        shown = words[0][:20]
        raise RecordError(
            "record", f"line {number}: must be a tag, or a seat from 1 to 4 and its actions, not {shown!r}"
        )
    return Line(number, int(words[0]), tuple(words[1:]))


def _one(tags: dict[str, list[str]], name: str) -> str:
    values = tags.get(name, [])
    if len(values) != 1:
        raise RecordError("record", f"record: the tag {name} must have one value")
    return values[0]


def _options(tags: dict[str, list[str]]) -> Options:
    if _one(tags, "Rules") != str(RULES_VERSION):
        raise RecordError("record", f"record: made with rules {_one(tags, 'Rules')}, these are rules {RULES_VERSION}")
    pairs = {"edition": _one(tags, "Edition")}
    for word in _one(tags, "Options").split():
        name, equals, value = word.partition("=")
        if not equals or name in pairs:
            raise RecordError("record", f"record: Options must be different KEY=VALUE, not {word!r}")
        pairs[name] = value
    return Options.parse(pairs)


def _numbers(tags: dict[str, list[str]], name: str) -> list[int]:
    words = _one(tags, name).split(",")
    if not all(re.fullmatch("[0-9]{1,2}", word) for word in words):
        raise RecordError("record", f"record: {name} must be numbers separated by commas")
    return [int(word) for word in words]


def _given(options: Options, tags: dict[str, list[str]]) -> Game:
    """A game from the chance that a record holds."""
    if "Seed" in tags and "Deck" in tags:
        raise RecordError("record", "record: holds a Seed and a Deck; one of them is enough")
    if "Seed" in tags:
        return Game.new(options, seed=_one(tags, "Seed"), nonces=tags.get("Nonces", ()))
    dice = _numbers(tags, "Dice") if "Dice" in tags else None
    return Game.new(options, deck=_one(tags, "Deck").split(","), treasures=_numbers(tags, "Treasures"), dice=dice)


def _replay(game: Game, lines: list[Line]) -> Game:
    """Plays the lines; every seat and every tile that left the game must be as the record says."""
    for line in lines:
        for word in line.actions:
            try:
                _replay_word(game, line, word)
            except TikalError as error:
                raise RecordError("record", f"line {line.number}: {error}") from None
    return game


def _replay_word(game: Game, line: Line, word: str) -> None:
    gone = _GONE.fullmatch(word)
    if gone:
        last = next((step for step in reversed(game.history) if step.gone), None)
        if last is None or (last.gone, last.gone_seat) != (gone[1], line.seat):
            raise RecordError("record", f"{word}: this tile did not leave the game here")
    elif game.seat != line.seat:
        raise RecordError("record", f"{word}: it is not the turn of seat {line.seat}")
    else:
        game.play(word)


def _told(options: Options, lines: list[Line]) -> Iterator[Chance]:
    """The chance that the actions tell, and the rest filled in: at the end of a running game there may be two ways.

    A volcano that was drawn in the basic game is named only when it is placed, after its scoring round.
    """
    words = [word for line in lines for word in line.actions]
    deck = _told_deck(options, words)
    treasures = _told_treasures(words)
    dice = _told_dice(options, words)
    rest = [tile.name for tile in TILES if tile.name not in deck]
    if options.sudden_death:
        rest.sort(key=VOLCANOES.__contains__)
        yield Chance(tuple(deck + rest), treasures, dice)
        return
    for last in (True, False):
        rest.sort(key=lambda name: (name[0], (name in VOLCANOES) == last))
        yield Chance(tuple(deck + rest), treasures, dice)


def _told_deck(options: Options, words: list[str]) -> list[str]:
    """The tiles that are named, in the order in which they came up; within a round of the auction any order will do."""
    pattern = re.compile(r"K:([A-G][1-6])" if options.auction else r"([A-G][1-6])@(?:-|[a-h][1-5]\^[0-5])")
    deck = [found[1] for word in words if (found := pattern.fullmatch(word)) and found[1] in TILE_BY_NAME]
    return list(dict.fromkeys(deck))


def _told_treasures(words: list[str]) -> tuple[int, ...]:
    """Each treasure tile takes the next tokens when it is placed; what was dug there is told, the rest is not."""
    kinds: list[int | None] = []
    slots: dict[str, Iterator[int]] = {}
    for word in words:
        plain, value = notation.split(word)
        placed = re.fullmatch(r"([A-G][1-6])@([a-h][1-5])\^[0-5]", plain)
        if placed and placed[1] in TILE_BY_NAME and TILE_BY_NAME[placed[1]].terrain == "treasure":
            tokens = TILE_BY_NAME[placed[1]].value
            slots[placed[2]] = iter(range(len(kinds), len(kinds) + tokens))
            kinds += [None] * tokens
        elif plain.startswith("D@") and value is not None:
            slot = next(slots.get(plain[2:], iter(())), None)
            if slot is not None:
                kinds[slot] = value
    return _fill(kinds[:TOKENS] + [None] * (TOKENS - len(kinds)))


def _fill(kinds: list[int | None]) -> tuple[int, ...]:
    counts = Counter(kinds)
    if any(
        counts[kind] > (TOKENS_OF_A_KIND if kind in range(1, KINDS + 1) else 0) for kind in counts if kind is not None
    ):
        raise RecordError(
            "record", f"record: more than {TOKENS_OF_A_KIND} treasures of a kind are dug, or an unknown kind"
        )
    spare = iter([k for k in range(1, KINDS + 1) for _ in range(TOKENS_OF_A_KIND - counts[k])])
    return tuple(next(spare) if kind is None else kind for kind in kinds)


def _told_dice(options: Options, words: list[str]) -> tuple[int, ...]:
    if not options.boulders:
        return ()
    return tuple(value for plain, value in map(notation.split, words) if plain.startswith("X@") and value is not None)[
        :48
    ]


# Verifying


def verify(text: str) -> Verification:
    """Checks all that a record claims: its actions, its result, and that its seed was the one committed to.

    >>> verify(write(Game.new(Options(), seed="42"), reveal=True)).ok
    True
    """
    tags, _ = parse(text)
    result = Verification()
    try:
        game = read(text).game
    except TikalError as error:
        result.checks.append((False, str(error)))
        return result
    result.checks.append((True, f"rules {RULES_VERSION}; {len(game.history)} actions replay, all legal"))
    result.checks.append(_check_result(tags, game))
    result.checks += _check_shuffle(tags, game)
    return result


def _check_result(tags: dict[str, list[str]], game: Game) -> tuple[bool, str]:
    claimed = " ".join(tags.get("Result", ["*"]))
    actual = " ".join(map(str, game.status()["scores"])) if game.over else "*"
    if claimed != actual:
        return False, f'result: the record says "{claimed}", the actions give "{actual}"'
    return True, f"result: {actual}" if game.over else "result: the game is not over"


def _check_shuffle(tags: dict[str, list[str]], game: Game) -> Iterator[tuple[bool, str]]:
    """The seed gives the shuffle (reading has replayed it so), and the commitment was made to this seed."""
    if game.seed is None:
        yield True, "shuffle: the record holds no seed, so how it was shuffled can't be checked"
        return
    assert game.chance == deal(game.options, game.seed, game.nonces)
    yield (
        True,
        f"shuffle: deck, treasures and dice come from the seed{' and the nonces' if game.nonces else ''}",
    )
    if "Commitment" in tags:
        same = _one(tags, "Commitment") == commit(game.seed)
        yield (
            same,
            "commitment: is to this seed" if same else "commitment: is NOT to this seed; the seed was changed",
        )
    else:
        yield True, "commitment: the record holds none, so the seed may have been chosen afterwards"
