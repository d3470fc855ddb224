"""Stockpile, clause by clause: a turn (S3)."""

from __future__ import annotations

import pytest

import upcard
from tests.games.stockpile_tables import dealt, stockpile
from upcard.core.errors import NotationError, OptionError, Refused
from upcard.core.events import EventKind, redact
from upcard.games.stockpile.moves import STOCK


def test_S3_1_three_cards_go_to_A_B_and_C_in_that_order() -> None:
    position = stockpile(stacks=["1 ||"], fresh="5 2 ? 7")
    position.play("A 1")
    assert position.to_move == 2
    assert position.stacks(2) == "5 | 2 | ?"
    assert position.fresh == ["7"]


def test_S3_1_they_lie_on_top_of_what_was_left() -> None:
    position = stockpile(stacks=["1 ||", "9 8 | 7 | 6"], fresh="5 2 ?")
    position.play("A 1")
    assert position.stacks(2) == "9 8 5 | 7 2 | 6 ?"


def test_S3_1_an_empty_stack_is_opened_again() -> None:
    position = stockpile(stacks=["1 ||", "9 || 7"], fresh="5 2 ?")
    position.play("A 1")
    assert position.stacks(2) == "9 5 | 2 | 7 ?"


def test_S3_1_the_first_turn_begins_with_three_cards_too() -> None:
    position = dealt(players=4, first=3)
    hand = [event for event in position.happened(EventKind.DEALT) if event.place != STOCK][:3]
    assert [(event.seat + 1, event.place) for event in hand] == [(3, 1), (3, 2), (3, 3)]


def test_S3_1_only_the_active_player_is_dealt_cards() -> None:
    position = stockpile(players=3, stacks=["9 1 ||", "7 ||", "6 ||"], fresh="5 2 ? 8")
    position.play("A 1")
    assert (position.stacks(1), position.stacks(3)) == ("9 |  | ", "6 |  | ")


def test_S3_2_everyone_sees_all_cards_of_the_stacks() -> None:
    position = stockpile(stacks=["9 8 5 | 7 | ", "4 | ? 3 | 10"])
    for viewer in position.viewers:
        view = position.game.view(position.table, viewer)
        seen = [[position.written(stack) for stack in seat.stacks] for seat in view.seats[:2]]
        assert seen == [["9 8 5", "7", ""], ["4", "? 3", "10"]]


def test_S3_2_everyone_is_told_the_cards_of_a_new_hand() -> None:
    position = stockpile(stacks=["1 ||"], fresh="5 2 ?")
    position.play("A 1")
    told = position.happened(EventKind.DEALT)
    assert [position.game.write_card(event.card) for event in told] == ["5", "2", "?"]
    assert all(redact(event, viewer) == event for event in told for viewer in position.viewers)


def test_S3_2_a_buried_card_cannot_be_played() -> None:
    position = stockpile(stacks=["1 9 | 1 7 | 1"])
    assert position.legal == ["C 1", "C 2", "C 3", "C 4"]
    refusal = position.refused("A 1")
    assert (refusal.clause, refusal.parameters["card"]) == ("S3.4", "9")


def test_S3_2_an_empty_stack_has_no_top_to_play() -> None:
    refusal = stockpile(stacks=["1 || 2"]).refused("B 1")
    assert (refusal.code, refusal.clause) == ("stockpile.empty_stack", "S3.2")
    assert refusal.text() == "There's no card on stack B. (S3.2)"


def test_S3_3_a_play_takes_the_top_of_the_stockpile_or_of_a_stack() -> None:
    position = stockpile(piles="1 3 5 7", stocks=["8 2"], stacks=["9 4 | 6 | 10 8"])
    assert position.legal == ["stock 1", "A 2", "B 3", "C 4"]


def test_S3_3_the_card_goes_from_there_to_the_pile() -> None:
    position = stockpile(piles="0 3", stacks=["1 | 9 4 | "])
    position.play("B 2")
    assert position.stacks(1) == "1 | 9 | "
    assert position.piles == "0 4 0 0"
    assert position.to_move == 1


def test_S3_3_which_pile_is_free() -> None:
    assert stockpile(stacks=["| 1 |"]).legal == ["B 1", "B 2", "B 3", "B 4"]


@pytest.mark.parametrize("pile", [1, 2, 3, 4])
def test_S3_3_there_are_four_piles(pile: int) -> None:
    position = stockpile(stacks=["2 1 ||"])
    position.play(f"A {pile}")
    assert position.piles.split()[pile - 1] == "1"
    assert position.legal == [f"A {pile}"]


@pytest.mark.parametrize("text", ["A 5", "A 0", "D 1", "stock", "", "pass 1"])
def test_S3_3_there_is_no_other_place_to_play_from_or_to(text: str) -> None:
    position = stockpile(stacks=["1 ||"])
    with pytest.raises(NotationError, match="as in 'stock 2'"):
        position.game.read_move(position.table, text)


