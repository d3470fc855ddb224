"""Studies: questions that a game designer or a curious parent has about a game, answered by many games.

The results of a study are one dictionary, which `--json` prints and from which reports are made. All shares
are between 0 and 1, and an `interval` is [low, high]; a shared win counts in part. A place is a position in
the order of turns: 1 is the player who went first. A study depends on its plan alone, not on time or jobs. A
bot that chooses an illegal move, raises an exception or takes too long stops a study.

about the study
    kind            "study"
    version         of Upcard
    game, title     "lines", "Lines"
    options         all options with their values, `players` among them
    players         how many sit at a table
    bots            who plays
    seed            64 hexadecimal digits
    confidence      of all intervals
    wanted_games    how many games were asked for
    vary            what was to be varied, as it was written
    skill_bots      the two that were to be compared, or null
    skill_deals     on how many deals
    skill_everywhere    whether also at the varied tables
    pace            seconds that people are assumed to take for a move
    interrupted     whether it was stopped before its end
    missing         the parts that were not finished then
    by_the_clock    bots that have a time limit: with these another run can differ

the games (not there if they are missing)
    deals, games    how many were played; a deal is one game, or more where different bots change seats
    equal_share     what every place would win if none had an advantage: 1 / players
    turn_order      [{"place": 1, "share": of wins, "interval"}, ...]
    length          of a game in moves: mean, interval, median, middle_half [low, high], longest_of_100,
                    counts [[moves, games], ...]; and at the assumed pace, `minutes`: mean, middle_half,
                    longest_of_100
    reasons         why games ended, as {"won": {"games", "share", "interval"}, ...}
    shared_wins     the share of games that several won together, with its interval
    scores          [{"place", "mean_score", "interval", "score_counts": [[score, games], ...]}, ...]
    rules           of some of the games, what the rules did (see `lab/study/event_counts.py`)
        games           how many these were
        turns_per_game  {"mean", "interval"}
        events          what happened from the first turn on, the rarest first, each with its name (`event`),
                        the clauses of the rules that emit it, what it says, times_per_game with its interval
                        (times_interval), and share_of_games in which it happened at all with its interval
        ended_by        [{"clause", "share_of_games", "interval"}, ...]
        clauses         the text of every clause

variations          for each option that was varied {"option", "clause", "values": [...]}, where each has its
                    `value`, whether it is the usual one (`usual`), and all of the games above but `rules`; or
                    `refused`, the reason why it cannot be dealt
skill               luck against skill, also for each value where that was asked for
    strong, weak    two bots
    deals, games    each deal was played with the strong one at every seat, the weak one at all others
    equal_share     what either would win by luck alone
    share, interval of the wins of the strong one
    fates           what became of the deals, each with `share` and `interval`: strong_always (it won all
                    games of the deal), strong_never, same_seat (which won with either bot), otherwise
"""

from __future__ import annotations

__all__ = ["CONFIDENCE", "StudyPlan", "study"]

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from itertools import starmap
from typing import Any, TypeVar

import numpy as np

from upcard import __version__
from upcard.core.options import Value
from upcard.games import find
from upcard.lab.contest import STOP, Referee, by_the_clock
from upcard.lab.executors import deferring_interrupt, in_order, open_executor
from upcard.lab.study import event_counts, measures, skill
from upcard.lab.study.measures import GAMES_A_TASK, Sample
from upcard.lab.study.variations import Variation, read_variations, word
from upcard.lab.tournament.deals import TournamentPlan, warm_up

CONFIDENCE = 0.95

# Number of games whose events are counted. Counting is slow, and these are enough to see which events are
# rare.
WATCHED_GAMES = 300
WATCHED_GAMES_A_TASK = 25

Result = TypeVar("Result")
# The figures of finished tables, so that no table is played twice.
Known = dict[TournamentPlan, dict[str, Any]]
Done = Callable[[int], None]
Progress = Callable[[str, int], contextlib.AbstractContextManager[Done]]


