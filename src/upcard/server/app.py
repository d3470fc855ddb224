"""The server as an ASGI application."""

from __future__ import annotations

__all__ = ["App", "make_app"]

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Sequence

import msgspec
import structlog
from starlette.datastructures import State
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route, Router
from starlette.types import Receive, Scope, Send

from upcard.server.bus import open_bus
from upcard.server.config import Settings
from upcard.server.guard import Guard, Visit, visit_of
from upcard.server.hall import Hall
from upcard.server.limits import Limits
from upcard.server.metrics import CONTENT_TYPE, Metrics
from upcard.server.openapi import describe, page
from upcard.server.people import People
from upcard.server.problems import BadJson, Overloaded, Problem, problem_of
from upcard.server.routes import ENDPOINTS, Endpoint, Server
from upcard.server.store import Overloaded as Full
from upcard.server.store import Store, StoreError, open_store
from upcard.server.web import PAGES

log = structlog.get_logger()

# What is asked for most often is looked for first.
FIRST = ("/api/tables/{table}/play", "/api/tables/{table}/events", "/api/tables/{table}")


@problem_of.register
def _no_text(error: UnicodeDecodeError) -> Problem:
    return BadJson(f"the body is not text in UTF-8: {error.reason}")


@problem_of.register
def _too_much_to_write(error: Full) -> Problem:
    return Overloaded(str(error))


@problem_of.register
def _database_is_ill(error: StoreError) -> Problem:
    """The sentence of the error is for whoever runs the server: it names files and addresses."""
    log.error("the tables cannot be written or read", reason=str(error))
    return Overloaded("the tables cannot be written or read now; try again in a moment")


class App:
    """Routes behind a guard, and nothing else: whatever goes wrong, the guard answers it."""

    def __init__(self, router: Router, guard: Callable[[Router], Guard]) -> None:
        self.state = State()
        self.router = router
        self._guard = guard(router)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"] = self
        await self._guard(scope, receive, send)


def make_app(
    settings: Settings,
    seen: Sequence[Callable[[Visit], None]] = (),
    store: Store | None = None,
    clock: Callable[[], float] = time.time,
    limits: Limits | None = None,
) -> App:
    """Return the application; what it needs is opened when it starts (unless it is given a store) and closed
    when it ends.

    Everybody in `seen` is told of every request when it is over. `clock` tells the time in seconds since the
    epoch; `limits` are those of the settings, unless others are given.
    """
    metrics, limits = Metrics(settings.metrics), limits or Limits(settings)
    key = settings.signing_key()
    people = People(key)

    @contextlib.asynccontextmanager
    async def lifespan(app: App) -> AsyncIterator[None]:
        opened = await asyncio.to_thread(open_store, settings.database) if store is None else store
        hall = Hall(settings, opened, open_bus(settings.bus), metrics, clock)
        app.state.server = Server(key, people, limits, hall, metrics)
        await hall.start()
        try:
            yield
        finally:
            await hall.stop()

    router = Router(routes=_routes(), redirect_slashes=False, lifespan=lifespan)
    return App(router, lambda app: Guard(app, settings, people, limits, [metrics.visited, *seen]))


def _routes() -> list[BaseRoute]:
    paths = list(dict.fromkeys([*FIRST, *(endpoint.path for endpoint in ENDPOINTS)]))
    routes: list[BaseRoute] = []
    for path in paths:
        here = [endpoint for endpoint in ENDPOINTS if endpoint.path == path]
        routes.append(Route(path, _Handler(here), methods=[endpoint.method for endpoint in here]))
    routes += [Route("/api/openapi.json", _openapi), Route("/api", _page)]
    return [*routes, Route("/healthz", _health), Route("/metrics", _metrics), *PAGES]


class _Handler:
    """The endpoints of one path as an application of their own. Starlette would wrap a function into several
    layers, and there is one for each open stream."""

    def __init__(self, endpoints: Sequence[Endpoint]) -> None:
        self._by_method = {
            endpoint.method: (
                endpoint.handler,
                None if endpoint.request is None else msgspec.json.Decoder(endpoint.request),
            )
            for endpoint in endpoints
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        handle, decoder = self._by_method["GET" if scope["method"] == "HEAD" else scope["method"]]
        request = Request(scope, receive)
        asked = None if decoder is None else decoder.decode(visit_of(scope).body)
        response = await handle(scope["app"].state.server, request, asked)
        await response(scope, receive, send)


async def _openapi(_request: Request) -> Response:
    return JSONResponse(describe())


async def _page(_request: Request) -> Response:
    return HTMLResponse(page())


async def _health(request: Request) -> Response:
    """Tell whether tables can be read; what asks this is a machine."""
    hall: Hall = request.app.state.server.hall
    if hall.stopping:
        return JSONResponse({"status": "stopping"}, 503)
    return JSONResponse({"status": "ok", "tables": await hall.store.count()})


async def _metrics(request: Request) -> Response:
    """Tell what was counted; what asks this is Prometheus."""
    metrics: Metrics = request.app.state.server.metrics
    metrics.admit(visit_of(request))
    return Response(metrics.render(), media_type=CONTENT_TYPE)
