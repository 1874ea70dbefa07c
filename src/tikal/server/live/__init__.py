"""Tables in memory: running games, what each viewer is sent, clocks, bids, notifications.

`hub` holds all rooms, `room` is one table, `entries` its log in memory, and `projection` makes everything that a
viewer sees.
"""
