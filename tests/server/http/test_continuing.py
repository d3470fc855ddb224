"""A game that was begun on a person's own device continues at a shared table."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tests.server.guests import Guest, Running, play_on, running
from tests.server.tables import SHORT, each_game
from upcard.games import find
from upcard.match import Match, new_seed, replay


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("server")
    with running(folder) as server:
        yield server


def on_a_device(game: str, moves: int = 4) -> Match:
    """Return a game of three that has begun on a device, where everyone is asked who might have a choice."""
    match = Match(find(game), {"players": 3, **SHORT[game]}, new_seed(), apart=True)
    dice = random.Random(5)
    while len(match.log_of_moves) < moves or match.asked:
        match.make_legal(dice.choice(match.game.legal_moves(match.table)))
    return match


def invitation(match: Match, seat: int = 2) -> dict[str, Any]:
    """Return what a device sends to continue there."""
    assert match.seed is not None
    moves = [(moved.seat + 1, moved.text) for moved in match.log_of_moves]
    continues = {"seed": match.seed.hex(), "seat": seat, "moves": moves}
    return {"options": match.options, "continues": continues}


def open_for_others(server: Running, match: Match) -> tuple[str, list[Guest]]:
    """Let the player of seat 2 open a table, and let two others sit down."""
    guests = [Guest(server.url) for _ in range(3)]
    table = guests[1].open(match.game.id, 3, **invitation(match))
    for seat in (2, 1, 3):
        guests[seat - 1].sit(table, f"Guest {seat}", seat)
    return table, guests


@each_game
def test_a_game_of_a_device_continues_and_only_its_player_knows_what_was_known(
    server: Running, game: str
) -> None:
    match = on_a_device(game)
    table, guests = open_for_others(server, match)
    assert guests[0].look(table)["continues"] == 2
    assert guests[1].do(table, "start").status_code == 200
    assert guests[1].look(table)["view"] == match.show(2)
    # The record of a running game has nothing by which the hidden cards of the beginning could be found.
    assert "continues" not in guests[0].http.get(f"/api/tables/{table}/record").json()
    seed = match.seed
    assert seed is not None
    for guest in guests:
        assert seed.hex() not in guest.http.get(f"/api/tables/{table}").text
        assert seed.hex() not in str(guest.news(table))
    state = play_on(table, guests, random.Random(7))
    assert state["phase"] == "over"
    record = guests[0].http.get(f"/api/tables/{table}/record").json()
    assert record["continues"] == match_fields(match)
    checked = replay(record)
    assert checked.result == state["result"]
    assert checked.fairness is not None
    assert checked.fairness.shared
    # It can be continued once more, and played again from a new deal.
    asked = {"id": "b", "moves": 0, "seat": 1, "name": "Ann", "record": record}
    branch = guests[0].post("/api/branch", **asked)
    assert branch.status_code == 201, branch.text
    assert guests[0].look(branch.json()["table"])["view"] == replayed_to_the_beginning(checked, 1)
    again = guests[0].do(table, "rematch").json()["state"]["rematch"]
    assert guests[0].look(again)["continues"] is None


def match_fields(match: Match) -> dict[str, Any]:
    sent = invitation(match)["continues"]
    return {
        "seed": sent["seed"],
        "seat": sent["seat"],
        "log": [{"seat": seat, "move": move} for seat, move in sent["moves"]],
    }


def replayed_to_the_beginning(match: Match, seat: int) -> Any:
    match.undo(len(match.log_of_moves))
    return match.show(seat)


def test_the_player_who_knows_a_seat_sits_there_and_nobody_else_does(server: Running) -> None:
    match = on_a_device("stacks")
    opener, other = Guest(server.url), Guest(server.url)
    table = opener.open("stacks", 3, **invitation(match))
    share = "ab" * 32
    refused = other.do(table, "sit", name="Ben", share=share, seat=2)
    assert (refused.status_code, refused.json()["code"]) == (422, "table.seat_kept")
    refused = opener.do(table, "sit", name="Ann", share=share, seat=1)
    assert (refused.status_code, refused.json()["code"]) == (422, "table.seat_continues")
    assert opener.sit(table, "Ann")["you"] == 2
    # After standing up too, when the seat is free.
    assert other.sit(table, "Ben")["you"] == 1
    assert opener.do(table, "stand").status_code == 200
    refused = other.do(table, "sit", name="Ben", share=share, seat=2)
    assert (refused.status_code, refused.json()["code"]) == (422, "table.seat_kept")
    refused = opener.do(table, "sit", name="Ann", share=share, seat=3)
    assert (refused.status_code, refused.json()["code"]) == (422, "table.seat_continues")
    assert opener.sit(table, "Ann", 2)["you"] == 2


def test_a_game_that_cannot_continue_opens_no_table(server: Running) -> None:
    match = on_a_device("stacks")
    guest = Guest(server.url)
    sent = invitation(match)
    moves = sent["continues"]["moves"]
    wrong: list[dict[str, Any]] = [
        {"continues": sent["continues"] | {"moves": [*moves, (1, "block")]}},
        {"continues": sent["continues"] | {"moves": [*moves, (4, "?")]}},
        {"continues": sent["continues"] | {"seat": 4}},
        {"continues": sent["continues"] | {"seed": "00"}},
        {"seats": [{}, {"bot": "easy"}]},
        {"options": {"players": 3}},
    ]
    for change in wrong:
        answer = guest.post("/api/tables", id=guest.id(), game="stacks", **(sent | change))
        assert answer.status_code == 400, (change, answer.text)
    over = Match(find("stockpile"), {"stock": 1}, new_seed())
    while not over.over:
        over.play(over.legal[0])
    answer = guest.post("/api/tables", id=guest.id(), game="stockpile", **invitation(over))
    assert answer.status_code == 400
    assert "over" in answer.json()["detail"]
