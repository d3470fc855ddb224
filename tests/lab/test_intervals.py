"""Intervals: correct as often as they claim, and never certain after a few deals."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from upcard.lab.intervals import Floats, bounds, interval, student

Shape = tuple[int, int]
Dice = np.random.Generator

ROUNDS = 4_000


def beta(mean: float, sameness: float) -> Callable[[Dice, Shape], Floats]:
    """Return a distribution of shares in deals: the larger the sameness, the closer to their mean."""
    return lambda dice, shape: dice.beta(mean * sameness, (1 - mean) * sameness, shape)


def coin(mean: float) -> Callable[[Dice, Shape], Floats]:
    """All games of a deal go the same way."""
    return lambda dice, shape: (dice.random(shape) < mean).astype(float)


def pairs(both: float, none: float) -> Callable[[Dice, Shape], Floats]:
    """Two games per deal, of which one bot wins both, none, or usually one."""
    return lambda dice, shape: dice.choice([1.0, 0.0, 0.5], shape, p=[both, none, 1 - both - none])


SHARES = {
    "beta 0.5, far apart": (0.5, beta(0.5, 1)),
    "beta 0.5, close": (0.5, beta(0.5, 20)),
    "beta 0.8": (0.8, beta(0.8, 3)),
    "beta 0.25": (0.25, beta(0.25, 6)),
    "beta 0.97": (0.97, beta(0.97, 4)),
    "coin 0.8": (0.8, coin(0.8)),
    "coin 0.95": (0.95, coin(0.95)),
    "pairs, mostly one each": (0.52, pairs(0.06, 0.02)),
    "pairs, mostly both": (0.85, pairs(0.75, 0.05)),
}


@pytest.mark.parametrize("shares", SHARES)
def test_an_interval_is_as_often_right_as_it_says(shares: str) -> None:
    mean, drawn = SHARES[shares]
    for deals in (20, 60, 300):
        values = drawn(np.random.default_rng(7), (ROUNDS, deals))
        for confidence in (0.95, 0.99):
            low, high = bounds(deals, values.sum(axis=1), (values**2).sum(axis=1), confidence)
            right = float(((low <= mean) & (mean <= high)).mean())
            assert right > confidence - 0.015, (deals, confidence)
            # With many deals it is not wider than necessary.
            most = confidence + 0.75 * (1 - confidence)
            assert deals < 300 or right < most or mean > 0.9, (deals, confidence)


def test_many_deals_are_as_sure_as_their_variance_says() -> None:
    values = np.random.default_rng(7).beta(3, 1, 100_000)
    low, high = interval(values, 0.95)
    assert (high - low) / 2 == pytest.approx(1.96 * values.std() / 100_000**0.5, rel=0.001)
    assert (high + low) / 2 == pytest.approx(values.mean(), abs=1e-4)


def test_deals_that_all_went_the_same_way_leave_room_for_others() -> None:
    for deals, share in itertools.product((1, 20, 1000), (0.0, 0.25, 0.5, 1.0)):
        low, high = interval([share] * deals, 0.99)
        assert 0 <= low <= share <= high <= 1, (deals, share)
        # One different deal in 2.5 times as many would not be surprising.
        assert high - low > 1 / (2.5 * deals), (deals, share)


def test_being_surer_takes_a_wider_interval_and_more_deals_a_narrower_one() -> None:
    values = [0.0, 0.5, 1.0, 0.5] * 10
    assert width(values, 0.9) < width(values, 0.95) < width(values, 0.99)
    assert width(values * 4, 0.99) < 0.6 * width(values, 0.99)


def width(values: list[float], confidence: float) -> float:
    low, high = interval(values, confidence)
    return high - low


def test_the_bounds_of_the_values_bound_the_interval() -> None:
    values = np.array([0.9, 1.0, 0.8, 1.0, 1.0])
    low, high = interval(values, 0.99)
    scaled = interval(2 * values - 1, 0.99, least=-1)
    assert scaled == pytest.approx((2 * low - 1, 2 * high - 1))
    assert interval(values / 3, 0.99, most=1 / 3) == pytest.approx((low / 3, high / 3))


def test_stopping_as_soon_as_an_interval_is_narrow_does_not_make_it_wrong() -> None:
    """It is checked every 10 deals; a small variance makes it narrow, but does not favour any bot."""
    dice, wrong, rounds = np.random.default_rng(7), 0, 600
    for _ in range(rounds):
        values = dice.beta(2, 1, 600)
        counts = np.arange(20, 601, 10)
        totals, squares = np.cumsum(values)[counts - 1], np.cumsum(values**2)[counts - 1]
        low, high = bounds(counts, totals, squares, 0.95)
        stop = int(np.argmax((high - low) / 2 <= 0.03))
        assert stop > 0
        wrong += not low[stop] <= 2 / 3 <= high[stop]
    assert wrong / rounds < 0.065


# Quantiles of Student's t distribution from a published table.
STUDENT = {
    (0.95, 1): 12.706,
    (0.99, 1): 63.657,
    (0.95, 2): 4.303,
    (0.99, 5): 4.032,
    (0.90, 10): 1.812,
    (0.99, 19): 2.861,
    (0.95, 120): 1.980,
}


def test_the_fewer_the_degrees_of_freedom_the_wider_the_interval() -> None:
    assert {given: round(student(*given), 3) for given in STUDENT} == STUDENT
    assert student(0.99, 100_000) == pytest.approx(2.5758, abs=1e-4)
