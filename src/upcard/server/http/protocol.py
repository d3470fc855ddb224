"""The HTTP protocol: bytes become requests here. Clients that never finish a request are disconnected before
the middleware sees them, and streams are written directly to their connections.

This file is built on the internals of uvicorn, so its version is pinned, and a new one has to pass
tests/server/http/test_connection.py first. What it buys: a stream takes 3 KB of memory instead of the 14 KB
of plain ASGI with a task for each (`http/sse.py`), so that a table for two stays below 100 KB; and clients
that do not end a request, or do not read a stream, are disconnected without a proxy in front.
"""

from __future__ import annotations

__all__ = ["HttpProtocol"]

import asyncio
import functools
from http import HTTPStatus
from typing import Any, Final

from starlette.types import Scope
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from upcard.server.http.middleware import SECURITY_HEADERS
from upcard.server.http.problems import BadRequest, HeadTooLarge, Problem, TooSlow
from upcard.server.runtime.streams import Stream

# Time limit for receiving a complete request, in seconds.
REQUEST_SECONDS: Final = 20.0
# Maximum size of the head of a request, in bytes.
MAX_HEAD: Final = 32_768
# What remains of a request that has been answered.
ANSWERED: Any = {}


class _Line(list[Any]):
    """Requests that wait for the answer to an earlier one. There are usually none, and a deque is large."""

    __slots__ = ()

    def appendleft(self, request: object) -> None:
        """Add a request."""
        self.insert(0, request)


