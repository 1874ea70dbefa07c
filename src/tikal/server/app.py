"""Assembles the server: settings, store, bots, hub, endpoints, and the checks on every request."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tikal import __version__
from tikal.server import openapi
from tikal.server.accounts.tokens import digest
from tikal.server.bots.pool import Runner
from tikal.server.config import Config
from tikal.server.database.lock import ServerLock
from tikal.server.database.rows import Conflict
from tikal.server.database.store import Store
from tikal.server.errors import Refused, fault
from tikal.server.http import admin_api, api, sockets
from tikal.server.http.callers import address, check_host, check_origin, token_of
from tikal.server.http.outbox import Budget
from tikal.server.http.pages import Pages
from tikal.server.limits import Limiter
from tikal.server.live.clocks import Time
from tikal.server.live.hub import Hub
from tikal.server.operation import request_ids
from tikal.server.operation.admin import Admin

log = logging.getLogger("tikal.server")
HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
ABOUT = (
    "Tables of Tikal: people, tables, play. Refusals have a code and a text, and change nothing. The WebSocket is at "
    "/api/live: clients send ClientMessage and receive ServerMessage, both listed in the schemas. See docs/server.md."
)


def create_app(config: Config, time: Time | None = None) -> FastAPI:
    """The application; it opens its database when it starts. Tests pass their own clock."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with ServerLock(config.database):
            async with _running(app):
                yield

    @asynccontextmanager
    async def _running(app: FastAPI) -> AsyncIterator[None]:
        store = await Store.open(config.database)
        runner = _runner(config)
        await runner.open()
        app.state.hub = hub = Hub(store, runner, config, time or Time())
        app.state.admin = Admin(hub)
        hub.metrics.watch(store, runner, hub.rooms, app.state.sockets.total)
        await hub.open()
        log.info("open", extra={"facts": {"version": __version__}})
        try:
            yield
        finally:
            await hub.close()
            await runner.shut()
            runner.close()
            await store.close()
            log.info("closed")

    app = FastAPI(
        title="Tikal",
        version=__version__,
        description=ABOUT,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,  # FastAPI's pages load scripts from other hosts
        redoc_url=None,
    )
    app.state.config = config
    app.state.sockets = Counter()  # by person
    app.state.socket_addresses = Counter()
    app.state.outgoing = Budget(config.sockets_bytes)
    app.state.new_people = Limiter(config.new_people, config.new_people_burst)
    app.state.records = Limiter(config.records, config.records_burst)
    app.state.new_tables = Limiter(config.new_tables, config.new_tables_burst)
    app.state.requests = Limiter(config.rate, config.burst)
    app.state.messages = Limiter(config.rate, config.burst)
    for router in (api.router, admin_api.router, sockets.router):
        app.router.routes += router.routes  # include_router would build each of them again on the first request
    if config.client is not None:
        app.mount("/", Pages(config.client, config))
    openapi.describe(app)
    _add_errors(app)
    app.middleware("http")(_guard)
    app.add_middleware(BodyLimit, most=config.body, seconds=config.read_ms / 1000)
    return app


def _runner(config: Config) -> Runner:
    if config.bots == "local":
        return Runner(config)
    from tikal.server.bots.remote import Workers  # needs an optional dependency

    return Workers(config)


async def _guard(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    """Checks every request (host, origin, rate), and adds the headers of every answer."""
    config: Config = request.app.state.config
    limiter: Limiter = request.app.state.requests
    request_id = request_ids.begin(request.headers)
    try:
        check_host(request.headers, config.public_url)
        if request.method not in ("GET", "HEAD"):
            check_origin(request.headers, config.public_url, needed=False)
        if not limiter.allows(_who(request)):
            raise Refused("rate", "too many requests; wait a little")
        response = await call_next(request)
    except Refused as refused:
        _count(request.app, refused)
        response = _problem(refused)
    except Exception as error:  # not in an exception handler: after one, the error would be logged again
        response = _problem(fault(error))
    response.headers.update(HEADERS)
    response.headers[request_ids.HEADER] = request_id
    if request.url.path.startswith("/api/"):
        response.headers["cache-control"] = "no-store"
    return response


def _who(request: Request) -> str:
    """The key for rate limits. Unknown tokens count for their address: invented ones are no way around a limit."""
    hub: Hub = request.app.state.hub
    token = token_of(request.headers, request.cookies)
    return digest(token) if token and hub.store.knows(digest(token)) else address(request)


def _count(app: FastAPI, refused: Refused) -> None:
    """Counts a refusal, also for operators to see an attack."""
    app.state.hub.metrics.refusals.labels(refused.code).inc()


def _problem(refused: Refused) -> Response:
    """A refusal as JSON. It may quote a request, which need not be valid text."""
    body = json.dumps({"error": refused.as_json()}, ensure_ascii=False).encode(errors="replace")
    return Response(body, refused.status, media_type="application/json")


def _add_errors(app: FastAPI) -> None:
    """Gives all refusals the same shape; they never repeat secrets from the request."""

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, Refused)
        _count(request.app, error)
        return _problem(error)

    async def overtaken(request: Request, _: Exception) -> Response:
        return await refused(request, Refused("stale", "another request was faster; look at the table again"))

    async def malformed(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return _problem(sockets.malformed(error.errors()))

    async def other(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        code = {404: "unknown", 405: "method"}.get(error.status_code, "malformed")
        return _problem(Refused(code, "there is nothing here" if code == "unknown" else str(error.detail)))

    app.add_exception_handler(Refused, refused)
    app.add_exception_handler(Conflict, overtaken)
    app.add_exception_handler(RequestValidationError, malformed)
    app.add_exception_handler(HTTPException, other)


class BodyLimit:
    """Refuses bodies that are too large, even without a declared length, and bodies that arrive too slowly."""

    def __init__(self, app: ASGIApp, most: int, seconds: float) -> None:
        self.app = app
        self.most = most
        self.seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reads the body of a request before anything else sees it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = bytearray()
        more = True
        loop = asyncio.get_running_loop()
        until = loop.time() + self.seconds
        while more:
            try:
                message = await asyncio.wait_for(receive(), until - loop.time())
            except TimeoutError:
                await self._refuse(Refused("slow", "the request did not come in time"), scope, receive, send)
                return
            if message["type"] != "http.request":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self.most:
                why = f"a request can have at most {self.most} bytes"
                await self._refuse(Refused("oversized", why), scope, receive, send)
                return
        waiting: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def read() -> Message:
            return waiting.pop() if waiting else await receive()

        await self.app(scope, read, send)

    async def _refuse(self, why: Refused, scope: Scope, receive: Receive, send: Send) -> None:
        _count(scope["app"], why)
        answer = _problem(why)
        answer.headers.update(HEADERS)
        answer.headers[request_ids.HEADER] = request_ids.begin(Headers(scope=scope))
        if why.code == "slow":
            answer.headers["connection"] = "close"  # otherwise the rest would be read as another request
        await answer(scope, receive, send)
