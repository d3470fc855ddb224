"""Tables over real HTTP: requests, answers and streams."""

from __future__ import annotations

import contextlib
import itertools
import json
import random
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import uvicorn

from tests.server.guests import (
    NEVER,
    SOME_MOVES,
    Guest,
    PatientProtocol,
    Running,
    asked,
    begun,
    play_on,
    running,
    seated,
)
from tests.server.soak import let_quick_bots_play, quick_folder
from tests.server.tables import SHORT, each_game
from tests.waiting import wait_until
from upcard.core import struct
from upcard.core.entropy import random_bytes
from upcard.core.struct import Struct
from upcard.games import find as find_game
from upcard.i18n import Message
from upcard.match import replay
from upcard.server.app import make_app
from upcard.server.config import Settings
from upcard.server.http.openapi import describe
from upcard.server.http.routes import ENDPOINTS
from upcard.server.http.schemas import responses
from upcard.server.ops import serve


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with pytest.MonkeyPatch.context() as patch, quick_folder() as folder, running(folder) as server:
        let_quick_bots_play(patch)
        yield server


# A whole game


@each_game
def test_people_play_a_whole_game_and_get_its_proven_record(server: Running, game: str) -> None:
    table, guests = begun(server.url, game, 3, options=SHORT[game])
    commitment = guests[0].look(table)["commitment"]
    state = play_on(table, guests, random.Random(1))
    assert state["phase"] == "over"
    record = guests[1].http.get(f"/api/tables/{table}/record").json()
    assert replay(record).result == state["result"]
    assert record["fairness"]["commitment"] == commitment
    news = guests[0].news(table)
    assert [told["seq"] for told in news] == list(range(1, state["seq"] + 1))


def described(path: str, answer: Any) -> None:
    """Check an answer against its type, from which the description of the interface is generated."""
    kind = next(endpoint.answers[200] for endpoint in ENDPOINTS if endpoint.path == path)
    msgspec.convert(answer, kind)
    assert set(answer) <= set(kind.__annotations__)


@each_game
def test_every_stage_of_a_table_is_as_the_interface_describes_it(server: Running, game: str) -> None:
    table, guests = seated(server.url, game, 3, options=SHORT[game])
    at = "/api/tables/{table}"

    def look() -> None:
        for guest in (*guests[:2], Guest(server.url)):
            described(at, guest.look(table))
            news = guest.http.get(
                f"/api/tables/{table}/events", headers={"Accept": "application/json"}
            ).json()
            described(f"{at}/events", news)
            assert set(news["state"]) <= set(responses.Snapshot.__annotations__)

    look()
    guests[0].do(table, "start")
    play_on(table, guests, random.Random(1), most=5)
    for over in (False, True):
        look()
        described(f"{at}/record", guests[0].http.get(f"/api/tables/{table}/record").json())
        assert (guests[0].look(table)["phase"] == "over") == over
        play_on(table, guests, random.Random(1))
    described("/api/games", guests[0].http.get("/api/games").json())


def test_every_answer_is_described_in_our_own_words() -> None:
    about = describe()
    for path, operations in about["paths"].items():
        for operation in operations.values():
            for status, answer in operation["responses"].items():
                kinds = answer["content"]
                name = next(iter(kinds.values()))["schema"]["$ref"].rpartition("/")[2]
                if status != "default":
                    assert answer["description"] == about["components"]["schemas"][name]["description"]
                assert ("text/event-stream" in kinds) == (path.endswith("/events") and status == "200")
    for component in about["components"]["schemas"].values():
        assert component["description"].endswith(".")
        assert "\n" not in component["description"]


@each_game
def test_a_person_and_bots_of_every_level_play_a_whole_game(server: Running, game: str) -> None:
    guest = Guest(server.url)
    # Lucky bots would end a short game of Stockpile in their first turn.
    options = {} if game == "stockpile" else SHORT[game]
    table = guest.open(game, 3, seats=[{}, {"bot": "easy"}, {"bot": "greedy"}], options=options)
    guest.sit(table, "Ann")
    assert guest.do(table, "start").status_code == 200
    state = play_on(table, [guest], random.Random(2))
    assert state["phase"] == "over"
    assert {told["by"] for told in guest.news(table) if told["kind"] == "moved"} == {"person", "bot"}


