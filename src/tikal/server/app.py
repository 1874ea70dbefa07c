"""The server put together: settings, store, bots, hub, doors; headers, limits and errors that hold for all."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tikal import __version__
from tikal.server import admin_api, api, live, openapi
from tikal.server.clocks import Time
from tikal.server.config import Config
from tikal.server.errors import Refused, fault
from tikal.server.hub import Hub
from tikal.server.identity import address, check_host, check_origin, digest, token_of
from tikal.server.limits import Limiter
from tikal.server.pages import Pages
from tikal.server.runner import Runner
from tikal.server.store import Conflict, Store

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
    "/api/live: one sends ClientMessage and hears ServerMessage, which stand among the schemas. See docs/server.md."
)


def create_app(config: Config, time: Time | None = None) -> FastAPI:
    """The application; it opens its database when it starts. Tests bring a time of their own."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = await Store.open(config.database)
        runner = _runner(config)
        await runner.open()
        app.state.hub = Hub(store, runner, config, time or Time())
        app.state.hub.metrics.watch(app.state.hub, app.state.sockets.total)
        await app.state.hub.open()
        log.info("open", extra={"facts": {"version": __version__}})
        try:
            yield
        finally:
            await app.state.hub.close()
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
        docs_url=None,  # their pages load scripts from elsewhere
        redoc_url=None,
    )
    app.state.config = config
    app.state.sockets = Counter()
    app.state.new_people = Limiter(config.new_people, config.new_people_burst)
    app.state.records = Limiter(config.records, config.records_burst)
    app.state.requests = Limiter(config.rate, config.burst)
    app.state.messages = Limiter(config.rate, config.burst)
    app.include_router(api.router)
    app.include_router(admin_api.router)
    app.include_router(live.router)
    if config.client is not None:
        app.mount("/", Pages(config.client))
    openapi.describe(app)
    _add_errors(app)
    app.middleware("http")(_guard)
    app.add_middleware(BodyLimit, most=config.body)
    return app


def _runner(config: Config) -> Runner:
    if config.bots == "local":
        return Runner(config)
    from tikal.server.workers import Workers  # needs what not everybody has installed

    return Workers(config)


async def _guard(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    """What holds for every request: our name, our pages, not too often; and the headers of every answer."""
    config: Config = request.app.state.config
    limiter: Limiter = request.app.state.requests
    try:
        check_host(request.headers, config.public_url)
        if request.method not in ("GET", "HEAD"):
            check_origin(request.headers, config.public_url, needed=False)
        if not limiter.allows(_who(request)):
            raise Refused("rate", "too many requests; wait a little")
        response = await call_next(request)
    except Refused as refused:
        response = _problem(refused)
    response.headers.update(HEADERS)
    if request.url.path.startswith("/api/"):
        response.headers["cache-control"] = "no-store"
    return response


def _who(request: Request) -> str:
    """Whose requests are counted: a token that nobody knows yet counts for the address, or anybody could make some."""
    hub: Hub = request.app.state.hub
    token = token_of(request.headers, request.cookies)
    return digest(token) if token and hub.store.knows(digest(token)) else address(request)


def _problem(refused: Refused) -> Response:
    """A refusal as it is told; what it repeats of a request need not be text that can be written."""
    told = json.dumps({"error": refused.as_json()}, ensure_ascii=False).encode(errors="replace")
    return Response(told, refused.status, media_type="application/json")


def _add_errors(app: FastAPI) -> None:
    """Every refusal has the same shape, and tells nothing of what was sent."""

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, Refused)
        request.app.state.hub.metrics.refusals.labels(error.code).inc()
        return _problem(error)

    async def overtaken(request: Request, _: Exception) -> Response:
        return await refused(request, Refused("stale", "somebody else was quicker; look at the table again"))

    async def malformed(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return _problem(Refused("malformed", live.problem_of(error.errors())))

    async def other(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        code = {404: "unknown", 405: "method"}.get(error.status_code, "malformed")
        return _problem(Refused(code, "there is nothing here" if code == "unknown" else str(error.detail)))

    async def failed(_: Request, error: Exception) -> Response:
        response = _problem(fault(error))
        response.headers.update(HEADERS)  # what guards the others is not asked any more
        return response

    app.add_exception_handler(Refused, refused)
    app.add_exception_handler(Conflict, overtaken)
    app.add_exception_handler(RequestValidationError, malformed)
    app.add_exception_handler(HTTPException, other)
    app.add_exception_handler(Exception, failed)


class BodyLimit:
    """Refuses bodies that are too large, also those that do not say their length."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self.app = app
        self.most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reads the body of a request before anything else sees it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = bytearray()
        more = True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self.most:
                answer = _problem(Refused("oversized", f"a request may have {self.most} bytes"))
                answer.headers.update(HEADERS)
                await answer(scope, receive, send)
                return
        waiting: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def read() -> Message:
            return waiting.pop() if waiting else await receive()

        await self.app(scope, read, send)