class HttpProtocol(HttpToolsProtocol):
    """Reads requests from a connection as uvicorn does, but with limits of time and size."""

    request_seconds = REQUEST_SECONDS

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the deadline of the first request."""
        super().connection_made(transport)
        self._refusal: Problem | None = None
        self._has_asked = False
        self.pipeline: Any = _Line()
        # The size of the head received so far.
        self._head = 0
        # Whether a request, or its body, has begun but not ended.
        self._is_reading = self._is_in_body = False
        self._deadline: asyncio.TimerHandle | None = None
        # The stream that is written to this connection, if there is one.
        self._stream: Stream | None = None
        # Earlier requests that have not been answered yet.
        self._earlier: list[RequestResponseCycle] = []
        self._set_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the deadline, and tell all requests that are still being answered. Uvicorn tells only the
        last one, and a stream before it would never end."""
        self._forget_deadline()
        if self._stream is not None:
            self._stream.lose()
        for cycle in self._earlier:
            cycle.disconnected = not cycle.response_complete
            cycle.message_event.set()
        super().connection_lost(exc)
        last = self._last_cycle
        if last is None or last.response_complete:
            self._forget()

    def data_received(self, data: bytes) -> None:
        """Parse more data, if it is not too much."""
        if self._stream is not None:
            self.transport.close()  # a client that reads a stream sends nothing more
            return
        self._head += len(data)
        super().data_received(data)
        if self._head > MAX_HEAD:
            self._turn_away(_head_too_large())
        self._set_deadline()

    def on_message_begin(self) -> None:
        """Start a new request."""
        self._is_reading = True
        super().on_message_begin()
        # Lets responses use take_stream. Under another server they do without it.
        self.scope["upcard.protocol"] = self  # type: ignore[typeddict-unknown-key]

    def on_header(self, name: bytes, value: bytes) -> None:
        """Read a header. Trailers, which follow a chunked body, come from the client even if a proxy has set
        the headers, so they must not be taken for headers."""
        if not self._is_in_body:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Check the size of the headers, which may have arrived in one piece, and queue behind earlier
        requests."""
        if self._head > MAX_HEAD and sum(len(name) + len(value) for name, value in self.headers) > MAX_HEAD:
            self._refusal = _head_too_large()
            raise ValueError("the parser gives up, and uvicorn then refuses the request")
        self._is_in_body = self._has_asked = True
        before = self._last_cycle
        if before is not None and not before.response_complete:
            self._earlier.append(before)
        super().on_headers_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        task = self.loop.create_task(cycle.run_asgi(app))
        self.tasks.add(task)
        task.add_done_callback(functools.partial(self._answered, cycle))

    def _answered(self, cycle: RequestResponseCycle, task: asyncio.Task[None]) -> None:
        """Drop the finished request. A connection may stay open for hours, and there are thousands of
        them."""
        self.tasks.discard(task)
        is_over = self.transport.is_closing() or (cycle.response_complete and not self._is_reading)
        if cycle is self.cycle and is_over:
            self._forget()

    def _forget(self) -> None:
        self.headers, self.url, self.scope = [], b"", ANSWERED
        self.cycle = None  # type: ignore[assignment]  # as before the first request

    def on_body(self, body: bytes) -> None:
        """Leave the body to the middleware."""
        self._head -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop the deadline: only the answer is missing now."""
        self._head = 0
        self._is_reading = self._is_in_body = False
        self._forget_deadline()
        super().on_message_complete()

    def has_all_of(self, scope: Scope) -> bool:
        """Whether a request has arrived completely."""
        cycle = self._last_cycle
        return cycle is not None and cycle.scope is scope and not cycle.more_body

    def take_stream(self, scope: Scope, stream: Stream) -> bool:
        """Write a stream as the rest of a response, until either side hangs up; return whether that is
        possible. A waiting task for each stream would take as much memory as the rest of the connection."""
        cycle = self._last_cycle
        if cycle is None or cycle.scope is not scope or not cycle.chunked_encoding or cycle.disconnected:
            return False
        # Uvicorn considers the response complete and leaves the connection alone.
        cycle.response_complete = True
        self._stream = stream
        stream.flow_to(self)
        return True

    # The interface for streams

    def write(self, data: bytes) -> None:
        """Send the next piece of a stream."""
        self.transport.write(b"%x\r\n%s\r\n" % (len(data), data))

    @property
    def backlog(self) -> int:
        """The number of bytes that the client has not read yet."""
        return self.transport.get_write_buffer_size()

    def finish(self) -> None:
        """End the response and hang up."""
        self.transport.write(b"0\r\n\r\n")
        self.transport.close()

    def abort(self) -> None:
        """Hang up immediately. Closing a connection would wait, perhaps forever, until everything is read."""
        self.transport.abort()

    # Time limits

    def _set_deadline(self) -> None:
        """Set the deadline of the first request, or of the rest of any other one."""
        if self._deadline is None and (not self._has_asked or self._has_begun):
            self._deadline = self.loop.call_later(self.request_seconds, self._give_up)

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    @property
    def _last_cycle(self) -> RequestResponseCycle | None:
        return self.cycle

    @property
    def _has_begun(self) -> bool:
        return self._is_reading or self._head > 0

    def _give_up(self) -> None:
        if self._has_begun:
            self._turn_away(TooSlow("the request did not arrive in time"))
        self.transport.close()

    def _turn_away(self, problem: Problem) -> None:
        self._refusal = problem
        self.send_400_response("")

    def send_400_response(self, msg: str) -> None:
        """Send the reason, if it is this request's turn and no response has begun, and hang up."""
        cycle = self._last_cycle
        if cycle is None:
            is_its_turn = True
        elif self._is_in_body:
            is_its_turn = not cycle.response_started and not self.pipeline
        else:
            is_its_turn = cycle.response_complete
        if is_its_turn and not self.transport.is_closing():
            self.transport.write(_as_bytes(self._refusal or BadRequest("this is not a request in HTTP")))
        self.transport.close()


def _head_too_large() -> Problem:
    return HeadTooLarge(f"the headers may have {MAX_HEAD} bytes")


def _as_bytes(problem: Problem) -> bytes:
    """Return a problem as a complete response, for requests that never reach the application."""
    response = problem.response()
    status = HTTPStatus(response.status_code)
    lines = [b"HTTP/1.1 %d %s" % (status, status.phrase.encode())]
    lines += [
        b"%s: %s" % pair for pair in (*response.raw_headers, *SECURITY_HEADERS, (b"connection", b"close"))
    ]
    return b"\r\n".join([*lines, b"", bytes(response.body)])
