"""Records are checked without trusting them: every edit is found and named."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import upcard
from upcard.core.errors import RecordError
from upcard.games import GAMES
from upcard.match import replay
from upcard.match.format import read_json
from upcard.match.verify import check_line, verify


def record_of(game: str, seed: int = 1, **options: Any) -> dict[str, Any]:
    match = upcard.new(game, seed=seed, **options)
    dice = random.Random(seed)
    while not match.over:
        match.play(dice.choice(match.legal))
    loaded: dict[str, Any] = json.loads(match.to_json(legal=True))
    return loaded


RECORDS = {game: record_of(game, players=3) for game in GAMES}
each_record = pytest.mark.parametrize("game", RECORDS)


def problem(record: Any) -> str:
    with pytest.raises(RecordError) as error:
        replay(record)
    return str(error.value)


def edited(game: str, edit: Callable[[dict[str, Any]], None]) -> str:
    record = copy.deepcopy(RECORDS[game])
    edit(record)
    return problem(record)


def first_move(record: dict[str, Any]) -> dict[str, Any]:
    return next(entry for entry in record["log"] if "move" in entry)


@each_record
def test_an_honest_record_is_right_with_and_without_its_seed(game: str) -> None:
    replay(RECORDS[game])
    replay({**RECORDS[game], "seed": None})


@each_record
def test_any_program_may_write_records_with_its_own_shuffles(game: str) -> None:
    """A deal by another program's random numbers is accepted without a seed."""
    record = copy.deepcopy(RECORDS[game])
    del record["seed"]
    assert replay(record).result == record["result"]


@each_record
def test_a_move_by_the_wrong_seat_is_found(game: str) -> None:
    assert "is to move, not" in edited(game, lambda record: first_move(record).update(seat=9))


@each_record
def test_an_illegal_move_is_found_with_its_clause(game: str) -> None:
    illegal = {"stockpile": "pass", "lines": "x r1", "stacks": "block"}[game]

    def edit(record: dict[str, Any]) -> None:
        first_move(record).update(move=illegal)

    assert edited(game, edit).startswith(f"entry 2: '{illegal}' is refused: ")


@each_record
def test_text_that_is_not_a_move_is_found(game: str) -> None:
    assert "is not a move of" in edited(game, lambda record: first_move(record).update(move="frob"))
    assert "'move' should be text, not a whole number" in edited(
        game, lambda record: first_move(record).update(move=3)
    )
    assert "should have a 'move'" in edited(game, lambda record: first_move(record).pop("move"))
    assert "should be written" in edited(
        game, lambda record: first_move(record).update(move=first_move(record)["move"].upper() + " ")
    )


@each_record
def test_a_missing_move_is_found(game: str) -> None:
    problem = edited(game, lambda record: record["log"].pop(5))
    assert problem.startswith("entry ")


@each_record
def test_a_log_that_ends_early_is_found(game: str) -> None:
    message = edited(game, lambda record: record["log"].pop())
    assert message == "the record has a result, but its log ends before the game does"


@each_record
def test_an_entry_after_the_end_is_found(game: str) -> None:
    message = edited(game, lambda record: record["log"].append({"seat": 1, "move": "pass"}))
    assert message.endswith("the game was over before this")


@each_record
def test_a_changed_result_is_found(game: str) -> None:
    assert "'result' should be" in edited(game, lambda record: record["result"].update(winners=[1, 2]))
    assert "'result' should be" in edited(game, lambda record: record["result"].update(reason="limit"))
    assert "no 'result'" in edited(game, lambda record: record.pop("result"))


@each_record
def test_two_cards_swapped_in_a_shuffle_are_found_by_the_seed(game: str) -> None:
    def edit(record: dict[str, Any]) -> None:
        cards = record["log"][0]["shuffle"]
        last = next(place for place in range(len(cards)) if cards[place] != cards[-1])
        cards[last], cards[-1] = cards[-1], cards[last]

    assert edited(game, edit) == "entry 1: the order of the cards does not follow from the seed"


@each_record
def test_a_card_too_many_or_too_few_is_found(game: str) -> None:
    def remove(record: dict[str, Any]) -> None:
        record["log"][0]["shuffle"].pop()

    def replace(record: dict[str, Any]) -> None:
        cards = record["log"][0]["shuffle"]
        cards[0] = next(card for card in cards if card != cards[0])
        record["seed"] = None

    assert edited(game, remove).startswith("entry 1: the record is missing a shuffle")
    assert edited(game, replace).startswith("entry 1: the record shuffles or takes a card that is not there")
    assert "is not a card" in edited(game, lambda record: record["log"][0]["shuffle"].append("joker"))
    assert "did not happen" in edited(
        game, lambda record: record["log"].insert(1, {"shuffle": record["log"][0]["shuffle"]})
    )


