"""Moving a seat to another device."""

from __future__ import annotations

__all__ = ["hand_over", "take_seat"]

from functools import partial

from starlette.responses import Response

from upcard.server.http.endpoints import Call, endpoint, json_response
from upcard.server.http.identity import digest, new_code
from upcard.server.http.problems import NotFound, NotYours, SessionNeeded
from upcard.server.http.routes.commands import answer_response
from upcard.server.http.schemas import requests, responses
from upcard.server.runtime.answers import Refusal
from upcard.server.store import CommandKey
from upcard.server.table import commands

# Lifetime of a hand-over code, in seconds.
CODE_SECONDS = 300.0


@endpoint(
    "POST",
    "/api/tables/{table}/hand-over",
    "Get a code with which another device takes one's seat: once, within some minutes.",
    request=requests.HandOver,
    answers={200: responses.HandedOut},
)
async def hand_over(call: Call) -> Response:
    tables = call.services.tables
    _, seat, _, _ = await tables.snapshot(call.table, call.mark)
    if seat is None or call.mark is None:
        raise NotYours("you do not have a seat at this table")
    now = tables.node.clock()
    code, expires = new_code(), now + CODE_SECONDS
    await tables.node.store.keep_code(digest(code), call.table, seat, call.mark, expires, now)
    return json_response(responses.HandedOut(code, expires))


@endpoint(
    "POST",
    "/api/take-seat",
    "Take a seat by such a code. It needs a session, so that it can be repeated if the answer is lost.",
    request=requests.TakeSeat,
    answers={200: responses.Joined, 422: Refusal},
)
async def take_seat(call: Call) -> Response:
    person = call.person
    if call.is_new:
        # The response contains the session. If the response is lost, the seat is not.
        return SessionNeeded("take a session first (POST /api/session), then send the code again").response()
    tables, key = call.services.tables, digest(call.body.code)
    async with call.services.limits.guess(call.address):
        found = await tables.node.store.find_handover(key, tables.node.clock())
        if found is None or found.taken_by not in ("", person.mark):
            raise NotFound("this code was used, has expired, or was never given out")
    if found.taken_by == "":
        decide = partial(commands.hand_over, seat=found.seat, giver=found.giver, person=person.mark)
        command = CommandKey(person.mark, f"take-{key.hex()[:32]}", handover=key)
        answer = await tables.submit(found.table, person.mark, decide, command)
        if isinstance(answer, Refusal):
            return answer_response(call, answer)
    return json_response(responses.Joined(found.table))