@each_game
def test_a_stream_tells_everything_in_order_and_how_the_table_stands(server: Running, game: str) -> None:
    table, guests = begun(server.url, game)
    with guests[1].stream(table, since=0) as events:
        seqs = []
        for told in events:
            if told.kind == "message":
                seqs.append(told.seq)
                assert told.data["seq"] == told.seq
            if told.kind == "state" and told.data["seq"] == guests[0].look(table)["seq"]:
                assert told.data == {name: guests[1].look(table)[name] for name in told.data}
                if len(seqs) > 8:
                    break
                play_on(table, guests, random.Random(3), most=1)
    assert seqs == list(range(1, len(seqs) + 1))


def test_a_stream_resumes_exactly_where_it_was(server: Running) -> None:
    table, guests = begun(server.url, "lines")
    play_on(table, guests, random.Random(4), most=5)
    whole = guests[0].news(table)
    for since in range(len(whole)):
        with guests[0].stream(table, since=since) as events:
            missed = []
            for told in events:
                if told.kind == "state":
                    break
                missed.append(told.data)
        assert missed == whole[since:]


# Commands


def test_since_when_one_wants_to_know_is_a_number(server: Running) -> None:
    table, (guest, _) = begun(server.url, "lines")
    for since in ("", "x", "-1", "1.0", "²", "9" * 16):
        answer = guest.http.get(
            f"/api/tables/{table}/events", params={"since": since}, headers={"Accept": "application/json"}
        )
        told = answer.status_code, answer.json()["detail"]
        assert told == (400, "'since' should be a sequence number"), since


def test_a_command_sent_again_is_done_once_and_answered_alike(server: Running) -> None:
    table, guests = begun(server.url, "stockpile")
    state = guests[0].look(table)
    mover = guests[state["to_move"] - 1]
    command = {"id": "same", "base": state["seq"], "move": mover.look(table)["legal"][0]}
    first = mover.do(table, "play", **command).json()
    again = mover.do(table, "play", **command).json()
    assert (first["type"], again["type"]) == ("done", "done")
    assert first["seq"] == again["seq"]
    assert guests[0].look(table)["seq"] == first["seq"]
    said = [guests[0].do(table, "say", id="hello", phrase="hello").json()["seq"] for _ in range(3)]
    assert len(set(said)) == 1


def test_a_table_that_is_opened_twice_by_one_command_is_one_table(server: Running) -> None:
    guest = Guest(server.url)
    asked = {"id": "open", "game": "lines"}
    first, again = (guest.post("/api/tables", **asked).json() for _ in range(2))
    assert first == again


def test_a_stale_command_is_told_what_it_missed(server: Running) -> None:
    table, guests = begun(server.url, "stockpile")
    state = guests[0].look(table)
    mover = guests[state["to_move"] - 1]
    mine = mover.look(table)
    mover.do(table, "play", base=mine["seq"], move=mine["legal"][0])
    answer = mover.do(table, "play", base=mine["seq"], move=mine["legal"][0])
    assert answer.status_code == 409
    assert answer.json()["type"] == "stale"
    assert [told["kind"] for told in answer.json()["news"]] == ["moved"]
    assert answer.json()["state"]["seq"] == guests[0].look(table)["seq"]


def test_a_phrase_does_not_make_a_move_stale(server: Running) -> None:
    table, guests = begun(server.url, "stockpile")
    state = guests[0].look(table)
    mover, other = guests[state["to_move"] - 1], guests[2 - state["to_move"]]
    other.do(table, "say", phrase="good_luck")
    mine = mover.look(table)
    assert mover.do(table, "play", base=state["seq"], move=mine["legal"][0]).status_code == 200


