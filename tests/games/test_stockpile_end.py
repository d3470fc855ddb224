"""Stockpile, clause by clause: when the fresh cards run out, and winning (S4, S5)."""

from __future__ import annotations

import pytest

from tests.games.stockpile_tables import dealt, stockpile
from upcard.core.errors import OptionError
from upcard.core.events import HIDDEN, EventKind, redact

# S4 When the fresh cards run out. In most of these tables seat 1 plays its only card, which ends the
# turn, and seat 2 is dealt its hand.


def test_S4_1_the_completed_piles_become_the_fresh_cards() -> None:
    position = stockpile(stacks=["1 ||"], completed="2 2 2 2 2")
    position.play("A 1")
    assert position.shuffled == [["2", "2", "2", "2", "2"]]
    assert position.stacks(2) == "2 | 2 | 2"
    assert position.fresh == ["2", "2"]
    assert position.completed == ""


def test_S4_1_it_can_happen_in_the_middle_of_a_deal() -> None:
    position = stockpile(stacks=["1 ||"], fresh="5", completed="2 2")
    position.play("A 1")
    assert position.stacks(2) == "5 | 2 | 2"
    assert [
        event.kind for event in position.events if event.kind in (EventKind.DEALT, EventKind.SHUFFLED)
    ] == [
        EventKind.DEALT,
        EventKind.SHUFFLED,
        EventKind.DEALT,
        EventKind.DEALT,
    ]


def test_S4_1_it_waits_until_a_card_is_needed() -> None:
    position = stockpile(stacks=["1 ||"], fresh="2 5 6", completed="7 7 7")
    position.play("A 1")
    assert position.stacks(2) == "2 | 5 | 6"
    assert position.fresh == []
    assert position.shuffled == []
    assert position.completed == "7 7 7"