@dataclass(frozen=True)
class StudyPlan:
    """Everything that a study depends on. Create one with `StudyPlan.of`, which checks everything."""

    sample: Sample
    games: int
    pace: float
    vary: tuple[str, ...]
    variations: tuple[Variation, ...]
    # The two bots to compare, the number of deals, and whether to compare them at the varied tables too.
    pair: tuple[str, ...]
    deals: int
    skill_everywhere: bool

    @classmethod
    def of(
        cls,
        game: str,
        options: Mapping[str, object],
        bots: Sequence[str],
        seed: bytes,
        *,
        games: int = 10_000,
        pace: float = 6.0,
        vary: Sequence[str] = (),
        pair: Sequence[str] = ("hard", "easy"),
        deals: int = 40,
        skill_everywhere: bool = False,
        limit: float | None = None,
    ) -> StudyPlan:
        """Return a plan, or raise an error. `limit` is the time for a move, in seconds."""
        question = cls(
            Sample.of(game, options, bots, seed, Referee(STOP, limit)),
            games,
            pace,
            tuple(vary),
            tuple(read_variations(find(game), options, vary)),
            tuple(pair),
            deals,
            skill_everywhere,
        )
        for variation in question.variations:
            if variation.refused is None:
                Sample.of(game, variation.options, bots, seed)
        if deals:
            question.pair_at(dict(question.sample.options))
        return question

    def sample_at(self, options: Mapping[str, Value]) -> Sample:
        """Return the sample of a varied table."""
        return replace(self.sample, options=tuple(options.items()))

    def pair_at(self, options: Mapping[str, Value]) -> TournamentPlan:
        """Return the deals between the two bots at a table."""
        sample = self.sample
        return skill.pair_of(sample.game, options, self.pair, sample.seed, sample.referee.limit)


def study(
    question: StudyPlan,
    jobs: int | None = 1,
    on: str | None = None,
    progress: Progress = lambda part, games: contextlib.nullcontext(lambda done: None),
) -> dict[str, Any]:
    """Run a study part by part. `jobs` is None for the number of cores; `on` names a cluster
    instead of this machine. Ctrl-C stops it and keeps the parts that are finished."""
    facts = _about(question)
    left = list(_parts(question, facts))
    try:
        with Executors(jobs, on) as executors:
            while left:
                with progress(left[0].name, left[0].games) as done:
                    found = left[0].work(executors, done)
                with deferring_interrupt():
                    left.pop(0).into.update(found)
    except KeyboardInterrupt:
        facts["interrupted"] = bool(left)
        facts["missing"] = [part.name for part in left]
    return facts


def _about(question: StudyPlan) -> dict[str, Any]:
    sample = question.sample
    compared = question.pair if question.deals else ()
    return {
        "kind": "study",
        "version": __version__,
        "game": sample.game,
        "title": find(sample.game).title,
        "options": dict(sample.options),
        "players": sample.players,
        "bots": list(sample.bots),
        "seed": sample.seed.hex(),
        "confidence": CONFIDENCE,
        "wanted_games": question.games,
        "vary": list(question.vary),
        "skill_bots": list(compared) or None,
        "skill_deals": question.deals,
        "skill_everywhere": question.skill_everywhere,
        "pace": question.pace,
        "interrupted": False,
        "missing": [],
        "by_the_clock": by_the_clock([*sample.bots, *compared]),
    }


# The parts of a study


@dataclass
class Part:
    """A part of a study: its name, its number of games, and the place for its findings."""

    name: str
    games: int
    into: dict[str, Any]
    work: Callable[[Executors, Done], dict[str, Any]]


def _parts(question: StudyPlan, facts: dict[str, Any]) -> Iterator[Part]:
    """Yield all parts, the quickest first; their places in the facts are created here."""
    base = question.sample
    known: Known = {}
    yield _games_part("the games", question, base, facts, known, watched=True)
    tables = [("", dict(base.options), facts)]
    if question.variations:
        facts["variations"] = _places(question.variations)
        for variation, into in zip(question.variations, _values(facts), strict=True):
            if variation.refused is None:
                name = f"{variation.option.name}={word(variation.value)}"
                tables.append((f" with {name}", dict(variation.options), into))
                yield _games_part(name, question, question.sample_at(variation.options), into, known)
    for name, options, into in tables if question.skill_everywhere else tables[:1]:
        if question.deals:
            yield _skill_part(" against ".join(question.pair) + name, question, options, into, known)