def test_a_refused_move_names_the_clause_and_changes_nothing(server: Running) -> None:
    table, guests = begun(server.url, "stacks")
    state = guests[0].look(table)
    mover, other = guests[state["to_move"] - 1], guests[2 - state["to_move"]]
    answer = mover.do(table, "play", base=state["seq"], move="block")
    assert answer.status_code == 422
    assert answer.json() == {
        "type": "refused",
        "code": "stacks.not_asked",
        "parameters": {},
        "clause": "K5.3",
        "seq": state["seq"],
    }
    answer = other.do(table, "play", base=state["seq"], move="r1 R1")
    assert answer.json()["code"] == "table.not_your_turn"
    assert answer.json()["clause"] == "K2.1"
    assert guests[0].look(table) == state


def test_bad_input_gets_one_clear_sentence(server: Running) -> None:
    table, guests = begun(server.url, "stockpile")
    state = guests[0].look(table)
    mover = guests[state["to_move"] - 1]
    for what, fields, status, problem in (
        ("play", {"base": 4, "move": "nonsense"}, 400, "'nonsense' is not a move of Stockpile"),
        ("play", {"base": 999, "move": "stock 1"}, 400, "'base' is 999, but the table is only at 4"),
        ("play", {"move": "stock 1"}, 400, "base"),
        ("play", {"base": "x", "move": "stock 1"}, 400, "base"),
        ("play", {"base": 4, "move": "stock 1", "extra": 1}, 400, "extra"),
        ("say", {"phrase": "rubbish"}, 400, "there is no phrase 'rubbish'"),
        ("sit", {"name": "Ann", "share": "xyz"}, 400, "share"),
        ("nothing", {}, 404, "there is nothing at this address"),
    ):
        answer = mover.do(table, what, **fields)
        assert answer.status_code == status, (what, fields)
        assert answer.headers["content-type"] == "application/problem+json"
        assert problem in answer.json()["detail"]
        assert guests[0].look(table) == state


def test_a_body_that_is_not_text_is_refused(server: Running) -> None:
    guest = Guest(server.url)
    answer = guest.http.post(
        "/api/tables", content=b'{"id": "\xff"}', headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, answer.json()["type"]) == (400, "bad-json")


def test_a_table_that_does_not_exist_is_not_found(server: Running) -> None:
    guest = Guest(server.url)
    for path in ("/api/tables/none", "/api/tables/none/events", "/api/tables/none/record"):
        answer = guest.http.get(path)
        assert (answer.status_code, answer.json()["type"]) == (404, "not-found")
    assert guest.do("none", "sit", name="Ann", share="ab" * 16).status_code == 404


# Before the game


def test_people_join_by_a_short_code_however_they_type_it(server: Running) -> None:
    host, guest = Guest(server.url), Guest(server.url)
    table = host.open("lines")
    code = host.look(table)["code"]
    assert guest.post("/api/join", code=f" {code.lower()} ").json() == {"table": table}
    assert guest.post("/api/join", code="nonsense").status_code == 404


def listed_at(server: Running) -> list[str]:
    """Return the tables in the public list."""
    return [table["table"] for table in Guest(server.url).http.get("/api/tables").json()["tables"]]


def test_only_public_open_tables_are_listed(server: Running) -> None:
    host = Guest(server.url)
    public, private = host.open("lines", public=True), host.open("lines")
    host.sit(public, "Ann")
    host.sit(private, "Ann")
    # Nobody is there yet.
    assert public not in listed_at(server)
    with host.stream(public), host.stream(private):
        wait_until(lambda: public in listed_at(server))
        listed = {table["table"]: table for table in host.http.get("/api/tables").json()["tables"]}
    assert listed[public]["free"] == 1
    assert listed[public]["names"] == ["Ann"]
    assert private not in listed
    for locked in (True, False):
        host.do(public, "lock", locked=locked)
        assert (public in listed_at(server)) is not locked
    host.do(public, "place", seat=2, bot="easy")
    host.do(public, "start")
    assert public not in listed_at(server)


