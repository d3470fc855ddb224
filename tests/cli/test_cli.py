"""The commands that do not need a compiler: help, games, rules, verify; and error messages."""

from __future__ import annotations

import importlib
import json
import os
import random
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import upcard
from tests.cli.running import Run, command, run_process
from tests.match.test_continuation import finished as finished_continuation
from upcard.bots import known
from upcard.cli import app
from upcard.core.rulebook import clauses, how_to_play, legend, rulebook
from upcard.games import GAMES, all_games, find
from upcard.match.verify import Finding

COMMANDS = [name for name in app if not name.startswith("-")]
FULL_DISK = Path("/dev/full")

each_game = pytest.mark.parametrize("game", GAMES)


# Help


def test_help_names_every_command(run: Run) -> None:
    helped = run("--help")
    assert (helped.code, helped.err) == (0, "")
    assert "Usage: upcard" in helped.out
    assert all(name in helped.out for name in COMMANDS)
    assert run("-h") == helped


def test_every_command_has_help_and_does_nothing_then(run: Run, subtests: pytest.Subtests) -> None:
    for name in COMMANDS:
        with subtests.test(name):
            helped = run(name, "--help")
            assert (helped.code, helped.err) == (0, "")
            assert f"Usage: upcard {name}" in helped.out
            assert "[default: False]" not in helped.out


def test_help_tells_every_argument_of_a_simulation(run: Run) -> None:
    text = run("simulate", "--help").out
    for word in ["GAME", "games", "players", "bots", "option", "seed", "jobs", "records", "legal", "json"]:
        assert word in text


def test_the_version_is_printed(run: Run) -> None:
    assert run("--version").out == f"{upcard.__version__}\n"


@pytest.mark.parametrize("module", ["upcard", "upcard.cli"])
def test_the_command_is_a_module_too(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", module, "--version"], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == (f"{upcard.__version__}\n", "")


# Presses Ctrl-C while a module is being imported.
EARLY = """\
import signal, sys
class Finger:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finger())
from upcard.__main__ import main
main()
"""


@pytest.mark.parametrize("module", ["typing", "cyclopts", "upcard.cli.mistakes"])
def test_ctrl_c_while_the_command_line_is_imported_shows_no_traceback(module: str) -> None:
    done = subprocess.run([sys.executable, "-c", EARLY, module], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


LOADING = """\
import sys, upcard.cli
for line in ("--help", "games", "rules lines", "play lines --seed 1"):
    try:
        upcard.cli.main(line.split())
    except SystemExit as left:
        print(line, left.code, *{"numpy", "numba"} & {*sys.modules}, file=sys.stderr)
"""


def test_what_needs_no_compiler_does_not_load_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADING], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    assert done.stderr.splitlines() == ["--help 0", "games 0", "rules lines 0", "play lines --seed 1 0"]


WITHOUT_COMPILER = """\
import io, sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("llvmlite", "numba", "numpy"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
import upcard.cli, upcard.server.app
for line in sys.argv[1:]:
    sys.stdin = io.StringIO("hint\\n1\\n")
    try:
        upcard.cli.main(line.split())
    except SystemExit as left:
        print(line, left.code, file=sys.stderr)
"""
NEEDS_COMPILER = {
    "play lines --bots hard": "normal, hard, expert and search are compiled by Numba: pip install numba",
    "simulate lines --games 1": "this command needs Numba: pip install numba",
    "tournament lines --bots greedy,random --games 2": "this command needs Numba: pip install numba",
}


def test_a_plain_table_does_without_a_compiler_and_the_rest_says_what_it_needs() -> None:
    plain = ("games", "play lines --bots greedy --seed 1")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_COMPILER, *plain, *NEEDS_COMPILER],
        capture_output=True,
        text=True,
        check=True,
    )
    refused = [line for what, why in NEEDS_COMPILER.items() for line in (f"upcard: {why}", f"{what} 2")]
    assert done.stderr.splitlines() == [f"{line} 0" for line in plain] + refused
    assert "A bot would play: " in done.stdout


