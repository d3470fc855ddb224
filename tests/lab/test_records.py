"""Files of records: all commands read them alike and within bounds, and no game is lost in writing them."""

from __future__ import annotations

import errno
import importlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import upcard
from tests.cli.running import Run, running
from upcard.core.errors import UpcardError
from upcard.lab.records import NotWritten, RecordFile
from upcard.match import reading
from upcard.match.reading import Found, read_records, record_in
from upcard.match.verify import verify

RECORD = upcard.new("lines", seed=1, names=["Ann", "Line\u2028break"]).record()
LINE = json.dumps(RECORD, ensure_ascii=False)
PRETTY = json.dumps(RECORD, indent=2, ensure_ascii=False)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command in this process."""
    return running(capsys)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a file that does not exist yet."""
    return tmp_path / "games.jsonl"


def found_in(path: Path, text: str) -> list[Found]:
    path.write_bytes(text.encode())
    return list(read_records(path))


# Reading


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (LINE, [1]),
        (f"{LINE}\n{LINE}\n", [1, 2]),
        (f"\n{LINE}\r\n\n \n{LINE}\r\n", [2, 5]),
        (PRETTY, [1]),
        (f"\n{PRETTY}\n", [2]),
        (f"{PRETTY}\n{PRETTY}\n{LINE}\n", [1, PRETTY.count("\n") + 2, 2 * PRETTY.count("\n") + 3]),
        (json.dumps(RECORD, indent=0, ensure_ascii=False), [1]),
        (LINE.replace(', "', ',\n "'), [1]),
    ],
)
def test_a_record_may_be_a_line_or_several_and_all_commands_read_it_alike(
    path: Path, text: str, lines: list[int]
) -> None:
    assert found_in(path, text) == [Found(line, RECORD) for line in lines]
    assert [(finding.line, finding.problem) for finding in verify(path)] == [(line, "") for line in lines]
    assert record_in(path, len(lines)) == RECORD


def problems(path: Path, text: str) -> dict[int, str]:
    return {found.line: found.problem for found in found_in(path, text) if found.problem}


def test_a_broken_line_leaves_the_others_as_they_are(path: Path) -> None:
    cut = LINE[:50]
    assert list(problems(path, f"{cut}\n{LINE}\n{LINE}\n")) == [1]
    assert list(problems(path, f"{LINE}\n{cut}\n{LINE}\n")) == [2]
    assert list(problems(path, f"{LINE}\n{LINE}\n{cut}")) == [3]
    assert list(problems(path, f"[[\n{LINE}\n")) == [1]


