"""Fairness: the seed comes from the server and every device, and anyone can check that afterwards."""

from __future__ import annotations

import copy
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import upcard
from tests.cli.running import Run, running
from tests.match.test_replay import spoil
from upcard.core.errors import RecordError
from upcard.games import GAMES, find
from upcard.match import Fairness, Match, Player, commitment_of, new_secret, replay
from upcard.match.verify import check_line

PAGE = Path(__file__).parents[2] / "docs" / "fairness.md"

SECRET = bytes(range(32))
SHARES = (b"\xaa" * 16, None, b"\xff" * 32)
PLAYERS = [Player("Ann"), Player("Robin", bot="greedy"), Player("Kim")]
OPENING = Fairness(SECRET, SHARES)

each_game = pytest.mark.parametrize("game", GAMES)


def dealt(game: str, fairness: Fairness = OPENING) -> Match:
    return Match(find(game), {"players": 3}, fairness.seed, PLAYERS, fairness=fairness)


def finished(game: str, fairness: Fairness = OPENING) -> Match:
    match, dice = dealt(game, fairness), random.Random(1)
    while not match.over:
        match.play(dice.choice(match.legal))
    return match


@cache
def line_of(game: str) -> str:
    return finished(game).to_json()


def record_of(game: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(line_of(game))
    return record


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return running(capsys)


# The seed


def test_commitment_and_seed_are_what_other_programs_make_of_the_same_bytes() -> None:
    """The numbers were computed by sha256sum."""
    assert OPENING.commitment.hex() == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert OPENING.seed.hex() == "aa3de8be896672081f8337ba461eac29cc182dee78bc70acc9b233e015354b96"


def test_the_commitment_is_known_before_there_are_any_shares() -> None:
    assert commitment_of(SECRET) == OPENING.commitment


def test_every_game_has_a_secret_of_its_own() -> None:
    assert len({new_secret() for _ in range(20)}) == 20
    assert len(new_secret()) == 32


OTHERS = {
    "secret": Fairness(bytes(32), SHARES),
    "a bit of a share": Fairness(SECRET, (b"\xab" + b"\xaa" * 15, None, b"\xff" * 32)),
    "a longer share": Fairness(SECRET, (b"\xaa" * 16, None, b"\xff" * 33)),
    "another seat": Fairness(SECRET, (b"\xaa" * 16, b"\xff" * 32, None)),
    "seats swapped": Fairness(SECRET, (b"\xff" * 32, None, b"\xaa" * 16)),
    "none": Fairness(SECRET, (b"\xaa" * 16, None, None)),
    "a bot more": Fairness(SECRET, (b"\xaa" * 16, None, b"\xff" * 32, None)),
}


def test_every_part_and_every_seat_counts_in_the_seed() -> None:
    assert [name for name, other in OTHERS.items() if other.seed == OPENING.seed] == []


# Bytes that look like lengths, so that shares would run into one another if that were possible.
shares = st.none() | st.integers(16, 64).flatmap(
    lambda size: st.lists(st.sampled_from([0, 16, 17, 32]), min_size=size, max_size=size).map(bytes)
)


@given(st.lists(shares, max_size=4), st.lists(shares, max_size=4))
def test_different_shares_never_read_the_same(one: list[bytes | None], other: list[bytes | None]) -> None:
    seeds = Fairness(SECRET, tuple(one)).seed, Fairness(SECRET, tuple(other)).seed
    assert (one == other) == (seeds[0] == seeds[1])


def test_bytes_cannot_move_from_a_share_into_the_next() -> None:
    one = Fairness(SECRET, (bytes([17] * 17), bytes([17] * 16)))
    other = Fairness(SECRET, (bytes([17] * 16), bytes([17] * 17)))
    assert one.seed != other.seed


def test_a_share_has_16_to_64_bytes() -> None:
    assert all(Fairness(SECRET, (bytes(size),)).shared for size in (16, 32, 64))
    for size in (0, 15, 65, 300):
        with pytest.raises(RecordError, match=f"^a share should be 16 to 64 bytes, not {size}$"):
            Fairness(SECRET, (None, bytes(size)))


def test_the_secret_is_not_in_what_a_log_would_print() -> None:
    printed = repr(OPENING)
    assert repr(SECRET) not in printed
    assert SECRET.hex() not in printed
    assert "shares" in printed


# Matches and their records


@each_game
def test_a_finished_game_tells_where_its_seed_comes_from(game: str) -> None:
    record = record_of(game)
    assert list(record) == [
        "upcard",
        "game",
        "options",
        "first",
        "seats",
        "seed",
        "fairness",
        "log",
        "result",
    ]
    assert record["fairness"] == {
        "secret": SECRET.hex(),
        "commitment": OPENING.commitment.hex(),
        "shares": ["aa" * 16, None, "ff" * 32],
    }
    assert record["seed"] == OPENING.seed.hex()


@each_game
def test_a_running_game_reveals_nothing_of_it(game: str) -> None:
    match, dice = dealt(game), random.Random(1)
    while not match.over:
        assert "fairness" not in match.record()
        match.play(dice.choice(match.legal))
    assert "fairness" in match.record()
    match.undo()
    assert "fairness" not in match.record()


@each_game
def test_the_record_replays_to_a_match_that_writes_it_again(game: str) -> None:
    again = replay(record_of(game))
    assert again.fairness == OPENING
    assert again.to_json() == line_of(game)


@each_game
def test_a_game_without_it_is_kept_as_before(game: str) -> None:
    record = record_of(game)
    del record["fairness"]
    again = replay(record)
    assert again.fairness is None
    assert again.record() == record
    assert replay({**record, "fairness": None}).record() == record


@each_game
def test_an_unfinished_record_that_has_it_is_checked_too(game: str) -> None:
    record = {**dealt(game).record(), "fairness": OPENING.to_json()}
    assert replay(record).fairness == OPENING
    record["fairness"]["secret"] = "00" * 32
    with pytest.raises(RecordError, match="commitment"):
        replay(record)


@each_game
def test_a_match_is_not_dealt_from_another_seed_than_its_own(game: str) -> None:
    with pytest.raises(RecordError, match="the seed does not follow"):
        Match(find(game), {"players": 3}, bytes(32), PLAYERS, fairness=OPENING)


# Records that are wrong


def put(**changes: object) -> Callable[[dict[str, Any]], None]:
    return lambda record: record["fairness"].update(changes)


def change(**changes: object) -> Callable[[dict[str, Any]], None]:
    return lambda record: record.update(changes)


def without(name: str) -> Callable[[dict[str, Any]], None]:
    return lambda record: record["fairness"].pop(name)


OTHER = Fairness(bytes(32), SHARES)

WRONG: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "another secret": (put(secret="00" * 32), "the commitment does not match the server's secret"),
    "another commitment": (put(commitment="00" * 32), "the commitment does not match the server's secret"),
    "a short commitment": (put(commitment="00"), "the commitment does not match the server's secret"),
    "another secret with its commitment": (
        change(fairness=OTHER.to_json()),
        "the seed does not follow from the server's secret and the shares",
    ),
    "another share": (
        put(shares=["bb" * 16, None, "ff" * 32]),
        "the seed does not follow from the server's secret and the shares",
    ),
    "shares in each other's place": (
        put(shares=["ff" * 32, None, "aa" * 16]),
        "the seed does not follow from the server's secret and the shares",
    ),
    "a share that is missing": (
        put(shares=[None, None, "ff" * 32]),
        "the seed does not follow from the server's secret and the shares",
    ),
    "too few shares": (
        put(shares=["aa" * 16, None]),
        "'fairness' should have a share or null for each of 3 seats, not for 2",
    ),
    "too many shares": (
        put(shares=["aa" * 16, None, "ff" * 32, None]),
        "'fairness' should have a share or null for each of 3 seats, not for 4",
    ),
    "a bot with a share": (
        put(shares=["aa" * 16, "bb" * 16, "ff" * 32]),
        "a bot sits at seat 2, so it should have null for a share",
    ),
    "a short share": (put(shares=["aa" * 15, None, "ff" * 32]), "a share should be 16 to 64 bytes, not 15"),
    "a long share": (put(shares=["aa" * 65, None, "ff" * 32]), "a share should be 16 to 64 bytes, not 65"),
    "an empty share": (put(shares=["", None, "ff" * 32]), "a share should be 16 to 64 bytes, not 0"),
    "a share that is a number": (
        put(shares=[7, None, "ff" * 32]),
        "'fairness.shares' (item 1) should be text or null, not a whole number",
    ),
    "a share with a digit too many": (
        put(shares=["aa" * 16 + "a", None, "ff" * 32]),
        "a share should be hexadecimal digits, two for a byte",
    ),
    "a share with spaces": (
        put(shares=["aa " * 16, None, "ff" * 32]),
        "a share should be hexadecimal digits, two for a byte",
    ),
    "shares that are no list": (
        put(shares="aa" * 16),
        "'fairness.shares' should be a list, not text",
    ),
    "no shares": (without("shares"), "there is no 'shares' in 'fairness'"),
    "a short secret": (put(secret="00" * 31), "the server's secret should be 32 bytes, not 31"),
    "a secret in words": (put(secret="sesame"), "'secret' should be hexadecimal digits, two for a byte"),
    "no secret": (without("secret"), "there is no 'secret' in 'fairness'"),
    "a commitment in words": (
        put(commitment="promised"),
        "'commitment' should be hexadecimal digits, two for a byte",
    ),
    "no commitment": (without("commitment"), "there is no 'commitment' in 'fairness'"),
    "a promise": (change(fairness="yes"), "'fairness' should be a JSON object or null, not text"),
    "no seed": (change(seed=None), "'fairness' explains a seed, but there is no 'seed'"),
}