def test_S3_3_a_fifth_pile_is_not_started() -> None:
    position = stockpile(piles="1 2 3 4", stacks=["1 | 2 | "])
    assert position.legal == ["B 1"]
    assert position.refused("A 4").clause == "S3.4"


def test_S3_3_the_piles_are_shared_by_all() -> None:
    position = stockpile(stacks=["1 ||", "2 ||"])
    position.play("A 3")
    assert (position.to_move, position.legal) == (2, ["A 3"])


def test_S3_3_the_cards_of_others_cannot_be_played() -> None:
    position = stockpile(piles="0 4", stocks=["8", "5"], stacks=["1 ||", "5 | 1 | ?"])
    assert position.legal == ["A 1", "A 3", "A 4"]


def test_S3_4_a_pile_starts_with_1() -> None:
    position = stockpile(stacks=["1 | 2 | 10"])
    assert position.legal == ["A 1", "A 2", "A 3", "A 4"]


def test_S3_4_a_pile_starts_with_a_wild() -> None:
    position = stockpile(stacks=["? | 2 | "])
    position.play("A 2")
    assert position.piles == "0 1 0 0"
    assert position.legal == ["B 2"]


@pytest.mark.parametrize("height", range(10))
def test_S3_4_each_card_is_the_next_number_up(height: int) -> None:
    for card in range(1, 11):
        position = stockpile(piles=f"{height}", stacks=[f"{card} ||"])
        assert ("A 1" in position.legal) == (card == height + 1)


@pytest.mark.parametrize("card", [3, 4, 6, 10])
def test_S3_4_a_card_that_is_lower_equal_or_too_high_is_refused(card: int) -> None:
    refusal = stockpile(piles="4", stacks=[f"{card} ||"]).refused("A 1")
    assert (refusal.code, refusal.clause) == ("stockpile.does_not_fit", "S3.4")
    assert refusal.parameters == {"card": str(card), "pile": 1, "needed": 5}


def test_S3_4_a_refusal_names_the_number_that_would_fit() -> None:
    refusal = stockpile(piles="0 6", stacks=["1 | 6 | "]).refused("B 2")
    assert refusal.text() == "6 doesn't fit: pile 2 needs 7 or a wild. (S3.4)"


@pytest.mark.parametrize("height", range(10))
def test_S3_4_a_wild_stands_for_whatever_number_is_needed(height: int) -> None:
    position = stockpile(piles=f"{height}", stacks=["1 ? ||"])
    position.play("A 1")
    assert position.piles.split()[0] == str((height + 1) % 10)


def test_S3_4_after_a_wild_comes_the_number_after_the_one_it_stands_for() -> None:
    position = stockpile(piles="4 1 1 1", stacks=["? | 6 | 5"])
    position.play("A 1")
    assert position.legal == ["B 1"]


def test_S3_4_a_wild_may_be_a_stockpile_card() -> None:
    position = stockpile(piles="4 0 9 7", stocks=["6 ?"])
    assert position.legal == ["stock 1", "stock 2", "stock 3", "stock 4"]
    position.play("stock 1")
    assert position.legal == ["stock 1"]


def test_S3_4_wilds_may_come_twice_running() -> None:
    position = stockpile(piles="4 1 1 1", stacks=["? | ? | 7"])
    position.play("A 1", "B 1")
    assert position.piles == "6 1 1 1"
    assert position.legal == ["C 1"]


def test_S3_4_a_wild_may_be_the_10() -> None:
    position = stockpile(piles="9", stacks=["? | 1 | "])
    position.play("A 1")
    assert position.happened(EventKind.COMPLETED)
    assert position.piles == "0 0 0 0"


def test_S3_5_a_pile_that_reaches_ten_leaves_the_table() -> None:
    position = stockpile(piles="3 9", stacks=["10 | 1 | "])
    position.play("A 2")
    assert position.piles == "3 0 0 0"
    assert position.completed == "1 2 3 4 5 6 7 8 9 10"
    assert [event.place for event in position.happened(EventKind.COMPLETED)] == [1]


def test_S3_5_a_pile_that_reaches_nine_stays() -> None:
    position = stockpile(piles="8", stacks=["9 | 1 | "])
    position.play("A 1")
    assert position.piles == "9 0 0 0"
    assert position.completed == ""
    assert position.happened(EventKind.COMPLETED) == []


def test_S3_5_a_new_pile_can_start_in_its_place() -> None:
    position = stockpile(piles="5 9 5 5", stacks=["10 | 1 | 2"])
    assert position.legal == ["A 2"]
    position.play("A 2")
    assert position.legal == ["B 2"]
    position.play("B 2")
    assert position.legal == ["C 2"]


