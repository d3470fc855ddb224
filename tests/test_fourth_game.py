"""A game of another package, installed beside Upcard: everything works with it, without any changes.

The package is examples/fourth_game. `upcard new-game` writes the same under another name.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cli.running import command
from upcard.games import GAMES

EXAMPLE = Path(__file__).parents[1] / "examples" / "fourth_game"
pytestmark = pytest.mark.compiled("climb")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment with the example in it, for processes."""
    return environment_with(EXAMPLE, tmp_path_factory.mktemp("installed"))


def environment_with(package: Path, folder: Path) -> dict[str, str]:
    quick = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check")
    install = [sys.executable, "-m", "pip", "install", *quick, "--target", str(folder), str(package)]
    subprocess.run(install, check=True)
    return os.environ | {"PYTHONPATH": str(folder), "XDG_DATA_HOME": str(folder / "data"), "COLUMNS": "200"}


def upcard(environment: dict[str, str], *arguments: str | Path, stdin: str = "") -> str:
    done = subprocess.run(
        command(*arguments),
        env=environment,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def python(environment: dict[str, str], program: str) -> None:
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)


def test_it_is_listed_behind_our_games_with_its_options_and_rules(installed: dict[str, str]) -> None:
    listed = json.loads(upcard(installed, "games", "--json"))
    assert [game["game"] for game in listed] == [*GAMES, "climb"]
    assert [option["name"] for option in listed[-1]["options"]] == ["players", "first", "hand", "equal"]
    assert upcard(installed, "rules", "climb", "C1.1").startswith("C1.1 There are 40 cards")


def test_bots_play_it_compiled_and_their_records_are_verified(
    installed: dict[str, str], tmp_path: Path
) -> None:
    records = tmp_path / "games.jsonl"
    bots = ("--players", "3", "--bots", "greedy,random,random", "--seed", "1")
    told = json.loads(upcard(installed, "simulate", "climb", "--games", "1000", *bots, "--json"))
    assert told["games"] == 1000
    upcard(installed, "simulate", "climb", "--games", "40", *bots, "--records", records)
    assert len(records.read_text().splitlines()) == 40
    assert "40 of 40 games are right" in upcard(installed, "verify", records)


