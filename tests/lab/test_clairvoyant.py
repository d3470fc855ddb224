"""The clairvoyant sees hidden cards, and only the lab has a seat for it."""

from __future__ import annotations

import pytest

from tests.games.stockpile_tables import stockpile
from upcard.bots import Budget, Search, Turn
from upcard.core.errors import UpcardError
from upcard.core.game import Game
from upcard.games import all_games, find
from upcard.lab.clairvoyant import Sight, sight_of
from upcard.lab.contest import check_bots, play_match
from upcard.tui.play import play_in_terminal
from upcard.tui.setup import Setting

# The clairvoyant's search is compiled separately.
each_game = pytest.mark.parametrize(
    "game",
    [game if game.id == "stockpile" else pytest.param(game, marks=pytest.mark.soak) for game in all_games()],
    ids=lambda game: game.id,
)


@pytest.mark.compiled
@each_game
def test_it_wins_nearly_always_against_who_chooses_by_lot(game: Game) -> None:
    won = 0
    for number in range(6):
        match = play_match(game, {"players": 2}, bytes([number]) * 32, ["clairvoyant@60", "random"])
        assert match.result is not None
        won += match.result["winners"] == [1]
    assert won >= 5


@pytest.mark.compiled
def test_it_plays_by_cards_that_lie_face_down() -> None:
    """The best pile depends on the card under the stockpile's top, which only the clairvoyant sees."""
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
        chosen.add((honest[0], Search(b"dice").think(turn, table)[0].win_probability))
    assert len({thought for thought, _ in chosen}) == 1
    assert len({chance for _, chance in chosen}) == 2


def changes_in_turned_decks(game: Game, knows_draws: bool) -> list[float]:
    """Return how much its win probabilities in six deals change when the draw pile is reversed."""
    changes = []
    for number in range(6):
        table = game.deal({}, bytes([number]) * 32)
        turned = table.copy()
        turned.deck.cards[: table.deck.count] = reversed(table.deck.cards[: table.deck.count])
        turn = Turn(
            game, game.view(table, table.to_move), game.legal_moves(table), (), Budget(1000, exhaust=True)
        )
        one, other = (
            max(thought.win_probability for thought in Search(b"dice").think(turn, truth, knows_draws))
            for truth in (table, turned)
        )
        changes.append(abs(one - other))
    return changes


@pytest.mark.compiled
@each_game
def test_only_who_is_shown_the_draws_goes_by_their_order(game: Game) -> None:
    assert max(changes_in_turned_decks(game, knows_draws=True)) > 0.1
    assert max(changes_in_turned_decks(game, knows_draws=False)) < 0.06


@pytest.mark.soak
@pytest.mark.compiled
def test_a_clairvoyant_that_is_shown_the_hands_uses_them() -> None:
    game = find("lines")
    chances = set()
    table = game.deal({"players": 2, "first": 1}, bytes(32))
    turn = Turn(game, game.view(table, 0), game.legal_moves(table), (), Budget(300, exhaust=True))
    for place in range(0, 8, 4):
        truth = table.copy()
        hand, deck = truth.hands[1].cards, truth.deck.cards
        hand[:4], deck[place : place + 4] = deck[place : place + 4], hand[:4]
        assert game.view(truth, 0) == turn.view
        chances.add(round(Search(b"dice").think(turn, truth, False)[0].win_probability, 1))
    assert len(chances) == 2


def test_its_budget_is_written_like_any_other() -> None:
    assert sight_of("clairvoyant@200ms") == Sight(Budget(seconds=0.2), draws=True)
    assert sight_of("clairvoyant") == Sight(Budget(), draws=True)
    assert sight_of("clairvoyant:hands@50") == Sight(Budget(50), draws=False)
    assert sight_of("greedy") is None
    check_bots(["clairvoyant@20", "clairvoyant:hands", "greedy"])
    with pytest.raises(UpcardError, match="there is no bot 'frob'"):
        check_bots(["frob"])
    with pytest.raises(UpcardError, match="clairvoyant has no option but hands, so leave out 'feet'"):
        check_bots(["clairvoyant:feet@20"])


@pytest.mark.parametrize("bot", ["clairvoyant", "clairvoyant:hands"])
def test_it_is_refused_at_a_persons_table(bot: str) -> None:
    with pytest.raises(UpcardError, match="clairvoyant is shown every card"):
        play_in_terminal(Setting("lines", bots=[bot]), say=lambda text: None)