@each_game
def test_whatever_is_wrong_with_it_is_said_in_one_sentence(game: str, subtests: pytest.Subtests) -> None:
    for wrong, (edit, sentence) in WRONG.items():
        with subtests.test(wrong):
            record = record_of(game)
            edit(record)
            with pytest.raises(RecordError) as error:
                replay(record)
            assert str(error.value) == sentence


@each_game
def test_a_deck_changed_after_the_deal_does_not_follow_from_the_shares(game: str) -> None:
    """With the seed of the other deck in the record, the shares reveal it; without it, the cards do."""
    changed = finished(game, OTHER).record() | {"fairness": OPENING.to_json()}
    with pytest.raises(RecordError, match="the seed does not follow from the server's secret"):
        replay(changed)
    with pytest.raises(RecordError, match="entry 1: the order of the cards does not follow from the seed"):
        replay(changed | {"seed": OPENING.seed.hex()})


@each_game
def test_no_value_in_its_place_leads_to_a_traceback(game: str) -> None:
    dice = random.Random(game)
    for _ in range(100):
        told = copy.deepcopy(OPENING.to_json())
        spoil(told, dice)
        line = json.dumps({**dealt(game).record(), "fairness": told}).encode()
        assert check_line(1, line).problem or told == OPENING.to_json()