def test_a_player_sees_all_their_tables_and_first_those_that_wait_for_them(server: Running) -> None:
    ann, ben = Guest(server.url), Guest(server.url)
    waits, other = ann.open("lines", options={"first": 1}), ann.open("lines", options={"first": 2})
    lobby = ann.open("stockpile")
    for table in (waits, other):
        ann.sit(table, "Ann", 1)
        ben.sit(table, "Ben", 2)
        ann.do(table, "start")
    ann.sit(lobby, "Ann")

    def listed(guest: Guest) -> list[tuple[str, bool]]:
        tables = guest.http.get("/api/my-tables").json()["tables"]
        return [(one["table"], one["your_turn"]) for one in tables]

    assert listed(ann)[0] == (waits, True)
    assert sorted(listed(ann)[1:]) == sorted([(other, False), (lobby, False)])
    assert listed(ben) == [(other, True), (waits, False)]
    assert listed(Guest(server.url)) == []
    ben.do(lobby, "sit", name="Ben", share="ab" * 16)
    ben.do(lobby, "stand")
    assert lobby not in dict(listed(ben))


def test_the_host_places_bots_and_starts_and_nobody_else(server: Running) -> None:
    table, guests = seated(server.url, "stacks", 2)
    other = guests[1]
    for what, fields in (("start", {}), ("place", {"seat": 2, "bot": "hard"})):
        assert other.do(table, what, **fields).json()["code"] == "table.not_host"
    assert guests[0].do(table, "place", seat=2, bot="hard").json()["code"] == "table.seat_taken"
    other.do(table, "stand")
    assert guests[0].do(table, "start").json()["code"] == "table.seats_free"
    assert guests[0].do(table, "place", seat=2, bot="search@9999").status_code == 400
    assert guests[0].do(table, "place", seat=2, bot="easy").json()["state"]["seats"][1]["bot"] == "easy"
    assert guests[0].do(table, "start").json()["state"]["phase"] == "playing"


def test_a_host_who_stands_up_hands_on_the_table(server: Running) -> None:
    table, guests = seated(server.url, "lines", 3)
    guests[0].do(table, "stand")
    assert guests[1].look(table)["host"] == 2


def test_names_are_cleaned_and_nobody_has_the_name_of_another(server: Running) -> None:
    host, guest = Guest(server.url), Guest(server.url)
    table = host.open("lines")
    host.sit(table, "  Ann   Lee ")
    assert host.look(table)["seats"][0]["name"] == "Ann Lee"
    share = random_bytes("share", 32).hex()
    answer = guest.do(table, "sit", name="ann lee", share=share)
    assert answer.json()["code"] == "table.name_taken"
    assert guest.do(table, "sit", name="\u202eevil", share=share).json()["code"] == "table.name_letters"
    assert guest.do(table, "sit", name="x" * 25, share=share).json()["code"] == "table.name_length"
    guest.sit(table, "Ben")
    assert guest.do(table, "rename", name="Bea").json()["state"]["seats"][1]["name"] == "Bea"


# Undo, rematch and hand-over


@each_game
def test_a_move_is_taken_back_when_everyone_agrees(server: Running, game: str) -> None:
    table, guests = begun(server.url, game, 3)
    before = guests[0].look(table)
    mover = guests[before["to_move"] - 1]
    mine = mover.look(table)
    play_on(table, guests, random.Random(5), most=1)
    others = [guest for guest in guests if guest is not mover]
    asked = mover.do(table, "undo", base=mover.look(table)["seq"]).json()
    assert asked["state"]["undo"]["seat"] == before["to_move"]
    answer = {"agreed": True, "asked": asked["state"]["undo"]["asked"]}
    assert others[0].do(table, "undo/answer", **answer | {"asked": 1}).status_code == 422
    assert others[0].do(table, "undo/answer", **answer).json()["state"]["undo"]["waiting"]
    assert others[1].do(table, "undo/answer", **answer).json()["state"]["undo"] is None
    assert mover.look(table)["view"] == mine["view"]


def test_a_move_stays_when_someone_does_not_agree(server: Running) -> None:
    table, guests = begun(server.url, "stockpile")
    before = guests[0].look(table)
    mover, other = guests[before["to_move"] - 1], guests[2 - before["to_move"]]
    mine = mover.look(table)
    mover.do(table, "play", base=mine["seq"], move=mine["legal"][0])
    assert other.do(table, "undo", base=other.look(table)["seq"]).json()["code"] == "table.nothing_to_undo"
    view = mover.look(table)["view"]
    asked = mover.do(table, "undo", base=mover.look(table)["seq"]).json()["state"]["undo"]["asked"]
    other.do(table, "undo/answer", agreed=False, asked=asked)
    assert mover.look(table)["undo"] is None
    assert mover.look(table)["view"] == view


