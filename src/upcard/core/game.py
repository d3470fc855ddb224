"""The contract that every game meets, the verbs that mean the same in all of them, the registry."""

from __future__ import annotations

__all__ = [
    "NEVER",
    "VERBS",
    "Game",
    "apply",
    "assemble",
    "deal",
    "legal",
    "look",
    "outcome",
    "redeal",
    "register",
    "registered",
    "standing",
    "worth",
]

import importlib
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from upcard.core.chance import Chance, chance_of
from upcard.core.errors import NotationError, OptionError
from upcard.core.news import Event
from upcard.core.options import Option, Value, complete
from upcard.core.record import Record, fields
from upcard.core.table import Result
from upcard.core.table import Table as AnyTable
from upcard.core.table import View as AnyView
from upcard.core.words import Message, Refusal

# The verbs. Plain, they ask the class of their first argument which game it belongs to; compiled,
# its type decides while compiling, so that loops over any game are written once and cost nothing.


def deal(table: AnyTable) -> None:
    """Set up a table whose options and chance are set, up to the first decision."""
    _meanings["deal", type(table)](table)


def legal(table: AnyTable, moves: Any) -> int:
    """Write the legal moves into `moves`, and return how many there are: none once it is over."""
    return int(_meanings["legal", type(table)](table, moves))


def apply(table: AnyTable, move: int) -> None:
    """Make a legal move, and all that follows from it by itself, up to the next decision."""
    _meanings["apply", type(table)](table, move)


def outcome(table: AnyTable, result: Result) -> None:
    """Write who won and why, and every score."""
    _meanings["outcome", type(table)](table, result)


def look(table: AnyTable, viewer: int, view: AnyView) -> None:
    """Write what the viewer may know into an empty view."""
    _meanings["look", type(table)](table, viewer, view)


def redeal(view: AnyView, table: AnyTable, chance: Chance) -> None:
    """Make an empty table into a random one that looks like `view` to its viewer."""
    _meanings["redeal", type(view)](view, table, chance)


def worth(position: AnyView | AnyTable, move: int) -> int:
    """Return how good a legal move looks at first sight to the seat that is to move."""
    return int(_meanings["worth", type(position)](position, move))


# What a move is worth that nobody need think about, as long as there is another.
NEVER = -10_000


def standing(table: AnyTable, seat: int) -> int:
    """Return how well a seat stands: a hundred more than another is to be e times as likely to win."""
    return int(_meanings["standing", type(table)](table, seat))


VERBS: tuple[Callable[..., Any], ...] = (deal, legal, apply, outcome, look, redeal, worth, standing)


