"""A finished game, move by move, in the format in which a table sends its events and states."""

from __future__ import annotations

__all__ = ["state_of", "steps_of"]

from typing import Any

from upcard.match import Match
from upcard.match.replay import replay
from upcard.server.table.projection import project_events

Step = dict[str, Any]


def steps_of(record: Any, seat: int | None) -> dict[str, Any]:
    """Return the game of a record as a seat saw it (None: what was public), or raise a RecordError.

    There is a step for the deal and one for each move, each with its news and the state after it.
    """
    steps: list[Step] = []
    told_of = 0

    def look(match: Match, _move: str) -> None:
        nonlocal told_of
        steps.append(_step(match, told_of, _known(match, seat), len(steps)))
        told_of = len(match.events)

    match = replay(record, look)
    look(match, "")
    facts = {"table": None, "game": match.game.id, "options": match.options}
    return {"facts": facts, "names": match.names, "seat": _known(match, seat), "steps": steps}


def _known(match: Match, seat: int | None) -> int | None:
    """Return a seat, if its number exists."""
    return seat if seat is not None and 1 <= seat <= len(match.players) else None


def _step(match: Match, told_of: int, seat: int | None, number: int) -> Step:
    """Return the events since the last step, and the state after them."""
    told: Step = {"seq": number, "at": 0, "kind": "started"}
    if number > 0:
        moved = match.log_of_moves[-1]
        told |= {"kind": "moved", "seat": moved.seat + 1, "move": moved.text, "by": "person"}
    told["news"] = project_events(match, match.events[told_of:], match.names, seat)
    return {"told": told, "state": state_of(match, seat, number)}


def state_of(match: Match, seat: int | None, number: int) -> Step:
    """Return the state of a table after a number of moves, as a seat knows it, in the server's format."""
    seats = [
        {
            "kind": "person" if player.bot is None else "bot",
            "name": player.name,
            "bot": player.bot,
            "kept": False,
            "away": False,
        }
        for player in match.players
    ]
    return {
        "seq": number,
        "phase": "over" if match.over else "playing",
        "you": seat,
        "host": None,
        "seats": seats,
        "to_move": match.to_move,
        "deadline": None,
        "undo": None,
        "rematch": None,
        "window": None,
        "legal": [],
        "view": match.game.show(match.view(seat)),
        "result": match.result,
        "present": list(range(1, len(seats) + 1)),
    }
