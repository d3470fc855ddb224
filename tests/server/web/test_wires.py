"""How the wire between a browser and its server reads the traffic."""

from __future__ import annotations

from tests.server.web.wires import Wire

ANSWER = b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"seq":1}'
STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
NEWS = b'11\r\ndata: {"seq":2}\n\n\r\n'


def told(heard: bytes) -> list[object]:
    with Wire("http://127.0.0.1:9") as line:
        line.heard.append(bytearray(heard))
        return [part for body in line.bodies() for part in body.told]


def test_answers_and_news_are_read_one_after_another() -> None:
    assert told(ANSWER + ANSWER + STREAM + NEWS + NEWS) == [{"seq": 1}, {"seq": 1}, {"seq": 2}, {"seq": 2}]


def test_an_incomplete_answer_is_not_an_answer() -> None:
    for came in range(len(ANSWER)):
        assert told(ANSWER + ANSWER[:came]) == [{"seq": 1}]


def test_incomplete_news_is_not_news() -> None:
    whole = STREAM + NEWS
    for came in range(len(whole) - len(b"\n\n\r\n")):
        assert told(ANSWER + whole[:came]) == [{"seq": 1}]