def test_a_person_plays_it_in_the_terminal(installed: dict[str, str], tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    said = upcard(installed, "play", "climb", "--seed", "1", "--record", record, stdin="1\n" * 100)
    assert "You play 3." in said
    assert "(cards left)" in said
    assert json.loads(record.read_text())["result"]["reason"] == "won"


def test_a_person_and_a_bot_play_it_at_a_table_of_the_server(
    installed: dict[str, str], tmp_path: Path
) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    serve = command("serve", "--port", "0", "--database", database, "--set", "burst=1000000")
    with subprocess.Popen(serve, env=installed, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split()[3]
            play_at_table(url)
            sit_down_in_terminal(installed, url)
        finally:
            server.kill()


def play_at_table(url: str) -> None:
    """Play a game at random against a bot, over HTTP."""
    with httpx.Client(base_url=url, timeout=None) as http:
        http.headers["Authorization"] = f"Bearer {http.post('/api/session', json={}).json()['token']}"
        ids = iter(range(10_000))

        def send(path: str, **fields: Any) -> Any:
            answer = http.post(path, json={"id": f"command-{next(ids)}", **fields})
            assert answer.is_success, answer.text
            return answer.json()

        setting = {"pace": 0, "patience": "none", "options": {"players": 2, "hand": 3}}
        table = f"/api/tables/{send('/api/tables', game='climb', **setting)['table']}"
        send(f"{table}/sit", name="Ann", share="00" * 32, seat=1)
        send(f"{table}/place", seat=2, bot="greedy")
        send(f"{table}/start")
        dice = random.Random(1)
        state = http.get(table).json()
        while state["phase"] == "playing":
            if state["legal"]:
                state = send(f"{table}/play", base=state["seq"], move=dice.choice(state["legal"]))["state"]
            else:
                state = http.get(table, params={"since": state["seq"]}).json()
        assert state["result"]["reason"] == "won"


def sit_down_in_terminal(environment: dict[str, str], url: str) -> None:
    with httpx.Client(base_url=url, timeout=None) as http:
        http.headers["Authorization"] = f"Bearer {http.post('/api/session', json={}).json()['token']}"
        options = {"players": 2, "hand": 3}
        opened = http.post("/api/tables", json={"id": "one", "game": "climb", "options": options}).json()
    said = upcard(environment, "join", f"{url}/t/{opened['table']}", stdin="table\nquit\n")
    assert "Climb" in said


POSITION = """
import upcard
match = upcard.position("climb", "@1 hand: 3 4; @2 hand: 7; run: 3")
assert match.legal == ["3", "4", "pass"], match.legal
assert match.table.deck.count == 37
assert upcard.position("climb", match.position).position == match.position
match.play("4")
assert upcard.play_out(match, ["greedy", "random"])["reason"] == "won"
"""


def test_a_match_begins_in_a_position_of_it(installed: dict[str, str]) -> None:
    python(installed, POSITION)


LEARNING = """
from pettingzoo.test import api_test
from upcard.rl import VectorEnv
from upcard.rl.zoo import env
climb = env("climb", players=3)
assert climb.metadata["name"] == "climb_v1"
api_test(climb, num_cycles=100)
assert VectorEnv("climb", 4).encoding.action_count == 11
assert VectorEnv("lines", 4).encoding.action_count == 120
"""


# In the same process, which has already compiled most of what these need.
CONTRACT = f"""
import sys
import pytest
example = {str(EXAMPLE)!r}
options = ["-q", "-p", "no:cacheprovider", "-c", f"{{example}}/pyproject.toml", "--rootdir", example]
sys.exit(pytest.main([*options, f"{{example}}/tests"]))
"""


def test_it_is_a_learning_environment_beside_the_others_and_passes_the_contract_tests(
    installed: dict[str, str],
) -> None:
    python(installed, LEARNING + CONTRACT)


WITHOUT_ENCODING = """
import importlib.util, sys
from upcard.core.errors import UpcardError
from upcard.rl.encodings import all_encodings, encoding_of
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name == "climb.encoding":
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Hidden())
try:
    encoding_of("climb")
except UpcardError as error:
    assert str(error) == "Climb has no encoding, so it is not a learning environment", error
else:
    raise AssertionError("it has none")
assert [one.game.id for one in all_encodings()] == ["stockpile", "lines", "stacks"]
"""


def test_without_an_encoding_it_is_not_a_learning_environment_and_the_others_still_are(
    installed: dict[str, str],
) -> None:
    python(installed, WITHOUT_ENCODING)


# upcard new-game


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_new_game_can_be_installed_and_played(folder: Path) -> None:
    said = upcard(dict(os.environ), "new-game", "two_foxes")
    assert "upcard play two_foxes" in said
    texts = [path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()]
    assert not [text for text in texts if "climb" in text.lower()]
    environment = environment_with(folder / "two_foxes", folder / "installed")
    assert "two_foxes" in upcard(environment, "games")
    said = upcard(environment, "play", "two_foxes", "--seed", "1", stdin="1\n" * 100)
    assert "(cards left)" in said


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "My-Game",
            "a game's name has small letters, digits and underscores, as in my_game, not 'My-Game'",
        ),
        (
            "../up",
            "a game's name has small letters, digits and underscores, as in my_game, not '../up'",
        ),
        (
            "class",
            "a game's name has small letters, digits and underscores, as in my_game, not 'class'",
        ),
        ("lines", "there is already a game lines, so choose another name"),
        ("json", "a Python module json already exists, so choose another name"),
        ("taken", "a folder taken already exists here, so choose another name"),
    ],
)
def test_a_bad_name_for_a_new_game_gets_one_sentence(folder: Path, name: str, sentence: str) -> None:
    (folder / "taken").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "upcard", "new-game", name], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == f"upcard: {sentence}\n"
    assert [path.name for path in folder.iterdir()] == ["taken"]
