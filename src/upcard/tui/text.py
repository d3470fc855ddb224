"""Text for a terminal: lines that fit its width, lists of moves, clauses, results; and questions."""

from __future__ import annotations

__all__ = [
    "HARD_SPACE",
    "Leaving",
    "Say",
    "ask",
    "clause_text",
    "folded",
    "in_hand_order",
    "moves_listed",
    "result_lines",
]

import shutil
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from upcard.core.errors import NotationError
from upcard.core.game import Game
from upcard.core.rulebook import clauses
from upcard.core.text import printable
from upcard.i18n import Message
from upcard.tui.phrases import phrase

# A space where a line must not be broken.
HARD_SPACE = "\xa0"

# Prints a line.
Say = Callable[[str], None]


class Leaving(Exception):
    """The player wants to leave, or the input has ended."""


def ask(question: str, say: Say) -> str:
    """Return the next line of input. Echo it if it does not come from a terminal."""
    try:
        answer = input(question).strip()
    except (EOFError, KeyboardInterrupt, RuntimeError):  # the last one if there is no standard input
        raise Leaving from None
    if not sys.stdin.isatty():
        say(answer)
    return answer


def folded(text: str) -> str:
    """Wrap long lines between words, since the terminal would break them within words.

    Names and sentences come from servers and files, so control characters are escaped.
    """
    width = max(20, shutil.get_terminal_size().columns - 1)
    texts = map(printable, text.split("\n"))
    lines = [line if len(line) <= width else _fold(line, width) for line in texts]
    return "\n".join(lines).replace(HARD_SPACE, " ")


def _fold(line: str, width: int) -> str:
    """Wrap one line between words, with the rest indented. A word that is too long, such as a path, can still
    be copied."""
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.fill(
        line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def moves_listed(moves: Sequence[str]) -> str:
    """Return moves with their numbers, each of which stays on one line."""
    return ", ".join(f"{number}) {move}".replace(" ", HARD_SPACE) for number, move in enumerate(moves, 1))


def in_hand_order(game: Game, moves: Sequence[str]) -> list[str]:
    """Return moves in the order in which a hand is shown, not in the order of drawing: discards last, then by
    card."""

    def key(move: str) -> tuple[bool, int]:
        words = move.split()
        discard = words[0] == "x" and len(words) > 1
        try:
            card = game.read_card(words[discard])
        except NotationError:
            card = game.move_count
        return discard, card

    return sorted(moves, key=key)


def clause_text(game: Game, clause: str) -> str:
    """Return a clause of the rules, typed in any case; for an unknown one, the range of clauses."""
    texts = clauses(game)
    text = texts.get(clause.strip().upper())
    return text or phrase("terminal.no_clause", clause=clause, first=min(texts), last=max(texts))


def result_lines(game: str, result: Mapping[str, Any], names: Sequence[str], seat: int | None) -> list[str]:
    """Return the winners and the reason, for a player at a seat or for a spectator."""
    winners = [names[number - 1] for number in result["winners"]]
    if not winners:
        won = Message("table.nobody_won")
    elif len(winners) == 1:
        mine = result["winners"] == [seat]
        won = Message("table.won_you" if mine else "table.won", {"name": winners[0]})
    else:
        won = Message("table.shared", {"names": " and ".join(winners)})
    listed = ", ".join(f"{name} {score}" for name, score in zip(names, result["scores"], strict=True))
    scores = Message(f"{game}.scores", {"scores": listed})
    return ["", won.text(), Message(f"table.reason_{result['reason']}").text(), scores.text()]
