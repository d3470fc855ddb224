"""The clauses of Stacks about contents and setting up (K1, K2), blocks (K5) and the end (K6, K7)."""

from __future__ import annotations

from itertools import cycle, islice
from typing import Any

import pytest

from tests.games.stacks_tables import (
    BLUE_FOUR,
    GAME,
    IDLE,
    RED_FOUR,
    RED_RUN,
    Stacks,
    dealt_cards,
    imagined,
    stacks,
)
from upcard.core.errors import NotationError, OptionError
from upcard.core.events import HIDDEN, EventKind
from upcard.core.game import deal

COLOURED = [f"{colour}{number}" for colour in "rb" for number in range(1, 6)]


def just_dealt(**options: object) -> Stacks:
    """A table right after the deal, with its events."""
    position = Stacks(GAME, **options)
    position.table.events = position.events
    deal(position.table)
    return position


# K1 Contents


def test_K1_1_there_are_120_cards() -> None:
    cards = dealt_cards(players=6)
    assert cards.total() == 120
    assert {cards[card] for card in COLOURED} == {9}
    assert (cards["r?"], cards["b?"]) == (7, 7)
    specials = {card: cards[card] for card in ("skip", "reverse", "card", "block", "chip")}
    assert specials == {"skip": 3, "reverse": 3, "card": 3, "block": 3, "chip": 4}


def test_K1_2_there_are_twenty_chips_of_each_colour() -> None:
    assert just_dealt(players=4).bank == (20, 20)


def test_K1_2_a_chip_that_is_earned_comes_from_the_bank() -> None:
    position = stacks("r5 b5", piles={"R1": RED_FOUR})
    position.play("r5 R1")
    assert (position.chips(1), position.bank) == ((1, 0), (19, 20))


def test_K1_2_with_no_chip_left_of_a_colour_none_is_taken() -> None:
    position = stacks("r5 b5 b1", piles={"R1": RED_FOUR, "B1": BLUE_FOUR}, bank=(0, 3))
    position.play("r5 R1")
    assert (position.chips(1), position.bank) == ((0, 0), (0, 3))
    assert (position.pile("R1"), position.finished) == ("", RED_RUN)
    position.play("b5 B1")
    assert (position.chips(1), position.bank) == ((0, 1), (0, 2))


# K2 Setting up


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_K2_1_two_to_six_can_play(players: int) -> None:
    assert [just_dealt(players=players).hand(seat) == "" for seat in range(1, 7)] == (
        [False] * players + [True] * (6 - players)
    )


@pytest.mark.parametrize("players", [1, 7, "many"])
def test_K2_1_no_other_number_can_play(players: object) -> None:
    with pytest.raises(
        OptionError, match=r"players cannot be .*: it is a whole number from 2 to 6 \(K2\.1\)"
    ):
        GAME.complete({"players": players})


@pytest.mark.parametrize(("dealer", "first"), [(1, 2), (2, 3), (3, 1)])
def test_K2_1_the_player_to_the_dealers_left_starts(dealer: int, first: int) -> None:
    position = just_dealt(players=3, dealer=dealer)
    assert (position.to_move, position.table.first + 1) == (first, first)


def test_K2_1_play_passes_to_the_left() -> None:
    position = stacks("b5 b5")
    seats = []
    for _ in range(4):
        seats.append(position.to_move)
        position.play(position.legal[-1])
    assert seats == [1, 2, 3, 1]


def test_K2_1_the_dealer_is_random_unless_named() -> None:
    tables = [GAME.deal({"players": 3, "dealer": "random"}, bytes([seed])) for seed in range(30)]
    assert {GAME.options_of(table)["dealer"] for table in tables} == {1, 2, 3}
    assert all(table.first == (table.dealer + 1) % 3 for table in tables)
    assert GAME.complete({})["dealer"] == "random"


def test_K2_1_a_dealer_must_sit_at_the_table() -> None:
    with pytest.raises(OptionError, match=r"dealer cannot be seat 4: there are 3 players \(K2\.1\)"):
        GAME.complete({"players": 3, "dealer": 4})


