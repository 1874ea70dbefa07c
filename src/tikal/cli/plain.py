"""Text from outside, made harmless for a terminal."""

from __future__ import annotations


def plain(text: str) -> str:
    r"""The text with control characters replaced: a name in a record must not move anybody's cursor.

    >>> plain("Ann\x1b[2J")
    'Ann�[2J'
    """
    return "".join(char if char.isprintable() or char == "\n" else "\N{REPLACEMENT CHARACTER}" for char in text)
