"""Wires between a browser and its server, for tests. They keep everything that the browser receives."""

from __future__ import annotations

__all__ = ["Body", "Wire", "wire"]

import contextlib
import json
import re
import socket
import socketserver
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

PIECE = 65_536
# Compressed bodies could not be read here.
ENCODINGS = re.compile(rb"(?i)\r\naccept-encoding:[^\r]*")
WITHOUT_BODY = (204, 304)


@dataclass(frozen=True)
class Body:
    """The body of an answer."""

    kind: str
    content: bytes

    @property
    def told(self) -> list[Any]:
        """All JSON in it."""
        if self.kind == "application/json":
            return [json.loads(self.content)]
        if self.kind == "text/event-stream":
            # Whatever follows the last line break is an incomplete line.
            *lines, _ = self.content.decode(errors="ignore").split("\n")
            return [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
        return []


class Wire(socketserver.ThreadingTCPServer):
    """Forwards the traffic between one browser and a server, and keeps what the server sends."""

    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, url: str) -> None:
        super().__init__(("127.0.0.1", 0), _Line)
        self.lead_to(url)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.lines: list[socket.socket] = []
        # The received bytes, by connection.
        self.heard: list[bytearray] = []

    def lead_to(self, url: str) -> None:
        """Send new connections to a server."""
        parts = urlsplit(url)
        self.server = (str(parts.hostname), int(parts.port or 80))

    def cut(self) -> None:
        """Cut all connections."""
        for line in self.lines:
            _hang_up(line)

    def bodies(self) -> Iterator[Body]:
        """Return everything received, answer by answer."""
        for heard in self.heard:
            yield from _bodies(bytes(heard))


class _Line(socketserver.BaseRequestHandler):
    """One connection of the browser."""

    server: Wire
    request: socket.socket

    def handle(self) -> None:
        heard = bytearray()
        self.server.heard.append(heard)
        self.server.lines.append(self.request)
        try:
            server = socket.create_connection(self.server.server)
        except ConnectionRefusedError:
            return  # the server is gone
        with server:
            asking = threading.Thread(target=self._ask, args=(server,))
            asking.start()
            with contextlib.suppress(OSError):
                while piece := server.recv(PIECE):
                    heard += piece
                    self.request.sendall(piece)
            _hang_up(self.request)
            asking.join()

    def _ask(self, server: socket.socket) -> None:
        """Forward the browser's requests without the header that allows compression."""
        with contextlib.suppress(OSError):
            while piece := self.request.recv(PIECE):
                server.sendall(ENCODINGS.sub(b"\r\nAccept-Encoding: identity", piece))
        _hang_up(server)


def _hang_up(line: socket.socket) -> None:
    with contextlib.suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def wire(url: str) -> Iterator[Wire]:
    """Open a wire to a server. When it closes, all connections are cut."""
    with Wire(url) as laid:
        serving = threading.Thread(target=laid.serve_forever)
        serving.start()
        try:
            yield laid
        finally:
            laid.shutdown()
            serving.join()
            laid.cut()


def _bodies(heard: bytes) -> Iterator[Body]:
    """Split the bytes into answers. The last one may be incomplete, because a page that is left stops
    reading."""
    while b"\r\n\r\n" in heard:
        head, _, heard = heard.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        kind = headers.get("content-type", "").partition(";")[0]
        assert "content-encoding" not in headers, "this answer is packed"
        content = b""
        if "chunked" in headers.get("transfer-encoding", ""):
            content, heard = _chunks(heard)
        elif int(first.split()[1]) not in WITHOUT_BODY:
            size = int(headers.get("content-length", 0))
            if len(heard) < size:
                return
            content, heard = heard[:size], heard[size:]
        yield Body(kind, content)


def _chunks(heard: bytes) -> tuple[bytes, bytes]:
    """Join a chunked body; return it, and the bytes after it."""
    content = b""
    while heard:
        size, _, heard = heard.partition(b"\r\n")
        length = int(size or b"0", 16)
        content += heard[:length]
        heard = heard[length + 2 :]
        if length == 0:
            break
    return content, heard