# Output of `upcard verify`


def alone(game: str) -> str:
    """Return a game between bots, whose seed comes from the server alone."""
    fairness = Fairness(SECRET, (None, None))
    players = [Player("Robin", bot="greedy"), Player("Toni", bot="greedy")]
    match = Match(find(game), {"players": 2}, fairness.seed, players, fairness=fairness)
    while not match.over:
        match.play(match.legal[0])
    return match.to_json()


def forged(game: str) -> str:
    return json.dumps({**record_of(game), "fairness": OTHER.to_json()})


def plain(game: str) -> str:
    return upcard.new(game, seed=1).to_json()


def moves_in(*lines: str) -> int:
    return sum("move" in entry for line in lines for entry in json.loads(line)["log"])


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def test_verify_counts_the_games_with_a_proven_shuffle(run: Run, tmp_path: Path) -> None:
    lines = [line_of(game) for game in GAMES]
    verified = run("verify", write(tmp_path / "games.jsonl", *lines, plain("lines")))
    assert (verified.code, verified.err) == (0, "")
    assert verified.out == (
        f"4 of 4 games are right, {moves_in(*lines)} moves; 1 of them unfinished; "
        "3 of them with a proven shuffle\n"
    )


def test_verify_says_nothing_of_it_where_no_record_does(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path / "games.jsonl", *map(plain, GAMES))
    assert run("verify", path).out == "3 of 3 games are right, 0 moves; 3 of them unfinished\n"
    for finding in json.loads(run("verify", "--json", path).out):
        assert list(finding) == ["file", "line", "game", "moves", "finished", "problem"]


@each_game
def test_a_forged_proof_counts_for_nothing_and_fails(run: Run, tmp_path: Path, game: str) -> None:
    path = write(tmp_path / "games.jsonl", forged(game))
    verified = run("verify", path)
    assert (verified.code, verified.err) == (1, "")
    assert verified.out.splitlines() == [
        f"{path}:1: {game}: the seed does not follow from the server's secret and the shares",
        "0 of 1 games are right, 0 moves; 0 of them with a proven shuffle",
    ]


@each_game
def test_a_seed_that_the_server_made_alone_is_right_but_proves_nothing(
    run: Run, tmp_path: Path, game: str
) -> None:
    line = alone(game)
    verified = run("verify", write(tmp_path / "games.jsonl", line))
    assert verified.code == 0
    assert verified.out == (
        f"1 of 1 games are right, {moves_in(line)} moves; 0 of them with a proven shuffle\n"
    )


