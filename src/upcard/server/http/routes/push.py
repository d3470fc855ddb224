"""Push messages: which devices are told when it is their player's turn."""

from __future__ import annotations

__all__ = ["push_key", "subscribe", "unsubscribe"]

from starlette.responses import Response

from upcard.server import base64url
from upcard.server.http.endpoints import Call, endpoint, json_response
from upcard.server.http.problems import BadRequest, NotFound
from upcard.server.http.schemas import requests, responses
from upcard.server.runtime.push.encryption import AUTH_BYTES, is_public_key
from upcard.server.runtime.push.endpoint import ForbiddenEndpoint
from upcard.server.runtime.push.pusher import MISSING
from upcard.server.store import Subscription

# What a subscription costs, since it is stored and messages follow.
COST = 5.0


@endpoint(
    "GET",
    "/api/push",
    "The key to which a browser binds a subscription to push messages; null if this server sends none.",
    answers={200: responses.PushKey},
)
async def push_key(call: Call) -> Response:
    signer = await call.services.tables.pusher.signer()
    return json_response(responses.PushKey(None if signer is None else signer.public))


@endpoint(
    "POST",
    "/api/push",
    "Get push messages on this device when it is one's turn in a game over days.",
    request=requests.Subscribe,
    answers={200: responses.Subscribed},
)
async def subscribe(call: Call) -> Response:
    asked: requests.Subscribe = call.body
    tables = call.services.tables
    if await tables.pusher.signer() is None:
        off = tables.node.settings.push == "off"
        raise NotFound("this server sends no push messages" if off else MISSING)
    call.charge(COST)
    public_key, auth = _decoded(asked.keys.p256dh), _decoded(asked.keys.auth)
    if not is_public_key(public_key) or len(auth) != AUTH_BYTES:
        raise BadRequest("these are not the keys of a push subscription")
    try:
        tables.pusher.endpoint(asked.endpoint)
    except ForbiddenEndpoint as error:
        raise BadRequest(str(error)) from None
    site = call.request.headers.get("origin") or str(call.request.base_url).rstrip("/")
    new = Subscription(asked.endpoint, call.person.mark, public_key, auth, asked.language, site)
    await tables.node.store.subscribe(new, tables.node.clock())
    return json_response(responses.Subscribed(True))


@endpoint(
    "POST",
    "/api/push/remove",
    "Get no more push messages on this device.",
    request=requests.Unsubscribe,
    answers={200: responses.Subscribed},
)
async def unsubscribe(call: Call) -> Response:
    await call.services.tables.node.store.unsubscribe(call.body.endpoint)
    return json_response(responses.Subscribed(False))


def _decoded(text: str) -> bytes:
    """Return the bytes of a text in Base64, with or without padding; none if it is something else."""
    try:
        return base64url.decode(text.rstrip("="))
    except ValueError:
        return b""
