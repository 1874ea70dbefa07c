"""A naive second reading of the rules, used to check the fast one.

Nothing here imports `tikal`: tables and rules were typed again from the text of the rules, with clarity
as the only aim. Where that text can be read in two ways, READINGS.md says which way was taken.
"""

from .chance import random_chance
from .model import DiceError, Oracle

__all__ = ["DiceError", "Oracle", "random_chance"]