def test_S4_1_a_pile_completed_just_before_is_there_too() -> None:
    position = stockpile(piles="9", stacks=["10 ||"])
    position.play("A 1")
    assert position.shuffled == [["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]]


def test_S4_1_a_wild_that_stood_for_a_number_is_a_wild_again() -> None:
    position = stockpile(piles="9", stacks=["? ||"])
    position.play("A 1")
    assert position.shuffled == [["?", "1", "2", "3", "4", "5", "6", "7", "8", "9"]]


def test_S4_1_the_piles_that_are_being_built_stay_as_they_are() -> None:
    position = stockpile(piles="0 5", stacks=["1 ||"], completed="6 6 6 6")
    position.play("A 1")
    assert position.piles == "1 5 0 0"
    assert position.shuffled == [["6", "6", "6", "6"]]


def test_S4_1_everyone_knows_which_cards_they_are_and_nobody_their_order() -> None:
    position = stockpile(stacks=["1 ||"], stocks=["8 8", "8 2"], completed="3 4 5 9 9 9")
    position.play("A 1")
    (shuffle,) = position.happened(EventKind.SHUFFLED)
    for viewer in position.viewers:
        seen = redact(shuffle, viewer)
        assert seen
        assert seen.cards == (HIDDEN,) * 6
        fresh = position.game.view(position.table, viewer).fresh
        assert [str(card) for card in range(11) for _ in range(fresh[card])] == sorted(position.fresh)


def test_S4_2_without_a_completed_pile_the_cards_under_the_tops_are_taken() -> None:
    position = stockpile(piles="0 4 3", stacks=["1 ||"])
    position.play("A 1")
    assert position.shuffled == [["1", "1", "2", "2", "3"]]


def test_S4_2_the_piles_keep_their_number() -> None:
    position = stockpile(piles="0 5 4", stacks=["1 ||"], stocks=["8 8", "8 5"])
    position.play("A 1")
    assert position.piles == "1 5 4 0"
    assert "stock 3" in position.legal
    assert position.refused("stock 2").parameters["needed"] == 6


def test_S4_2_a_wild_on_top_stays_and_keeps_its_number() -> None:
    position = stockpile(piles="4", stacks=["? ||"], stocks=["8 8", "8 6"])
    position.play("A 1")
    assert position.shuffled == [["1", "2", "3", "4"]]
    assert position.piles == "5 0 0 0"
    assert "stock 1" in position.legal


def test_S4_2_a_completed_pile_comes_first() -> None:
    position = stockpile(piles="0 5", stacks=["1 ||"], completed="6 6 6")
    position.play("A 1")
    assert position.shuffled == [["6", "6", "6"]]
    assert position.stacks(2) == "6 | 6 | 6"


def test_S4_2_both_can_happen_in_one_deal() -> None:
    position = stockpile(piles="0 3", stacks=["1 ||"], fresh="9", completed="10")
    position.play("A 1")
    assert position.shuffled == [["10"], ["1", "2"]]
    assert position.stacks(2).startswith("9 | 10 | ")


def test_S4_2_it_waits_until_a_card_is_needed() -> None:
    position = stockpile(piles="0 5", stacks=["1 ||"], fresh="2 9 9")
    position.play("A 1")
    assert position.shuffled == []


def test_S4_2_a_pile_of_one_card_has_nothing_to_give() -> None:
    position = stockpile(piles="0 1 1 1", stacks=["1 ||", "2 ||"])
    position.play("A 1")
    assert position.shuffled == []
    assert position.stacks(2) == "2 |  | "


def test_S4_2_cards_taken_from_a_pile_are_not_there_a_second_time() -> None:
    position = stockpile(piles="3", stacks=["4 ||"])
    position.play("A 1")
    assert position.shuffled == [["1", "2", "3"]]
    for _ in range(3):
        position.play(next(move for move in position.legal if move.endswith(" 2")))
    assert position.piles == "4 3 0 0"
    assert position.shuffled == [["1", "2"]]


def test_S4_2_the_number_grows_from_where_it_was_until_the_pile_is_complete() -> None:
    position = stockpile(piles="8", stacks=["9 ||"], stocks=["8 8", "1 10"])
    position.play("A 1")
    assert position.shuffled == [["1", "2", "3", "4", "5", "6", "7", "8"]]
    position.play("stock 1")
    assert position.piles == "0 0 0 0"
    assert position.completed == "9 10"


def test_S4_2_a_table_may_leave_the_building_piles_alone() -> None:
    position = stockpile(piles="0 5", stacks=["1 ||", "6 ||"], recycle="completed")
    position.play("A 1")
    assert position.shuffled == []
    assert position.stacks(2) == "6 |  | "


def test_S4_2_a_table_that_leaves_them_alone_still_reshuffles_the_completed_piles() -> None:
    position = stockpile(piles="0 5", stacks=["1 ||"], recycle="completed", completed="6 6 6")
    position.play("A 1")
    assert position.shuffled == [["6", "6", "6"]]


def test_S4_2_cards_come_from_under_the_tops_by_default() -> None:
    assert dealt().game.complete({})["recycle"] == "under"


def test_S4_2_there_are_two_ways_to_recycle() -> None:
    with pytest.raises(OptionError) as refused:
        stockpile(recycle="never")
    assert str(refused.value) == "recycle cannot be 'never': it is under or completed (S4.2)"


def test_S4_3_two_cards_go_to_A_and_B() -> None:
    position = stockpile(stacks=["1 ||", "5 | 5 | 5"], fresh="2 9")
    position.play("A 1")
    assert position.to_move == 2
    assert position.stacks(2) == "5 2 | 5 9 | 5"


def test_S4_3_one_card_goes_to_A() -> None:
    position = stockpile(stacks=["1 ||"], fresh="2")
    position.play("A 1")
    assert position.to_move == 2
    assert position.stacks(2) == "2 |  | "


def test_S4_3_a_short_deal_comes_after_reshuffling_too() -> None:
    position = stockpile(stacks=["1 ||"], completed="2 2")
    position.play("A 1")
    assert position.stacks(2) == "2 | 2 | "


def test_S4_3_without_any_card_the_turn_is_played_all_the_same() -> None:
    position = stockpile(stacks=["1 ||", "| 2 |"])
    position.play("A 1")
    assert position.to_move == 2
    assert position.happened(EventKind.DEALT) == []
    assert position.legal == ["B 1"]


def test_S4_3_the_stockpile_alone_can_be_played_too() -> None:
    position = stockpile(stacks=["1 ||"], stocks=["8 8", "8 2"])
    position.play("A 1")
    assert position.legal == ["stock 1"]


def test_S4_4_a_round_without_a_card_dealt_or_played_ends_the_game() -> None:
    position = stockpile(stacks=["1 ||"], stocks=["8 8", "8 8 8"])
    position.play("A 1")
    assert position.result == ("stuck", [1], [2, 3])
    assert position.legal == []


def test_S4_4_the_fewest_stockpile_cards_win_no_matter_who_played_last() -> None:
    position = stockpile(players=3, stacks=["1 ||"], stocks=["8 8 8", "8 8", "8"])
    position.play("A 1")
    assert position.result == ("stuck", [3], [3, 2, 1])


def test_S4_4_equal_counts_share_the_win() -> None:
    position = stockpile(players=4, stacks=["1 ||"], stocks=["8 8 8", "8 8", "8 8 8", "8 8"])
    position.play("A 1")
    assert position.result == ("stuck", [2, 4], [3, 2, 3, 2])


def test_S4_4_all_may_share_it() -> None:
    position = stockpile(players=3, stacks=["1 ||"])
    position.play("A 1")
    assert position.result == ("stuck", [1, 2, 3], [2, 2, 2])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_S4_4_a_round_is_a_turn_of_everyone_after_the_last_play(players: int) -> None:
    position = stockpile(players=players, stacks=["1 ||"])
    position.play("A 1")
    assert position.turns == [*range(2, players + 1), 1]
    assert [event.place for event in position.happened(EventKind.OVER)] == [position.table.over]


def test_S4_4_cards_in_the_stacks_do_not_keep_a_game_going_that_nobody_can_play() -> None:
    position = stockpile(stacks=["9 1 | 9 | 9", "7 | 7 | 7"])
    position.play("A 1")
    assert position.result == ("stuck", [1, 2], [2, 2])


def test_S4_4_one_card_dealt_keeps_the_game_going_for_another_round() -> None:
    position = stockpile(players=3, stacks=["1 ||"], fresh="9 9 9 9")
    position.play("A 1")
    assert position.turns == [2, 3, 1, 2, 3]
    assert position.stacks(3) == "9 |  | "
    assert position.result == ("stuck", [1, 2, 3], [2, 2, 2])


def test_S4_4_one_play_keeps_the_game_going_for_another_round() -> None:
    position = stockpile(players=3, must_play="no", stacks=["1 ||", "1 ||", "1 ||"])
    position.play("pass", "pass", "pass", "A 1")
    assert position.to_move == 2
    position.play("pass")
    assert position.result is None
    position.play("pass")
    assert position.turns == [1]
    assert position.result == ("stuck", [1, 2, 3], [2, 2, 2])


def test_S4_4_a_round_in_which_everyone_passes_is_one_without_a_play() -> None:
    position = stockpile(must_play="no", stacks=["1 ||", "1 ||"], stocks=["8 8", "8"])
    position.play("pass", "pass")
    assert position.result is None
    position.play("pass")
    assert position.result == ("stuck", [2], [2, 1])


def test_S4_4_passing_does_not_end_a_game_in_which_cards_are_dealt() -> None:
    position = stockpile(must_play="no", stacks=["1 ||", "1 ||"], fresh="1 1 1 1 1 1 1 1 1 1 1 1")
    position.play("pass", "pass", "pass", "pass")
    assert position.to_move == 1
    assert position.result is None


def test_S4_4_a_game_that_is_stuck_allows_no_more_moves() -> None:
    position = stockpile(stacks=["1 ||"])
    position.play("A 1")
    refusal = position.refused("stock 1")
    assert (refusal.code, refusal.clause) == ("table.over", "S4.4")


# S5 Winning


def test_S5_1_the_first_whose_stockpile_is_empty_wins() -> None:
    position = stockpile(players=3, turn=2, stocks=["8 8", "1", "8 8 8"])
    position.play("stock 1")
    assert position.result == ("won", [2], [2, 0, 3])


def test_S5_1_it_happens_immediately_whatever_could_still_be_played() -> None:
    position = stockpile(stocks=["1"], stacks=["5 2 | ? | 1"], fresh="1 2 3")
    position.play("stock 1")
    assert position.result == ("won", [1], [0, 2])
    assert position.stacks(1) == "5 2 | ? | 1"
    assert position.legal == []
    assert position.turns == []


def test_S5_1_the_last_card_can_complete_a_pile() -> None:
    position = stockpile(piles="9", stocks=["10"])
    position.play("stock 1")
    assert [event.kind for event in position.events] == [
        EventKind.PLAYED,
        EventKind.COMPLETED,
        EventKind.OVER,
    ]
    assert position.result == ("won", [1], [0, 2])


def test_S5_1_the_last_card_can_be_a_wild() -> None:
    position = stockpile(piles="6 6 6 6", stocks=["?"])
    position.play("stock 3")
    assert position.result == ("won", [1], [0, 2])


def test_S5_1_the_first_card_can_be_the_last_one() -> None:
    position = next(
        table
        for table in (dealt(seed=seed, players=2, first=1, stock=1) for seed in range(99))
        if table.stock(1) in ("1", "?")
    )
    position.play("stock 1")
    assert position.result == ("won", [1], [0, 1])


def test_S5_1_empty_stacks_do_not_win() -> None:
    position = stockpile(stacks=["1 ||", "2 ||"])
    position.play("A 1")
    assert position.stacks(1) == " |  | "
    assert position.result is None


def test_S5_1_one_card_left_does_not_win() -> None:
    position = stockpile(stocks=["8 1"], stacks=["2 ||"])
    position.play("stock 1")
    assert position.to_move == 1
    assert position.result is None


def test_S5_1_a_game_that_is_won_allows_no_more_moves() -> None:
    position = stockpile(stocks=["1"], stacks=["2 ||"])
    position.play("stock 1")
    refusal = position.refused("A 1")
    assert (refusal.code, refusal.clause) == ("table.over", "S5.1")
