"""Whatever the input, the engine answers in its format, and an error changes nothing."""

from __future__ import annotations

import json
import random

from hypothesis import given
from hypothesis import strategies as st

from tests.engine.talk import Talk
from tests.kit.actions import all_actions
from tests.kit.deals import letter_deck, ordered_treasures, random_options
from tests.kit.games import KINDS, choose, exact_game, options_of, scaled
from tests.kit.spoil import pool, spoil
from tikal.engine.protocol import _COMMANDS
from tikal.play import Game

NAMES = [name for name in _COMMANDS if name != "quit"]
ACTIONS = all_actions()
WORDS = [
    "players=2", "players=4", "players=7", "seed=1", "seed=", "auction=true", "leaps=true", "sudden_death=true",
    "boulders=2d6", "dice=7,7", "dice=", f"deck={','.join(letter_deck())}", "edition=classic", "board=original",
    f"treasures={','.join(map(str, ordered_treasures()))}", "=", "a=b", "1", "2", "0", "-1", "99", "{}", "[]", "null",
    "level=tourist", "level=", "time=1", "nodes=5", "seed=x", "X@a2(11)", "D@b3(3)", "A5@-", ".", "B:-", "J:3",
    "é", "\x00",
]  # fmt: skip


def test_random_words_after_random_commands() -> None:
    """Commands with plausible words, in games of all kinds that continue between them."""
    errors = 0
    for seed in range(40):
        rng = random.Random(seed)
        game = exact_game(options_of(rng.choice(list(KINDS))), rng)
        for _ in range(rng.randrange(scaled(150))):
            if not game.over:
                game.play(choose(game, rng))
        talk = Talk(f"load {json.dumps(game.to_json())}")
        for _ in range(30):
            command = rng.choice(NAMES)
            words = rng.choices(WORDS, k=rng.choice((0, 1, 1, 2, 4)))
            if command == "play":
                words = rng.choices(ACTIONS, k=rng.choice((1, 2))) + words[:1]
            if command == "perft":
                words = words[:1] if words[:1] != ["99"] else []
            before = talk.snapshot()
            answer = talk.ask(" ".join([command, *words]))
            if answer[-1] != "ok":
                errors += 1
                assert talk.snapshot() == before
    assert errors > 500


@given(st.lists(st.one_of(st.text(), st.sampled_from(WORDS)), max_size=4), st.sampled_from(NAMES))
def test_any_text_after_any_command(words: list[str], command: str) -> None:
    if command == "perft" and any(word.strip().isdigit() for word in words):
        words = ["2"]
    line = " ".join([command, *words])
    talk = Talk("newgame players=2 seed=1")
    before = talk.snapshot()
    if talk.ask(line)[-1] != "ok":
        assert talk.snapshot() == before


@given(st.text(min_size=1).filter(lambda text: bool(text.strip())))
def test_any_text_as_a_command(line: str) -> None:
    talk = Talk("newgame players=2 seed=1")
    talk.ask(line)


def test_corrupted_views_and_games_as_json() -> None:
    taken = 0
    for seed in range(scaled(150)):
        rng = random.Random(seed)
        seen = json.loads(json.dumps(rng.choice(pool())))
        spoil(seen, rng)
        talk = Talk("newgame seed=1")
        if talk.ask(f"position {json.dumps(seen)}") == ["ok"]:
            taken += 1
            talk.good("legal")
            talk.good("status")
        else:
            talk.good("record")
        stored = json.loads(json.dumps(Game.new(random_options(rng), seed="1").to_json()))
        spoil(stored, rng)
        talk = Talk("newgame seed=1")
        talk.ask(f"load {json.dumps(stored)}")
        talk.good("record")
    assert taken < 100
