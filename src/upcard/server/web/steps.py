"""Steps: a game that was played, as a table would have told it, move by move."""

from __future__ import annotations

__all__ = ["state_of", "steps_of"]

from typing import Any

from upcard.core.chance import Script, key_of
from upcard.core.news import Event, redact
from upcard.core.seats import SPECTATOR
from upcard.match import Match
from upcard.match.replay import replay
from upcard.server.telling import UNSAID

Step = dict[str, Any]


def steps_of(record: Any, seat: int | None) -> dict[str, Any]:
    """Return the game of a record as a seat saw it (None: what was public), or raise a RecordError.

    There is a step for the deal and one for each move, each with its news and the state after it.
    """
    whole = replay(record)
    seat = seat if seat is not None and 1 <= seat <= len(whole.players) else None
    again = _dealt_again(whole, record)
    steps = [_step(again, 0, seat, {"kind": "started"})]
    for moved in whole.log_of_moves:
        known = len(again.events)
        again.make_legal(moved.move)
        told = {"kind": "moved", "seat": moved.seat + 1, "move": moved.text, "by": "person"}
        steps.append(_step(again, known, seat, told, len(steps)))
    facts = {"table": None, "game": whole.game.id, "options": whole.options}
    return {"facts": facts, "names": whole.names, "seat": seat, "steps": steps}


def _dealt_again(match: Match, record: dict[str, Any]) -> Match:
    """Deal once more. The cards come as the record has them: a seed was checked before, if there is one."""
    script = Script(None if match.seed is None else key_of(match.seed))
    for entry in record["log"]:
        cards = entry["shuffle"] if "shuffle" in entry else [entry["took"]] if "took" in entry else []
        script.wanted.extend(match.game.read_card(card) for card in cards)
    return Match(match.game, match.options, match.seed, match.players, script)


def _step(match: Match, known: int, seat: int | None, told: Step, number: int = 0) -> Step:
    looking = SPECTATOR if seat is None else seat - 1
    seen = (redact(event, looking) for event in match.events[known:] if event.kind not in UNSAID)
    news = [_news(match, event, looking) for event in seen if event is not None]
    return {"told": {"seq": number, "at": 0, **told, "news": news}, "state": state_of(match, seat, number)}


def _news(match: Match, event: Event, looking: int) -> Step:
    shown = match.game.show_event(event)
    message = match.game.describe(event, match.names)
    if message is not None:
        said = message.to(looking)
        shown["say"] = [said.code, said.parameters]
    return shown


def state_of(match: Match, seat: int | None, number: int) -> Step:
    """Return how a table stands after so many moves, as a seat knows it, in the words of the server."""
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
