"""The command line. What a command needs is imported when it runs, so that help comes at once."""

from __future__ import annotations

__all__ = ["INTERRUPTED", "app", "main"]

import contextlib
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

from cyclopts import App, CycloptsError, Parameter, Token

from upcard import __version__
from upcard.cli.mistakes import completed, mistake
from upcard.core.errors import OptionError, UpcardError
from upcard.core.text import quoted

app = App(
    name="upcard",
    help="Stockpile, Lines and Stacks: play them, simulate them, study them.",
    version=__version__,
    help_format="plaintext",
    default_parameter=Parameter(negative=(), show_default=lambda default: str(default) if default else None),
)


# Longer numbers are not worth repeating in a message.
MAX_DIGITS = 40


def _whole(_type: Any, tokens: Sequence[Token]) -> int:
    """Return the whole number that was meant; left to itself the parser rounds 1.5 to 2."""
    text = tokens[0].value
    try:
        if len(text) <= MAX_DIGITS:
            return int(text)
    except ValueError:
        pass
    raise UpcardError(f"{tokens[0].keyword} should be a whole number, not {quoted(text)}")


def _number(_type: Any, tokens: Sequence[Token]) -> float:
    """Return the number that was meant."""
    try:
        return float(tokens[0].value)
    except ValueError:
        raise UpcardError(f"{tokens[0].keyword} should be a number, not {quoted(tokens[0].value)}") from None


# The exit code of what Ctrl-C has stopped.
INTERRUPTED = 130

# More cores than any machine has that this was made for.
MOST_JOBS = 1000

# A day, in seconds.
MAX_MOVE_LIMIT = 86_400
# Packages that a plain table does without, and the lab does not.
COMPILER = ("llvmlite", "numba", "numpy")

# Simulations for each decision of a game that is reviewed.
REVIEW_THOUGHT = "5000"

Whole = Annotated[int, Parameter(converter=_whole)]
Decimal = Annotated[float, Parameter(converter=_number)]
Named = Annotated[
    list[str] | None, Parameter(name="--option", help="A house rule, as in stock=5; may be repeated.")
]


@app.default
def home(*, port: Whole | None = None, no_browser: bool = False) -> int:
    """Play in the browser: tables for everybody in this network, until Ctrl-C.

    Parameters
    ----------
    port
        The port, 8000 if left out and free.
    no_browser
        Open no browser.
    """
    from upcard.cli.serve import run_at_home

    return run_at_home(port, not no_browser)


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
    record: Path | None = None,
) -> int:
    """Play in the terminal against bots, line by line. Every game is kept.

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
        Continue a game you left; if there are several, you are asked which.
    record
        Keep the game in this file, also while it is played; with --resume, continue the one it has.
    """
    from upcard.tui.play import Setting, play_in_terminal

    setting = Setting(game, _options(option, players), bots.split(","), seat, name, seed, resume, record)
    # A pipe has its answers ready, and none for this question.
    asks = sys.stdin is not None and sys.stdin.isatty()
    return play_in_terminal(setting, review=_review_played if asks else None)


def _review_played(path: Path, seat: int) -> None:
    from upcard.cli.review import run

    run(path, 1, [seat], REVIEW_THOUGHT, json=False)


@app.command
def join(url: str, /, *, name: str = "Guest", seat: Whole | None = None) -> int:
    """Sit down at somebody's table, in the terminal.

    Parameters
    ----------
    url
        The link of the table, or the address of the server; then the code of the table is asked for.
    name
        Your name.
    seat
        The seat you would like.
    """
    from upcard.tui.join import join as sit_down

    return sit_down(url, name, seat)


