"""Responses that are streams of server-sent events."""

from __future__ import annotations

__all__ = ["StreamResponse"]

import asyncio
import functools

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from upcard.server.runtime.streams import Stream
from upcard.server.runtime.tables import Tables


class StreamResponse(Response):
    """An endless response: it sends what is pushed to its stream until one side hangs up."""

    def __init__(self, tables: Tables, table: str, stream: Stream) -> None:
        super().__init__(
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}, media_type="text/event-stream"
        )
        del self.headers["content-length"]
        self.stream = stream
        self._unwatch = functools.partial(tables.unwatch, table, stream)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        protocol = scope.get("upcard.protocol")
        # The connection ends with the stream, so no other request may follow on it.
        headers = self.raw_headers if protocol is None else [*self.raw_headers, (b"connection", b"close")]
        try:
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            if protocol is not None and protocol.take_stream(scope, self.stream):
                self.stream.lost = self._unwatch
                return
        except BaseException:
            self._unwatch()
            raise
        await self._write(scope, receive, send)

    async def _write(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream by plain ASGI."""
        stream = self.stream
        gone = asyncio.ensure_future(_wait_for_disconnect(receive, stream))
        stream.cut = asyncio.current_task()
        try:
            while data := await stream.read():
                await send({"type": "http.response.body", "body": data, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except asyncio.CancelledError:
            # Either the client reads too slowly, or the server stops, which is handled elsewhere.
            if not stream.slow:
                raise
            if "upcard.protocol" in scope:
                scope["upcard.protocol"].abort()
        finally:
            stream.cut = None
            gone.cancel()
            self._unwatch()


async def _wait_for_disconnect(receive: Receive, stream: Stream) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end()
