"""The command line. What a command needs is imported when it runs, so that help comes at once."""

from __future__ import annotations

__all__ = ["INTERRUPTED", "app", "main"]

import contextlib
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NoReturn

from cyclopts import App, CycloptsError, Parameter, Token

from upcard import __version__
from upcard.cli.mistakes import check_first_word, mistake
from upcard.core.errors import OptionError, UpcardError

app = App(
    name="upcard",
    help="Stockpile, Lines and Stacks: play them, simulate them, study them.",
    version=__version__,
    help_format="plaintext",
    default_parameter=Parameter(negative=(), show_default=lambda default: str(default) if default else None),
)


def _whole(_type: Any, tokens: Sequence[Token]) -> int:
    """Return the whole number that was meant; left to itself the parser rounds 1.5 to 2."""
    try:
        return int(tokens[0].value)
    except ValueError:
        raise UpcardError(
            f"{tokens[0].keyword} should be a whole number, not {tokens[0].value!r:.40}"
        ) from None


# The exit code of what Ctrl-C has stopped.
INTERRUPTED = 130

# More cores than any machine has that this was made for.
MOST_JOBS = 1000

Whole = Annotated[int, Parameter(converter=_whole)]
Named = Annotated[
    list[str] | None, Parameter(name="--option", help="A house rule, as in stock=5; may be repeated.")
]


@app.default
@app.command
def play(
    game: str | None = None,
    /,
    *,
    players: Whole | None = None,
    bots: str = "greedy",
    option: Named = None,
    seat: Whole = 1,
    name: str = "You",
    seed: str | None = None,
    resume: bool = False,
) -> int:
    """Play in the terminal against bots, line by line.

    Parameters
    ----------
    game
        stockpile, lines or stacks; asked for if left out.
    players
        How many play, you included.
    bots
        Who sits at the other seats: one name for all, or one for each, as in greedy,random.
    seat
        Your seat.
    name
        Your name.
    seed
        Deal the same cards again.
    resume
        Go on with the game you left.
    """
    from upcard.tui.play import Setting, play_in_terminal

    chosen = _options(option, players)
    return play_in_terminal(Setting(game, chosen, bots.split(","), seat, name, seed, resume))


@app.command
def games(*, json: bool = False) -> None:
    """List the games and their options.

    Parameters
    ----------
    json
        As JSON, for programs.
    """
    from upcard.cli.tables import print_games

    print_games(json)


@app.command
def rules(game: str, clause: str | None = None, /, *, lang: str = "en") -> None:
    """Print the rulebook of a game, or one clause of it.

    Parameters
    ----------
    game
        stockpile, lines or stacks.
    clause
        Only this one, as in S3.4.
    lang
        The language of the rulebook.
    """
    from upcard.cli.tables import print_rules

    print_rules(game, clause, lang)


@app.command
def simulate(
    game: str,
    /,
    *,
    games: Whole = 1000,
    players: Whole | None = None,
    bots: str = "random",
    option: Named = None,
    seed: str | None = None,
    jobs: Whole | None = None,
    records: Annotated[Path | None, Parameter(allow_leading_hyphen=True)] = None,
    legal: bool = False,
    json: bool = False,
) -> int:
    """Let bots play many games.

    Parameters
    ----------
    game
        stockpile, lines or stacks.
    games
        How many games.
    players
        How many play.
    bots
        Who plays, as in greedy,random; fewer names than players take turns at the seats.
    seed
        The same seed gives the same games, whatever the number of jobs.
    jobs
        How many cores to use; all of them if left out.
    records
        Write every game to this file, a line of JSON each; - is standard output.
    legal
        Write all legal moves into the records too.
    json
        Print the summary as JSON.
    """
    from upcard.cli.simulate import run

    _check("--games", games)
    _check("--jobs", jobs, MOST_JOBS)
    if legal and records is None:
        raise UpcardError("--legal adds to records, so it needs --records too")
    return run(
        game,
        _options(option, players),
        bots.split(","),
        seed,
        games,
        jobs or os.cpu_count() or 1,
        records,
        legal,
        json,
    )


@app.command
def verify(files: Annotated[list[Path], Parameter(consume_multiple=True)], /, *, json: bool = False) -> int:
    """Replay the games of record files, and say which game and entry broke the rules.

    Parameters
    ----------
    files
        Files with a record on every line.
    json
        Print the findings as JSON.
    """
    from upcard.cli.verify import run

    return run(files, json)


@app.command
def bench(*, json: bool = False) -> int:
    """Measure the speed of everything on this machine.

    Parameters
    ----------
    json
        As JSON, for programs.
    """
    from upcard.cli.bench import run

    return run(json)


def _options(named: list[str] | None, players: int | None) -> dict[str, object]:
    """Return the options from the command line, to be checked by the game."""
    options: dict[str, object] = {} if players is None else {"players": players}
    for text in named or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f"an option is written name=value, not {text!r}")
        if name in options:
            raise OptionError(f"{name} is given twice")
        options[name] = value
    return options


def _check(name: str, value: int | None, most: int = sys.maxsize) -> None:
    if value is not None and not 1 <= value <= most:
        bounds = "1 or more" if most == sys.maxsize else f"from 1 to {most}"
        raise UpcardError(f"{name} should be {bounds}, not {value!s:.40}")


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run a command. A wrong argument gets one line and exit code 2, and nothing a traceback."""
    _say_anything()
    words = sys.argv[1:] if arguments is None else arguments
    try:
        check_first_word(words, list(app))
        code = app(words, print_error=False, exit_on_error=False, result_action="return_value")
        if sys.stdout is not None:
            sys.stdout.flush()
    except CycloptsError as error:
        _fail(mistake(error))
    except UpcardError as error:
        _fail(str(error))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        _close_output()
        sys.exit(141)
    except OSError as error:
        _close_output()
        _fail(f"{error.filename or 'output'}: {error.strerror or error}")
    sys.exit(code if isinstance(code, int) else 0)


def _say_anything() -> None:
    """Show a letter that this terminal cannot show, or read what is no letter, as an escape."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(io.UnsupportedOperation):
                stream.reconfigure(errors="backslashreplace")


def _close_output() -> None:
    """Let go of output that nobody reads any more; keep Python from complaining about it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str) -> NoReturn:
    print(f"upcard: {message}", file=sys.stderr)
    sys.exit(2)
