"""How fast the rules run plain: `python -m upcard.lab.bench.plain GAME` prints moves per second.

In a process of its own, as a table that runs plain has it: without NumPy and Numba, whose many objects
slow down Python's search for garbage.
"""

from __future__ import annotations

__all__ = ["moves_per_second"]

import sys
import time

from upcard.bots import Random
from upcard.core.chance import draw
from upcard.core.game import apply, legal
from upcard.games import find
from upcard.match import read_seed

GAMES = 30


def moves_per_second(name: str) -> float:
    """Play some games at random."""
    game = find(name)
    dice = Random(read_seed("dice")).chance
    moves = [0] * game.most_moves
    made = 0
    started = time.perf_counter()
    for number in range(GAMES):
        table = game.deal({}, read_seed(number))
        while count := legal(table, moves):
            apply(table, moves[draw(dice, count)])
            made += 1
    return made / (time.perf_counter() - started)


if __name__ == "__main__":
    print(max(moves_per_second(sys.argv[1]) for _ in range(5)))