def test_S3_5_a_new_pile_in_its_place_can_start_with_a_wild() -> None:
    position = stockpile(piles="9 1 1 1", stacks=["2 ? 10 ||"])
    position.play("A 1", "A 1")
    assert position.piles == "1 1 1 1"


def test_S3_5_wilds_leave_with_the_pile_they_were_played_on() -> None:
    position = stockpile(piles="8", stacks=["? | ? | 1"])
    position.play("A 1", "B 1")
    assert position.completed == "? ? 1 2 3 4 5 6 7 8"


def test_S3_5_completed_piles_are_gathered() -> None:
    position = stockpile(piles="9 9", stacks=["10 | ? | 1"])
    position.play("A 1", "B 2")
    assert len(position.completed.split()) == 20


def test_S3_6_the_next_stockpile_card_is_turned_up_straight_away() -> None:
    position = stockpile(stocks=["8 7 1"], stacks=["1 ||"])
    position.play("stock 1")
    (turned_up,) = position.happened(EventKind.DEALT)
    assert (turned_up.seat, turned_up.card, turned_up.place) == (0, 7, STOCK)
    assert all(
        position.game.view(position.table, viewer).seats[0].stock_top == 7 for viewer in position.viewers
    )


def test_S3_6_it_can_be_played_in_the_same_turn() -> None:
    position = stockpile(stocks=["8 3 2 1"], stacks=["| 5 |"], fresh="1 1 1")
    position.play("stock 1", "stock 1", "stock 1")
    assert position.stock(1) == "8"
    assert position.piles == "3 0 0 0"


def test_S3_6_a_card_from_a_stack_turns_up_nothing() -> None:
    position = stockpile(stocks=["8 7"], stacks=["2 1 ||"])
    position.play("A 1")
    assert position.happened(EventKind.DEALT) == []
    assert position.stock(1) == "8 7"


def test_S3_7_the_card_beneath_becomes_playable() -> None:
    position = stockpile(stacks=["9 2 1 | 2 | "])
    position.play("A 1")
    assert position.legal == ["A 1", "B 1"]
    position.play("A 1")
    assert position.stacks(1) == "9 | 2 | "


def test_S3_7_no_new_cards_come_in_during_the_turn() -> None:
    position = stockpile(stocks=["8 2"], stacks=["1 ||"], fresh="5 6 7")
    position.play("A 1")
    assert position.to_move == 1
    assert position.stacks(1) == " |  | "
    assert position.legal == ["stock 1"]


def test_S3_7_empty_stacks_end_the_turn_when_the_stockpile_does_not_fit() -> None:
    position = stockpile(stacks=["1 ||"], fresh="2 2 2")
    position.play("A 1")
    assert position.to_move == 2
    assert position.stacks(1) == " |  | "


def test_S3_7_no_new_cards_come_in_by_default() -> None:
    assert dealt().game.complete({})["refill"] == "turn"


def test_S3_7_a_table_may_deal_three_more_when_all_stacks_are_empty() -> None:
    position = stockpile(refill="empty", stacks=["| 1 |"], fresh="5 2 7 8")
    position.play("B 1")
    assert position.to_move == 1
    assert position.stacks(1) == "5 | 2 | 7"
    assert position.turns == []
    assert position.legal == ["B 1"]


def test_S3_7_it_does_so_again_and_again() -> None:
    position = stockpile(refill="empty", stacks=["1 ||"], fresh="2 3 4 5 9 9")
    position.play("A 1", "A 1", "B 1", "C 1")
    assert position.to_move == 1
    assert position.stacks(1) == "5 | 9 | 9"


def test_S3_7_it_deals_nothing_while_one_stack_has_a_card() -> None:
    position = stockpile(refill="empty", stacks=["1 || 2"], fresh="5 6 7")
    position.play("A 1")
    assert position.stacks(1) == " |  | 2"


def test_S3_7_new_cards_that_do_not_fit_end_the_turn() -> None:
    position = stockpile(refill="empty", stacks=["1 ||"], fresh="9 9 9 2 9 9")
    position.play("A 1")
    assert position.to_move == 2
    assert position.stacks(1) == "9 | 9 | 9"
    assert position.stacks(2) == "2 | 9 | 9"


def test_S3_7_new_cards_in_a_turn_may_need_a_reshuffle() -> None:
    position = stockpile(refill="empty", stacks=["1 ||"], fresh="9", completed="2 2")
    position.play("A 1")
    assert position.to_move == 1
    assert position.shuffled == [["2", "2"]]
    assert position.stacks(1) == "9 | 2 | 2"


