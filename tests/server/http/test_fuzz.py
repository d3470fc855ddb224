"""Whatever is sent, the answer is one that the interface describes, and never an internal error."""

from __future__ import annotations

import json
import random
import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import hypothesis
import pytest
import schemathesis
from schemathesis.specs.openapi import checks

from tests.server import guests
from tests.server.guests import get, running
from tests.server.soak import Caller, House, begun, folded, house, let_quick_bots_play, quick_folder, run
from tests.server.soak_crowd import BASES, BODIES, MOVES, NAMES
from tests.server.tables import each_game
from upcard.server.http.endpoints import Endpoint
from upcard.server.http.routes import ENDPOINTS

# Requests that the description allows, and requests that it forbids


@pytest.fixture(scope="module")
def described() -> Iterator[Any]:
    """The description of the interface by a server with a running game."""
    with pytest.MonkeyPatch.context() as patch, quick_folder() as folder, running(folder) as server:
        let_quick_bots_play(patch)
        table, players = guests.begun(server.url, "stacks", 3, window_seconds=1)
        schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")
        headers = {"Accept": "application/json", "Authorization": f"Bearer {players[0].token}"}
        schema.config.update(headers=headers, parameters={"table": table})
        yield schema


SOME = hypothesis.settings(max_examples=3, database=None, suppress_health_check=list(hypothesis.HealthCheck))
MANY = hypothesis.settings(SOME, max_examples=2_000)
# A table may refuse by its rules what the description allows; and a body that is not declared as JSON is
# refused before it is examined.
NOT_OURS = [checks.positive_data_acceptance, checks.unsupported_method]

interface = schemathesis.pytest.from_fixture("described")


@interface.parametrize()
@SOME
def test_every_answer_is_one_that_the_description_has(case: schemathesis.Case[Any]) -> None:
    case.call_and_validate(excluded_checks=NOT_OURS)


@pytest.mark.soak
@interface.parametrize()
@MANY
def test_thousands_of_answers_are_such_as_the_description_has(case: schemathesis.Case[Any]) -> None:
    case.call_and_validate(excluded_checks=NOT_OURS)


# Malformed HTTP

HEAD = b"POST /api/session HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
RAW = {
    "nothing": b"\r\n\r\n",
    "noise": bytes(range(256)) * 4,
    "a greeting of another protocol": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "an older HTTP": b"GET /api/games\r\n\r\n",
    "a newer HTTP": b"GET /api/games HTTP/3.0\r\nHost: here\r\n\r\n",
    "no such method": b"BREW /api/games HTTP/1.1\r\nHost: here\r\n\r\n",
    "an address with spaces": b"GET /api/ga mes HTTP/1.1\r\nHost: here\r\n\r\n",
    "an address that is none": b"GET http://[::1 HTTP/1.1\r\nHost: here\r\n\r\n",
    "an address with noise": b"GET /api/tables/\xff\xfe\x00 HTTP/1.1\r\nHost: here\r\n\r\n",
    "an endless address": b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: here\r\n\r\n",
    "endless headers": b"GET /api/games HTTP/1.1\r\nHost: here\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
    "a header without a colon": b"GET /api/games HTTP/1.1\r\nHost: here\r\nnonsense\r\n\r\n",
    "a header with a line break": b"GET /api/games HTTP/1.1\r\nHost: here\r\nX: a\rb\r\n\r\n",
    "two lengths": HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "a length that is none": HEAD + b"Content-Length: two\r\n\r\n{}",
    "a length below nothing": HEAD + b"Content-Length: -2\r\n\r\n{}",
    "a length beyond all": HEAD + b"Content-Length: 99999999999999999999\r\n\r\n{}",
    "a length and chunks": HEAD + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a chunk that is none": HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    "a body that is too large": HEAD + b"Content-Length: 20000\r\n\r\n" + b" " * 20_000,
    "chunks that are too large": HEAD
    + b"Transfer-Encoding: chunked\r\n\r\n"
    + (b"1000\r\n" + b" " * 4096 + b"\r\n") * 5
    + b"0\r\n\r\n",
    "a host that is none": b"GET /api/games HTTP/1.1\r\nHost: [\r\n\r\n",
    "a token that is none": b"GET /api/games HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \xff\r\n\r\n",
    "a cookie that is none": b"GET /api/games HTTP/1.1\r\nHost: a\r\nCookie: upcard=\xff; =; upcard\r\n\r\n",
    "a number that is none": b"GET /api/tables/a/events HTTP/1.1\r\nHost: a\r\nLast-Event-ID: \xb2\r\n\r\n",
    "an upgrade": b"GET /api/games HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
}


