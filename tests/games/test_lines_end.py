"""Lines, clause by clause: the end, and what happens when cards run out (L5 and L6)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.lines_tables import GAME, dealt, set_up
from upcard.core.errors import OptionError
from upcard.core.events import EventKind
from upcard.games.lines.events import LinesEvent

# L5 The end


def test_L5_1_a_fourth_colour_made_at_home_leaves_the_others_one_last_turn() -> None:
    position = set_up("r5 | g5 | b5", "p1", "p2", hand="y5 y1", home=True)
    position.play("y5 top")
    assert len(position.happened(LinesEvent.LAST_TURNS)) == 1
    for seat in (2, 3):
        assert position.to_move == seat
        position.play(position.legal[0])
        position.play(position.legal[-1])
    assert position.result == ("scored", [1], position.scores)


def test_L5_1_a_fourth_colour_that_was_given_ends_the_game_too() -> None:
    position = set_up("p1", "r5 | g5 | b5", "p2", hand="y5 y1", seat=3)
    position.play("y5 @2 top")
    assert [event.seat for event in position.happened(LinesEvent.LAST_TURNS)] == [1]
    assert position.result is None


def test_L5_1_the_current_turn_is_finished_with_its_second_step_and_its_draw() -> None:
    position = set_up("p1", "r5 | g5 | b5", hand="y5 p4", deck="y8 y9 y10 y11")
    position.play("y5 @2 top")
    assert position.legal == ["p4 +1", "x p4"]
    position.play("p4 +1")
    assert position.hand(1) == "y8 y9"
    assert position.result is None


def test_L5_1_the_owner_of_a_zone_that_others_filled_has_a_last_turn_and_they_have_not() -> None:
    position = set_up("p1", "r5 | g5 | b5", hand="y5 p4", others=["y7 y8 y9"])
    position.play("y5 @2 top", "x p4")
    assert position.to_move == 2
    position.play("y7 @1 top", "y8 +1")
    assert position.result is not None


def test_L5_1_four_lines_of_three_colours_end_nothing() -> None:
    position = set_up("p1", "r5 | g5 | b5", hand="r8 p4", others=["y7 y8 y9"])
    position.play("r8 @2 top", "x p4", "y7 @1 top", "x y8")
    assert position.result is None


def test_L5_1_more_lines_than_four_are_fine() -> None:
    position = set_up("p1", "r5 | g5 | g6 | r8 | b5", hand="y5 p4")
    position.play("y5 @2 bottom")
    assert len(position.happened(LinesEvent.LAST_TURNS)) == 1


@pytest.mark.parametrize("colours", [4, 5, 6])
def test_L5_1_four_colours_are_enough_however_many_there_are(colours: int) -> None:
    position = set_up("r1", "r5 | g5 | b5", hand="y5 r4", colours=colours)
    position.play("y5 @2 top")
    assert len(position.happened(LinesEvent.LAST_TURNS)) == 1


def test_L5_1_the_end_is_triggered_once() -> None:
    position = set_up(
        "r5 | g5 | b5", "r6 | g6 | b6", "p2", hand="y5 y1", home=True, others=["y7 y8", "y9 p3"]
    )
    position.play("y5 top", "y7 @1 +1", "x y8", "y9 @2 top")
    assert position.happened(LinesEvent.LAST_TURNS) == []
    position.play("x p3")
    assert position.result == ("scored", [2], [22, 27, 2])


def test_L5_1_a_fifth_colour_triggers_nothing_more() -> None:
    position = set_up("r5 | g5 | b5", "p2", hand="y5 y1", home=True, others=["p7 y8"])
    position.play("y5 top", "p7 @1 top")
    assert position.happened(LinesEvent.LAST_TURNS) == []
    position.play("x y8")
    assert position.result is not None


def test_L5_1_after_the_end_nothing_is_played() -> None:
    position = set_up("r5 | g5 | b5", "p1", hand="y5 y1", home=True, others=["y7 y8"])
    position.play("y5 top", "y7 @1 +1", "x y8")
    assert position.legal == []
    refusal = position.refused("y1 @1 top")
    assert (refusal.code, refusal.clause) == ("table.over", "L5.1")


def test_L5_2_points_are_the_highest_cards_of_all_lines_and_most_points_win() -> None:
    position = set_up("r2 r5 | g12 | b5", "p1 p9 | p11", hand="y5 y1", home=True, others=["r7 y8"])
    position.play("y5 top", "r7 @1 bottom", "x y8")
    assert position.zone(1) == "y5 | r5 | g12 | b5 | r7"
    assert position.result == ("scored", [1], [5 + 5 + 12 + 5 + 7, 9 + 11])


def test_L5_2_the_player_who_ends_the_game_need_not_win() -> None:
    position = set_up("r1 | g2 | b3", "p11", hand="y3 y1", home=True, others=["y4 y8"])
    position.play("y3 bottom", "y4 @1 +4", "x y8")
    assert position.result == ("scored", [2], [1 + 2 + 3 + 4, 11])


def test_L5_2_equal_points_share_the_win() -> None:
    position = set_up("r1 | g2 | b3", "p11", hand="y3 y1", home=True, others=["r4 p12"])
    position.play("y3 bottom", "r4 @1 +1", "p12 +1")
    assert position.result == ("scored", [1, 2], [4 + 2 + 3 + 3, 12])


# L6 When cards run out


def test_L6_1_the_discards_are_reshuffled_when_the_draw_pile_is_empty() -> None:
    position = set_up("r5", "b3", hand="r6", home=True, deck="", discards="g1 g2 g3")
    position.play("r6 +1")
    (deck,) = position.shuffled
    assert set(deck.split()) == {"g1", "g2", "g3"}
    assert set(position.hand(1).split()) == set(deck.split()[:2])
    assert position.deck == deck.split()[2]
    assert position.discards == ""


def test_L6_1_they_are_reshuffled_in_the_middle_of_a_draw() -> None:
    position = set_up("r5", "b3", hand="r6", home=True, deck="y1", discards="g1 g2")
    position.play("r6 +1")
    (deck,) = position.shuffled
    assert position.hand(1).split() == [deck.split()[0], "y1"]
    assert position.deck == deck.split()[1]


def test_L6_1_a_card_discarded_in_the_same_turn_is_reshuffled_too() -> None:
    position = set_up("r5", "b3", hand="g8 y7", home=True, deck="", discards="g1")
    position.play("x g8")
    (deck,) = position.shuffled
    assert set(deck.split()) == {"g1", "g8"}
    assert position.hand(1) == "g1 g8 y7"


def test_L6_1_so_are_the_cards_of_a_line_put_aside() -> None:
    position = set_up("r2 r4 r5 | b3", "p1", hand="g5", home=True, deck="")
    position.play("g5 top")
    assert position.hand(1) == "r2 r4"


def test_L6_1_nothing_is_reshuffled_before_a_card_is_needed() -> None:
    position = set_up("r5", "b3", hand="r6", home=True, deck="y1 y2", discards="g1 g2")
    position.play("r6 +1")
    assert position.shuffled == []
    assert (position.deck, position.discards) == ("", "g1 g2")


def test_L6_1_an_opening_reshuffles_as_well() -> None:
    position = set_up("", "b3", hand="r6 r7", deck="", discards="g1")
    position.play("r6 top")
    assert position.hand(1) == "r7 g1"


def test_L6_1_with_reshuffle_no_the_discards_stay_where_they_are() -> None:
    position = set_up("r5", "b3", hand="r6 r7", home=True, deck="y1", discards="g1 g2", reshuffle=False)
    position.play("r6 +1")
    assert position.hand(1) == "r7 y1"
    assert (position.deck, position.discards) == ("", "g1 g2")
    assert position.shuffled == []


def test_L6_1_reshuffle_is_yes_or_no() -> None:
    assert GAME.complete({})["reshuffle"] is True
    assert GAME.complete({"reshuffle": "no"})["reshuffle"] is False
    with pytest.raises(OptionError, match=r"^reshuffle cannot be 2: it is yes or no \(L6\.1\)$"):
        GAME.complete({"reshuffle": 2})


@pytest.mark.parametrize(("deck", "hand"), [("", "r7 r8"), ("y1", "r7 r8 y1")])
def test_L6_2_if_the_cards_run_short_you_draw_what_there_is(deck: str, hand: str) -> None:
    position = set_up("r5", "b3", hand="r6 r7 r8", home=True, deck=deck)
    position.play("r6 +1")
    assert position.hand(1) == hand
    assert position.to_move == 2


def test_L6_2_with_one_card_only_step_one_is_played() -> None:
    position = set_up("r5", "b3", hand="r6", deck="y1 y2 y3")
    position.play("r6 @2 top")
    assert position.to_move == 2
    assert position.hand(1) == "y1 y2"


def test_L6_2_with_one_card_that_cannot_be_given_it_is_discarded() -> None:
    position = set_up("r5", "b3", hand="r6", deck="y1 y2 y3", give="matching")
    assert position.legal == ["x r6"]
    position.play("x r6")
    assert position.to_move == 2
    assert position.hand(1) == "y1 y2"


def test_L6_2_with_no_card_the_turn_passes() -> None:
    position = set_up("r5", "b3", "g3", hand="r6", home=True, others=["", "y1"], deck="")
    position.play("r6 +1")
    assert position.to_move == 3
    assert [event.seat for event in position.happened(EventKind.TURN)] == [1, 2]


def test_L6_2_several_turns_can_pass_in_a_row() -> None:
    position = set_up("r5", "b3", "g3", hand="r6 r7", home=True, others=["", ""], deck="")
    position.play("r6 +1")
    assert position.to_move == 1
    assert position.legal == ["r7 @2 top", "r7 @2 bottom", "r7 @3 top", "r7 @3 bottom"]


def test_L6_2_a_turn_that_passes_draws_nothing() -> None:
    position = set_up(
        "r5", "b3", "g3", hand="r6", home=True, others=["", "y1"], deck="p1 p2 p3", discards="p4"
    )
    position.play("r6 +1")
    assert position.to_move == 3
    assert position.hand(2) == ""
    assert (position.deck, position.discards) == ("p3", "p4")


def test_L6_2_when_every_hand_is_empty_the_game_ends_and_is_scored() -> None:
    position = set_up("r5", "b3", hand="r6", home=True, others=[""], deck="")
    position.play("r6 +1")
    assert position.result == ("scored", [1], [6, 3])
    assert position.legal == []


def test_L6_2_with_reshuffle_no_it_ends_although_there_are_discards() -> None:
    position = set_up("r5", "b3", hand="r7", home=True, others=[""], deck="", discards="g1", reshuffle=False)
    position.play("x r7")
    assert position.result == ("scored", [1], [5, 3])
    assert position.discards == "r7 g1"


def test_L6_2_it_does_not_end_while_the_discards_can_be_drawn() -> None:
    position = set_up("r5", "b3", hand="r7", home=True, others=[""], deck="")
    position.play("x r7")
    assert position.result is None
    assert position.to_move == 1
    assert position.hand(1) == "r7"


def test_L6_2_a_last_turn_that_passes_counts_as_one() -> None:
    position = set_up("r5 | g5 | b5", "p1", "p2", hand="y5 r1", home=True, others=["", "g9"], deck="")
    position.play("y5 top")
    assert position.to_move == 3
    position.play("g9 @2 top")
    assert position.result == ("scored", [1], [20, 10, 2])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_L6_2_a_game_without_reshuffling_ends_when_the_cards_do(players: int) -> None:
    position = dealt(players=players, give="matching", reshuffle=False)
    for _ in range(60):
        if position.result is None:
            position.play(position.legal[-1])
    assert position.result is not None
    assert position.result[0] == "scored"


def test_L6_3_a_table_where_no_card_fits_anywhere_is_stuck() -> None:
    position = set_up("r12", "", hand="b12 b2 b3 b4", seat=2, give="matching")
    position.play("b12 top")
    assert position.result == ("stuck", [1, 2], [12, 12])
    assert position.legal == []


def test_L6_3_a_stuck_game_is_scored() -> None:
    position = set_up("r12", "r11 | b12", hand="g1 g2", others=["g3"], deck="g4", home=True, give="matching")
    position.play("x g1")
    assert position.result == ("stuck", [2], [12, 23])


@pytest.mark.parametrize(
    "places",
    [
        {"hand": "g1 y11"},
        {"others": ["y11"]},
        {"deck": "g4 g5 y11"},
        {"deck": "g4 g5 g6", "discards": "y11"},
    ],
)
def test_L6_3_it_is_not_stuck_while_a_card_outside_the_zones_fits(places: dict[str, Any]) -> None:
    cards: dict[str, Any] = {"hand": "g1 g2", "others": ["g3"], "deck": "g4"} | places
    position = set_up("r12", "y10 | b12", home=True, give="matching", **cards)
    position.play("x g1")
    assert position.result is None


@pytest.mark.parametrize(("hand", "other"), [("g1 g2", "y11"), ("g1 y11", "g2")])
def test_L6_3_it_is_not_stuck_while_a_card_fits_a_line_put_aside(hand: str, other: str) -> None:
    cards: dict[str, Any] = {"hand": hand, "others": [other], "deck": "g4 g5"}
    position = set_up("r12", "b12 | y10 | p12", **cards, home=True, give="matching")
    position.play("x g1")
    assert position.result is None


def test_L6_3_it_is_not_stuck_while_a_card_matches_an_active_line() -> None:
    position = set_up("r12", "b9 b12", hand="g1 g2", others=["g9"], deck="g4", home=True, give="matching")
    position.play("x g1")
    assert position.result is None


def test_L6_3_with_next_a_card_that_is_not_the_next_does_not_fit() -> None:
    cards: dict[str, Any] = {"hand": "g1 g2", "deck": "y12"}
    position = set_up("r12", "y10 | b12", **cards, others=["g3"], home=True, give="matching", extend="next")
    position.play("x g1")
    assert position.result == ("stuck", [2], [12, 22])


def test_L6_3_with_any_a_card_that_would_only_be_discarded_from_a_line_put_aside_does_not_fit() -> None:
    cards: dict[str, Any] = {"hand": "g1 g2", "others": ["y3"], "deck": "g4"}
    position = set_up("r12", "b12 | y10 | p12", **cards, home=True, give="matching", extend="any")
    position.play("x g1")
    assert position.result == ("stuck", [2], [12, 34])


def test_L6_3_with_any_a_card_discarded_from_a_line_put_aside_does_not_count_as_laid() -> None:
    position = set_up("r5 | y10 | p12", "b12", hand="y3 g1", home=True, give="matching", extend="any")
    position.table.idle_turns = 7
    position.play("y3 +2")
    assert position.table.idle_turns == 8


def test_L6_3_the_turn_in_which_it_gets_stuck_is_finished() -> None:
    position = set_up("r12", "y11 | b12", hand="y12 g1", others=["g3"], deck="g4 g5", give="matching")
    position.play("y12 @2 +1")
    assert position.legal == ["x g1"]
    position.play("x g1")
    assert position.result == ("stuck", [2], [12, 24])


def test_L6_3_without_reshuffling_the_game_continues_until_the_cards_run_out() -> None:
    cards: dict[str, Any] = {"hand": "g1", "deck": ""}
    position = set_up("r12", "b12", **cards, others=["g3 g4"], home=True, give="matching", reshuffle=False)
    position.play("x g1")
    assert position.legal == ["x g3", "x g4"]
    position.play("x g3", "x g4")
    assert position.result == ("scored", [1, 2], [12, 12])


def test_L6_3_with_free_gifts_nothing_is_ever_stuck() -> None:
    position = set_up("r12", "b12", hand="g1 g2", others=["g3"], deck="g4", home=True)
    position.play("x g1")
    assert position.result is None
    assert position.legal == ["g3 @1 top", "g3 @1 bottom"]


def test_L6_3_with_no_cards_left_at_all_it_is_not_stuck_but_over() -> None:
    position = set_up("r12", "b11", hand="b12", others=[""], deck="", give="matching")
    position.play("b12 @2 +1")
    assert position.result == ("scored", [1, 2], [12, 12])


def test_L6_3_a_table_can_get_stuck_during_the_last_turns() -> None:
    cards: dict[str, Any] = {"hand": "y9 g1", "deck": "g3"}
    position = set_up("r9 | g12 | b12", "p12", **cards, others=["g2"], home=True, give="matching")
    position.play("y9 top")
    assert position.result == ("stuck", [1], [42, 12])
