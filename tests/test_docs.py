"""All commands and code in the documentation are run, and do what it says."""

from __future__ import annotations

import ast
import importlib
import io
import json
import os
import re
import subprocess
import sys
import tokenize
import tomllib
from dataclasses import fields, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

import upcard
from tests.cli.running import Run, run_process, running
from tests.docs import programs
from tests.docs.pages import (
    BOOKS,
    COMMENTED,
    PAGES,
    ROOT,
    Block,
    Command,
    blocks,
    commands,
    commands_in,
    commands_in_text,
    is_shell,
    prose,
    spans,
)
from tests.docs.reader import Reader, finished, wants_compiling
from tests.server.guests import PATIENCE
from tests.server.guests import running as serving
from tests.server.servers import Postgres
from upcard.bots import Turn
from upcard.cli import app
from upcard.games import GAMES
from upcard.match.format import ContinuationFields

EVERYTHING = [*PAGES, *COMMENTED]
BLOCKS = [block for page in EVERYTHING for block in blocks(page)]

# Blocks that have a test of their own, by their page and their language or first line.
DOCUMENTS = "tests/server/ops/test_documents.py"
FAIRNESS = "tests/match/test_fairness.py"
HERE = "tests/test_docs.py"
TESTED_BY = {
    ("docs/api.md", "text"): (
        "tests/docs/test_written.py",
        "test_a_page_that_is_made_from_the_code_is_up_to_date",
    ),
    ("docs/bots.md", "toml"): (HERE, "test_a_bot_of_another_package_is_found_by_its_name"),
    ("docs/fairness.md", "python"): (FAIRNESS, "test_the_check_by_hand_agrees_with_an_honest_record"),
    ("docs/fairness.md", "$ upcard verify game.json"): (FAIRNESS, "test_the_page_quotes_what_verify_says"),
    ("docs/fairness.md", "$ python check.py game.json COMMITMENT SHARE SHARE ..."): (
        HERE,
        "test_the_check_by_hand_prints_what_the_page_shows",
    ),
    ("docs/hosting.md", "json"): (DOCUMENTS, "test_the_line_of_the_log_that_is_shown_looks_like_one"),
    ("docs/hosting.md", "toml"): (DOCUMENTS, "test_the_line_that_matters_behind_a_proxy_is_accepted"),
    ("docs/hosting.md", "python3 -m venv /opt/upcard"): (
        DOCUMENTS,
        "test_the_unit_starts_what_the_page_installs",
    ),
    ("docs/hosting.md", "umask 077"): (
        DOCUMENTS,
        "test_a_backup_is_made_while_people_play_and_can_be_restored",
    ),
    ("docs/hosting.md", "systemctl stop upcard"): (
        DOCUMENTS,
        "test_a_backup_is_made_while_people_play_and_can_be_restored",
    ),
    ("docs/hosting.md", "pg_dump --format=custom --file=upcard.dump upcard"): (
        HERE,
        "test_a_backup_of_postgresql_can_be_restored",
    ),
    ("docs/learning.md", "python"): ("tests/rl/test_pages.py", "test_the_examples_for_learners_run"),
    ("docs/records.md", "json"): (HERE, "test_the_record_that_is_shown_has_the_fields_of_a_real_one"),
}
# Blocks that are not run, and why.
NOT_RUN = {
    ("ARCHITECTURE.md", ""): "pictures of the layers, which import-linter checks",
    ("ARCHITECTURE.md", "mermaid"): "a picture of the way of a move",
}
# Languages that the tests below handle.
LANGUAGES = {"console", "python", "sh"}

# Spans that only look like a command.
NO_COMMANDS = {"upcard fairness 1": "words that go into a hash"}


def keys(block: Block) -> set[tuple[str, str]]:
    """Return the keys by which the tables above may name a block."""
    return {(block.page, block.language), (block.page, block.text.partition("\n")[0])}


def has_own_test(block: Block) -> bool:
    """Whether a block has its own test."""
    return not keys(block).isdisjoint(TESTED_BY)


@cache
def names_in(file: str) -> set[str]:
    """Return the names of the functions in a file, including tests."""
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


# Nothing is overlooked


def test_every_block_of_code_is_of_a_kind_that_is_tested() -> None:
    assert len(BLOCKS) > 30
    for block in BLOCKS:
        if keys(block).isdisjoint(TESTED_BY.keys() | NOT_RUN):
            assert block.language in LANGUAGES, f"no test knows what to do with this: {block}"


def test_every_test_that_a_block_is_left_to_exists() -> None:
    for file, name in TESTED_BY.values():
        assert name in names_in(file), f"{file} has no {name}"


