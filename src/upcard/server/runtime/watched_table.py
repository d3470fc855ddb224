"""One table in memory, its event streams, and the data for their viewers."""

from __future__ import annotations

__all__ = ["MAX_MISSED", "WatchedTable"]

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Raw

from upcard.server.runtime.streams import Stream, event, numbered
from upcard.server.table.parts import AppliedEntry
from upcard.server.table.projection import project_entry, project_state
from upcard.server.table.state import TableState

# A client that missed more entries than this, or more bytes of them, gets only the state.
MAX_MISSED = 200
MAX_MISSED_BYTES = 64 * 1024

encode = msgspec.json.Encoder().encode


class WatchedTable:
    """The state of a table, its open streams, and a cache of what was encoded for them."""

    def __init__(self, table: str) -> None:
        self.state = TableState(table)
        # The answers in the open window, by seat.
        self.notes: dict[int, str] = {}
        self.streams: set[Stream] = set()
        # The answer to a move and the streams of that seat contain the same JSON. By seat and entry number; 0
        # is the state.
        self._encoded: dict[tuple[int | None, int], Raw] = {}

    @property
    def present(self) -> list[int]:
        """The seats that have an open stream."""
        return sorted({stream.seat for stream in self.streams if stream.seat is not None})

    # Views

    def snapshot(self, seat: int | None) -> dict[str, Any]:
        """Return the state of the table as a seat may know it."""
        note = None if seat is None else self.notes.get(seat)
        return project_state(self.state, seat, note) | {"present": self.present}

    def entries_since(self, seat: int | None, since: int) -> list[dict[str, Any]]:
        """Return the next entries after a number as a seat may know them, not more than MAX_MISSED."""
        page = self.state.history[since : since + MAX_MISSED]
        return [project_entry(self.state, applied, seat) for applied in page]

    def encoded_since(self, person: str | None, since: int) -> tuple[list[Raw], Raw]:
        """Return the entries after a number, and the state, as JSON for a person. If there are more than
        MAX_MISSED, only the state is returned."""
        seat = self.state.seat_of(person)
        missed = self.state.history[since:] if self.state.seq - since <= MAX_MISSED else []
        return [self._encoded_entry(applied, seat) for applied in missed], self._encoded_state(seat)

    def _encoded_state(self, seat: int | None) -> Raw:
        return self._cached(seat, 0, lambda: self.snapshot(seat))

    def _encoded_entry(self, applied: AppliedEntry, seat: int | None) -> Raw:
        return self._cached(seat, applied.seq, lambda: project_entry(self.state, applied, seat))

    def _cached(self, seat: int | None, seq: int, make: Callable[[], dict[str, Any]]) -> Raw:
        encoded = self._encoded.get((seat, seq))
        if encoded is None:
            encoded = self._encoded[seat, seq] = Raw(encode(make()))
        return encoded

    def clear_cache(self) -> None:
        """Drop the encoded data: the table has changed, or all waiting clients have been answered."""
        self._encoded = {}

    # Streams

    def add_stream(self, stream: Stream, since: int | None) -> None:
        """Send a new stream the entries after a number and the state, and from now on everything else."""
        stream.seat = self.state.seat_of(stream.person)
        if since is not None and self.state.seq - since <= MAX_MISSED:
            missed = self._events(self.state.history[since:], stream.seat)
            if len(missed) <= MAX_MISSED_BYTES:
                stream.push(missed)
        if stream.seat is not None and stream.seat not in self.present:
            self._push_presence(stream.seat, True)
        self.streams.add(stream)
        # A new client has no number yet; with this one its next connection resumes here. A client that has
        # missed too much gets nothing else.
        stream.push(b"id: %d\n" % self.state.seq + event("state", self.snapshot(stream.seat)))

    def remove_stream(self, stream: Stream) -> None:
        """Remove a stream that has ended."""
        self.streams.discard(stream)
        if stream.seat is not None and stream.seat not in self.present:
            self._push_presence(stream.seat, False)

    def _push_presence(self, seat: int, present: bool) -> None:
        self.push_all(event("presence", {"seat": seat, "present": present}))

    def push_all(self, data: bytes) -> None:
        """Send the same to all streams."""
        for stream in self.streams:
            stream.push(data)

    def push_note(self, seat: int) -> None:
        """Send the answer of a seat in the open window to the streams of that seat, and to no other."""
        assert self.state.window is not None
        data = event("note", {"window": self.state.window.opened, "answered": self.notes[seat]})
        for stream in self.streams:
            if stream.seat == seat:
                stream.push(data)

    def push_entries(self, applied: Sequence[AppliedEntry]) -> None:
        """Send new entries to all streams, to each as its seat may know them."""
        if not applied:
            return
        # Entries may have moved people to other seats. All seats are updated first, because the state
        # contains which seats are present.
        for stream in self.streams:
            stream.seat = self.state.seat_of(stream.person)
        data: dict[tuple[int | None, bool], bytes] = {}
        for stream in self.streams:
            key = stream.seat, stream.states
            if key not in data:
                data[key] = self._events(applied, stream.seat)
                if stream.states:
                    data[key] += event("state", bytes(self._encoded_state(stream.seat)))
            stream.push(data[key])

    def _events(self, applied: Sequence[AppliedEntry], seat: int | None) -> bytes:
        return b"".join(numbered(one.seq, bytes(self._encoded_entry(one, seat))) for one in applied)

    def end_streams(self, last: bytes = b"") -> None:
        """End all streams, after one last event."""
        for stream in self.streams:
            stream.push(last)
            stream.end()
