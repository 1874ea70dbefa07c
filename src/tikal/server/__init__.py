"""Online tables: people meet, games are stored as logs of events, bots play along, and hidden information stays hidden.

| package | what it does |
|---|---|
| `database` | stores everything: engines, schema, migrations, the store, ratings |
| `accounts` | people: tokens, names, passwords |
| `bots` | runs bots in worker processes, here or elsewhere |
| `live` | tables in memory: rooms, clocks, bids, and what each viewer is sent |
| `operation` | for administrators: what they may do, export and import, diagnosis, log format |
| `http` | endpoints and WebSocket, requests and responses |

`app` puts them together, `openapi` describes the API. Each package imports only from those above it (and `config`,
`errors`, `limits`). Nothing here decides a rule.
"""
