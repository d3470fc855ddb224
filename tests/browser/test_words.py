"""All words of a game are the same in JavaScript: JSON, messages, refusals, reasons, records."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.browser.node import run, write_all
from tests.cases import ALL_CASES, CASES
from upcard.browser.modules import modules
from upcard.core.errors import Refused, UpcardError
from upcard.core.game import Game
from upcard.core.seats import SPECTATOR
from upcard.games import GAMES, find
from upcard.i18n import Message
from upcard.match import Continuation, Match, Player
from upcard.match.seed import read_seed
from upcard.testing.cases import Case

HERE = Path(__file__).parent
NAMES = ["Ann", "Bob \u202e's", "Cäsar", "Đặng", "", "F"]
WRONG = [
    "",
    "pass",
    "stock 9",
    "x",
    "x r13",
    "@2",
    "top",
    "r1 @9 top",
    "skip\u200e now",
    "card @9 hand",
    "it's",
    '"',
    "é\n",
]

each_game = pytest.mark.parametrize("game", [find(name) for name in GAMES], ids=lambda game: game.id)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The modules of all games."""
    found = tmp_path_factory.mktemp("words")
    write_all(modules([find(name) for name in GAMES], checked=True), found)
    return found


@each_game
def test_what_is_said_of_whole_games_is_the_same_in_javascript(game: Game, folder: Path) -> None:
    say_all([case for case in CASES if case.game is game], folder)


@pytest.mark.soak
@each_game
def test_what_is_said_with_every_combination_of_options_is_the_same(game: Game, folder: Path) -> None:
    cases = [case for case in ALL_CASES if case.game is game]
    for first in range(0, len(cases), 50):
        say_all(cases[first : first + 50], folder)


def say_all(cases: list[Case], folder: Path) -> None:
    """Play cases of one game in both languages, and compare all words."""
    game = cases[0].game
    ours, games = [], []
    for number, case in enumerate(cases):
        dice = random.Random(f"{case}")
        said, task = played(case, dice, apart=number % 2 == 1)
        ours.append(json.loads(json.dumps(said)))
        games.append(task)
    theirs = run(HERE / "words.js", {"folder": str(folder), "game": game.id, "games": games})
    for case, here, there in zip(cases, ours, theirs, strict=True):
        for part in here:
            assert there[part] == here[part], (str(case), part)


def played(case: Case, dice: random.Random, apart: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """Play a match, and return all words on the way, and how to replay it."""
    game = case.game
    names = NAMES[: int(game.complete(case.options)["players"])]
    players = [Player(name, "greedy" if seat else None) for seat, name in enumerate(names)]
    seed = read_seed(str(case))
    task: dict[str, Any] = {"options": case.options, "seed": [*seed], "names": names, "apart": apart}
    task |= {"tried": sorted(dice.sample(range(game.move_count), min(12, game.move_count)))}
    task |= {"wrong": WRONG, "every": 41, "moves": []}
    match = Match(game, case.options, seed, players, apart=apart)
    positions, heard = [], [told(match, 1, 0)]
    while not match.over:
        number = len(task["moves"])
        if number % task["every"] == 0:
            positions.append(position(match, task))
        task["moves"].append(dice.choice(game.legal_moves(match.table)))
        known = len(match.events)
        match.make(task["moves"][-1])
        heard.append(told(match, number % (len(names) + 1) or None, known))
    positions.append(position(match, task))
    record = match.to_json(legal=True)
    match.undo(len(task["moves"]) // 2)
    said = {
        "positions": positions,
        "heard": heard,
        "record": record,
        "replayed": [True, json.loads(record)["result"]],
    }
    return {**said, "undone": match.to_json(), "result": match.result}, task


def position(match: Match, task: dict[str, Any]) -> dict[str, Any]:
    """Return all words about a position."""
    game, table = match.game, match.table
    seats = [None, *range(1, len(match.players) + 1)]
    curious = [None, match.to_move or 1]
    legal = game.legal_moves(table)
    return {
        "legal": match.legal,
        "asked": match.asked,
        "shown": [match.show(seat) for seat in seats],
        "why": [[said(game.why(match.view(seat), move, match.names)) for move in legal] for seat in curious],
        "refused": ["" if move in legal else said(game.explain(table, move)) for move in task["tried"]],
        "written": [game.write_move(table, move) for move in task["tried"]],
        "read": [game.read_move(table, f" {text.upper()}") for text in match.legal],
        "wrong": [refused(match, text) for text in task["wrong"]],
    }


def told(match: Match, seat: int | None, since: int) -> list[Any]:
    """Return the events from a number on, as a seat may know them."""
    found = []
    for event in match.events_for(seat, since):
        message = match.game.describe(event, match.names)
        listener = SPECTATOR if seat is None else seat - 1
        found.append([match.game.show_event(event), said(message and message.to(listener))])
    return found


def refused(match: Match, text: str) -> Any:
    """Return why a text is not a legal move."""
    try:
        match.copy().play(text)
    except Refused as error:
        return said(error.refusal)
    except UpcardError as error:
        return str(error)
    return None


def said(message: Message | None) -> Any:
    """Return a message as in JavaScript."""
    return (
        None if message is None else [message.code, dict(message.parameters), getattr(message, "clause", "")]
    )


@each_game
def test_a_continued_game_begins_alike_and_its_record_is_the_same_in_javascript(
    game: Game, folder: Path
) -> None:
    dice = random.Random(game.id)
    begun = Match(game, {}, read_seed("begun"), apart=True)
    while len(begun.log_of_moves) < 5 or begun.asked:
        begun.make_legal(dice.choice(game.legal_moves(begun.table)))
    moves = [(moved.seat + 1, moved.text) for moved in begun.log_of_moves]
    continues = Continuation(read_seed("begun"), 2, moves)
    match = Match(game, begun.options, read_seed("continued"), apart=True, continues=continues)
    while not match.over:
        match.make_legal(dice.choice(game.legal_moves(match.table)))
    record = match.to_json()
    theirs = run(
        HERE / "continuation.js", {"folder": str(folder), "game": game.id, "records": [json.loads(record)]}
    )
    assert theirs == [[record, json.loads(json.dumps(begun.show(2)))]]


ROOT = HERE.parents[1]
ANOTHER_GAME = """
import sys
from pathlib import Path
from climb import GAME
from tests.browser.node import write_all
from tests.browser.test_words import say_all
from upcard.browser.modules import modules
from upcard.core.game import register
from upcard.testing.cases import some_cases
register(GAME)
folder = Path(sys.argv[1])
write_all(modules([GAME], checked=True), folder)
say_all(some_cases(GAME), folder)
"""


def test_a_game_of_another_package_is_the_same_in_javascript(tmp_path: Path) -> None:
    paths = [str(ROOT), str(ROOT / "examples" / "fourth_game" / "src")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    program = [sys.executable, "-c", ANOTHER_GAME, str(tmp_path)]
    done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
