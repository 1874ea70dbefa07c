"""Tables on the net: people meet, games are kept as logs of events, bots answer, nothing hidden leaves.

`store` keeps, `room` is one table in memory, `projection` is the only way out, `hub` holds all rooms, `runner` lets
bots think, `api` and `live` are the doors, `app` puts them together. Nothing here decides a rule.
"""
