"""Bots at tables: they run in worker processes on this machine (`pool`) or on others (`remote`).

`task` is the code that a worker runs. Workers see views only, never a game.
"""
