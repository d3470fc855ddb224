"""Lines, clause by clause: a turn (L4)."""

from __future__ import annotations

import pytest

from tests.games.lines_tables import GAME, dealt, set_up
from upcard.core.errors import OptionError
from upcard.core.events import EventKind

# L4 A turn


def test_L4_1_any_card_can_be_the_first_line() -> None:
    position = set_up("", "b3", hand="r1 g7 y12 p9")
    assert position.legal == ["r1 top", "g7 top", "y12 top", "p9 top"]
    position.play("y12 top")
    assert position.zone(1) == "y12"


def test_L4_1_the_first_turn_ends_by_drawing_one_card() -> None:
    position = set_up("", "", hand="r1 r2 r3 r4", deck="g5 g6")
    position.play("r2 top")
    assert position.hand(1) == "r1 r3 r4 g5"
    assert position.deck == "g6"
    assert position.to_move == 2


def test_L4_1_the_first_turn_of_each_player_is_an_opening() -> None:
    position = dealt(players=3, first=3)
    for seat in (3, 1, 2):
        assert position.to_move == seat
        assert all(move.endswith(" top") and "@" not in move for move in position.legal)
        position.play(position.legal[0])
    assert position.to_move == 3
    assert all("@" in move for move in position.legal)


@pytest.mark.parametrize("move", ["r1 bottom", "r1 +1", "r1 @2 top", "r1 @2 +1"])
def test_L4_1_nothing_else_can_be_laid_in_the_first_turn(move: str) -> None:
    refusal = set_up("", "b3", hand="r1 g7 y12 p9").refused(move)
    assert (refusal.code, refusal.clause) == ("lines.opening", "L4.1")


def test_L4_1_no_card_is_discarded_in_the_first_turn() -> None:
    refusal = set_up("", "b3", hand="r1 g7 y12 p9").refused("x r1")
    assert (refusal.code, refusal.clause) == ("lines.no_discard_yet", "L4.1")


def test_L4_2_any_card_makes_a_new_line_in_any_opponents_zone() -> None:
    position = set_up("r5", "g3", "b3", hand="y12 p1", seat=2)
    assert position.legal == [
        *("y12 @3 top", "y12 @3 bottom", "y12 @1 top", "y12 @1 bottom"),
        *("p1 @3 top", "p1 @3 bottom", "p1 @1 top", "p1 @1 bottom"),
    ]


def test_L4_2_or_a_card_extends_an_active_line_of_an_opponent() -> None:
    position = set_up("r5", "g3 | b4 b7", hand="b9 y1")
    position.play("b9 @2 +2")
    assert position.zone(2) == "g3 | b4 b7 b9"
    assert position.hand(1) == "y1"


@pytest.mark.parametrize("move", ["g5 top", "r9 +1"])
def test_L4_2_your_own_zone_has_to_wait_for_step_two(move: str) -> None:
    refusal = set_up("r5", "b3", hand="g5 r9").refused(move)
    assert (refusal.code, refusal.clause) == ("lines.give_first", "L4.2")


def test_L4_2_step_one_cannot_be_skipped_by_discarding() -> None:
    refusal = set_up("r5", "b3", hand="g5 r9").refused("x g5")
    assert (refusal.code, refusal.clause) == ("lines.must_give", "L4.2")


def test_L4_2_with_matching_a_new_line_must_match_the_line_it_covers() -> None:
    position = set_up("p1", "r3 r5 | b7", hand="g3 g5 g7 g9", give="matching")
    assert position.legal == ["g3 @2 top", "g5 @2 top", "g7 @2 bottom"]


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("g9 @2 top", "lines.no_match"),
        ("g5 @2 bottom", "lines.no_match"),
        ("g10 @2 bottom", "lines.too_high"),
    ],
)
def test_L4_2_with_matching_the_condition_of_L4_4_is_what_forbids_other_gifts(move: str, code: str) -> None:
    refusal = set_up("p1", "r3 r5 | b10", hand="g5 g9 g10", give="matching").refused(move)
    assert (refusal.code, refusal.clause) == (code, "L4.4")


def test_L4_2_with_matching_a_line_is_extended_as_ever() -> None:
    position = set_up("p1", "r5 | g7 | b10", hand="r11 g8 b12", give="matching")
    assert position.legal == ["r11 @2 +1", "b12 @2 +3"]


def test_L4_2_with_matching_a_card_is_discarded_if_none_can_be_given() -> None:
    position = set_up("p1", "r5", "b7", hand="g6 y8 y10", give="matching")
    assert position.legal == ["x g6", "x y8", "x y10"]
    position.play("x y8")
    assert position.discards == "y8"
    assert position.hand(1) == "g6 y10"


def test_L4_2_with_matching_step_two_follows_that_discard() -> None:
    position = set_up("g4 | y6", "b7", hand="g6 y8", give="matching", deck="r1 r2")
    position.play("x y8")
    assert position.to_move == 1
    assert position.legal == ["g6 bottom", "g6 +1", "x g6"]
    position.play("g6 +1")
    assert position.hand(1) == "r1 r2"


def test_L4_2_with_matching_nothing_is_discarded_while_a_card_can_be_given() -> None:
    position = set_up("p1", "r5", "b7", hand="g6 y8 y7", give="matching")
    refusal = position.refused("x g6")
    assert (refusal.code, refusal.clause) == ("lines.must_give", "L4.2")
    assert position.legal == ["y7 @3 top", "y7 @3 bottom"]


