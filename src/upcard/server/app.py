"""The server as an ASGI application."""

from __future__ import annotations

__all__ = ["make_app"]

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence

import msgspec
import structlog
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from upcard.server.bus import open_bus
from upcard.server.config import Settings
from upcard.server.guard import Guard, Visit, visit_of
from upcard.server.hall import Hall
from upcard.server.limits import Limits
from upcard.server.metrics import CONTENT_TYPE, Metrics
from upcard.server.openapi import describe, page
from upcard.server.people import People
from upcard.server.problems import HANDLERS, BadJson, Overloaded, Problem, problem_of
from upcard.server.routes import ENDPOINTS, Endpoint, Server
from upcard.server.store import Overloaded as Full
from upcard.server.store import StoreError, open_store

log = structlog.get_logger()


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


def make_app(settings: Settings, seen: Sequence[Callable[[Visit], None]] = ()) -> Starlette:
    """Return the application; what it needs is opened when it starts and closed when it ends.

    Everybody in `seen` is told of every request when it is over.
    """
    metrics, limits = Metrics(settings.metrics), Limits(settings)
    key = settings.signing_key()
    people = People(key)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        store = await asyncio.to_thread(open_store, settings.database)
        hall = Hall(settings, store, open_bus(settings.bus), metrics)
        app.state.server = Server(key, people, limits, hall, metrics)
        await hall.start()
        try:
            yield
        finally:
            await hall.stop()

    routes = [_route(endpoint) for endpoint in ENDPOINTS]
    routes += [Route("/api/openapi.json", _openapi), Route("/api", _page)]
    routes += [Route("/healthz", _health), Route("/metrics", _metrics)]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=HANDLERS)
    app.add_middleware(Guard, settings=settings, people=people, limits=limits, seen=[metrics.visited, *seen])
    return app


def _route(endpoint: Endpoint) -> Route:
    decoder = None if endpoint.request is None else msgspec.json.Decoder(endpoint.request)

    async def handle(request: Request) -> Response:
        asked = None if decoder is None else decoder.decode(await request.body())
        return await endpoint.handler(request.app.state.server, request, asked)

    return Route(endpoint.path, handle, methods=[endpoint.method], name=endpoint.name)


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
