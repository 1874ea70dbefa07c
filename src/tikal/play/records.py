"""Records: `.tikal` files, written, read, replayed and verified.

The record of a finished game contains its chance (`Seed`, or `Deck`, `Treasures` and `Dice`). The public record of a
running game does not, but it can be replayed: the actions show what has come up so far.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from tikal.play import notation
from tikal.play.action import Action
from tikal.play.chance import check_nonces, commit
from tikal.play.game import Game, Gone
from tikal.rules import RULES_VERSION
from tikal.rules.codes import SEATS
from tikal.rules.errors import TikalError
from tikal.rules.options import Options
from tikal.rules.setup import Chance
from tikal.rules.tables import KINDS, TILE_BY_NAME, TILES, TOKENS, TOKENS_OF_A_KIND, VOLCANOES

_TAG = re.compile(r'\[(?P<name>[A-Z][A-Za-z]*)(?P<values>(?: +"[^"]*")+) *\] *(?:#.*)?')
_VALUE = re.compile(r'"([^"]*)"')
_EXACT = ("Deck", "Treasures", "Dice")
SIZE_LIMIT = 1_000_000


class RecordError(TikalError):
    """A record that can't be read or does not replay; `code` is `record`."""


@dataclass(frozen=True, slots=True)
class Line:
    """Consecutive actions of one seat, and their place in the file."""

    number: int
    seat: int
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A record after reading: its tags and the replayed game."""

    tags: dict[str, list[str]]
    game: Game

    @property
    def names(self) -> list[str]:
        """The name of each seat; empty if the record gives none, so that everybody reads "Seat 2" in their language.

        >>> read(write(Game.new(Options(), seed="42"))).names
        ['', '']
        """
        seats = self.game.options.players
        given = [*self.tags.get("Players", []), *[""] * seats][:seats]
        return ["" if name == _nameless(seat) else name for seat, name in enumerate(given, start=1)]


@dataclass(frozen=True, slots=True)
class Check:
    """A check of a record: whether it holds, and a sentence.

    `code` and `values` are for translations: for example `result_ok`, with the scores.
    """

    ok: bool
    code: str
    text: str
    values: dict[str, str | int | TikalError] = field(default_factory=dict)


@dataclass(slots=True)
class Verification:
    """The checks of a record."""

    checks: list[Check] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether all checks hold."""
        return all(check.ok for check in self.checks)


# Writing


def write(game: Game, players: Sequence[str] = (), date: str = "", reveal: bool = False) -> str:
    """The record of a game.

    >>> print(write(Game.new(Options(), seed="42"), ["Ann", "bot:digger"]).splitlines()[4])
    [Players "Ann" "bot:digger"]
    """
    return "\n".join([*_tags(game, players, date, reveal), "", *_lines(game, reveal)]) + "\n"


def _tags(game: Game, players: Sequence[str], date: str, reveal: bool) -> list[str]:
    seats = game.options.players
    names = list(players) or [_nameless(seat) for seat in range(1, seats + 1)]
    if len(names) != seats:
        text = f"record: {len(names)} names of players for {seats} seats; give one for each"
        raise RecordError("record", text, "record_names", given=len(names), seats=seats)
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


def _nameless(seat: int) -> str:
    """The name that a record gives a seat without one."""
    return f"Seat {seat}"


def _quoted(values: Sequence[str]) -> str:
    """The values of a tag, each on one line and without quotation marks inside.

    >>> print(_quoted(['Ann "the Digger"', "Bob"]))
    "Ann 'the Digger'" "Bob"
    """
    lines = (" ".join(value.replace('"', "'").split()) for value in values)
    return " ".join(f'"{line}"' for line in lines)


def _chance_tags(game: Game) -> list[tuple[str, list[str]]]:
    if game.seed is not None:
        return [("Seed", [game.seed])]
    chance = game.chance
    tags = [("Deck", [",".join(chance.deck)]), ("Treasures", [",".join(map(str, chance.treasures))])]
    return [*tags, ("Dice", [",".join(map(str, chance.dice))])] if game.options.boulders else tags


def _lines(game: Game, reveal: bool) -> Iterator[str]:
    """A line for consecutive actions of one seat; a tile that left the game is on its owner's line."""
    stretch: list[str] = []
    seat = 0
    for owner, word in _words(game, reveal):
        if owner != seat and stretch:
            yield f"{seat} {' '.join(stretch)}"
            stretch = []
        seat = owner
        stretch.append(word)
    if stretch:
        yield f"{seat} {' '.join(stretch)}"


