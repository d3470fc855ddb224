"""Luck against skill: a strong bot meets a weak one on duplicate deals.

The strong one sits at one seat, the weak one at all others, and every deal is played with the strong one at
each of the seats. What it wins beyond an equal share is skill, because over such a deal both bots had the
same cards. If the same seat wins with either bot, the cards have decided.
"""

from __future__ import annotations

__all__ = ["figures", "pair_of", "play"]

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from upcard.core.errors import ArgumentError
from upcard.games import find
from upcard.lab.contest import STOP, Referee, check_bots
from upcard.lab.study.measures import share
from upcard.lab.tournament.deals import WINNERS, Rows, TournamentPlan, play_deals, warm_up


def _check_pair(names: Sequence[str]) -> None:
    """Refuse anything but two different bots."""
    if len(names) != 2:
        raise ArgumentError(f"--skill compares two bots, as in hard,easy, not {','.join(names)!r:.40}")
    check_bots(names)
    if names[0] == names[1]:
        raise ArgumentError(f"--skill compares two different bots, and {names[0]} is only one")


def pair_of(
    game: str,
    options: Mapping[str, object],
    names: Sequence[str],
    seed: bytes,
    limit: float | None = None,
) -> TournamentPlan:
    """Return the plan of deals in which the first of two bots meets the second."""
    _check_pair(names)
    strong, weak = names
    players = int(find(game).complete(options)["players"])
    return TournamentPlan.of(game, options, [strong, *[weak] * (players - 1)], seed, Referee(STOP, limit))


def play(plan: TournamentPlan, number: int) -> Rows:
    """Play one deal: a row for each seating.

    A new process compiles first, so that this does not count as thinking time.
    """
    warm_up(plan)
    return np.asarray(play_deals(plan, number, 1).rows[0])


def figures(plan: TournamentPlan, rows: Rows, confidence: float) -> dict[str, Any]:
    """Return how much the strong bot won in some deals, and how often the cards decided."""
    strong, weak = plan.names
    seats = [seating.index(strong) for seating in plan.seatings]
    winners = rows[:, :, WINNERS : WINNERS + plan.players]
    shares = winners / winners.sum(axis=2, keepdims=True)
    won = shares[:, np.arange(len(seats)), seats]
    fates = {
        "strong_always": (won == 1).all(axis=1),
        "strong_never": (won == 0).all(axis=1),
        # Alone, in every game of the deal.
        "same_seat": (shares == 1).all(axis=1).any(axis=1),
    }
    fates["otherwise"] = ~np.any([*fates.values()], axis=0)
    return {
        "strong": strong,
        "weak": weak,
        "deals": len(rows),
        "games": won.size,
        "equal_share": round(1 / plan.players, 6),
        **share(won.mean(axis=1), confidence),
        "fates": {fate: share(deals, confidence) for fate, deals in fates.items()},
    }
