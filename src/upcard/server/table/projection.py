"""Projections: what a viewer may know of a table. Everything that leaves the server about a table goes
through here.

A viewer is a seat (from 1), or None for a spectator. A projection is built from scratch: from what
`core.news.redact` leaves of an event, and from the viewer's own view of the table.
"""

from __future__ import annotations

__all__ = [
    "project_entry",
    "project_events",
    "project_record",
    "project_setup",
    "project_state",
    "wins_of",
]

from collections.abc import Iterable
from typing import Any

from upcard.core.events import Event, EventKind, redact
from upcard.core.game import Game
from upcard.core.seats import SPECTATOR
from upcard.match import Match
from upcard.server.table import entries
from upcard.server.table.parts import AppliedEntry, Question, Seat
from upcard.server.table.state import TableState

Projected = dict[str, Any]

# The window says who is asked, the same for everyone.
UNSAID = (EventKind.ASKED, EventKind.ALLOWED)


def project_entry(state: TableState, applied: AppliedEntry, viewer: int | None) -> Projected:
    """Return one entry of the log as a viewer may know it."""
    told: Projected = {"seq": applied.seq, "at": applied.at, **_entry(applied.entry)}
    if isinstance(applied.entry, entries.Started | entries.Moved | entries.Closed):
        assert state.match is not None
        told["news"] = project_events(state.match, applied.news, state.names, viewer)
    return told


def _entry(entry: entries.Entry) -> Projected:
    """Return the public part of an entry."""
    kind = entry.__struct_config__.tag
    match entry:
        case entries.Sat(seat=seat, name=name, share=share, face=face, tint=tint):
            return {
                "kind": kind,
                "seat": seat,
                "name": name,
                "share": share,
                "face": face or None,
                "tint": tint or None,
            }
        case entries.Moved(seat=seat, move=move, by=by):
            return {"kind": kind, "seat": seat, "move": move, "by": by}
        case entries.Removed(seat=seat, name=name):
            return {"kind": kind, "seat": seat, "name": name}
        case entries.Locked(locked=locked):
            return {"kind": kind, "locked": locked}
        case entries.Renamed(seat=seat, name=name, face=face, tint=tint):
            return {"kind": kind, "seat": seat, "name": name, "face": face or None, "tint": tint or None}
        case entries.PaceChanged(seat=seat, pace=pace):
            return {"kind": kind, "seat": seat, "pace": pace}
        case entries.TimeGiven(seat=seat, given=given):
            return {"kind": kind, "seat": seat, "given": given}
        case entries.Placed(seat=seat, bot=bot, name=name):
            return {"kind": kind, "seat": seat, "bot": bot, "name": name}
        case entries.SatIn(seat=seat, bot=bot):
            return {"kind": kind, "seat": seat, "bot": bot}
        case entries.Said(seat=seat, phrase=phrase):
            return {"kind": kind, "seat": seat, "phrase": phrase}
        case entries.UndoAnswered(seat=seat, agreed=agreed) | entries.EndAnswered(seat=seat, agreed=agreed):
            return {"kind": kind, "seat": seat, "agreed": agreed}
        case entries.Undone(seat=seat, moves=moves):
            return {"kind": kind, "seat": seat, "moves": moves}
        case entries.Ended(reason=reason, winners=winners):
            return {"kind": kind, "reason": reason, "winners": winners}
        case entries.Rematched(seat=seat, table=table):
            return {"kind": kind, "seat": seat, "table": table}
        case entries.Opened() | entries.Started() | entries.Closed() | entries.Resumed() | entries.Archived():
            return {"kind": kind}
        case _:
            return {"kind": kind, "seat": entry.seat}


def project_events(
    match: Match, events: Iterable[Event], names: list[str], viewer: int | None
) -> list[Projected]:
    """Return events of a game as a viewer may know them."""
    looking = SPECTATOR if viewer is None else viewer - 1
    seen = (redact(event, looking) for event in events if event.kind not in UNSAID)
    return [_event(match.game, event, names, looking) for event in seen if event is not None]


def _event(game: Game, event: Event, names: list[str], looking: int) -> Projected:
    """Return an event for programs and for people, with the code of a sentence and its parameters."""
    shown = game.show_event(event)
    message = game.describe(event, names)
    if message is not None:
        said = message.to(looking)
        shown["say"] = [said.code, said.parameters]
    return shown


