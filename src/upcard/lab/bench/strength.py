"""How strong the bots are: tournaments on duplicate deals that answer what Upcard promises.

What was played is kept beside the compiled code of the same rules and bots, so that a run that was
stopped goes on where it was, and a change of the rules or bots begins anew.
"""

from __future__ import annotations

__all__ = ["Answer", "Question", "answer", "measure", "questions", "write_table"]

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from upcard.bots.levels import LEVELS
from upcard.core.cache import cache_folder
from upcard.core.errors import UpcardError
from upcard.games import all_games
from upcard.lab.bench.figures import Figure
from upcard.lab.contest import STRICT
from upcard.lab.tournament.deals import Plan
from upcard.lab.tournament.hold import hold
from upcard.lab.tournament.ledger import Ledger
from upcard.match import read_seed

SEED = read_seed("strength")
DOUBT = 0.01
PLAYERS = (2, 3, 4)
# Whom others are measured by.
COMMON = ("random", "greedy")
# Both have the same budget, so that what is between them is what one of them is shown.
CLAIRVOYANT = f"clairvoyant@{LEVELS['hard'][1].simulations}"
# A question is looked at after so many games, and answered as soon as its interval does not hold an equal
# share any more. Each look has its part of the doubt, so that looking often makes nobody falsely certain.
LOOKS = (60, 120, 240, 480, 960, 1_920)
# What shall be told as a figure, and not as a yes or no, has all its games at once.
ONE_LOOK = (960,)
# Where the table stands in a page.
BEGIN, END = "<!-- strength: begin -->", "<!-- strength: end -->"


@dataclass(frozen=True)
class Question:
    """Is one bot, at one seat, stronger than others at all other seats?"""

    game: str
    players: int
    bot: str
    others: str

    @property
    def looks(self) -> tuple[int, ...]:
        """After how many games to look."""
        return ONE_LOOK if self.bot in ("greedy", "hard", CLAIRVOYANT) and self.others in COMMON else LOOKS


def questions() -> Iterator[Question]:
    """Return all that is asked, what takes longest last."""
    for bot, others in (("greedy", "random"), ("hard", "greedy"), (CLAIRVOYANT, "greedy")):
        for game, players in itertools.product(all_games(), PLAYERS):
            yield Question(game.id, players, bot, others)
    *lower, highest = itertools.pairwise(LEVELS)
    for (weaker, stronger), game in itertools.product(lower, all_games()):
        yield Question(game.id, 2, stronger, weaker)
    for game, players in itertools.product(all_games(), PLAYERS):
        yield Question(game.id, players, "search@200ms", "greedy")
    for game in all_games():
        yield Question(game.id, 2, highest[1], highest[0])


@dataclass(frozen=True)
class Answer:
    """The share of wins that the bot of a question has, and how sure that is."""

    question: Question
    share: float
    low: float
    high: float
    games: int

    @property
    def equal(self) -> float:
        """The share that everybody would have if all were equally strong."""
        return 1 / self.question.players


def answer(question: Question) -> Answer:
    """Hold the tournament that a question asks for, or go on with it."""
    bots = [question.bot] + [question.others] * (question.players - 1)
    plan = Plan.of(question.game, {"players": question.players}, bots, SEED, STRICT)
    *looks, last = question.looks
    for games in looks:
        found = _look(question, plan, games)
        if not found.low <= found.equal <= found.high:
            return found
    return _look(question, plan, last)


def _look(question: Question, plan: Plan, games: int) -> Answer:
    """Play a question's games up to so many, and see how they went."""
    cache = cache_folder()
    if cache is None:
        raise UpcardError("no folder can be written to keep the games in: set UPCARD_CACHE to one that can")
    folder = cache / "strength"
    folder.mkdir(exist_ok=True)
    name = f"{question.game} {question.players} {question.bot} {question.others}.jsonl"
    with Ledger(folder / name, plan) as ledger:
        confidence = 1 - DOUBT / len(question.looks)
        standing = hold(plan, games, None, confidence=confidence, ledger=ledger)
    if standing.interrupted:
        raise KeyboardInterrupt
    facts = standing.to_json()
    ours = next(one for one in facts["standings"] if one["bot"] == question.bot)
    low, high = ours["interval"]
    return Answer(question, ours["share"], low, high, facts["games"])


def measure(table: Path | None = None) -> Iterator[Figure]:
    """Answer every question; write a table of all answers into a page, also if it is broken off."""
    if table is not None:
        _page(table)
    answers: list[Answer] = []
    try:
        yield from _answered(answers)
    finally:
        if table is not None and answers:
            write_table(answers, table)


def _answered(answers: list[Answer]) -> Iterator[Figure]:
    for question in questions():
        answers.append(answer(question))
        name = f"{question.game}, {question.players} players: {question.bot} against {question.others}"
        yield Figure(f"{name}, share of wins", 100 * answers[-1].share, "%")
        yield Figure(f"{name}, at least", 100 * answers[-1].low, "%", 100 * answers[-1].equal)
    best = max(_parts(answers).items(), key=lambda part: part[1])
    (game, players), part = best
    name = f"hard has of clairvoyant's margin over greedy, at best ({game}, {players} players)"
    yield Figure(name, 100 * part, "%", 90)


def _parts(answers: Sequence[Answer]) -> dict[tuple[str, int], float]:
    """Return what part of the clairvoyant's margin over greedy `hard` has, by game and players."""
    margins = {
        (one.question.game, one.question.players, one.question.bot): one.share - one.equal
        for one in answers
        if one.question.others == "greedy"
    }
    return {
        (game, players): margins[game, players, "hard"] / margin
        for (game, players, bot), margin in sorted(margins.items())
        if bot == CLAIRVOYANT
    }


def write_table(answers: Sequence[Answer], path: Path) -> None:
    """Write the answers into a page, between its two marks."""
    before, after = _page(path)
    rows = ["| game | players | bot | against | wins | 99 % interval | equal share | games |"]
    rows.append("|---|---|---|---|---|---|---|---|")
    for one in sorted(answers, key=lambda one: (one.question.game, one.question.players)):
        asked = one.question
        sure = f"{one.low:.1%} to {one.high:.1%}"
        cells = [asked.game, asked.players, asked.bot, asked.others, f"{one.share:.1%}", sure]
        rows.append("| " + " | ".join(map(str, [*cells, f"{one.equal:.1%}", f"{one.games:,}"])) + " |")
    rows += ["", "| game | players | of clairvoyant's margin over greedy, hard has |", "|---|---|---|"]
    rows += [f"| {game} | {players} | {part:.0%} |" for (game, players), part in _parts(answers).items()]
    if missing := sum(1 for _ in questions()) - len(answers):
        rows += ["", f"Questions that were not yet answered when this was written: {missing}."]
    path.write_text("\n".join([before + BEGIN, "", *rows, "", END + after]), "utf-8")


def _page(path: Path) -> tuple[str, str]:
    """Return what stands before and after the table in a page."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise UpcardError(f"{path} cannot be read: {error.strerror}") from None
    if BEGIN not in text or END not in text:
        raise UpcardError(f"{path} has no place for the table: write {BEGIN} and {END} where it is to stand")
    return text.partition(BEGIN)[0], text.partition(END)[2]
