"""Bots at a table of the server: one that breaks the rules does not stop the game."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

import upcard
from tests.bots.guests import Guest, add_bots
from upcard.bots import Greedy, Seated, Turn, find
from upcard.server.table.bot_times import budget_of
from upcard.server.table.bot_turns import choose


@pytest.fixture(autouse=True)
def guests(monkeypatch: pytest.MonkeyPatch) -> None:
    add_bots(monkeypatch)


def some_turn() -> Turn:
    """Return a turn with several legal moves, but without `stock 1`."""
    match = upcard.new("stockpile", seed=1, first=1)
    while True:
        assert match.to_move is not None
        turn = Seated(find("greedy"), match, match.to_move).turn()
        if len(turn.moves) > 1 and 0 not in turn.moves:
            return turn
        match.make_legal(turn.moves[-1])


WRONG = {
    "stock": "chose 'stock 1', which is not legal",
    "answer:-5": "chose -5, which is not a move of Stockpile",
    "raise": "raised KeyError: 'no\\nsuch\\x1b[31m card'",
    "leave": "raised SystemExit: 3",
    "unmade": "raised OSError: no memory left",
    "wait": "took longer than 0.01 s for a move",
    "gone": "refused to play: there is no bot 'gone'",
}


@pytest.mark.parametrize("bot", WRONG)
def test_greedy_moves_for_a_bot_that_fails_and_the_log_says_why(bot: str) -> None:
    turn = some_turn()
    with capture_logs() as logs:
        assert choose(bot, turn, b"dice", 0.01 if bot == "wait" else 600) == Greedy().choose(turn)
    assert [(entry["event"], entry["bot"]) for entry in logs] == [
        ("a bot has failed, greedy moves for it", bot)
    ]
    assert logs[0]["reason"].startswith(WRONG[bot])


def test_a_bot_that_keeps_to_the_rules_is_made_once_and_moves_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Guest, "made", 0)
    turn = some_turn()
    with capture_logs() as logs:
        assert choose("first", turn, b"dice") == turn.moves[0]
    assert (Guest.made, logs) == (1, [])


def test_a_bot_whose_package_was_removed_has_no_time_to_think() -> None:
    assert budget_of("gone").seconds is None