def test_no_block_is_excused_that_is_not_there() -> None:
    assert TESTED_BY.keys() | NOT_RUN.keys() <= set().union(*map(keys, BLOCKS))
    assert NO_COMMANDS.keys() <= {span for page in EVERYTHING for span in spans(page)}


@pytest.mark.parametrize("page", EVERYTHING)
def test_a_command_is_written_as_code(page: str) -> None:
    """Commands are searched for in code only."""
    assert re.findall(rf"\bupcard (?:{'|'.join(app)})\b|\bpython \S+\.py", prose(page)) == []


def test_rulebooks_and_word_lists_show_nothing_to_type() -> None:
    assert len(BOOKS) > 20
    for page in BOOKS:
        assert blocks(page) == []
        assert commands(page) == []


# Commands


def typed(page: str) -> list[Command]:
    """Return the commands of a page that are run here: those of Upcard, and the example that trains a
    network."""
    return [
        command
        for command in commands(page)
        if (command.program == "upcard" and str(command) not in NO_COMMANDS)
        or command.words[1:2] == ("examples/train.py",)
    ]


def mentions(command: Command) -> bool:
    """Whether a command is only mentioned in running text. The commands of operators need a server, and
    tests/server/ops runs them."""
    return command.inline and (len(command.words) == 2 or command.words[1] in ("tables", "people", "keys"))


def name_of(command: Command) -> str:
    """Return a command as the name of a test: without spaces, and without the @ before a group."""
    return re.sub(r"[ @]", "_", str(command))


UPCARD = {
    name_of(command): command
    for page in EVERYTHING
    for command in typed(page)
    if command.program == "upcard" and not mentions(command)
}


@pytest.mark.parametrize("command", UPCARD.values(), ids=UPCARD)
def test_the_command_line_knows_every_flag_of_a_documented_command(command: Command) -> None:
    app.parse_args(list(command.words[1:]), print_error=False, exit_on_error=False)


@pytest.mark.parametrize("page", EVERYTHING)
def test_every_command_that_is_mentioned_exists(page: str) -> None:
    flags = {name for argument in app.assemble_argument_collection() for name in argument.names}
    assert {command.words[1] for command in typed(page) if mentions(command)} <= {*app, *flags}


def test_every_flag_that_is_mentioned_exists() -> None:
    parts = [app[name] for name in app if not name.startswith("-")]
    parts += [part[name] for part in parts for name in part if not name.startswith("-")]
    known = {
        name
        for part in [app, *parts]
        if part.default_command is not None
        for argument in part.assemble_argument_collection()
        for name in argument.names
    }
    mentioned = {(page, span.split()[0]) for page in PAGES for span in spans(page) if span.startswith("--")}
    assert len(mentioned) > 10
    assert [(page, flag) for page, flag in sorted(mentioned) if flag not in known] == []


def chains() -> dict[str, list[Command]]:
    """Return commands that build on each other, by the first of them: one that reads a file comes after the
    one on the same page that writes it."""
    found: dict[str, list[Command]] = {}
    for page in EVERYTHING:
        written: dict[str, list[Command]] = {}
        for command in typed(page):
            if mentions(command):
                continue
            read = {part for word in command.words for part in re.split("[,:]", word)}
            chain = next((written[name] for name in written if name in read), None)
            if chain is None:
                chain = found.setdefault(name_of(command), [])
            if str(command) not in map(str, chain):
                chain.append(command)
            for flag, value in pairwise(command.words):
                if flag in ("--records", "--out"):
                    written[value] = chain
    return found


CHAINS = chains()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return running(capsys)


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Reader:
    return Reader(tmp_path, monkeypatch, run)


@pytest.mark.parametrize(
    "chain",
    [
        pytest.param(chain, id=name, marks=[pytest.mark.compiled] if wants_compiling(chain) else [])
        for name, chain in CHAINS.items()
    ],
)
def test_every_command_runs_in_a_short_form(reader: Reader, chain: list[Command]) -> None:
    for command in chain:
        ran = reader.type(command)
        assert ran.code == 0, f"{command}\n{ran.err}"
        assert "Traceback" not in ran.err


# The quoted shares of wins of the first bot.
SHARES = {
    "upcard tournament lines --bots search@30000,greedy --games 160 --seed probe": "wins (.+?) % of 160",
    "upcard tournament lines --bots net:lines.npz,greedy --games 4000 --seed proof": "it won (.+?) % ",
}


def test_every_page_that_says_how_often_a_bot_wins_has_the_command() -> None:
    assert SHARES.keys() <= set(map(str, UPCARD.values()))


