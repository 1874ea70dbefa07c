"""A practice table right before a volcano: Blue's turn is about to end, and the next tile is a volcano for Red."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.e2e.table import Table
from tests.e2e.visitor import ROOT, Visitor

LESSON: dict[str, Any] = json.loads(Path(ROOT, "web/src/learn/lessons/volcano.json").read_text("utf-8"))
DEAL = {"deck": LESSON["deck"].split(","), "treasures": [int(kind) for kind in LESSON["treasures"].split(",")]}
BEFORE: list[str] = LESSON["opening"].split()


def practise(visitor: Visitor, *seats: str, opening: list[str], **options: str) -> Table:
    """A practice table with the deal of the lesson about volcanoes."""
    body = {"seats": list(seats), "deal": DEAL, "opening": opening, "options": options}
    return Table(visitor, str(visitor.ask("POST", "/practice", body)["id"]))
