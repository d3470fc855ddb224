"""Commands at a table. Each is a request type and the function of table/commands.py that decides it."""

from __future__ import annotations

__all__ = ["COMMANDS", "answer_response", "answer_window", "hint", "to_think"]

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import structlog
from starlette.responses import Response

from upcard.core.errors import Refused
from upcard.server.http.endpoints import Call, Endpoint, add, charge_missed, endpoint, json_response
from upcard.server.http.schemas import requests, responses
from upcard.server.runtime.answers import Answer, Done, Hint, Kept, Refusal, Stale, ToThink, refusal_of
from upcard.server.store import Report
from upcard.server.table import commands

log = structlog.get_logger()

STATUS = {Done: 200, Kept: 200, Stale: 409, Refusal: 422}

# Path, request and decision. The decision gets the fields of the request, except its id, as keyword
# arguments; the table adds `now` and `present` (the connected seats) if it accepts them.
COMMANDS: list[tuple[str, type[msgspec.Struct], str, Callable[..., Any]]] = [
    ("sit", requests.Sit, "Sit down.", commands.sit),
    ("stand", requests.Stand, "Stand up.", commands.stand),
    ("rename", requests.Rename, "Change one's name.", commands.rename),
    ("place", requests.Place, "Put a bot on a seat, or make it free.", commands.place),
    ("remove", requests.Remove, "Remove another person from the table before the game.", commands.remove),
    ("lock", requests.Lock, "Lock the table, or unlock it.", commands.lock),
    ("start", requests.Start, "Deal the cards.", commands.start),
    ("play", requests.Play, "Make a move.", commands.play),
    ("say", requests.Say, "Say one of the phrases.", commands.say),
    ("undo", requests.AskUndo, "Ask whether one's last move may be taken back.", commands.ask_undo),
    ("undo/answer", requests.AnswerUndo, "Agree to an undo, or do not.", commands.answer_undo),
    ("resign", requests.Resign, "Give up.", commands.resign),
    ("end", requests.AskEnd, "Ask whether the game may end without a winner.", commands.ask_end),
    ("end/answer", requests.AnswerEnd, "Agree to end the game, or do not.", commands.answer_end),
    ("leave", requests.Leave, "Leave the table.", commands.leave),
    ("come", requests.Come, "Take one's seat back.", commands.come_back),
    ("stay", requests.Stay, "Tell that one is there, and still thinks.", commands.stay),
    ("host", requests.TakeHost, "Take care of the table, if its host is not there.", commands.take_host),
    ("pace", requests.SetPace, "Let bots take more or less time for a move.", commands.set_pace),
    ("hurry", requests.Hurry, "Skip to the next turn of a person.", commands.hurry),
    ("hold", requests.Hold, "Ask everyone to wait while a window is open.", commands.hold),
    ("give-time", requests.GiveTime, "Always have time to answer in windows.", commands.give_time),
]


def answer_response(call: Call, answer: Answer) -> Response:
    """Return the answer to a command as a response, and count it."""
    call.services.metrics.answered(str(type(answer).__struct_config__.tag))
    if isinstance(answer, Refusal):
        call.services.metrics.refused(answer.code)
    return json_response(answer, STATUS[type(answer)])


async def _submit(command: Callable[..., Any], call: Call) -> Response:
    fields = msgspec.structs.asdict(call.body)
    del fields["id"]
    if "base" in fields:
        await charge_missed(call, fields["base"])
    wanted = inspect.signature(command).parameters
    if "now" in wanted:
        fields["now"] = call.services.tables.node.clock()
    if "present" in wanted:
        tables = call.services.tables
        fields["present"] = await tables.attendance.connected(await tables.actor(call.table))
    if "name" in fields:
        tables_policy = call.services.tables.node.policy
        try:
            tables_policy.check_name(fields["name"])
        except Refused as refused:
            return answer_response(call, refusal_of(refused, 0))
    decide = partial(command, person=call.person.mark, **fields)
    answer = await call.services.tables.submit(
        call.table, call.person.mark, decide, call.key, fields.get("base"), call.address
    )
    return answer_response(call, answer)


for _path, _request, _summary, _command in COMMANDS:
    add(
        Endpoint(
            "POST",
            f"/api/tables/{{table}}/{_path}",
            partial(_submit, _command),
            _summary,
            _request,
            {200: Done, 409: Stale, 422: Refusal},
        )
    )


@endpoint(
    "POST",
    "/api/tables/{table}/react",
    "Answer out of turn, while a window is open.",
    request=requests.React,
    answers={200: Kept, 409: Stale, 422: Refusal},
)
async def answer_window(call: Call) -> Response:
    asked: requests.React = call.body
    await charge_missed(call, asked.base)
    answer = await call.services.tables.answer_window(
        call.table, asked.move, asked.base, call.key, call.address
    )
    return answer_response(call, answer)


@endpoint(
    "POST",
    "/api/tables/{table}/report",
    "Report a player to the operator of the server.",
    request=requests.ReportPlayer,
    answers={200: responses.Reported, 422: Refusal},
)
async def report(call: Call) -> Response:
    asked: requests.ReportPlayer = call.body
    tables = call.services.tables
    state, seat, _, _ = await tables.snapshot(call.table, call.person.mark)
    others = [number for number in state.people if number != seat]
    try:
        if seat is None:
            commands.refuse("not_seated")
        if asked.seat not in others:
            commands.refuse("no_such_seat", seat=asked.seat)
    except Refused as refused:
        return answer_response(call, refusal_of(refused, state.seq))
    about = state.seats[asked.seat - 1]
    assert about.person is not None
    now = tables.node.clock()
    await tables.node.store.report(
        Report(call.table, call.person.mark, asked.seat, about.person, about.name, now)
    )
    log.warning("a player was reported", table=call.table, seat=asked.seat)
    return json_response(responses.Reported(asked.seat))


@endpoint(
    "POST",
    "/api/tables/{table}/hint",
    "Ask which move a bot would make at one's seat, and why.",
    answers={200: Hint, 422: Refusal},
)
async def hint(call: Call) -> Response:
    try:
        return json_response(await call.services.tables.hint(call.table, call.person.mark, call.address))
    except Refused as refused:
        return json_response(refusal_of(refused, 0), STATUS[Refusal])


@endpoint(
    "POST",
    "/api/tables/{table}/to-think",
    "Get what one's seat may know as numbers, for a bot on one's own device.",
    answers={200: ToThink, 422: Refusal},
)
async def to_think(call: Call) -> Response:
    try:
        known = await call.services.tables.to_think(call.table, call.person.mark, call.address)
        return json_response(known)
    except Refused as refused:
        return json_response(refusal_of(refused, 0), STATUS[Refusal])
