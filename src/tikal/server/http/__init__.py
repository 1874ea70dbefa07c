"""HTTP and WebSocket: the endpoints, the schemas of requests and responses, and the identity of callers.

`api`, `admin_api` and `sockets` are the endpoints; `requests` and `responses` are the schemas.
"""
