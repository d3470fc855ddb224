"""What a viewer may see of one table."""

from __future__ import annotations

__all__ = ["events", "look", "record"]

from starlette.requests import Request
from starlette.responses import Response

from upcard.server.http.endpoints import Call, charge_missed, endpoint, json_response
from upcard.server.http.problems import BadRequest, NotFound
from upcard.server.http.schemas import responses
from upcard.server.http.sse import StreamResponse
from upcard.server.table.projection import project_record, project_setup


@endpoint(
    "GET",
    "/api/tables/{table}",
    "The state of a table, as the viewer may know it.",
    answers={200: responses.TableSnapshot},
)
async def look(call: Call) -> Response:
    state, _, _, shown = await call.services.tables.snapshot(call.table, call.mark)
    return json_response(project_setup(state) | shown)


@endpoint(
    "GET",
    "/api/tables/{table}/events",
    "What happens at a table: server-sent events, or (Accept: application/json) all since a number.",
    parameters={
        "since": (int, "The last sequence number that is known."),
        "states": (str, "`no` for streams without the state of the table after all that happens."),
    },
    answers={200: responses.Missed},
    streams=True,
)
async def events(call: Call) -> Response:
    tables, since = call.services.tables, _since(call.request)
    wants_json = "application/json" in call.request.headers.get("accept", "")
    if wants_json and since is None:
        since = 0
    if since is not None:
        await charge_missed(call, since)
    if wants_json:
        state, _, entries, shown = await tables.snapshot(call.table, call.mark, since)
        more = state.seq > (since or 0) + len(entries)
        return json_response({"seq": state.seq, "news": entries, "more": more, "state": shown})
    states = call.request.query_params.get("states") != "no"
    stream = await tables.watch(call.table, call.mark, call.address, since, states)
    return StreamResponse(tables, call.table, stream)


def _since(request: Request) -> int | None:
    """Return the last number that the client knows, from a reconnecting browser or from a parameter."""
    text = request.headers.get("last-event-id") or request.query_params.get("since")
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        raise BadRequest("'since' should be a sequence number")
    return int(text)


@endpoint(
    "GET",
    "/api/tables/{table}/record",
    "The record of a game; before its end, the moves that the viewer knows.",
    answers={200: responses.GameRecord},
)
async def record(call: Call) -> Response:
    state, seat, _, _ = await call.services.tables.snapshot(call.table, call.mark)
    headers = {}
    if state.is_over:
        # It is the same for everyone now, and changes only if the log grows.
        headers = {"ETag": f'"{state.table}-{state.seq}"', "Cache-Control": "private, no-cache"}
        if headers["ETag"] in call.request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
    shown = project_record(state, seat)
    if shown is None:
        raise NotFound("the game has not started, so there is no record yet")
    response = json_response(shown)
    response.headers.update(headers)
    return response