def _words(game: Game, reveal: bool) -> Iterator[tuple[int, str]]:
    for step in game.history if reveal else game.public_history:
        yield step.seat, step.text
        for gone in step.gone:
            yield gone.seat, notation.gone_text(gone.tile)


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
    if any(name in tags for name in ("Seed", *_EXACT)):
        game = _given(options, tags)
        _replay(game, lines)
        return Record(tags, game)
    nonces = check_nonces(tags.get("Nonces", ()))
    failed: list[tuple[int, RecordError]] = []
    for chance in _possible_chances(options, lines):
        game = Game(options, chance, None, nonces)
        try:
            _replay(game, lines)
        except RecordError as error:
            failed.append((len(game.history), error))
        else:
            return Record(tags, game)
    raise max(failed, key=itemgetter(0))[1]  # the attempt that failed last came closest


def parse(text: str) -> tuple[dict[str, list[str]], list[Line]]:
    """The tags and lines of a record, without replaying it."""
    if len(text) > SIZE_LIMIT:
        raise RecordError("record", f"record: longer than {SIZE_LIMIT} characters", "record_long", most=SIZE_LIMIT)
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
        text = 'record: the tag [Game "Tikal"] is missing; is this a .tikal file?'
        raise RecordError("record", text, "record_game", tag='[Game "Tikal"]')
    return tags, lines


def _add_tag(tags: dict[str, list[str]], name: str, values: list[str], number: int) -> None:
    if name in tags:
        text = f"line {number}: the tag {name} occurs twice"
        raise RecordError("record", text, "record_tag_twice", line=number, tag=name)
    tags[name] = values


def _line(number: int, words: list[str]) -> Line:
    if words[0] not in map(str, range(1, SEATS + 1)):
        shown = words[0][:20]
        text = f"line {number}: must be a tag, or a seat from 1 to {SEATS} and its actions, not {shown!r}"
        raise RecordError("record", text, "record_line", line=number, text=shown)
    return Line(number, int(words[0]), tuple(words[1:]))


def _one(tags: dict[str, list[str]], name: str) -> str:
    values = tags.get(name, [])
    if len(values) != 1:
        raise RecordError("record", f"record: the tag {name} must have one value", "record_one_value", tag=name)
    return values[0]


def _options(tags: dict[str, list[str]]) -> Options:
    version = _one(tags, "Rules")
    if version != str(RULES_VERSION):
        text = f"record: was played by rules {version}; this version has rules {RULES_VERSION}"
        raise RecordError("record", text, "record_rules", version=version[:20], ours=RULES_VERSION)
    pairs = {"edition": _one(tags, "Edition")}
    for word in _one(tags, "Options").split():
        name, equals, value = word.partition("=")
        if not equals or name in pairs:
            text = f"record: Options must be KEY=VALUE, each key once, not {word!r}"
            raise RecordError("record", text, "record_options", text=word)
        pairs[name] = value
    return Options.parse(pairs)


def _numbers(tags: dict[str, list[str]], name: str) -> list[int] | None:
    if name not in tags:
        return None
    words = _one(tags, name).split(",") if tags[name] != [""] else []
    if not all(re.fullmatch("[0-9]{1,2}", word) for word in words):
        raise RecordError("record", f"record: {name} must be numbers separated by commas", "record_numbers", tag=name)
    return [int(word) for word in words]


def _given(options: Options, tags: dict[str, list[str]]) -> Game:
    """A game from the chance in a record."""
    exact = [name for name in _EXACT if name in tags]
    if "Seed" in tags:
        if exact:
            text = f"record: has a Seed and {exact[0]}; one of them is enough"
            raise RecordError("record", text, "record_seed_and", tag=exact[0])
        return Game.new(options, seed=_one(tags, "Seed"), nonces=tags.get("Nonces", ()))
    return Game.new(
        options,
        deck=_one(tags, "Deck").split(",") if "Deck" in tags else None,
        treasures=_numbers(tags, "Treasures"),
        dice=_numbers(tags, "Dice"),
    )


