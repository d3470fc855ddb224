"""A match: playing, refusals, undo and records."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

import upcard
from upcard.core.errors import GameOver, NotationError, OptionError, Refused, UpcardError
from upcard.core.events import Event
from upcard.games import GAMES, find
from upcard.match import Match, read_seed


def finished(game: str, seed: int = 1, **options: Any) -> Match:
    match = upcard.new(game, seed=seed, **options)
    dice = random.Random(seed)
    while not match.over:
        match.play(dice.choice(match.legal))
    return match


def test_the_library_is_pleasant_in_a_repl() -> None:
    table = upcard.new("stockpile", players=3, seed=7)
    assert table.to_move in (1, 2, 3)
    assert table.legal
    table.play(table.legal[0])
    text = str(table)
    assert "Stockpile, 1 moves played" in text
    assert "stock:" in text
    assert repr(table) == "<Match of stockpile, 3 players, 1 move>"
    assert table.record()["options"]["players"] == 3


def test_names_make_the_number_of_players() -> None:
    match = upcard.new("lines", names=["Ann", "Robin", "Kim"], seed=1)
    assert match.table.players == 3
    assert match.record()["seats"] == [{"name": "Ann"}, {"name": "Robin"}, {"name": "Kim"}]
    with pytest.raises(OptionError, match="there are 2 players, but 3 names"):
        upcard.new("lines", names=["Ann", "Robin", "Kim"], players=2)


def test_the_same_seed_deals_the_same_cards_and_another_one_others() -> None:
    assert upcard.new("stacks", seed=5).record() == upcard.new("stacks", seed=5).record()
    assert upcard.new("stacks", seed=5).record() != upcard.new("stacks", seed=6).record()
    assert upcard.new("stacks").seed != upcard.new("stacks").seed


def test_the_seed_of_a_record_deals_its_cards_again() -> None:
    record = upcard.new("stacks", seed=5).record()
    assert upcard.new("stacks", seed=record["seed"]).record()["log"] == record["log"]


def test_any_text_is_a_seed() -> None:
    assert len(read_seed("z" * 64)) == 32
    assert read_seed("7") == read_seed(7)
    assert read_seed("7") != read_seed("8")


def test_a_refused_move_names_its_clause_and_changes_nothing() -> None:
    match = upcard.new("stockpile", seed=1)
    before = match.record()
    forbidden = next(text for text in ("stock 1", "A 1", "B 1", "C 1") if text not in match.legal)
    with pytest.raises(Refused) as refused:
        match.play(forbidden)
    assert refused.value.refusal.clause == "S3.4"
    assert re.fullmatch(r".* doesn't fit: pile 1 needs 1 or a wild\. \(S3\.4\)", str(refused.value))
    assert match.record() == before


def test_text_that_is_not_a_move_gets_an_example() -> None:
    for game in GAMES:
        match = upcard.new(game, seed=1)
        for text in ("", "frob", "r99 top", "card @9 hand", "A 5", "x", "top", "\0", "²"):
            with pytest.raises(NotationError) as error:
                match.play(text)
            assert "\n" not in str(error.value)


def test_a_number_that_no_move_has_is_told_from_a_move_that_is_refused() -> None:
    for game in GAMES:
        match = upcard.new(game, seed=1)
        before, most = match.record(), match.game.move_count - 1
        for number in (-1, most + 1, 10**30, 2.0, True, None, "stock 1"):
            with pytest.raises(
                NotationError, match=f"is not a move of .*: moves are numbered from 0 to {most}$"
            ):
                match.make(number)  # type: ignore[arg-type]  # that is the point
        forbidden = next(move for move in range(most) if move not in match.game.legal_moves(match.table))
        with pytest.raises(Refused):
            match.make(forbidden)
        assert match.record() == before


def test_only_a_seat_that_is_asked_has_answers() -> None:
    for game in GAMES:
        match = upcard.new(game, seed=1)
        with pytest.raises(UpcardError, match="there is no seat 99: there are 2 players"):
            match.answers(99)
        with pytest.raises(UpcardError, match="seat 1 is not asked anything now"):
            match.answers(1)


def test_only_the_seat_to_move_moves() -> None:
    match = upcard.new("stockpile", seed=1, first=2)
    assert match.to_move is not None
    with pytest.raises(Refused, match=r"It's Seat \d's turn\. \(S3\.9\)"):
        match.play(match.legal[0], seat=3 - match.to_move)


def test_nothing_can_be_played_after_the_end() -> None:
    match = finished("lines")
    assert match.to_move is None
    assert match.legal == []
    with pytest.raises(GameOver):
        match.play("r1 top")


def test_a_view_of_a_seat_that_is_not_there_is_refused() -> None:
    with pytest.raises(UpcardError, match="there is no seat 3: there are 2 players"):
        upcard.new("stacks", seed=1).view(3)


def test_undo_takes_back_moves_and_the_same_cards_come_again() -> None:
    match = upcard.new("stacks", seed=3)
    start = match.record()
    dice = random.Random(3)
    for _ in range(30):
        match.play(dice.choice(match.legal))
    later, events = match.record(), match.events
    moves = [entry.text for entry in match.log_of_moves]
    match.undo(30)
    assert match.record() == start
    for text in moves:
        match.play(text)
    assert match.record() == later
    assert match.events == events
    with pytest.raises(UpcardError, match="31 cannot be taken back"):
        match.undo(31)


def without_seed(match: Match) -> Match:
    """Return the match as it is loaded from a record without the seed."""
    return upcard.load({**match.record(), "seed": None})


def test_a_match_without_a_seed_can_be_undone_and_tells_its_legal_moves() -> None:
    stolen = reshuffled = 0
    for game, seed, players in (("stacks", 2, 4), ("lines", 4, 2), ("stockpile", 4, 2)):
        match = finished(game, seed, players=players)
        again = without_seed(match)
        log = match.record(legal=True)["log"]
        assert again.record(legal=True)["log"] == log
        stolen += any("took" in entry for entry in log)
        reshuffled += any("shuffle" in entry for entry in log[1:])
        while match.log_of_moves:
            match.undo(min(50, len(match.log_of_moves)))
            again.undo(min(50, len(again.log_of_moves)))
            assert again.record() == {**match.record(), "seed": None}
            assert again.events == match.events
    assert stolen
    assert reshuffled


def test_a_match_without_a_seed_is_played_on_with_cards_that_nobody_can_foretell() -> None:
    start = upcard.new("stockpile", seed=1).record() | {"seed": None}
    ends = []
    for _ in range(2):
        match, dice = upcard.load(start), random.Random(1)
        for _ in range(5):
            match.play(dice.choice(match.legal))
        match.undo(2)
        while not match.over:
            match.play(dice.choice(match.legal))
        assert upcard.load(match.record()).result == match.result
        ends.append(match.record()["log"])
    assert ends[0][0] == ends[1][0]
    assert ends[0] != ends[1]


def test_undo_that_is_refused_changes_nothing() -> None:
    match = without_seed(finished("lines"))
    before = match.record()
    for moves in (-1, len(match.log_of_moves) + 1):
        with pytest.raises(UpcardError, match=f"{moves} cannot be taken back"):
            match.undo(moves)
    assert match.record() == before


def test_what_a_seat_was_told_since_its_last_move_follows_undo() -> None:
    for game in GAMES:
        match, dice = upcard.new(game, seed=3, players=3), random.Random(3)
        # The events at each position, for the seat to move there.
        told: list[list[Event]] = []
        while not match.over and len(told) < 40:
            assert match.to_move is not None
            told.append(match.events_since_own_move(match.to_move))
            match.play(dice.choice(match.legal))
        for news in reversed(told):
            match.undo()
            assert match.to_move is not None
            assert match.events_since_own_move(match.to_move) == news
        assert any(len(news) > 5 for news in told[1:])


def test_a_record_has_the_public_format() -> None:
    record = finished("stacks", seed=2, players=3).record()
    assert list(record) == ["upcard", "game", "options", "first", "seats", "seed", "log", "result"]
    assert record["upcard"] == 1
    assert record["options"] == {
        "players": 3,
        "dealer": (record["first"] - 2) % 3 + 1,
        "two_player_deck": "reduced",
        "must_play": False,
        "chip_win": "illegal",
        "block": "completion",
        "turn_limit": 400,
        "recycle": "sequences",
    }
    assert len(bytes.fromhex(record["seed"])) == 32
    assert list(record["log"][0]) == ["shuffle"]
    assert len(record["log"][0]["shuffle"]) == 120
    assert record["log"][1]["seat"] == record["first"]
    assert record["result"]["reason"] in ("won", "stuck")
    assert len(record["result"]["scores"]) == 3


def test_a_card_stolen_blind_is_in_the_record_and_no_other() -> None:
    taken = other = 0
    for seed in range(12):
        for entry in finished("stacks", seed=seed, players=4).record()["log"]:
            blind = entry.get("move", "").endswith("hand")
            assert ("took" in entry) == blind
            taken += blind
            other += entry.get("move", "").startswith("card") and not blind
    assert taken
    assert other


def test_legal_moves_are_recorded_if_wanted() -> None:
    log = finished("lines", seed=4).record(legal=True)["log"]
    for entry in log:
        assert "shuffle" in entry or entry["move"] in entry["legal"]


def test_an_unfinished_game_can_be_loaded_and_played_on() -> None:
    match = upcard.new("stacks", seed=3, players=3)
    dice = random.Random(3)
    for _ in range(40):
        match.play(dice.choice(match.legal))
    loaded = upcard.load(json.loads(match.to_json()))
    while not match.over:
        text = dice.choice(match.legal)
        match.play(text)
        loaded.play(text)
    assert loaded.record() == match.record()


def test_spectators_and_opponents_do_not_see_what_was_drawn() -> None:
    match = finished("stacks", seed=1, players=3)
    for viewer in (None, 1, 2, 3):
        for event in match.events_for(viewer):
            if event.kind.name == "DREW":
                assert (event.card >= 0) == (viewer is not None and event.seat == viewer - 1)


@pytest.mark.parametrize("game", GAMES)
def test_undo_from_a_checkpoint_is_the_same_as_from_the_beginning(game: str) -> None:
    dice = random.Random(game)
    match, plain = (upcard.new(find(game), seed=5, players=3) for _ in range(2))
    for _ in range(120):
        if match.over or dice.random() < 0.2:
            moves = dice.randrange(min(40, len(match.log_of_moves)) + 1)
            match.undo(moves)
            plain.undo(moves)
        move = dice.choice(match.legal)
        match.play(move)
        plain.play(move)
        if dice.random() < 0.2:
            match.keep_checkpoint()
        assert match.table == plain.table
        assert (match.log, match.events) == (plain.log, plain.events)


def test_moves_in_a_copy_are_not_made_in_the_original() -> None:
    match = upcard.new("stacks", seed=3)
    match.play(match.legal[0])
    before, twin = match.record(), match.copy()
    assert twin.record() == before
    twin.play(twin.legal[-1])
    twin.undo(2)
    assert match.record() == before
