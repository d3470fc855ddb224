"""Lines, clause by clause: the cards, the deal and the lines (L1 to L3)."""

from __future__ import annotations

import pytest

import upcard
from tests.games.lines_tables import GAME, dealt, set_up
from upcard.core.errors import NotationError, OptionError, Refused
from upcard.games.lines.events import LinesEvent

# L1 Contents


@pytest.mark.parametrize(("colours", "letters"), [(4, "rbgy"), (5, "rbgyp"), (6, "rbgypo")])
def test_L1_1_there_is_one_card_of_each_value_from_1_to_12_in_each_colour(colours: int, letters: str) -> None:
    (deck,) = dealt(colours=colours).shuffled
    assert sorted(deck.split()) == sorted(f"{letter}{value}" for letter in letters for value in range(1, 13))


def test_L1_1_unless_the_table_says_otherwise_there_are_five_colours() -> None:
    (deck,) = dealt().shuffled
    assert len(deck.split()) == 60
    assert GAME.complete({})["colours"] == 5


@pytest.mark.parametrize("colours", [3, 7])
def test_L1_1_there_are_four_five_or_six_colours(colours: int) -> None:
    with pytest.raises(OptionError, match=rf"^colours cannot be {colours}: it is 5 or 4 or 6 \(L1\.1\)$"):
        GAME.complete({"colours": colours})


@pytest.mark.parametrize("colours", [4, 5, 6])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_L1_2_two_to_four_can_play_with_any_number_of_colours(players: int, colours: int) -> None:
    position = dealt(players=players, colours=colours)
    assert position.table.players == players
    assert len(position.deck.split()) == 12 * colours - 4 * players


def test_L1_2_five_can_play_with_six_colours() -> None:
    position = dealt(players=5, colours=6)
    assert all(len(position.hand(seat).split()) == 4 for seat in range(1, 6))
    assert len(position.deck.split()) == 52


@pytest.mark.parametrize("colours", [4, 5])
def test_L1_2_five_cannot_play_with_fewer_colours(colours: int) -> None:
    with pytest.raises(OptionError, match=rf"^5 players need 6 colours, not {colours} \(L1\.2\)$"):
        GAME.complete({"players": 5, "colours": colours})


@pytest.mark.parametrize("players", [1, 6])
def test_L1_2_neither_one_nor_six_can_play(players: int) -> None:
    reason = rf"^players cannot be {players}: it is a whole number from 2 to 5 \(L1\.2\)$"
    with pytest.raises(OptionError, match=reason):
        GAME.complete({"players": players, "colours": 6})


# L2 Setting up


@pytest.mark.parametrize("first", [1, 2, 3])
def test_L2_1_four_cards_each_are_dealt_one_at_a_time_from_the_starter(first: int) -> None:
    position = dealt(players=3, first=first)
    (deck,) = position.shuffled
    for step in range(3):
        seat = (first - 1 + step) % 3 + 1
        assert set(position.hand(seat).split()) == set(deck.split()[step:12:3])


def test_L2_1_the_rest_is_the_draw_pile() -> None:
    position = dealt(players=4)
    (deck,) = position.shuffled
    assert position.deck.split() == deck.split()[16:]
    assert position.discards == ""
    assert [position.zone(seat) for seat in (1, 2, 3, 4)] == ["", "", "", ""]


def test_L2_1_the_cards_are_shuffled() -> None:
    decks = [upcard.new("lines", seed=seed).record()["log"][0]["shuffle"] for seed in (1, 2)]
    assert decks[0] != decks[1]
    assert sorted(decks[0]) == sorted(decks[1])


@pytest.mark.parametrize("first", [1, 2, 3, 4])
def test_L2_1_a_table_may_name_the_seat_that_starts(first: int) -> None:
    position = dealt(players=4, first=first)
    assert position.to_move == first
    assert GAME.options_of(position.table)["first"] == first


def test_L2_1_otherwise_chance_names_the_starter() -> None:
    starters = {GAME.deal({"players": 3}, bytes([seed])).to_move for seed in range(20)}
    assert starters == {0, 1, 2}


def test_L2_1_only_a_seat_at_the_table_can_start() -> None:
    with pytest.raises(OptionError, match=r"^first cannot be seat 3: there are 2 players \(L2\.1\)$"):
        GAME.complete({"first": 3})