def test_a_file_that_is_cut_off_is_said_to_be(path: Path) -> None:
    for text in (LINE[:-20], PRETTY[:-20], PRETTY[: len(PRETTY) // 2]):
        ((line, problem),) = problems(path, text).items()
        assert line == 1
        assert problem.startswith("this is not JSON: ")
        assert problem.endswith("(is the file cut off here?)")


@pytest.mark.parametrize(
    "wrong", ["\ufeff" + LINE, LINE[:-1] + ', "first": 1}', LINE.replace("1", "9" * 5000)]
)
def test_the_last_line_is_not_said_to_be_cut_off_if_it_is_whole(path: Path, wrong: str) -> None:
    assert "cut off" not in problems(path, wrong)[1]


def test_a_problem_in_a_record_of_several_lines_is_found_at_its_line(path: Path) -> None:
    wrong = PRETTY.replace('\n  "first": ', "\n  first: ")
    place = wrong[: wrong.index("\n  first: ")].count("\n") + 2
    assert problems(path, wrong) == {
        1: "this is not JSON: Expecting property name enclosed in double quotes, "
        f"line {place} of it, column 3"
    }


def test_a_line_that_is_too_long_is_not_kept_in_memory(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_RECORD", len(LINE.encode()) + 1)
    assert problems(path, f"{'x' * 50_000}\n{LINE}\n{LINE} \n") == {1: reading.TOO_LONG, 3: reading.TOO_LONG}
    assert problems(path, f"{PRETTY}\n") == {1: reading.TOO_LONG}
    assert problems(path, "{\n" + "x" * 50_000) == {1: reading.TOO_LONG}


def test_a_byte_order_mark_is_named(path: Path) -> None:
    said = "this begins with a byte order mark: save the file as UTF-8 without one"
    assert problems(path, f"\ufeff{LINE}\n{LINE}\n") == {1: said}
    assert problems(path, f"\ufeff{PRETTY}\n") == {1: said}


def test_a_game_that_is_not_in_the_file_is_an_error(path: Path) -> None:
    path.write_text(f"{LINE}\nfrob\n", "utf-8")
    for number, said in {
        0: f"{path} has 2 games: there is no game 0",
        2: f"{path}:2: this is not JSON: Expecting value, column 1",
        3: f"{path} has 2 games: there is no game 3",
    }.items():
        with pytest.raises(UpcardError) as error:
            record_in(path, number)
        assert str(error.value) == said


# Output


def test_millions_of_problems_are_not_all_listed(
    run: Run, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = importlib.import_module("upcard.cli.verify")
    monkeypatch.setattr(command, "MAX_LISTED", 3)
    monkeypatch.setattr(command, "MAX_IN_MEMORY", 100)
    path.write_text("frob\n" * 50 + LINE + "\n", "utf-8")
    verified = run("verify", path)
    assert verified.code == 1
    assert [line.partition(": ")[0] for line in verified.out.splitlines()[:3]] == [
        f"{path}:{line}" for line in (1, 2, 3)
    ]
    assert verified.out.splitlines()[3:] == [
        "... and 47 more problems; --json lists them all",
        "1 of 51 games are right, 0 moves; 1 of them unfinished",
    ]
    assert len(json.loads(run("verify", path, "--json").out)) == 51


EVIL = "\x1b]0;mine\x07\x1b[31m\u202e[bold]" + "x" * 1_000_000


def test_what_a_record_says_does_not_reach_the_terminal_raw(run: Run, path: Path) -> None:
    evil: list[dict[str, Any]] = [
        RECORD | {"game": EVIL},
        RECORD | {EVIL: 1},
        RECORD | {"log": [*RECORD["log"], {"seat": RECORD["first"], "move": EVIL}]},
        RECORD | {"seats": [{"name": EVIL}]},
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in evil), "utf-8")
    verified = run("verify", path)
    assert verified.code == 1
    assert all(line.isprintable() for line in verified.out.splitlines())
    assert len(verified.out) < 3_000


def test_names_are_shown_without_control_characters() -> None:
    shown = str(upcard.load(RECORD | {"seats": [{"name": EVIL}, {"name": "Zoë"}]}))
    assert all(line.isprintable() for line in shown.splitlines())
    assert len(shown) < 2_000
    assert "Zoë" in shown


# Writing


def files_in(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text("utf-8") for file in folder.iterdir()}


def test_the_old_file_stays_until_the_new_one_is_whole(path: Path) -> None:
    path.write_text("old\n")
    path.chmod(0o640)
    with RecordFile(path) as file:
        file.writelines(["one\n", "two\n"])
        assert files_in(path.parent) == {"games.jsonl": "old\n", "games.jsonl.part": "one\ntwo\n"}
    assert files_in(path.parent) == {"games.jsonl": "one\ntwo\n"}
    assert path.stat().st_mode & 0o777 == 0o640


def test_without_a_game_the_old_file_stays(path: Path) -> None:
    path.write_text("old\n")
    with RecordFile(path):
        pass
    assert files_in(path.parent) == {"games.jsonl": "old\n"}


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_whatever_ends_it_the_games_that_were_finished_stay(path: Path, error: type[BaseException]) -> None:
    def play() -> None:
        with RecordFile(path) as file:
            file.writelines(["one\n"])
            raise error

    with pytest.raises(error):
        play()
    assert files_in(path.parent) == {"games.jsonl": "one\n"}


def test_the_games_of_a_killed_process_are_not_written_over(path: Path) -> None:
    path.with_name("games.jsonl.part").write_text("rescued\n")
    with RecordFile(path) as one, RecordFile(path) as other:
        one.writelines(["one\n"])
        other.writelines(["other\n"])
    assert files_in(path.parent) == {"games.jsonl": "one\n", "games.jsonl.part": "rescued\n"}


def test_a_link_stays_a_link(path: Path) -> None:
    path.symlink_to("elsewhere.jsonl")
    with RecordFile(path) as file:
        file.writelines(["one\n"])
    assert path.is_symlink()
    assert path.with_name("elsewhere.jsonl").read_text() == "one\n"


def disk_of(size: int) -> Callable[[int, Any], int]:
    """Return a function that writes to a disk with room for a few bytes."""
    left, write = size, os.write

    def write_what_fits(output: int, data: Any) -> int:
        nonlocal left
        if not left:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = write(output, data[:left])
        left -= written
        return written

    return write_what_fits


@pytest.mark.parametrize("size", [0, 3, 4, 7, 8, 11])
def test_a_disk_that_fills_up_leaves_whole_lines(
    path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    path.write_text("old\n")
    with RecordFile(path) as file:
        monkeypatch.setattr(os, "write", disk_of(size))
        with pytest.raises(NotWritten, match="No space left on device") as error:
            file.writelines(["one\n", "two\n", "six\n"])
        monkeypatch.undo()
    assert error.value.written == size // 4
    assert files_in(path.parent) == {"games.jsonl": "one\ntwo\nsix\n"[: size - size % 4] or "old\n"}
