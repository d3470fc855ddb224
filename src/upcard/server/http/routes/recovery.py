"""Recovery phrases: continuing on another device with all seats."""

from __future__ import annotations

__all__ = ["make_phrase", "recover"]

from functools import partial

from starlette.responses import Response

from upcard.server.http.endpoints import Call, endpoint, json_response
from upcard.server.http.identity import Person
from upcard.server.http.problems import NotFound
from upcard.server.http.recovery import digest_of, new_phrase, read_phrase, seal
from upcard.server.http.schemas import requests, responses
from upcard.server.store import CommandKey
from upcard.server.table import commands

# The maximum number of tables that move from one identity to the other.
MAX_MOVED = 20


@endpoint(
    "POST",
    "/api/recovery-phrase",
    "Get a phrase with which another device becomes the same person. An earlier phrase stops working.",
    answers={200: responses.RecoveryPhrase},
)
async def make_phrase(call: Call) -> Response:
    phrase, person = new_phrase(), call.person
    bits = read_phrase(phrase)
    assert bits is not None
    await call.services.tables.node.store.keep_recovery(digest_of(bits), person.mark, seal(bits, person.bits))
    return json_response(responses.RecoveryPhrase(phrase))


@endpoint(
    "POST",
    "/api/recover",
    "Become the person who has a recovery phrase. Seats that this device has already move to that person.",
    request=requests.Recover,
    answers={200: responses.Session},
)
async def recover(call: Call) -> Response:
    bits = read_phrase(call.body.phrase)
    store = call.services.tables.node.store
    async with call.services.limits.guess(call.address):
        sealed = None if bits is None else await store.find_recovery(digest_of(bits))
        if bits is None or sealed is None:
            raise NotFound("this is not a recovery phrase of this server")
    before, person = call.mark, Person(seal(bits, sealed))
    if before is not None and before != person.mark:
        await _move_seats(call, before, person.mark)
        await store.move_subscriptions(before, person.mark)
    call.become(person)
    is_page = "origin" in call.request.headers
    token = None if is_page else call.services.authenticator.token(person)
    return json_response(responses.Session(person.mark, token))


async def _move_seats(call: Call, giver: str, person: str) -> None:
    """Let a person keep the seats that they took before they entered the phrase."""
    tables = call.services.tables
    for table in await tables.node.store.tables_of(giver, MAX_MOVED):
        state, seat, _, _ = await tables.snapshot(table, giver)
        if seat is not None and state.seat_of(person) is None:
            decide = partial(commands.hand_over, seat=seat, giver=giver, person=person)
            await tables.submit(table, person, decide, CommandKey(person, f"recover-{giver}"))
