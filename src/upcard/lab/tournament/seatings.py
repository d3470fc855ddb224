"""Seatings: all ways to seat bots at a table. A deal is played in each of them."""

from __future__ import annotations

__all__ = ["MAX_SEATINGS", "seatings"]

import functools
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from upcard.core.errors import ArgumentError

# All orders of six out of seven bots: 7! is the largest number of games in a deal.
MAX_SEATINGS = 5040

Seating = tuple[str, ...]


@functools.lru_cache(maxsize=16)
def seatings(bots: tuple[str, ...], players: int) -> tuple[Seating, ...]:
    """Return every different order in which these bots can sit at a table.

    If there are fewer bots than seats, they take turns; if there are more, each selection of them plays. A
    repeated name sits that often, and is one bot. Tables at which a bot would meet only itself are omitted,
    since they show nothing.
    """
    if len(set(bots)) < 2:
        raise ArgumentError(f"a tournament compares two bots or more, not only {bots[0]}")
    turns = tuple(bots[seat % len(bots)] for seat in range(max(players, len(bots))))
    orders = (order for order in _orders(Counter(turns), players) if len(set(order)) > 1)
    found = tuple(islice(orders, MAX_SEATINGS + 1))
    if len(found) > MAX_SEATINGS:
        raise ArgumentError(
            f"{len(bots)} bots can sit at {players} seats in more than {MAX_SEATINGS:,} ways, too many to "
            "play each deal in all of them: name fewer"
        )
    return found


def _orders(left: Counter[str], seats: int) -> Iterator[Seating]:
    """Yield every different way to fill some seats with the remaining bots."""
    if seats == 0:
        yield ()
        return
    for bot in left:
        if left[bot]:
            left[bot] -= 1
            for others in _orders(left, seats - 1):
                yield (bot, *others)
            left[bot] += 1
