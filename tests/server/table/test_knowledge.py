"""The code that finds leaks knows which cards a seat has seen, and finds every other card."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from tests.server.knowledge import Knowledge, leaks
from tests.server.tables import Tried
from upcard.games import GAMES
from upcard.server.table.projection import project_entry, project_state

PLAYERS = 3
# Short games in which the cards are nevertheless shuffled a second time.
OPTIONS: dict[str, dict[str, Any]] = {
    "stockpile": {"stock": 12},
    "lines": {"colours": 4},
    "stacks": {"turn_limit": 60},
}

each_game = pytest.mark.parametrize("game", GAMES)
Projected = list[tuple[int, dict[str, Any]]]


def played(game: str, seed: int = 1) -> tuple[Knowledge, Projected]:
    """Play a game; return what every seat may know, and everything that seats are sent."""
    table, dice = Tried(game, PLAYERS, OPTIONS[game]).start(), random.Random(seed)
    told: Projected = []
    while table.state.phase == "playing":
        applied = table.step(dice)
        for seat in range(1, PLAYERS + 1):
            told += [(seat, project_entry(table.state, one, seat)) for one in applied]
            told.append((seat, project_state(table.state, seat)))
    return Knowledge(table.entries), told


@each_game
def test_our_server_does_not_leak(game: str) -> None:
    knowledge, told = played(game)
    for seat, one in told:
        assert leaks(knowledge, seat, one) == []


@pytest.mark.soak
@each_game
def test_our_server_does_not_leak_in_hundreds_of_games(game: str) -> None:
    for seed in range(300):
        knowledge, told = played(game, seed)
        for seat, one in told:
            assert leaks(knowledge, seat, one) == []


def test_a_card_that_is_played_and_shuffled_away_in_one_move_was_seen_by_everyone() -> None:
    """The last discard before a reshuffle in Lines may be in another hand at the end of the move."""
    for seed in range(40):
        knowledge, _ = played("lines", seed)
        for entry, before in shuffled_discards(knowledge):
            for seat in range(1, PLAYERS + 1):
                if before not in knowledge.open_to(entry, seat):
                    assert before in knowledge.shown_by(entry, seat)
                    assert before in knowledge.seen(knowledge.over, seat)
                    return
    raise AssertionError("no card was ever discarded and drawn again in one move")


def shuffled_discards(knowledge: Knowledge) -> list[tuple[int, str]]:
    """Return the moves that discarded a card, and the card."""
    moves = [(applied.seq, getattr(applied.entry, "move", "")) for applied in knowledge.state.history]
    return [(seq, move.removeprefix("x ")) for seq, move in moves if move.startswith("x ")]


def test_a_card_in_another_hand_is_not_known() -> None:
    knowledge, _ = played("lines")
    for applied in knowledge.state.history:
        if applied.seq in knowledge._tables:
            table = knowledge._tables[applied.seq]
            others = [card for hand in table.hands[1:PLAYERS] for card in hand.cards[: hand.count]]
            names = {knowledge.game.write_card(card) for card in others if table.drawable[card]}
            assert not names & knowledge.open_to(applied.seq, 1).keys()


# Planted leaks: a hidden card in a view, in the events, and in the legal moves.


def hidden_from(knowledge: Knowledge, seq: int, seat: int) -> list[str]:
    """Return the cards that a seat does not see after an entry."""
    return sorted((knowledge.deck - knowledge.open_to(seq, seat)).elements())


@each_game
def test_a_hidden_card_in_a_view_is_found(game: str) -> None:
    knowledge, told = played(game)
    for seat, one in told[::7]:
        if one.get("view") and one["seq"] < knowledge.over:
            for card in set(hidden_from(knowledge, one["seq"], seat)):
                leaky = copy.deepcopy(one)
                leaky["view"]["seats"][-1]["next"] = card
                assert leaks(knowledge, seat, leaky), card


@each_game
def test_a_hidden_card_in_the_news_is_found(game: str) -> None:
    """Unless an equal card was seen just then."""
    knowledge, told = played(game)
    found = 0
    for seat, one in told:
        hidden = set(hidden_from(knowledge, one["seq"], seat)) - knowledge.shown_by(one["seq"], seat)
        for card in hidden if one.get("kind") else ():
            leaky = one | {"news": [{"kind": "drew", "card": card}]}
            assert leaks(knowledge, seat, leaky), card
            found += 1
    assert found > 10


@pytest.mark.parametrize("game", ["lines", "stacks"])
def test_a_legal_move_with_a_card_that_was_never_seen_is_found(game: str) -> None:
    knowledge, told = played(game)
    found = 0
    for seat, one in told:
        for card in knowledge.deck.keys() - knowledge.seen(one["seq"], seat):
            assert leaks(knowledge, seat, one | {"legal": [f"x {card}"]}), card
            found += 1
    assert found > 10
