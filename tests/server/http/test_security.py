"""Attacks on a real server. docs/security.md says what each test is for."""

from __future__ import annotations

import asyncio
import json
import random
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs

from tests.server.guests import (
    PATIENCE,
    SOME_MOVES,
    Guest,
    Running,
    asked,
    begun,
    get,
    play_on,
    read_events,
    running,
    seated,
)
from tests.server.soak import let_quick_bots_play, quick_folder
from tests.server.table.test_secrecy import twin_of
from tests.server.tables import Tried, any_game, each_game
from tests.waiting import wait_until
from upcard.games import GAMES
from upcard.server.config import Settings
from upcard.server.http import endpoints, rate_limit
from upcard.server.http.identity import COOKIE
from upcard.server.http.middleware import RECORD, SECURITY_HEADERS, WITH_RECORDS
from upcard.server.http.openapi import describe
from upcard.server.http.routes import ENDPOINTS
from upcard.server.runtime.errors import TooManyStreams
from upcard.server.runtime.streams import Stream
from upcard.server.runtime.tables import Tables
from upcard.server.signing_keys import DAY
from upcard.server.table import checks
from upcard.server.table.commands import table_bots
from upcard.server.table.entries import Said

JSON = {"Content-Type": "application/json"}
ELSEWHERE = "https://evil.example"
# The clock of these servers stands still: an empty bucket stays empty until a test advances the clock.
SCARCE = {"commands_per_second": 0.01, "tables_per_minute": 0.01, "guesses_per_minute": 0.01}

# A request for every command, as an attacker who knows the interface would send it.
COMMANDS: dict[str, dict[str, Any]] = {
    "sit": {"name": "Eve", "share": "ab" * 16},
    "stand": {},
    "rename": {"name": "Eve"},
    "place": {"seat": 1, "bot": "easy"},
    "remove": {"seat": 2},
    "lock": {"locked": True},
    "start": {},
    "play": {"base": 4, "move": "end"},
    "react": {"base": 4, "move": "block"},
    "say": {"phrase": "hello"},
    "undo": {"base": 4},
    "undo/answer": {"agreed": True, "asked": 4},
    "resign": {},
    "end": {},
    "end/answer": {"agreed": True, "asked": 4},
    "leave": {},
    "come": {},
    "stay": {},
    "host": {},
    "hold": {"base": 0},
    "pace": {"pace": 1},
    "hurry": {},
    "give-time": {"given": True},
    "rematch": {},
    "hand-over": {},
    "hint": {},
    "report": {"seat": 2},
    "to-think": {},
}