def _replay(game: Game, lines: list[Line]) -> None:
    """Plays the lines; seats, and tiles that left the game, must match the record."""
    gone: tuple[Gone, ...] = ()
    for line in lines:
        for word in line.actions:
            try:
                gone = _replay_word(game, line.seat, word, gone)
            except TikalError as error:
                text = f"line {line.number}: {error}"
                raise RecordError("record", text, "record_in_line", line=line.number, why=error) from None
    if gone:
        text = f"record: {notation.gone_text(gone[0].tile)} is missing at its end: this tile left the game"
        raise RecordError("record", text, "record_gone_missing", tile=gone[0].tile)


def _replay_word(game: Game, seat: int, word: str, gone: tuple[Gone, ...]) -> tuple[Gone, ...]:
    """Plays a word of a line. The record must name the tiles in `gone` first; returns those that it must name next."""
    if gone:
        due, due_word = gone[0], notation.gone_text(gone[0].tile)
        if (seat, word) != (due.seat, due_word):
            text = f"{word}: {due_word} of seat {due.seat} must come before it"
            raise RecordError("record", text, "record_gone_first", action=word, tile=due.tile, seat=due.seat)
        return gone[1:]
    if notation.gone_tile(word):
        raise RecordError("record", f"{word}: no tile leaves the game here", "record_gone_none", action=word)
    if game.seat != seat:
        raise RecordError("record", f"{word}: it is not the turn of seat {seat}", "record_turn", action=word, seat=seat)
    game.play(word)
    return game.history[-1].gone


def _possible_chances(options: Options, lines: list[Line]) -> Iterator[Chance]:
    """The chance that the actions reveal, with the rest filled in. In a running game, two fillings may be possible.

    In the basic game a volcano is named only when it is placed, after its scoring round. With `taker_decides`, the
    taker is asked only if there is another volcano, which may not be taken yet.
    """
    _require_chance_values(options, lines)
    words = [word for line in lines for word in line.actions]
    deck = _named_tiles(options, words)
    treasures = _dug_treasures(words)
    dice = _rolled_dice(options, words)
    rest = [tile.name for tile in TILES if tile.name not in deck]
    for early in (False, True):
        chance = Chance(tuple(_whole_deck(options, deck, rest, early)), treasures, dice)
        try:
            chance.check(options)
        except TikalError as error:
            if not early:
                raise RecordError("record", f"record: {error}", "record_impossible", why=error) from None
        else:
            yield chance


def _require_chance_values(options: Options, lines: list[Line]) -> None:
    """Without a seed, a record must contain the chance values."""
    answered = ("dig", "excavate") if options.boulders else ("dig",)
    for line in lines:
        for word in line.actions:
            action = _action(word.partition("(")[0])
            if action and action.kind in answered and notation.split(word)[1] is None:
                why = "without a seed, the record must give the outcome of chance in brackets"
                text = f"line {line.number}: {word}: {why}"
                raise RecordError("record", text, "record_no_value", line=line.number, action=word)


def _whole_deck(options: Options, known: list[str], rest: list[str], early: bool) -> list[str]:
    """A deck with the known tiles first and the others after them; the next volcano comes early or late."""
    if options.sudden_death:
        volcano = next((name for name in VOLCANOES if name in rest), None) if early else None
        return known + sorted(rest, key=lambda name: (name != volcano, name in VOLCANOES))
    deck = known + sorted(rest, key=lambda name: (name[0], (name in VOLCANOES) != early))
    if not options.auction:
        return deck
    # In a round of the auction, tiles are known in the order in which they were taken, not turned up.
    rounds = (deck[at : at + options.players] for at in range(0, len(deck), options.players))
    return [name for tiles in rounds for name in sorted(tiles, key=itemgetter(0))]


def _named_tiles(options: Options, words: list[str]) -> list[str]:
    """The tiles that are named, in the order in which they came up; within a round of the auction any order works."""
    came_up = "take" if options.auction else "place"
    tiles: list[str] = []
    for word in words:
        action, gone = _action(word), notation.gone_tile(word)
        if action and action.kind == came_up:
            tiles.append(action.tile)
        elif gone and not options.auction:
            tiles.append(gone)
    return list(dict.fromkeys(tiles))


def _action(word: str) -> Action | None:
    """The action of a word; None for a tile that left the game, and for errors, which the replay reports."""
    try:
        return Action.parse(notation.split(word)[0])
    except notation.NotationError:
        return None