@pytest.mark.parametrize(
    ("option", "clause"),
    [
        ("dealer", "K2.1"),
        ("two_player_deck", "K4.2"),
        ("must_play", "K3.1"),
        ("chip_win", "K4.4"),
        ("block", "K5.1"),
        ("turn_limit", "K6.3"),
        ("recycle", "K7.1"),
    ],
)
def test_K2_1_an_option_with_a_value_it_cannot_have_is_refused_with_its_clause(
    option: str, clause: str
) -> None:
    with pytest.raises(OptionError, match=rf"{option} cannot be 'perhaps': .*\({clause}\)"):
        GAME.complete({option: "perhaps"})


def test_K2_2_two_players_take_out_reverses_and_some_other_specials() -> None:
    missing = dealt_cards(players=3) - dealt_cards(players=2)
    assert missing == {"reverse": 3, "block": 1, "chip": 2, "card": 1, "skip": 1}


def test_K2_2_more_than_two_players_take_nothing_out() -> None:
    assert dealt_cards(players=3, two_player_deck="reduced").total() == 120


def test_K2_3_everyone_gets_five_cards_and_the_rest_is_the_draw_deck() -> None:
    position = just_dealt(players=4)
    assert [len(position.hand(seat).split()) for seat in (1, 2, 3, 4)] == [5, 5, 5, 5]
    assert len(position.deck.split()) == 100


def test_K2_3_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    position = just_dealt(players=3, dealer=1)
    (shuffled,) = position.happened(EventKind.SHUFFLED)
    dealt = [(event.seat + 1, event.card) for event in position.happened(EventKind.DREW)]
    assert dealt == list(zip([2, 3, 1] * 5, shuffled.cards, strict=False))


def test_K2_3_nothing_lies_on_the_piles_yet() -> None:
    position = just_dealt(players=2)
    assert [position.pile(name) for name in ("R1", "R2", "B1", "B2")] == [""] * 4
    assert (position.discards(1), position.chips(1), position.finished) == ("", (0, 0), "")


def test_K2_3_there_are_never_more_than_two_piles_of_a_colour() -> None:
    position = stacks("r1 r1 r1 b1")
    position.play("r1 R1", "r1 R2")
    assert position.legal == ["b1 B1", "b1 B2", "x b1", "x r1"]
    assert position.refused("r1 R1").code == "stacks.does_not_fit"
    with pytest.raises(NotationError):
        position.refused("r1 R3")


def test_K2_4_players_see_their_own_hand_only() -> None:
    one, two = (
        stacks("b5", hands={2: hand}, deck=deck) for hand, deck in [("r1 r2", "b1"), ("b? card", "r1")]
    )
    for viewer in (1, 3, None):
        assert one.view(viewer) == two.view(viewer)
    assert one.view(2) != two.view(2)
    assert one.written(one.view(2).hand) == "r1 r2"


def test_K2_4_someone_who_only_watches_sees_no_hand() -> None:
    view = stacks().view(None)
    assert view.hand.count == 0
    assert [seat.hand_count for seat in view.seats[:3]] == [5, 5, 5]


def test_K2_4_discard_piles_are_public_with_their_buried_cards() -> None:
    position = stacks(discards={2: "r4 b2 skip"})
    for viewer in (1, 3, None):
        assert position.written(position.view(viewer).seats[1].discards) == "r4 b2 skip"


def test_K2_4_only_the_owner_is_told_which_card_is_drawn() -> None:
    position = stacks("b5 b5 b5 b5 b5", deck="r1 r2")
    position.play("x b5")
    drawn = {
        viewer: [e.card for e in position.told(viewer) if e.kind == EventKind.DREW] for viewer in (1, 2, None)
    }
    assert drawn == {1: [GAME.read_card("r1")], 2: [HIDDEN], None: [HIDDEN]}


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_K2_4_an_imagined_table_looks_the_same_to_its_viewer(viewer: int | None) -> None:
    position = just_dealt(players=3, dealer=3)
    for _ in range(4):
        position.play(position.legal[-1])
    twin = imagined(position, viewer, b"a thought")
    assert twin.view(viewer) == position.view(viewer)
    assert twin.table.deck.count == position.table.deck.count


# K6 The end


@pytest.mark.parametrize("chips", [(2, 2), (3, 2), (1, 3), (1, 4)])
def test_K6_1_five_chips_with_two_of_each_colour_win_immediately(chips: tuple[int, int]) -> None:
    position = stacks("r5 r1 b5", piles={"R1": RED_FOUR}, chips={1: chips, 2: (1, 0)})
    position.play("r5 R1")
    assert position.result == ("won", [1], [sum(chips) + 1, 1, 0])
    assert position.legal == []


