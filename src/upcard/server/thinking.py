"""Bots at tables: what one is told, and its thinking, which happens in other threads."""

from __future__ import annotations

__all__ = ["dice_of", "has_to_be_compiled", "think", "turn_of"]

import hashlib
from dataclasses import replace

import structlog

from upcard.bots import Greedy, Turn, ask
from upcard.bots import parse as parse_bot
from upcard.core.errors import BotError
from upcard.server.sitting import Sitting, budget_of

log = structlog.get_logger()

# Time limit for a bot's move, in seconds, beyond the time that its budget allows.
MOVE_LIMIT = 30.0


def turn_of(sitting: Sitting, seat: int, bot: str) -> Turn:
    """Return all that a bot is told: what its seat may know, and nothing else."""
    match = sitting.match
    assert match is not None
    moves = match.answers(seat) if sitting.window is not None else sitting.legal
    # A person may be waiting, so nothing is compiled now; greedy sits in until that is done.
    budget = replace(budget_of(bot), hurry=True)
    return Turn(match.game, match.view(seat), tuple(moves), match.news_since_own_move(seat), budget)


def think(bot: str, turn: Turn, dice: bytes, limit: float = MOVE_LIMIT) -> int:
    """Let a bot choose. It is made for this one move: a table keeps no bots, only their names.

    Bots can come from any package. If one chooses an illegal move, raises an exception or does not answer,
    greedy makes the move, so that the game goes on, and the log says why.
    """
    if len(turn.moves) == 1:
        return turn.moves[0]

    def choose(turn: Turn) -> int:
        return parse_bot(bot).make(dice).choose(turn)

    try:
        return ask(bot, choose, turn, limit + (turn.budget.seconds or 0.0))
    except BotError as error:
        cause = error.__cause__
        log.error("a bot has failed, greedy moves for it", bot=bot, reason=error.what, exc_info=cause)
        return Greedy().choose(turn)


def dice_of(sitting: Sitting, seat: int) -> bytes:
    """Return the dice of a bot for this one move. They say nothing about the cards."""
    text = f"dice {sitting.opened.secret} {seat} {sitting.changed}"
    return hashlib.sha256(text.encode()).digest()


def has_to_be_compiled(sitting: Sitting) -> bool:
    """Whether a bot sits here whose search has to be compiled."""
    bots = {seat.player for seat in sitting.seats if seat.player is not None}
    return any(budget_of(bot).simulations is not None for bot in bots)
