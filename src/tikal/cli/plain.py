"""Text from outside, made harmless for a terminal."""

from __future__ import annotations

HARMLESS = "\n\u00a0\u202f"  # Python does not count no-break spaces, which some languages need, as printable


def plain(text: str) -> str:
    r"""The text with control characters replaced: a name in a record must not move the cursor.

    >>> plain("Ann\x1b[2J")
    'Ann�[2J'
    """
    return "".join(char if char.isprintable() or char in HARMLESS else "\N{REPLACEMENT CHARACTER}" for char in text)
