"""Bots at tables: what one is told, and its thinking, which happens in other threads."""

from __future__ import annotations

__all__ = ["dice_of", "has_to_be_compiled", "think", "turn_of"]

import hashlib
from dataclasses import replace

import structlog

from upcard.bots import Greedy, Turn
from upcard.bots import find as find_bot
from upcard.server.sitting import Sitting

log = structlog.get_logger()


def turn_of(sitting: Sitting, seat: int, bot: str) -> Turn:
    """Return all that a bot is told: what its seat may know, and nothing else."""
    match = sitting.match
    assert match is not None
    moves = match.answers(seat) if sitting.window is not None else sitting.legal
    # A person may be waiting, so nothing is compiled now; greedy sits in until that is done.
    budget = replace(find_bot(bot).budget, hurry=True)
    return Turn(match.game, match.view(seat), moves, match.news_since_own_move(seat), budget)


def think(bot: str, turn: Turn, dice: bytes) -> int:
    """Let a bot choose. It is made for this one move: a table keeps no bots, only their names."""
    if len(turn.moves) == 1:
        return turn.moves[0]
    try:
        move = find_bot(bot).make(dice).choose(turn)
    except Exception:
        # Bots can be anybody's. A game does not stop because one of them is broken.
        log.exception("a bot has failed, greedy moves for it", bot=bot, game=turn.game.id)
        return Greedy().choose(turn)
    if move not in turn.moves:
        log.error("a bot chose what is not legal, greedy moves for it", bot=bot, game=turn.game.id)
        return Greedy().choose(turn)
    return move


def dice_of(sitting: Sitting, seat: int) -> bytes:
    """Return the dice of a bot for this one move. They say nothing about the cards."""
    text = f"dice {sitting.opened.secret} {seat} {sitting.changed}"
    return hashlib.sha256(text.encode()).digest()


def has_to_be_compiled(sitting: Sitting) -> bool:
    """Whether a bot sits here whose search has to be compiled."""
    bots = {seat.player for seat in sitting.seats if seat.player is not None}
    return any(find_bot(bot).budget.simulations is not None for bot in bots)
