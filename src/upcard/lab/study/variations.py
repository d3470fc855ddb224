"""Options to be varied: parsing `stock=5,10`, `refill` or `all`, and refusing values that cannot be dealt."""

from __future__ import annotations

__all__ = ["Variation", "read_variations", "word"]

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from upcard.core.errors import OptionError
from upcard.core.game import Game
from upcard.core.options import Choice, Flag, Number, Option, SeatChoice, Value

ALL = "all"
# For a number with more values than this, the values have to be chosen.
MAX_VALUES = 10


@dataclass(frozen=True)
class Variation:
    """A value of an option, and all options of its table; or the reason why it cannot be dealt."""

    option: Option
    value: Value
    options: Mapping[str, Value]
    refused: str | None = None


def read_variations(game: Game, chosen: Mapping[str, object], texts: Sequence[str]) -> list[Variation]:
    """Return the variations that texts ask for, at a table with these options; or raise an error."""
    found: dict[str, list[Variation]] = {}
    for text in texts:
        for option, values, named in _read(game, text):
            if option.name in found:
                raise OptionError(f"{option.name} is varied twice")
            unique = dict.fromkeys(option.read(value) for value in values)
            found[option.name] = [_variation(game, chosen, option, value, named) for value in unique]
    return [variation for variations in found.values() for variation in variations]


def _read(game: Game, text: str) -> Iterator[tuple[Option, Sequence[object], bool]]:
    """Yield the options of a text, their values, and whether the text names these values."""
    options = {option.name: option for option in game.options}
    name, equals, values = text.partition("=")
    if text == ALL:
        for option in options.values():
            if not isinstance(option, SeatChoice):
                yield option, _values(option) or _some_values(option), False
        return
    if name not in options:
        game.complete({name: values})  # raises the error for an unknown option
    option = options[name]
    if isinstance(option, SeatChoice):
        raise OptionError(
            f"{name} only decides who goes first, so it changes nothing: a study counts from there"
        )
    if not equals and not _values(option):
        raise OptionError(f"{name} is {option.values}, so say which, as in {name}={option.default},...")
    yield option, values.split(",") if equals else _values(option), bool(equals)


def _values(option: Option) -> Sequence[Value]:
    """Return all values of an option; none if there are too many."""
    match option:
        case Choice():
            return option.choices
        case Flag():
            return option.default, not option.default
        case Number() if option.maximum - option.minimum < MAX_VALUES:
            return range(option.minimum, option.maximum + 1)
    return ()


def _some_values(option: Option) -> Sequence[Value]:
    """Return half of the default, the default, and twice that."""
    assert isinstance(option, Number)
    return [
        max(option.minimum, min(option.maximum, value))
        for value in (option.standard // 2, option.standard, 2 * option.standard)
    ]


def _variation(
    game: Game, chosen: Mapping[str, object], option: Option, value: Value, named: bool
) -> Variation:
    try:
        return Variation(option, value, game.complete({**chosen, option.name: value}))
    except OptionError as error:
        if named:
            raise
        return Variation(option, value, {}, str(error))


def word(value: Value) -> str:
    """Return a value as it is written."""
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
