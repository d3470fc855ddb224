"""The server as an ASGI application."""

from __future__ import annotations

__all__ = ["App", "make_app"]

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Sequence

from starlette.datastructures import State
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route, Router
from starlette.types import Receive, Scope, Send

from upcard.server.config import Settings
from upcard.server.http import monitoring
from upcard.server.http.endpoints import Endpoint, Services
from upcard.server.http.identity import Authenticator
from upcard.server.http.middleware import RequestMiddleware
from upcard.server.http.openapi import describe, page
from upcard.server.http.rate_limit import RateLimits
from upcard.server.http.request_context import RequestContext
from upcard.server.http.routes import ENDPOINTS
from upcard.server.metrics import Metrics
from upcard.server.runtime.bus import open_bus
from upcard.server.runtime.node import Node
from upcard.server.runtime.policy import PolicyRules
from upcard.server.runtime.tables import Tables
from upcard.server.signing_keys import signing_keys
from upcard.server.store import Store, open_store
from upcard.server.web import PAGES, missing

# The most frequent requests are matched first.
FIRST = ("/api/tables/{table}/play", "/api/tables/{table}/events", "/api/tables/{table}")


class App:
    """Routes behind the middleware, which also answers every error."""

    def __init__(self, router: Router, wrap: Callable[[Router], RequestMiddleware]) -> None:
        self.state = State()
        self.router = router
        self._wrapped = wrap(router)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"] = self
        await self._wrapped(scope, receive, send)


def make_app(
    settings: Settings,
    observers: Sequence[Callable[[RequestContext], None]] = (),
    store: Store | None = None,
    clock: Callable[[], float] | None = None,
    limits: RateLimits | None = None,
) -> App:
    """Return the application. It opens what it needs when it starts (unless it is given a store), and closes
    it when it ends.

    The observers are called with every request that is over. `clock` returns the time in seconds since the
    epoch; `limits` are those of the settings, unless others are given.
    """
    metrics, limits = Metrics(), limits or RateLimits(settings)
    keys = signing_keys(settings, clock=clock or time.time)
    authenticator = Authenticator(keys, settings.session_days, clock or time.time)
    policy = PolicyRules()

    @contextlib.asynccontextmanager
    async def lifespan(app: App) -> AsyncIterator[None]:
        opened = await asyncio.to_thread(open_store, settings.database) if store is None else store
        tables = Tables(Node(settings, opened, open_bus(settings.bus), metrics, clock, policy))
        app.state.services = Services(keys()[0], authenticator, limits, tables, metrics)
        await tables.start()
        try:
            yield
        finally:
            await tables.stop()

    router = Router(routes=_routes(), redirect_slashes=False, lifespan=lifespan, default=missing)
    watching = [metrics.request_finished, *observers]
    return App(
        router, lambda app: RequestMiddleware(app, settings, authenticator, limits, watching, policy=policy)
    )


def _routes() -> list[BaseRoute]:
    by_path: dict[str, list[Endpoint]] = {path: [] for path in FIRST}
    for endpoint in ENDPOINTS:
        by_path.setdefault(endpoint.path, []).append(endpoint)
    routes: list[BaseRoute] = [
        Route(path, _ByMethod(here), methods=[endpoint.method for endpoint in here])
        for path, here in by_path.items()
    ]
    routes += [Route("/api/openapi.json", _openapi), Route("/api", _page)]
    return [*routes, Route("/healthz", monitoring.health), Route("/metrics", monitoring.metrics), *PAGES]


class _ByMethod:
    """The endpoints of one path, as an ASGI application. Starlette would wrap functions into several layers,
    and every open stream would keep them in memory."""

    def __init__(self, endpoints: Sequence[Endpoint]) -> None:
        self._endpoints: dict[str, Endpoint] = {endpoint.method: endpoint for endpoint in endpoints}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        await self._endpoints[method](scope, receive, send)


async def _openapi(_request: Request) -> Response:
    return JSONResponse(describe())


async def _page(_request: Request) -> Response:
    return HTMLResponse(page())