@pytest.mark.soak
@pytest.mark.parametrize(
    "chain",
    [
        pytest.param(chain, id=name, marks=[pytest.mark.compiled])
        for name, chain in CHAINS.items()
        if wants_compiling(chain) and "--on" not in chain[0].words
    ],
)
def test_every_command_runs_as_it_is_written(reader: Reader, chain: list[Command]) -> None:
    for command in chain:
        said = SHARES.get(str(command))
        wanted = replace(command, words=(*command.words, "--json")) if said else command
        ran = reader.type(wanted, short=False)
        assert ran.code == 0, f"{command}\n{ran.err}"
        if said:
            (share,) = re.findall(said, " ".join((ROOT / command.page).read_text("utf-8").split()))
            places = len(share.partition(".")[2])
            assert share == f"{100 * json.loads(ran.out)['standings'][0]['share']:.{places}f}"


def test_every_command_of_another_program_names_what_is_there() -> None:
    found = [
        command
        for page in EVERYTHING
        for block in blocks(page)
        if is_shell(block) and not has_own_test(block)
        for command in commands_in(block)
    ]
    found += [command for page in EVERYTHING for command in commands_in_text(page)]
    others = [command for command in found if command.program != "upcard"]
    assert len(others) > 20
    for command in others:
        programs.check(command.words)


