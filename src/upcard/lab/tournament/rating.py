"""Ratings: how strong each bot is, if one number for each explains who wins.

The model is that of Bradley, Terry and Luce: every seat wins with a chance in proportion to the
strength of the bot that sits there. The strengths are those that make all games together most likely. Ratings
that are corrected game by game (Elo's own, TrueSkill, OpenSkill) follow players who learn; bots do not,
and a fit to all games together does not depend on the order in which they were played.
"""

from __future__ import annotations

__all__ = ["MEAN", "fit", "rate", "reach"]

import math

import numpy as np
import numpy.typing as npt

from upcard.lab.intervals import Floats, student

# On the scale of Elo: the mean of all, and what ten times the strength is worth.
MEAN = 1500.0
TENFOLD = 400.0

# Standard errors are estimated by leaving out one of this many parts of the deals at a time (jackknife).
PARTS = 20

# A step of the fit is not larger than this, and the fit is done when it is smaller than that.
LONGEST_STEP = 1.0
SHORTEST_STEP = 1e-10
MAX_STEPS = 200

# The fit leaves differences of this size between ratings that are equal.
SMALLEST_ERROR = 1e-6


def rate(line_ups: npt.ArrayLike, games: npt.ArrayLike, wins: npt.ArrayLike) -> tuple[Floats, Floats | None]:
    """Return ratings and their standard errors, from deals that were all played by the same line-ups. The
    errors of a single deal are None, and those of deals that all ended alike.

    `line_ups` has a row for each, the number of seats of each bot; `games` says how many games a deal has
    of each. `wins` has a row for each deal: the wins of each bot, shared ones in part.
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
    # Where all parts are alike, as where one bot won every game, nothing is known of how they vary.
    return ratings, errors if errors.max() > SMALLEST_ERROR else None


def reach(error: float, deals: int, confidence: float) -> float:
    """Return how far the interval of a rating reaches to either side, given its standard error."""
    return error * student(confidence, min(PARTS, deals) - 1)


def fit(line_ups: npt.ArrayLike, games: npt.ArrayLike, wins: npt.ArrayLike) -> Floats:
    """Return the ratings that make it most likely that each bot won as much as it did, given how many
    games each line-up played.

    One game more is made up, in which every bot sits once and all share the win: without it a bot that
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

    What is to be made as large as possible has one summit, and steps of limited length get there.
    """
    logs = np.zeros(len(won))
    for _ in range(MAX_STEPS):
        weights = seats * np.exp(logs - logs.max())
        chances = weights / weights.sum(axis=1, keepdims=True)
        expected = played @ chances
        slope = won - expected
        bend = np.diag(expected) - chances.T @ (played[:, None] * chances)
        # The bend is flat where all strengths grow alike; adding to all of it takes that freedom away.
        step = np.linalg.solve(bend + 1, slope)
        longest = float(np.abs(step).max())
        logs = logs + step * min(1.0, LONGEST_STEP / max(longest, SHORTEST_STEP))
        if longest < SHORTEST_STEP:
            break
    return np.asarray(logs - logs.mean())