@pytest.fixture(scope="module")
def server() -> Iterator[guests.Running]:
    with quick_folder() as folder, running(folder) as server:
        yield server


def send(server: guests.Running, data: bytes) -> bytes:
    """Send bytes over a new connection, and return everything that comes back until it is closed."""
    url = httpx.URL(server.url)
    came = b""
    with socket.create_connection((url.host, url.port or 80)) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(65_536):
                came += part
        except ConnectionError:
            pass  # the server may stop reading
    return came


def test_bytes_that_are_hardly_http_are_refused_or_answered(server: guests.Running) -> None:
    right = (b"200", b"400", b"401", b"404", b"405", b"408", b"413", b"415", b"431")
    for name, data in RAW.items():
        came = send(server, data)
        for line in came.split(b"\r\n"):
            assert not line.startswith(b"HTTP/1.1 ") or line.split()[1] in right, name
        assert b"Traceback" not in came, name
        assert get(f"{server.url}/healthz").json()["status"] == "ok", name


def test_requests_that_were_broken_off_leave_nothing_behind(server: guests.Running) -> None:
    """For every prefix of a request, the connection breaks after it."""
    whole = HEAD + b"Content-Length: 2\r\n\r\n{}"
    for end in range(0, len(whole), 7):
        assert b"HTTP/1.1 5" not in send(server, whole[:end])
    assert send(server, whole).startswith(b"HTTP/1.1 200")


def test_a_method_that_an_address_does_not_have_is_refused(server: guests.Running) -> None:
    http = guests.Guest(server.url).http
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        for path in ("/api/tables", "/api/session", "/api/tables/any/play", "/healthz"):
            answer = http.request(method, path, json={})
            assert answer.status_code == 405, (method, path)
            assert answer.headers["Content-Type"] == "application/problem+json", (method, path)


# Valid JSON with the wrong content


# Anyone may get an identity or a phrase for it, leave or come back, say something, give up, propose an end,
# report someone, ask for a hint or a code, or continue from a record; everything else is wrong in a running
# game without moves.
RIGHT = {
    "session",
    "recovery-phrase",
    "branch",
    "leave",
    "come",
    "stay",
    "give-time",
    "hurry",
    "say",
    "rename",
    "hint",
    "to-think",
    "hand-over",
    "resign",
    "end",
    "report",
}


