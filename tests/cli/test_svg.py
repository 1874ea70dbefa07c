"""The picture of the board is well-formed, loads nothing and shows everything."""

from __future__ import annotations

import re
from random import Random
from xml.etree import ElementTree as ET

import pytest

from tests.cli.status_maker import crowded
from tikal.cli.scene import scene_of
from tikal.cli.svg import centre, draw_svg
from tikal.rules.tables import BOARDS, HEX_NAMES, NEIGHBOURS

SVG = "{http://www.w3.org/2000/svg}"


def drawn(seed: int, names: tuple[str, ...] = ("Ann", "Bob", "Cleo", "Dan")) -> tuple[dict[str, object], ET.Element]:
    status = crowded(Random(seed), tiles=30)
    text = draw_svg(scene_of(status, BOARDS["original"]), names, status["scores"])
    return status, ET.fromstring(text)


def texts(element: ET.Element) -> list[str]:
    return ["".join(found.itertext()) for found in element.iter(f"{SVG}text")]


@pytest.mark.parametrize("seed", range(3))
def test_every_hex_with_its_members_is_there(seed: int) -> None:
    status, root = drawn(seed)
    hexes = {element.get("data-hex"): element for element in root.iter(f"{SVG}g") if element.get("data-hex")}
    assert sorted(hexes, key=str) == list(HEX_NAMES)
    scene = scene_of(status, BOARDS["original"])
    for name, element in hexes.items():
        assert name is not None
        place, shown = scene.place(name), texts(element)
        assert name in shown
        if place.terrain == "temple":
            assert str(place.level) in shown
        assert shown.count("★") == sum(group.leader for group in place.groups)
        for group in place.groups:
            assert not group.workers or str(group.workers) in shown


def test_every_passage_shows_its_cost() -> None:
    status, root = drawn(4)
    scene = scene_of(status, BOARDS["original"])
    passages = {
        "-".join(sorted((HEX_NAMES[index], HEX_NAMES[NEIGHBOURS[index][side]]))): [str(cost)]
        for index, costs in enumerate(scene.costs)
        for side, cost in enumerate(costs)
        if cost
    }
    groups = (element for element in root.iter(f"{SVG}g") if element.get("data-passage"))
    assert {element.get("data-passage"): texts(element) for element in groups} == passages


def test_nothing_is_loaded_from_elsewhere() -> None:
    _, root = drawn(5)
    for element in root.iter():
        assert element.tag.split("}")[1] not in ("script", "image", "foreignObject", "style")
        for value in element.attrib.values():
            assert "://" not in value
            assert all(target.startswith("#") for target in re.findall(r"url\((.*?)\)", value))


def test_names_are_only_text() -> None:
    _, root = drawn(6, ("<b>&amp;", '"', "]]>", "'"))
    assert any("<b>&amp;" in text for text in texts(root))


def test_neighbours_lie_side_by_side() -> None:
    (ax, ay), (bx, by) = centre(HEX_NAMES.index("a1")), centre(HEX_NAMES.index("b2"))
    assert bx > ax
    assert by < ay  # b2 is north-east of a1
