"""The speed of the search bot: simulations per second, and how long people wait for a move."""

from __future__ import annotations

__all__ = ["measure"]

import contextlib
import functools
from collections.abc import Iterator
from typing import Any

from benchmarks.figures import ROUNDS, Figure, best_of, now
from upcard.bots import Budget, Search, Seated, Turn, find
from upcard.bots.search import prepare
from upcard.core.errors import OptionError
from upcard.core.game import Game
from upcard.games import all_games
from upcard.match import Match, read_seed

SEED = read_seed("bench")
SIMULATIONS = 4_000
# Time for each search in the comparison of threads, in seconds.
SECONDS = 0.4
# Promised maximum for one move, in seconds, and how many moves are measured.
WAITS = {"easy": (0.05, 30), "normal": (0.05, 30), "hard": (1.0, 12), "expert": (2.0, 6)}


def measure() -> Iterator[Figure]:
    """Measure everything, one figure after another."""
    for game in all_games():
        prepare(game, wait=True)
    for game in all_games():
        speed = best_of(functools.partial(_simulations, game, 2))
        wanted = 50_000 if game.id == "stockpile" else None
        yield Figure(f"search, one core, two players: {game.id}", speed, "simulations/s", wanted)
    for game in all_games():
        yield Figure(f"search, two threads against one: {game.id}", _threads(game), "times", 1.7)
    for level, (seconds, moves) in WAITS.items():
        slowest = max(
            _slowest(game, players, level, moves) for game in all_games() for players in _tables(game)
        )
        name = f"{level} answers within, all games and numbers of players"
        yield Figure(name, 1000 * slowest, "ms", 1000 * seconds, at_most=True)


def _tables(game: Game) -> list[int]:
    """Return the numbers of players that the default options allow."""
    option: Any = game.options[0]
    tables = []
    for players in range(option.minimum, option.maximum + 1):
        with contextlib.suppress(OptionError):
            game.complete({"players": players})
            tables.append(players)
    return tables


def _turns(game: Game, players: int, budget: Budget) -> Iterator[Turn]:
    """Return some turns in the course of a game between greedy bots at which there is a choice."""
    match = Match(game, {"players": players}, SEED)
    seated = [Seated(find("greedy"), match, seat) for seat in range(1, players + 1)]
    while match.to_move is not None:
        turn = seated[match.to_move - 1].turn()
        if len(turn.moves) > 1:
            yield Turn(turn.game, turn.view, turn.moves, turn.events, budget)
        match.make_legal(seated[match.to_move - 1].choose())


def _simulations(game: Game, players: int) -> float:
    """Return the simulations a second in a position from the middle of a game."""
    turns = list(_turns(game, players, Budget(SIMULATIONS, exhaust=True)))
    done = 0
    started = now()
    for turn in turns[5:25:5]:
        done += _visits(Search(b"bench"), turn)
    return done / (now() - started)


def _threads(game: Game) -> float:
    """Return how many times as many simulations two threads make in the same time, in turns."""
    turn = list(_turns(game, 2, Budget(seconds=SECONDS, exhaust=True)))[5]
    one, two = Search(b"bench"), Search(b"bench", "threads=2")
    pairs = [(_visits(one, turn), _visits(two, turn)) for _ in range(ROUNDS)]
    return max(made for _, made in pairs) / max(made for made, _ in pairs)


def _visits(search: Search, turn: Turn) -> int:
    return sum(thought.visits for thought in search.think(turn))


def _slowest(game: Game, players: int, level: str, moves: int) -> float:
    """Return the longest time that a bot took for one of some moves spread over a game."""
    entrant = find(level)
    turns = list(_turns(game, players, entrant.budget))
    bot = entrant.make(SEED)
    longest = 0.0
    for turn in turns[:: max(1, len(turns) // moves)]:
        started = now()
        bot.choose(turn)
        longest = max(longest, now() - started)
    return longest