def test_L2_1_play_passes_to_the_left() -> None:
    position = dealt(players=3, first=2)
    turns = []
    for _ in range(4):
        turns.append(position.to_move)
        position.play(position.legal[0])
    assert turns == [2, 3, 1, 2]


def test_L2_1_nobody_plays_before_their_turn() -> None:
    match = upcard.new("lines", seed=1, first=1)
    with pytest.raises(Refused) as refused:
        match.play("r1 top", seat=2)
    assert (refused.value.refusal.code, refused.value.refusal.clause) == ("table.not_your_turn", "L2.1")


def test_L2_1_only_cards_of_the_hand_are_played() -> None:
    refusal = set_up("r5", "b3", hand="g1 g2 y3 y4").refused("p9 @2 top")
    assert (refusal.code, refusal.clause) == ("table.not_in_hand", "L2.1")
    assert refusal.parameters == {"card": "p9"}


# L3 Lines


def test_L3_1_the_top_and_the_bottom_line_are_active() -> None:
    position = set_up("p1", "r5 | g5 | b5", hand="r6 g6 b6")
    assert [move for move in position.legal if "+" in move] == ["r6 @2 +1", "b6 @2 +3"]


def test_L3_1_the_lines_between_them_are_not_active() -> None:
    refusal = set_up("p1", "r5 | g5 | b5", hand="r6 g6 b6").refused("g6 @2 +2")
    assert (refusal.code, refusal.clause) == ("lines.not_active", "L3.1")
    assert refusal.parameters == {"line": 2}


def test_L3_1_of_two_lines_both_are_active() -> None:
    position = set_up("p1", "r5 | b5", hand="r6 b6")
    assert [move for move in position.legal if "+" in move] == ["r6 @2 +1", "b6 @2 +2"]


def test_L3_1_a_lone_line_is_both_the_top_and_the_bottom_one() -> None:
    position = set_up("r5", "p1", hand="b5 r6", home=True)
    assert position.legal == ["b5 top", "b5 bottom", "r6 +1", "x b5", "x r6"]


def test_L3_1_a_lone_line_of_an_opponent_is_extended_in_one_way() -> None:
    position = set_up("p1", "r5", hand="r6")
    assert position.legal == ["r6 @2 top", "r6 @2 bottom", "r6 @2 +1"]


@pytest.mark.parametrize(("home", "move"), [(False, "g6 @2 +3"), (True, "g6 +3")])
def test_L3_1_only_lines_that_are_there_can_be_extended(home: bool, move: str) -> None:
    refusal = set_up("r1 | r2", "b1 | b2", hand="g6", home=home).refused(move)
    assert (refusal.code, refusal.clause) == ("lines.no_such_line", "L3.1")
    assert refusal.parameters == {"line": 3, "count": 2}


@pytest.mark.parametrize(("move", "zone"), [("g9 @2 top", "g9 | r5 | b5"), ("g9 @2 bottom", "r5 | b5 | g9")])
def test_L3_2_a_new_line_lies_above_the_top_or_below_the_bottom_one(move: str, zone: str) -> None:
    position = set_up("p1", "r5 | b5", hand="g9 y1")
    position.play(move)
    assert position.zone(2) == zone


@pytest.mark.parametrize(("move", "zone"), [("g5 top", "g5 | r3 r5"), ("g5 bottom", "r3 r5 | g5")])
def test_L3_2_the_second_line_of_a_zone_lies_above_or_below_the_first(move: str, zone: str) -> None:
    position = set_up("r3 r5", "p1", hand="g5 y1", home=True)
    position.play(move)
    assert position.zone(1) == zone


@pytest.mark.parametrize("place", ["middle", "2", "+0", "+"])
def test_L3_2_there_is_no_other_place_for_a_new_line(place: str) -> None:
    position = set_up("r5 | b5", "p1", hand="g5", home=True)
    with pytest.raises(NotationError):
        position.refused(f"g5 {place}")


@pytest.mark.parametrize(("home", "move"), [(False, "b7 @2 +1"), (True, "b7 +1")])
def test_L3_3_a_line_keeps_one_colour(home: bool, move: str) -> None:
    refusal = set_up("r5", "r6", hand="b7", home=home).refused(move)
    assert (refusal.code, refusal.clause) == ("lines.other_colour", "L3.3")


def test_L3_3_a_zone_may_hold_several_lines_of_one_colour() -> None:
    position = set_up("p1", "r5", hand="r9 r2")
    position.play("r9 @2 top")
    assert position.zone(2) == "r9 | r5"