@each_record
def test_wrong_legal_moves_are_found(game: str) -> None:
    assert "the legal moves are" in edited(game, lambda record: first_move(record)["legal"].append("pass"))


def test_a_stolen_card_that_was_not_there_is_found() -> None:
    record = next(
        record
        for record in (record_of("stacks", seed, players=4) for seed in range(50))
        if any("took" in entry for entry in record["log"])
    )
    theft = next(entry for entry in record["log"] if "took" in entry)
    for took in ("r1", "r2", "b5", "skip"):
        if took != theft["took"]:
            changed = json.loads(json.dumps(record))
            next(entry for entry in changed["log"] if "took" in entry)["took"] = took
            assert "entry" in problem(changed)
    del theft["took"]
    assert "missing a shuffle" in problem(record)


def test_took_is_only_for_thefts() -> None:
    message = edited("stacks", lambda record: first_move(record).update(took="r1"))
    assert "entry 2" in message


@each_record
def test_wrong_headers_are_found(game: str) -> None:
    record = RECORDS[game]
    assert "'upcard' should be 1" in problem({**record, "upcard": 2})
    assert "'game' should be one of" in problem({**record, "game": "chess"})
    assert "'first' should be" in problem({**record, "first": 9})
    assert "'seed' should be 64" in problem({**record, "seed": "abc"})
    assert "'seed' should be 64" in problem({**record, "seed": record["seed"] + "  "})
    assert "'seed' should be text or null" in problem({**record, "seed": 7})
    assert "'log' should be a list" in problem({**record, "log": None})
    assert "a log entry should be a JSON object" in problem({**record, "log": [3]})
    assert "'seats' should be a list" in problem({**record, "seats": 3})
    assert "there is no 'name' in 'seats' (item 1)" in problem({**record, "seats": [{}, {}, {}]})
    assert "there are 3 players, but 1 names" in problem({**record, "seats": [{"name": "Ann"}]})
    assert "'options' has no" in problem({**record, "options": {"players": 3}})
    assert "there is no option" in problem({**record, "options": {**record["options"], "speed": 1}})
    assert "cannot be" in problem({**record, "options": {**record["options"], "players": 99}})
    seat = "dealer" if game == "stacks" else "first"
    assert "not 'random'" in problem({**record, "options": {**record["options"], seat: "random"}})
    nonsense: list[Any] = [None, 3, "text", [], True]
    for value in nonsense:
        assert "should be a JSON object" in problem(value)


LENIENT: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "a version that is true": (lambda record: record.update(upcard=True), "'upcard' should be 1, not True"),
    "a version with a decimal point": (
        lambda record: record.update(upcard=1.0),
        "'upcard' should be 1, not 1.0",
    ),
    "a seat with a decimal point": (
        lambda record: first_move(record).update(seat=float(first_move(record)["seat"])),
        "entry 2: 'seat' should be a whole number, not a decimal number",
    ),
    "a first seat with a decimal point": (
        lambda record: record.update(first=float(record["first"])),
        "'first' should be a whole number, not a decimal number",
    ),
    "an unknown field": (lambda record: record.update(note="hello"), "there is an unknown field 'note'"),
    "an unknown field of an entry": (
        lambda record: first_move(record).update(time=3),
        "entry 2: there is an unknown field 'time'",
    ),
    "an entry that is both": (
        lambda record: first_move(record).update(shuffle=[]),
        "entry 2: there is an unknown field 'seat'",
    ),
    "an unknown field of a seat": (
        lambda record: record["seats"][1].update(age=7),
        "there is an unknown field 'age' in 'seats' (item 2)",
    ),
    "winners that are true": (
        lambda record: record["result"].update(winners=[True]),
        "'result.winners' (item 1) should be a whole number, not true or false",
    ),
    "a number of players in quotes": (
        lambda record: record["options"].update(players="3"),
        "players should be 3 in 'options', not '3'",
    ),
    "a field named in half a letter": (
        lambda record: record.update({"\ud800": 1}),
        "the text in a field or in its name is not valid Unicode",
    ),
}


@each_record
def test_nothing_but_the_format_is_read(game: str, subtests: pytest.Subtests) -> None:
    """What one program reads in spite of the format, another one refuses or reads differently."""
    for name, (edit, said) in LENIENT.items():
        with subtests.test(name):
            assert edited(game, edit) == said


