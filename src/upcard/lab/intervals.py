"""Confidence intervals of means, for shares of wins, without SciPy."""

from __future__ import annotations

__all__ = ["bounds", "interval", "student"]

import math
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def bounds(
    count: npt.ArrayLike, totals: npt.ArrayLike, squares: npt.ArrayLike, confidence: float
) -> tuple[Floats, Floats]:
    """Return the lower and the upper end of the interval of a mean of values between 0 and 1, given their
    number, their sum and the sum of their squares.

    It is the usual interval from the variance of the values, after adding z²/2 pseudo-observations, half of
    them 0 and half of them 1. That is half as many as Agresti and Coull add for values that are either 0 or
    1. They prevent false certainty after a few deals with the same result, and make no difference after many.
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    ends = z * z / 4
    number = np.asarray(count, float) + 2 * ends
    mean = (np.asarray(totals, float) + ends) / number
    variance = (np.asarray(squares, float) + ends) / number - mean**2
    reach = z * np.sqrt(variance / number)
    return np.clip(mean - reach, 0, 1), np.clip(mean + reach, 0, 1)


def interval(
    values: npt.ArrayLike, confidence: float, least: float = 0, most: float = 1
) -> tuple[float, float]:
    """Return the interval of the mean of values, none of which can lie outside `least` and `most`."""
    width = most - least
    scaled = (np.asarray(values, float) - least) / width
    low, high = bounds(len(scaled), scaled.sum(), (scaled**2).sum(), confidence)
    return least + width * float(low), least + width * float(high)


def student(confidence: float, freedom: int) -> float:
    """Return the half-width of an interval in standard errors, if the standard error is itself estimated with
    some degrees of freedom (Student's t distribution)."""
    low, high = 0.0, math.pi / 2
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if _within(middle, freedom) < confidence else (low, middle)
    return math.sqrt(freedom) * math.tan(low)


def _within(angle: float, freedom: int) -> float:
    """Return the probability that |t| is at most sqrt(freedom) * tan(angle): a finite sum, as `freedom` is an
    integer."""
    odd = freedom % 2
    sine, cosine = math.sin(angle), math.cos(angle)
    term, total = cosine**odd, 0.0
    for power in range(odd, freedom - 1, 2):
        total += term
        term *= cosine**2 * (power + 1) / (power + 2)
    return (angle + sine * total) * 2 / math.pi if odd else sine * total
