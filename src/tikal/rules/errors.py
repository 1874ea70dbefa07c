"""The common base of all errors that we raise on purpose."""

from __future__ import annotations

from functools import partial


class TikalError(Exception):
    """A problem and how to correct it, in one line; `code` is for programs.

    >>> str(TikalError("option", "players=5: must be one of 2, 3, 4"))
    'players=5: must be one of 2, 3, 4'

    The text is English. For people, `reason` and `values` give the same sentence in every language: the message
    `reason.REASON`. A value may itself be an error: the cause of this one.
    """

    def __init__(self, code: str, text: str, reason: str = "", /, **values: str | int | TikalError) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.reason = reason
        self.values = values

    def __reduce__(self) -> tuple[object, ...]:
        # Errors are pickled between processes; by default pickle would call the class with the text only.
        given = (self.code, self.text, self.reason) if self.reason else (self.code, self.text)
        return partial(type(self), *given, **self.values), ()