def test_L3_4_a_line_is_worth_its_highest_card() -> None:
    assert set_up("r3 r4 r9", "b2", hand="g1").scores == [9, 2]


def test_L3_4_a_line_that_is_extended_is_worth_its_new_highest_card() -> None:
    position = set_up("r3", "b2", hand="b7 r5")
    position.play("b7 @2 +1", "r5 +1")
    assert position.scores == [5, 7]


@pytest.mark.parametrize("card", ["r6", "r8", "r12"])
def test_L3_5_a_line_is_extended_by_any_higher_card_of_its_colour(card: str) -> None:
    position = set_up("r2 r5", "p1", hand=f"{card} y1", home=True)
    position.play(f"{card} +1")
    assert position.zone(1) == f"r2 r5 {card}"


@pytest.mark.parametrize("card", ["r1", "r4"])
def test_L3_5_a_lower_card_does_not_extend_a_line(card: str) -> None:
    refusal = set_up("r2 r5", "p1", hand=card, home=True).refused(f"{card} +1")
    assert (refusal.code, refusal.clause) == ("lines.not_higher", "L3.5")
    assert refusal.parameters == {"card": card, "line": 1, "highest": "r5"}


def test_L3_5_an_opponents_line_is_extended_by_a_higher_card_too() -> None:
    position = set_up("p1", "r5 | b5", hand="r4 r9 b4 b9")
    assert [move for move in position.legal if "+" in move] == ["r9 @2 +1", "b9 @2 +2"]


def test_L3_5_with_next_a_line_is_extended_by_the_card_one_higher() -> None:
    position = set_up("r2 r5", "p1", hand="r4 r6 r7", home=True, extend="next")
    assert [move for move in position.legal if "+" in move] == ["r6 +1"]
    position.play("r6 +1")
    assert position.zone(1) == "r2 r5 r6"


@pytest.mark.parametrize("card", ["r4", "r7"])
def test_L3_5_with_next_no_other_card_extends_it(card: str) -> None:
    refusal = set_up("r2 r5", "p1", hand=card, home=True, extend="next").refused(f"{card} +1")
    assert (refusal.code, refusal.clause) == ("lines.not_next", "L3.5")


def test_L3_5_with_next_a_gift_must_be_one_higher_too() -> None:
    position = set_up("p1", "r5", hand="r6 r7", extend="next")
    assert [move for move in position.legal if "+" in move] == ["r6 @2 +1"]


def test_L3_5_with_next_the_1_of_a_colour_does_not_follow_the_12_of_another() -> None:
    refusal = set_up("r12", "p2", hand="b1", home=True, extend="next").refused("b1 +1")
    assert (refusal.code, refusal.clause) == ("lines.other_colour", "L3.3")


@pytest.mark.parametrize(("card", "line"), [("r1", "r1 r2 r5"), ("r4", "r2 r4 r5"), ("r9", "r2 r5 r9")])
def test_L3_5_with_any_a_line_is_extended_by_every_card_of_its_colour(card: str, line: str) -> None:
    position = set_up("r2 r5", "p1", hand=f"{card} y1", home=True, extend="any")
    position.play(f"{card} +1")
    assert position.zone(1) == line
    assert position.scores[0] == int(line[-1])


def test_L3_5_with_any_a_card_of_another_colour_does_not_extend_a_line() -> None:
    refusal = set_up("r2 r5", "p1", hand="b9", home=True, extend="any").refused("b9 +1")
    assert (refusal.code, refusal.clause) == ("lines.other_colour", "L3.3")


def test_L3_5_with_any_a_gift_may_be_lower_too() -> None:
    position = set_up("p1", "r5 | g7 | b5", hand="r4 b4 g4 y1", extend="any")
    assert [move for move in position.legal if "+" in move] == ["r4 @2 +1", "b4 @2 +3"]
    position.play("b4 @2 +3")
    assert position.zone(2) == "r5 | g7 | b4 b5"


def test_L3_5_with_any_a_lower_card_lets_a_new_line_cover_it() -> None:
    position = set_up("p1", "r3 r5", hand="r2 y1", others=["g2 y2 y3 y4"], extend="any")
    position.play("r2 @2 +1", "x y1", "y2 @1 top")
    assert "g2 top" in position.legal


def test_L3_5_with_any_a_lower_card_on_a_line_put_aside_is_discarded() -> None:
    position = set_up("r5 | g7 | b5", "p1", hand="g4 y1", home=True, extend="any")
    position.play("g4 +2")
    assert position.zone(1) == "r5 | g7 | b5"
    assert position.discards == "g4"


