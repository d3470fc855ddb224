"""The contract of games, the verbs that all games implement, and the registry."""

from __future__ import annotations

__all__ = [
    "DOMINATED",
    "VERBS",
    "Game",
    "apply",
    "assemble",
    "deal",
    "determinize",
    "evaluate",
    "find_module",
    "game_of",
    "heuristic",
    "legal",
    "meaning",
    "observe",
    "outcome",
    "register",
    "registered",
]

import importlib
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from upcard.core.chance import Chance, chance_of
from upcard.core.errors import NotationError, OptionError
from upcard.core.events import Event, EventKind, Kind
from upcard.core.messages import Refusal
from upcard.core.options import Option, Value, complete
from upcard.core.struct import Struct, fields
from upcard.core.table import Result
from upcard.core.table import Table as AnyTable
from upcard.core.table import View as AnyView
from upcard.core.text import quoted
from upcard.i18n import Message, add_catalogues

# The verbs. Plain verbs dispatch on the class of their first argument. Compiled ones dispatch on its type at
# compile time, so that loops over any game are written once and cost nothing.


def deal(table: AnyTable) -> None:
    """Set up a table whose options and chance are set, up to the first decision."""
    _meanings["deal", type(table)](table)


def legal(table: AnyTable, moves: Any) -> int:
    """Write the legal moves into `moves`, and return their number: 0 once the game is over."""
    return int(_meanings["legal", type(table)](table, moves))


def apply(table: AnyTable, move: int) -> None:
    """Make a legal move, and everything that follows automatically, up to the next decision."""
    _meanings["apply", type(table)](table, move)


def outcome(table: AnyTable, result: Result) -> None:
    """Write the winners, the reason, and all scores."""
    _meanings["outcome", type(table)](table, result)


def observe(table: AnyTable, viewer: int, view: AnyView) -> None:
    """Write what the viewer may know into an empty view."""
    _meanings["observe", type(table)](table, viewer, view)


def determinize(view: AnyView, table: AnyTable, chance: Chance) -> None:
    """Turn an empty table into a random one that looks like `view` to its viewer."""
    _meanings["determinize", type(view)](view, table, chance)


def heuristic(position: AnyView | AnyTable, move: int) -> int:
    """Return a heuristic value of a legal move for the seat to move."""
    return int(_meanings["heuristic", type(position)](position, move))


# The heuristic of a dominated move: another move is at least as good, so this one need not be searched.
DOMINATED = -10_000


def evaluate(table: AnyTable, seat: int) -> int:
    """Return an evaluation of a seat. A seat with 100 more than another is e times as likely to win."""
    return int(_meanings["evaluate", type(table)](table, seat))


VERBS: tuple[Callable[..., Any], ...] = (
    deal,
    legal,
    apply,
    outcome,
    observe,
    determinize,
    heuristic,
    evaluate,
)


@dataclass(frozen=True, eq=False, repr=False)
class Game:
    """The contract of a game: everything that the rest of Upcard needs to know about it."""

    id: str
    # The Python package of the game. Its catalogues (`words`), its rulebooks with their pictures
    # (`positions.py`), its browser part (`web`) and its other parts lie there.
    package: str
    title: str
    # A summary of the game in one sentence.
    summary: str
    # The clause about whose turn it is.
    turn_clause: str
    options: tuple[Option, ...]
    Table: type[Any]
    View: type[Any]
    # The game's implementations of the eight verbs, by name.
    rules: Mapping[str, Callable[..., Any]]
    # Upper bound of the number of legal moves in any position.
    max_legal: int
    # Moves are numbers below this.
    move_count: int
    # Move <-> notation, at a given table.
    write_move: Callable[[Any, int], str]
    read_move: Callable[[Any, str], int]
    # Card <-> notation.
    write_card: Callable[[int], str]
    read_card: Callable[[str], int]
    # The reason why a move is illegal, with its clause; None for a legal one.
    explain: Callable[[Any, int], Refusal | None]
    # An event as a message, given the names at the seats; None if there is nothing to say.
    describe: Callable[[Event, Sequence[str]], Message | None]
    # The reason for making a legal move, as far as the view shows it, given the names at the seats.
    why: Callable[[Any, int, Sequence[str]], Message]
    # The result of `show` as lines of text, given the names at the seats.
    render_shown: Callable[[dict[str, Any], Sequence[str]], str]
    # A view, and an event as a viewer may know it, for programs: ready for JSON.
    show: Callable[[Any], dict[str, Any]]
    show_event: Callable[[Event], dict[str, Any]]
    # The seats that are asked something out of turn, in the order of their answers.
    seats_asked: Callable[[Any], list[int]]
    # Length of a rollout, in moves of each player: a search evaluates the table after that.
    horizon: int
    # The reason why these options cannot be combined; None if they can.
    conflict: Callable[[Mapping[str, Value]], str | None]
    # The kinds of events, by their numbers: those of all games, and the game's own.
    event_kinds: Mapping[int, Kind]
    # Whether lower scores are better.
    lowest_wins: bool = False
    # Number of seats at a table that is opened for one person and bots.
    solo_seats: int = 2
    # Options that a set-up form chooses together with a number of players, by that number.
    presets: Mapping[int, Mapping[str, Value]] = field(default_factory=dict)
    # Colours of cards and piles in a terminal, by the first letter of their notation: red, green, yellow,
    # blue, purple or orange. A number or a question mark follows this letter.
    colours: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Game {self.id}>"

    def __post_init__(self) -> None:
        settings = list(fields(fields(self.Table)["options"].struct or Struct))
        names = [option.name for option in self.options]
        assert settings == names, f"{self.id}: options are {names}, the struct has {settings}"

    def complete(self, chosen: Mapping[str, object]) -> dict[str, Value]:
        """Return all options of a table, checked one by one and together."""
        options = complete(self.options, chosen)
        problem = self.conflict(options)
        if problem is not None:
            raise OptionError(problem)
        return options

    def options_of(self, table: AnyTable) -> dict[str, Value]:
        """Return the options of a dealt table, `random` seats as the seats they have become."""
        chosen = table.options  # type: ignore[attr-defined]  # every game's own table has them
        return {option.name: option.value(getattr(chosen, option.name)) for option in self.options}

    def new_table(self, options: Mapping[str, Value], chance: Chance) -> Any:
        """Return a plain table with complete options and chance in place, ready to be dealt."""
        table = self.Table()
        table.chance = chance
        table.players = options["players"]
        for option in self.options:
            setattr(table.options, option.name, option.number(options[option.name]))
        return table

    def deal(self, options: Mapping[str, object], seed: bytes) -> Any:
        """Return a plain table, dealt; options that are not named have their defaults."""
        table = self.new_table(self.complete(options), chance_of(seed))
        deal(table)
        return table

    def view(self, table: AnyTable, viewer: int) -> Any:
        """Return what the viewer may know of a plain table."""
        view = self.View()
        observe(table, viewer, view)
        return view

    def render(self, view: AnyView, names: Sequence[str]) -> str:
        """Return a view as lines of text, given the names at the seats."""
        return self.render_shown(self.show(view), names)

    def apply(self, table: AnyTable, move: int) -> None:
        """Make a legal move at a plain table."""
        apply(table, move)

    def legal_moves(self, table: AnyTable) -> list[int]:
        """Return the legal moves at a plain table."""
        moves = [0] * self.max_legal
        return moves[: legal(table, moves)]

    def number_of_move(self, move: object) -> int:
        """Return the number of a move as an `int`, or raise a NotationError if no move has it. NumPy's
        integers are accepted."""
        try:
            number = -1 if isinstance(move, bool) else operator.index(move)  # type: ignore[arg-type]  # tried
        except TypeError:
            number = -1
        if 0 <= number < self.move_count:
            return number
        raise NotationError(
            f"{quoted(move)} is not a move of {self.title}: "
            f"moves are numbered from 0 to {self.move_count - 1}"
        )


