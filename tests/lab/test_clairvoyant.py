"""The clairvoyant sees what nobody may see, and only the lab has a seat for it."""

from __future__ import annotations

import pytest

from tests.games.stockpile_tables import stockpile
from upcard.bots import Budget, Search, Turn
from upcard.core.errors import UpcardError
from upcard.core.game import Game
from upcard.games import all_games
from upcard.lab.clairvoyant import budget_of
from upcard.lab.contest import check_bots, play_match
from upcard.tui.play import Setting, play_in_terminal


@pytest.mark.compiled
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_it_wins_nearly_always_against_who_chooses_by_lot(game: Game) -> None:
    won = 0
    for number in range(6):
        match = play_match(game, {"players": 2}, bytes([number]) * 32, ["clairvoyant@60", "random"])
        assert match.result is not None
        won += match.result["winners"] == [1]
    assert won >= 5


@pytest.mark.compiled
def test_it_plays_by_cards_that_lie_face_down() -> None:
    """Which pile to build on depends on the card under the stockpile's top: nobody else sees that one."""
    chosen = set()
    for buried in ("5", "9"):
        position = stockpile(
            piles="3 7 0 0",
            stocks=[f"1 1 {buried} 10", "1 1 1 1 1 1 1 1"],
            stacks=["4 ? | 8 8 | 2 2", "||"],
            fresh="6 " * 30,
            players=2,
        )
        game, table = position.game, position.table
        turn = Turn(game, game.view(table, 0), game.legal_moves(table), (), Budget(300))
        honest = Search(b"dice").think(turn)
        chosen.add((honest[0], Search(b"dice").think(turn, table)[0].chance))
    assert len({thought for thought, _ in chosen}) == 1
    assert len({chance for _, chance in chosen}) == 2


def test_its_budget_is_written_like_any_other() -> None:
    assert budget_of("clairvoyant@200ms") == Budget(seconds=0.2)
    assert budget_of("clairvoyant") == Budget()
    assert budget_of("greedy") is None
    check_bots(["clairvoyant@20", "greedy"])
    with pytest.raises(UpcardError, match="there is no bot 'frob'"):
        check_bots(["frob"])


def test_it_is_refused_at_a_persons_table() -> None:
    with pytest.raises(UpcardError, match="clairvoyant is shown every card"):
        play_in_terminal(Setting("lines", bots=["clairvoyant"]), say=lambda text: None)
