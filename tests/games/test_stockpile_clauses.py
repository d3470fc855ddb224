"""Stockpile, clause by clause: the contents, and setting up (S1, S2)."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.stockpile_tables import StockpileTable, dealt, stockpile
from upcard.core.errors import OptionError
from upcard.core.events import HIDDEN, EventKind, redact
from upcard.games.stockpile.moves import STOCK

WHOLE_DECK = Counter({str(number): 8 for number in range(1, 11)} | {"?": 16})


def at_the_table(position: StockpileTable) -> Counter[str]:
    """Count all cards at the table."""
    cards = [*position.fresh, *position.completed.split()]
    for seat in range(1, position.table.players + 1):
        cards += position.stock(seat).split() + position.stacks(seat).replace("|", " ").split()
    for pile in position.table.piles:
        cards += [position.game.write_card(card) for card in pile.cards if card >= 0]
    return Counter(cards)


# S1 Contents


def test_S1_1_there_are_eight_of_each_number_and_sixteen_wilds() -> None:
    (shuffle,) = dealt().shuffled
    assert len(shuffle) == 96
    assert Counter(shuffle) == WHOLE_DECK


def test_S1_1_all_of_them_are_at_the_table_after_the_deal() -> None:
    assert at_the_table(dealt(players=4, stock=20)) == WHOLE_DECK


@pytest.mark.parametrize("recycle", ["under", "completed"])
@pytest.mark.parametrize("refill", ["turn", "empty"])
def test_S1_1_no_card_is_lost_or_made_in_a_whole_game(refill: str, recycle: str) -> None:
    position = dealt(players=3, stock=20, refill=refill, recycle=recycle)
    shuffles = plays = 0
    while position.legal and plays < 1000:
        position.play(position.legal[-1])
        plays += 1
        shuffles += len(position.shuffled)
        assert at_the_table(position) == WHOLE_DECK
    assert position.result
    assert shuffles


@pytest.mark.parametrize("players", [2, 3, 4])
def test_S1_2_two_to_four_can_play(players: int) -> None:
    position = dealt(players=players)
    assert [len(position.stock(seat).split()) for seat in range(1, players + 1)] == [10] * players


def test_S1_2_two_play_by_default() -> None:
    assert dealt().table.players == 2


@pytest.mark.parametrize("players", [1, 5])
def test_S1_2_one_or_five_cannot_play(players: int) -> None:
    with pytest.raises(OptionError) as refused:
        dealt(players=players)
    assert str(refused.value) == f"players cannot be {players}: it is a whole number from 2 to 4 (S1.2)"


# S2 Setting up


@pytest.mark.parametrize("first", [1, 2, 3])
def test_S2_1_the_table_says_who_starts(first: int) -> None:
    position = dealt(players=3, first=first)
    assert position.turns[0] == first
    assert position.game.options_of(position.table)["first"] == first


def test_S2_1_a_random_starter_may_be_anyone() -> None:
    tables = [dealt(seed=seed, players=3, first="random") for seed in range(30)]
    assert {position.turns[0] for position in tables} == {1, 2, 3}
    assert all(position.table.first == position.turns[0] - 1 for position in tables)


def test_S2_1_the_starter_is_random_by_default() -> None:
    assert dealt().game.complete({})["first"] == "random"


def test_S2_1_a_random_starter_is_recorded_as_a_seat() -> None:
    position = dealt(players=4, first="random")
    assert position.game.options_of(position.table)["first"] == position.turns[0]


def test_S2_1_only_a_seat_at_the_table_can_start() -> None:
    with pytest.raises(OptionError) as refused:
        dealt(players=3, first=4)
    assert str(refused.value) == "first cannot be seat 4: there are 3 players (S2.1)"


@pytest.mark.parametrize("first", [0, "youngest"])
def test_S2_1_the_starter_is_a_seat_or_random(first: object) -> None:
    with pytest.raises(OptionError) as refused:
        dealt(first=first)
    assert str(refused.value) == f"first cannot be {first!r}: it is random or the number of a seat (S2.1)"


def test_S2_2_a_stockpile_is_ten_cards_by_default() -> None:
    position = dealt(players=3)
    assert [len(position.stock(seat).split()) for seat in (1, 2, 3)] == [10, 10, 10]


@pytest.mark.parametrize(("players", "stock"), [(2, 1), (2, 30), (3, 26), (4, 20)])
def test_S2_2_a_game_can_be_shorter_or_longer(players: int, stock: int) -> None:
    position = dealt(players=players, stock=stock)
    assert {len(position.stock(seat).split()) for seat in range(1, players + 1)} == {stock}


@pytest.mark.parametrize("stock", [0, 31])
def test_S2_2_a_stockpile_has_1_to_30_cards(stock: int) -> None:
    with pytest.raises(OptionError) as refused:
        dealt(stock=stock)
    assert str(refused.value) == f"stock cannot be {stock}: it is a whole number from 1 to 30 (S2.2)"


@pytest.mark.parametrize(("players", "stock", "most"), [(3, 27, 26), (4, 21, 20), (4, 30, 20)])
def test_S2_2_all_stockpiles_together_have_at_most_80_cards(players: int, stock: int, most: int) -> None:
    with pytest.raises(OptionError) as refused:
        dealt(players=players, stock=stock)
    assert str(refused.value) == (
        f"{players} players can have at most {most} stockpile cards each, not {stock} (S2.2)"
    )


def test_S2_2_cards_are_dealt_one_at_a_time_from_the_player_who_starts() -> None:
    position = dealt(players=3, first=2, stock=5)
    (shuffle,) = position.happened(EventKind.SHUFFLED)
    cards = [position.game.write_card(card) for card in shuffle.cards]
    assert position.stock(2).split() == cards[0:15:3]
    assert position.stock(3).split() == cards[1:15:3]
    assert position.stock(1).split() == cards[2:15:3]
    assert position.stacks(2).split(" | ") == cards[15:18]


def test_S2_2_the_last_card_dealt_lies_on_top() -> None:
    position = dealt(players=2, first=1, stock=3)
    (shuffle,) = position.happened(EventKind.SHUFFLED)
    view = position.game.view(position.table, 0)
    assert [seat.stock_top for seat in view.seats[:2]] == list(shuffle.cards[4:6])


def test_S2_3_everyone_sees_the_top_of_every_stockpile() -> None:
    position = stockpile(players=3, stocks=["4 7", "5 8", "6 ?"])
    for viewer in position.viewers:
        view = position.game.view(position.table, viewer)
        assert [position.game.write_card(seat.stock_top) for seat in view.seats[:3]] == ["7", "8", "?"]
        assert [seat.stock_count for seat in view.seats[:3]] == [2, 2, 2]


def test_S2_3_nobody_sees_what_lies_beneath_not_even_the_owner() -> None:
    one = stockpile(stocks=["4 3 7", "5 8"], fresh="1 2 3")
    other = stockpile(stocks=["9 ? 7", "6 8"], fresh="3 ? 10")
    for viewer in one.viewers:
        assert one.game.view(one.table, viewer) == other.game.view(other.table, viewer)


def test_S2_3_the_deal_turns_up_one_card_of_each_stockpile_for_all_to_see() -> None:
    position = dealt(players=3)
    turned_up = [event for event in position.happened(EventKind.DEALT) if event.place == STOCK]
    tops = {event.seat + 1: position.game.write_card(event.card) for event in turned_up}
    assert len(turned_up) == 3
    assert tops == {seat: position.stock(seat).split()[-1] for seat in (1, 2, 3)}
    assert all(redact(event, viewer) == event for event in turned_up for viewer in position.viewers)


def test_S2_3_nobody_is_told_the_order_of_the_cards() -> None:
    position = dealt()
    (shuffle,) = position.happened(EventKind.SHUFFLED)
    for viewer in position.viewers:
        seen = redact(shuffle, viewer)
        assert seen
        assert set(seen.cards) == {HIDDEN}
