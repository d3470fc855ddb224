"""docs/api.md, generated from the docstrings and signatures of the public API."""

from __future__ import annotations

__all__ = ["api_page"]

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import upcard
from upcard import bots
from upcard.bots.review import Decision, Review, review
from upcard.core import errors
from upcard.core.encoding import Encoding
from upcard.core.events import Event
from upcard.core.game import Game
from upcard.core.options import Choice, Flag, Number, Option, SeatChoice
from upcard.core.table import View
from upcard.games import all_games
from upcard.lab.simulate import SimulationPlan, Summary, simulate
from upcard.lab.tournament.deals import TournamentPlan
from upcard.lab.tournament.run import run_tournament
from upcard.match import GameResult, Match, Player
from upcard.match.verify import Finding, verify
from upcard.rl.vector import Step, VectorEnv

HEAD = """\
# The library

*Written by `make pages` from the docstrings; a test compares.*

`import upcard` is enough to deal, play and load games; other parts are imported from the modules named
here. Seats are numbered from 1 everywhere except in views, events and tables: these are the structs of the
rules, which count from 0, and `Match.show` returns the same with seats from 1, in notation. Every error is an
`UpcardError`, and also the built-in error that fits.
"""

# Headings, their introductions, and the functions and classes documented there. Classes have the names of
# their attributes and methods if not all of them are for callers.
SECTIONS: list[tuple[str, str, list[Any]]] = [
    (
        "upcard",
        "",
        [all_games, upcard.new, upcard.position, upcard.load, upcard.play_out, Match, Player, GameResult],
    ),
    ("upcard.core: games, options, views", "", [Game, Option, Choice, Flag, Number, SeatChoice, View, Event]),
    (
        "upcard.bots",
        "A bot needs `Turn` alone. [bots.md](bots.md) shows how to write one.",
        [
            *(bots.Bot, bots.Turn, bots.Budget, bots.Thought, bots.Search, bots.Seated),
            *(bots.find, bots.known, review, Review, Decision),
        ],
    ),
    ("upcard.match: records", "[records.md](records.md) describes the format.", [verify, Finding]),
    (
        "upcard.lab",
        "These need NumPy and Numba, which `upcard.lab` imports.",
        [SimulationPlan, simulate, Summary, TournamentPlan, run_tournament],
    ),
    ("upcard.rl", "[learning.md](learning.md) shows how to train.", [VectorEnv, Step, Encoding]),
]

# The internals of a game, which its package provides and callers use through the methods.
HIDDEN = {
    Game: {
        *(
            "Table",
            "View",
            "rules",
            "max_legal",
            "move_count",
            "write_move",
            "read_move",
            "write_card",
            "read_card",
        ),
        *("explain", "describe", "why", "render_shown", "show_event", "seats_asked", "horizon", "conflict"),
        *("event_kinds", "package", "new_table", "number_of_move"),
    },
    Match: {"make_legal", "why_no_answer"},
}


def api_page() -> str:
    """Return the whole page."""
    lines = [HEAD]
    for heading, text, things in SECTIONS:
        lines += [f"## {heading}", ""]
        lines += [text, ""] if text else []
        for thing in things:
            lines += _class(thing) if inspect.isclass(thing) else _function(thing, "###")
    lines += ["## Errors", "", *_errors(errors.UpcardError, 0), ""]
    return "\n".join(lines).rstrip() + "\n"


def _function(function: Callable[..., Any], marks: str, owner: str = "") -> Iterator[str]:
    # `upcard.games` is also a package, which hides the function of that name.
    called = "games" if function is all_games else function.__name__
    name = owner or ("upcard.games" if function is all_games else f"{_module(function)}.{called}")
    yield from (f"{marks} `{name}`", "", "```text", _signature(function, name.rpartition(".")[2]), "```", "")
    yield from (_doc(function, name), "")


def _class(kind: type) -> Iterator[str]:
    yield from (f"### `{_module(kind)}.{kind.__name__}`", "", _doc(kind, kind.__name__), "")
    hidden = HIDDEN.get(kind, set())
    lines: list[str] = []
    if dataclasses.is_dataclass(kind) or hasattr(kind, "_fields") or hasattr(kind, "__total__"):
        shown = (name for name in kind.__annotations__ if name[0] != "_" and name not in hidden)
        lines += [f"- `{name}`: `{_hint(kind.__annotations__[name])}`" for name in shown]
    for name, thing in vars(kind).items():
        function = thing.__func__ if isinstance(thing, classmethod | staticmethod) else thing
        if name[0] == "_" or name in hidden:
            continue
        if isinstance(thing, property):
            lines.append(f"- `{name}`: {_doc(thing, f'{kind.__name__}.{name}')}")
        elif inspect.isfunction(function):
            lines.append(f"- `{_signature(function, name)}`<br>")
            lines.append(f"  {_doc(function, f'{kind.__name__}.{name}')}")
    yield from [*lines, ""] if lines else []


def _hint(hint: Any) -> str:
    return str(getattr(hint, "__forward_arg__", hint))


def _signature(function: Callable[..., Any], name: str) -> str:
    """Return a signature without `self`, and types as they are written."""
    signature = inspect.signature(function)
    parameters = [value for key, value in signature.parameters.items() if key not in ("self", "cls")]
    text = str(signature.replace(parameters=parameters))
    return name + re.sub(r"<function <lambda> at [^>]*>", "...", re.sub(r"'([^']*)'", r"\1", text))


def _doc(thing: Any, name: str) -> str:
    """Return a docstring with each paragraph on one line; all public objects have one."""
    text = inspect.getdoc(thing)
    assert text, f"{name} has no docstring"
    paragraphs = [paragraph for paragraph in text.split("\n\n") if not paragraph.startswith(">>>")]
    return " ".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _module(thing: Any) -> str:
    """Return the package from which callers import an object: the shortest one that exports it."""
    parts = thing.__module__.split(".")
    for length in range(1, len(parts) + 1):
        package = ".".join(parts[:length])
        if getattr(__import__(package, fromlist=["_"]), thing.__name__, None) is thing:
            return package
    return str(thing.__module__)


def _errors(kind: type[Exception], depth: int) -> Iterator[str]:
    """List an error and those derived from it."""
    also = [
        base.__name__ for base in kind.__bases__ if base.__module__ == "builtins" and base is not Exception
    ]
    suffix = f" (also a `{also[0]}`)" if also else ""
    yield f"{'  ' * depth}- `{kind.__name__}`{suffix}: {_doc(kind, kind.__name__)}"
    for other in kind.__subclasses__():
        if other.__module__ == "upcard.core.errors":
            yield from _errors(other, depth + 1)
