"""The command line. Commands import their modules when they run, so that help appears without delay."""

from __future__ import annotations

__all__ = ["INTERRUPTED", "app", "main"]

import contextlib
import io
import os
import sys
from typing import NoReturn

from cyclopts import App, CycloptsError, Parameter

from upcard import __version__
from upcard.cli.arguments import GAME_TITLES
from upcard.cli.commands.bot import bot
from upcard.cli.commands.export import export
from upcard.cli.commands.games import games
from upcard.cli.commands.home import home
from upcard.cli.commands.join import join
from upcard.cli.commands.new_game import new_game
from upcard.cli.commands.operator import keys, people, tables
from upcard.cli.commands.play import play
from upcard.cli.commands.review import review
from upcard.cli.commands.rules import rules
from upcard.cli.commands.serve import serve
from upcard.cli.commands.simulate import simulate
from upcard.cli.commands.study import study
from upcard.cli.commands.tournament import tournament
from upcard.cli.commands.verify import verify
from upcard.cli.mistakes import completed, mistake
from upcard.core.errors import UpcardError

# The exit code of a command that Ctrl-C has stopped.
INTERRUPTED = 130

# Packages that only the lab needs, not a plain table.
COMPILER = ("llvmlite", "numba", "numpy")

app = App(
    name="upcard",
    help=f"{GAME_TITLES}: play them, simulate them, study them.",
    version=__version__,
    help_format="plaintext",
    default_parameter=Parameter(negative=(), show_default=lambda default: str(default) if default else None),
)
app.default(home)
for command in (
    play,
    join,
    serve,
    games,
    rules,
    simulate,
    tournament,
    study,
    bot,
    review,
    verify,
    export,
    new_game,
    tables,
    people,
    keys,
):
    app.command(command)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run a command. An invalid argument gives one line and exit code 2; nothing ever shows a traceback."""
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
    """Write characters that this terminal cannot show as escapes, and read invalid ones as escapes."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(io.UnsupportedOperation):
                stream.reconfigure(errors="backslashreplace")


def _close_output() -> None:
    """Redirect output whose reader has gone, so that Python does not report it again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str) -> NoReturn:
    print(f"upcard: {message}", file=sys.stderr)
    sys.exit(2)