@app.command
def serve(
    *,
    host: str | None = None,
    port: Whole | None = None,
    database: str | None = None,
    bus: str | None = None,
    config: Path | None = None,
    set: Annotated[list[str] | None, Parameter(name="--set")] = None,  # noqa: A002  # the flag's name
    show: bool = False,
) -> int:
    """Serve tables over HTTP, until Ctrl-C.

    Parameters
    ----------
    host
        The address to listen at: 127.0.0.1 for this machine alone, 0.0.0.0 for everybody who reaches it.
    port
        The port, 8000 if left out; 0 takes any that is free.
    database
        Where tables are kept: sqlite:///PATH or postgresql://...
    bus
        redis://HOST:PORT, where several nodes serve the same tables.
    config
        A file with settings, in TOML.
    set
        Any setting, as in burst=100; may be repeated.
    show
        List all settings with where they came from, and end.
    """
    from upcard.cli.serve import run

    flags = {"host": host, "port": port, "database": database, "bus": bus}
    return run(flags, set or [], config, show)


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
    on: str | None = None,
    records: Annotated[Path | None, Parameter(allow_leading_hyphen=True)] = None,
    legal: bool = False,
    on_bot_error: Literal["forfeit", "stop"] = "forfeit",
    move_limit: Decimal | None = None,
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
        The same seed gives the same games, whatever the number of jobs, unless a bot has a time limit.
    jobs
        How many cores to use; all of them if left out.
    on
        Play on a Ray cluster instead of here: ray, ray://HOST:PORT or HOST:PORT.
    records
        Write every game to this file, a line of JSON each; - is standard output. An old file is replaced at
        the end.
    legal
        Write all legal moves into the records too.
    on_bot_error
        What an illegal move, an exception or a time-out of a bot means: forfeit, it loses that game; or stop.
    move_limit
        Time limit for a move of a bot, in seconds; none if left out.
    json
        Print the summary as JSON.
    """
    from upcard.cli.simulate import run
    from upcard.lab.contest import Referee

    _check("--games", games)
    _check("--jobs", jobs, MOST_JOBS)
    _check_between("--move-limit", move_limit, 0, MAX_MOVE_LIMIT)
    if legal and records is None:
        raise UpcardError("--legal adds to records, so it needs --records too")
    return run(
        game,
        _options(option, players),
        bots.split(","),
        seed,
        games,
        jobs,
        on,
        records,
        legal,
        json,
        Referee(on_bot_error, move_limit),
    )


@app.command
def tournament(
    game: str,
    /,
    *,
    bots: str,
    players: Whole | None = None,
    games: Whole | None = None,
    until: Decimal | None = None,
    confidence: Decimal = 0.99,
    option: Named = None,
    seed: str | None = None,
    jobs: Whole | None = None,
    on: str | None = None,
    resume: Path | None = None,
    report: Path | None = None,
    on_bot_error: Literal["forfeit", "stop"] = "forfeit",
    move_limit: Decimal | None = None,
    json: bool = False,
) -> int:
    """Find out which bot is the strongest: each deal is played in all seatings, so that luck cancels.

    Parameters
    ----------
    game
        stockpile, lines or stacks.
    bots
        Who plays, as in hard,greedy,random; a name may be written several times.
    players
        How many sit at a table; all the bots, if left out and if they fit.
    games
        How many games, rounded up to whole deals; 1000 if left out, with --until up to 1000000.
    until
        Stop when every share of wins is known to this much, as in 0.01.
    confidence
        How sure an interval should be.
    seed
        The same seed gives the same deals, whatever the number of jobs.
    jobs
        How many cores to use; all of them if left out.
    on
        Play on a Ray cluster instead of here: ray, ray://HOST:PORT or HOST:PORT.
    resume
        Keep all deals in this file, and do not play again those it has.
    report
        Write a page with plots to this file.
    on_bot_error
        What an illegal move, an exception or a time-out of a bot means: forfeit, it loses that game; or stop.
    move_limit
        Time limit for a move of a bot, in seconds; none if left out.
    json
        Print everything as JSON.
    """
    from upcard.cli.tournament import run
    from upcard.lab.contest import Referee

    _check("--games", games)
    _check("--jobs", jobs, MOST_JOBS)
    _check_between("--until", until, 0, 0.5)
    _check_between("--confidence", confidence, 0.5, 1)
    _check_between("--move-limit", move_limit, 0, MAX_MOVE_LIMIT)
    return run(
        game,
        _options(option, players),
        bots.split(","),
        seed,
        games,
        jobs,
        until,
        confidence,
        resume,
        on,
        report,
        json,
        Referee(on_bot_error, move_limit),
    )


@app.command
def study(
    game: str,
    /,
    *,
    players: Whole | None = None,
    option: Named = None,
    vary: list[str] | None = None,
    games: Whole = 10_000,
    bots: str = "greedy",
    skill: str | None = None,
    deals: Whole = 40,
    pace: Decimal = 6.0,
    seed: str | None = None,
    jobs: Whole | None = None,
    on: str | None = None,
    report: Annotated[Path | None, Parameter(allow_leading_hyphen=True)] = None,
    move_limit: Decimal | None = None,
    json: bool = False,
) -> int:
    """Find out what kind of game it is: who has an advantage, how long it takes, what ever happens,
    what an option changes, and how much is luck.

    Parameters
    ----------
    game
        stockpile, lines or stacks.
    players
        How many play.
    vary
        Compare values of an option, as in stock=5,10,20; a name alone is all its values, and all is
        every option. May be repeated.
    games
        How many games for each answer.
    bots
        Who plays, as in greedy or hard,easy; they move round the seats.
    skill
        The two bots that tell luck from skill; hard,easy if left out. If named, at varied tables too.
    deals
        On how many deals these two meet; 0 leaves it out.
    pace
        How many seconds people take for a move.
    seed
        The same seed gives the same answers, whatever the number of jobs, unless a bot has a time limit.
    jobs
        How many cores to use; all of them if left out.
    on
        Play on a Ray cluster instead of here: ray, ray://HOST:PORT or HOST:PORT.
    report
        Write a page with plots to this file.
    move_limit
        Time limit for a move of a bot, in seconds; none if left out. A bot that takes longer, chooses an
        illegal move or raises an exception stops the study.
    json
        Print everything as JSON.
    """
    from upcard.cli.study import run
    from upcard.lab.study.study import Question
    from upcard.match import new_seed, read_seed

    _check("--games", games)
    _check("--jobs", jobs, MOST_JOBS)
    if deals < 0:
        raise UpcardError(f"--deals should be 0 or more, not {deals}")
    _check_between("--pace", pace, 0, 3600)
    _check_between("--move-limit", move_limit, 0, MAX_MOVE_LIMIT)
    question = Question.of(
        game,
        _options(option, players),
        bots.split(","),
        new_seed() if seed is None else read_seed(seed),
        games=games,
        pace=pace,
        vary=vary or [],
        pair=(skill or "hard,easy").split(","),
        deals=deals,
        skill_everywhere=skill is not None,
        limit=move_limit,
    )
    return run(question, jobs, on, report, json)


bots_app = App(name="bot", help="Work with bots.", help_format="plaintext")
app.command(bots_app)


@bots_app.command
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
        The bot, as in greedy, search@500 or net:FILE.
    game
        Only this game; may be repeated. All games if left out.
    games
        How many games of each, with different numbers of players.
    seed
        The same seed gives the same games.
    move_limit
        Time limit for a move, in seconds, beyond the time that the budget of the bot allows.
    json
        Print the findings as JSON.
    """
    from upcard.cli.bot import run_check

    _check("--games", games)
    _check_between("--move-limit", move_limit, 0, MAX_MOVE_LIMIT)
    return run_check(name, game or [], games, seed, move_limit, json)


