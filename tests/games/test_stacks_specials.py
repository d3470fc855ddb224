"""The clauses of Stacks about the special cards (K4), except for the memory of thefts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.stacks_tables import BLUE_FOUR, RED_FOUR, dealt_cards, stacks
from upcard.core.chance import key_of, set_key
from upcard.core.errors import NotationError
from upcard.core.events import EventKind


@pytest.mark.parametrize("move", ["skip", "reverse", "card @2 hand", "chip @2 red"])
def test_K4_1_a_special_goes_out_of_play_and_does_not_end_the_turn(move: str) -> None:
    special = move.partition(" ")[0]
    position = stacks(f"{special} b5 b5", chips={2: (1, 0)})
    position.play(move)
    assert (position.to_move, position.spent) == (1, special)


def test_K4_1_a_skip_makes_the_next_player_miss_a_turn() -> None:
    position = stacks("skip b5 b5")
    position.play("skip", "x b5")
    assert position.to_move == 3
    assert [event.seat + 1 for event in position.happened(EventKind.SKIPPED)] == [2]


def test_K4_1_a_skip_is_used_up() -> None:
    position = stacks("skip b5 b5")
    position.play("skip", "x b5", "x b5")
    assert position.to_move == 1
    position.play("x b5")
    assert position.to_move == 2


def test_K4_1_skips_of_one_turn_add_up() -> None:
    position = stacks("skip skip b5 b5", players=4)
    position.play("skip", "skip", "x b5")
    assert position.to_move == 4


def test_K4_1_turns_are_missed_in_the_direction_that_holds_when_the_turn_ends() -> None:
    position = stacks("skip reverse b5 b5", players=4)
    position.play("skip", "reverse", "x b5")
    assert position.to_move == 3
    assert [event.seat + 1 for event in position.happened(EventKind.SKIPPED)] == [4]


def test_K4_1_when_everyone_else_misses_a_turn_you_play_again() -> None:
    position = stacks("skip skip b5 b5")
    position.play("skip", "skip", "x b5")
    assert position.to_move == 1
    position.play("x b5")
    assert position.to_move == 2


def test_K4_1_your_own_turn_is_not_counted_and_skips_left_over_apply_after_it() -> None:
    position = stacks("skip skip skip b5 b5")
    position.play("skip", "skip", "skip", "x b5")
    assert position.to_move == 1
    position.play("x b5")
    assert position.to_move == 3


def test_K4_1_two_skips_with_two_players_are_two_more_turns() -> None:
    position = stacks("skip skip b5 b5 b5", players=2)
    position.play("skip", "skip", "x b5")
    assert position.to_move == 1
    position.play("x b5")
    assert position.to_move == 1
    position.play("x b5")
    assert position.to_move == 2


def test_K4_2_a_reverse_turns_the_direction_round_for_good() -> None:
    position = stacks("reverse b5 b5", players=4)
    position.play("reverse", "x b5")
    assert position.to_move == 4
    position.play("x b5")
    assert position.to_move == 3


def test_K4_2_two_reverses_cancel_out() -> None:
    position = stacks("reverse reverse b5 b5", players=4)
    position.play("reverse", "reverse", "x b5")
    assert position.to_move == 2


def test_K4_2_with_two_players_a_reverse_acts_as_a_skip() -> None:
    position = stacks("reverse b5 b5", players=2, two_player_deck="full")
    position.play("reverse", "x b5")
    assert position.to_move == 1
    position.play("x b5")
    assert position.to_move == 2


def test_K4_2_a_reverse_and_a_skip_with_two_players_are_two_skips() -> None:
    position = stacks("reverse skip b5 b5 b5", players=2, two_player_deck="full")
    position.play("reverse", "skip", "x b5", "x b5")
    assert position.to_move == 1
    position.play("x b5")
    assert position.to_move == 2


@pytest.mark.parametrize(("deck", "reverses", "total"), [("reduced", 0, 112), ("full", 3, 120)])
def test_K4_2_the_option_keeps_reverses_in_the_deck_of_two(deck: str, reverses: int, total: int) -> None:
    cards = dealt_cards(players=2, two_player_deck=deck)
    assert (cards["reverse"], cards.total()) == (reverses, total)


def test_K4_3_you_choose_whom_to_steal_from_and_which_of_the_two() -> None:
    position = stacks("card", discards={1: "r4", 3: "r5"})
    assert position.legal == ["card @2 hand", "card @3 hand", "card @3 top", "x card"]


def test_K4_3_the_top_of_a_discard_pile_joins_the_hand() -> None:
    position = stacks("card b5", discards={2: "b2 r1"})
    position.play("card @2 top")
    assert (position.hand(1), position.discards(2)) == ("r1 b5", "b2")
    position.play("r1 R1")
    assert position.pile("R1") == "r1"


def test_K4_3_a_card_of_a_hand_joins_the_hand() -> None:
    position = stacks("card b5", hands={2: "r1 r1 r1"})
    position.play("card @2 hand")
    assert (position.hand(1), position.hand(2)) == ("r1 b5", "r1 r1")


def test_K4_3_a_hand_card_is_drawn_at_random() -> None:
    taken = set()
    for seed in range(40):
        position = stacks("card", hands={2: "r1 r2 r3 r4"})
        set_key(position.table.chance, key_of(bytes([seed])))
        position.play("card @2 hand")
        taken.add(position.hand(1))
    assert taken == {"r1", "r2", "r3", "r4"}


def test_K4_3_with_nothing_to_steal_anywhere_it_cannot_be_played() -> None:
    position = stacks("card b5", hands={2: "", 3: ""}, discards={1: "r4"})
    assert position.legal == ["x card", "x b5"]


def test_K4_3_a_missing_card_cannot_be_stolen() -> None:
    position = stacks("card", hands={2: ""}, discards={2: "r5"})
    assert position.legal == ["card @2 top", "card @3 hand", "x card"]
    hand, top = position.refused("card @2 hand"), position.refused("card @3 top")
    assert (hand.clause, hand.code) == ("K4.3", "stacks.empty_hand")
    assert (top.clause, top.code) == ("K4.3", "stacks.empty_discards")


def test_K4_3_players_cannot_steal_from_themselves() -> None:
    refusal = stacks("card b5", discards={1: "r4"}).refused("card @1 top")
    assert (refusal.clause, refusal.code) == ("K4.3", "stacks.steal_from_others")


def test_K4_3_a_seat_that_does_not_exist_cannot_be_stolen_from() -> None:
    position = stacks("card b5", players=3)
    with pytest.raises(NotationError, match="a number from 1 to 3"):
        position.refused("card @4 hand")


def test_K4_3_the_victim_refills_only_at_the_end_of_their_own_next_turn() -> None:
    position = stacks("card b5 b5 b5 b5", hands={2: "r5 r5 r5 r5 r5"})
    position.play("card @2 hand", "x b5")
    assert (position.to_move, position.hand(2)) == (2, "r5 r5 r5 r5")
    position.play("x r5")
    assert position.hand(2) == "r5 r5 r5 b4 b4"


def test_K4_4_you_choose_whom_to_steal_a_chip_from_and_its_colour() -> None:
    position = stacks("chip", chips={1: (1, 1), 2: (1, 2), 3: (0, 1)})
    assert position.legal == ["chip @2 red", "chip @2 blue", "chip @3 blue", "x chip"]


def test_K4_4_the_chip_changes_hands() -> None:
    position = stacks("chip b5", chips={2: (1, 2)})
    bank = position.bank
    position.play("chip @2 blue")
    assert (position.chips(1), position.chips(2), position.bank) == ((0, 1), (1, 1), bank)


def test_K4_4_a_chip_that_is_not_there_cannot_be_stolen() -> None:
    position = stacks("chip b5", chips={1: (1, 0), 2: (0, 1)})
    missing, own = position.refused("chip @2 red"), position.refused("chip @1 red")
    assert (missing.clause, missing.code) == ("K4.4", "stacks.no_such_chip_red")
    assert (own.clause, own.code) == ("K4.4", "stacks.steal_from_others")


def test_K4_4_without_a_chip_to_steal_it_cannot_be_played() -> None:
    assert stacks("chip b5", chips={1: (1, 1)}).legal == ["x chip", "x b5"]


@pytest.mark.parametrize("chosen", [{}, {"chip_win": "illegal"}])
def test_K4_4_a_theft_that_would_win_is_not_allowed(chosen: dict[str, Any]) -> None:
    position = stacks("chip b5", chips={1: (2, 2), 2: (1, 1)}, **chosen)
    refusal = position.refused("chip @2 red")
    assert (refusal.clause, refusal.code) == ("K4.4", "stacks.theft_would_win")
    assert position.legal == ["x chip", "x b5"]


def test_K4_4_a_theft_of_the_other_colour_may_be_allowed() -> None:
    position = stacks("chip b5", chips={1: (4, 1), 2: (1, 1)})
    assert position.refused("chip @2 blue").code == "stacks.theft_would_win"
    position.play("chip @2 red")
    assert (position.chips(1), position.result) == ((5, 1), None)


def test_K4_4_a_delayed_win_comes_with_the_next_completed_pile() -> None:
    position = stacks("chip b5 r5", piles={"R1": RED_FOUR}, chips={1: (2, 2), 2: (1, 0)}, chip_win="delayed")
    position.play("chip @2 red")
    assert (position.chips(1), position.result) == ((3, 2), None)
    position.play("r5 R1")
    assert position.result == ("won", [1], [6, 0, 0])


def test_K4_4_a_delayed_win_does_not_come_with_the_end_of_the_turn() -> None:
    position = stacks("chip b5 r5", chips={1: (2, 2), 2: (1, 0)}, chip_win="delayed")
    position.play("chip @2 red", "x b5")
    assert (position.to_move, position.result) == (2, None)


def test_K4_4_a_delayed_win_needs_no_chip_from_the_bank() -> None:
    position = stacks("r5 b5", piles={"R1": RED_FOUR}, chips={1: (3, 2)}, bank=(0, 0), chip_win="delayed")
    position.play("r5 R1")
    assert position.result == ("won", [1], [5, 0, 0])


def test_K4_4_a_delayed_win_does_not_come_with_a_blocked_pile() -> None:
    position = stacks(
        "r5 b5", piles={"R1": RED_FOUR}, hands={2: "block"}, chips={1: (3, 2)}, chip_win="delayed"
    )
    position.play("r5 R1", "block")
    assert (position.chips(1), position.result) == ((3, 2), None)


def test_K4_5_a_wild_is_played_on_piles_of_its_own_colour_only() -> None:
    position = stacks("r? b?", piles={"R1": "r1", "B2": BLUE_FOUR})
    assert [move for move in position.legal if "?" in move and not move.startswith("x")] == [
        "r? R1",
        "r? R2",
        "b? B1",
        "b? B2",
    ]


def test_K4_5_a_wild_is_not_a_special_and_leaves_with_its_pile() -> None:
    position = stacks("b? b5", piles={"B1": BLUE_FOUR})
    position.play("b? B1")
    assert (position.finished, position.spent) == ("b1 b2 b3 b4 b?", "")