def test_after_the_end_the_same_people_play_again_at_their_seats(server: Running) -> None:
    table, guests = begun(server.url, "lines")
    assert guests[0].do(table, "rematch").json()["code"] == "table.is_playing"
    play_on(table, guests, random.Random(6))
    again = guests[1].do(table, "rematch").json()["state"]["rematch"]
    assert guests[0].look(table)["rematch"] == again
    assert guests[0].do(table, "rematch").json()["state"]["rematch"] == again
    stranger = Guest(server.url)
    share = random_bytes("share", 32).hex()
    assert stranger.do(again, "sit", name="Eve", share=share).json()["code"] == "table.full"
    assert guests[0].sit(again, "Guest 1")["you"] == 1
    assert guests[1].sit(again, "Guest 2")["you"] == 2
    assert guests[1].do(again, "start").json()["state"]["phase"] == "playing"
    assert guests[0].look(again)["commitment"] != guests[0].look(table)["commitment"]


def play_again(guest: Guest, table: str, **fields: Any) -> str:
    """Ask for a rematch, and be ready for it; return its table."""
    answer = guest.do(table, "rematch", share=random_bytes("share", 32).hex(), **fields)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["state"]["rematch"])


def test_one_command_of_each_player_deals_the_next_game(server: Running) -> None:
    table, guests = begun(server.url, "lines")
    over = play_on(table, guests, random.Random(6))
    again = play_again(guests[1], table)
    waiting = guests[0].look(again)
    assert waiting["phase"] == "open"
    assert [(seat["name"], seat["kept"]) for seat in waiting["seats"]] == [
        ("Guest 1", True),
        ("Guest 2", False),
    ]
    # Asked again, or twice, it is the same game.
    assert play_again(guests[1], table) == again
    assert play_again(guests[0], table) == again
    state = guests[0].look(again)
    assert (state["phase"], state["you"], state["game"], state["options"]) == (
        "playing",
        1,
        "lines",
        over["options"],
    )
    assert state["wins"] == over["wins"] == [int(seat in over["result"]["winners"]) for seat in (1, 2)]
    # It is a fair shuffle, with a share from both devices.
    last = play_on(again, guests, random.Random(7))
    assert len(guests[0].http.get(f"/api/tables/{again}/record").json()["fairness"]["shares"]) == 2
    assert sum(last["wins"]) >= 2


def test_one_person_and_bots_play_again_with_one_command(server: Running) -> None:
    guest = Guest(server.url)
    table = guest.open("stacks", 3, options={"turn_limit": 1}, seats=[{}, {"bot": "easy"}, {"bot": "random"}])
    guest.sit(table, "Ann", 1)
    guest.do(table, "start")
    before = play_on(table, [guest], random.Random(1))
    state = guest.look(play_again(guest, table))
    assert state["phase"] != "open"
    bots = [[(seat["name"], seat["bot"]) for seat in told["seats"]] for told in (before, state)]
    assert bots[0] == bots[1]


def test_the_same_people_play_another_game(server: Running) -> None:
    table, guests = begun(server.url, "lines", 3)
    play_on(table, guests, random.Random(6))
    again = play_again(guests[2], table, game="stockpile", options={"stock": 5})
    for guest in guests[:2]:
        play_again(guest, table)
    state = guests[0].look(again)
    assert (state["game"], state["options"]["stock"], state["phase"]) == ("stockpile", 5, "playing")
    assert guests[0].do(table, "rematch", game="chess").json()["type"] != "stale"


