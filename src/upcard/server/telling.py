"""What a viewer is told of a table. There is no other way out of the server for anything that happens at one.

A viewer is a seat (from 1), or None for somebody who only watches. Everything is built up from nothing: from
what `core.news.redact` leaves of an event, and from the viewer's own view of the table.
"""

from __future__ import annotations

__all__ = ["tell", "tell_facts", "tell_news", "tell_record", "tell_state"]

from collections.abc import Iterable
from typing import Any

from upcard.core.game import Game
from upcard.core.news import Event, News, redact
from upcard.core.seats import SPECTATOR
from upcard.match import Match
from upcard.server import entries as log
from upcard.server.sitting import Heard, Seat, Sitting

Told = dict[str, Any]

# Who is asked is told by the window, which is the same for everybody.
UNSAID = (News.ASKED, News.ALLOWED)


def tell(sitting: Sitting, heard: Heard, viewer: int | None) -> Told:
    """Return one entry of the log as a viewer may know it."""
    told: Told = {"seq": heard.seq, "at": heard.at, **_entry(heard.entry)}
    if isinstance(heard.entry, log.Started | log.Moved | log.Closed):
        assert sitting.match is not None
        told["news"] = tell_news(sitting.match, heard.news, sitting.names, viewer)
    return told


def _entry(entry: log.Entry) -> Told:
    """Return what everybody may know of an entry itself."""
    kind = entry.__struct_config__.tag
    match entry:
        case log.Sat(seat=seat, name=name, share=share):
            return {"kind": kind, "seat": seat, "name": name, "share": share}
        case log.Moved(seat=seat, move=move, by=by):
            return {"kind": kind, "seat": seat, "move": move, "by": by}
        case log.Renamed(seat=seat, name=name):
            return {"kind": kind, "seat": seat, "name": name}
        case log.Placed(seat=seat, bot=bot, name=name):
            return {"kind": kind, "seat": seat, "bot": bot, "name": name}
        case log.SatIn(seat=seat, bot=bot):
            return {"kind": kind, "seat": seat, "bot": bot}
        case log.Said(seat=seat, phrase=phrase):
            return {"kind": kind, "seat": seat, "phrase": phrase}
        case log.UndoAnswered(seat=seat, agreed=agreed):
            return {"kind": kind, "seat": seat, "agreed": agreed}
        case log.Undone(seat=seat, moves=moves):
            return {"kind": kind, "seat": seat, "moves": moves}
        case log.Rematched(seat=seat, table=table):
            return {"kind": kind, "seat": seat, "table": table}
        case log.Opened() | log.Started() | log.Closed() | log.Archived():
            return {"kind": kind}
        case _:
            return {"kind": kind, "seat": entry.seat}


def tell_news(match: Match, events: Iterable[Event], names: list[str], viewer: int | None) -> list[Told]:
    """Return news of a game as a viewer may know them."""
    looking = SPECTATOR if viewer is None else viewer - 1
    seen = (redact(event, looking) for event in events if event.kind not in UNSAID)
    return [_event(match.game, event, names, looking) for event in seen if event is not None]


def _event(game: Game, event: Event, names: list[str], looking: int) -> Told:
    """Return an event for programs, and for people: the code of a sentence with what fills its gaps."""
    shown = game.show_event(event)
    message = game.describe(event, names)
    if message is not None:
        said = message.to(looking)
        shown["say"] = [said.code, said.parameters]
    return shown


def tell_facts(sitting: Sitting) -> Told:
    """Return what stays the same from the beginning of a table to its end, but for its host."""
    setup = sitting.opened
    return {
        "table": sitting.table,
        "game": setup.game,
        "options": setup.options,
        "public": setup.public,
        "code": setup.code if sitting.phase == "open" else None,
        "patience": setup.patience,
        "patience_seconds": setup.patience_seconds,
        "pace": setup.pace,
        "window_seconds": setup.window_seconds,
        "rematch_of": setup.rematch_of,
        "commitment": sitting.fairness.commitment.hex(),
    }


def tell_state(sitting: Sitting, viewer: int | None, note: str | None = None) -> Told:
    """Return how the table stands, as a viewer may know it. `note` is what the viewer has answered."""
    match = sitting.match
    told: Told = {
        "seq": sitting.seq,
        "phase": sitting.phase,
        "you": viewer,
        "host": sitting.seat_of(sitting.host),
        "seats": [_seat(seat) for seat in sitting.seats],
        "to_move": sitting.to_move,
        "deadline": sitting.patience_ends,
        "undo": None,
        "rematch": sitting.rematch,
        "window": None,
        "legal": [],
        "view": None,
        "result": None,
    }
    if sitting.undo is not None:
        told["undo"] = {"seat": sitting.undo.seat, "waiting": sorted(sitting.undo.waiting)}
    if match is None:
        return told
    told["view"] = match.game.show(match.view(viewer))
    told["result"] = match.result
    if viewer is not None and sitting.to_move == viewer:
        told["legal"] = [match.game.write_move(match.table, move) for move in sitting.legal]
    if sitting.window is not None:
        told["window"] = _window(sitting, match, viewer, note)
    if match.over and match.fairness is not None:
        told["fairness"] = match.fairness.to_json()
    return told


def _seat(seat: Seat) -> Told:
    kind = "bot" if seat.bot is not None else "person" if seat.person is not None else "free"
    return {
        "kind": kind,
        "name": seat.name,
        "bot": seat.player,
        "kept": seat.kept_for is not None,
        "away": seat.left or seat.stand_in is not None,
    }


def _window(sitting: Sitting, match: Match, viewer: int | None, note: str | None) -> Told:
    """Return the open window: who is asked and until when are the same for everybody."""
    assert sitting.window is not None
    told: Told = {
        "opened": sitting.window.opened,
        "closes": sitting.window.closes,
        "asked": match.asked,
        "answers": [],
        "answered": None,
    }
    if viewer is not None and viewer in match.asked:
        told["answers"] = [match.game.write_move(match.table, move) for move in match.answers(viewer)]
        told["answered"] = note
    return told


def tell_record(sitting: Sitting, viewer: int | None) -> Told | None:
    """Return the record of a game; while it goes on, only the moves that the viewer knows of: no shuffles, no
    seed, and no card that was taken from a hand. None before it begins."""
    match = sitting.match
    if match is None:
        return None
    record = match.record()
    if not match.over:
        record["seed"] = None
        record["log"] = [
            {"seat": moved.seat + 1, "move": moved.text}
            for moved in match.log_of_moves
            if not moved.forced and (not moved.secret or moved.seat + 1 == viewer)
        ]
    return record
