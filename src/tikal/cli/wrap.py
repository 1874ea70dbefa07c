"""Lines of text for a terminal, broken where each language breaks them.

Rich breaks lines at spaces only, no-break spaces included. But Chinese has no spaces, and French has a no-break space
before « : ».
"""

from __future__ import annotations

import re

from rich.cells import cell_len

WIDE = "\u2e80-\u9fff\uff00-\uffef"  # Chinese characters and full-width punctuation
OPENING = "（《"
CLOSING = "，。、：；！？）》"
# A part that stays together: a Latin word or a Chinese character, with its punctuation and the spaces that follow.
PART = re.compile(rf"[{OPENING}]*(?:[^ {WIDE}]+|[^ ])[{CLOSING}]* *|^ +")


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a text, at most `width` columns each if no word is longer.

    Columns are separated by two spaces or more; a line continues below its last column.

    >>> wrapped("a worker walks on", 10)
    ['a worker', 'walks on']
    >>> wrapped("ok  a worker walks on", 14)
    ['ok  a worker', '    walks on']
    >>> wrapped("工人在 a1 进场，走到 b2。", 10)
    ['工人在 a1', '进场，走到', 'b2。']
    """
    return [line for paragraph in text.split("\n") for line in _lines(paragraph, width)]


def _lines(paragraph: str, width: int) -> list[str]:
    indent = " " * cell_len(paragraph[: paragraph.rfind("  ") + 2]) if "  " in paragraph else ""
    lines = [""]
    for part in PART.findall(paragraph):
        if lines[-1].strip(" ") and cell_len(lines[-1] + part.rstrip(" ")) > width:
            lines.append(indent)
        lines[-1] += part
    return [line.rstrip(" ") for line in lines]