def test_S3_7_new_cards_in_a_turn_may_be_fewer_than_three() -> None:
    position = stockpile(refill="empty", stacks=["1 ||"], fresh="2")
    position.play("A 1")
    assert position.to_move == 1
    assert position.stacks(1) == "2 |  | "


def test_S3_7_cards_that_could_not_be_dealt_come_as_soon_as_there_are_some() -> None:
    position = stockpile(refill="empty", piles="9", stocks=["8 1 10"], fresh="")
    position.play("stock 1")
    assert position.to_move == 1
    assert len(position.stacks(1).replace("|", "").split()) == 3


def test_S3_7_there_are_two_ways_to_refill() -> None:
    with pytest.raises(OptionError) as refused:
        stockpile(refill="always")
    assert str(refused.value) == "refill cannot be 'always': it is turn or empty (S3.7)"


def test_S3_8_a_turn_does_not_end_while_something_can_be_played() -> None:
    position = stockpile(stacks=["1 | 2 | "])
    position.play("A 1")
    assert (position.to_move, position.legal) == (1, ["B 1"])
    refusal = position.refused("pass")
    assert (refusal.code, refusal.clause) == ("stockpile.must_play", "S3.8")


def test_S3_8_it_ends_automatically_when_nothing_can_be_played() -> None:
    position = stockpile(stacks=["7 1 | 3 | 4", "2 ||"])
    position.play("A 1")
    assert position.to_move == 2
    assert position.turns == [2]


def test_S3_8_the_choice_of_play_is_free() -> None:
    position = stockpile(piles="1 4", stocks=["8 2"], stacks=["5 | 2 | "])
    assert position.legal == ["stock 1", "A 2", "B 1"]
    position.play("B 1")
    assert position.stock(1) == "8 2"


def test_S3_8_a_turn_in_which_nothing_fits_passes_automatically() -> None:
    position = stockpile(players=3, stacks=["1 ||"], fresh="9 9 9 2 9 9")
    position.play("A 1")
    assert position.turns == [2, 3]
    assert position.stacks(2) == "9 | 9 | 9"
    assert position.to_move == 3


def test_S3_8_the_first_turn_passes_automatically_too() -> None:
    tables = [dealt(seed=seed, first=1) for seed in range(40)]
    passed_on = [position for position in tables if position.to_move == 2]
    assert passed_on
    for position in passed_on:
        assert position.turns[:2] == [1, 2]
        tops = {position.stock(1).split()[-1], *position.stacks(1).split(" | ")}
        assert "1" not in tops
        assert "?" not in tops


def test_S3_8_you_must_keep_playing_by_default() -> None:
    assert dealt().game.complete({})["must_play"] is True
    assert "pass" not in stockpile(must_play="yes", stacks=["1 ||"]).legal


def test_S3_8_a_table_may_allow_to_pass() -> None:
    position = stockpile(must_play="no", stacks=["1 ||"], fresh="1 5 6")
    assert position.legal == ["A 1", "A 2", "A 3", "A 4", "pass"]
    position.play("pass")
    assert position.to_move == 2
    assert [event.seat for event in position.happened(EventKind.PASSED)] == [0]
    assert position.stacks(1) == "1 |  | "


def test_S3_8_you_may_play_first_and_then_pass() -> None:
    position = stockpile(must_play="no", stacks=["2 1 ||"], fresh="1 5 6")
    position.play("A 1", "pass")
    assert position.to_move == 2
    assert position.stacks(1) == "2 |  | "


def test_S3_8_a_turn_also_ends_automatically_where_passing_is_allowed() -> None:
    position = stockpile(must_play="no", stacks=["1 ||", "2 ||"])
    position.play("A 1")
    assert position.to_move == 2
    assert position.happened(EventKind.PASSED) == []


def test_S3_8_must_play_is_yes_or_no() -> None:
    with pytest.raises(OptionError) as refused:
        stockpile(must_play="perhaps")
    assert str(refused.value) == "must_play cannot be 'perhaps': it is yes or no (S3.8)"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_S3_9_then_it_is_the_turn_of_the_next_player_to_the_left(players: int) -> None:
    position = stockpile(players=players, must_play="no", stacks=["1 ||"] * players)
    turns = []
    for _ in range(players):
        turns.append(position.to_move)
        position.play("pass")
    assert turns == list(range(1, players + 1))
    assert position.to_move == 1


def test_S3_9_only_the_player_whose_turn_it_is_can_move() -> None:
    match = upcard.new("stockpile", seed=7, names=["Ann", "Robin", "Sam"])
    assert match.to_move
    other = match.to_move % 3 + 1
    with pytest.raises(Refused) as refused:
        match.play(match.legal[0], seat=other)
    assert refused.value.refusal.clause == "S3.9"
    assert refused.value.refusal.text() == f"It's {match.names[match.to_move - 1]}'s turn. (S3.9)"
