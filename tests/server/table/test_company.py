"""People at a table: rematches, presence, the host, and their faces and colours."""

from __future__ import annotations

import random

import pytest

from tests.server.tables import SHARE, Tried, any_game
from upcard.core.errors import OptionError, Refused
from upcard.server.table import commands
from upcard.server.table import entries as log
from upcard.server.table.projection import project_state, wins_of
from upcard.server.table.state import STAND_IN


def rematch() -> Tried:
    """Return a table that waits for the players of the previous game: two people and a bot."""
    table = Tried(
        "lines",
        3,
        bots={3: "easy"},
        rematch_of="before",
        starts_when_full=True,
        wins=[2, 0, 1],
    )
    table.state.seats[0].kept_for, table.state.seats[0].name = "p1", "Ann"
    table.state.seats[1].kept_for, table.state.seats[1].name = "p2", "Ben"
    return table


def sit(table: Tried, person: str, seat: int, name: str) -> None:
    table.write(commands.sit(table.state, person, seat, name, SHARE))


def test_the_cards_of_a_rematch_are_dealt_as_soon_as_nobody_is_missing() -> None:
    table = rematch()
    sit(table, "p2", 2, "Ben")
    assert project_state(table.state, None)["phase"] == "open"
    sit(table, "p1", 1, "Ann")
    shown = project_state(table.state, None)
    assert (shown["phase"], shown["wins"]) == ("playing", [2, 0, 1])


def test_nobody_can_take_the_seat_of_someone_who_is_missing_in_a_rematch() -> None:
    table = rematch()
    sit(table, "p1", 1, "Ann")
    with pytest.raises(Refused):
        commands.sit(table.state, "stranger", 2, "Eve", SHARE)
    with pytest.raises(Refused):
        commands.sit(table.state, "stranger", None, "Eve", SHARE)
    # Not even the player who asked for it, with a bot.
    for bot in ("easy", None):
        with pytest.raises(Refused):
            commands.place(table.state, table.state.host, 2, bot)
    with pytest.raises(Refused):
        commands.start(table.state, "stranger", table.now + 3600)


def test_a_ready_player_starts_without_the_others_after_some_time_and_they_can_come_back() -> None:
    table = rematch()
    sit(table, "p2", 2, "Ben")
    with pytest.raises(Refused):
        commands.start(table.state, "p2", table.now + commands.READY_SECONDS - 0.1)
    table.write(commands.start(table.state, "p2", table.now + commands.READY_SECONDS))
    seat = table.state.seats[0]
    assert (seat.person, seat.name, seat.stand_in) == ("p1", "Ann", STAND_IN)
    table.write(commands.come_back(table.state, "p1"))
    assert table.state.seats[0].player is None


def test_the_game_that_is_over_counts_among_those_that_were_won() -> None:
    table = Tried("lines", wins=[3, 1]).start()
    assert wins_of(table.state) == [3, 1]
    dice = random.Random(1)
    while table.state.phase == "playing":
        table.step(dice)
    result = project_state(table.state, None)["result"]
    assert wins_of(table.state) == [3 + (1 in result["winners"]), 1 + (2 in result["winners"])]


# Presence


@any_game
def test_the_table_waits_again_for_a_player_who_is_still_thinking(game: str) -> None:
    table = Tried(game, patience="bot", patience_seconds=60.0).start()
    seat, state = table.state.to_move, table.state
    assert seat is not None
    ends = table.now + 60.0
    assert state.patience_ends == ends
    # Nothing is written before half of the time has passed, however often a screen is touched.
    assert commands.stay(state, f"p{seat}", table.now + 29.0) == []
    table.now += 59.0
    table.write(commands.stay(state, f"p{seat}", table.now))
    assert state.patience_ends == table.now + 60.0
    assert commands.end_patience(state, ends + 1.0) == []
    assert commands.end_patience(state, table.now + 60.0) == [log.SatIn(seat, STAND_IN)]
    # Others cannot say that a player is present.
    assert commands.stay(state, f"p{3 - seat}", table.now + 50.0) == []


def test_a_player_who_is_present_again_has_the_seat_back() -> None:
    table = Tried("lines", patience="bot").start()
    seat = table.state.to_move
    assert seat is not None
    table.write([log.SatIn(seat, STAND_IN)])
    table.write(commands.stay(table.state, f"p{seat}", table.now))
    assert table.state.seats[seat - 1].player is None


def test_a_table_waits_unless_it_was_set_up_otherwise() -> None:
    table = Tried("lines").start()
    assert table.state.patience_ends is None
    assert commands.stay(table.state, f"p{table.state.to_move}", table.now + 3600.0) == []


def test_someone_takes_care_of_a_table_whose_host_is_not_there() -> None:
    table = Tried("lines").sit_down()
    with pytest.raises(Refused):
        commands.take_host(table.state, "p2", [1, 2])
    with pytest.raises(Refused):
        commands.take_host(table.state, "stranger", [])
    table.write(commands.take_host(table.state, "p2", [2]))
    assert table.state.host == "p2"
    assert commands.take_host(table.state, "p2", [1, 2]) == []


