"""The results of a tournament: shares of wins, ratings and comparisons, all with their errors."""

from __future__ import annotations

__all__ = ["Results", "Tally", "counted"]

import functools
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from upcard import __version__
from upcard.core.seats import along
from upcard.core.table import Reason
from upcard.games import find
from upcard.lab.contest import Forfeits, by_the_clock
from upcard.lab.intervals import Floats, bounds, interval
from upcard.lab.tournament.deals import FIRST, MOVES, REASON, WINNERS, Dealt, Rows, TournamentPlan
from upcard.lab.tournament.rating import rate, reach

# Wins are counted in sixtieths, which up to six seats can share without a remainder: sums of whole numbers do
# not depend on the order in which deals are added up.
WIN = 60

# Number of deals after which a tournament with --until checks again whether to stop.
ASKED_EACH = 10
ASKED_FROM = 20

Ints = npt.NDArray[np.int64]


def _parts(plan: TournamentPlan, rows: Rows) -> Ints:
    """Return the wins of each seat in each game of each deal, in sixtieths; games and seats in one row."""
    winners = rows[:, :, WINNERS : WINNERS + plan.players].astype(np.int64)
    parts: Ints = winners * (WIN // winners.sum(axis=2, keepdims=True))
    return parts.reshape(len(rows), parts.shape[1] * parts.shape[2])


@functools.lru_cache(maxsize=4)
def _occupied(plan: TournamentPlan) -> Ints:
    """Return for each bot a 1 at each of its seats in a deal; games and seats in one row."""
    seats = [bot for seating in plan.seatings for bot in seating]
    return np.array([[int(bot == name) for bot in seats] for name in plan.names])


@functools.lru_cache(maxsize=4)
def _games(plan: TournamentPlan) -> Ints:
    """Return for each bot the number of games of a deal in which it sits."""
    return np.array([sum(name in seating for seating in plan.seatings) for name in plan.names])


class Tally:
    """The deals so far, and the precision of the shares of wins."""

    def __init__(self, plan: TournamentPlan, confidence: float = 0.99, until: float | None = None) -> None:
        self.plan = plan
        self.confidence = confidence
        self.until = until
        self.settled = False
        self.deals = 0
        self.forfeits = Forfeits()
        self._rows: list[Rows] = []
        # The total wins of each bot, and the sum of the squares of its wins in each deal.
        self._totals = np.zeros(len(plan.names), np.int64)
        self._squares = np.zeros(len(plan.names), np.int64)

    def add(self, dealt: Dealt) -> Dealt:
        """Count some more deals, but none after the question is settled; return those that count."""
        rows = dealt.rows
        won = _parts(self.plan, rows) @ _occupied(self.plan).T
        totals = self._totals + np.cumsum(won, axis=0)
        squares = self._squares + np.cumsum(won**2, axis=0)
        count = self._settled_after(totals, squares)
        if count is not None:
            self.settled = True
        taken = dealt.upto(count)
        if deals := len(taken.rows):
            self.deals += deals
            self._rows.append(taken.rows)
            self._totals, self._squares = totals[deals - 1], squares[deals - 1]
            for error in taken.errors.values():
                self.forfeits.add(error)
        return taken

    def _settled_after(self, totals: Ints, squares: Ints) -> int | None:
        """Return the number of these deals after which the question is settled; None if it is not."""
        if self.settled:
            return 0
        if self.until is None:
            return None
        counts = self.deals + 1 + np.arange(len(totals))
        asked = np.flatnonzero((counts % ASKED_EACH == 0) & (counts >= ASKED_FROM))
        low, high = self._bounds(counts[asked, None], totals[asked], squares[asked])
        enough = asked[(high - low).max(axis=1) / 2 <= self.until]
        return int(enough[0]) + 1 if len(enough) else None

    def _bounds(self, deals: int | Ints, totals: Ints, squares: Ints) -> tuple[Floats, Floats]:
        """Return the intervals of the shares; the maximum is a win in every game."""
        seats, games = _occupied(self.plan).sum(axis=1), _games(self.plan)
        most = WIN * games
        low, high = bounds(deals, totals / most, squares / most**2.0, self.confidence)
        return low * games / seats, high * games / seats

    def shares(self) -> dict[str, tuple[float, float, float]]:
        """Return for each bot its share of wins, and the ends of its interval."""
        most = WIN * _occupied(self.plan).sum(axis=1) * max(self.deals, 1)
        low, high = self._bounds(self.deals, self._totals, self._squares)
        figures = zip((self._totals / most).tolist(), low.tolist(), high.tolist(), strict=True)
        return dict(zip(self.plan.names, figures, strict=True))

    def is_open(self, deals: int) -> bool:
        """Whether there is more to play, up to this number of deals."""
        return self.deals < deals and not self.settled

    @property
    def games(self) -> int:
        """The number of games."""
        return self.deals * len(self.plan.seatings)

    @property
    def rows(self) -> Rows:
        """All deals that count: deals, seatings, rows of games."""
        return np.concatenate(self._rows)


@dataclass(frozen=True)
class Results:
    """The results of a tournament."""

    tally: Tally
    wanted_games: int
    interrupted: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the results, ready for JSON; `lab/tournament/run.py` describes them.

        It depends on the deals alone, and so not on time, jobs or interruptions.
        """
        tally, plan = self.tally, self.tally.plan
        about = {
            "kind": "tournament",
            "version": __version__,
            "game": plan.game,
            "title": find(plan.game).title,
            "options": dict(plan.options),
            "players": plan.players,
            "bots": plan.names,
            "seed": plan.seed.hex(),
            "confidence": tally.confidence,
            "equal_share": round(1 / plan.players, 6),
            "seatings": [list(seating) for seating in plan.seatings],
            "wanted_games": self.wanted_games,
            "until": tally.until,
            "settled": None if tally.until is None else tally.settled,
            "interrupted": self.interrupted,
            "by_the_clock": by_the_clock(plan.names),
            "deals": tally.deals,
            "games": tally.games,
        }
        if not tally.deals:
            return about
        figures = _Figures(plan, tally.rows, tally.confidence).to_json()
        return about | {"forfeits": tally.forfeits.to_json()} | figures


class _Figures:
    """All figures of some deals."""

    def __init__(self, plan: TournamentPlan, rows: Rows, confidence: float) -> None:
        self.plan = plan
        self.rows = rows
        self.confidence = confidence
        # By deals, then the seats of all games of a deal in one row.
        self.parts = _parts(plan, rows)
        self.scores = rows[:, :, WINNERS + plan.players :].reshape(len(rows), -1)
        self.places = self._places()

    def _places(self) -> Rows:
        """Return for each seat whether it has the first turn (0), the second (1) ..."""
        seats = np.arange(self.plan.players)
        places = along(seats, -self.rows[:, :, FIRST, None], self.plan.players)  # type: ignore[arg-type]  # arrays add up like numbers
        return np.asarray(places).reshape(len(self.rows), -1)

    def to_json(self) -> dict[str, Any]:
        reasons, moves = self.rows[:, :, REASON], self.rows[:, :, MOVES]
        standings = self._standings()
        return {
            "reasons": {reason.name.lower(): int((reasons == reason).sum()) for reason in Reason},
            "length": {"mean": round(float(moves.mean()), 3), "counts": counted(moves)},
            "turn_order": [self._place(place) for place in range(self.plan.players)],
            "standings": standings,
            "comparisons": [
                self._comparison(bot, against)
                for bot, against in combinations([standing["bot"] for standing in standings], 2)
                if self._both_sat(bot, against).any()
            ],
        }

    def _place(self, place: int) -> dict[str, Any]:
        shares = _mean(self.parts, self.places == place)
        return {"place": place + 1} | self._sure("share", shares)

    # Bots

    def _standings(self) -> list[dict[str, Any]]:
        ratings, errors = self._ratings()
        standings = []
        for number, bot in enumerate(self.plan.names):
            error = None if errors is None else float(errors[number])
            standings.append(self._standing(bot, self._rating(float(ratings[number]), error)))
        return sorted(standings, key=lambda standing: -float(standing["rating"]))

    def _rating(self, rating: float, error: float | None) -> dict[str, Any]:
        """Return a rating with its standard error and its interval, which are unknown after a single deal."""
        if error is None:
            return {"rating": round(rating, 1), "rating_error": None, "rating_interval": None}
        far = reach(error, len(self.rows), self.confidence)
        return {
            "rating": round(rating, 1),
            "rating_error": round(error, 1),
            "rating_interval": [round(rating - far, 1), round(rating + far, 1)],
        }

    def _standing(self, bot: str, rating: dict[str, Any]) -> dict[str, Any]:
        plan = self.plan
        own, games = self._own(bot), int(_games(plan)[plan.names.index(bot)])
        parts, scores, places = self.parts[:, own], self.scores[:, own], self.places[:, own]
        sure = self._sure("share", parts.mean(axis=1) / WIN, most=games / own.sum())
        return {
            "bot": bot,
            "games": games * len(self.rows),
            "seats": parts.size,
            "wins": round(int(parts.sum()) / WIN, 2),
            **sure,
            "verdict": _verdict(sure["interval"], 1 / plan.players),
            **rating,
            "mean_score": round(float(scores.mean()), 3),
            "score_counts": counted(scores),
            "share_by_place": [_share(parts[places == place]) for place in range(plan.players)],
        }

    def _own(self, bot: str) -> npt.NDArray[np.bool_]:
        """Return the seats of a deal at which a bot sits."""
        return np.asarray(_occupied(self.plan)[self.plan.names.index(bot)] == 1)

    def _ratings(self) -> tuple[Floats, Floats | None]:
        seats = _occupied(self.plan).reshape(len(self.plan.names), len(self.plan.seatings), -1).sum(axis=2).T
        line_ups, games = np.unique(seats, axis=0, return_counts=True)
        return rate(line_ups, games, self.parts @ _occupied(self.plan).T / WIN)

    # Pairs of bots

    def _comparison(self, bot: str, against: str) -> dict[str, Any]:
        both = self._both_sat(bot, against)
        ours, theirs = self._own(bot) & both, self._own(against) & both
        differences = self.parts[:, ours].mean(axis=1) - self.parts[:, theirs].mean(axis=1)
        games = both.sum() / self.plan.players
        sure = self._sure("difference", differences / WIN, -games / theirs.sum(), games / ours.sum())
        return {"bot": bot, "against": against, **sure, "verdict": _verdict(sure["interval"], 0)}

    def _both_sat(self, bot: str, against: str) -> npt.NDArray[np.bool_]:
        """Return the seats of a deal that belong to games in which two bots met."""
        met = [{bot, against} <= set(seating) for seating in self.plan.seatings]
        return np.repeat(met, self.plan.players)

    def _sure(self, name: str, values: Floats, least: float = 0, most: float = 1) -> dict[str, Any]:
        """Return a mean over the deals with its interval, given the possible range."""
        low, high = interval(values, self.confidence, least, most)
        return {name: round(float(values.mean()), 6), "interval": [round(low, 6), round(high, 6)]}


def _mean(parts: Ints, chosen: npt.NDArray[np.bool_]) -> Floats:
    """Return the mean share of the chosen seats in each deal."""
    return np.asarray((parts * chosen).sum(axis=1) / chosen.sum(axis=1) / WIN)


def _share(parts: Ints) -> float | None:
    return round(float(parts.mean()) / WIN, 6) if parts.size else None


def counted(values: npt.NDArray[Any]) -> list[list[int]]:
    """Return how often each value occurs, in their order."""
    found, counts = np.unique(values, return_counts=True)
    return [[int(value), int(count)] for value, count in zip(found, counts, strict=True)]


def _verdict(sure: list[float], equal: float) -> str:
    if sure[0] > equal:
        return "above"
    return "below" if sure[1] < equal else "open"