@pytest.mark.parametrize("chips", [(1, 2), (4, 0), (4, 1), (7, 1), (0, 4)])
def test_K6_1_two_and_two_or_the_wrong_mix_is_not_a_win(chips: tuple[int, int]) -> None:
    position = stacks("r5 b5", piles={"R1": RED_FOUR}, chips={1: chips})
    position.play("r5 R1")
    assert not position.over


def test_K6_1_the_winner_need_not_have_the_most_chips() -> None:
    position = stacks("b5 b2", piles={"B1": BLUE_FOUR}, chips={1: (3, 1), 2: (9, 1)})
    position.play("b5 B1")
    assert position.result == ("won", [1], [5, 10, 0])


def test_K6_1_after_the_win_every_move_is_refused() -> None:
    position = stacks("r5 r1 b5", piles={"R1": RED_FOUR}, chips={1: (2, 2)})
    position.play("r5 R1")
    refusal = position.refused("r1 R1")
    assert (refusal.clause, refusal.code) == ("K6.1", "table.over")


def test_K6_2_a_whole_round_with_no_play_and_no_draw_ends_the_game() -> None:
    position = stacks(IDLE, deck="", chips={2: (2, 0), 3: (1, 0)})
    position.play("x r5", "x r5")
    assert not position.over
    position.play("x r5")
    assert position.result == ("stuck", [2], [0, 2, 1])
    assert position.refused("x r5").clause == "K6.2"


def test_K6_2_equal_counts_share_the_win() -> None:
    position = stacks(IDLE, deck="", chips={1: (0, 1), 2: (2, 0), 3: (1, 1)})
    position.play("x r5", "x r5", "x r5")
    assert position.result == ("stuck", [2, 3], [1, 2, 2])


def test_K6_2_a_play_begins_the_round_again() -> None:
    position = stacks("r5 r5 r5", players=2, hands={2: "r1 r5 r5 r5"}, deck="")
    position.play("x r5", "r1 R1", "x r5", "x r5")
    assert not position.over
    position.play("x r5")
    assert position.result == ("stuck", [1, 2], [0, 0])


def test_K6_2_a_draw_begins_the_round_again() -> None:
    position = stacks("r5 r5 r5", players=2, hands={2: "r5 r5 r5"}, deck="b5")
    position.play("x r5", "x r5")
    assert not position.over
    position.play("x r5")
    assert position.result == ("stuck", [1, 2], [0, 0])


def test_K6_2_someone_who_misses_a_turn_is_waited_for() -> None:
    position = stacks("skip r5 r5 r5", deck="")
    position.play("skip", "x r5", "x r5", "x r5")
    assert (position.to_move, position.over) == (2, False)
    position.play("x r5")
    assert position.result == ("stuck", [1, 2, 3], [0, 0, 0])


def test_K6_2_turns_that_end_automatically_make_up_the_round_too() -> None:
    position = stacks("r1", hands={2: "", 3: ""}, chips={3: (1, 0)}, deck="")
    position.play("r1 R1")
    assert position.result == ("stuck", [3], [0, 0, 1])


def test_K6_3_the_game_ends_after_the_limit_of_turns() -> None:
    position = stacks("b5 b5", players=2, chips={2: (1, 0)}, turn_limit=3)
    position.play("x b5", "x r5")
    assert not position.over
    position.play("x b5")
    assert position.result == ("limit", [2], [0, 1])
    assert position.refused("x b5").clause == "K6.3"


def test_K6_3_equal_counts_share_at_the_limit_too() -> None:
    position = stacks("b5 b5", chips={1: (0, 1), 2: (1, 0)}, turn_limit=1)
    position.play("x b5")
    assert position.result == ("limit", [1, 2], [1, 1, 0])


def test_K6_3_the_limit_is_four_hundred_turns_unless_another_is_named() -> None:
    assert GAME.complete({})["turn_limit"] == 400
    assert GAME.complete({"turn_limit": "7"})["turn_limit"] == 7


@pytest.mark.parametrize("limit", [0, 10_001, True, "-1"])
def test_K6_3_a_limit_out_of_range_is_refused(limit: object) -> None:
    with pytest.raises(OptionError, match=r"turn_limit cannot be .*from 1 to 10000 \(K6\.3\)"):
        GAME.complete({"turn_limit": limit})


