"""Studies: what a game designer or a curious parent asks of a game, answered by many games.

What came of a study is one dictionary, which `--json` prints and from which reports are made. All shares
are between 0 and 1, and an `interval` is [low, high]; a shared win counts in part. A place is one in the
order of turns: 1 is whoever began. A study depends on its question alone, not on time or jobs.
A bot that chooses an illegal move, raises an exception or takes too long stops a study.

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
    rules           of some of the games, how the rules acted (see `lab/study/firing.py`)
        games           how many these were
        turns_per_game  {"mean", "interval"}
        rules           the rarest first, each with its name (`rule`), the clauses it cites, what it says,
                        times_per_game and times_interval, share_of_games in which it acted at all and the
                        interval of that
        news            what was told, likewise; the clauses are those of the rules that told it
        ended_by        [{"clause", "share_of_games", "interval"}, ...]
        only_set_up     rules that acted before the first turn only: rule, clauses, says
        cannot_act      clauses that say what may be done or what a thing is, so that nothing can be counted
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
                    games of the deal), strong_never, same_seat (which won whoever sat there), otherwise
"""

from __future__ import annotations

__all__ = ["CONFIDENCE", "Question", "study"]

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
from upcard.lab.crew import hired, in_order, undisturbed
from upcard.lab.study import battery, firing, skill
from upcard.lab.study.battery import GAMES_A_TASK, Sample
from upcard.lab.study.variations import Variation, read_variations, word
from upcard.lab.tournament.deals import Plan, warm_up

CONFIDENCE = 0.95

# The rules are watched in so many games. That is slow, and enough to see what is rare.
WATCHED_GAMES = 300
WATCHED_GAMES_A_TASK = 25

Result = TypeVar("Result")
# What came of the tables that were played at: nobody plays twice at the same.
Known = dict[Plan, dict[str, Any]]
Done = Callable[[int], None]
Progress = Callable[[str, int], contextlib.AbstractContextManager[Done]]


@dataclass(frozen=True)
class Question:
    """All that a study depends on. Make one with `Question.of`, which checks everything."""

    sample: Sample
    games: int
    pace: float
    vary: tuple[str, ...]
    variations: tuple[Variation, ...]
    # The two bots to be compared, on how many deals, and whether at the varied tables too.
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
    ) -> Question:
        """Return a question, or say what is wrong with it. `limit` is the time for a move, in
        seconds."""
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

    def pair_at(self, options: Mapping[str, Value]) -> Plan:
        """Return the deals between the two bots at a table."""
        sample = self.sample
        return skill.pair_of(sample.game, options, self.pair, sample.seed, sample.referee.limit)


def study(
    question: Question,
    jobs: int | None = 1,
    on: str | None = None,
    progress: Progress = lambda part, games: contextlib.nullcontext(lambda done: None),
) -> dict[str, Any]:
    """Answer a question part by part. `jobs` is None for as many as there are cores; `on` names a cluster
    instead of this machine. Ctrl-C stops it and keeps the parts that are finished."""
    facts = _about(question)
    left = list(_parts(question, facts))
    try:
        with Crews(jobs, on) as crews:
            while left:
                with progress(left[0].name, left[0].games) as done:
                    found = left[0].work(crews, done)
                with undisturbed():
                    left.pop(0).into.update(found)
    except KeyboardInterrupt:
        facts["interrupted"] = bool(left)
        facts["missing"] = [part.name for part in left]
    return facts


def _about(question: Question) -> dict[str, Any]:
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
    """A part of a study: its name, how many games it has, and where its findings belong."""

    name: str
    games: int
    into: dict[str, Any]
    work: Callable[[Crews, Done], dict[str, Any]]


def _parts(question: Question, facts: dict[str, Any]) -> Iterator[Part]:
    """Give all parts, the quickest first; their places in the facts are made here."""
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
    name: str, question: Question, sample: Sample, into: dict[str, Any], known: Known, watched: bool = False
) -> Part:
    def work(crews: Crews, done: Done) -> dict[str, Any]:
        if sample not in known:
            found = _play_games(question, sample, crews, done, watched)
            known[sample] = {name: value for name, value in found.items() if name != "rules"}
            return found
        return known[sample]

    return Part(name, question.games, into, work)


def _play_games(
    question: Question, sample: Sample, crews: Crews, done: Done, watched: bool
) -> dict[str, Any]:
    batches, seen = [], []
    for rows, games in crews.work(sample, battery.play, _tasks(question, sample, watched)):
        batches.append(rows)
        seen += games
        done(rows.shape[0] * rows.shape[1])
    found = battery.figures(sample, np.concatenate(batches), CONFIDENCE, question.pace)
    if watched:
        found["rules"] = firing.summary(find(sample.game), seen, CONFIDENCE)
    return found


def _tasks(question: Question, sample: Sample, watched: bool) -> Iterator[tuple[Sample, int, int, bool]]:
    """Give the deals to be played in tasks of a size that does not depend on who works on them."""
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
    name: str, question: Question, options: Mapping[str, Value], into: dict[str, Any], known: Known
) -> Part:
    plan = question.pair_at(options)

    def work(crews: Crews, done: Done) -> dict[str, Any]:
        if plan not in known:
            deals = []
            for rows in crews.work(plan, skill.play, ((plan, number) for number in range(question.deals))):
                deals.append(rows)
                done(len(rows))
            known[plan] = {"skill": skill.figures(plan, np.stack(deals), CONFIDENCE)}
        return known[plan]

    return Part(name, question.deals * len(plan.seatings), into, work)


# Who does the work


@dataclass
class Crews:
    """Crews for all parts of a study: each is hired when it is first needed, and stays until the end."""

    jobs: int | None
    on: str | None
    hired: dict[bool, tuple[Executor, int]] = field(default_factory=dict)
    contracts: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def __enter__(self) -> Crews:
        return self

    def __exit__(self, *error: Any) -> None:
        self.contracts.__exit__(*error)

    def work(
        self, plan: Plan, work: Callable[..., Result], tasks: Iterable[tuple[Any, ...]]
    ) -> Iterator[Result]:
        """Work on tasks of a plan, and give their results in order."""
        warm_up(plan)
        if self.jobs == 1 and self.on is None:
            yield from starmap(work, tasks)
            return
        # A cluster has one crew for everything.
        kind = plan.compiled and self.on is None
        if kind not in self.hired:
            self.hired[kind] = self.contracts.enter_context(hired(plan.compiled, self.jobs, self.on))
        crew, size = self.hired[kind]
        yield from in_order(crew, work, tasks, size)
