"""`upcard bot`: commands for authors of bots."""

from __future__ import annotations

__all__ = ["bot"]

from typing import Annotated

from cyclopts import App, Parameter

from upcard.cli.arguments import MAX_MOVE_LIMIT, Decimal, Whole, check_between, check_count

bot = App(name="bot", help="Work with bots.", help_format="plaintext")


@bot.command
def check(
    name: str,
    /,
    *,
    game: Annotated[list[str] | None, Parameter(name="--game")] = None,
    games: Whole = 5,
    seed: str | None = None,
    move_limit: Decimal = 60.0,
    json: bool = False,
) -> int:
    """Check a bot: whether its moves are legal, whether it chooses the same moves again, whether it knows
    hidden cards, and how long it takes. The exit code is 1 if a check failed.

    Parameters
    ----------
    name
        The bot, such as greedy, search@500 or net:FILE.
    game
        Only this game; may be repeated. All games if left out.
    games
        Number of games of each, with different numbers of players.
    seed
        The same seed gives the same games.
    move_limit
        Time limit for a move, in seconds, on top of the bot's time budget.
    json
        Print the findings as JSON.
    """

    from upcard.cli.bot import run_check

    check_count("--games", games)
    check_between("--move-limit", move_limit, 0, MAX_MOVE_LIMIT)
    return run_check(name, game or [], games, seed, move_limit, json)
