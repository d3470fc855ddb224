"""Options: the rulings of a rulebook that a table may change, each with its clause and values."""

from __future__ import annotations

__all__ = [
    "Choice",
    "Flag",
    "Number",
    "Option",
    "SeatChoice",
    "Value",
    "complete",
    "players_option",
]

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from upcard.core.errors import OptionError
from upcard.core.notation import whole
from upcard.core.seats import RANDOM_SEAT
from upcard.core.text import quoted

Value = int | bool | str

RANDOM = "random"


@dataclass(frozen=True)
class Option(ABC):
    """One ruling: its name, the clause it changes, and its default.

    `players` is the only number of players for which it has an effect; None is any number.
    """

    name: str
    clause: str
    players: int | None = field(default=None, kw_only=True)

    @property
    @abstractmethod
    def default(self) -> Value:
        """The value unless a table chooses another."""

    @abstractmethod
    def read(self, value: object) -> Value:
        """Return the value of a JSON value or a text; raise OptionError for an invalid one."""

    @abstractmethod
    def number(self, value: Value) -> int:
        """Return the number of a value in the rules."""

    @abstractmethod
    def value(self, number: int) -> Value:
        """Return the value of a number in the rules."""

    @property
    @abstractmethod
    def values(self) -> str:
        """The possible values, for people, the default first."""

    def refuse(self, value: object) -> OptionError:
        """Return the error for a value that the option does not have."""
        return OptionError(f"{self.name} cannot be {quoted(value)}: it is {self.values} ({self.clause})")


@dataclass(frozen=True)
class Choice(Option):
    """One of a few words or numbers, the default first. In the rules, a word is represented by its index."""

    choices: tuple[str, ...] | tuple[int, ...]

    @property
    def default(self) -> Value:
        return self.choices[0]

    def read(self, value: object) -> Value:
        for choice in self.choices:
            written = isinstance(value, str) and value == str(choice)
            if written or (value == choice and not isinstance(value, bool | float)):
                return choice
        raise self.refuse(value)

    def number(self, value: Value) -> int:
        return value if isinstance(value, int) else [*self.choices].index(value)

    def value(self, number: int) -> Value:
        return number if number in self.choices else self.choices[number]

    @property
    def values(self) -> str:
        return " or ".join(str(choice) for choice in self.choices)


@dataclass(frozen=True)
class Flag(Option):
    """Yes or no."""

    default_is_yes: bool

    @property
    def default(self) -> Value:
        return self.default_is_yes

    def read(self, value: object) -> Value:
        if isinstance(value, bool):
            return value
        if value in ("yes", "true"):
            return True
        if value in ("no", "false"):
            return False
        raise self.refuse(value)

    def number(self, value: Value) -> int:
        return int(value)

    def value(self, number: int) -> Value:
        return bool(number)

    @property
    def values(self) -> str:
        return "yes or no" if self.default_is_yes else "no or yes"


@dataclass(frozen=True)
class Number(Option):
    """A whole number within bounds."""

    standard: int
    minimum: int
    maximum: int

    @property
    def default(self) -> Value:
        return self.standard

    def read(self, value: object) -> Value:
        number = _number(value)
        if number is None or not self.minimum <= number <= self.maximum:
            raise self.refuse(value)
        return number

    def number(self, value: Value) -> int:
        return int(value)

    def value(self, number: int) -> Value:
        return number

    @property
    def values(self) -> str:
        return f"a whole number from {self.minimum} to {self.maximum}"


@dataclass(frozen=True)
class SeatChoice(Option):
    """A seat, or `random`. Whether the seat exists is checked once the number of players is known."""

    @property
    def default(self) -> Value:
        return RANDOM

    def read(self, value: object) -> Value:
        if value == RANDOM:
            return RANDOM
        seat = _number(value)
        if seat is None or seat < 1:
            raise self.refuse(value)
        return seat

    def number(self, value: Value) -> int:
        return RANDOM_SEAT if value == RANDOM else int(value) - 1

    def value(self, number: int) -> Value:
        return RANDOM if number == RANDOM_SEAT else number + 1

    @property
    def values(self) -> str:
        return "random or the number of a seat"


def _number(value: object) -> int | None:
    """Return the whole number that a JSON value or a text is, or None."""
    if isinstance(value, str):
        return whole(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def players_option(clause: str, minimum: int, maximum: int) -> Number:
    """Return the option that every game has: the number of players, by default two."""
    return Number("players", clause, max(2, minimum), minimum, maximum)


def complete(options: Sequence[Option], chosen: Mapping[str, object]) -> dict[str, Value]:
    """Return all options with their values: the chosen ones, parsed and checked, and the defaults."""
    known = {option.name: option for option in options}
    for name in chosen:
        if name not in known:
            raise OptionError(f"there is no option {quoted(name)}: the options are {', '.join(known)}")
    values = {
        name: option.read(chosen[name]) if name in chosen else option.default
        for name, option in known.items()
    }
    for option in options:
        value = values[option.name]
        if isinstance(option, SeatChoice) and value != RANDOM and int(value) > int(values["players"]):
            raise OptionError(
                f"{option.name} cannot be seat {value}: "
                f"there are {values['players']} players ({option.clause})"
            )
    return values
