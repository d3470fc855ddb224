"""Seatings: every different order, whatever the number of bots and seats."""

from __future__ import annotations

import math
from itertools import permutations

import pytest

from upcard.core.errors import UpcardError
from upcard.lab.tournament.seatings import MAX_SEATINGS, seatings


def test_as_many_bots_as_seats_sit_in_all_their_orders() -> None:
    for players in range(2, 7):
        bots = tuple("abcdef"[:players])
        assert set(seatings(bots, players)) == set(permutations(bots))
        assert len(seatings(bots, players)) == math.factorial(players)


@pytest.mark.parametrize(
    ("bots", "players", "orders"),
    [
        ("ab", 2, "ab ba"),
        ("ab", 3, "aab aba baa"),
        ("ab", 4, "aabb abab abba baab baba bbaa"),
        ("abbb", 4, "abbb babb bbab bbba"),
        ("abc", 2, "ab ac ba bc ca cb"),
        ("abb", 2, "ab ba"),
        ("aabb", 2, "ab ba"),
        ("aabb", 3, "aab aba abb baa bab bba"),
    ],
)
def test_every_different_order_is_there_once(bots: str, players: int, orders: str) -> None:
    """If there are fewer bots than seats, they take turns; of more bots, each selection plays, but no bot
    alone."""
    found = ["".join(order) for order in seatings(tuple(bots), players)]
    assert sorted(found) == orders.split()


def test_fewer_bots_than_seats_sit_as_often_at_each_seat() -> None:
    for bots, players in (("abc", 4), ("ab", 5), ("abcd", 5), ("abcde", 6)):
        orders = seatings(tuple(bots), players)
        for bot in bots:
            times = {sum(order[seat] == bot for order in orders) for seat in range(players)}
            assert len(times) == 1, (bots, players)


def test_of_more_bots_than_seats_every_choice_sits_in_every_order() -> None:
    for bots, players in ((5, 2), (5, 3), (6, 4), (7, 6)):
        orders = seatings(tuple("abcdefg"[:bots]), players)
        assert len(orders) == len(set(orders)) == math.perm(bots, players)


def test_one_bot_has_nobody_to_be_compared_with() -> None:
    for bots in (("a",), ("a", "a", "a")):
        with pytest.raises(UpcardError, match=r"compares two bots or more, not only a$"):
            seatings(bots, 3)


def test_more_seatings_than_can_be_played_are_refused_and_not_counted_first() -> None:
    assert len(seatings(tuple("abcdefg"), 6)) == MAX_SEATINGS
    with pytest.raises(UpcardError, match="12 bots can sit at 6 seats in more than 5,040 ways"):
        seatings(tuple("abcdefghijkl"), 6)