# Games and rules


def test_games_lists_every_game_and_option_with_its_clause(run: Run) -> None:
    text = run("games").out
    for game in all_games():
        assert f"{game.id}: {game.summary}" in text
        for option in game.options:
            assert f"    {option.name} ({option.clause}): {option.values}; default " in text
    assert "True" not in text


def test_games_as_json_say_the_same(run: Run) -> None:
    listed = json.loads(run("games", "--json").out)
    assert [entry["game"] for entry in listed] == list(GAMES)
    for entry, game in zip(listed, all_games(), strict=True):
        assert list(entry) == ["game", "title", "summary", "options"]
        assert {option["name"]: option["default"] for option in entry["options"]} == game.complete({})


@each_game
def test_rules_prints_how_to_play_and_where_the_clauses_are(run: Run, game: str) -> None:
    printed = run("rules", game, "--lang", "de")
    assert (printed.code, printed.err) == (0, "")
    assert printed.out == f"{how_to_play(find(game), 'de')}\n    upcard rules {game} --clauses\n"


@each_game
def test_rules_prints_the_rulebook(run: Run, game: str) -> None:
    printed = run("rules", game, "--clauses")
    assert (printed.code, printed.err) == (0, "")
    assert printed.out == rulebook(find(game)).rstrip() + "\n"


@each_game
def test_rules_prints_one_clause_however_it_is_written(run: Run, game: str) -> None:
    name, text = next((name, text) for name, text in clauses(find(game)).items() if "†" not in text)
    assert run("rules", game, name).out == f"{name} {text}\n"
    assert run("rules", game, name.lower()).out == f"{name} {text}\n"


def test_rules_explains_the_mark_of_a_clause(run: Run) -> None:
    text = clauses(find("stacks"), "pl")["K7.2"]
    assert text.startswith("† ")
    printed = run("rules", "stacks", "K7.2", "--lang", "pl").out
    assert printed == f"K7.2 {text}\n\n{legend(find('stacks'), 'pl')}\n"
    assert legend(find("stacks"), "pl").startswith("† oznacza")


# Mistakes