def test_a_stranger_has_no_part_in_another_game(server: Running) -> None:
    table, guests = begun(server.url, "lines")
    play_on(table, guests, random.Random(6))
    stranger, share = Guest(server.url), random_bytes("share", 32).hex()
    assert stranger.do(table, "rematch", share=share).json()["code"] == "table.not_seated"
    again = play_again(guests[0], table)
    for seat in (None, 2):
        assert stranger.do(again, "sit", name="Eve", share=share, seat=seat).status_code == 422
    assert stranger.do(again, "start").status_code == 422
    # The player who asked first cannot give the other's seat away, and cannot begin without them before some
    # time has passed.
    assert guests[0].do(again, "place", seat=2, bot="easy").json()["code"] == "table.seat_kept"
    assert guests[0].do(again, "start").json()["code"] == "table.seats_free"
    server.pass_time(20)
    state = guests[0].do(again, "start").json()["state"]
    assert (state["phase"], state["seats"][1]["away"]) == ("playing", True)
    assert not guests[1].do(again, "stay").json()["state"]["seats"][1]["away"]


def test_a_player_who_is_still_present_has_the_whole_time_again(server: Running) -> None:
    table, guests = begun(server.url, "lines", patience="bot")
    mover = guests[guests[0].look(table)["to_move"] - 1]
    server.pass_time(40)
    assert mover.do(table, "stay").json()["state"]["deadline"] == server.now + 60
    server.pass_time(59)
    assert not any(seat["away"] for seat in guests[0].look(table)["seats"])


def test_a_window_that_someone_holds_closes_when_they_have_answered(server: Running) -> None:
    table, guests, state = asked(server.url, window_seconds=1)
    seat = state["window"]["asked"][0]
    assert guests[seat - 1].do(table, "hold", base=state["seq"]).json()["state"]["window"]["held_by"] == [
        seat
    ]
    server.pass_time(2)
    assert guests[0].look(table)["window"] is not None
    assert guests[seat - 1].do(table, "react", base=state["seq"], move="allow").json()["type"] == "kept"
    wait_until(lambda: guests[0].look(table)["window"] is None)
    # The others may no longer hold it.
    assert guests[seat - 1].do(table, "hold", base=guests[0].look(table)["seq"]).status_code == 422


