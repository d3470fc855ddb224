"""The door: where bytes become requests. It sends away who never finishes one, of whom the guard never hears,
and writes streams straight to their connections."""

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

# So many seconds has a whole request to arrive.
REQUEST_SECONDS: Final = 20.0
# What a request may have besides its body.
MAX_HEAD: Final = 32_768
# What is left of a request that was answered.
ANSWERED: Any = {}


class _Line(list[Any]):
    """Requests that wait for the answer to one before. Most often there is none, and a deque is large."""

    __slots__ = ()

    def appendleft(self, request: object) -> None:
        """Let one more wait."""
        self.insert(0, request)


class HttpProtocol(HttpToolsProtocol):
    """Reads requests from a connection as uvicorn does, but neither forever nor without end."""

    request_seconds = REQUEST_SECONDS

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Expect a request."""
        super().connection_made(transport)
        self._refusal: Problem | None = None
        self._has_asked = False
        self.pipeline: Any = _Line()
        # What has come of a request besides its body.
        self._head = 0
        # Whether a request, or its body, has begun and not ended.
        self._is_reading = self._is_in_body = False
        self._deadline: asyncio.TimerHandle | None = None
        # The stream that is written to this connection until its end, if it is one.
        self._stream: Stream | None = None
        # Requests that were not answered yet when another one came.
        self._earlier: list[RequestResponseCycle] = []
        self._set_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """Expect nothing more, and tell everyone who is still answering. Uvicorn tells only the last one,
        and a stream before it would never end."""
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
        """Read on, if it is not too much."""
        if self._stream is not None:
            self.transport.close()  # who is listening to a stream has nothing to say here
            return
        self._head += len(data)
        super().data_received(data)
        if self._head > MAX_HEAD:
            self._turn_away(_head_too_large())
        self._set_deadline()

    def on_message_begin(self) -> None:
        """Begin to read a request."""
        self._is_reading = True
        super().on_message_begin()
        # For those who know of us, and where we are not can do without.
        self.scope["upcard.protocol"] = self  # type: ignore[typeddict-unknown-key]

    def on_header(self, name: bytes, value: bytes) -> None:
        """Read a header. What follows a chunked body are trailers: they come from the client, even if a proxy
        has set the headers, so they must not be taken for headers."""
        if not self._is_in_body:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Look how long the headers are, if they came all at once, and who is answered before."""
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
        """Forget what was asked. A connection may stay open for hours, and there are thousands of them."""
        self.tasks.discard(task)
        is_over = self.transport.is_closing() or (cycle.response_complete and not self._is_reading)
        if cycle is self.cycle and is_over:
            self._forget()

    def _forget(self) -> None:
        self.headers, self.url, self.scope = [], b"", ANSWERED
        self.cycle = None  # type: ignore[assignment]  # as before the first request

    def on_body(self, body: bytes) -> None:
        """Leave the body to the guard."""
        self._head -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Let the answer take its time."""
        self._head = 0
        self._is_reading = self._is_in_body = False
        self._forget_deadline()
        super().on_message_complete()

    def has_all_of(self, scope: Scope) -> bool:
        """Tell whether all of a request is here."""
        cycle = self._last_cycle
        return cycle is not None and cycle.scope is scope and not cycle.more_body

    def take_stream(self, scope: Scope, stream: Stream) -> bool:
        """Write a stream as the rest of the answer to a request, until either end hangs up; return whether
        that can be done. A task for each stream, waiting for something to write, would take as much memory
        as all the rest of a connection."""
        cycle = self._last_cycle
        if cycle is None or cycle.scope is not scope or not cycle.chunked_encoding or cycle.disconnected:
            return False
        # For uvicorn nothing is left to do, so it does nothing any more.
        cycle.response_complete = True
        self._stream = stream
        stream.flow_to(self)
        return True

    # What a stream does with us

    def write(self, data: bytes) -> None:
        """Send the next piece of a stream."""
        self.transport.write(b"%x\r\n%s\r\n" % (len(data), data))

    @property
    def backlog(self) -> int:
        """How many bytes wait to be read by the other side."""
        return self.transport.get_write_buffer_size()

    def finish(self) -> None:
        """End the answer, and hang up."""
        self.transport.write(b"0\r\n\r\n")
        self.transport.close()

    def abort(self) -> None:
        """Hang up at once: to close a connection is to wait until all is read, perhaps forever."""
        self.transport.abort()

    # How long we wait

    def _set_deadline(self) -> None:
        """Expect the first request, and the rest of every other one, in time."""
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
        """Say why, if it is this request's turn to be answered and no answer has begun, and hang up."""
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
    """Write a problem down as a whole answer, for whom the application never sees."""
    response = problem.response()
    status = HTTPStatus(response.status_code)
    lines = [b"HTTP/1.1 %d %s" % (status, status.phrase.encode())]
    lines += [
        b"%s: %s" % pair for pair in (*response.raw_headers, *SECURITY_HEADERS, (b"connection", b"close"))
    ]
    return b"\r\n".join([*lines, b"", bytes(response.body)])