def _places(variations: Iterable[Variation]) -> list[dict[str, Any]]:
    """Return an empty place for the findings of each variation, by option."""
    places: dict[str, dict[str, Any]] = {}
    for variation in variations:
        option = variation.option
        place = {"option": option.name, "clause": option.clause, "values": []}
        value = {"value": variation.value, "usual": variation.value == option.default}
        refused = {} if variation.refused is None else {"refused": variation.refused}
        places.setdefault(option.name, place)["values"].append(value | refused)
    return list(places.values())


def _values(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [value for option in facts["variations"] for value in option["values"]]


def _games_part(
    name: str, question: StudyPlan, sample: Sample, into: dict[str, Any], known: Known, watched: bool = False
) -> Part:
    def work(executors: Executors, done: Done) -> dict[str, Any]:
        if sample not in known:
            found = _play_games(question, sample, executors, done, watched)
            known[sample] = {name: value for name, value in found.items() if name != "rules"}
            return found
        return known[sample]

    return Part(name, question.games, into, work)


def _play_games(
    question: StudyPlan, sample: Sample, executors: Executors, done: Done, watched: bool
) -> dict[str, Any]:
    batches, seen = [], []
    for rows, games in executors.work(sample, measures.play, _tasks(question, sample, watched)):
        batches.append(rows)
        seen += games
        done(rows.shape[0] * rows.shape[1])
    found = measures.figures(sample, np.concatenate(batches), CONFIDENCE, question.pace)
    if watched:
        found["rules"] = event_counts.summary(find(sample.game), seen, CONFIDENCE)
    return found


def _tasks(question: StudyPlan, sample: Sample, watched: bool) -> Iterator[tuple[Sample, int, int, bool]]:
    """Yield the deals to be played, in tasks whose size does not depend on the executor."""
    seatings = len(sample.seatings)
    deals = -(-question.games // seatings)
    until = min(deals, -(-WATCHED_GAMES // seatings)) if watched else 0
    for start, stop, games, watch in (
        (0, until, WATCHED_GAMES_A_TASK, True),
        (until, deals, GAMES_A_TASK, False),
    ):
        step = max(1, games // seatings) if sample.compiled else 1
        for first in range(start, stop, step):
            yield sample, first, min(step, stop - first), watch


def _skill_part(
    name: str, question: StudyPlan, options: Mapping[str, Value], into: dict[str, Any], known: Known
) -> Part:
    plan = question.pair_at(options)

    def work(executors: Executors, done: Done) -> dict[str, Any]:
        if plan not in known:
            deals = []
            for rows in executors.work(
                plan, skill.play, ((plan, number) for number in range(question.deals))
            ):
                deals.append(rows)
                done(len(rows))
            known[plan] = {"skill": skill.figures(plan, np.stack(deals), CONFIDENCE)}
        return known[plan]

    return Part(name, question.deals * len(plan.seatings), into, work)


# Executors


@dataclass
class Executors:
    """The executors of all parts of a study. Each is opened when first needed, and closed at the end."""

    jobs: int | None
    on: str | None
    open: dict[bool, tuple[Executor, int]] = field(default_factory=dict)
    stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def __enter__(self) -> Executors:
        return self

    def __exit__(self, *error: Any) -> None:
        self.stack.__exit__(*error)

    def work(
        self, plan: TournamentPlan, work: Callable[..., Result], tasks: Iterable[tuple[Any, ...]]
    ) -> Iterator[Result]:
        """Work on tasks of a plan, and yield their results in order."""
        warm_up(plan)
        if self.jobs == 1 and self.on is None:
            yield from starmap(work, tasks)
            return
        # A cluster has one executor for everything.
        kind = plan.compiled and self.on is None
        if kind not in self.open:
            self.open[kind] = self.stack.enter_context(open_executor(plan.compiled, self.jobs, self.on))
        executor, size = self.open[kind]
        yield from in_order(executor, work, tasks, size)