def test_L3_5_with_any_a_line_is_put_aside_with_its_highest_card() -> None:
    position = set_up("p1", "r5 r8 | b3", hand="r2 r6 y1 g4", others=["y2 y3 y4 y5"], extend="any")
    position.play("r6 @2 +1", "x y1", "y2 @1 top", "x y3", "g4 @2 top")
    assert position.zone(2) == "g4 | r8 | b3"
    assert "r5 r6" in position.discards


def test_L3_5_extend_is_higher_next_or_any() -> None:
    assert GAME.complete({})["extend"] == "higher"
    with pytest.raises(
        OptionError, match=r"^extend cannot be 'lower': it is higher or next or any \(L3\.5\)$"
    ):
        GAME.complete({"extend": "lower"})


def test_L3_6_a_line_covered_at_the_top_keeps_its_highest_card_only() -> None:
    position = set_up("r2 r5 r7 | b3 b4", "p1", hand="g5 y1", home=True)
    position.play("g5 top")
    assert position.zone(1) == "g5 | r7 | b3 b4"
    assert position.discards == "r2 r5"


def test_L3_6_a_line_covered_at_the_bottom_keeps_its_highest_card_only() -> None:
    position = set_up("p1", "r2 r5 | b3 b4 b8", hand="g9 y1")
    position.play("g9 @2 bottom")
    assert position.zone(2) == "r2 r5 | b8 | g9"
    assert position.discards == "b3 b4"


def test_L3_6_a_line_of_one_card_is_put_aside_whole() -> None:
    position = set_up("p1", "r2 | b3", hand="g9 y1")
    position.play("g9 @2 top")
    assert position.zone(2) == "g9 | r2 | b3"
    assert position.discards == ""
    assert len(position.happened(LinesEvent.SET_ASIDE)) == 1


@pytest.mark.parametrize("spot", ["top", "bottom"])
def test_L3_6_a_lone_line_that_is_covered_stays_active_with_all_its_cards(spot: str) -> None:
    position = set_up("p1", "r2 r5", hand="g9 y1")
    position.play(f"g9 @2 {spot}")
    assert position.zone(2) in ("g9 | r2 r5", "r2 r5 | g9")
    assert position.discards == ""
    assert position.happened(LinesEvent.SET_ASIDE) == []


def test_L3_6_a_line_put_aside_never_becomes_active_again() -> None:
    position = set_up("p1", "r5 | b5", hand="g9 y1", others=["y2 y3 y4 y5"], deck="r6 r7 g1 g2 g3")
    position.play("g9 @2 top", "x y1", "y2 @1 top", "x y3")
    assert position.zone(2) == "g9 | r5 | b5"
    refusal = position.refused("r6 @2 +2")
    assert (refusal.code, refusal.clause) == ("lines.not_active", "L3.1")
    assert "r6 @2 +1" not in position.legal


def test_L3_6_a_line_put_aside_cannot_be_covered() -> None:
    position = set_up("r5 | g7 | b5", "p1", hand="y7 p5", home=True)
    assert position.legal == ["p5 top", "p5 bottom", "x y7", "x p5"]


def test_L3_6_a_line_put_aside_that_is_extended_keeps_the_new_highest_card_only() -> None:
    position = set_up("r5 | g7 | b5", "p1", hand="g9 y1", home=True)
    position.play("g9 +2")
    assert position.zone(1) == "r5 | g9 | b5"
    assert position.discards == "g7"


def test_L3_6_an_active_line_that_is_extended_keeps_all_its_cards() -> None:
    position = set_up("r5 | g7 | b5", "p1", hand="b9 y1", home=True)
    position.play("b9 +3")
    assert position.zone(1) == "r5 | g7 | b5 b9"
    assert position.discards == ""


def test_L3_6_a_line_put_aside_counts_for_points() -> None:
    position = set_up("r2 r5 | b3", "p1", hand="g5 y1", home=True)
    assert position.scores == [8, 1]
    position.play("g5 top")
    assert position.scores == [13, 1]


def test_L3_6_a_line_put_aside_counts_for_the_end() -> None:
    position = set_up("p1", "r5 | g7 | b5", hand="y1 y2")
    position.play("y1 @2 top")
    assert len(position.happened(LinesEvent.LAST_TURNS)) == 1