MISTAKES = {
    "frob": "there is no command or game 'frob'; see upcard --help",
    "simualte stacks": "there is no command or game 'simualte'; did you mean simulate?",
    "stack": "there is no command or game 'stack'; did you mean stacks?",
    "help": "there is no command or game 'help'; did you mean --help?",
    "--bogus": "unknown option: --bogus",
    "play --bogus": "unknown option: --bogus. Did you mean --bots?",
    "play frob": "there is no game 'frob': choose stockpile, lines, stacks",
    "play stacks lines": "too many arguments: 'lines'",
    "play stacks --players": "--players needs a value",
    "play stacks --players 9": "players cannot be 9: it is a whole number from 2 to 6 (K2.1)",
    "play stacks --players x": "--players should be a whole number, not 'x'",
    f"play stacks --seat {'9' * 4_000}": "--seat should be a whole number of at most 40 digits, not "
    f"'{'9' * 40}'...",
    "play stacks --players 2.0": "--players should be a whole number, not '2.0'",
    "play stacks --players 3 --players 4": "parameter --players specified multiple times",
    "play stacks --players 3 --option players=4": "players is given twice",
    "play stacks --seat 3": "there is no seat 3: there are 2 players",
    "play stacks --seat 0": "there is no seat 0: there are 2 players",
    "play stacks --bots frob": f"there is no bot 'frob': choose {', '.join(known())}",
    "play stacks --bots greedy,random": "2 bots are too many: only 1 can play with you",
    "play stacks --name=": "a name should be a few letters, not ''",
    "play stacks --name=a\tb": "a name should be a few letters, not 'a\\tb'",
    "play stacks --option": "--option needs a value",
    "play stacks --option block": "an option is written name=value, not 'block'",
    "play stacks --option block=never": "block cannot be 'never': it is completion or anytime (K5.1)",
    "play lines --players 5": "5 players need 6 colours, not 5 (L1.2)",
    "play --resume": "there is no unfinished game",
    "play --resume=maybe": "--resume is yes or no, not 'maybe'",
    "play --resume --players 3": ("--resume continues a game as it is: leave out players, options and seed"),
    "games stacks": "too many arguments: 'stacks'",
    "games --jsn": "unknown option: --jsn. Did you mean --json?",
    "rules": "GAME is missing; see --help",
    "rules frob": "there is no game 'frob': choose stockpile, lines, stacks",
    "rules stacks K9.9": "Stacks has no clause 'K9.9': they run from K1.1 to K7.2",
    "rules stacks K1.1 K1.2": "too many arguments: 'K1.2'",
    "rules stacks --lang xx": "there is no rulebook in 'xx', only in de, en, es, fr, it, nl, pl, pt, pt-PT",
    "rules stacks --lang ..": "there is no rulebook in '..', only in de, en, es, fr, it, nl, pl, pt, pt-PT",
    "simulate": "GAME is missing; see --help",
    "simulate stacks --games": "--games needs a value",
    "simulate stacks --games --json": "--games needs a value",
    "simulate stacks --games 0": "--games should be 1 or more, not 0",
    "simulate stacks --games -3": "--games should be 1 or more, not -3",
    f"simulate stacks --games {10**20}": f"--games should be from 1 to {sys.maxsize}, not {10**20}",
    f"join {'h' * 64}": "the address of a table looks like http://192.168.1.20:8000/t/..., not '"
    f"{'h' * 60}'...",
    "join http://[::1": "the address of a table looks like http://192.168.1.20:8000/t/..., not 'http://[::1'",
    "serve --host \udcff": "the server cannot listen on \\udcff:8000: encoding of hostname failed",
    "simulate stacks --games 1.5": "--games should be a whole number, not '1.5'",
    "simulate stacks --games 1e3": "--games should be a whole number, not '1e3'",
    "simulate stacks --games=": "--games should be a whole number, not ''",
    "simulate stacks --jobs 0": "--jobs should be from 1 to 1000, not 0",
    "simulate stacks --jobs 99999999999999999999": (
        "--jobs should be from 1 to 1000, not 99999999999999999999"
    ),
    "simulate stacks --legal": "--legal adds to records, so it needs --records too",
    "simulate stacks --option block": "an option is written name=value, not 'block'",
    "verify": "FILES is missing; see --help",
    "verify --json": "FILES is missing; see --help",
    "verify no-such-file": "no-such-file cannot be read: No such file or directory",
    "verify .": ". cannot be read: Is a directory",
    "verify --fast": "unknown option: --fast",
}


def test_a_wrong_argument_gets_one_line_and_exit_code_2(run: Run, subtests: pytest.Subtests) -> None:
    for line, said in MISTAKES.items():
        with subtests.test(ascii(line)):
            assert run(*line.split(" ")).mistake == said


def test_an_error_with_a_line_break_is_still_one_line(run: Run) -> None:
    assert run("rules", "stacks", "a\nb").mistake.startswith("Stacks has no clause 'a\\nb'")
    assert run("play", "stacks", "--option", "a\nb").mistake.endswith("not 'a\\nb'")


def test_an_error_looks_the_same_from_a_shell() -> None:
    assert run_process("play", "stacks", "--players", "9").mistake.startswith("players cannot be 9")


# Output that cannot be written


def test_output_that_nobody_reads_any_more_is_not_an_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        command("rules", "stacks"), stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(not FULL_DISK.exists(), reason="there is no full disk to write to")
@pytest.mark.parametrize("arguments", [["rules", "lines"], ["play", "lines"]])
def test_a_full_disk_gets_one_line(arguments: list[str]) -> None:
    with FULL_DISK.open("w") as full:
        done = subprocess.run(
            command(*arguments),
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, "upcard: output: No space left on device\n")


