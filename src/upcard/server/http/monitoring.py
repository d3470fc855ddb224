"""Health checks and metrics, for machines."""

from __future__ import annotations

__all__ = ["check_metrics_access", "health", "metrics"]

import ipaddress

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from upcard.server.http.identity import headers_of
from upcard.server.http.middleware import without_port
from upcard.server.http.problems import NotFound, NotYours
from upcard.server.http.request_context import RequestContext, context_of
from upcard.server.metrics import CONTENT_TYPE, Metrics
from upcard.server.runtime.tables import Tables

# Rounds of housekeeping are one second apart, or up to half a minute after errors.
MAX_ROUND_SECONDS = 60.0


async def health(request: Request) -> Response:
    """Tell a load balancer whether the node can serve tables: read, write, and act on deadlines."""
    tables: Tables = request.app.state.services.tables
    node = tables.node
    if node.stopping:
        return JSONResponse({"status": "stopping"}, 503)
    late = node.round_age > MAX_ROUND_SECONDS
    problems = ["cannot write"] * (not node.can_write) + ["housekeeping stands still"] * late
    if problems:
        return JSONResponse({"status": "failing", "problems": problems}, 503)
    # Nodes work without the bus, only more slowly. If they did not answer "ok", a load balancer would remove
    # all of them.
    bus = {"bus": "up" if node.bus.is_up else "lost"} if node.is_clustered else {}
    return JSONResponse({"status": "ok", "tables": await node.store.count(), **bus})


async def metrics(request: Request) -> Response:
    """Return the metrics, for Prometheus."""
    services = request.app.state.services
    check_metrics_access(services.tables.node.settings.metrics, context_of(request))
    counted: Metrics = services.metrics
    return Response(counted.render(), media_type=CONTENT_TYPE)


def check_metrics_access(access: str, context: RequestContext) -> None:
    """Refuse a client that may not read the metrics."""
    if access == "off":
        raise NotFound("there is nothing at this address")
    if access == "local" and not _is_local(context):
        raise NotYours("the metrics are only for this machine")


def _is_local(context: RequestContext) -> bool:
    """Whether a request comes from this machine, and not on behalf of another one.

    An unknown proxy is recognized by its headers, and a page that has pointed its own site's name at this
    machine by the Host header.
    """
    headers = headers_of(context.scope)
    is_forwarded = not context.proxied and any(
        name in headers for name in (b"forwarded", b"via", b"x-forwarded-for", b"x-real-ip")
    )
    host = headers.get(b"host", b"").decode("latin-1")
    name = without_port(host)
    return _is_loopback(context.address) and not is_forwarded and (name == "localhost" or _is_loopback(name))


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
