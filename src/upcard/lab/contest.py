"""One game between bots of any kind, clairvoyants among them, played plain and kept as a match."""

from __future__ import annotations

__all__ = ["by_the_clock", "check_bots", "play_match", "warm_up"]

from collections.abc import Mapping, Sequence

from upcard.bots import Seated
from upcard.bots import find as find_bot
from upcard.bots.search import prepare
from upcard.core.game import Game
from upcard.lab.clairvoyant import Clairvoyant, sight_of
from upcard.match import Match, Player


def check_bots(bots: Sequence[str]) -> None:
    """Say at once if one of these is no bot."""
    for bot in bots:
        if sight_of(bot) is None:
            find_bot(bot)


def by_the_clock(bots: Sequence[str]) -> list[str]:
    """Return those of some bots that have a time limit, each once: their moves can differ from run to run."""
    return [bot for bot in dict.fromkeys(bots) if (sight_of(bot) or find_bot(bot)).budget.seconds is not None]


def warm_up(game: Game) -> None:
    """Compile what bots may need, so that it does not count as thinking."""
    prepare(game, wait=True)


def play_match(game: Game, options: Mapping[str, object], seed: bytes, bots: Sequence[str]) -> Match:
    """Play a game to its end; the bots are named in the order of the seats."""
    match = Match(game, options, seed, [Player(f"{bot} {seat}", bot) for seat, bot in enumerate(bots, 1)])
    seated = [_seated(bot, match, seat) for seat, bot in enumerate(bots, 1)]
    while match.to_move is not None:
        match.make_legal(seated[match.to_move - 1].choose())
    return match


def _seated(bot: str, match: Match, seat: int) -> Seated | Clairvoyant:
    sight = sight_of(bot)
    if sight is not None:
        return Clairvoyant(sight, match, seat)
    return Seated(find_bot(bot), match, seat)
