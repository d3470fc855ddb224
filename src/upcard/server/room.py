"""A room: one table in memory, who looks at it, and what they are told."""

from __future__ import annotations

__all__ = ["Room"]

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Raw

from upcard.server.sitting import Heard, Sitting
from upcard.server.streams import Stream, event, numbered
from upcard.server.telling import tell, tell_state

encode = msgspec.json.Encoder().encode


class Room:
    """One table in memory, and who looks at it."""

    def __init__(self, table: str) -> None:
        self.sitting = Sitting(table)
        # One command at a time. Nobody looks at a state that is not yet on disk, so looking takes it too.
        self.lock = asyncio.Lock()
        self.streams: set[Stream] = set()
        # What people have answered in the window that is open.
        self.notes: dict[int, str] = {}
        # Whether this node wrote last, and so is the first to do what is due.
        self.mine = False
        # When something is to be done by itself, if anything is, in the time of the event loop; and a timer
        # that rings by then, perhaps too early.
        self.rings_at: float | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.timer_rings = 0.0
        # What bots think: of the entry after which they began, by seat.
        self.thoughts: dict[tuple[int, int], asyncio.Future[int]] = {}
        # Whether it is not known any more how it stands, so that it has to be loaded anew.
        self.lost = False
        # What was just told, as JSON: who made a move is told the same by the answer and by a stream.
        self._told: dict[tuple[int | None, int], Raw] = {}
        self.used = time.monotonic()

    def cancel_timer(self) -> None:
        """Let nothing happen here by itself any more."""
        if self.timer is not None:
            self.timer.cancel()

    # What somebody may know

    @property
    def present(self) -> list[int]:
        """The seats from which somebody looks at the table."""
        return sorted({stream.seat for stream in self.streams if stream.seat is not None})

    def state(self, seat: int | None) -> dict[str, Any]:
        """Return how the table stands, as a viewer may know it."""
        note = None if seat is None else self.notes.get(seat)
        return tell_state(self.sitting, seat, note) | {"present": self.present}

    def news(self, seat: int | None, since: int) -> list[dict[str, Any]]:
        """Return what is new since a sequence number, as a viewer may know it."""
        return [tell(self.sitting, heard, seat) for heard in self.sitting.history[since:]]

    def told_since(self, person: str | None, since: int) -> tuple[list[Raw], Raw]:
        """Return what is new since a sequence number, and how the table stands now, as JSON."""
        seat = self.sitting.seat_of(person)
        news = [self._told_news(heard, seat) for heard in self.sitting.history[since:]]
        return news, self._told_state(seat)

    def _told_state(self, seat: int | None) -> Raw:
        return self._once(seat, 0, lambda: self.state(seat))

    def _told_news(self, heard: Heard, seat: int | None) -> Raw:
        return self._once(seat, heard.seq, lambda: tell(self.sitting, heard, seat))

    def _once(self, seat: int | None, seq: int, make: Callable[[], dict[str, Any]]) -> Raw:
        told = self._told.get((seat, seq))
        if told is None:
            told = self._told[seat, seq] = Raw(encode(make()))
        return told

    def forget_told(self) -> None:
        """Something is about to change, or all have been told."""
        self._told = {}

    # Who looks

    def let_in(self, stream: Stream, since: int | None) -> None:
        """Tell somebody what was missed since a number, how the table stands, and then all that happens."""
        if since is not None:
            stream.greet(self._events(self.sitting.history[since:], stream.seat))
        if stream.seat is not None and stream.seat not in self.present:
            self._tell_presence(stream.seat, True)
        self.streams.add(stream)
        # A new client has no number yet; this gives it one, so that its next connection resumes here.
        stream.push(b"id: %d\n" % self.sitting.seq + event("state", self.state(stream.seat)))

    def let_out(self, stream: Stream) -> None:
        """Forget somebody who looked."""
        self.streams.discard(stream)
        self.used = time.monotonic()
        if stream.seat is not None and stream.seat not in self.present:
            self._tell_presence(stream.seat, False)

    def _tell_presence(self, seat: int, present: bool) -> None:
        self.tell_all(event("presence", {"seat": seat, "present": present}))

    def tell_all(self, told: bytes) -> None:
        """Write the same to everybody who looks."""
        for stream in self.streams:
            stream.push(told)

    def tell_note(self, seat: int) -> None:
        """Let whoever looks from a seat know its answer. Nobody else is told that there is one."""
        assert self.sitting.window is not None
        told = event("note", {"window": self.sitting.window.opened, "answered": self.notes[seat]})
        for stream in self.streams:
            if stream.seat == seat:
                stream.push(told)

    def broadcast(self, heard: Sequence[Heard]) -> None:
        """Write what happened to everybody who looks, each as they may know it."""
        if not heard:
            return
        # Who has sat down or stood up meanwhile looks from another seat: all of them do, before anybody is
        # told who is there.
        for stream in self.streams:
            stream.seat = self.sitting.seat_of(stream.person)
        told: dict[tuple[int | None, bool], bytes] = {}
        for stream in self.streams:
            key = stream.seat, stream.states
            if key not in told:
                told[key] = self._events(heard, stream.seat)
                if stream.states:
                    told[key] += event("state", bytes(self._told_state(stream.seat)))
            stream.push(told[key])

    def _events(self, heard: Sequence[Heard], seat: int | None) -> bytes:
        return b"".join(numbered(one.seq, bytes(self._told_news(one, seat))) for one in heard)

    def send_away(self, word: bytes = b"") -> None:
        """End the streams of everybody who looks, with a last word; they come back, and see."""
        for stream in self.streams:
            stream.push(word)
            stream.end()