def project_setup(state: TableState) -> Projected:
    """Return the facts of a table, of which only the host ever changes."""
    setup = state.opened
    return {
        "table": state.table,
        "game": setup.game,
        "options": setup.options,
        "public": setup.public,
        "code": setup.code if state.phase == "open" else None,
        "patience": setup.patience,
        "patience_seconds": setup.patience_seconds,
        "pace": setup.pace,
        "window_seconds": setup.window_seconds,
        "hold_seconds": setup.hold_seconds,
        "unhurried": setup.unhurried,
        "starts_when_full": setup.starts_when_full,
        "rematch_of": setup.rematch_of,
        "continues": None if setup.continues is None else setup.continues.seat,
        "commitment": state.fairness.commitment.hex(),
    }


def project_state(state: TableState, viewer: int | None, note: str | None = None) -> Projected:
    """Return the state of a table as a viewer may know it. `note` is the viewer's answer."""
    match = state.match
    told: Projected = {
        "seq": state.seq,
        "phase": state.phase,
        "you": viewer,
        "host": state.seat_of(state.host),
        "locked": state.locked,
        "seats": [_seat(seat) for seat in state.seats],
        "to_move": state.to_move,
        "deadline": state.patience_ends,
        "undo": _question(state.undo),
        "ending": _question(state.ending),
        "rematch": state.rematch,
        "pace": state.pace,
        "wins": wins_of(state),
        "window": None,
        "legal": [],
        "view": None,
        "result": None,
    }
    if match is None:
        return told
    told["view"] = match.game.show(match.view(viewer))
    told["result"] = state.result
    if viewer is not None and state.to_move == viewer:
        told["legal"] = [match.game.write_move(match.table, move) for move in state.legal]
    if state.window is not None:
        told["window"] = _window(state, match, viewer, note)
    if state.is_over and match.fairness is not None:
        told["fairness"] = match.fairness.to_json()
    return told


def wins_of(state: TableState) -> list[int]:
    """Return how many games each seat has won since these people began to play, including the last one."""
    won = list(state.opened.wins or [0] * len(state.seats))
    result = state.result
    for seat in [] if result is None else result["winners"]:
        # A bot may have won at the seat of a player who resigned.
        won[seat - 1] += not state.seats[seat - 1].resigned
    return won


def _question(question: Question | None) -> Projected | None:
    if question is None:
        return None
    return {"seat": question.seat, "asked": question.asked, "waiting": sorted(question.waiting)}


def _seat(seat: Seat) -> Projected:
    kind = "bot" if seat.bot is not None else "person" if seat.person is not None else "free"
    return {
        "kind": kind,
        "name": seat.name,
        "bot": seat.player,
        "kept": seat.kept_for is not None,
        "away": seat.left or seat.stand_in is not None,
        "resigned": seat.resigned,
        "face": seat.face or None,
        "tint": seat.tint or None,
        "unhurried": seat.unhurried,
    }


def _window(state: TableState, match: Match, viewer: int | None, note: str | None) -> Projected:
    """Return the open window. The seats that are asked and its times are the same for everyone."""
    assert state.window is not None
    told: Projected = {
        "opened": state.window.opened,
        "closes": state.window.closes,
        "held_by": sorted(state.window.held_by),
        "asked": match.asked,
        "answers": [],
        "answered": None,
    }
    if viewer is not None and viewer in match.asked:
        told["answers"] = [match.game.write_move(match.table, move) for move in match.answers(viewer)]
        told["answered"] = note
    return told


def project_record(state: TableState, viewer: int | None) -> Projected | None:
    """Return the record of a game, None before it begins. Until it is over, the record contains only the
    moves that the viewer knows: no shuffles, no seed, and no card that was taken from a hand.

    The record of a game that its players ended is complete up to there, and has no result: a referee finds
    that the rules had not ended it."""
    match = state.match
    if match is None:
        return None
    record = match.record()
    if state.is_over and match.fairness is not None:
        record["fairness"] = match.fairness.to_json()
    if not state.is_over:
        record["seed"] = None
        # Its seed would show the first cards of the seat that continues.
        record.pop("continues", None)
        record["log"] = [
            {"seat": moved.seat + 1, "move": moved.text}
            for moved in match.log_of_moves
            if not moved.forced and (not moved.secret or moved.seat + 1 == viewer)
        ]
    return record
