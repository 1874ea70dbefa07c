"""Bots of other packages: found by entry points, and harmless when they are broken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tikal.bots import BotError, make
from tikal.bots.others import registered
from tikal.play import Game
from tikal.rules.options import Options

MODULE = '''
class Idle:
    """Ends every turn."""

    def __init__(self, parameters):
        self.name = "idle"
        self.parameters = parameters
        if "bad" in parameters:
            raise ValueError("bad is\\n not good")

    def plan(self, view, seed):
        return ["."]

    def close(self):
        pass

def nothing(parameters):
    return None

def nameless(parameters):
    bot = Idle(parameters)
    del bot.name
    return bot

number = 42
'''

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """A package that registers bots, as an installer would leave it."""

    def put(**bots: str) -> None:
        (tmp_path / "dig_site.py").write_text(MODULE)
        about = tmp_path / "dig_site-1.5.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: dig-site\nVersion: 1.5\n")
        lines = "\n".join(f"{name} = {value}" for name, value in bots.items())
        (about / "entry_points.txt").write_text(f"[tikal.bots]\n{lines}\n")
        monkeypatch.syspath_prepend(str(tmp_path))

    return put


def test_a_registered_bot_plays(install: Install) -> None:
    install(idle="dig_site:Idle")
    assert list(registered()) == ["idle"]
    bot = make("idle:depth=3,mood=good")
    assert bot.parameters == {"depth": "3", "mood": "good"}  # type: ignore[attr-defined]
    assert bot.plan(Game.new(Options()).view(1), 1) == ["."]


def test_an_unknown_name_lists_all_bots(install: Install) -> None:
    install(idle="dig_site:Idle", zealous="nowhere:Bot")
    with pytest.raises(
        BotError,
        match="there are tourist, digger, mason, adventurer, surveyor, professor, idle, zealous and program:COMMAND",
    ):
        make("guide")


def test_entry_points_can_not_replace_a_level(install: Install) -> None:
    install(digger="dig_site:Idle")
    assert make("digger").plan(Game.new(Options(), seed="1").view(1), 1) != ["."]


@pytest.mark.parametrize(
    ("value", "spec", "said"),
    [
        ("nowhere:Bot", "broken", "can't be made: ModuleNotFoundError: No module named 'nowhere'"),
        ("dig_site:Missing", "broken", "can't be made: AttributeError"),
        ("dig_site:number", "broken", "can't be made: TypeError"),
        ("dig_site:Idle", "broken:bad=1", "can't be made: ValueError: bad is not good"),
        ("dig_site:nothing", "broken", "does not return a bot; it lacks plan, close, name"),
        ("dig_site:nameless", "broken", "does not return a bot; it lacks name"),
    ],
)
def test_a_broken_bot_is_reported_when_it_is_used(install: Install, value: str, spec: str, said: str) -> None:
    install(idle="dig_site:Idle", broken=value)
    assert list(registered()) == ["broken", "idle"]
    assert make("idle").name == "idle"
    with pytest.raises(BotError) as caught:
        make(spec)
    text = str(caught.value)
    assert caught.value.code == "bot"
    assert text.startswith("broken: ")
    assert said in text
    assert value in text
    assert "\n" not in text