@each_game
def test_verify_as_json_says_it_of_each_game(run: Run, tmp_path: Path, game: str) -> None:
    path = write(tmp_path / "games.jsonl", line_of(game), plain(game), forged(game), alone(game), "frob")
    findings = json.loads(run("verify", "--json", path).out)
    assert [finding["proven"] for finding in findings] == [True, None, False, False, None]
    assert [bool(finding["problem"]) for finding in findings] == [False, False, True, False, True]


# The page


@cache
def programs() -> list[str]:
    """Return the programs on the page: the one for the seed, and the one for the cards."""
    found = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(found) == 2
    return found


def told_by(program: str, *arguments: str | Path) -> dict[str, str]:
    """Run a program as a reader would, and return its result for each check."""
    done = subprocess.run(
        [sys.executable, "-I", "-W", "error", "-c", program, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return dict(line.split(": ") for line in done.stdout.splitlines())


def test_the_check_by_hand_has_ten_lines_at_most() -> None:
    assert len([line for line in programs()[0].splitlines() if line]) <= 10


@each_game
def test_the_check_by_hand_agrees_with_an_honest_record(tmp_path: Path, game: str) -> None:
    path = write(tmp_path / "game.json", line_of(game))
    noted = [OPENING.commitment.hex(), "aa" * 16, "ff" * 32]
    right = {"as I noted": "True", "commitment": "True", "seed": "True"}
    assert told_by(programs()[0], path, *noted) == right
    assert told_by(programs()[0], path) == right | {"as I noted": "False"}


def test_the_check_by_hand_finds_another_secret_and_another_share(tmp_path: Path) -> None:
    record = record_of("lines")
    put(secret="00" * 32)(record)
    path = write(tmp_path / "game.json", json.dumps(record))
    assert told_by(programs()[0], path) == {"as I noted": "False", "commitment": "False", "seed": "False"}
    record = record_of("lines")
    put(shares=["bb" * 16, None, "ff" * 32])(record)
    path = write(tmp_path / "game.json", json.dumps(record))
    told = told_by(programs()[0], path, OPENING.commitment.hex())
    assert told == {"as I noted": "True", "commitment": "True", "seed": "False"}


def test_a_game_that_was_made_up_passes_everything_but_the_notes(run: Run, tmp_path: Path) -> None:
    """The reason why the page asks for notes: a server that had changed its secret would have shown another
    commitment."""
    path = write(tmp_path / "game.json", finished("stacks", OTHER).to_json())
    assert "1 of them with a proven shuffle" in run("verify", path).out
    told = told_by(programs()[0], path, OPENING.commitment.hex(), "aa" * 16, "ff" * 32)
    assert told == {"as I noted": "False", "commitment": "True", "seed": "True"}


@each_game
def test_the_program_on_the_page_shuffles_and_draws_lots_as_upcard_does(tmp_path: Path, game: str) -> None:
    for number in range(4):  # one lot may be right by chance
        match = dealt(game, Fairness(bytes([number]) * 32, SHARES))
        seat = match.options["dealer" if game == "stacks" else "first"]
        path = write(tmp_path / "game.json", match.to_json())
        assert told_by(programs()[1], path) == {"first shuffle": "True", "seat by lot": str(seat)}


def test_the_program_on_the_page_throws_away_words_that_would_favour_some_numbers() -> None:
    """Too rare in games, so a stream that begins with such a word is used."""
    functions: dict[str, Any] = {}
    exec(programs()[1].partition("\nrecord = ")[0], functions)
    assert functions["below"](3 * 2**29, iter([0, 7])) == (7 * 3 * 2**29) >> 32


@each_game
def test_the_program_on_the_page_finds_another_order_of_the_cards(tmp_path: Path, game: str) -> None:
    record = record_of(game)
    record["log"][0]["shuffle"].reverse()
    path = write(tmp_path / "game.json", json.dumps(record))
    assert told_by(programs()[1], path)["first shuffle"] == "False"


def test_every_file_that_the_page_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", PAGE.read_text("utf-8"))
    assert len(links) > 5
    for link in links:
        assert (PAGE.parent / link).is_file(), link


def test_the_page_quotes_what_verify_says(run: Run, tmp_path: Path) -> None:
    line = line_of("lines")
    said = run("verify", write(tmp_path / "game.json", line)).out
    quoted = re.sub(r"\d+ moves", f"{moves_in(line)} moves", PAGE.read_text("utf-8"))
    assert f"$ upcard verify game.json\n{said}" in quoted