def test_L4_2_with_matching_a_higher_card_of_the_colour_is_one_that_can_be_given() -> None:
    position = set_up("p1", "r5 | b7", hand="g6 b12", give="matching")
    assert position.legal == ["b12 @2 +2"]


def test_L4_2_with_matching_and_next_that_card_must_be_one_higher() -> None:
    position = set_up("p1", "r5 | b7", hand="g6 b12", give="matching", extend="next")
    assert position.legal == ["x g6", "x b12"]


def test_L4_2_give_is_free_or_matching() -> None:
    assert GAME.complete({})["give"] == "free"
    with pytest.raises(OptionError, match=r"^give cannot be 'no': it is free or matching \(L4\.2\)$"):
        GAME.complete({"give": "no"})


def test_L4_3_step_two_is_played_by_the_same_player_after_step_one() -> None:
    position = set_up("r5", "b3", hand="g8 r9")
    position.play("g8 @2 top")
    assert position.to_move == 1
    assert position.legal == ["r9 +1", "x r9"]


def test_L4_3_any_of_your_own_lines_is_extended_active_or_not() -> None:
    position = set_up("r5 | g5 | y5 | b5", "p1", hand="r6 g6 b6", home=True)
    assert [move for move in position.legal if "+" in move] == ["r6 +1", "g6 +2", "b6 +4"]


def test_L4_3_one_card_ends_step_two() -> None:
    position = set_up("r5", "b3", hand="r6 r7", home=True)
    position.play("r6 +1")
    assert position.to_move == 2


@pytest.mark.parametrize("move", ["g8 @2 top", "b9 @2 +1"])
def test_L4_3_the_second_card_does_not_go_to_an_opponent(move: str) -> None:
    refusal = set_up("r5", "b3", hand="g8 b9", home=True).refused(move)
    assert (refusal.code, refusal.clause) == ("lines.home_now", "L4.3")


@pytest.mark.parametrize("card", ["g2", "g5", "g9"])
def test_L4_4_a_new_line_matches_any_card_of_the_line_it_covers(card: str) -> None:
    position = set_up("r2 r5 r9 | b1", "p1", hand=card, home=True)
    assert position.legal == [f"{card} top", f"x {card}"]


def test_L4_4_at_the_bottom_it_matches_the_bottom_line() -> None:
    position = set_up("r2 r5 | b1 b7", "p1", hand="g1 g2 g7", home=True)
    assert [move for move in position.legal if "x" not in move] == ["g1 bottom", "g2 top", "g7 bottom"]


def test_L4_4_it_may_have_the_colour_of_the_line_beside_it_or_another() -> None:
    position = set_up("r5 | b1 b7", "p1", hand="r7 y5", home=True)
    position.play("r7 bottom")
    assert position.zone(1) == "r5 | b7 | r7"


@pytest.mark.parametrize(("move", "line"), [("g7 top", 1), ("g2 bottom", 3)])
def test_L4_4_without_a_card_of_its_value_there_a_card_makes_no_line(move: str, line: int) -> None:
    refusal = set_up("r2 r5 | y2 | b1 b7", "p1", hand="g2 g7", home=True).refused(move)
    assert (refusal.code, refusal.clause) == ("lines.no_match", "L4.4")
    assert refusal.parameters["line"] == line


@pytest.mark.parametrize("value", [10, 11, 12])
@pytest.mark.parametrize("spot", ["top", "bottom"])
def test_L4_4_10_11_and_12_never_make_a_new_line(value: int, spot: str) -> None:
    refusal = set_up(f"r{value}", "p1", hand=f"g{value}", home=True).refused(f"g{value} {spot}")
    assert (refusal.code, refusal.clause) == ("lines.too_high", "L4.4")


def test_L4_5_a_card_can_be_discarded_even_where_a_play_exists() -> None:
    position = set_up("r5", "b3", hand="r6 g5", home=True)
    assert position.legal == ["r6 +1", "g5 top", "g5 bottom", "x r6", "x g5"]


def test_L4_5_discarding_ends_the_turn_without_a_play() -> None:
    position = set_up("r5", "b3", hand="r6 g5", home=True)
    position.play("x r6")
    assert position.zone(1) == "r5"
    assert position.discards == "r6"
    assert position.to_move == 2


@pytest.mark.parametrize("move", ["r6 +1", "g5 top", "x y8"])
def test_L4_6_a_turn_ends_by_drawing_two_cards(move: str) -> None:
    position = set_up("r5", "b3", hand="r6 g5 y8", home=True, deck="p1 p2 p3")
    kept = set(position.hand(1).split()) - set(move.split())
    position.play(move)
    assert set(position.hand(1).split()) == kept | {"p1", "p2"}
    assert position.deck == "p3"


def test_L4_6_nothing_is_drawn_between_the_steps() -> None:
    position = set_up("r5", "b3", hand="r6 g5 y8 y9", deck="p1 p2 p3")
    position.play("y9 @2 top")
    assert position.hand(1) == "r6 g5 y8"
    assert position.happened(EventKind.DREW) == []


def test_L4_6_a_hand_is_always_four_at_the_start_of_a_turn() -> None:
    position = dealt(players=4)
    for _ in range(20):
        assert len(position.hand(position.to_move).split()) == 4
        seat = position.to_move
        while position.to_move == seat:
            position.play(position.legal[-1])
