"""The catalogues of texts, for the tests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tikal.words.texts import languages, parse

MESSAGES = Path(__file__).parents[2] / "web" / "src" / "messages"
LANGUAGES = languages()


def catalogue(language: str) -> dict[str, str]:
    """All messages of a language by `AREA.key`."""
    areas = {path.stem: json.loads(path.read_text("utf-8")) for path in (MESSAGES / language).glob("*.json")}
    return {f"{area}.{key}": message for area, found in areas.items() for key, message in found.items()}


ENGLISH = catalogue("en")


def parts_of(nodes: list[Any]) -> Iterator[dict[str, Any]]:
    """All parts of a message that are not plain text, including nested ones."""
    for node in nodes:
        if isinstance(node, dict):
            yield node
            for option in node.get("options", {}).values():
                yield from parts_of(option)


def values_of(message: str) -> set[str]:
    return {part["name"] for part in parts_of(parse(message))}