@dataclass(frozen=True, eq=False)
class Game:
    """All that the rest of Upcard needs to know of a game."""

    id: str
    title: str
    # What it is about, in a sentence.
    summary: str
    # The clause that says whose turn it is.
    turn_clause: str
    options: tuple[Option, ...]
    Table: type[Any]
    View: type[Any]
    # What the eight verbs mean here, by their names.
    rules: Mapping[str, Callable[..., Any]] = field(repr=False)
    # A number that no position has more legal moves than.
    most_moves: int
    # Moves are numbers below this.
    all_moves: int
    # Move <-> notation, at a given table.
    write_move: Callable[[Any, int], str] = field(repr=False)
    read_move: Callable[[Any, str], int] = field(repr=False)
    # Card <-> notation.
    write_card: Callable[[int], str] = field(repr=False)
    read_card: Callable[[str], int] = field(repr=False)
    # Which clause forbids a move, and why; None for a legal one.
    explain: Callable[[Any, int], Refusal | None] = field(repr=False)
    # An event as a message, given the names at the seats; None where there is nothing to say.
    describe: Callable[[Event, Sequence[str]], Message | None] = field(repr=False)
    # Why one would make a legal move, as far as the view shows it, given the names at the seats.
    why: Callable[[Any, int, Sequence[str]], Message] = field(repr=False)
    # A view as lines of text.
    draw: Callable[[Any, Sequence[str]], str] = field(repr=False)
    # A view, and an event as somebody may know it, for programs: ready for JSON.
    show: Callable[[Any], dict[str, Any]] = field(repr=False)
    show_event: Callable[[Event], dict[str, Any]] = field(repr=False)
    # The seats that are asked something out of turn, in the order of their answers.
    still_asked: Callable[[Any], list[int]] = field(repr=False)
    # So many moves of each player does a search play quickly before it judges how everybody stands.
    horizon: int = field(repr=False)
    # What is wrong with these options together, if anything.
    undealable: Callable[[Mapping[str, Value]], str | None] = field(repr=False)

    def __post_init__(self) -> None:
        settings = list(fields(fields(self.Table)["options"].record or Record))
        names = [option.name for option in self.options]
        assert settings == names, f"{self.id}: options are {names}, the record has {settings}"

    def complete(self, chosen: Mapping[str, object]) -> dict[str, Value]:
        """Return all options of a table, checked one by one and together."""
        options = complete(self.options, chosen)
        problem = self.undealable(options)
        if problem is not None:
            raise OptionError(problem)
        return options

    def settings(self, table: AnyTable) -> dict[str, Value]:
        """Return the options of a dealt table, `random` seats as the seats they have become."""
        record = table.options  # type: ignore[attr-defined]  # every game's own table has them
        return {option.name: option.value(getattr(record, option.name)) for option in self.options}

    def lay(self, options: Mapping[str, Value], chance: Chance) -> Any:
        """Return a plain table with complete options and chance in place, ready to be dealt."""
        table = self.Table()
        table.chance = chance
        table.players = options["players"]
        for option in self.options:
            setattr(table.options, option.name, option.number(options[option.name]))
        return table

    def deal(self, options: Mapping[str, object], seed: bytes) -> Any:
        """Return a plain table, dealt; options that are not named have their defaults."""
        table = self.lay(self.complete(options), chance_of(seed))
        deal(table)
        return table

    def view(self, table: AnyTable, viewer: int) -> Any:
        """Return what the viewer may know of a plain table."""
        view = self.View()
        look(table, viewer, view)
        return view

    def legal_moves(self, table: AnyTable) -> list[int]:
        """Return the legal moves at a plain table."""
        moves = [0] * self.most_moves
        return moves[: legal(table, moves)]

    def number_of_move(self, move: object) -> int:
        """Return the number of a move as an `int`, or raise a NotationError if no move has it. NumPy's whole
        numbers are accepted."""
        try:
            number = -1 if isinstance(move, bool) else operator.index(move)  # type: ignore[arg-type]  # tried
        except TypeError:
            number = -1
        if 0 <= number < self.all_moves:
            return number
        most = self.all_moves - 1
        raise NotationError(
            f"{move!r:.40} is not a move of {self.title}: moves are numbered from 0 to {most}"
        )


def assemble(package: str, *, title: str, summary: str, turn_clause: str, most_moves: int) -> Game:
    """Return the game that the modules of a package make up, each under its usual name."""
    names = ("deck", "draw", "moves", "options", "rules", "show", "table", "view", "why", "words", "worth")
    part = {name: importlib.import_module(f"{package}.{name}") for name in names}
    home = {"look": "view", "redeal": "view", "worth": "worth", "standing": "worth"}
    verbs = [verb.__name__ for verb in VERBS]
    return Game(
        id=package.rpartition(".")[2],
        title=title,
        summary=summary,
        turn_clause=turn_clause,
        options=part["options"].OPTIONS,
        Table=part["table"].Table,
        View=part["view"].View,
        rules={verb: getattr(part[home.get(verb, "rules")], verb) for verb in verbs},
        most_moves=most_moves,
        all_moves=part["moves"].ALL_MOVES,
        write_move=part["moves"].write_move,
        read_move=part["moves"].read_move,
        write_card=part["deck"].write_card,
        read_card=part["deck"].read_card,
        explain=part["words"].explain,
        describe=part["words"].describe,
        why=part["why"].why,
        draw=part["draw"].draw,
        show=part["show"].show,
        show_event=part["show"].show_event,
        still_asked=getattr(part["rules"], "still_asked", _nobody_is_asked),
        horizon=part["worth"].HORIZON,
        undealable=part["options"].undealable,
    )


def _nobody_is_asked(_table: AnyTable) -> list[int]:
    """In most games nobody has anything to say out of turn."""
    return []


_registry: dict[type[Record], Game] = {}
_meanings: dict[tuple[str, type[Record]], Callable[..., Any]] = {}


def register(game: Game) -> None:
    """Make the verbs work on the tables and views of a game."""
    for record in (game.Table, game.View):
        _registry[record] = game
        for verb, rule in game.rules.items():
            _meanings[verb, record] = rule


def registered() -> list[Game]:
    """Return the games whose packages have been imported."""
    return list({game.id: game for game in _registry.values()}.values())