def _dug_treasures(words: list[str]) -> tuple[int, ...]:
    """Each treasure tile takes the next tokens when it is placed; only those that were dug are known."""
    kinds: list[int | None] = []
    slots: dict[str, Iterator[int]] = {}
    for word in words:
        action, (_plain, value) = _action(word), notation.split(word)
        if action is None:
            continue
        if action.kind == "place" and TILE_BY_NAME[action.tile].terrain == "treasure":
            tokens = TILE_BY_NAME[action.tile].value
            slots[action.hexes[0]] = iter(range(len(kinds), len(kinds) + tokens))
            kinds += [None] * tokens
        elif action.kind == "dig" and value is not None:
            slot = next(slots.get(action.hexes[0], iter(())), None)
            if slot is not None:
                kinds[slot] = value
    return _fill(kinds[:TOKENS] + [None] * (TOKENS - len(kinds)))


def _fill(kinds: list[int | None]) -> tuple[int, ...]:
    counts = Counter(kind for kind in kinds if kind is not None)
    for kind, count in counts.items():
        if kind > KINDS or count > TOKENS_OF_A_KIND:
            right = f"there are kinds 1 to {KINDS}, {TOKENS_OF_A_KIND} of each"
            text = f"record: kind {kind} can't be dug {count} times: {right}"
            of_a_kind = TOKENS_OF_A_KIND
            raise RecordError("record", text, "record_kind", kind=kind, count=count, kinds=KINDS, most=of_a_kind)
    spare = iter([k for k in range(1, KINDS + 1) for _ in range(TOKENS_OF_A_KIND - counts[k])])
    return tuple(next(spare) if kind is None else kind for kind in kinds)


def _rolled_dice(options: Options, words: list[str]) -> tuple[int, ...]:
    if not options.boulders:
        return ()
    rolls = ((_action(word), notation.split(word)[1]) for word in words)
    return tuple(value for action, value in rolls if action and action.kind == "excavate" and value is not None)


# Verifying


def verify(text: str) -> Verification:
    """Checks all claims of a record: its actions, its result, and that its seed matches the commitment.

    >>> verify(write(Game.new(Options(), seed="42"), reveal=True)).ok
    True
    """
    tags, _ = parse(text)
    result = Verification()
    try:
        game = read(text).game
    except TikalError as error:
        result.checks.append(Check(False, "rules_failed", error.text, {"why": error}))
        return result
    actions = len(game.history)
    replayed = f"rules {RULES_VERSION}; {actions} actions replay, all legal"
    result.checks.append(Check(True, "rules_ok", replayed, {"version": RULES_VERSION, "count": actions}))
    result.checks.append(_check_result(tags, game))
    result.checks += _check_shuffle(tags, game)
    return result


def _check_result(tags: dict[str, list[str]], game: Game) -> Check:
    claimed = " ".join(tags.get("Result", ["*"]))
    actual = " ".join(map(str, game.status()["scores"])) if game.over else "*"
    if claimed != actual:
        text = f'result: the record says "{claimed}", the actions give "{actual}"'
        return Check(False, "result_differs", text, {"claimed": claimed, "actual": actual})
    if not game.over:
        return Check(True, "result_open", "result: the game is not over")
    return Check(True, "result_ok", f"result: {actual}", {"scores": actual})


def _check_shuffle(tags: dict[str, list[str]], game: Game) -> Iterator[Check]:
    """Checks that the commitment matches the seed. Reading has already replayed the shuffle from the seed."""
    committed = tags.get("Commitment")
    if game.seed is None:
        text = "shuffle: the record has no seed, so the shuffle can't be checked"
        yield Check(True, "shuffle_unknown", text)
        if committed:
            yield Check(True, "commitment_unknown", "commitment: can't be checked without the seed")
        return
    if game.nonces:
        text = "shuffle: deck, treasures and dice come from the seed and the nonces"
        yield Check(True, "shuffle_nonces", text)
    else:
        yield Check(True, "shuffle_seed", "shuffle: deck, treasures and dice come from the seed")
    if committed is None:
        text = "commitment: the record has none, so the seed may have been chosen afterwards"
        yield Check(True, "commitment_none", text)
    elif committed == [commit(game.seed)]:
        yield Check(True, "commitment_ok", "commitment: matches the seed")
    else:
        yield Check(False, "commitment_wrong", "commitment: does NOT match the seed; the seed was changed")
