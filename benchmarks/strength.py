"""The strength of the bots: tournaments on duplicate deals that check the promised figures.

Games are saved beside the compiled code of the same rules and bots, so that an interrupted run continues
where it was, and a change of the rules or bots starts over.
"""

from __future__ import annotations

__all__ = ["Answer", "Matchup", "answer", "matchups", "measure", "write_table"]

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figures import Figure
from upcard.bots.levels import LEVELS
from upcard.core.cache import cache_folder
from upcard.core.errors import UpcardError
from upcard.games import all_games
from upcard.lab.contest import STRICT
from upcard.lab.tournament.deals import TournamentPlan
from upcard.lab.tournament.results_log import ResultsLog
from upcard.lab.tournament.run import run_tournament
from upcard.match import read_seed

SEED = read_seed("strength")
DOUBT = 0.01
PLAYERS = (2, 3, 4)
# The opponents of the other bots.
COMMON = ("random", "greedy")
# Both have the same budget, so that they differ only in what they see.
CLAIRVOYANT = f"clairvoyant@{LEVELS['hard'][1].simulations}"
# Numbers of games after which a matchup is checked. It is settled when its interval no longer contains an
# equal share. Each check uses part of the error probability, so that checking often does not make the result
# overconfident.
LOOKS = (60, 120, 240, 480, 960, 1_920)
# A matchup that measures a share, rather than which bot is stronger, plays all its games.
ONE_LOOK = (960,)
# The marks around the table in a page.
BEGIN, END = "<!-- strength: begin -->", "<!-- strength: end -->"


@dataclass(frozen=True)
class Matchup:
    """Is one bot, at one seat, stronger than others at all other seats?"""

    game: str
    players: int
    bot: str
    others: str

    @property
    def looks(self) -> tuple[int, ...]:
        """The numbers of games after which to check."""
        return ONE_LOOK if self.bot in ("greedy", "hard", CLAIRVOYANT) and self.others in COMMON else LOOKS


def matchups() -> Iterator[Matchup]:
    """Return all matchups, the slowest last."""
    for bot, others in (("greedy", "random"), ("hard", "greedy"), (CLAIRVOYANT, "greedy")):
        for game, players in itertools.product(all_games(), PLAYERS):
            yield Matchup(game.id, players, bot, others)
    *lower, highest = itertools.pairwise(LEVELS)
    for (weaker, stronger), game in itertools.product(lower, all_games()):
        yield Matchup(game.id, 2, stronger, weaker)
    for game, players in itertools.product(all_games(), PLAYERS):
        yield Matchup(game.id, players, "search@200ms", "greedy")
    for game in all_games():
        yield Matchup(game.id, 2, highest[1], highest[0])


@dataclass(frozen=True)
class Answer:
    """The share of wins of a matchup's bot, with its interval."""

    matchup: Matchup
    share: float
    low: float
    high: float
    games: int

    @property
    def equal(self) -> float:
        """The share that every bot would have if all were equally strong."""
        return 1 / self.matchup.players


def answer(matchup: Matchup) -> Answer:
    """Play the tournament of a matchup, or continue it."""
    bots = [matchup.bot] + [matchup.others] * (matchup.players - 1)
    plan = TournamentPlan.of(matchup.game, {"players": matchup.players}, bots, SEED, STRICT)
    *looks, last = matchup.looks
    for games in looks:
        found = _look(matchup, plan, games)
        if not found.low <= found.equal <= found.high:
            return found
    return _look(matchup, plan, last)


def _look(matchup: Matchup, plan: TournamentPlan, games: int) -> Answer:
    """Play a matchup up to this number of games, and return its result."""
    cache = cache_folder()
    if cache is None:
        raise UpcardError("no folder can be written to keep the games in: set UPCARD_CACHE to one that can")
    folder = cache / "strength"
    folder.mkdir(exist_ok=True)
    name = f"{matchup.game} {matchup.players} {matchup.bot} {matchup.others}.jsonl"
    with ResultsLog(folder / name, plan) as log:
        confidence = 1 - DOUBT / len(matchup.looks)
        standing = run_tournament(plan, games, None, confidence=confidence, log=log)
    if standing.interrupted:
        raise KeyboardInterrupt
    facts = standing.to_json()
    ours = next(one for one in facts["standings"] if one["bot"] == matchup.bot)
    low, high = ours["interval"]
    return Answer(matchup, ours["share"], low, high, facts["games"])


def measure(table: Path | None = None) -> Iterator[Figure]:
    """Answer every matchup; write a table of all answers into a page, even if interrupted."""
    if table is not None:
        _page(table)
    answers: list[Answer] = []
    try:
        yield from _answered(answers)
    finally:
        if table is not None and answers:
            write_table(answers, table)


def _answered(answers: list[Answer]) -> Iterator[Figure]:
    for matchup in matchups():
        answers.append(answer(matchup))
        name = f"{matchup.game}, {matchup.players} players: {matchup.bot} against {matchup.others}"
        yield Figure(f"{name}, share of wins", 100 * answers[-1].share, "%")
        yield Figure(f"{name}, at least", 100 * answers[-1].low, "%", 100 * answers[-1].equal)
    best = max(_parts(answers).items(), key=lambda part: part[1])
    (game, players), part = best
    name = f"hard has of clairvoyant's margin over greedy, at best ({game}, {players} players)"
    yield Figure(name, 100 * part, "%", 90)


def _parts(answers: Sequence[Answer]) -> dict[tuple[str, int], float]:
    """Return the part of the clairvoyant's margin over greedy that `hard` reaches, by game and players."""
    margins = {
        (one.matchup.game, one.matchup.players, one.matchup.bot): one.share - one.equal
        for one in answers
        if one.matchup.others == "greedy"
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
    for one in sorted(answers, key=lambda one: (one.matchup.game, one.matchup.players)):
        asked = one.matchup
        sure = f"{one.low:.1%} to {one.high:.1%}"
        cells = [asked.game, asked.players, asked.bot, asked.others, f"{one.share:.1%}", sure]
        rows.append("| " + " | ".join(map(str, [*cells, f"{one.equal:.1%}", f"{one.games:,}"])) + " |")
    rows += ["", "| game | players | of clairvoyant's margin over greedy, hard has |", "|---|---|---|"]
    rows += [f"| {game} | {players} | {part:.0%} |" for (game, players), part in _parts(answers).items()]
    if missing := sum(1 for _ in matchups()) - len(answers):
        rows += ["", f"Questions that were not yet answered when this was written: {missing}."]
    path.write_text("\n".join([before + BEGIN, "", *rows, "", END + after]), "utf-8")


def _page(path: Path) -> tuple[str, str]:
    """Return the parts of a page before and after the table."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise UpcardError(f"{path} cannot be read: {error.strerror}") from None
    if BEGIN not in text or END not in text:
        raise UpcardError(f"{path} has no place for the table: write {BEGIN} and {END} where it is to stand")
    return text.partition(BEGIN)[0], text.partition(END)[2]
