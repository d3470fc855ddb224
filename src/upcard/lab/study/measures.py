"""Measures of the games at one table: wins by the order of turns, lengths, endings and scores."""

from __future__ import annotations

__all__ = ["GAMES_A_TASK", "Sample", "figures", "play", "share"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from upcard.core.errors import ArgumentError
from upcard.core.memory import INT
from upcard.core.table import Reason
from upcard.games import find
from upcard.lab.arena import Arena
from upcard.lab.contest import STRICT, Referee, check_bots, play_refereed
from upcard.lab.intervals import Floats, interval
from upcard.lab.study.event_counts import Watched, watch
from upcard.lab.tournament.deals import (
    FIRST,
    MOVES,
    REASON,
    WINNERS,
    Rows,
    TournamentPlan,
    play_deals,
    row_of,
    warm_up,
)
from upcard.lab.tournament.results import counted
from upcard.lab.tournament.seatings import Seating
from upcard.match.seed import numbered_seed

# Compiled games are so short that one task plays many of them.
GAMES_A_TASK = 2_000

SECONDS_A_MINUTE = 60


@dataclass(frozen=True)
class Sample(TournamentPlan):
    """The bots and the kind of table. The bots change seats from game to game, so that the order of turns is
    measured rather than the bots. A game lost by an error says nothing about the rules, so an error stops a
    study."""

    @classmethod
    def of(
        cls,
        game: str,
        options: Mapping[str, object],
        bots: Sequence[str],
        seed: bytes,
        referee: Referee = STRICT,
    ) -> Sample:
        """Return a sample, or raise an error."""
        complete = find(game).complete(options)
        players = int(complete["players"])
        if len(bots) > players:
            raise ArgumentError(f"name 1 to {players} bots for {players} players, not {len(bots)}")
        check_bots(bots)
        return cls(game, tuple(complete.items()), tuple(bots), seed, referee)

    @property
    def seatings(self) -> tuple[Seating, ...]:
        """The seatings of each deal: the bots take turns at the seats, and then all move up by one."""
        seats = range(self.players)
        around = [self.bots[seat % len(self.bots)] for seat in seats]
        return tuple(dict.fromkeys(tuple(around[first:] + around[:first]) for first in seats))


# Playing


def play(sample: Sample, first: int, deals: int, watched: bool = False) -> tuple[Rows, list[Watched]]:
    """Play the deals numbered `first` and following: a row for each seating of each, and the events if
    requested."""
    warm_up(sample)
    if not watched:
        return play_deals(sample, first, deals).rows, []
    numbers = range(first, first + deals)
    if sample.compiled:
        return play_deals(sample, first, deals).rows, _watch_compiled(sample, first, deals)
    played = [_watch_deal(sample, number) for number in numbers]
    return np.array([rows for rows, _ in played], INT), [seen for _, games in played for seen in games]


def _watch_compiled(sample: Sample, first: int, deals: int) -> list[Watched]:
    """Play deals compiled, and again by plain rules to count events."""
    seen = []
    for seating in sample.seatings:
        arena = Arena(find(sample.game), dict(sample.options), seating)
        seeds = arena.seeds(sample.seed, first, deals)
        batch = arena.play(sample.seed, first, deals, log=True)
        seen += [
            watch(arena.game, arena.options, seeds[place], batch.moves_of(place)) for place in range(deals)
        ]
    return seen


def _watch_deal(sample: Sample, number: int) -> tuple[list[list[int]], list[Watched]]:
    game, options, seed = find(sample.game), dict(sample.options), numbered_seed(sample.seed, number)
    games = [play_refereed(game, options, seed, seating, sample.referee) for seating in sample.seatings]
    moves = [[entry.move for entry in played.match.log_of_moves] for played in games]
    return [row_of(played) for played in games], [watch(game, options, seed, made) for made in moves]


# Figures


def figures(sample: TournamentPlan, rows: Rows, confidence: float, pace: float) -> dict[str, Any]:
    """Return the figures of some deals, ready for JSON; `lab/study/study.py` describes them."""
    reasons = rows[:, :, REASON]
    return {
        "deals": len(rows),
        "games": reasons.size,
        "equal_share": round(1 / sample.players, 6),
        "turn_order": [
            {"place": place} | share(won, confidence)
            for place, won in enumerate(_won_by_place(rows, sample.players).T, 1)
        ],
        "length": _length(rows[:, :, MOVES], confidence, pace),
        "reasons": {
            reason.name.lower(): {"games": int((reasons == reason).sum())}
            | share((reasons == reason).mean(axis=1), confidence)
            for reason in Reason
        },
        "shared_wins": share((_winners(rows, sample.players).sum(axis=2) > 1).mean(axis=1), confidence),
        "scores": _scores(rows, sample.players, confidence),
    }


def share(values: npt.NDArray[Any], confidence: float) -> dict[str, Any]:
    """Return the mean of shares, one for each deal, with its interval."""
    low, high = interval(values, confidence)
    return {"share": round(float(values.mean()), 6), "interval": [round(low, 6), round(high, 6)]}


def _winners(rows: Rows, players: int) -> Rows:
    return np.asarray(rows[:, :, WINNERS : WINNERS + players])


def _by_place(rows: Rows, seats: npt.NDArray[Any], players: int) -> npt.NDArray[Any]:
    """Return values of seats in the order of turns, beginning with the seat that began."""
    order = (rows[:, :, FIRST, None] + np.arange(players)) % players
    return np.take_along_axis(seats, order, axis=2)


def _won_by_place(rows: Rows, players: int) -> Floats:
    """Return for each deal the share of its games won by the first player, the second, ..."""
    winners = _winners(rows, players)
    shares = winners / winners.sum(axis=2, keepdims=True)
    return np.asarray(_by_place(rows, shares, players).mean(axis=1))


def _length(moves: Rows, confidence: float, pace: float) -> dict[str, Any]:
    low, high = interval(moves.mean(axis=1), confidence, 0, int(moves.max()))
    quarter, half, most_of_all = np.quantile(moves, (0.25, 0.5, 0.75))
    longest = int(np.quantile(moves, 0.99, method="higher"))
    mean = float(moves.mean())

    def minutes(count: float) -> float:
        return round(float(count) * pace / SECONDS_A_MINUTE, 2)

    return {
        "mean": round(mean, 3),
        "interval": [round(low, 3), round(high, 3)],
        "median": float(half),
        "middle_half": [float(quarter), float(most_of_all)],
        "longest_of_100": longest,
        "counts": counted(moves),
        "minutes": {
            "mean": minutes(mean),
            "middle_half": [minutes(quarter), minutes(most_of_all)],
            "longest_of_100": minutes(longest),
        },
    }


def _scores(rows: Rows, players: int, confidence: float) -> list[dict[str, Any]]:
    scores = _by_place(rows, rows[:, :, WINNERS + players :], players)
    found = []
    for place in range(players):
        own = scores[:, :, place]
        low, high = interval(own.mean(axis=1), confidence, 0, max(1, int(own.max())))
        found.append(
            {
                "place": place + 1,
                "mean_score": round(float(own.mean()), 3),
                "interval": [round(low, 3), round(high, 3)],
                "score_counts": counted(own),
            }
        )
    return found
