"""The inner loop of the lab, written once for all games and always compiled."""

from __future__ import annotations

__all__ = ["GREEDY", "RANDOM", "ROW", "play_games"]

from typing import Any

from upcard.bots.simple import best_place
from upcard.core.chance import randint, set_key
from upcard.core.compiler import compiled
from upcard.core.game import apply, deal, legal, observe, outcome
from upcard.core.struct import assign
from upcard.core.table import MAX_SEATS

# The bots that are compiled into the loop.
RANDOM = 0
GREEDY = 1

# The row of a game: the reason for its end, the number of moves, then winner and score of each seat.
ROW = 2 + 2 * MAX_SEATS


@compiled
def play_games(
    start: Any,
    table: Any,
    no_view: Any,
    view: Any,
    result: Any,
    chance: Any,
    keys: Any,
    bots: Any,
    moves: Any,
    rows: Any,
    log: Any,
) -> int:
    """Play a game for each row of keys (the table's key, then that of the bots' dice).

    `start` is a table with its options set, `no_view` an empty view. If all play at random, both views are
    None, and half as much is compiled. The result of each game goes into `rows`, and the moves of all games
    one after another into `log` as long as there is room. Return the number of moves.
    """
    made = 0
    for game in range(len(keys)):
        before = made
        assign(table, start)
        set_key(table.chance, keys[game, 0])
        set_key(chance, keys[game, 1])
        deal(table)
        count = legal(table, moves)
        while count > 0:
            place = randint(chance, count)
            if view is not None:  # noqa: SIM102  # Numba leaves out all of this where there is none
                if bots[table.to_move] == GREEDY:
                    assign(view, no_view)
                    observe(table, table.to_move, view)
                    place = best_place(view, moves, count)
            move = moves[place]
            if made < len(log):
                log[made] = move
            made += 1
            apply(table, move)
            count = legal(table, moves)
        outcome(table, result)
        rows[game, 0] = result.reason
        rows[game, 1] = made - before
        for seat in range(MAX_SEATS):
            rows[game, 2 + seat] = result.winners[seat]
            rows[game, 2 + MAX_SEATS + seat] = result.scores[seat]
    return made
