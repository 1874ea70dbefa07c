"""The rules of Tikal, in one place: board, tiles, options and editions, state, legal actions, scoring.

It reads only its data files, has no clock and no randomness, and imports no other package of ours.
"""

RULES_VERSION = 1
"""Increased whenever a golden game would end differently."""
