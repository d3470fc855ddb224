"""`upcard bot check`: whether a bot follows the rules, repeats its choices, is honest, and is fast enough."""

from __future__ import annotations

__all__ = ["run_check"]

import json as json_format
from collections.abc import Sequence

from rich.console import Console

from upcard.cli.progress import progress
from upcard.games import GAMES, find
from upcard.lab.bot_check import Report, check_bot
from upcard.match import new_seed, read_seed


def run_check(
    name: str, games: Sequence[str], games_each: int, seed: str | None, move_limit: float, json: bool
) -> int:
    """Check a bot, and print what was found. The exit code is 1 if a check failed."""
    chosen = [find(game).id for game in games or GAMES]
    dealt = new_seed() if seed is None else read_seed(seed)
    with progress("games", games_each * len(chosen)) as done:
        report = check_bot(name, chosen, games_each, dealt, move_limit, done)
    if json:
        print(json_format.dumps(report.to_json()))
    else:
        _print(report)
    return 1 if report.failures else 0


def _print(report: Report) -> None:
    facts = report.to_json()
    games = ", ".join(f"{count} of {game}" for game, count in facts["games"].items())
    lines = [f"{facts['bot']}: {facts['moves']:,} moves in games: {games}. Seed: {facts['seed']}"]
    for check in facts["checks"]:
        lines += [f"{check['check']:<11}  {check['result']:<6}  {sentence}" for sentence in check["says"]]
    console = Console()
    for line in lines:
        console.print(line, highlight=False, markup=False, soft_wrap=True)
