"""The state of a table follows from its log."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.cases import Case, each_case
from tests.server.tables import Tried, each_game
from upcard.core.errors import Refused
from upcard.match import Match, replay
from upcard.match.match import CHECKPOINT_MOVES
from upcard.server.table import commands
from upcard.server.table import entries as log
from upcard.server.table.projection import project_entry, project_record, project_setup, project_state


def started(case: Case) -> Tried:
    options = dict(case.options)
    return Tried(case.game.id, options.pop("players"), options).start()


@each_case
def test_a_whole_game_and_its_log_tell_the_same_to_every_viewer(case: Case) -> None:
    table, dice = started(case), random.Random(str(case))
    while table.state.phase == "playing":
        table.step(dice)
    again = table.again()
    for viewer in (None, *range(1, len(again.seats) + 1)):
        assert project_state(again, viewer) == project_state(table.state, viewer)
        for one, other in zip(again.history, table.state.history, strict=True):
            assert project_entry(again, one, viewer) == project_entry(table.state, other, viewer)
            assert json.loads(json.dumps(project_entry(again, one, viewer))) == project_entry(
                again, one, viewer
            )


@each_case
def test_the_record_of_a_finished_game_is_refereed_and_its_shuffle_proven(case: Case) -> None:
    table, dice = started(case), random.Random(str(case))
    commitment = project_setup(table.state)["commitment"]
    while table.state.phase == "playing":
        table.step(dice)
    record = project_record(table.state, None)
    assert record is not None
    assert record["fairness"]["commitment"] == commitment
    assert replay(json.loads(json.dumps(record))).result == project_state(table.state, None)["result"]


@each_game
def test_a_running_game_gives_no_seed_no_shuffle_and_no_card_from_a_hand(game: str) -> None:
    table, dice = Tried(game).start(), random.Random(3)
    while table.state.phase == "playing":
        record = project_record(table.state, 1)
        assert record is not None
        assert record["seed"] is None
        assert "fairness" not in record
        assert all(set(entry) == {"seat", "move"} for entry in record["log"])
        text = json.dumps([project_state(table.state, 1), record, project_setup(table.state)])
        assert table.state.opened.secret not in text
        table.step(dice)


@each_game
def test_the_seed_is_made_of_the_secret_and_of_everyones_share(game: str) -> None:
    one, other = Tried(game), Tried(game)
    for table, share in ((one, "ab" * 32), (other, "cd" * 32)):
        table.write(commands.sit(table.state, "p1", 1, "Ann", "11" * 16))
        table.write(commands.sit(table.state, "p2", 2, "Ben", share))
        table.write(commands.start(table.state, "p1", table.now))
    assert one.state.match is not None
    assert other.state.match is not None
    assert one.state.match.seed != other.state.match.seed


def test_everything_that_can_be_written_can_be_read_again() -> None:
    entries: list[log.Entry] = [
        log.Sat(1, "p", "Ann", "ab"),
        log.Closed({2: "block"}),
        log.Placed(2, "hard", "Robin"),
        log.Placed(2, None),
        log.UndoAnswered(1, False),
        log.Undone(1, 3),
        log.Rematched(1, "other"),
        log.Archived(),
    ]
    for entry in entries:
        assert log.read_entry(log.write_entry(entry)) == entry


@each_game
def test_taken_back_moves_are_gone_and_the_same_cards_come_again(game: str) -> None:
    table, dice = Tried(game, patience="none").start(), random.Random(5)
    for _ in range(4):
        table.step(dice)
    table.close_windows(dice)
    before = [project_state(table.state, seat)["view"] for seat in (None, 1, 2)]
    seat = table.state.to_move
    assert seat is not None
    table.step(dice)
    table.close_windows(dice)
    other = 3 - seat
    table.write(commands.ask_undo(table.state, f"p{seat}", table.state.seq))
    table.write(commands.answer_undo(table.state, f"p{other}", True))
    assert [project_state(table.state, seat)["view"] for seat in (None, 1, 2)] == before
    assert project_state(table.again(), 1) == project_state(table.state, 1)


def test_loading_a_table_replays_little_for_every_move_that_was_taken_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Thousands of moves that were made and taken back once froze the server while it replayed the game for
    each of them."""
    table, dice = Tried("stockpile", patience="none").start(), random.Random(2)
    for _ in range(60):
        table.step(dice)
    pairs = 60
    for _ in range(pairs):
        seat = table.state.to_move
        assert seat is not None
        table.step(dice)
        table.write(commands.ask_undo(table.state, f"p{seat}", table.state.seq))
        table.write(commands.answer_undo(table.state, f"p{3 - seat}", True))
    made, really = [], Match.make_legal

    def make_legal(match: Match, move: Any) -> Any:
        made.append(move)
        return really(match, move)

    monkeypatch.setattr(Match, "make_legal", make_legal)
    assert project_state(table.again(), 1) == project_state(table.state, 1)
    assert len(made) < 60 + pairs * (2 * CHECKPOINT_MOVES + 2)


def asking(players: int = 3) -> tuple[Tried, int, list[int]]:
    """Return a table at which someone asks to take back a move, the seat, and the seats of the others."""
    table = Tried("lines", players).start()
    seat = table.state.to_move
    assert seat is not None
    table.step(random.Random(1))
    table.close_windows(random.Random(2))
    while table.state.to_move == seat:
        table.step(random.Random(1))
    table.write(commands.ask_undo(table.state, f"p{seat}", table.state.seq))
    return table, seat, [other for other in range(1, players + 1) if other != seat]


def test_an_answer_to_an_earlier_question_does_not_count_for_a_later_one() -> None:
    table, seat, others = asking()
    assert table.state.undo is not None
    earlier = table.state.undo.asked
    table.write(commands.answer_undo(table.state, f"p{others[0]}", False, earlier))
    table.write(commands.ask_undo(table.state, f"p{seat}", table.state.seq))
    with pytest.raises(Refused, match="undo"):
        commands.answer_undo(table.state, f"p{others[1]}", True, earlier)
    asked = project_state(table.state, others[1])["undo"]["asked"]
    assert asked > earlier
    assert commands.answer_undo(table.state, f"p{others[1]}", True, asked)


def test_a_player_who_leaves_is_not_waited_for_when_a_move_is_taken_back() -> None:
    table, seat, (here, away) = asking()
    table.write(commands.leave(table.state, f"p{away}"))
    assert table.state.undo is not None
    assert table.state.undo.waiting == {here}
    table.write(commands.answer_undo(table.state, f"p{here}", True))
    assert isinstance(table.entries[-1][1], log.Undone)
    assert table.state.to_move == seat


def test_a_move_is_taken_back_when_the_last_player_who_had_not_answered_leaves() -> None:
    table, seat, (other,) = asking(players=2)
    table.write(commands.leave(table.state, f"p{other}"))
    assert [type(entry) for _, entry in table.entries[-2:]] == [log.Left, log.Undone]
    assert table.state.to_move == seat
    assert table.again().to_move == seat


def test_deadlines_count_from_now_where_the_log_is_ahead_of_the_clock() -> None:
    table = Tried("lines", bots={1: "easy", 2: "easy"}, pace=2.0)
    table.now = 1_300.0
    table.write([log.Started()])
    table.state.rebase(1_000.0)
    assert table.state.due == 1_002.0
    table.state.rebase(1_001.0)
    assert table.state.due == 1_002.0
