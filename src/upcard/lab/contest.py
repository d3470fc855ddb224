"""One game between bots of any kind, including clairvoyants, played by plain rules and returned as a
match."""

from __future__ import annotations

__all__ = [
    "FORFEIT",
    "LENIENT",
    "STOP",
    "STRICT",
    "Forfeits",
    "Played",
    "Referee",
    "by_the_clock",
    "check_bots",
    "forfeits_in",
    "play_match",
    "play_refereed",
    "warm_up",
]

import contextlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from upcard.bots import Seated
from upcard.bots import find as find_bot
from upcard.bots import parse as parse_bot
from upcard.bots.search import prepare
from upcard.core.errors import ArgumentError, BotError
from upcard.core.game import Game, outcome
from upcard.core.table import Result
from upcard.lab.clairvoyant import Clairvoyant, sight_of
from upcard.match import Match, Player

# The consequence of an illegal move, an exception or a time-out of a bot.
FORFEIT = "forfeit"
STOP = "stop"


@dataclass(frozen=True)
class Referee:
    """How rules are enforced: a bot that breaks them loses that game, or everything stops. `limit` is
    the time for a move, in seconds; None means no limit."""

    on_bot_error: str = FORFEIT
    limit: float | None = None

    def __post_init__(self) -> None:
        if self.on_bot_error not in (FORFEIT, STOP):
            raise ArgumentError(
                f"--on-bot-error should be {FORFEIT} or {STOP}, not {self.on_bot_error!r:.40}"
            )


# An error of a bot loses its game, or stops everything.
LENIENT = Referee(FORFEIT)
STRICT = Referee(STOP)


@dataclass(frozen=True)
class Played:
    """A game that was played to its end, or until a bot lost it by an error."""

    match: Match
    bots: Sequence[str]
    error: BotError | None = None

    @property
    def ending(self) -> int:
        """The reason for its end: a `Reason`, or in a forfeited game minus the number of the seat that lost
        it."""
        return int(self.match.table.over) if self.error is None else -self.error.seat

    @property
    def winners(self) -> list[int]:
        """A 1 for each seat that won, and a 0 for the others.

        A forfeited game is won by all seats of other bots. If all seats have the same bot, the other seats
        win.
        """
        if self.error is None:
            return self._result().winners[: len(self.bots)]
        lost = [bot == self.error.bot for bot in self.bots]
        if all(lost):
            lost = [seat == self.error.seat for seat in range(1, len(self.bots) + 1)]
        return [int(not loser) for loser in lost]

    @property
    def scores(self) -> list[int]:
        """The score of each seat; in a forfeited game, at the time of the error."""
        return self._result().scores[: len(self.bots)]

    def _result(self) -> Result:
        result = Result()
        outcome(self.match.table, result)
        return result


@dataclass
class Forfeits:
    """The games that each bot has lost by an error: their number, and the first error."""

    games: dict[str, int] = field(default_factory=dict)
    first: dict[str, BotError] = field(default_factory=dict)

    def add(self, error: BotError) -> None:
        """Count a game."""
        self.games[error.bot] = self.games.get(error.bot, 0) + 1
        self.first.setdefault(error.bot, error)

    def to_json(self) -> list[dict[str, Any]]:
        """Return the number of games that each bot has lost by errors, and its first error, ready for
        JSON."""
        return [
            {"bot": bot, "games": games, "first": _told(self.first[bot])} for bot, games in self.games.items()
        ]


def _told(error: BotError) -> dict[str, Any]:
    seed = None if error.seed is None else error.seed.hex()
    return {"what": error.what, "seat": error.seat, "move": error.move, "seed": seed}


def forfeits_in(facts: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each bot that has lost games by errors, from the JSON of the results."""
    sentences = []
    for row in facts["forfeits"]:
        bot, first = row["bot"], row["first"]
        error = BotError(
            bot, first["seat"], facts["game"], first["what"], first["move"], bytes.fromhex(first["seed"])
        )
        games = "1 game" if row["games"] == 1 else f"{row['games']:,} games"
        sentences.append(f"{bot} lost {games} by errors. The first: {error}.")
    return sentences


def check_bots(bots: Sequence[str]) -> None:
    """Refuse a name that is not a bot, before anything is played."""
    with contextlib.redirect_stdout(sys.stderr):
        for bot in bots:
            if sight_of(bot) is None:
                find_bot(bot)


def by_the_clock(bots: Sequence[str]) -> list[str]:
    """Return the bots with a time limit, each once: their moves can differ from run to run."""
    budgets = {bot: (sight_of(bot) or parse_bot(bot)).budget for bot in bots}
    return [bot for bot, budget in budgets.items() if budget.seconds is not None]


def warm_up(game: Game) -> None:
    """Compile what the bots may need, so that it does not count as thinking time."""
    prepare(game, wait=True)


def play_match(
    game: Game,
    options: Mapping[str, object],
    seed: bytes,
    bots: Sequence[str],
    limit: float | None = None,
) -> Match:
    """Play a game to its end; the bots are named in the order of the seats. Raise the error of a bot."""
    return play_refereed(game, options, seed, bots, Referee(STOP, limit)).match


def play_refereed(
    game: Game, options: Mapping[str, object], seed: bytes, bots: Sequence[str], referee: Referee
) -> Played:
    """Play a game to its end, or until a bot loses it by an error; the bots are named in the order of the
    seats. What a bot prints goes to standard error: standard output is for results and records."""
    with contextlib.redirect_stdout(sys.stderr):
        return _played(game, options, seed, bots, referee)


def _played(
    game: Game, options: Mapping[str, object], seed: bytes, bots: Sequence[str], referee: Referee
) -> Played:
    match = Match(game, options, seed, [Player(f"{bot} {seat}", bot) for seat, bot in enumerate(bots, 1)])
    try:
        seated = [_seated(bot, match, seat, referee.limit) for seat, bot in enumerate(bots, 1)]
        while match.to_move is not None:
            match.make_legal(seated[match.to_move - 1].choose())
    except BotError as error:
        if referee.on_bot_error == STOP:
            raise
        return Played(match, bots, error)
    return Played(match, bots)


def _seated(bot: str, match: Match, seat: int, limit: float | None) -> Seated | Clairvoyant:
    sight = sight_of(bot)
    if sight is not None:
        return Clairvoyant(bot, sight, match, seat, limit)
    return Seated(parse_bot(bot), match, seat, limit=limit)