def test_the_readme_names_every_extra_once() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    listed = re.findall(r"^\| `(\w+)` \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(extras)


def test_every_block_for_a_shell_is_read_by_a_shell() -> None:
    for block in BLOCKS:
        if block.language == "sh":
            subprocess.run(["bash", "-n"], input=block.text, text=True, check=True)


# Asks Ray's own command line, which is not started.
PARSED_BY_RAY = """
import json, sys
from ray.scripts.scripts import cli
for name, *arguments in json.loads(sys.argv[1]):
    cli.commands[name].make_context(name, arguments)
"""


def test_ray_knows_every_flag_of_its_documented_commands() -> None:
    found = [command.words[1:] for command in commands("docs/cluster.md") if command.program == "ray"]
    assert ("start", "--head") in found
    done = subprocess.run(
        [sys.executable, "-c", PARSED_BY_RAY, json.dumps(found)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


# Sessions


def shown_by(lines: list[str]) -> re.Pattern[str]:
    """Return a pattern for the beginning of an output; a line of three dots stands for any lines, and three
    dots in a line for any text."""
    dots = re.escape("...")
    parts = [
        r"(?:.*\n)*?" if line == "..." else re.escape(line).replace(dots, ".*") + r"\n" for line in lines
    ]
    return re.compile("".join(parts))


@pytest.mark.parametrize(
    "block",
    [
        pytest.param(block, id=name_of(commands_in(block)[0]))
        for block in BLOCKS
        if block.language == "console" and not has_own_test(block)
    ],
)
def test_a_session_goes_as_it_is_shown(reader: Reader, block: Block) -> None:
    first, *shown = block.text.splitlines()
    (command,) = commands_in(block)
    assert first == f"$ {command}"
    answers = [line.partition(": ")[2] for line in shown if line.startswith("Your move: ")]
    ran = reader.type(command, answers)
    assert shown_by(shown).match(ran.out), ran.out


def test_the_check_by_hand_prints_what_the_page_shows(tmp_path: Path) -> None:
    page = "docs/fairness.md"
    program = next(block.text for block in blocks(page) if block.language == "python")
    session = next(block.text for block in blocks(page) if block.text.startswith("$ python"))
    match = finished("lines")
    assert match.fairness is not None
    (tmp_path / "check.py").write_text(program, "utf-8")
    (tmp_path / "game.json").write_text(match.to_json(), "utf-8")
    command, _, shown = session.partition("\n")
    noted = [match.fairness.commitment, *filter(None, match.fairness.shares)]
    words = command.removeprefix("$ python ").split()
    assert words == ["check.py", "game.json", "COMMITMENT", "SHARE", "SHARE", "..."]
    arguments = [*words[:2], *(note.hex() for note in noted)]
    said = subprocess.check_output([sys.executable, "-I", *arguments], cwd=tmp_path, text=True)
    assert said == shown


# Python


def values_shown(text: str) -> dict[int, str]:
    """Return the values in comments, by line: those that look like Python values."""
    found = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        comment = token.string.lstrip("# ")
        if token.type == tokenize.COMMENT and re.match(r"""[\[({'"\d]|(True|False|None)\b""", comment):
            found[token.start[0]] = comment
    return found


def run_python(page: str, text: str, names: dict[str, Any]) -> None:
    """Run a snippet, and compare the value of each expression with the one shown beside it."""
    shown = values_shown(text)
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.Expr):
            value = eval(compile(ast.Expression(statement.value), page, "eval"), names)
            expected = shown.pop(statement.end_lineno or 0, None)
            if expected is not None:
                pattern = re.escape(expected).replace(re.escape("..."), ".*")
                assert re.fullmatch(pattern, repr(value)), f"{expected} is shown, and it is {value!r}"
        else:
            exec(compile(ast.Module([statement], []), page, "exec"), names)
    assert shown == {}, "a value is shown beside something that has none"


SNIPPETS = {
    page: [block for block in blocks(page) if block.language == "python" and not has_own_test(block)]
    for page in PAGES
}


@pytest.mark.parametrize(
    "page", [page for page, found in SNIPPETS.items() if found and page != "docs/bots.md"]
)
def test_the_python_of_a_page_runs_and_gives_the_values_that_are_shown(page: str) -> None:
    names: dict[str, Any] = {}
    for block in SNIPPETS[page]:
        run_python(page, block.text, names)


@pytest.mark.compiled
def test_the_python_on_the_page_of_bots_shows_what_a_bot_thought_of_stacks(
    capsys: pytest.CaptureFixture[str],
) -> None:
    names: dict[str, Any] = {}
    for block in SNIPPETS["docs/bots.md"]:
        run_python(block.page, block.text, names)
    said = re.findall(r"^(.+) \d+ \d+%$", capsys.readouterr().out, re.MULTILINE)
    assert sorted(said) == sorted(names["table"].legal)


def test_a_value_that_is_not_the_one_shown_is_noticed() -> None:
    run_python("a page", "x = 2\nx  # 2\n[x, 3]  # [2, ...]\nx  # is two\n", {})
    for wrong in ("1 + 1  # 3", "[1, 2]  # [2, ...]", "x = 2  # 2"):
        with pytest.raises(AssertionError, match="shown"):
            run_python("a page", wrong, {})


def test_every_python_name_that_is_mentioned_exists() -> None:
    files = {file.name for file in (ROOT / "deploy").iterdir()} | {"upcard.env"}
    mentioned = {
        found[0]
        for page in PAGES
        for span in spans(page)
        if span not in files and (found := re.match(r"upcard(\.\w+)+", span))
    }
    assert len(mentioned) > 5
    for name in mentioned:
        module, _, attribute = name.rpartition(".")
        try:
            importlib.import_module(name)
        except ModuleNotFoundError:
            assert hasattr(importlib.import_module(module), attribute), name


def test_a_bot_of_another_package_is_found_by_its_name(tmp_path: Path) -> None:
    page = "docs/bots.md"
    (told,) = (block.text for block in blocks(page) if block.language == "toml")
    (code,) = (block.text for block in blocks(page) if block.text.startswith("class "))
    (points,) = tomllib.loads(told)["project"]["entry-points"].items()
    ((name, place),) = points[1].items()
    about = tmp_path / "mypackage-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: mypackage\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[{points[0]}]\n{name} = {place}\n")
    (tmp_path / f"{place.partition(':')[0]}.py").write_text(code)
    assert f"--bots {name}" in spans(page)
    arguments = ["simulate", "lines", "--games", "2", "--bots", name, "--seed", "1", "--jobs", "1", "--json"]
    ran = run_process(*arguments, PYTHONPATH=str(tmp_path))
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["bots"] == [name, name]


# Tables


def rows(page: str, heading: str) -> list[dict[str, str]]:
    """Return the rows of the tables that have a heading, by their headings."""
    found, names = [], None
    for line in (ROOT / page).read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            names = None
        elif names is None:
            names = cells
        elif heading in names and not line.startswith("|---"):
            found.append(dict(zip(names, cells, strict=True)))
    return found


def test_the_table_of_a_turn_has_all_that_a_bot_is_told() -> None:
    shown = [row["field of a turn"].strip("`") for row in rows("docs/bots.md", "field of a turn")]
    assert shown == [field.name for field in fields(Turn)]


# Code in the table of moves that is part of a move, or an option.
NO_MOVES = {"must_play", "top "}


@pytest.mark.parametrize("game", GAMES)
def test_every_card_and_move_in_the_table_of_notation_can_be_read(game: str) -> None:
    (row,) = (row for row in rows("docs/records.md", "cards") if row["game"] == game)
    match = upcard.new(game, players=3, seed=1)
    cards, moves = (set(re.findall("`([^`]+)`", row[name])) for name in ("cards", "moves"))
    assert cards
    assert moves
    for card in cards:
        match.game.read_card(card)
    for move in moves - NO_MOVES:
        match.game.read_move(match.table, move)


# Records


def shape(value: Any) -> Any:
    """Return the fields of a value."""
    return set(value) if isinstance(value, dict) else type(value)


def test_the_record_that_is_shown_has_the_fields_of_a_real_one() -> None:
    block, part = (block for block in blocks("docs/records.md") if block.language == "json")
    msgspec.convert(json.loads(f"{{{part.text}}}")["continues"], ContinuationFields, strict=True)
    shown, real = json.loads(block.text), finished("stacks").record()
    assert list(shown) == list(real)
    for name in ("upcard", "first", "seed", "fairness", "result"):
        assert shape(shown[name]) == shape(real[name]), name
    assert set(shown["options"]) - {"..."} <= set(real["options"])
    assert {frozenset(seat) for seat in shown["seats"]} == {frozenset(seat) for seat in real["seats"]}
    assert {frozenset(entry) for entry in shown["log"]} == {frozenset(entry) for entry in real["log"]}


# The server


def test_every_address_that_is_mentioned_is_answered(tmp_path: Path) -> None:
    mentioned = {
        found[1] or found[2]
        for page in PAGES
        for span in spans(page)
        if (found := re.fullmatch(r"GET (/\S*)|(/(?:api|healthz|metrics)\S*)", span))
    }
    assert mentioned >= {"/api", "/healthz", "/metrics"}
    with serving(tmp_path) as server:
        for path in mentioned:
            assert httpx.get(server.url + path, timeout=PATIENCE).status_code == 200, path
        (shown,) = (span for span in spans("docs/hosting.md") if span.startswith('{"status"'))
        assert json.loads(shown).keys() == httpx.get(f"{server.url}/healthz", timeout=PATIENCE).json().keys()


def test_a_backup_of_postgresql_can_be_restored(tmp_path: Path) -> None:
    making, restoring = next(
        commands_in(block) for block in blocks("docs/hosting.md") if block.text.startswith("pg_dump")
    )
    folder = tmp_path / "postgresql"
    folder.mkdir()
    with Postgres(folder) as postgres:
        environment = {"PGHOST": "127.0.0.1", "PGPORT": str(postgres.port), "PGUSER": "postgres"}

        def run(*words: str) -> str:
            program = [str(postgres.programs / words[0]), *words[1:]]
            return subprocess.check_output(program, cwd=tmp_path, env=os.environ | environment, text=True)

        def query(text: str) -> str:
            return run("psql", "--no-psqlrc", "--tuples-only", "--no-align", f"--command={text}", "upcard")

        run("createdb", "upcard")
        query("CREATE TABLE tables (id text); INSERT INTO tables VALUES ('before')")
        run(*making.words)
        query("UPDATE tables SET id = 'after'")
        run(*restoring.words)
        assert query("SELECT id FROM tables") == "before\n"


# How strong bots are


PAIRS = {row["game"]: row for row in rows("docs/bots.md", "`clairvoyant:hands`")}
WINS = {
    (row["game"], row["bot"]): row["wins"]
    for row in rows("docs/bots.md", "equal share")
    if row["players"] == "2" and row["against"] == "greedy"
}


def percent(text: str) -> float:
    return float(text.removesuffix("%"))


@pytest.mark.parametrize("game", GAMES)
def test_the_two_tables_of_strength_agree(game: str) -> None:
    row = PAIRS[game]
    hard, hands, all_cards = (row[f"`{bot}`"] for bot in ("hard", "clairvoyant:hands", "clairvoyant"))
    assert hard == WINS[game, "hard"]
    assert all_cards == WINS[game, "clairvoyant@500"]
    margin = percent(all_cards) - 50
    # Shares are rounded to a tenth of a percent, so a part may be off by one percent.
    for share, part in ((hard, row["margin reached by `hard`"]), (hands, row["by `clairvoyant:hands`"])):
        assert percent(part) == pytest.approx((percent(share) - 50) / margin * 100, abs=1)


@pytest.mark.soak
@pytest.mark.compiled
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("bot", ["hard", "clairvoyant:hands", "clairvoyant"])
def test_the_shares_of_wins_are_those_that_the_command_prints(run: Run, game: str, bot: str) -> None:
    (documented,) = (command for command in commands("docs/bots.md") if "strength" in command.words[-1:])
    words = [game if word == "lines" else word for word in documented.words[1:]]
    words = [word.replace("clairvoyant:hands@500", f"{bot}@500") for word in words]
    ran = run(*words, "--json")
    (share,) = (row["share"] for row in json.loads(ran.out)["standings"] if row["bot"] != "greedy")
    assert f"{share:.1%}" == PAIRS[game][f"`{bot}`"]
