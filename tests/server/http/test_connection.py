"""The internals of uvicorn on which the server relies: a new version has to pass these tests first."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.server.http.test_middleware import House, Line, serving

ROOT = Path(__file__).parents[3]
POST = b"POST /tables/1 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def test_the_version_is_the_one_that_was_tested() -> None:
    pinned = re.search(r'"uvicorn==([\d.]+)"', (ROOT / "pyproject.toml").read_text("utf-8"))
    assert pinned is not None
    assert version("uvicorn") == pinned[1]


@pytest.mark.parametrize("is_whole", [True, False], ids=["in one piece", "in two pieces"])
def test_trailers_are_not_headers(is_whole: bool) -> None:
    """A proxy sets headers before the body, and passes on what a client writes after it."""
    house = House(proxies=("127.0.0.1",))
    stranger = house.people.token(house.people.new())
    head = POST + b"X-Forwarded-For: 198.51.100.7\r\nTransfer-Encoding: chunked\r\n\r\n"
    body = b"2\r\n{}\r\n0\r\n"
    trailers = f"X-Forwarded-For: 127.0.0.1\r\nAuthorization: Bearer {stranger}\r\n\r\n".encode()
    with serving(house) as port, Line(port) as line:
        pieces = [head + body + trailers] if is_whole else [head, body + trailers]
        for piece in pieces:
            assert line.send(piece)
        assert line.answer()[0] == 200
    (context,) = house.seen
    assert (context.address, context.person) == ("198.51.100.7", None)
    assert [body for _, body in house.inside] == [b"{}"]


def test_the_rest_of_a_body_that_is_too_large_is_read_before_the_connection_is_closed() -> None:
    """A proxy that is still sending would take an earlier end for a failure of the server."""
    house = House()
    with serving(house) as port, Line(port) as line:
        assert line.send(POST + b"Content-Length: 1000000\r\n\r\n" + b"x" * 200_000)
        assert line.answer()[0] == 413
        for _ in range(8):
            assert line.send(b"x" * 100_000)
        assert line.is_over()
    assert house.inside == []
