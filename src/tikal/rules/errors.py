"""The common base of all errors that we raise on purpose."""

from __future__ import annotations


class TikalError(Exception):
    """A problem and how to correct it, in one line; `code` is for programs.

    >>> str(TikalError("option", "players=5: must be one of 2, 3, 4"))
    'players=5: must be one of 2, 3, 4'
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text

    def __reduce__(self) -> tuple[object, ...]:
        # Errors are pickled between processes; by default pickle would call the class with the text only.
        return type(self), (self.code, self.text)
