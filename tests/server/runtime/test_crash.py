"""A killed server loses nothing that it has acknowledged, and does nothing twice."""

from __future__ import annotations

import itertools
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.server.guests import SOME_MOVES
from tests.server.soak_processes import (
    Device,
    Follower,
    Players,
    Serving,
    asked_at,
    begun_at,
    moves_of,
    playing,
    wait_for_moves,
)
from tests.waiting import wait_until
from upcard.games import GAMES


def kill_often(folder: Path, kills: int, moves_between: int, tables: int) -> tuple[int, int]:
    """Kill a server again and again while people play; return how many moves were acknowledged, and how often
    a request was repeated."""
    moves = retries = 0
    with Serving(folder) as server:
        for number in range(0, kills, 3):
            games = itertools.islice(itertools.cycle(GAMES), tables)
            playing_here = [Players([server], game, seed) for seed, game in enumerate(games, number)]
            with playing(playing_here):
                for kill in range(min(3, kills - number)):
                    wait_for_moves(playing_here, (kill + 1) * moves_between)
                    server.kill()
                    server.start()
            for players in playing_here:
                players.check()
            moves += moves_of(playing_here)
            retries += sum(players.retries for players in playing_here)
    with closing(sqlite3.connect(folder / "tables.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    return moves, retries


def test_nothing_that_was_acknowledged_is_lost_or_doubled_by_kill_9(tmp_path: Path) -> None:
    with Serving(tmp_path) as server:
        tables = [Players([server], game, seed) for seed, game in enumerate(GAMES)]
        for players in tables:
            players.play(SOME_MOVES - 2)
        server.kill()
        server.start()
        for players in tables:
            players.repeat()
            players.play(2)
            players.check()


@pytest.mark.soak
def test_nothing_is_lost_or_doubled_by_a_hundred_kill_9(tmp_path: Path) -> None:
    moves, retries = kill_often(tmp_path, kills=100, moves_between=100, tables=12)
    print(
        f"crash: 100 times kill -9, {moves} moves acknowledged, none lost or doubled; {retries} tries again"
    )


@pytest.mark.soak
def test_windows_deadlines_and_bots_survive_kill_9(tmp_path: Path) -> None:
    with Serving(tmp_path) as server:
        asked, seats = asked_at([server], window_seconds=60)
        state = seats[0].look(asked)
        seat = state["window"]["asked"][0]
        kept = seats[seat - 1].do(asked, "react", base=state["seq"], move="allow")
        assert kept.json()["type"] == "kept"
        closing_soon, closers = asked_at([server], window_seconds=1)
        nudging, nudged = begun_at([server], "lines", patience="nudge", patience_seconds=1)
        bots, watching = begun_at([server], "stockpile", 2, seats=[{"bot": "greedy"}] * 2, pace=1)
        server.kill()
        server.start()
        again = seats[seat - 1].look(asked)
        assert again["window"] == seats[0].look(asked)["window"] | {
            "answers": again["window"]["answers"],
            "answered": "allow",
        }
        assert {key: again["window"][key] for key in ("opened", "closes", "asked")} == {
            key: state["window"][key] for key in ("opened", "closes", "asked")
        }
        wait_until_told(closers[0], closing_soon, "closed")
        wait_until_told(nudged[0], nudging, "nudged")
        # Bots continue as soon as someone looks again.
        with Follower(server, watching[0].token, bots):
            wait_until_told(watching[0], bots, "moved")


def wait_until_told(device: Device, table: str, kind: str) -> None:
    wait_until(lambda: kind in [entry["kind"] for entry in device.news(table)])


@pytest.mark.soak
def test_a_server_that_is_told_to_stop_says_goodbye_and_loses_nothing(tmp_path: Path) -> None:
    with Serving(tmp_path) as server:
        tables = [Players([server], game, seed) for seed, game in enumerate(GAMES)]
        table = tables[0]
        with Follower(server, table.devices[0].token, table.table) as follower, playing(tables):
            wait_for_moves(tables, 20)
            assert server.stop() == 0
            wait_until(lambda: ("bye", {"table": table.table}) in follower.reader.others)
            server.start()
            wait_for_moves(tables, 40)
            wait_until(lambda: follower.connections == 2)
        for players in tables:
            players.check()
