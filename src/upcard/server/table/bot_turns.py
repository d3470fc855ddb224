"""Bot turns: the view that a bot gets, and its choice, which is made in another thread."""

from __future__ import annotations

__all__ = ["bot_seed", "choose", "needs_compiling", "searches", "turn_for"]

import hashlib
from dataclasses import replace

import structlog

from upcard.bots import Greedy, Turn, ask
from upcard.bots import parse as parse_bot
from upcard.core.errors import BotError
from upcard.server.table.bot_times import budget_of
from upcard.server.table.state import TableState

log = structlog.get_logger()

# Time limit for a bot's move beyond its budget, in seconds.
MOVE_LIMIT = 30.0


def turn_for(state: TableState, seat: int, bot: str) -> Turn:
    """Return everything that a bot is given: what its seat may know, and nothing else."""
    match = state.match
    assert match is not None
    moves = match.answers(seat) if state.window is not None else state.legal
    # A person may be waiting, so nothing is compiled now; greedy plays until that is done.
    budget = replace(budget_of(bot), hurry=True)
    return Turn(match.game, match.view(seat), tuple(moves), match.events_since_own_move(seat), budget)


def choose(bot: str, turn: Turn, seed: bytes, limit: float = MOVE_LIMIT) -> int:
    """Let a bot choose. It is created for this one move: a table stores only the names of bots.

    Bots can come from any package. If one chooses an illegal move, raises an exception or does not answer,
    greedy makes the move, so that the game continues, and the log says why.
    """
    if len(turn.moves) == 1:
        return turn.moves[0]

    def ask_bot(turn: Turn) -> int:
        return parse_bot(bot).make(seed).choose(turn)

    try:
        return ask(bot, ask_bot, turn, limit + (turn.budget.seconds or 0.0))
    except BotError as error:
        cause = error.__cause__
        log.error("a bot has failed, greedy moves for it", bot=bot, reason=error.what, exc_info=cause)
        return Greedy().choose(turn)


def bot_seed(state: TableState, seat: int) -> bytes:
    """Return the seed of a bot's dice for this one move. It is unrelated to the cards."""
    text = f"dice {state.opened.secret} {seat} {state.changed}"
    return hashlib.sha256(text.encode()).digest()


def searches(bot: str) -> bool:
    """Whether a bot searches, so that its move takes time and its search needs compiling."""
    return budget_of(bot).simulations is not None


def needs_compiling(state: TableState) -> bool:
    """Whether the search of a bot at this table still has to be compiled."""
    return any(searches(seat.player) for seat in state.seats if seat.player is not None)
