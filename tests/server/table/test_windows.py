"""Windows: anyone who is asked can have time, and the timing reveals nothing about a hand."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.server.table.test_secrecy import all_told, twin_of
from tests.server.tables import Tried
from upcard.bots import Greedy
from upcard.core.errors import Refused
from upcard.server.http.schemas.requests import WINDOW_SECONDS
from upcard.server.table import commands
from upcard.server.table import entries as log
from upcard.server.table.bot_times import BOT_MARGIN, budget_of
from upcard.server.table.bot_turns import turn_for
from upcard.server.table.entries import Entry
from upcard.server.table.parts import Window
from upcard.server.table.projection import project_state
from upcard.server.table.state import MAX_HOLD, TableState


def at_window(players: int = 3, seed: int = 1, before: list[Entry] | None = None, **setup: Any) -> Tried:
    """Play until others are asked whether they block."""
    chosen = {"block": "anytime"}
    table = Tried("stacks", players, chosen, window_seconds=2.0, **setup).start()
    table.write(before or [])
    dice = random.Random(seed)
    while table.state.window is None:
        table.step(dice)
    return table


def window_of(table: Tried) -> Window:
    assert table.state.window is not None
    return table.state.window


def asked(table: Tried) -> list[int]:
    assert table.state.match is not None
    return list(table.state.match.asked)


def close(table: Tried, answers: dict[int, str], now: float) -> list[Entry]:
    return commands.close_window(table.state, window_of(table).opened, answers, now)


def hold(table: Tried, seat: int) -> None:
    table.write(commands.hold(table.state, f"p{seat}", table.state.seq))


def test_a_window_is_short_and_closes_whatever_was_answered() -> None:
    table = at_window()
    window = window_of(table)
    assert window.closes == table.now + 2.0
    everyone = dict.fromkeys(asked(table), "allow")
    assert close(table, everyone, table.now + 1.9) == []
    assert close(table, everyone, table.now + 2.0) == [log.Closed(everyone)]


def test_a_window_is_never_shorter_than_the_thinking_of_a_bot_that_is_asked() -> None:
    thinking: list[Entry] = [log.SatIn(seat, "expert") for seat in (1, 2, 3)]
    window = window_of(table := at_window(before=thinking))
    assert window.closes == table.now + (budget_of("expert").seconds or 0.0) + BOT_MARGIN > table.now + 2.0


def test_a_window_counts_from_now_where_the_log_is_ahead_of_the_clock() -> None:
    table = at_window()
    table.state.rebase(table.now - 300.0)
    assert window_of(table).closes == window_of(table).earliest == table.now - 298.0


def test_a_window_that_is_opened_again_is_not_shorter_than_the_thinking_of_a_bot() -> None:
    table = at_window(before=[log.SatIn(seat, "expert") for seat in (1, 2, 3)])
    seconds = window_of(table).closes - table.now
    table.now += 3600.0
    table.write(close(table, {}, table.now))
    assert window_of(table).closes == window_of(table).earliest == table.now + seconds


def test_only_players_who_are_asked_can_make_everyone_wait() -> None:
    table = at_window()
    for seat in (1, 2, 3):
        if seat in asked(table):
            assert commands.hold(table.state, f"p{seat}", table.state.seq) == [log.Held(seat)]
        else:
            with pytest.raises(Refused):
                commands.hold(table.state, f"p{seat}", table.state.seq)
    with pytest.raises(Refused):
        commands.hold(table.state, "stranger", table.state.seq)


def test_a_window_that_is_held_stays_open_for_15_seconds_or_until_its_holders_have_answered() -> None:
    table = at_window(players=4)
    first, second, *_ = asked(table)
    table.now += 1.0
    hold(table, first)
    window = window_of(table)
    assert (window.closes, window.held_by) == (table.now + 15.0, frozenset({first}))
    assert project_state(table.state, None)["window"]["held_by"] == [first]
    # The answers of others do not change anything.
    assert close(table, {second: "allow"}, table.now + 14.9) == []
    # Everyone has the first seconds, even if the holder is quick.
    assert close(table, {first: "allow"}, table.now + 0.9) == []
    assert close(table, {first: "allow"}, table.now + 1.0) == [log.Closed({first: "allow"})]
    # The window also waits for a second holder; holding twice gains nothing.
    hold(table, second)
    assert commands.hold(table.state, f"p{first}", table.state.seq) == []
    assert close(table, {first: "allow"}, table.now + 14.9) == []
    assert close(table, {first: "allow", second: "block"}, table.now + 3.0) != []
    assert close(table, {}, table.now + 15.0) == [log.Closed({})]


def test_a_player_who_always_wants_time_has_it_and_so_has_a_whole_table() -> None:
    table = at_window(before=[log.TimeGiven(seat, True) for seat in (1, 2)])
    slow = [seat for seat in asked(table) if seat in (1, 2)]
    assert window_of(table).held_by == frozenset(slow)
    assert window_of(table).closes == table.now + MAX_HOLD
    assert close(table, {}, table.now + 60.0) == []
    assert close(table, dict.fromkeys(slow, "allow"), table.now + 2.0) != []
    assert window_of(at_window(unhurried=True)).held_by == frozenset(asked(at_window(unhurried=True)))


def test_a_bot_that_plays_for_someone_needs_no_time() -> None:
    away: list[Entry] = []
    for seat in (1, 2, 3):
        away += [log.TimeGiven(seat, True), log.SatIn(seat, "easy")]
    table = at_window(before=away)
    # The player who moves is back; the others are not.
    gone = [seat for seat in asked(table) if table.state.seats[seat - 1].player is not None]
    assert gone
    assert not window_of(table).held_by & set(gone)


def test_time_is_given_once_and_can_be_given_back() -> None:
    table = Tried("stacks").start()
    table.write(commands.give_time(table.state, "p1", True))
    assert project_state(table.state, None)["seats"][0]["unhurried"]
    assert commands.give_time(table.state, "p1", True) == []
    table.write(commands.give_time(table.state, "p1", False))
    assert not project_state(table.state, None)["seats"][0]["unhurried"]


def test_a_window_in_which_the_server_was_not_running_is_open_again() -> None:
    table = at_window()
    closes = window_of(table).closes
    table.now = closes + 60.0
    table.write(close(table, {}, table.now))
    assert window_of(table).closes == table.now + 2.0
    assert project_state(table.again(), 1) == project_state(table.state, 1)
    held = at_window()
    hold(held, asked(held)[0])
    held.now = window_of(held).closes + 3600.0
    held.write(close(held, {}, held.now))
    assert window_of(held).closes == held.now + 15.0
    # A server that is merely busy closes the window.
    assert close(held, {}, window_of(held).closes + 1.0) == [log.Closed({})]


def moments(state: TableState, viewer: int | None) -> list[Any]:
    """Return everything about time that could reveal something to a viewer: when the window closes, who else
    holds it or has answered, and who may hold it."""
    window, match = state.window, state.match
    assert window is not None
    assert match is not None
    others = [seat for seat in match.asked if seat != viewer]
    told: list[Any] = [window, match.asked]
    for seat in others:
        held = commands.hold(state, f"p{seat}", state.seq)
        told += [held, commands.close_window(state, window.opened, {seat: "allow"}, window.closes - 0.1)]
    return told


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("held", [False, True])
def test_nobody_learns_from_timing_who_holds_a_block_K5_4(players: int, held: bool) -> None:
    """Whatever the others hold, the times and bytes are the same, and the same seats may make everyone
    wait."""
    for seed in range(3):
        table = at_window(players, seed)
        if held:
            hold(table, asked(table)[-1])
        for viewer in (None, *range(1, players + 1)):
            here = all_told(table.state, viewer), moments(table.state, viewer)
            for number in range(10):
                twin = twin_of(table, viewer, f"{seed} {viewer} {number}".encode())
                assert (all_told(twin, viewer), moments(twin, viewer)) == here


PERSON_SECONDS = 4.0
MAX_SHARE = 0.15


def share_in_windows(seed: int, players: int, holds: float) -> float:
    """Play a game of Stacks in simulated time: people think for 4 seconds, bots for their default time, and a
    player who is asked makes everyone wait now and then. Return the share of time in windows."""
    bots = dict.fromkeys(range(2, players + 1), "easy")
    secret = f"{seed:064x}"
    table = Tried(
        "stacks", players, bots=bots, window_seconds=WINDOW_SECONDS, patience="none", secret=secret
    ).start()
    dice = random.Random(seed)
    begin, in_windows = table.now, 0.0
    while table.state.phase == "playing":
        if table.state.window is not None:
            since = table.now
            if 1 in asked(table) and dice.random() < holds:
                table.now += 1.5
                hold(table, 1)
                table.now += 4.0
                table.write(close(table, {1: "allow"}, table.now))
            else:
                table.now = window_of(table).closes
                table.write(close(table, {}, table.now))
            in_windows += table.now - since
            continue
        seat, state = table.state.to_move, table.state
        assert seat is not None
        assert state.match is not None
        table.now = table.now + PERSON_SECONDS if seat == 1 else state.bot_moves_at or table.now
        move = Greedy().choose(turn_for(state, seat, "greedy"))
        text = state.match.game.write_move(state.match.table, move)
        table.write([log.Moved(seat, text, "person" if seat == 1 else "bot")])
    return in_windows / (table.now - begin)


@pytest.mark.parametrize("players", [2, 4])
def test_windows_take_little_of_a_game_of_stacks(players: int) -> None:
    shares = [share_in_windows(seed, players, holds=0.1) for seed in range(6)]
    assert sum(shares) / len(shares) <= MAX_SHARE, shares