@each_game
def test_someone_plays_on_from_a_position_of_a_finished_game(server: Running, game: str) -> None:
    table, guests = begun(server.url, game, 3, options=SHORT[game])
    assert guests[0].post("/api/branch", id="b", table=table, moves=1, seat=1, name="Ann").status_code == 400
    play_on(table, guests, random.Random(7))
    record = guests[0].http.get(f"/api/tables/{table}/record").json()
    moves = sum("move" in entry for entry in record["log"])
    for number, source in enumerate(({"table": table}, {"record": record})):
        asked = {"id": f"b{number}", "moves": moves // 2, "seat": 2, "name": "Ann", "bot": "easy"}
        answer = guests[0].post("/api/branch", **asked, **source, pace=0, window_seconds=0)
        assert answer.status_code == 201, answer.text
        again = answer.json()["table"]
        state = play_on(again, [guests[1], guests[0], guests[2]], random.Random(8))
        assert state["phase"] == "over"
        other = guests[0].http.get(f"/api/tables/{again}/record").json()
        assert other["log"][: moves // 2] == record["log"][: moves // 2]
        assert replay(other).result == state["result"]


def test_only_a_record_may_be_long(server: Running) -> None:
    guest, long = Guest(server.url), {"words": "x" * 100_000}
    assert guest.post("/api/branch", id="b", record=long, moves=0, seat=1, name="Ann").status_code == 400
    assert guest.post("/api/tables", id="b", game="lines", options=long).status_code == 413


def test_a_seat_moves_to_another_device_once(server: Running) -> None:
    table, guests = begun(server.url, "lines")
    code = guests[0].do(table, "hand-over").json()["code"]
    phone, thief = Guest(server.url), Guest(server.url)
    assert thief.do(table, "hand-over").status_code == 403
    assert phone.post("/api/take-seat", code=code.lower()).json() == {"table": table}
    assert thief.post("/api/take-seat", code=code).status_code == 404
    assert phone.look(table)["you"] == 1
    assert guests[0].look(table)["you"] is None
    assert phone.look(table)["view"]["hand"]


def test_a_code_of_someone_who_has_stood_up_takes_nobodys_seat(server: Running) -> None:
    table, guests = seated(server.url, "lines")
    code = guests[1].do(table, "hand-over").json()["code"]
    guests[1].do(table, "stand")
    other, phone = Guest(server.url), Guest(server.url)
    other.sit(table, "Someone else", 2)
    assert phone.post("/api/take-seat", code=code).json()["code"] == "table.handed_over"
    assert other.look(table)["you"] == 2


def test_a_bot_plays_for_a_player_who_left_and_can_take_the_seat_back(server: Running) -> None:
    table, guests = begun(server.url, "stockpile", patience="bot", patience_seconds=3600)
    mover = guests[guests[0].look(table)["to_move"] - 1]
    with mover.stream(table) as events:
        mover.do(table, "leave")
        for told in events:
            if told.kind == "message" and told.data["kind"] == "moved":
                break
    assert told.data["by"] == "bot"
    state = mover.do(table, "come").json()["state"]
    assert state["seats"][state["you"] - 1]["away"] is False
    assert state["seats"][state["you"] - 1]["bot"] is None


@each_game
def test_a_bot_gives_a_hint_to_the_player_to_move(server: Running, game: str) -> None:
    table, guests = begun(server.url, game)
    state = guests[0].look(table)
    mover, other = guests[state["to_move"] - 1], guests[2 - state["to_move"]]
    hint = mover.do(table, "hint").json()
    assert hint["move"] in mover.look(table)["legal"]
    assert Message(hint["why"][0], hint["why"][1]).text()
    assert other.do(table, "hint").json()["code"] == "table.not_your_turn"
    assert Guest(server.url).do(table, "hint").json()["code"] == "table.not_seated"


@each_game
def test_a_device_can_think_for_the_seat_that_is_to_move_and_learns_no_more_than_its_view(
    server: Running, game: str
) -> None:
    table, guests = begun(server.url, game)
    state = guests[0].look(table)
    mover, other = guests[state["to_move"] - 1], guests[2 - state["to_move"]]
    told = mover.do(table, "to-think").json()
    rules = find_game(game)
    seen = rules.View()
    read_numbers(seen, iter(told["view"]))
    assert rules.show(seen) == mover.look(table)["view"]
    assert [rules.write_move(seen, move) for move in told["moves"]] == mover.look(table)["legal"]
    assert other.do(table, "to-think").json()["code"] == "table.not_your_turn"
    assert Guest(server.url).do(table, "to-think").json()["code"] == "table.not_seated"


def read_numbers(filled: Struct, numbers: Iterator[int]) -> None:
    """Fill a struct with numbers, as the rules in JavaScript have it in memory."""
    for name, field in struct.fields(type(filled)).items():
        if field.struct is None:
            taken = list(itertools.islice(numbers, field.length or 1))
            setattr(filled, name, taken if field.length else taken[0])
        else:
            value = getattr(filled, name)
            for item in value if field.length else [value]:
                read_numbers(item, numbers)


# Secrecy


@each_game
def test_nobody_is_told_the_cards_of_others(server: Running, game: str) -> None:
    table, guests = begun(server.url, game, 3)
    watcher = Guest(server.url)
    play_on(table, guests, random.Random(8), most=SOME_MOVES)
    views = [guest.look(table) for guest in (watcher, *guests)]
    assert [view["you"] for view in views] == [None, 1, 2, 3]
    if game != "stockpile":
        hands = [view["view"]["hand"] for view in views]
        assert hands[0] == []
        assert len({json.dumps(hand) for hand in hands}) == 4
    for guest in (watcher, *guests):
        seen = guest.look(table)["you"]
        for told in guest.news(table):
            for news in told.get("news", []):
                if news["kind"] == "drew":
                    assert (news["card"] is None) == (news["seat"] != seen)


def test_an_answer_in_a_window_is_told_to_nobody_else(server: Running) -> None:
    table, guests, state = asked(server.url, window_seconds=60)
    answering = guests[state["window"]["asked"][0] - 1]
    others = [guest for guest in guests if guest is not answering]
    before = [guest.look(table) for guest in others]
    with answering.stream(table) as events:
        answer = answering.do(table, "react", base=state["seq"], move="allow")
        assert answer.json() == {"type": "kept", "seq": state["seq"], "move": "allow"}
        assert next(told for told in events if told.kind == "note").data["answered"] == "allow"
        seat = answering.look(table)["you"]
        before = [view | {"present": sorted({*view["present"], seat})} for view in before]
        assert [guest.look(table) for guest in others] == before
    assert answering.look(table)["window"]["answered"] == "allow"
    refused = others[0].do(table, "play", base=state["seq"], move="r1 R1").json()
    assert refused["code"] == "table.window_open"


def test_an_answer_sent_again_is_answered_alike_whatever_happened_meanwhile(server: Running) -> None:
    table, guests, state = asked(server.url, window_seconds=60)
    answering = guests[state["window"]["asked"][0] - 1]
    command = {"id": "answer", "base": state["seq"], "move": "allow"}
    first = answering.do(table, "react", **command).json()
    guests[0].do(table, "say", phrase="hello")
    assert answering.do(table, "react", **command).json() == first == {**first, "type": "kept"}
    server.close_window(table)
    assert answering.do(table, "react", **command).json() == first
    assert answering.do(table, "react", **command | {"id": "another"}).json()["type"] == "stale"


# Leaving and coming back


def test_everything_is_there_again_after_a_restart(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        table, guests = begun(server.url, "stacks", 3, options=SHORT["stacks"])
        play_on(table, guests, random.Random(10), most=SOME_MOVES)
        before = [guest.look(table) for guest in guests]
        news = guests[0].news(table)
    with running(tmp_path) as server:
        again = [Guest(server.url, guest.token) for guest in guests]
        assert [guest.look(table) for guest in again] == before
        assert again[0].news(table) == news
        assert play_on(table, again, random.Random(11))["phase"] == "over"


def test_streams_are_told_when_the_server_stops(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        table, guests = begun(server.url, "lines")
        with guests[0].stream(table) as events:
            assert next(events).kind == "state"
            assert server.loop is not None
            server.loop.call_soon_threadsafe(server.tables.begin_shutdown)
            assert [told.kind for told in events] == ["bye"]
        answer = guests[0].do(table, "say", phrase="hello")
        assert (answer.status_code, answer.json()["type"]) == (503, "stopping")


def test_everyone_is_told_before_the_connections_are_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Uvicorn may notice that it should stop before the application does."""
    app = make_app(Settings.of({"database": f"sqlite:///{tmp_path}/tables.db", "secret": "x" * 40}, {}))
    config = uvicorn.Config(app, http=PatientProtocol, ws="none", log_config=None, timeout_keep_alive=NEVER)
    server = serve._Uvicorn(config, app, lambda: None)
    monkeypatch.setattr(server, "capture_signals", contextlib.nullcontext)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            table, guests = begun(f"http://127.0.0.1:{listening.getsockname()[1]}", "lines")
            with guests[0].stream(table) as events:
                assert next(events).kind == "state"
                server.should_exit = True
                assert [told.kind for told in events] == ["bye"]
        finally:
            server.should_exit = True
            thread.join()


def test_nobody_sends_another_request_by_the_connection_of_a_stream(server: Running) -> None:
    table, guests = begun(server.url, "lines")
    with guests[0].http.stream("GET", f"/api/tables/{table}/events") as stream:
        assert stream.headers["connection"] == "close"


def test_a_player_who_watches_a_table_is_present(server: Running) -> None:
    table, guests = begun(server.url, "lines")
    with guests[0].stream(table) as events:
        assert next(told for told in events if told.kind == "state").data["present"] == [1]
        with guests[1].stream(table):
            assert next(told for told in events if told.kind == "presence").data == {
                "seat": 2,
                "present": True,
            }
        assert next(told for told in events if told.kind == "presence").data == {"seat": 2, "present": False}


def test_a_player_who_stands_up_is_no_longer_present_at_the_seat(server: Running) -> None:
    """In none of their tabs, and the others learn of it right away."""
    table, (_, other) = seated(server.url, "lines")
    with other.stream(table) as one, other.stream(table) as two:
        states = [next(told for told in tab if told.kind == "state") for tab in (one, two)]
        assert [state.data["present"] for state in states] == [[2], [2]]
        assert other.do(table, "leave").json()["state"]["present"] == []
        states = [next(told for told in tab if told.kind == "state") for tab in (one, two)]
        assert [state.data["present"] for state in states] == [[], []]
