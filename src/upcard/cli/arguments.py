"""Types, help and limits of arguments that several commands have."""

from __future__ import annotations

__all__ = [
    "GAME_NAMES",
    "GAME_TITLES",
    "MAX_JOBS",
    "MAX_MOVE_LIMIT",
    "REVIEW_THOUGHT",
    "Decimal",
    "GameName",
    "LabArguments",
    "Named",
    "OnBotError",
    "Whole",
    "check_between",
    "check_count",
    "options",
]

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Parameter, Token

from upcard.core.errors import OptionError, UpcardError
from upcard.core.text import quoted
from upcard.games import GAMES

# Maximum length of a number that a message repeats, in digits.
MAX_DIGITS = 40
# More cores than any supported machine has.
MAX_JOBS = 1000
# A day, in seconds.
MAX_MOVE_LIMIT = 86_400
# Simulations for each decision in a review.
REVIEW_THOUGHT = "5000"


def _listed(names: Sequence[str], word: str) -> str:
    """Return names as a list in a sentence: a, b and c."""
    *others, last = names
    return f"{', '.join(others)} {word} {last}" if others else last


GAME_NAMES = _listed(list(GAMES), "or")
GAME_TITLES = _listed([name.capitalize() for name in GAMES], "and")


def _whole(_type: Any, tokens: Sequence[Token]) -> int:
    """Return a whole number. The parser's own conversion rounds 1.5 to 2."""
    text = tokens[0].value
    try:
        if len(text) <= MAX_DIGITS:
            return int(text)
    except ValueError:
        pass
    size = f" of at most {MAX_DIGITS} digits" if len(text) > MAX_DIGITS else ""
    raise UpcardError(f"{tokens[0].keyword} should be a whole number{size}, not {quoted(text)}")


def _number(_type: Any, tokens: Sequence[Token]) -> float:
    """Return a number."""
    try:
        return float(tokens[0].value)
    except ValueError:
        raise UpcardError(f"{tokens[0].keyword} should be a number, not {quoted(tokens[0].value)}") from None


Whole = Annotated[int, Parameter(converter=_whole)]
Decimal = Annotated[float, Parameter(converter=_number)]
GameName = Annotated[str, Parameter(help=f"{GAME_NAMES}.")]
Named = Annotated[
    list[str] | None, Parameter(name="--option", help="A house rule, such as stock=5; may be repeated.")
]
OnBotError = Annotated[
    Literal["forfeit", "stop"],
    Parameter(
        help="What an illegal move, an exception or a time-out of a bot means: "
        "forfeit, it loses that game; or stop."
    ),
]


@Parameter(name="*")
@dataclass(frozen=True)
class LabArguments:
    """The arguments that simulations, tournaments and studies share."""

    players: Annotated[Whole | None, Parameter(help="Number of players at a table.")] = None
    option: Named = None
    seed: Annotated[
        str | None,
        Parameter(
            help="The same seed gives the same games, whatever the number of jobs, unless a bot has a time "
            "limit."
        ),
    ] = None
    jobs: Annotated[Whole | None, Parameter(help="Number of cores to use; by default all.")] = None
    on: Annotated[
        str | None,
        Parameter(help="Play on a Ray cluster instead of here: ray, ray://HOST:PORT or HOST:PORT."),
    ] = None
    move_limit: Annotated[
        Decimal | None, Parameter(help="Time limit for a bot's move, in seconds; by default none.")
    ] = None
    json: Annotated[bool, Parameter(help="Print the results as JSON.")] = False

    def checked_options(self) -> dict[str, object]:
        """Return the options of the game, after checking the other arguments."""
        check_count("--jobs", self.jobs, MAX_JOBS)
        check_between("--move-limit", self.move_limit, 0, MAX_MOVE_LIMIT)
        return options(self.option, self.players)


def options(named: list[str] | None, players: int | None) -> dict[str, object]:
    """Return the options from the command line, to be checked by the game."""
    given: dict[str, object] = {} if players is None else {"players": players}
    for text in named or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f"an option is written name=value, not {quoted(text)}")
        if name in given:
            raise OptionError(f"{name} is given twice")
        given[name] = value
    return given


def check_count(name: str, value: int | None, maximum: int = sys.maxsize) -> None:
    """Refuse a number that is not from 1 to a maximum."""
    if value is not None and not 1 <= value <= maximum:
        bounds = "1 or more" if value < 1 and maximum == sys.maxsize else f"from 1 to {maximum}"
        raise UpcardError(f"{name} should be {bounds}, not {value!s:.40}")


def check_between(name: str, value: float | None, low: float, high: float) -> None:
    """Refuse a number that is not between two others."""
    if value is not None and not low < value < high:
        raise UpcardError(f"{name} should be between {low} and {high}, not {value}")
