"""The session of a client, and the games that can be played."""

from __future__ import annotations

__all__ = ["games", "session"]

from typing import Any

from starlette.responses import Response

from upcard.games import all_games
from upcard.server.http.endpoints import Call, endpoint, json_response
from upcard.server.http.schemas import responses
from upcard.server.table import commands


@endpoint(
    "POST",
    "/api/session",
    "Become known: a cookie for browsers, a token for programs.",
    answers={200: responses.Session},
)
async def session(call: Call) -> Response:
    # Pages do not need a token, and what a page does not have cannot be stolen from it.
    is_page = "origin" in call.request.headers
    person = call.known or call.new_person()
    token = None if is_page else call.services.authenticator.token(person)
    return json_response(responses.Session(person.mark, token))


@endpoint(
    "GET",
    "/api/games",
    "All games with their options, the bots, the phrases.",
    answers={200: responses.Games},
)
async def games(_call: Call) -> Response:
    return json_response(
        {
            "games": [_game(game) for game in all_games()],
            "bots": commands.table_bots(),
            "phrases": commands.PHRASES,
        }
    )


def _game(game: Any) -> dict[str, Any]:
    options = [
        {"name": option.name, "clause": option.clause, "default": option.default, "values": option.values}
        for option in game.options
    ]
    return {"game": game.id, "title": game.title, "summary": game.summary, "options": options}