def assemble(
    package: str, *, title: str, summary: str, turn_clause: str, max_legal: int, **facts: Any
) -> Game:
    """Return the game that consists of the modules of a package, each under its standard name. The id of the
    game is the name of the package, and `facts` are fields of `Game` that have defaults."""
    part = {name: importlib.import_module(f"{package}.{name}") for name in _MODULES}
    home = {"observe": "view", "determinize": "view", "heuristic": "heuristic", "evaluate": "heuristic"}
    verbs = [verb.__name__ for verb in VERBS]
    return Game(
        id=package.rpartition(".")[2],
        package=package,
        title=title,
        summary=summary,
        turn_clause=turn_clause,
        options=part["options"].OPTIONS,
        Table=part["table"].Table,
        View=part["view"].View,
        rules={verb: getattr(part[home.get(verb, "rules")], verb) for verb in verbs},
        max_legal=max_legal,
        move_count=part["moves"].MOVE_COUNT,
        write_move=part["moves"].write_move,
        read_move=part["moves"].read_move,
        write_card=part["deck"].write_card,
        read_card=part["deck"].read_card,
        explain=part["words"].explain,
        describe=part["words"].describe,
        why=part["why"].why,
        render_shown=part["render"].render_shown,
        show=part["show"].show,
        show_event=part["show"].show_event,
        seats_asked=getattr(part["rules"], "seats_asked", _no_seat_is_asked),
        horizon=part["heuristic"].HORIZON,
        conflict=getattr(part["options"], "conflict", _no_conflict),
        event_kinds=_event_kinds(package),
        **facts,
    )


_MODULES = (
    *("deck", "options", "table", "moves", "rules", "view", "heuristic"),
    *("show", "render", "words", "why"),
)


def _no_seat_is_asked(_table: AnyTable) -> list[int]:
    """By default, no seat is asked anything out of turn."""
    return []


def _no_conflict(_options: Mapping[str, Value]) -> str | None:
    """By default, all options can be combined."""
    return None


def _event_kinds(package: str) -> dict[int, Kind]:
    """Return the kinds of events of a game. Its own, if there are any, are `KINDS` in its module `events`."""
    own = find_module(f"{package}.events")
    kinds: list[Kind] = [*EventKind, *(own.KINDS if own else ())]
    numbered = {kind.value: kind for kind in kinds}
    assert len(numbered) == len(kinds), f"{package}.events: its numbers should begin at 100"
    return numbered


def find_module(name: str) -> Any | None:
    """Return an optional module of a game, None if the game does not have it."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None


_registry: dict[type[Struct], Game] = {}
_meanings: dict[tuple[str, type[Struct]], Callable[..., Any]] = {}


def meaning(verb: str, struct: type[Struct]) -> Callable[..., Any] | None:
    """Return the implementation of a verb for a table or a view of a game; None for other structs."""
    return _meanings.get((verb, struct))


def register(game: Game) -> None:
    """Make the verbs work on the tables and views of a game, and add its catalogues."""
    add_catalogues(game.package)
    for struct in (game.Table, game.View):
        _registry[struct] = game
        for verb, rule in game.rules.items():
            _meanings[verb, struct] = rule


def game_of(position: AnyTable | AnyView) -> Game:
    """Return the game of a table or a view."""
    return _registry[type(position)]


def registered() -> list[Game]:
    """Return the games whose packages have been imported."""
    return list({game.id: game for game in _registry.values()}.values())