@pytest.mark.skipif(shutil.which("sh") is None, reason="closing an output takes a shell")
def test_closed_input_and_output_are_not_errors() -> None:
    for words, closed in ((["games"], ">&-"), (["play", "lines"], "<&-"), (["play", "lines"], "<&- >&-")):
        done = subprocess.run(
            ["sh", "-c", f"{shlex.join(command(*words))} {closed}"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")


def test_a_terminal_that_knows_no_accents_still_shows_something() -> None:
    played = run_process("play", "lines", "--name", "Zoë", PYTHONIOENCODING="ascii")
    assert (played.code, played.err) == (0, "")
    assert "Zo\\xeb" in played.out


# Verify


@pytest.fixture(scope="module")
def record_lines() -> list[str]:
    """Return a finished game of each kind, as one line of JSON each."""
    return [finished(game) for game in GAMES]


def finished(game: str) -> str:
    match = upcard.new(game, seed=1, players=3)
    dice = random.Random(1)
    while not match.over:
        match.play(dice.choice(match.legal))
    return match.to_json()


def moves_in(line: str) -> int:
    return sum("move" in entry for entry in json.loads(line)["log"])


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def test_right_records_are_counted_and_the_exit_code_is_0(
    run: Run, tmp_path: Path, record_lines: list[str]
) -> None:
    verified = run("verify", write(tmp_path / "games.jsonl", record_lines))
    moves = sum(map(moves_in, record_lines))
    assert (verified.code, verified.out, verified.err) == (0, f"3 of 3 games are right, {moves} moves\n", "")


def test_an_unfinished_game_is_right_and_said_to_be_unfinished(run: Run, tmp_path: Path) -> None:
    verified = run("verify", write(tmp_path / "games.jsonl", [upcard.new("lines", seed=1).to_json()]))
    assert (verified.code, verified.out) == (0, "1 of 1 games are right, 0 moves; 1 of them unfinished\n")


@each_game
def test_a_finished_game_that_continues_another_one_is_right_and_its_beginning_is_checked(
    run: Run, tmp_path: Path, game: str
) -> None:
    record = finished_continuation(find(game))
    line = json.dumps(record)
    record["continues"]["log"].pop()
    verified = run("verify", write(tmp_path / "games.jsonl", [line, json.dumps(record)]))
    problem, total = verified.out.splitlines()
    assert (verified.code, verified.err) == (1, "")
    assert problem.startswith(f"{tmp_path / 'games.jsonl'}:2: {game}: ")
    assert total == f"1 of 2 games are right, {moves_in(line)} moves"


def damaged(line: str) -> dict[str, tuple[str, str]]:
    """Return ways to damage a record, each with the expected reason."""
    record: dict[str, Any] = json.loads(line)
    swapped = json.loads(line)
    swapped["log"][0]["shuffle"].reverse()
    moved = json.loads(line)
    moved["log"][1]["move"] = "frob"
    return {
        "no JSON": ("{frob", "this is not JSON: "),
        "cut off": (line[:-30], "this is not JSON: "),
        "another thing": ("[1, 2]", "the record should be a JSON object"),
        "empty": ("{}", "'upcard' should be 1, not None"),
        "another game": (json.dumps(record | {"game": "chess"}), "'game' should be one of "),
        "another winner": (json.dumps(record | {"result": None}), "'result' should be "),
        "a cut log": (
            json.dumps(record | {"log": record["log"][:5]}),
            "the record has a result, but its log ends before the game does",
        ),
        "other cards": (json.dumps(swapped), "entry 1: the order of the cards does not follow from the seed"),
        "no move": (json.dumps(moved), "entry 2: 'frob' is not a move of "),
    }


@each_game
def test_a_damaged_record_is_found_with_its_line_and_the_reason(
    run: Run, tmp_path: Path, record_lines: list[str], game: str, subtests: pytest.Subtests
) -> None:
    good = record_lines[list(GAMES).index(game)]
    for damage, (line, reason) in damaged(good).items():
        with subtests.test(damage):
            path = write(tmp_path / "games.jsonl", [good, line, good])
            verified = run("verify", path)
            problem, total = verified.out.splitlines()
            assert (verified.code, verified.err) == (1, "")
            assert problem.startswith(f"{path}:2: ")
            assert reason in problem
            assert total == f"2 of 3 games are right, {2 * moves_in(good)} moves"


def test_a_file_that_ends_in_the_middle_of_a_record_is_said_to_be_cut_off(
    run: Run, tmp_path: Path, record_lines: list[str]
) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(record_lines[0] + "\n" + record_lines[1][:200], "utf-8")
    verified = run("verify", path)
    assert verified.code == 1
    assert f"{path}:2: this is not JSON" in verified.out
    assert "is the file cut off here?" in verified.out


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "the file has no records"),
        (b"\n\n", "the file has no records"),
        (b"\xff\xfe\x00\n", "this is not text in UTF-8"),
        (b"[" * 100_000 + b"\n", "this is not JSON: nested too deeply"),
        (b"\x00\n", "this is not JSON: "),
    ],
    ids=["empty", "blank", "not UTF-8", "nested", "zeros"],
)
def test_a_file_without_records_is_found(run: Run, tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    verified = run("verify", path)
    assert (verified.code, verified.err) == (1, "")
    assert verified.out.startswith(f"{path}:1: {problem}")


def test_several_files_are_checked_and_each_problem_names_its_file(
    run: Run, tmp_path: Path, record_lines: list[str]
) -> None:
    good = write(tmp_path / "good.jsonl", record_lines)
    bad = write(tmp_path / "bad.jsonl", ["frob"])
    verified = run("verify", good, bad, good)
    assert verified.code == 1
    assert verified.out.splitlines()[0].startswith(f"{bad}:1: ")
    assert "6 of 7 games are right" in verified.out


def test_findings_as_json_have_a_place_for_everything(
    run: Run, tmp_path: Path, record_lines: list[str]
) -> None:
    path = write(tmp_path / "games.jsonl", [record_lines[0], "frob"])
    verified = run("verify", path, "--json")
    right, wrong = json.loads(verified.out)
    assert verified.code == 1
    assert list(right) == ["file", "line", "game", "moves", "finished", "problem"]
    assert right == {
        "file": str(path),
        "line": 1,
        "game": "stockpile",
        "moves": moves_in(record_lines[0]),
        "finished": True,
        "problem": None,
    }
    assert (wrong["line"], wrong["finished"]) == (2, False)
    assert wrong["problem"].startswith("this is not JSON")


def test_what_comes_from_a_pipe_can_be_checked(record_lines: list[str]) -> None:
    if not Path("/dev/stdin").exists():
        pytest.skip("standard input has no name here")
    verified = run_process("verify", "/dev/stdin", stdin="\n".join(record_lines))
    assert (verified.code, verified.err) == (0, "")
    assert verified.out.startswith("3 of 3 games are right")


def test_ctrl_c_while_checking_tells_what_was_found(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_path: Path) -> Iterator[Finding]:
        yield Finding(1, "lines", 20, True)
        yield Finding(2, problem="it is bent")
        raise KeyboardInterrupt

    monkeypatch.setattr(importlib.import_module("upcard.cli.verify"), "verify", interrupted)
    verified = run("verify", tmp_path)
    assert verified.code == 130
    assert verified.out == f"{tmp_path}:2: it is bent\n1 of 2 games are right, 20 moves\n"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_said_to_be(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path / "games.jsonl", [])
    path.chmod(0)
    assert run("verify", path).mistake == f"{path} cannot be read: Permission denied"
