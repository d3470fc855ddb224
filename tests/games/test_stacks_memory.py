"""The memory of stolen cards in Stacks: seen going into a hand, known until they leave it.

K4.3 says who sees which card is stolen, K2.4 that hands are otherwise seen by their owner only.
"""

from __future__ import annotations

import pytest

from tests.games.stacks_tables import PLENTY, RED_FOUR, Stacks, imagined, stacks


def after_a_theft(second: str = "card b5 b5", deck: str = PLENTY) -> Stacks:
    """Seat 1 of four has openly stolen r3 from the discard pile of seat 2; seat 2 is next."""
    hands = {2: second, 3: "card b5 b5"}
    position = stacks("card b5 b5", players=4, hands=hands, discards={2: "r3"}, deck=deck)
    position.play("card @2 top", "x b5")
    return position


def test_K2_4_nobody_remembers_anything_at_the_deal() -> None:
    position = stacks()
    assert [position.remembers(viewer) for viewer in (1, 2, 3, None)] == [[], [], [], []]


def test_K2_4_cards_that_are_drawn_are_not_remembered() -> None:
    position = stacks("b5 b5")
    position.play("x b5")
    assert [position.remembers(viewer) for viewer in (2, 3, None)] == [[], [], []]


def test_K4_3_a_card_stolen_from_a_discard_pile_is_remembered_by_everyone_else() -> None:
    position = stacks("card b5", discards={2: "r3"})
    position.play("card @2 top")
    assert [position.remembers(viewer) for viewer in (2, 3, None)] == [["r3 @1"]] * 3
    assert position.remembers(1) == []


def test_K4_3_a_card_stolen_from_a_hand_is_remembered_by_its_victim_only() -> None:
    position = stacks("card b5", hands={2: "r3 r3"})
    position.play("card @2 hand")
    assert position.remembers(2) == ["r3 @1"]
    assert [position.remembers(viewer) for viewer in (1, 3, None)] == [[], [], []]


def test_K4_3_only_thief_and_victim_are_told_which_hand_card_it_was() -> None:
    position = stacks("card b5", hands={2: "r3 r3"})
    other = stacks("card b5", hands={2: "b1 b1"})
    for table in (position, other):
        table.play("card @2 hand")
    for viewer in (3, None):
        assert position.told(viewer) == other.told(viewer)
        assert position.view(viewer) == other.view(viewer)
    for viewer in (1, 2):
        assert position.told(viewer) != other.told(viewer)


def test_K4_3_a_remembered_card_stays_known_while_it_is_not_played() -> None:
    position = after_a_theft()
    position.play("x b5", "x b5", "x r5")
    assert [position.remembers(viewer) for viewer in (2, 3, 4, None)] == [["r3 @1"]] * 4


def test_K4_3_a_remembered_card_is_forgotten_when_it_is_played() -> None:
    position = stacks("card b5", discards={2: "r1"})
    position.play("card @2 top", "r1 R1")
    assert [position.remembers(viewer) for viewer in (2, 3, None)] == [[], [], []]


def test_K4_3_a_remembered_card_is_forgotten_when_it_is_discarded() -> None:
    position = stacks("card b5", discards={2: "r3"})
    position.play("card @2 top", "x r3")
    assert [position.remembers(viewer) for viewer in (2, 3, None)] == [[], [], []]


def test_K4_3_a_remembered_special_is_forgotten_when_it_is_used() -> None:
    position = stacks("card b5", discards={2: "skip"})
    position.play("card @2 top", "skip")
    assert [position.remembers(viewer) for viewer in (2, 3, None)] == [[], [], []]


def test_K4_3_a_remembered_block_is_forgotten_when_it_blocks() -> None:
    position = stacks("card b5", hands={2: "r5 b5"}, discards={3: "block"}, piles={"R1": RED_FOUR})
    position.play("card @3 top", "x b5")
    assert position.remembers(3) == ["block @1"]
    position.play("r5 R1", "block")
    assert [position.remembers(viewer) for viewer in (2, 3, None)] == [[], [], []]


def test_K4_3_an_equal_card_from_another_hand_does_not_erase_a_memory() -> None:
    position = after_a_theft(second="r3 b5")
    position.play("x r3")
    assert position.remembers(4) == ["r3 @1"]


def test_K4_3_of_two_equal_cards_one_is_still_remembered_when_the_other_is_played() -> None:
    position = stacks("card card b5", discards={2: "r1", 3: "r1"})
    position.play("card @2 top", "card @3 top", "r1 R1")
    assert position.remembers(2) == ["r1 @1"]


def test_K4_3_a_seat_that_did_not_see_a_second_theft_knows_only_that_it_may_have_been_this_card() -> None:
    position = after_a_theft()
    position.steal("card @1 hand", "b4")
    assert [position.remembers(viewer) for viewer in (3, 4, None)] == [["r3 @1 @2"]] * 3


def test_K4_3_a_second_theft_blurs_memories_whichever_card_it_took() -> None:
    taken, left = after_a_theft(), after_a_theft()
    taken.steal("card @1 hand", "r3")
    left.steal("card @1 hand", "b4")
    for viewer in (3, 4, None):
        assert taken.view(viewer) == left.view(viewer)


def test_K4_3_a_thief_who_takes_another_card_still_knows_where_the_first_is() -> None:
    position = after_a_theft()
    position.steal("card @1 hand", "b4")
    assert position.remembers(2) == ["r3 @1"]
    assert position.remembers(1) == ["b4 @2"]


