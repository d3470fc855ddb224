"""A bot at a seat of a match: the only place where a match becomes a turn for a bot, and where the bot's
answer is checked."""

from __future__ import annotations

__all__ = ["Seated", "ask"]

from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn

from upcard.bots.bot import Turn
from upcard.bots.entrants import Entrant
from upcard.bots.limit import TookTooLong, within
from upcard.core.errors import BotError, BotTimeout, NotationError, UpcardError, message_of, one_line
from upcard.core.game import Game
from upcard.core.text import quoted
from upcard.match import Match
from upcard.match.seed import dice_seed


def ask(
    name: str,
    choose: Callable[[Turn], int],
    turn: Turn,
    limit: float | None = None,
    match: Match | None = None,
) -> int:
    """Return the legal move that a bot chooses.

    Raise a BotError if it chooses anything else, raises an exception, or takes longer than `limit` seconds.
    With a match, the error also names the seed and the number of the move, to reproduce it.
    """
    # Copied, since a bot could change the turn it is given.
    game, view, legal = turn.game, turn.view, tuple(turn.moves)
    seat = view.viewer + 1

    def blame(what: str, cause: BaseException | None = None, kind: type[BotError] = BotError) -> NoReturn:
        raise _error(name, seat, game, what, match, kind) from cause

    try:
        chosen = within(limit, lambda: choose(turn))
    except TookTooLong:
        blame(f"took longer than {limit:g} s for a move", kind=BotTimeout)
    except KeyboardInterrupt:
        raise
    except UpcardError as error:
        blame(f"refused to play: {message_of(error)}", error)
    except BaseException as error:  # SystemExit and CancelledError too, which must end only this game
        blame(f"raised {one_line(error)}", error)
    try:
        move = game.number_of_move(chosen)
    except NotationError:
        blame(f"chose {quoted(chosen)}, which is not a move of {game.title}")
    except Exception as error:  # by an object that only looks like a number
        blame(f"raised {one_line(error)}", error)
    if move not in legal:
        blame(f"chose {game.write_move(view, move)!r}, which is not legal")
    return move


def _error(
    name: str, seat: int, game: Game, what: str, match: Match | None, kind: type[BotError] = BotError
) -> BotError:
    if match is None:
        return kind(name, seat, game.id, what)
    return kind(name, seat, game.id, what, len(match.log_of_moves) + 1, match.seed)


class Seated:
    """A bot that plays one seat (from 1) of one match. `limit` is the time for a move, in
    seconds."""

    def __init__(
        self, entrant: Entrant, match: Match, seat: int, hurry: bool = False, limit: float | None = None
    ) -> None:
        self.name = entrant.text
        self.match = match
        self.seat = seat
        self.budget = replace(entrant.budget, hurry=hurry)
        self.limit = limit
        try:
            self.bot = entrant.make(dice_seed(match.seed, seat))
        except (UpcardError, KeyboardInterrupt):
            raise  # the name or the options of the bot are invalid, so there is no game to lose
        except BaseException as error:
            what = f"could not be made: it raised {one_line(error)}"
            raise _error(self.name, seat, match.game, what, match) from error

    def turn(self) -> Turn:
        """Return what the bot may know now: the view of its seat, and the events since its last move."""
        match = self.match
        events = match.events_since_own_move(self.seat)
        moves = tuple(match.game.legal_moves(match.table))
        return Turn(match.game, match.view(self.seat), moves, events, self.budget)

    def choose(self) -> int:
        """Return the legal move that the bot chooses, or raise a BotError."""

        def choose(turn: Turn) -> int:
            # Looked up here, since even that can fail with a bot of another package.
            return self.bot.choose(turn)

        return ask(self.name, choose, self.turn(), self.limit, self.match)
