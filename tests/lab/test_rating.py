"""Ratings of games whose winners were drawn with known strengths."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from upcard.lab.tournament.rating import MEAN, fit, rate, reach

Line = Sequence[int]

# Bots at the seats of each game of a deal, for bots 0, 1 and 2.
TWO_SEATS = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
THREE_SEATS = [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
FOUR_SEATS = [(0, 1, 2, 2), (0, 0, 1, 2), (2, 1, 1, 0)]


def counted(games: Sequence[Line]) -> tuple[list[list[int]], list[int]]:
    """Return line-ups in the format of `rate`, one for each game."""
    return [[game.count(bot) for bot in range(3)] for game in games], [1] * len(games)


def drawn(games: Sequence[Line], strengths: Sequence[float], deals: int, seed: int) -> list[list[float]]:
    """Return the wins of each bot in some deals."""
    dice = np.random.default_rng(seed)
    wins = np.zeros((deals, len(strengths)))
    for game in games:
        chances = np.array([strengths[bot] for bot in game])
        seats = dice.choice(len(game), deals, p=chances / chances.sum())
        for deal, seat in enumerate(seats):
            wins[deal, game[seat]] += 1
    listed: list[list[float]] = wins.tolist()
    return listed


def elo(strengths: Sequence[float]) -> list[float]:
    logs = [400 * math.log10(strength) for strength in strengths]
    return [MEAN + one - sum(logs) / len(logs) for one in logs]


@pytest.mark.parametrize("games", [TWO_SEATS, THREE_SEATS, FOUR_SEATS])
def test_known_strengths_are_found_again(games: Sequence[Line]) -> None:
    strengths = (1.0, 2.0, 6.0)
    ratings, errors = rate(*counted(games), drawn(games, strengths, 5_000, 7))
    assert errors is not None
    for rating, truth, error in zip(ratings, elo(strengths), errors, strict=True):
        assert 1 < error < 15
        assert abs(rating - truth) < 4 * error
    assert ratings.mean() == pytest.approx(MEAN)


def test_two_bots_stand_as_their_wins_do() -> None:
    """The imaginary game gives half a win to each."""
    high, low = fit([[1, 1]], [100], [80.5, 19.5])
    assert high - low == pytest.approx(400 * math.log10(81 / 20))
    assert high + low == pytest.approx(2 * MEAN)


def test_a_bot_at_two_of_three_seats_that_wins_two_of_three_games_is_equally_strong() -> None:
    assert fit([[2, 1]], [300], [200, 100]) == pytest.approx([MEAN, MEAN], abs=0.5)
    assert fit([[3, 1]], [400], [300, 100]) == pytest.approx([MEAN, MEAN], abs=1)


def test_a_bot_that_wins_every_game_is_not_infinitely_strong() -> None:
    for games in (1, 100, 1_000_000):
        ratings = fit([[1, 1, 0], [0, 1, 1], [1, 0, 1]], [games] * 3, [2 * games, games, 0])
        assert MEAN + 3_000 > ratings[0] > ratings[1] > ratings[2] > MEAN - 3_000


def test_the_fit_expects_as_many_wins_as_there_were() -> None:
    """Only at the maximum of the likelihood does each bot win as often as its strength predicts."""
    line_ups = np.array([[1, 1, 1, 0], [0, 2, 1, 0], [1, 0, 0, 2], [0, 0, 1, 2]])
    games, wins = np.array([500, 70, 900, 40]), np.array([1004.0, 250.0, 196.0, 60.0])
    strengths = 10 ** (fit(line_ups, games, wins) / 400)
    seats = np.vstack([line_ups, np.ones(4)])
    chances = seats * strengths / (seats * strengths).sum(axis=1, keepdims=True)
    assert np.append(games, 1) @ chances == pytest.approx(wins + 1 / 4, rel=1e-9)


def test_the_order_of_the_games_does_not_matter() -> None:
    wins = drawn(TWO_SEATS, (1, 2, 3), 200, 7)
    assert rate(*counted(TWO_SEATS), wins)[0] == pytest.approx(rate(*counted(TWO_SEATS), wins[::-1])[0])


def test_equal_line_ups_may_be_put_together() -> None:
    wins = drawn(TWO_SEATS, (1, 2, 3), 100, 7)
    together = rate([[1, 1, 0], [1, 0, 1], [0, 1, 1]], [2, 2, 2], wins)
    apart = rate(*counted(TWO_SEATS), wins)
    assert together[0] == pytest.approx(apart[0])
    assert together[1] == pytest.approx(apart[1])


def test_the_error_is_how_far_ratings_of_other_deals_lie_apart() -> None:
    held = [rate(*counted(TWO_SEATS), drawn(TWO_SEATS, (1, 2, 3), 150, seed)) for seed in range(150)]
    spread = np.std([ratings for ratings, _ in held], axis=0)
    told = np.mean([errors for _, errors in held if errors is not None], axis=0)
    assert told == pytest.approx(spread, rel=0.2)


@pytest.mark.parametrize("deals", [5, 60])
def test_the_interval_of_a_rating_is_as_often_right_as_it_says(deals: int) -> None:
    strengths, found = (1.0, 2.0, 3.0), []
    for seed in range(120):
        ratings, errors = rate(*counted(TWO_SEATS), drawn(TWO_SEATS, strengths, deals, seed))
        assert errors is not None
        found += [
            abs(rating - truth) <= reach(float(error), deals, 0.9)
            for rating, truth, error in zip(ratings, elo(strengths), errors, strict=True)
        ]
    assert sum(found) / len(found) == pytest.approx(0.9, abs=0.04)


def test_a_single_deal_has_no_error_and_two_have() -> None:
    assert rate([[1, 1]], [2], [[2, 0]])[1] is None
    assert rate([[1, 1]], [2], [[2, 0], [1, 1]])[1] is not None


def test_deals_that_all_ended_alike_have_no_error() -> None:
    won = [[2, 0, 0]] * 100
    assert rate([[1, 1, 1]], [2], won)[1] is None
    assert rate([[1, 1, 1]], [2], [*won, [0, 2, 0]])[1] is not None