def test_yes_and_no_are_true_and_false() -> None:
    def edit(record: dict[str, Any]) -> None:
        record["options"]["must_play"] = "yes" if record["options"]["must_play"] else "no"

    assert edited("stacks", edit) == "must_play should be false in 'options', not 'no'"


@each_record
def test_optional_fields_may_be_null_where_the_format_says_so(game: str) -> None:
    record = copy.deepcopy(RECORDS[game]) | {"seed": None, "fairness": None}
    record["seats"] = [seat | {"bot": None} for seat in record["seats"]]
    assert replay(record).over


def test_values_that_are_too_long_are_not_repeated() -> None:
    long = "\x1b[31m" + "x" * 1_000_000
    record = RECORDS["lines"]
    for wrong in (
        {**record, "game": long},
        {**record, "upcard": long},
        {**record, long: 1},
        {**record, "options": {**record["options"], long: 1}},
        {**record, "options": {**record["options"], "players": long}},
        {**record, "options": {**record["options"], "players": 10**5_000}},
        {**record, "options": {**record["options"], "colours": 10**5_000}},
        {**record, "first": 10**5_000},
        {**record, "log": [record["log"][0], {"seat": 1, "move": long}]},
        {**record, "log": [{"shuffle": [long]}]},
        {**record, "result": {"reason": long, "winners": [], "scores": [10**5_000]}},
    ):
        said = problem(wrong)
        assert len(said) < 500
        assert said.isprintable()


def test_json_is_read_without_leniency(subtests: pytest.Subtests) -> None:
    for line, said in {
        b'{"upcard": 1, "upcard": 1}': "the key 'upcard' occurs twice in one object",
        b'[{"log": [{"seat": 1, "seat": 2}]}]': "the key 'seat' occurs twice in one object",
        b'{"first": ' + b"1" * 5_000 + b"}": "a number has more than 18 digits",
        b'{"first": -' + b"1" * 5_000 + b"}": "a number has more than 18 digits",
        b'{"first": NaN}': "this is not JSON: NaN is not a number there",
        b'{"first": -Infinity}': "this is not JSON: -Infinity is not a number there",
        b"\xef\xbb\xbf{}": "this begins with a byte order mark: save the file as UTF-8 without one",
        b"\xff{}": "this is not text in UTF-8",
        b"{frob": "this is not JSON: Expecting property name enclosed in double quotes, column 2",
        b'{"a":\n 01}': "this is not JSON: Expecting ',' delimiter, line 2 of it, column 3",
        b"[" * 100_000: "this is not JSON: nested too deeply",
    }.items():
        with subtests.test(said), pytest.raises(RecordError) as error:
            read_json(line)
        assert str(error.value) == said


def test_a_file_is_checked_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    good = json.dumps(RECORDS["lines"])
    path.write_text("\n".join([good, "{not json", good[:100], "[]", good]) + "\n\n")
    found = list(verify(path))
    assert [finding.line for finding in found] == [1, 2, 3, 4, 5]
    assert [bool(finding.problem) for finding in found] == [False, True, True, True, False]
    assert found[0].game == "lines"
    assert found[0].finished


def test_a_file_that_is_cut_off_is_said_to_be() -> None:
    line = json.dumps(RECORDS["lines"]).encode()
    assert "is the file cut off here?" in check_line(7, line[:-20]).problem


def test_bytes_and_depths_that_are_no_json_are_said_to_be(tmp_path: Path) -> None:
    assert "not text in UTF-8" in check_line(1, b"\xff\xfe\n").problem
    assert check_line(1, b"[" * 100_000 + b"\n").problem
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n")
    assert [finding.problem for finding in verify(empty)] == ["the file has no records"]


@each_record
@pytest.mark.parametrize("changes", [60, pytest.param(5_000, marks=pytest.mark.soak)])
def test_no_small_change_anywhere_leads_to_a_traceback(game: str, changes: int) -> None:
    """If any value is replaced by any other, there is a finding and never another exception."""
    dice, record = random.Random(game), RECORDS[game]
    for _ in range(changes):
        changed = copy.deepcopy(record)
        spoil(changed, dice)
        finding = check_line(1, json.dumps(changed).encode() + b"\n")
        assert finding.problem or changed == record or finding.game == game


def spoil(value: Any, dice: random.Random) -> None:
    """Replace one value somewhere inside by something else."""
    key = dice.choice(list(value) if isinstance(value, dict) else range(len(value)))
    if isinstance(value[key], dict | list) and value[key] and dice.random() < 0.8:
        spoil(value[key], dice)
    else:
        value[key] = dice.choice([None, 0, -1, 10**30, 1.5, "", "r1", "\0", [], {}, [[]], True, "random"])
