"""Bots at tables: what one is told, and its thinking, which happens in other threads."""

from __future__ import annotations

__all__ = ["dice_of", "prepare", "think", "turn_of"]

import asyncio
import hashlib
import sys
from asyncio.subprocess import DEVNULL
from dataclasses import replace

import structlog

from upcard.bots import Greedy, Turn
from upcard.bots import find as find_bot
from upcard.bots.search import is_ready
from upcard.bots.search import prepare as load
from upcard.core.news import Event
from upcard.games import find as find_game
from upcard.match import Match
from upcard.server import entries
from upcard.server.sitting import Sitting

log = structlog.get_logger()


def turn_of(sitting: Sitting, seat: int, bot: str) -> Turn:
    """Return all that a bot is told: what its seat may know, and nothing else."""
    match = sitting.match
    assert match is not None
    moves = match.answers(seat) if sitting.window is not None else sitting.legal
    # A person may be waiting, so nothing is compiled now; `prepare` does that in good time.
    budget = replace(find_bot(bot).budget, hurry=True)
    return Turn(match.game, match.view(seat), moves, _news(sitting, match, seat), budget)


def _news(sitting: Sitting, match: Match, seat: int) -> list[Event]:
    """Return what the seat was told since its last move."""
    since = 0
    events = 0
    for heard in sitting.history:
        events += len(heard.news)
        if isinstance(heard.entry, entries.Moved) and heard.entry.seat == seat:
            since = events
    # Moves that were taken back have taken their news with them.
    return match.news(seat, min(since, len(match.events)))


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


async def prepare(game: str) -> None:
    """Compile the search of a game without keeping anybody from playing: in a process of its own, which
    leaves it on disk. Until then, greedy sits in for the bots that search."""
    if is_ready(find_game(game)):
        return
    code = "from upcard.bots.search import prepare; from upcard.games import find; "
    code += f"prepare(find({game!r}), wait=True)"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True
    )
    try:
        await process.wait()
    except asyncio.CancelledError:
        process.kill()
        # Nobody else would, and then it would be there for ever.
        await process.wait()
        raise
    # What is on disk is loaded in a thread, in some tenths of a second.
    load(find_game(game))
