"""The answer of every bot is checked before it becomes a move, and an error is one sentence."""

from __future__ import annotations

import pickle
import threading

import numpy as np
import pytest

import upcard
from tests.bots.guests import Guest, add_bots
from upcard.bots import Seated, Turn, ask, find, parse
from upcard.bots.limit import TookTooLong, within
from upcard.core.errors import BotError, UpcardError
from upcard.core.game import Game
from upcard.games import all_games
from upcard.match import Match

SEED = bytes(range(32))
each_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)


@pytest.fixture(autouse=True)
def guests(monkeypatch: pytest.MonkeyPatch) -> None:
    add_bots(monkeypatch)


def seated(bot: str, limit: float | None = None) -> Seated:
    """Return a bot at the seat to move, after the first move of a game."""
    match = Match(upcard.new("stockpile").game, {"players": 2, "first": 1}, SEED)
    match.make_legal(match.game.legal_moves(match.table)[-1])
    assert match.to_move is not None
    return Seated(parse(bot), match, match.to_move, limit=limit)


WRONG = {
    "answer:-5": "chose -5, which is not a move of Stockpile",
    "answer:9999": "chose 9999, which is not a move of Stockpile",
    "answer:pass": "chose 'pass', which is not a move of Stockpile",
    "stock": "chose 'stock 1', which is not legal",
    "forge": "chose 'stock 1', which is not legal",
    "raise": "raised KeyError: 'no\\nsuch\\x1b[31m card'",
    "leave": "raised SystemExit: 3",
    "cancel": "raised CancelledError",
    "huge": "chose a number of more than 18 digits, which is not a move of Stockpile",
    "unprintable": "chose a Unprintable, which is not a move of Stockpile",
    "refuse": "refused to play: I do not play stockpile",
}


@pytest.mark.parametrize("bot", WRONG)
def test_a_wrong_answer_is_an_error_that_names_bot_seat_move_and_seed(bot: str) -> None:
    at_table = seated(bot)
    with pytest.raises(BotError) as caught:
        at_table.choose()
    where = f"(move 2, seed {SEED.hex()})"
    assert str(caught.value) == f"{bot} at seat {at_table.seat} of stockpile {WRONG[bot]} {where}"


def test_a_bot_that_does_not_answer_in_time_is_not_waited_for() -> None:
    with pytest.raises(BotError, match=r"^wait at seat \d of stockpile took longer than 0.01 s for a move"):
        seated("wait", limit=0.01).choose()


def test_a_bot_that_cannot_be_made_is_an_error_that_names_it() -> None:
    find("unmade")
    with pytest.raises(
        BotError, match=r"unmade at seat .* could not be made: it raised OSError: no memory left"
    ):
        seated("unmade")


def test_what_is_wrong_with_the_options_of_a_bot_is_said_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def picky(seed: bytes, options: str) -> Guest:
        raise ValueError("odd\noptions")

    add_bots(monkeypatch, picky=picky)
    with pytest.raises(UpcardError) as caught:
        find("picky:even")
    assert str(caught.value) == "the bot 'picky:even' cannot be made: it raised ValueError: odd options"


def test_what_a_bot_is_made_of_can_play_or_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    add_bots(monkeypatch, mute=lambda seed, options: 7)
    with pytest.raises(UpcardError, match=r"^the bot 'mute' cannot play: it has no method choose\(turn\)$"):
        find("mute")
    # A bot that fails only at a table loses there.
    with pytest.raises(BotError, match="raised AttributeError: 'int' object has no attribute 'choose'"):
        seated("mute").choose()


def test_a_bot_that_is_not_named_by_text_is_refused() -> None:
    with pytest.raises(UpcardError, match=r"^a bot is named by text, as in greedy or search@500, not by 5$"):
        find(5)  # type: ignore[arg-type]


def test_an_answer_may_be_a_number_of_numpy() -> None:
    turn = seated("first").turn()
    move = ask("numpy", lambda turn: np.int64(turn.moves[-1]), turn)  # type: ignore[arg-type,return-value]
    assert (type(move), move) == (int, turn.moves[-1])


def test_an_answer_that_only_looks_like_a_number_is_the_error_of_the_bot() -> None:
    class Trap:
        def __index__(self) -> int:
            raise ZeroDivisionError

    with pytest.raises(BotError, match="raised ZeroDivisionError"):
        ask("trap", lambda turn: Trap(), seated("first").turn())  # type: ignore[arg-type,return-value]


@each_game
def test_every_illegal_answer_is_told_whatever_it_is(game: Game) -> None:
    match = Match(game, {"players": 2}, SEED)
    assert match.to_move is not None
    turn = Seated(find("greedy"), match, match.to_move).turn()
    told = set()
    for move in {*range(min(game.move_count, 400)), game.move_count - 1} - set(turn.moves):
        with pytest.raises(BotError, match="which is not legal") as caught:
            ask("any", lambda turn, move=move: move, turn)  # type: ignore[misc]
        told.add(caught.value.what)
    assert len(told) > 10


def test_an_error_of_a_bot_can_be_sent_from_another_process() -> None:
    error = BotError("bot", 2, "lines", "raised KeyError", 7, SEED)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_bot_is_made_once_for_each_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Guest, "made", 0)
    at_table = seated("first")
    at_table.choose()
    at_table.choose()
    assert Guest.made == 1


# Time limits


def test_what_is_done_in_time_returns_or_raises_as_without_a_limit() -> None:
    def fail() -> int:
        raise ValueError("wrong")

    for limit in (None, 600):
        assert within(limit, lambda: 5) == 5
        with pytest.raises(ValueError, match="wrong"):
            within(limit, fail)


def test_what_takes_too_long_is_interrupted() -> None:
    ended = threading.Event()

    def work() -> None:
        try:
            while True:
                ended.wait(0.01)
        finally:
            ended.set()

    with pytest.raises(TookTooLong):
        within(0.01, work)
    ended.wait()


def test_a_bot_has_the_same_dice_with_and_without_a_limit() -> None:
    for bot in ("random", "easy"):
        assert seated(bot).choose() == seated(bot, limit=600).choose()


def test_a_turn_cannot_be_given_more_moves() -> None:
    turn: Turn = seated("first").turn()
    assert isinstance(turn.moves, tuple)