def test_K4_3_a_thief_who_takes_a_remembered_card_has_nothing_to_remember() -> None:
    position = after_a_theft()
    position.steal("card @1 hand", "r3")
    assert position.remembers(2) == []
    assert position.remembers(1) == ["r3 @2"]


@pytest.mark.parametrize("took", ["r3", "b4"])
def test_K4_3_a_blurred_memory_goes_when_the_card_shows_up_in_either_hand(took: str) -> None:
    position = after_a_theft()
    position.steal("card @1 hand", took)
    if took == "r3":
        position.play("x r3")
    else:
        position.play("x b5", "x b5", "x r5", "x r3")
    assert [position.remembers(viewer) for viewer in (3, 4, None)] == [[], [], []]


def test_K4_3_a_blurred_memory_spreads_with_every_further_theft() -> None:
    position = after_a_theft()
    position.steal("card @1 hand", "r3")
    position.play("x b5")
    position.steal("card @2 hand", "r3")
    assert position.remembers(4) == ["r3 @1 @2 @3"]
    assert (position.remembers(1), position.remembers(2)) == (["r3 @2 @3"], ["r3 @3"])


def test_K4_3_a_hand_that_is_empty_cannot_hold_a_blurred_card() -> None:
    position = after_a_theft(second="card b1", deck="")
    position.steal("card @1 hand", "b5")
    assert position.remembers(4) == ["r3 @1 @2"]
    position.play("b1 B1", "x b5")
    assert position.hand(2) == ""
    assert position.remembers(4) == ["r3 @1"]


def test_K4_3_a_card_surely_in_a_hand_is_forgotten_before_one_that_may_be_there() -> None:
    hands = {2: "card b5 b5", 3: "b5", 4: "b5"}
    position = stacks("card card b5", players=4, hands=hands, discards={3: "r3", 4: "r3"})
    position.play("card @4 top", "x b5", "card @3 top", "x b5", "x b5", "x b5")
    position.steal("card @2 hand", "b4")
    assert position.remembers(4) == ["r3 @1", "r3 @1 @2"]
    position.play("x r3")
    assert position.remembers(4) == ["r3 @1 @2"]


def test_K4_3_the_last_card_of_a_hand_is_known_to_be_the_stolen_one() -> None:
    position = stacks("card b5", players=4, hands={2: "card b5"}, discards={3: "r3"}, deck="")
    position.play("card @3 top", "x b5", "card @1 hand")
    assert position.hand(2) == "r3 b5"
    assert [position.remembers(viewer) for viewer in (3, 4, None)] == [["r3 @2"]] * 3


def test_K4_3_a_blurred_card_may_have_been_the_last_one_of_a_hand() -> None:
    position = stacks(
        "card b1 b5 b5", players=4, hands={2: "card b5", 3: "card b5"}, discards={4: "r3"}, deck=""
    )
    position.play("card @4 top", "b1 B1", "x b5")
    position.steal("card @1 hand", "r3")
    position.play("x b5", "card @2 hand")
    assert (position.hand(1), position.hand(2), position.hand(3)) == ("b5", "", "r3 b5")
    assert position.remembers(4) == ["r3 @1 @3"]


def test_K4_3_of_two_blurred_equal_cards_the_other_may_be_in_any_of_their_hands() -> None:
    hands = {2: "card card b5", 3: "card b5 b5"}
    position = stacks("card b5 b5", players=5, hands=hands, discards={4: "r3", 5: "r3"})
    position.play("card @4 top", "x b5")
    position.steal("card @1 hand", "r3")
    position.play("x b5", "card @5 top", "x b5", "x r5", "x r5")
    assert position.remembers(4) == ["r3 @1 @2", "r3 @3"]
    position.play("x b4")
    position.steal("card @3 hand", "b4")
    assert position.remembers(4) == ["r3 @1 @2", "r3 @2 @3"]
    position.play("x r3")
    assert position.remembers(4) == ["r3 @1 @2 @3"]


def test_K4_3_a_memory_that_is_full_loses_the_oldest_card() -> None:
    tops = "b1 b2 b3 b5 r1 r2 r3"
    thieves = {2: " ".join(["card"] * 7)}
    position = stacks(thieves[2], players=4, hands=thieves, discards={3: tops, 4: f"{tops} r5"})
    position.play(*["card @3 top"] * 7, "x r3", *["card @4 top"] * 7)
    assert len(position.remembers(3)) == 12
    assert position.remembers(3)[0] == "r1 @1"
    assert position.remembers(3)[-1] == "b2 @2"


@pytest.mark.parametrize("seed", [b"one", b"two", b"three"])
def test_K4_3_an_imagined_table_has_remembered_cards_where_they_may_be(seed: bytes) -> None:
    position = after_a_theft()
    assert "r3" in imagined(position, 4, seed).hand(1)
    position.steal("card @1 hand", "b4")
    assert "r3" in " ".join(imagined(position, 4, seed).hand(seat) for seat in (1, 2))


@pytest.mark.parametrize("seed", [b"one", b"two", b"three", b"four", b"five"])
def test_K5_2_at_an_imagined_table_the_seat_that_is_asked_holds_the_last_block(seed: bytes) -> None:
    position = stacks(
        "card b5 b5",
        players=2,
        hands={2: "card r5 b5"},
        discards={2: "block"},
        piles={"R1": RED_FOUR},
        spent="block",
    )
    position.play("card @2 top", "x b5")
    position.steal("card @1 hand", "b5")
    assert position.remembers(None) == ["block @1 @2"]
    position.play("r5 R1")
    assert position.to_move == 1
    twin = imagined(position, None, seed)
    assert twin.to_move == 1
    assert "block" in twin.hand(1)
    assert "block" not in twin.hand(2) + twin.deck
