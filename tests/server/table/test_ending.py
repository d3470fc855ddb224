"""Players end a game before the rules do: one resigns, or all agree to end it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest

from tests.server.tables import SHORT, Tried, any_game, each_game
from upcard.core.errors import Refused
from upcard.match import replay
from upcard.match.verify import check_line
from upcard.server.table import commands
from upcard.server.table.projection import project_record, project_state, wins_of


def begun(game: str, players: int = 2, **setup: object) -> Tried:
    table, dice = Tried(game, players, SHORT[game], **setup).start(), random.Random(4)
    for _ in range(6):
        table.step(dice)
    table.close_windows(dice)
    return table


def result_of(table: Tried) -> tuple[str, list[int]]:
    state = project_state(table.state, 1)
    assert state["phase"] == "over"
    assert (state["to_move"], state["window"], state["legal"]) == (None, None, [])
    assert len(state["result"]["scores"]) == len(state["seats"])
    return state["result"]["reason"], state["result"]["winners"]


@each_game
def test_of_two_players_the_other_one_wins(game: str) -> None:
    table = begun(game)
    table.write(commands.resign(table.state, "p2"))
    assert result_of(table) == ("resigned", [1])
    assert wins_of(table.state) == [1, 0]
    assert project_state(table.again(), 2) == project_state(table.state, 2)


@each_game
def test_the_record_of_a_resigned_game_is_refereed_as_an_unfinished_one_with_its_proof(game: str) -> None:
    table = begun(game)
    table.write(commands.resign(table.state, "p1"))
    record = json.loads(json.dumps(project_record(table.state, None)))
    assert record["result"] is None
    assert table.state.match is not None
    written = [moved for moved in table.state.match.log_of_moves if not moved.forced]
    assert [moved.text for moved in replay(record).log_of_moves] == [moved.text for moved in written]
    finding = check_line(1, json.dumps(record).encode() + b"\n")
    assert (finding.problem, finding.finished, finding.proven) == ("", False, True)


def test_a_bot_plays_to_the_end_for_a_player_who_resigns_while_other_people_play_on() -> None:
    table = begun("lines", 3)
    table.write(commands.resign(table.state, "p2"))
    seat = project_state(table.state, 1)["seats"][1]
    assert (seat["kind"], seat["bot"], seat["resigned"]) == ("person", "normal", True)
    assert table.state.phase == "playing"
    assert commands.stay(table.state, "p2", table.now) == []
    refused: list[Callable[[], object]] = [
        lambda: commands.come_back(table.state, "p2"),
        lambda: commands.play(table.state, "p2", "x r1", table.state.seq),
        lambda: commands.resign(table.state, "p2"),
        lambda: commands.ask_end(table.state, "p2"),
    ]
    for attempt in refused:
        with pytest.raises(Refused, match="resigned"):
            attempt()
    table.write(commands.resign(table.state, "p1"))
    assert result_of(table) == ("resigned", [3])


def test_the_last_person_who_resigns_leaves_the_win_to_the_bots() -> None:
    table = Tried("lines", 3, bots={2: "easy", 3: "easy"}).start()
    table.write(commands.resign(table.state, "p1"))
    assert result_of(table) == ("resigned", [2, 3])


@any_game
def test_a_game_ends_without_a_winner_when_all_agree(game: str) -> None:
    table = begun(game, 3)
    table.write(commands.ask_end(table.state, "p1"))
    question = project_state(table.state, 3)["ending"]
    assert (question["seat"], question["waiting"]) == (1, [2, 3])
    table.write(commands.answer_end(table.state, "p2", True, question["asked"]))
    assert project_state(table.state, None)["ending"]["waiting"] == [3]
    table.write(commands.answer_end(table.state, "p3", True, question["asked"]))
    assert result_of(table) == ("agreed", [])
    assert wins_of(table.state) == [0, 0, 0]


def test_the_game_continues_while_the_question_is_open_and_when_someone_refuses() -> None:
    table = begun("lines", 3)
    table.write(commands.ask_end(table.state, "p1"))
    table.step(random.Random(1))
    assert project_state(table.state, 1)["ending"] is not None
    with pytest.raises(Refused, match="already asked"):
        commands.ask_end(table.state, "p2")
    table.write(commands.answer_end(table.state, "p3", False))
    assert project_state(table.state, 1)["ending"] is None
    with pytest.raises(Refused, match="Nobody"):
        commands.answer_end(table.state, "p2", True)


@pytest.mark.parametrize("away", ["leave", "resign"])
def test_a_player_who_goes_away_is_not_waited_for(away: str) -> None:
    table = begun("lines", 3)
    table.write(commands.ask_end(table.state, "p1"))
    table.write(commands.answer_end(table.state, "p2", True))
    table.write({"leave": commands.leave, "resign": commands.resign}[away](table.state, "p3"))
    assert result_of(table) == ("agreed", [])


def test_one_person_among_bots_ends_the_game_without_asking() -> None:
    table = Tried("lines", 2, bots={2: "easy"}).start()
    table.write(commands.ask_end(table.state, "p1"))
    assert result_of(table) == ("agreed", [])


def test_nobody_can_move_after_the_end_and_the_same_players_can_play_again() -> None:
    table = begun("lines")
    table.write(commands.resign(table.state, "p1"))
    with pytest.raises(Refused):
        commands.play(table.state, "p2", "x r1", table.state.seq)
    assert commands.rematch(table.state, "p2", "next")
