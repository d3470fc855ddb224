"""Print the speed of the plain rules: `python -m benchmarks.plain GAME`, in moves per second.

This runs in a process of its own, without NumPy and Numba, as plain tables do: the many objects of these
packages slow down Python's garbage collector.
"""

from __future__ import annotations

import sys

from benchmarks.figures import best_of, now
from upcard.bots import Random
from upcard.core.chance import randint
from upcard.core.game import apply, legal
from upcard.games import find
from upcard.match import read_seed

GAMES = 30


def moves_per_second(name: str) -> float:
    """Play some games at random."""
    game = find(name)
    dice = Random(read_seed("dice")).chance
    moves = [0] * game.max_legal
    made = 0
    started = now()
    for number in range(GAMES):
        table = game.deal({}, read_seed(number))
        while count := legal(table, moves):
            apply(table, moves[randint(dice, count)])
            made += 1
    return made / (now() - started)


if __name__ == "__main__":
    print(best_of(lambda: moves_per_second(sys.argv[1])))
