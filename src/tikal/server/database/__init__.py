"""What the server stores: addresses and engines, the schema and its migrations, the store, results and ratings.

`engines` supports SQLite and PostgreSQL, `store` reads and writes people, tables and event logs, `statistics` writes
results and ratings, `settings` stores the administrator's settings. Nothing here knows HTTP or holds a game.
"""
