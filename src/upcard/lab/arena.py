"""An arena: one game with fixed options and bots, which can be played compiled any number of times."""

from __future__ import annotations

__all__ = ["Arena", "Batch", "at_seats"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from upcard.bots import find as find_bot
from upcard.core.chance import Chance
from upcard.core.errors import ArgumentError
from upcard.core.game import Game
from upcard.core.memory import INT, empty, store
from upcard.core.table import MAX_SEATS, Reason, Result
from upcard.lab.loops import GREEDY, RANDOM, ROW, play_games
from upcard.match.seed import hashes, numbered_seed

COMPILED_BOTS = {"random": RANDOM, "greedy": GREEDY}
DICE = b"dice of the bots "
# Length of a key, in integers of 32 bits.
KEY = 8
# Moves per game for which the log has room at first.
MOVES_A_GAME = 400


@dataclass
class Batch:
    """The results of some games: a row for each, and their moves if they were asked for."""

    rows: npt.NDArray[np.int32]
    log: npt.NDArray[np.int32]

    @property
    def moves(self) -> int:
        """The total number of moves."""
        return int(self.rows[:, 1].sum())

    def moves_of(self, place: int) -> list[int]:
        """Return the moves of one of the games."""
        ends = int(self.rows[: place + 1, 1].sum())
        moves: list[int] = self.log[ends - self.rows[place, 1] : ends].tolist()
        return moves


def at_seats(bots: Sequence[str], players: int) -> list[str]:
    """Return the bot of every seat; if there are fewer bots than seats, they take turns."""
    if not 1 <= len(bots) <= players:
        raise ArgumentError(f"name 1 to {players} bots for {players} players, not {len(bots)}")
    return [bots[seat % len(bots)] for seat in range(players)]


class Arena:
    """Where bots play one game with one set of options. Threads may share it."""

    def __init__(self, game: Game, options: Mapping[str, object], bots: Sequence[str]) -> None:
        self.game = game
        self.options = game.complete(options)
        players = int(self.options["players"])
        self.bots = at_seats(bots, players)
        for bot in bots:
            find_bot(bot)
        self.start = store(game.new_table(self.options, Chance()))

    def play(self, seed: bytes, first: int, games: int, log: bool = False) -> Batch:
        """Play games of a seed, from the one numbered `first` on."""
        keys = self.keys(seed, first, games)
        batch = self.run(keys, MOVES_A_GAME * games if log else 0)
        if log and batch.moves > len(batch.log):
            batch = self.run(keys, batch.moves)
        return batch

    def keys(self, seed: bytes, first: int, games: int) -> npt.NDArray[np.int32]:
        """Return for each game the key of its table and the key of its bots' dice."""
        texts = [text for one in self.seeds(seed, first, games) for text in (one, DICE + one)]
        return np.array(np.frombuffer(hashes(texts), "<i4"), INT).reshape(games, 2, KEY)

    def seeds(self, seed: bytes, first: int, games: int) -> list[bytes]:
        """Return the seeds of the games of a seed."""
        return [numbered_seed(seed, number) for number in range(first, first + games)]

    def run(self, keys: npt.NDArray[np.int32], room: int = 0) -> Batch:
        """Play a game for each pair of keys, keeping that many moves.

        It allocates its own memory, so that threads do not share any.
        """
        game = self.game
        batch = Batch(np.zeros((len(keys), ROW), INT), np.zeros(room, INT))
        looking = set(self.bots) != {"random"}
        play_games(
            self.start,
            empty(game.Table),
            empty(game.View) if looking else None,
            empty(game.View) if looking else None,
            empty(Result),
            empty(Chance),
            keys,
            np.array([COMPILED_BOTS[bot] for bot in self.bots], INT),
            np.zeros(game.max_legal, INT),
            batch.rows,
            batch.log,
        )
        return batch

    def warm_up(self) -> None:
        """Compile, or load what was compiled before."""
        self.run(self.keys(b"", 0, 0))


def reasons(rows: npt.NDArray[np.int32]) -> dict[str, int]:
    """Count why games ended."""
    return {reason.name.lower(): int((rows[:, 0] == reason).sum()) for reason in Reason}


def wins(rows: npt.NDArray[np.int32], players: int) -> list[float]:
    """Return how many games each seat has won; a shared win is divided."""
    winners = rows[:, 2 : 2 + MAX_SEATS]
    shares = winners / winners.sum(axis=1, keepdims=True)
    return [float(share) for share in shares[:, :players].sum(axis=0)]


def scores(rows: npt.NDArray[np.int32], players: int) -> list[float]:
    """Return the mean score of each seat."""
    return [float(mean) for mean in rows[:, 2 + MAX_SEATS : 2 + MAX_SEATS + players].mean(axis=0)]