class Nonsense:
    """Invalid requests that people with or without a seat could send to a running game."""

    def __init__(self, table: str, callers: list[Caller], stranger: Caller, dice: random.Random) -> None:
        self.table = table
        self.dice = dice
        self.tokens = [*(caller.token for caller in callers * 3), stranger.token, "made up", None]
        self.endpoints = [one for one in ENDPOINTS if one.path.rpartition("/")[2] not in RIGHT]

    def request(self) -> tuple[str, str, bytes | None, dict[str, str]]:
        """Return one: method, address, body and headers."""
        endpoint = self.dice.choice(self.endpoints)
        path = endpoint.path.replace("{table}", self.table if self.dice.random() < 0.8 else self.word())
        headers = {"Accept": "application/json"}
        token = self.dice.choice(self.tokens)
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if self.dice.random() < 0.1:
            headers[self.dice.choice(["Origin", "Cookie", "Content-Type", "Last-Event-ID"])] = self.word()
        if endpoint.method == "GET":
            return "GET", f"{path}?since={self.word()}&states={self.word()}", None, headers
        return "POST", path, self.body(endpoint), headers

    def body(self, endpoint: Endpoint) -> bytes:
        """Return a body that is invalid in itself, or because of its time or sender."""
        dice = self.dice
        if dice.random() < 0.3:
            return dice.choice(BODIES)
        fields = {
            "id": dice.choice(["a", "b-1", "", "x" * 65, "a b", 7, None]),
            "base": dice.choice([*BASES, 3]),
            "move": dice.choice(MOVES),
            "name": dice.choice(NAMES),
            "share": dice.choice(["ab" * 16, "zz" * 16, "ab", 1]),
            "seat": dice.choice([None, 1, 2, 0, 99, "2", 1.5]),
            "bot": dice.choice([None, "easy", "none such", 3]),
            "agreed": dice.choice([True, False, None, "yes", 1]),
            "code": dice.choice(["AAAAAA", "", "x" * 41, None, "\u0130" * 10]),
            "game": dice.choice(["chess", "", None, 3]),
            "options": dice.choice([{}, {"players": 99}, {"": ""}, [], None]),
        }
        names = set(endpoint.request.__struct_fields__) if endpoint.request is not None else set()
        wanted = {name: value for name, value in fields.items() if name in names and dice.random() < 0.9}
        if dice.random() < 0.2:
            wanted[self.word()] = dice.choice([None, 1, "x", [[]], {"a": {}}])
        return json.dumps(wanted).encode()

    def word(self) -> str:
        return self.dice.choice(
            ["", "0", "-1", "9" * 20, "no", "%00", "..", "\xff", "a" * 300, "null", "'", "\t"]
        )


async def ask_nonsense(folder: Path, game: str, seed: int, count: int) -> Counter[int]:
    """Send nonsense, and check that it changed nothing; return how often each answer came."""
    dice, statuses = random.Random(f"{game} {seed}"), Counter[int]()
    async with house(folder) as place:
        table, callers = await begun(place, game)
        nonsense = Nonsense(table, callers, await place.caller(), dice)
        before = await told_to_all(place, table, callers)
        used = 0
        for number in range(count):
            method, path, body, headers = nonsense.request()
            answer = await place.ask(method, path, body, headers)
            statuses[answer.status] += 1
            assert answer.status < 500, (method, path, body, headers, answer)
            assert method == "GET" or answer.status >= 400, (path, body, headers, answer)
            if number % 1_000 == 0:
                assert await told_to_all(place, table, callers) == before
            if number == count // 10:
                used = memory()
        assert await told_to_all(place, table, callers) == before
        assert count < 10_000 or memory() - used < 20_000_000
    return statuses


async def told_to_all(place: House, table: str, callers: list[Caller]) -> list[Any]:
    """Return the state of a table for every viewer."""
    assert (await folded(place, table)).phase == "playing"
    return [await caller.look(table) for caller in callers]


def memory() -> int:
    """Return the memory of this process in bytes, 0 if the system does not say."""
    pages = Path("/proc/self/statm")
    return int(pages.read_text().split()[1]) * 4096 if pages.exists() else 0


@each_game
def test_nonsense_is_refused_and_changes_nothing(game: str) -> None:
    with quick_folder() as folder:
        statuses = run(ask_nonsense(folder, game, 1, 700))
    assert set(statuses) >= {200, 400, 401, 404, 422}


@pytest.mark.soak
@each_game
def test_a_million_times_nonsense_changes_nothing(game: str) -> None:
    with quick_folder() as folder:
        statuses = run(ask_nonsense(folder, game, 2, 334_000))
    answers = ", ".join(f"{count} with {status}" for status, count in sorted(statuses.items()))
    print(f"bad input: {game}, {statuses.total()} requests, none answered with 5xx ({answers})")