def test_the_host_removes_a_person_who_then_cannot_sit_down_again() -> None:
    table = Tried("lines", 3).sit_down()
    for person, seat in (("p2", 3), ("p1", 1), ("stranger", 2)):
        with pytest.raises(Refused):
            commands.remove(table.state, person, seat)
    table.write(commands.remove(table.state, "p1", 2))
    assert table.state.seats[1].is_free
    for seat_wanted in (2, None):
        with pytest.raises(Refused) as refused:
            commands.sit(table.state, "p2", seat_wanted, "Eve", SHARE)
        assert refused.value.refusal.code == "table.removed"
    sit(table, "p4", 2, "Dan")
    table.write(commands.start(table.state, "p1", table.now))
    with pytest.raises(Refused):
        commands.remove(table.state, "p1", 2)


def test_at_a_locked_table_only_those_who_sit_there_may_sit_elsewhere() -> None:
    table = Tried("lines", 3)
    sit(table, "p2", 2, "Ben")
    with pytest.raises(Refused):
        commands.lock(table.state, "p2", True)
    table.write(commands.lock(table.state, "p1", True))
    assert commands.lock(table.state, "p1", True) == []
    assert project_state(table.state, None)["locked"]
    with pytest.raises(Refused) as refused:
        commands.sit(table.state, "p3", 3, "Eve", SHARE)
    assert refused.value.refusal.code == "table.is_locked"
    sit(table, "p2", 3, "Ben")
    sit(table, "p1", 1, "Ann")
    table.write(commands.lock(table.state, "p1", False))
    sit(table, "p3", 2, "Cleo")


def test_a_rematch_cannot_be_captured_by_removing_people_or_locking_them_out() -> None:
    table = rematch()
    sit(table, "p1", 1, "Ann")
    table.write(commands.lock(table.state, table.state.host, True))
    assert table.state.host == "p1"
    with pytest.raises(Refused):
        commands.remove(table.state, "p1", 2)
    sit(table, "p2", 2, "Ben")
    assert table.state.phase == "playing"


def test_a_host_who_is_absent_is_replaced_by_someone_who_is_present() -> None:
    table = Tried("lines", 3).sit_down()
    assert commands.pass_host(table.state, "p1", []) == []
    assert commands.pass_host(table.state, "p2", [2, 3]) == []  # in the meantime, someone else is the host
    table.write(commands.pass_host(table.state, "p1", [3, 2]))
    assert table.state.host == "p2"


# The pace of bots


def test_bots_play_as_quickly_as_people_like_and_hurry_until_a_person_is_to_move() -> None:
    table = Tried("lines", 4, {"first": 2}, bots={2: "random", 3: "random", 4: "random"}, pace=1.5).start()
    state = table.state
    assert state.bot_moves_at == table.now + 1.5
    table.write(commands.set_pace(state, "p1", 0.5))
    assert commands.set_pace(state, "p1", 0.5) == []
    assert state.bot_moves_at == table.now + 0.5
    table.write(commands.hurry(state, "p1"))
    assert commands.hurry(state, "p1") == []
    for _ in range(3):
        assert state.bot_moves_at == pytest.approx(table.now + 0.1)
        assert state.match is not None
        text = state.match.game.write_move(state.match.table, state.legal[0])
        table.write([log.Moved(state.to_move or 0, text, "bot")])
    # It is the person's turn, and after it bots are as slow as before.
    assert (state.to_move, state.hurried) == (1, False)
    assert commands.hurry(state, "p1") == []
    with pytest.raises(Refused):
        commands.hurry(state, "stranger")


# Faces and colours


def test_everyone_has_a_face_if_they_like_and_a_colour_of_their_own() -> None:
    table = Tried("lines", 3)
    table.write(commands.sit(table.state, "p1", 1, "Ann", SHARE, "fox", 4))
    table.write(commands.sit(table.state, "p2", 2, "Ben", SHARE, "fox", 4))
    table.write(commands.sit(table.state, "p3", 3, "Cleo", SHARE))
    shown = [(seat["face"], seat["tint"]) for seat in project_state(table.state, None)["seats"]]
    assert shown[0] == ("fox", 4)
    assert shown[1][0] == "fox"
    # Without a choice, a seat has the colour of its number.
    colours = [tint or number for number, (_, tint) in enumerate(shown, 1)]
    assert len(set(colours)) == 3
    with pytest.raises(OptionError):
        commands.rename(table.state, "p1", "Ann", "dragon")
    table.write(commands.rename(table.state, "p1", "Anna", "owl", 7))
    assert [project_state(table.state, 2)["seats"][0][key] for key in ("name", "face", "tint")] == [
        "Anna",
        "owl",
        7,
    ]
    # Changing only the name keeps the rest.
    table.write(commands.rename(table.state, "p1", "Ann"))
    assert project_state(table.state, 2)["seats"][0]["face"] == "owl"
