"""The library as a program uses it: `import upcard`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

import pytest

import upcard
from tests.cases import Case, each_case
from upcard.bots import Seated, find
from upcard.core.errors import (
    MissingPackage,
    NotationError,
    OptionError,
    RecordError,
    UnknownGame,
    UpcardError,
)
from upcard.core.events import HIDDEN, Event, EventKind
from upcard.core.options import Choice, Flag, SeatChoice
from upcard.games import find as find_game
from upcard.games.lines.options import LinesOptions
from upcard.games.stacks.options import StacksOptions
from upcard.games.stockpile.options import StockpileOptions
from upcard.rl.missing import needed
from upcard.testing.contract import some_positions


def test_games_lists_what_can_be_dealt() -> None:
    for game in upcard.games():
        assert upcard.new(game.id, seed=1).game is game


def test_a_record_is_loaded_as_a_value_as_text_and_from_a_file(tmp_path: Path) -> None:
    match = upcard.new("lines", seed=1)
    match.play(match.legal[0])
    record, path = match.record(), tmp_path / "game.json"
    path.write_text(json.dumps(record))
    for given in (record, json.dumps(record), path, str(path)):
        assert upcard.load(given).record() == record


def test_a_file_that_is_not_there_gets_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"cannot be read: No such file or directory$"):
        upcard.load(tmp_path / "missing.json")


def test_a_file_is_read_as_all_commands_read_it(tmp_path: Path) -> None:
    record, path = upcard.new("lines", seed=1).to_json(), tmp_path / "games.jsonl"
    path.write_text(f"{record}\n{record}\n")
    with pytest.raises(RecordError, match=r"^the file has more than one record$"):
        upcard.load(path)
    path.write_text("\n")
    with pytest.raises(RecordError, match=r"^the file has no records$"):
        upcard.load(path)
    with pytest.raises(RecordError, match=r"is not the name of a file$"):
        upcard.load("\0")


def test_a_record_names_a_player_for_each_seat_in_valid_unicode() -> None:
    record = upcard.new("lines", seed=1).record()
    with pytest.raises(RecordError, match="there are 2 players, but 0 names"):
        upcard.load(record | {"seats": []})
    with pytest.raises(RecordError, match=r"^'seats' \(item 2\) is not valid Unicode$"):
        upcard.load(record | {"seats": [{"name": "Ann"}, {"name": "\ud800"}]})


SEAT = r"^there is no seat .*: there are 2 players$"
# Untyped, as for a program without a type checker.
new: Any = upcard.new
WRONG_TYPES: dict[str, tuple[Callable[[Any], object], str]] = {
    "a view of seat 1.5": (lambda match: match.view(1.5), SEAT),
    "a view of seat True": (lambda match: match.view(True), SEAT),
    "a view of a seat by name": (lambda match: match.view("Ann"), SEAT),
    "answers of no seat": (lambda match: match.answers(99), SEAT),
    "a move for seat 99": (lambda match: match.play(match.legal[0], 99), SEAT),
    "a move by its number in play": (lambda match: match.play(5), "a move is text"),
    "a move that is nothing": (lambda match: match.play(None), "a move is text"),
    "a move of 5000 digits": (lambda match: match.make(10**5000), "more than 18 digits is not a move"),
    "a seed that is a list": (lambda match: new("lines", seed=[]), "a seed is"),
    "a seed of 5000 digits": (lambda match: new("lines", seed=10**5000), "4300 digits, not a longer one"),
    "a seed that is half a letter": (lambda match: new("lines", seed="\ud800"), "a seed is"),
    "names in one text": (lambda match: new("lines", names="ab"), "names should be"),
    "numbers as names": (lambda match: new("lines", names=[1, 2]), "names should be"),
    "a game by its number": (lambda match: new(3), "there is no game 3"),
    "a record in a list": (lambda match: upcard.load("[1]"), "the record should be a JSON object"),
    "one bot of two": (lambda match: upcard.play_out(match, ["greedy"]), "2 players, but 1 bot$"),
    "bots in one text": (lambda match: upcard.play_out(match, "greedy"), "bots should be"),
}


@pytest.mark.parametrize("case", WRONG_TYPES)
def test_a_value_of_a_wrong_type_gets_one_sentence(case: str) -> None:
    attempt, sentence = WRONG_TYPES[case]
    with pytest.raises(upcard.UpcardError, match=sentence):
        attempt(upcard.new("lines", seed=1))


def test_digits_with_spaces_between_them_are_a_text_like_others_and_no_short_seed() -> None:
    match = upcard.new("lines", seed="aa " * 21 + "a")
    assert len(match.seed or b"") == 32
    assert upcard.load(match.record()).legal == match.legal


def test_bots_play_a_match_to_its_end() -> None:
    match = upcard.new("stacks", players=3, seed=1)
    assert upcard.play_out(match, bots=["greedy", "easy", "random"]) == match.result
    assert match.over


def test_each_seat_needs_a_bot() -> None:
    with pytest.raises(OptionError, match="there are 3 players, but 2 bots"):
        upcard.play_out(upcard.new("stacks", players=3, seed=1), bots=["greedy", "easy"])


def test_errors_are_the_built_in_ones_that_programs_expect() -> None:
    with pytest.raises(LookupError):
        upcard.new("poker")
    with pytest.raises(LookupError):
        upcard.play_out(upcard.new("lines"), ["greedy", "nobody"])
    with pytest.raises(ValueError, match="there is no seat 3"):
        upcard.new("lines").view(3)
    with pytest.raises(ValueError, match="cannot be taken back"):
        upcard.new("lines").undo()
    with pytest.raises(ValueError, match="players cannot be 99"):
        upcard.new("lines", players=99)
    with pytest.raises(ValueError, match="is not"):
        upcard.new("lines", seed=1).play("nonsense")
    with pytest.raises(ImportError, match="pip install 'upcard"):
        needed("no_such_package")
    assert issubclass(UnknownGame, upcard.UpcardError)
    assert issubclass(MissingPackage, upcard.UpcardError)


@each_case
def test_a_turn_can_be_determinized_into_tables_that_look_the_same(case: Case) -> None:
    match = upcard.new(case.game, seed=1, **case.options)
    turn = Seated(find("random"), match, match.to_move or 1).turn()
    tables = [turn.determinize(bytes([seed])) for seed in range(3)]
    for table in tables:
        view = case.game.view(table, turn.view.viewer)
        assert case.game.show(view) == case.game.show(turn.view)
    assert tables[0] == turn.determinize(bytes([0]))


# Positions


@each_case
def test_any_position_between_turns_can_be_written_and_read(case: Case) -> None:
    for table in some_positions(case, 12):
        match = upcard.new(case.game, seed=1, **case.options)
        match.table = table
        if table.over or match.asked or not match.legal:
            continue
        again = upcard.position(case.game, match.position, seed=1, names=None, **match.options)
        assert again.position == match.position
        assert again.legal == match.legal
        # A position contains neither the starting seat nor the memories of seats.
        shown, expected = (
            {**case.game.show(case.game.view(one, table.to_move)), "first": 1, "known": []}
            for one in (again.table, table)
        )
        assert shown == expected


def test_a_match_that_began_in_a_position_can_be_played_undone_and_played_out() -> None:
    match = upcard.position("stacks", "R1: r1 r2; @1 hand: r3 skip; @2 chips: 1 2", players=2)
    before, legal = match.position, match.legal
    assert legal == ["r3 R1", "skip", "x r3", "x skip"]
    match.play("r3 R1")
    assert match.position.startswith("R1: r1 r2 r3; @1 hand: skip; @2 chips: 1 2; deck: ")
    match.undo()
    assert (match.position, match.legal) == (before, legal)
    assert upcard.play_out(match, ["greedy", "random"])["reason"] in ("won", "stuck", "limit")
    with pytest.raises(UpcardError, match="has no record"):
        match.record()


def test_cards_that_a_position_does_not_name_are_in_its_draw_pile() -> None:
    match = upcard.position("lines", "@1 zone: r3; @1 hand: r6; @2 zone: p1; @2 hand: b8", players=2)
    assert match.table.deck.count == 60 - 4
    assert upcard.position("lines", "@1 hand: r6; deck: r7 r8", players=2).table.deck.count == 2


@pytest.mark.parametrize(
    ("game", "text", "sentence"),
    [
        ("stockpile", "pile 9: 1", "'pile 9: 1' should begin with a place and a colon: pile 1, "),
        ("stockpile", "@1 stock: r3", "@1 stock: 'r3' is not a card of Stockpile"),
        ("stockpile", "pile 1: 1; pile 1: 2", "pile 1 is described twice"),
        ("stockpile", "pile 1: 1", "every seat needs a card in its stockpile"),
        ("lines", "@1 zone: r5 r3", "@1 zone: the cards of a line have one colour and lie in order"),
        ("lines", "@1 hand: r5; @2 hand: r5", "every card is there once"),
        ("lines", "turn: 9", "turn: there is no seat 9: 2 play"),
        ("stacks", "@1 chips: 1", "@1 chips: 2 numbers are needed, not 1"),
        ("stacks", "direction: up", "direction: 'up' should be left or right"),
        ("stacks", "@1 chips: 3 3", "a seat has enough chips to win"),
    ],
)
def test_a_wrong_position_gets_one_sentence(game: str, text: str, sentence: str) -> None:
    with pytest.raises(NotationError, match=re.escape(sentence)):
        upcard.position(game, text, players=2)


# Representations in a Python session


@each_case
def test_every_object_has_a_short_representation_and_a_view_is_a_picture_of_the_table(case: Case) -> None:
    match = upcard.new(case.game, seed=1, **case.options)
    view = match.view(1)
    for thing in (match, view, case.game):
        assert "\n" not in repr(thing)
        assert len(repr(thing)) < 80
    assert str(view) == case.game.render(view, [f"Seat {seat}" for seat in range(1, view.players + 1)])


def test_events_are_returned_as_the_seat_that_moved_saw_them() -> None:
    match = upcard.new("stockpile", stock=30, seed=1)
    shuffled: list[Event] = []
    while not shuffled:
        before = len(match.events)
        mover = match.to_move
        returned = match.play(match.legal[0])
        assert returned == match.events_for(mover, before)
        shuffled = [event for event in returned if event.kind == EventKind.SHUFFLED]
    assert set(shuffled[0].cards) == {HIDDEN}


def test_type_checkers_know_the_options_of_each_game() -> None:
    """Mypy checks these lines too, and reports unused ignores."""
    with pytest.raises(UnknownGame):
        upcard.new("lins", playerz=3)  # type: ignore[call-overload]
    with pytest.raises(OptionError):
        upcard.new("lines", playerz=3)  # type: ignore[call-overload]
    with pytest.raises(OptionError):
        upcard.new("stacks", block="never")  # type: ignore[call-overload]
    upcard.new("stacks", block="anytime", names=["Ann", "Kim"])


@pytest.mark.parametrize("options", [StockpileOptions, LinesOptions, StacksOptions])
def test_the_types_of_options_are_those_that_a_game_has(options: Any) -> None:
    game = find_game(options.__name__.removesuffix("Options").lower())
    hints = get_type_hints(options)
    assert list(hints) == [option.name for option in game.options]
    for option in game.options:
        match option:
            case Choice():
                assert get_args(hints[option.name]) == option.choices
            case Flag():
                assert hints[option.name] is bool
            case SeatChoice():
                assert hints[option.name] == int | Literal["random"]
            case _:
                assert hints[option.name] is int