@pytest.fixture(scope="module", autouse=True)
def believing_nobody() -> Iterator[None]:
    """Uvicorn would trust proxies on this machine, which `upcard serve` leaves to the middleware."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FORWARDED_ALLOW_IPS", "")
        yield


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with pytest.MonkeyPatch.context() as patch, quick_folder() as folder, running(folder) as server:
        let_quick_bots_play(patch)
        yield server


class Nobody(httpx.Client):
    """A client without an identity, which ignores the one that it is given."""

    def __init__(self, url: str, **headers: str) -> None:
        # There is no TLS here, and loading certificates takes longer than many requests.
        super().__init__(base_url=url, headers=headers, timeout=PATIENCE, verify=False)

    def send(self, request: httpx.Request, **how: Any) -> httpx.Response:
        answer = super().send(request, **how)
        self.cookies.clear()
        return answer


@contextmanager
def browser(url: str) -> Iterator[httpx.Client]:
    """A browser on a page of the server itself: it keeps cookies and sends its origin."""
    with httpx.Client(base_url=url, headers={"Origin": url}, timeout=PATIENCE, verify=False) as browser:
        yield browser


@pytest.fixture
def nobody(server: Running) -> Iterator[httpx.Client]:
    """A client that is new with every request."""
    with Nobody(server.url) as nobody:
        yield nobody


def mark_of(guest: Guest) -> str:
    return str(guest.post("/api/session").json()["mark"])


def all_told(guest: Guest, table: str) -> str:
    """Return everything that a guest can read of a table, as text."""
    paths = (f"/api/tables/{table}", f"/api/tables/{table}/events?since=0", f"/api/tables/{table}/record")
    return "\n".join(guest.http.get(path, headers={"Accept": "application/json"}).text for path in paths)


AT_A_TABLE = "/api/tables/{table}/"


def doing(table: str) -> list[str]:
    """Return the addresses of all commands, with the name of a table if there is one."""
    return [endpoint.path.format(table=table) for endpoint in ENDPOINTS if endpoint.method == "POST"]


def test_there_is_a_request_for_every_command() -> None:
    assert {path for path in doing("{table}") if path.startswith(AT_A_TABLE)} == {
        AT_A_TABLE + what for what in COMMANDS
    }


# Identity


def test_a_token_in_an_address_is_nobody(server: Running, nobody: httpx.Client) -> None:
    table, guests = begun(server.url, "lines")
    for name in ("token", "access_token", "bearer", "authorization", "session", COOKIE, "person"):
        shown = {name: guests[0].token}
        assert nobody.get(f"/api/tables/{table}", params=shown).json()["you"] is None
        said = nobody.post(f"/api/tables/{table}/say", params=shown, json={"id": "a", "phrase": "hello"})
        assert said.json()["code"] == "table.not_seated"
    assert nobody.get(f"/api/tables/{guests[0].token}").status_code == 404


def test_no_address_has_a_place_for_anything_but_tables_and_numbers() -> None:
    parameters = {
        parameter["name"]
        for operations in describe()["paths"].values()
        for operation in operations.values()
        for parameter in operation.get("parameters", [])
    }
    assert parameters == {"table", "since", "states"}


def test_a_browser_gets_a_cookie_that_no_script_reads_and_no_token(server: Running) -> None:
    with browser(server.url) as page:
        answers = [page.post("/api/session", json={}) for _ in range(2)]
        assert [answer.json()["token"] for answer in answers] == [None, None]
        assert "set-cookie" not in answers[1].headers, "who is known gets no second cookie"
        kept = page.cookies[COOKIE]
        page.cookies.clear()
        cookie = page.post("/api/session", json={}).headers["set-cookie"]
    value, *flags = cookie.split("; ")
    assert value.startswith(f"{COOKIE}=")
    assert value != f"{COOKIE}={kept}"
    assert flags == ["Path=/", "Max-Age=7776000", "HttpOnly", "SameSite=Lax"]


def test_a_cookie_that_came_by_https_goes_by_https_alone(tmp_path: Path) -> None:
    https = {
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Host": "cards.example",
        "X-Forwarded-For": "192.0.2.1",
    }
    ours = {"Origin": "https://cards.example"}
    with running(tmp_path, proxies=["127.0.0.1"]) as server, Nobody(server.url) as nobody:
        cookie = nobody.post("/api/session", json={}, headers=https | ours).headers["set-cookie"]
    assert cookie.startswith("__Host-upcard=")
    assert cookie.endswith("; Secure")


def test_a_session_is_renewed_while_it_is_used_and_never_in_a_response_that_caches_keep(
    server: Running,
) -> None:
    guest = Guest(server.url)
    guest_mark = mark_of(guest)
    with browser(server.url) as page:
        mark = page.post("/api/session", json={}).json()["mark"]
        first = page.cookies[COOKIE]
        server.pass_time(80 * DAY)
        assert "set-cookie" not in page.get("/").headers
        assert COOKIE in page.get("/api/my-tables").headers["set-cookie"]
        assert page.cookies[COOKIE] != first
        assert "set-cookie" not in page.get("/api/my-tables").headers
        renewed = guest.http.get("/api/my-tables").headers["Upcard-Token"]
        server.pass_time(80 * DAY)
        assert page.post("/api/session", json={}).json()["mark"] == mark
    assert mark_of(Guest(server.url, renewed)) == guest_mark
    answer = guest.http.get("/api/my-tables")
    assert (answer.status_code, answer.json()["type"]) == (401, "token-expired")


def test_an_expired_cookie_reads_as_a_stranger_and_commands_nothing_until_a_new_session(
    server: Running,
) -> None:
    table = Guest(server.url).open("lines")
    with browser(server.url) as page:
        mark = page.post("/api/session", json={}).json()["mark"]
        expired = page.cookies[COOKIE]
        server.pass_time(90 * DAY)
        assert page.get(f"/api/tables/{table}").json()["you"] is None
        answer = page.post("/api/tables", json={"id": "1", "game": "lines"})
        assert (answer.status_code, answer.json()["type"]) == (401, "token-expired")
        assert "set-cookie" not in answer.headers
        assert page.cookies[COOKIE] == expired
        assert page.post("/api/session", json={}).json()["mark"] != mark
        assert page.post("/api/tables", json={"id": "1", "game": "lines"}).status_code == 201


def test_an_untrusted_proxy_cannot_say_how_a_request_arrived(nobody: httpx.Client) -> None:
    https = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "cards.example"}
    cookie = nobody.post("/api/session", json={}, headers=https).headers["set-cookie"]
    assert "Secure" not in cookie
    from_there = {"Origin": "https://cards.example"}
    assert nobody.post("/api/session", json={}, headers=https | from_there).json()["type"] == "wrong-origin"


def test_a_token_or_a_cookie_of_another_server_is_nobody(
    server: Running, nobody: httpx.Client, tmp_path: Path
) -> None:
    table, guests = begun(server.url, "lines")
    with running(tmp_path, secret="y" * 40) as other, browser(server.url) as page:
        foreign = Guest(other.url)
        page.cookies.set(COOKIE, foreign.token)
        assert page.get(f"/api/tables/{table}").json()["you"] is None
        assert page.post("/api/session", json={}).json()["mark"] != mark_of(foreign)
    for token in (foreign.token, guests[0].token[:-3], guests[0].token.swapcase(), "x"):
        answer = nobody.get(f"/api/tables/{table}", headers={"Authorization": f"Bearer {token}"})
        assert (answer.status_code, answer.json()["type"]) == (401, "unauthorized")


@any_game
def test_nobody_learns_who_someone_is_but_their_name(server: Running, game: str) -> None:
    table, guests = begun(server.url, game)
    code = guests[0].do(table, "hand-over").json()["code"]
    phone = Guest(server.url)
    assert phone.post("/api/take-seat", code=code).status_code == 200
    play_on(table, [phone, guests[1]], random.Random(1), most=5)
    told = all_told(guests[1], table)
    assert '"kind":"handed_over"' in told
    for guest in (*guests, phone):
        assert mark_of(guest) not in told
        assert guest.token not in told
    assert code not in told


# Pages of other sites


def test_pages_of_other_sites_can_do_nothing_with_a_cookie(server: Running) -> None:
    with browser(server.url) as page:
        opened = page.post("/api/tables", json={"id": "a", "game": "lines"})
        table = opened.json()["table"]
        page.post(f"/api/tables/{table}/sit", json={"id": "b", "name": "Ann", "share": "ab" * 16})
        before = page.get(f"/api/tables/{table}").json()
        assert before["you"] == 1
        for origin in (ELSEWHERE, "null", "http://127.0.0.1:1", f"{server.url}.evil.example"):
            for path in doing(table):
                fields = COMMANDS.get(path.removeprefix(f"/api/tables/{table}/"), {})
                answer = page.post(path, json={"id": "c", **fields}, headers={"Origin": origin})
                assert (answer.status_code, answer.json()["type"]) == (403, "wrong-origin")
        assert page.get(f"/api/tables/{table}").json() == before


def test_pages_of_other_sites_are_not_invited_to_read(nobody: httpx.Client) -> None:
    preflight = {"Origin": ELSEWHERE, "Access-Control-Request-Method": "POST"}
    for answer in (
        nobody.options("/api/tables", headers=preflight),
        nobody.get("/api/games", headers={"Origin": ELSEWHERE}),
    ):
        assert not [name for name in answer.headers if name.startswith("access-control-")]
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_a_form_cannot_send_commands(nobody: httpx.Client) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        answer = nobody.post("/api/session", content=b"{}", headers={"Content-Type": kind})
        assert (answer.status_code, answer.json()["type"]) == (415, "not-json")


def answers_of_every_kind(server: Running) -> Iterator[tuple[int, httpx.Response]]:
    """Yield an answer of each kind, with the expected status."""
    table, guests = begun(server.url, "stockpile")
    state = guests[0].look(table)
    mover = guests[state["to_move"] - 1]
    http, at = mover.http, f"/api/tables/{table}"
    for path in ("/healthz", "/metrics", "/api", "/api/openapi.json", "/api/games", at):
        yield 200, http.get(path)
    yield 200, http.head(f"{at}/events")
    yield 400, http.post(f"{at}/play", content=b"{", headers=JSON)
    yield 400, mover.do(table, "play", base=state["seq"], move="nonsense")
    yield 401, http.get(at, headers={"Authorization": "Bearer x"})
    yield 403, http.post("/api/session", json={}, headers={"Origin": ELSEWHERE})
    yield 403, Guest(server.url).do(table, "hand-over")
    yield 404, http.get("/nothing")
    yield 404, http.get("/api/tables/none/events")
    yield 405, http.post("/healthz", json={})
    yield 413, http.post("/api/session", content=b" " * 20_000, headers=JSON)
    yield 415, http.post("/api/session", content=b"{}")
    yield 422, guests[2 - state["to_move"]].do(table, "play", base=state["seq"], move="stock 1")
    yield 200, mover.do(table, "play", base=state["seq"], move=mover.look(table)["legal"][0])
    yield 409, mover.do(table, "play", base=state["seq"], move="stock 1")
    yield 201, mover.post("/api/tables", id=mover.id(), game="lines")
    with http.stream("GET", f"{at}/events") as stream:
        yield 200, stream


def test_every_kind_of_answer_has_strict_headers(server: Running) -> None:
    seen = set()
    for status, answer in answers_of_every_kind(server):
        assert answer.status_code == status, answer.request.url
        for name, value in SECURITY_HEADERS:
            assert answer.headers[name.decode()] == value.decode()
        assert re.fullmatch("[0-9a-f]{16}", answer.headers["x-request-id"])
        seen.add(answer.headers.get("content-type"))
        if status >= 400 and status not in (409, 422):
            assert answer.headers["content-type"] == "application/problem+json"
            assert set(answer.json()) >= {"type", "title", "status", "detail"}
    assert "text/event-stream; charset=utf-8" in seen
    policy = dict(SECURITY_HEADERS)[b"content-security-policy"].decode()
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


def test_the_page_about_the_interface_has_no_script_and_no_style(nobody: httpx.Client) -> None:
    page = nobody.get("/api").text
    assert page.startswith("<!doctype html>")
    assert not re.search(r"<(script|style|img|iframe|form)|\son\w+=|style=", page)


@pytest.mark.parametrize("path", ["/", "/rules/lines"])
def test_pages_run_scripts_of_this_server_alone_and_only_from_files(nobody: httpx.Client, path: str) -> None:
    page = nobody.get(path)
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    rules = dict(rule.strip().split(" ", 1) for rule in page.headers["content-security-policy"].split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["frame-ancestors"] == "'none'"
    assert rules["script-src"] == rules["connect-src"] == "'self'"
    assert "unsafe" not in page.headers["content-security-policy"]
    for script in re.findall(r"<script[^>]*>", page.text):
        assert " src=" in script or 'type="application/json"' in script, script
    assert not re.search(r"<[^>]*\s(on\w+|style)=|javascript:", page.text)


# Other players' cards


@each_game
def test_a_spectator_sees_no_hand_anywhere(server: Running, game: str) -> None:
    table, guests = begun(server.url, game, 3)
    play_on(table, guests, random.Random(2), most=SOME_MOVES)
    watcher = Guest(server.url)
    with watcher.stream(table, since=0) as events:
        streamed = []
        for told in events:
            if told.kind == "state":
                break
            streamed.append(told.data)
    assert streamed == watcher.news(table)
    for state in (watcher.look(table), told.data):
        assert (state["you"], state["legal"]) == (None, [])
        assert not state["view"].get("hand")
    drawn = [news for applied in streamed for news in applied.get("news", []) if news["kind"] == "drew"]
    assert all(news["card"] is None for news in drawn)
    record = watcher.http.get(f"/api/tables/{table}/record").json()
    assert record["seed"] is None
    assert all(set(entry) == {"seat", "move"} for entry in record["log"])


@any_game
def test_a_player_who_comes_back_without_the_token_sees_what_spectators_see(
    server: Running, nobody: httpx.Client, game: str
) -> None:
    table, guests = begun(server.url, game)
    watcher = Guest(server.url)
    play_on(table, guests, random.Random(3), most=SOME_MOVES)
    for since in (0, 3, 5):
        with nobody.stream(
            "GET", f"/api/tables/{table}/events", headers={"Last-Event-ID": str(since)}
        ) as response:
            told = []
            for event in read_events(response.iter_lines()):
                if event.kind == "state":
                    break
                told.append(event.data)
        assert told == watcher.news(table, since)


@any_game
def test_a_device_that_handed_its_seat_over_sees_no_more_of_it(server: Running, game: str) -> None:
    table, guests = begun(server.url, game)
    phone = Guest(server.url)
    with guests[0].stream(table) as events:
        assert next(events).data["you"] == 1
        code = guests[0].do(table, "hand-over").json()["code"]
        assert phone.post("/api/take-seat", code=code).status_code == 200
        while (told := next(events)).kind != "state":
            pass
    assert told.data["you"] is None
    assert told.data["view"] == Guest(server.url).look(table)["view"]
    refused = guests[0].do(table, "play", base=phone.look(table)["seq"], move="end")
    assert refused.json()["code"] == "table.not_seated"


@each_game
def test_a_bot_moves_at_the_same_time_whatever_it_holds(game: str) -> None:
    for bot in table_bots():
        table, dice = Tried(game, bots={2: bot}, pace=1.2).start(), random.Random(4)
        while table.state.bot_to_move is None and table.state.phase == "playing":
            table.step(dice)
        due = table.state.due
        assert due is not None
        assert due >= table.now + 1.2
        for number in range(5):
            assert twin_of(table, 1, bytes([number])).due == due


def test_a_window_stays_open_though_everyone_has_answered(server: Running) -> None:
    table, guests, _ = asked(server.url, window_seconds=60)
    watcher = Guest(server.url)
    before = watcher.look(table)
    for seat in before["window"]["asked"]:
        answer = guests[seat - 1].do(table, "react", base=before["seq"], move="allow")
        assert answer.json()["type"] == "kept"
    assert watcher.look(table) == before


# Guessing


def test_the_name_of_a_table_says_nothing_and_is_another_one_elsewhere(
    server: Running, tmp_path: Path
) -> None:
    host, other = Guest(server.url), Guest(server.url)
    asked = {"id": "the-same", "game": "lines"}
    person = server.app.state.services.authenticator.read(host.token)
    with running(tmp_path, secret="z" * 40) as elsewhere:
        token = elsewhere.app.state.services.authenticator.token(person)
        names = {
            host.post("/api/tables", **asked).json()["table"],
            host.post("/api/tables", **asked | {"id": "another"}).json()["table"],
            other.post("/api/tables", **asked).json()["table"],
            Guest(elsewhere.url, token).post("/api/tables", **asked).json()["table"],
        }
    assert len(names) == 4
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{16}", name) for name in names)


@any_game
def test_a_short_code_dies_when_the_game_starts(server: Running, game: str) -> None:
    table, guests = seated(server.url, game)
    code = guests[0].look(table)["code"]
    stranger = Guest(server.url)
    assert stranger.post("/api/join", code=code).json() == {"table": table}
    assert guests[0].do(table, "start").status_code == 200
    assert stranger.post("/api/join", code=code).status_code == 404
    assert guests[0].look(table)["code"] is None


def test_private_tables_are_not_listed(server: Running) -> None:
    host = Guest(server.url)
    tables = [host.open(game) for game in GAMES]
    shown = host.open("lines", public=True)

    def listed() -> list[str]:
        return [table["table"] for table in Guest(server.url).http.get("/api/tables").json()["tables"]]

    with ExitStack() as streams:
        for table in (*tables, shown):
            streams.enter_context(host.stream(table))
        wait_until(lambda: shown in listed())
    assert not set(tables) & set(listed())


@any_game
def test_a_code_for_a_seat_works_once(server: Running, game: str) -> None:
    table, guests = begun(server.url, game)
    code = guests[0].do(table, "hand-over").json()["code"]
    phone, thief = Guest(server.url), Guest(server.url)
    assert phone.post("/api/take-seat", code=code).json() == {"table": table}
    for guest in (thief, guests[0]):
        assert guest.post("/api/take-seat", code=code).status_code == 404
    # The answer may have been lost.
    assert phone.post("/api/take-seat", code=code).json() == {"table": table}
    assert [guest.look(table)["you"] for guest in (phone, thief, guests[0])] == [1, None, None]


def test_a_code_that_is_sent_without_a_session_is_not_used(server: Running) -> None:
    """The answer with the new session may be lost; the seat would be lost with it."""
    table, guests = begun(server.url, "lines")
    code = guests[0].do(table, "hand-over").json()["code"]
    with browser(server.url) as phone:
        refused = phone.post("/api/take-seat", json={"code": code})
        assert (refused.status_code, refused.json()["type"]) == (401, "session-needed")
        assert guests[0].look(table)["you"] == 1
        phone.cookies.clear()
        assert phone.post("/api/take-seat", json={"code": code}).status_code == 401
        assert phone.post("/api/take-seat", json={"code": code}).json() == {"table": table}
        assert phone.get(f"/api/tables/{table}").json()["you"] == 1


def test_a_code_that_a_player_of_the_same_table_types_is_not_used_up(server: Running) -> None:
    table, guests = begun(server.url, "lines")
    code = guests[0].do(table, "hand-over").json()["code"]
    refused = guests[1].post("/api/take-seat", code=code)
    assert (refused.status_code, refused.json()["type"]) == (422, "refused")
    assert [guest.look(table)["you"] for guest in guests] == [1, 2]
    phone = Guest(server.url)
    assert phone.post("/api/take-seat", code=code).json() == {"table": table}


def test_a_code_for_a_seat_expires(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        table, guests = begun(server.url, "lines")
        given = [guests[0].do(table, "hand-over").json() for _ in range(2)]
        assert [one["expires"] - server.now for one in given] == [300.0, 300.0]
        phone, thief = Guest(server.url), Guest(server.url)
        server.pass_time(299.0)
        assert phone.post("/api/take-seat", code=given[0]["code"]).status_code == 200
        server.pass_time(2.0)
        assert thief.post("/api/take-seat", code=given[1]["code"]).status_code == 404
        late = phone.do(table, "hand-over").json()["code"]
        server.pass_time(301.0)
        assert thief.post("/api/take-seat", code=late).status_code == 404


def test_codes_cannot_be_tried_without_end(tmp_path: Path) -> None:
    for path in ("/api/join", "/api/take-seat"):
        with running(tmp_path, **SCARCE | {"commands_per_second": 1e6}) as server:
            guest = Guest(server.url)
            assert guest.post(path, code="BCDFGH").status_code == 404
            # A new identity does not help: the address is counted.
            for thief in (guest, Guest(server.url)):
                refused = thief.post(path, code="BCDFGJ")
                assert (refused.status_code, refused.json()["type"]) == (429, "too-many")
                assert int(refused.headers["retry-after"]) == 6000
            server.pass_time(6000.0)
            assert guest.post(path, code="BCDFGH").status_code == 404


# Other players' seats


@any_game
def test_a_stranger_can_do_nothing_at_someones_table(server: Running, game: str) -> None:
    table, guests = seated(server.url, game)
    stranger = Guest(server.url)

    def tries_everything() -> Iterator[str]:
        for what, fields in COMMANDS.items():
            before = guests[0].look(table)
            base = {"base": before["seq"]} if "base" in fields else {}
            # Reporting the same player again changes nothing, so a report has no id.
            ids = {} if what == "report" else {"id": stranger.id()}
            answer = stranger.post(f"/api/tables/{table}/{what}", **ids | fields | base)
            assert guests[0].look(table) == before, what
            assert answer.status_code in (403, 422), what
            told = answer.json()
            yield f"{what}: {told.get('code', told['type'])}"

    not_seated = {f"{what}: table.not_seated" for what in COMMANDS}
    before_the_game = set(tries_everything())
    assert before_the_game - not_seated == {
        "sit: table.full",
        "place: table.not_host",
        "remove: table.not_host",
        "lock: table.not_host",
        "start: table.not_host",
        "hand-over: not-yours",
    }
    guests[0].do(table, "start")
    assert set(tries_everything()) - not_seated == {
        "sit: table.is_playing",
        "place: table.is_playing",
        "remove: table.is_playing",
        "lock: table.is_playing",
        "start: table.is_playing",
        "hand-over: not-yours",
    }


@any_game
def test_nobody_plays_from_the_seat_of_another(server: Running, game: str) -> None:
    table, guests = begun(server.url, game, 3)
    state = guests[0].look(table)
    mover = guests[state["to_move"] - 1]
    move = mover.look(table)["legal"][0]
    for other in guests:
        if other is not mover:
            refused = other.do(table, "play", base=state["seq"], move=move)
            assert refused.json()["code"] == "table.not_your_turn"
    assert mover.look(table)["seq"] == state["seq"]
    # Using the id of someone else's command affects neither command.
    assert mover.do(table, "play", id="mine", base=state["seq"], move=move).status_code == 200
    other = guests[state["to_move"] % 3]
    assert other.do(table, "play", id="mine", base=state["seq"], move=move).json()["type"] != "done"


def test_nobody_can_sit_down_at_an_occupied_seat(server: Running) -> None:
    host, other = Guest(server.url), Guest(server.url)
    table = host.open("lines", 3, seats=[{}, {"bot": "easy"}])
    host.sit(table, "Ann", 1)
    for seat in (1, 2):
        answer = other.do(table, "sit", name="Eve", share="ab" * 16, seat=seat)
        assert answer.json()["code"] == "table.seat_taken"
    assert other.sit(table, "Eve", 3)["you"] == 3
    assert host.look(table)["you"] == 1


# Names


def test_a_name_has_no_letters_that_cannot_be_seen(server: Running) -> None:
    guest = Guest(server.url)
    table = guest.open("lines")
    for name in (
        *("a\nb\0", "\x1b[31mred", "\u202eevil", "a\u200bb", "\ufeffAnn"),
        *("\ue000", "\u2028", "\x7f", "\t \n"),
    ):
        answer = guest.do(table, "sit", name=name, share="ab" * 16)
        assert answer.status_code == 422, repr(name)
        assert answer.json()["code"] in ("table.name_letters", "table.name_length"), repr(name)
        assert guest.look(table)["you"] is None


def test_a_name_that_is_not_text_is_refused(server: Running) -> None:
    guest = Guest(server.url)
    table = guest.open("lines")
    for name in (rb'"\ud800"', b'"\xff"', b"5", b"null", b'"' + b"x" * 101 + b'"', b'""'):
        body = b'{"id":"a","share":"%s","name":%s}' % (b"ab" * 16, name)
        answer = guest.http.post(f"/api/tables/{table}/sit", content=body, headers=JSON)
        assert (answer.status_code, answer.json()["status"]) == (400, 400)
    assert guest.look(table)["you"] is None


def test_a_name_with_markup_is_told_as_it_is_and_never_as_a_page(server: Running) -> None:
    guest = Guest(server.url)
    table = guest.open("lines", public=True)
    guest.sit(table, "<b onload=x>'\"&</b>")
    with guest.stream(table):
        wait_until(lambda: table in guest.http.get("/api/tables").text)
    for path in (f"/api/tables/{table}", "/api/tables"):
        answer = guest.http.get(path)
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "<b onload=x>'\"&</b>" in json.dumps(answer.json(), ensure_ascii=False).replace('\\"', '"')


def test_only_bots_that_the_server_knows_sit_down(server: Running) -> None:
    guest = Guest(server.url)
    table = guest.open("lines")
    for bot in ("<script>", "search", "search@99999s", "../easy", "os.system", "", "\0"):
        answer = guest.post("/api/tables", id="a", game="lines", seats=[{"bot": bot}])
        assert (answer.status_code, answer.json()["type"]) == (400, "bad-request"), repr(bot)
        assert guest.do(table, "place", seat=2, bot=bot).status_code == 400, repr(bot)


# Overload


def test_an_address_and_a_person_can_ask_only_so_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "ADDRESS_FACTOR", 1)
    few = SCARCE | {"burst": 3, "proxies": ["127.0.0.1"]}
    with running(tmp_path, **few) as server, Nobody(server.url) as nobody:

        def ask(address: str, **headers: str) -> httpx.Response:
            return nobody.post("/api/session", json={}, headers={"X-Forwarded-For": address, **headers})

        token = ask("192.0.2.1").json()["token"]
        answers = [ask("192.0.2.2") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert "this address sends too many requests" in answers[-1].json()["detail"]
        assert int(answers[-1].headers["retry-after"]) == 100
        known = [ask(f"192.0.2.{number}", Authorization=f"Bearer {token}") for number in range(10, 14)]
        assert [answer.status_code for answer in known] == [200, 200, 200, 429]
        assert "you send too many requests" in known[-1].json()["detail"]
        assert int(known[-1].headers["retry-after"]) == 100
        assert ask("192.0.2.99").status_code == 200, "everyone else is served"


def test_an_address_can_open_only_a_limited_number_of_tables(tmp_path: Path) -> None:
    with running(tmp_path, **SCARCE | {"commands_per_second": 1e6}) as server:
        Guest(server.url).open("lines")
        refused = Guest(server.url).post("/api/tables", id="a", game="lines")
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) == 6000


def test_a_large_body_is_refused_wherever_it_is_sent(server: Running) -> None:
    guest = Guest(server.url)
    table = guest.open("lines")
    for path in [*doing(table), "/nothing"]:
        size = 16_384 * (RECORD if path in WITH_RECORDS else 1)
        answer = guest.http.post(path, content=b'{"id":"' + b"a" * size + b'"}', headers=JSON)
        assert (answer.status_code, answer.json()["type"]) == (413, "too-large")


def test_a_long_history_costs_an_address_more_than_a_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path) as server:
        table, guests = begun(server.url, "lines")
        play_on(table, guests, random.Random(1), most=12)
        length = server.state(table).seq
    monkeypatch.setattr(endpoints, "ENTRIES_PER_TOKEN", length / 30)
    monkeypatch.setattr(rate_limit, "ADDRESS_FACTOR", 1)
    with running(tmp_path, burst=100, commands_per_second=0.01) as server, Nobody(server.url) as nobody:

        def status(since: int, accept: str) -> int:
            path = f"/api/tables/{table}/events?since={since}"
            with nobody.stream("GET", path, headers={"Accept": accept}) as answer:
                return answer.status_code

        json_only = "application/json"
        assert [status(length, json_only) for _ in range(50)] == [200] * 50
        # Each costs 30 tokens, and the address has 90 left.
        answers = [status(0, accept) for accept in (json_only, "text/event-stream", json_only)]
        assert answers == [200, 200, 429]


def test_the_record_of_a_finished_game_is_sent_again_only_if_it_has_changed(server: Running) -> None:
    table, guests = begun(server.url, "lines")
    path = f"/api/tables/{table}/record"
    assert "etag" not in guests[0].http.get(path).headers
    play_on(table, guests, random.Random(1))
    first = guests[0].http.get(path)
    tag = {"If-None-Match": first.headers["etag"]}
    assert "private" in first.headers["cache-control"]
    for guest in (*guests, Guest(server.url)):
        again = guest.http.get(path, headers=tag)
        assert (again.status_code, again.content) == (304, b"")
        assert guest.http.get(path).json() == first.json()
    assert guests[0].do(table, "say", phrase="thanks").status_code == 200
    assert guests[0].http.get(path, headers=tag).status_code == 200


def test_a_command_id_that_is_used_for_another_command_is_an_error(server: Running) -> None:
    guest = Guest(server.url)
    table = guest.open("lines")
    guest.sit(table, "Ann")
    first = guest.do(table, "say", id="the-same", phrase="hello")
    assert first.json()["type"] == "done"
    for what, fields in (("say", {"phrase": "thanks"}), ("stand", {})):
        other = guest.do(table, what, id="the-same", **fields)
        assert (other.status_code, other.json()["type"]) == (400, "command-id-reused")
    again = guest.do(table, "say", id="the-same", phrase="hello").json()
    assert (again["type"], again["seq"]) == ("done", first.json()["seq"])


def test_a_person_can_watch_only_a_limited_number_of_tables(tmp_path: Path) -> None:
    with running(tmp_path, max_streams_per_person=2, max_streams=3) as server, ExitStack() as streams:
        guest, other = Guest(server.url), Guest(server.url)
        table = guest.open("lines")

        def refused(guest: Guest) -> tuple[int, str]:
            with guest.http.stream("GET", f"/api/tables/{table}/events") as answer:
                assert answer.status_code != 200
                assert int(answer.headers["retry-after"]) >= 1
                return answer.status_code, json.loads(answer.read())["type"]

        first = streams.enter_context(ExitStack())
        first.enter_context(guest.stream(table))
        streams.enter_context(guest.stream(table))
        assert refused(guest) == (429, "too-many")
        streams.enter_context(other.stream(table))
        assert refused(other) == (503, "overloaded")
        first.close()
        wait_until(lambda: len(server.tables.stream_quota) == 2)
        streams.enter_context(guest.stream(table))


def test_a_client_that_does_not_read_is_cut_off_and_delays_nobody(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        table, guests = begun(server.url, "lines")
        host, port = server.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as sleeper:
            sleeper.sendall(f"GET /api/tables/{table}/events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            wait_until(lambda: len(server.tables.stream_quota) == 1)
            (stream,) = server.tables.actors[table].streams
            assert server.loop is not None
            for _ in range(100):
                server.loop.call_soon_threadsafe(stream.push, b":" + b"x" * 200_000 + b"\n\n")
                assert guests[0].do(table, "say", phrase="hello").status_code == 200
                if stream.slow:
                    break
            assert stream.slow
            wait_until(lambda: len(server.tables.stream_quota) == 0)
        assert "upcard_slow_readers_total 1.0" in guests[0].http.get("/metrics").text
        assert play_on(table, guests, random.Random(7), most=5)["phase"] == "playing"


def test_a_table_that_is_opened_repeatedly_is_one_table(server: Running) -> None:
    guest = Guest(server.url)
    before = guest.http.get("/healthz").json()["tables"]
    answers = [guest.post("/api/tables", id="once", game="stacks").json() for _ in range(5)]
    assert answers == [answers[0]] * 5
    assert guest.http.get("/healthz").json()["tables"] == before + 1


@any_game
def test_the_same_move_sent_by_two_tabs_is_made_once(server: Running, game: str) -> None:
    table, guests = begun(server.url, game)
    state = guests[0].look(table)
    mover = guests[state["to_move"] - 1]
    tab = Guest(server.url, mover.token)
    fields = {"base": state["seq"], "move": mover.look(table)["legal"][0]}
    assert mover.do(table, "play", **fields).json()["type"] == "done"
    assert tab.do(table, "play", **fields).json()["type"] == "stale"
    moves = [told for told in guests[0].news(table) if told["kind"] == "moved"]
    assert len(moves) == 1


# Secrets


@each_game
def test_the_secret_of_the_shuffle_is_not_revealed_during_the_game(server: Running, game: str) -> None:
    table, guests = begun(server.url, game)
    secret = server.state(table).opened.secret
    assert len(bytes.fromhex(secret)) == 32
    play_on(table, guests, random.Random(8), most=5)
    for guest in (*guests, Guest(server.url)):
        assert secret not in all_told(guest, table)
        assert guest.look(table)["commitment"] in all_told(guest, table)


def test_an_internal_error_reveals_nothing_about_the_server(tmp_path: Path) -> None:
    with running(tmp_path) as server, capture_logs() as logged:
        table, guests = begun(server.url, "lines")
        store = server.tables.node.store
        server.tables.node.store = None  # type: ignore[assignment]  # as if a part of it were missing
        answer = guests[0].do(table, "say", phrase="hello")
        server.tables.node.store = store
        problem = answer.json()
    assert answer.status_code == 500
    assert set(problem) == {"type", "title", "status", "detail", "incident"}
    for hidden in ("Traceback", "store", "NoneType", ".py"):
        assert hidden not in answer.text
    assert [line["incident"] for line in logged if "incident" in line] == [problem["incident"]]


def test_a_limit_of_streams_holds_for_requests_at_the_same_moment(tmp_path: Path) -> None:
    """A stream is counted before the first await."""

    async def watch_all(tables: Tables, table: str) -> list[object]:
        held = await tables.actor(table)
        async with held.locked():
            opening = [
                asyncio.ensure_future(tables.watch(table, "mark", "10.0.0.1", None, True)) for _ in range(100)
            ]
            await asyncio.sleep(0)
        return await asyncio.gather(*opening, return_exceptions=True)

    with running(tmp_path, max_streams_per_person=4) as server:
        table = Guest(server.url).open("lines")
        assert server.loop is not None
        opened = asyncio.run_coroutine_threadsafe(watch_all(server.tables, table), server.loop).result()
        assert sum(isinstance(stream, Stream) for stream in opened) == 4
        assert sum(isinstance(error, TooManyStreams) for error in opened) == 96
        assert len(server.tables.stream_quota) == 4


def test_a_class_behind_one_address_opens_joins_and_plays_without_a_refusal(tmp_path: Path) -> None:
    """Thirty people arrive within the same second, since the clock of this server stands still."""
    defaults = Settings()
    names = ("commands_per_second", "burst", "tables_per_minute", "guesses_per_minute")
    limits = {name: getattr(defaults, name) for name in names}
    with running(tmp_path, max_streams_per_person=defaults.max_streams_per_person, **limits) as server:
        page = get(f"{server.url}/").text
        files = re.findall(r'(?:src|href)="(/[^"]+)"', page)
        assert len(files) > 5
        pairs = [(Guest(server.url), Guest(server.url)) for _ in range(15)]
        for host, other in pairs:
            for guest in (host, other):
                assert guest.http.get("/").status_code == 200
                assert {guest.http.get(file).status_code for file in files} <= {200, 302}
            opened = host.post("/api/tables", id=host.id(), game="lines")
            assert opened.status_code == 201, opened.text
            code = opened.json()["code"]
            table = other.post("/api/join", code=code).json()["table"]
            for guest in (host, other):
                assert guest.http.get(f"/t/{table}").status_code == 200
                assert guest.do(table, "sit", name=guest.id(), share="ab" * 32).status_code == 200
            with host.stream(table) as events, other.stream(table):
                next(events)
                assert host.do(table, "start").status_code == 200
                assert play_on(table, [host, other], random.Random(code), most=4)["phase"] == "playing"


def test_a_command_of_a_kind_that_filled_the_log_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "MAX_OTHER_ENTRIES", 3)
    monkeypatch.setitem(checks.MAX_ENTRIES, Said, 3)
    with running(tmp_path) as server:
        guest = Guest(server.url)
        table = guest.open("lines")
        guest.do(table, "sit", name="Ann", share="ab" * 32)
        for do, fields in (("say", {"phrase": "hello"}), ("rename", {"name": "Bob"})):
            answers = [guest.do(table, do, **fields) for _ in range(4)]
            assert [answer.status_code for answer in answers] == [200, 200, 200, 422]
            assert answers[-1].json()["code"] == "table.too_many"
