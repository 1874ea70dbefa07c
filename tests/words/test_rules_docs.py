"""The pages about the rules agree with the data, and their links work."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.kit.pages import broken_links
from tikal.rules.options import EDITIONS, OF_EDITION, VALUES, as_text
from tikal.rules.tables import TILES

ROOT = Path(__file__).parents[2]
RULES = ROOT / "docs" / "rules"
PAGES = [*sorted(RULES.rglob("*.md")), ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
PICTURES = sorted(RULES.glob("*.svg"))


def rows(page: str) -> Iterator[list[str]]:
    """The cells of every row of every table on a page."""
    for line in (RULES / page).read_text("utf-8").splitlines():
        if line.startswith("|"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_links_lead_somewhere(page: Path) -> None:
    assert broken_links(page) == []


def test_a_broken_link_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Here\n[a](#here) [b](#there) [c](page.md#here) [d](gone.md)\n", "utf-8")
    assert broken_links(page) == ["#there", "gone.md"]


def test_the_table_of_tiles_is_the_game_s() -> None:
    halves = (half for row in rows("README.md") if len(row) == 9 for half in (row[:4], row[5:]))
    told = {name: facts for name, *facts in halves if re.fullmatch("[A-G][1-6]", name)}
    assert told == {tile.name: [tile.terrain, str(tile.value or ""), " ".join(map(str, tile.stones))] for tile in TILES}


def test_the_table_of_editions_is_the_game_s() -> None:
    table = [row for row in rows("editions.md") if len(row) == 1 + len(EDITIONS)]
    names = [cell.strip("`") for cell in table[0][1:]]
    told = {row[0].strip("`"): [cell.strip("`") for cell in row[1:]] for row in table[1:]}
    assert sorted(names) == sorted(EDITIONS)
    for option in OF_EDITION:
        assert told[option] == [as_text(EDITIONS[name][option]) for name in names]


def test_every_option_is_documented() -> None:
    told = (RULES / "editions.md").read_text("utf-8") + (RULES / "variants.md").read_text("utf-8")
    assert [option for option in VALUES if f"`{option}`" not in told] == []


def test_all_rulings_are_there_in_order() -> None:
    marks = [row[0] for row in rows("rulings.md")][2:]  # less the table's head
    assert marks == [f'<a id="r{number}"></a>R{number}' for number in range(1, 22)]


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_a_picture_is_shown_and_can_be_read_aloud(picture: Path) -> None:
    root = ElementTree.parse(picture).getroot()
    spoken = [root.findtext(f"{{http://www.w3.org/2000/svg}}{tag}") for tag in ("title", "desc")]
    assert all(spoken)
    assert f"]({picture.name})" in (RULES / "README.md").read_text("utf-8")