def test_K6_3_a_single_turn_of_a_thousand_plays_ends_the_game() -> None:
    position = stacks(RED_RUN, chips={2: (0, 3)}, deck="")
    moves = [f"r{number} R1" for number in islice(cycle(range(1, 6)), 1000)]
    position.play(*moves[:-1])
    assert (position.result, position.chips(1), position.bank[0]) == (None, (20, 0), 0)
    position.play(moves[-1])
    assert position.result == ("limit", [1], [20, 3, 0])


# K7 The draw deck runs out


def test_K7_1_completed_sequences_become_the_new_draw_deck() -> None:
    position = stacks("b5 b5", deck="b1", finished=RED_RUN)
    position.play("x b5")
    (shuffled,) = position.happened(EventKind.SHUFFLED)
    assert sorted(map(GAME.write_card, shuffled.cards)) == RED_RUN.split()
    assert (len(position.hand(1).split()), len(position.deck.split())) == (5, 2)
    assert position.finished == ""


def test_K7_1_the_new_deck_is_drawn_in_the_order_that_was_told() -> None:
    position = stacks("b5 b5 b5 b5", deck="", finished=RED_RUN)
    position.play("x b5")
    (shuffled,) = position.happened(EventKind.SHUFFLED)
    drawn = [event.card for event in position.happened(EventKind.DREW)]
    order = [GAME.read_card(card) for card in position.deck.split()]
    assert [*drawn, *order] == list(shuffled.cards)


def test_K7_1_cards_are_reshuffled_only_when_one_is_needed_and_none_is_left() -> None:
    position = stacks("b5 b5 b5 b5 b5", deck="b1", finished=RED_RUN)
    position.play("x b5")
    assert (position.deck, position.finished) == ("", RED_RUN)
    assert position.happened(EventKind.SHUFFLED) == []


def test_K7_1_cards_of_blocked_piles_are_shuffled_in_too() -> None:
    position = stacks("r5 b5 b2", piles={"R1": RED_FOUR}, hands={2: "block b1"}, deck="")
    position.play("r5 R1", "block", "x b5")
    assert sorted(f"{position.hand(1)} {position.deck}".split()) == ["b2", *RED_RUN.split()]


def test_K7_1_unfinished_piles_are_not_shuffled_in() -> None:
    position = stacks("b5 b5", piles={"R1": "r1 r2"}, deck="", finished="b1")
    position.play("x b5")
    assert (position.hand(1), position.pile("R1")) == ("b1 b5", "r1 r2")


@pytest.mark.parametrize("chosen", [{}, {"recycle": "sequences"}])
def test_K7_1_played_specials_stay_out(chosen: dict[str, Any]) -> None:
    position = stacks("skip b5 b5", deck="", finished="r1", spent="block", **chosen)
    position.play("skip", "x b5")
    assert (position.hand(1), position.spent) == ("r1 b5", "skip block")


def test_K7_1_the_option_shuffles_played_specials_in_too() -> None:
    position = stacks("skip b5 b5", deck="", finished="r1", spent="block", recycle="all")
    position.play("skip", "x b5")
    assert (position.hand(1), position.finished, position.spent) == ("r1 b5 skip block", "", "")


def test_K7_1_personal_discards_are_never_reshuffled() -> None:
    position = stacks("b5 b5", discards={1: "r1 r2", 2: "r3"}, deck="", recycle="all")
    position.play("x b5")
    assert (position.hand(1), position.discards(1), position.discards(2)) == ("b5", "r1 r2 b5", "r3")


def test_K7_2_with_nothing_to_shuffle_you_draw_what_there_is() -> None:
    position = stacks("b5 b5", deck="r1 r2")
    position.play("x b5")
    assert (position.hand(1), position.to_move) == ("r1 r2 b5", 2)


def test_K7_2_a_played_out_hand_draws_what_there_is() -> None:
    position = stacks("r1", deck="b1 b2")
    position.play("r1 R1")
    assert (position.hand(1), position.to_move) == ("b1 b2", 1)


def test_K7_2_with_nothing_at_all_play_continues_with_the_cards_in_hand() -> None:
    position = stacks("b5 b5 b5", deck="")
    position.play("x b5")
    assert (position.hand(1), position.to_move) == ("b5 b5", 2)
    assert position.happened(EventKind.SHUFFLED) == []
