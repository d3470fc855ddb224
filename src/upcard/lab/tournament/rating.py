"""Ratings: the strength of each bot as one number that explains the results.

The model is that of Bradley, Terry and Luce: every seat wins with a probability proportional to the strength
of its bot. The strengths are those that make all games together most likely. Ratings that are updated game by
game (Elo's own, TrueSkill, OpenSkill) follow players who learn. Bots do not learn, and a fit to all games
together does not depend on their order.
"""

from __future__ import annotations

__all__ = ["MEAN", "fit", "rate", "reach"]

import math

import numpy as np
import numpy.typing as npt

from upcard.lab.intervals import Floats, student

# On the Elo scale: the mean of all, and the difference for ten times the strength.
MEAN = 1500.0
TENFOLD = 400.0

# Standard errors are estimated by leaving out one of this many parts of the deals at a time (jackknife).
PARTS = 20

# The maximum step of the fit, and the step below which it has converged.
LONGEST_STEP = 1.0
SHORTEST_STEP = 1e-10
MAX_STEPS = 200

# Rounding errors of this size remain between equal ratings.
SMALLEST_ERROR = 1e-6


def rate(line_ups: npt.ArrayLike, games: npt.ArrayLike, wins: npt.ArrayLike) -> tuple[Floats, Floats | None]:
    """Return ratings and their standard errors, from deals that were all played by the same line-ups. The
    errors are None for a single deal, or if all deals ended alike.

    `line_ups` has a row for each, the number of seats of each bot; `games` is the number of games of each in
    a deal. `wins` has a row for each deal: the wins of each bot, shared ones in part.
    """
    won = np.asarray(wins, float)
    a_deal = np.asarray(games, float)
    deals, total = len(won), won.sum(axis=0)
    ratings = fit(line_ups, a_deal * deals, total)
    if deals < 2:
        return ratings, None
    parts = [won[part] for part in np.array_split(np.arange(deals), min(PARTS, deals))]
    without = [fit(line_ups, a_deal * (deals - len(part)), total - part.sum(axis=0)) for part in parts]
    errors = np.sqrt((len(parts) - 1) * np.var(without, axis=0))
    # If all parts are alike, for example because one bot won every game, the variance is unknown.
    return ratings, errors if errors.max() > SMALLEST_ERROR else None


def reach(error: float, deals: int, confidence: float) -> float:
    """Return the half-width of the interval of a rating, given its standard error."""
    return error * student(confidence, min(PARTS, deals) - 1)


def fit(line_ups: npt.ArrayLike, games: npt.ArrayLike, wins: npt.ArrayLike) -> Floats:
    """Return the maximum likelihood ratings for the wins of each bot, given the number of games of each
    line-up.

    One imaginary game is added, in which every bot sits once and all share the win: without it, a bot that
    has won every game would be infinitely strong.
    """
    seats = np.asarray(line_ups, float)
    bots = seats.shape[1]
    seats = np.vstack([seats, np.ones(bots)])
    played = np.append(np.asarray(games, float), 1.0)
    won = np.asarray(wins, float) + 1 / bots
    return MEAN + TENFOLD / math.log(10) * _most_likely(seats, played, won)


def _most_likely(seats: Floats, played: Floats, won: Floats) -> Floats:
    """Return the logarithms of the strengths, their mean 0, by Newton's method.

    The likelihood has a single maximum, which steps of limited length reach.
    """
    logs = np.zeros(len(won))
    for _ in range(MAX_STEPS):
        weights = seats * np.exp(logs - logs.max())
        chances = weights / weights.sum(axis=1, keepdims=True)
        expected = played @ chances
        gradient = won - expected
        hessian = np.diag(expected) - chances.T @ (played[:, None] * chances)
        # The Hessian is singular in the direction in which all strengths grow alike; adding a constant to all
        # its entries removes that.
        step = np.linalg.solve(hessian + 1, gradient)
        longest = float(np.abs(step).max())
        logs = logs + step * min(1.0, LONGEST_STEP / max(longest, SHORTEST_STEP))
        if longest < SHORTEST_STEP:
            break
    return np.asarray(logs - logs.mean())
