"""A table is what its log makes of it."""

from __future__ import annotations

import json
import random

from tests.cases import Case, each_case
from tests.server.tables import Tried, each_game
from upcard.match import replay
from upcard.server import commands
from upcard.server import entries as log
from upcard.server.telling import tell, tell_facts, tell_record, tell_state


def started(case: Case) -> Tried:
    options = dict(case.options)
    return Tried(case.game.id, options.pop("players"), options).start()


@each_case
def test_a_whole_game_and_its_log_tell_the_same_to_every_viewer(case: Case) -> None:
    table, dice = started(case), random.Random(str(case))
    while table.sitting.phase == "playing":
        table.step(dice)
    again = table.again()
    for viewer in (None, *range(1, len(again.seats) + 1)):
        assert tell_state(again, viewer) == tell_state(table.sitting, viewer)
        for one, other in zip(again.history, table.sitting.history, strict=True):
            assert tell(again, one, viewer) == tell(table.sitting, other, viewer)
            assert json.loads(json.dumps(tell(again, one, viewer))) == tell(again, one, viewer)


@each_case
def test_the_record_of_a_finished_game_is_refereed_and_its_shuffle_proven(case: Case) -> None:
    table, dice = started(case), random.Random(str(case))
    commitment = tell_facts(table.sitting)["commitment"]
    while table.sitting.phase == "playing":
        table.step(dice)
    record = tell_record(table.sitting, None)
    assert record is not None
    assert record["fairness"]["commitment"] == commitment
    assert replay(json.loads(json.dumps(record))).result == tell_state(table.sitting, None)["result"]


@each_game
def test_a_running_game_gives_no_seed_no_shuffle_and_no_card_from_a_hand(game: str) -> None:
    table, dice = Tried(game).start(), random.Random(3)
    while table.sitting.phase == "playing":
        record = tell_record(table.sitting, 1)
        assert record is not None
        assert record["seed"] is None
        assert "fairness" not in record
        assert all(set(entry) == {"seat", "move"} for entry in record["log"])
        text = json.dumps([tell_state(table.sitting, 1), record, tell_facts(table.sitting)])
        assert table.sitting.opened.secret not in text
        table.step(dice)


@each_game
def test_the_seed_is_made_of_the_secret_and_of_everybodys_share(game: str) -> None:
    one, other = Tried(game), Tried(game)
    for table, share in ((one, "ab" * 32), (other, "cd" * 32)):
        table.write(commands.sit(table.sitting, "p1", 1, "Ann", "11" * 16))
        table.write(commands.sit(table.sitting, "p2", 2, "Ben", share))
        table.write(commands.start(table.sitting, "p1"))
    assert one.sitting.match is not None
    assert other.sitting.match is not None
    assert one.sitting.match.seed != other.sitting.match.seed


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
    before = [tell_state(table.sitting, seat)["view"] for seat in (None, 1, 2)]
    seat = table.sitting.to_move
    assert seat is not None
    table.step(dice)
    table.close_windows(dice)
    other = 3 - seat
    table.write(commands.ask_undo(table.sitting, f"p{seat}", table.sitting.seq))
    table.write(commands.answer_undo(table.sitting, f"p{other}", True))
    assert [tell_state(table.sitting, seat)["view"] for seat in (None, 1, 2)] == before
    assert tell_state(table.again(), 1) == tell_state(table.sitting, 1)
