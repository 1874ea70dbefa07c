"""The one place where Tikal is: board, tiles, options and editions, state, legal actions, scoring.

No I/O but its own data files, no clock, no randomness of its own; it imports nothing else of ours.
"""

RULES_VERSION = 1
"""Raised whenever a golden game would end differently."""