@app.command
def review(
    file: Path,
    /,
    *,
    game: Whole = 1,
    seat: Annotated[list[Whole] | None, Parameter(name="--seat")] = None,
    thought: str = REVIEW_THOUGHT,
    json: bool = False,
) -> int:
    """Go through a game of a record file, and say which moves gave away most, and why.

    Parameters
    ----------
    file
        A file with a record on every line.
    game
        Which of its games.
    seat
        Only this seat; may be repeated.
    thought
        How much is thought about each move: 5000 (simulations), 200ms or 2s.
    json
        Print every decision as JSON.
    """
    from upcard.cli.review import run

    return run(file, game, seat or [], thought, json)


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
def bench(
    areas: Annotated[list[str] | None, Parameter(consume_multiple=True)] = None,
    /,
    *,
    table: Path | None = None,
    quick: bool = False,
    peers: bool = False,
    json: bool = False,
) -> int:
    """Measure on this machine all that is promised.

    Parameters
    ----------
    areas
        rules, bots, strength, server, web or rl; the first two if left out, for others take hours.
    table
        Write the table of strength into this page.
    quick
        Measure less of the server, in minutes.
    peers
        Install the learning environments of others for a while, and measure them beside ours.
    json
        As JSON, for programs.
    """
    from upcard.cli.bench import run

    return run(areas or [], table, quick, peers, json)


def _options(named: list[str] | None, players: int | None) -> dict[str, object]:
    """Return the options from the command line, to be checked by the game."""
    options: dict[str, object] = {} if players is None else {"players": players}
    for text in named or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f"an option is written name=value, not {quoted(text)}")
        if name in options:
            raise OptionError(f"{name} is given twice")
        options[name] = value
    return options


def _check(name: str, value: int | None, most: int = sys.maxsize) -> None:
    if value is not None and not 1 <= value <= most:
        bounds = "1 or more" if most == sys.maxsize else f"from 1 to {most}"
        raise UpcardError(f"{name} should be {bounds}, not {value!s:.40}")


def _check_between(name: str, value: float | None, low: float, high: float) -> None:
    if value is not None and not low < value < high:
        raise UpcardError(f"{name} should be between {low} and {high}, not {value}")


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run a command. A wrong argument gets one line and exit code 2, and nothing a traceback."""
    _say_anything()
    words = sys.argv[1:] if arguments is None else arguments
    try:
        words = completed(words, list(app))
        code = app(words, print_error=False, exit_on_error=False, result_action="return_value")
        if sys.stdout is not None:
            sys.stdout.flush()
    except CycloptsError as error:
        _fail(mistake(error))
    except UpcardError as error:
        _fail(str(error))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except ModuleNotFoundError as error:
        if error.name not in COMPILER:
            raise
        _fail("this command needs Numba: pip install numba")
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
