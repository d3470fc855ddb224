"""The parts of the state of a table: seats, windows, questions and applied entries."""

from __future__ import annotations

__all__ = ["AppliedEntry", "Question", "Seat", "Window"]

from collections.abc import Container, Sequence
from dataclasses import dataclass

from upcard.core.events import Event
from upcard.server.table.entries import Entry


@dataclass(slots=True)
class Seat:
    """A seat and its player: a person (by mark), a bot, or nobody yet."""

    name: str = ""
    bot: str | None = None
    person: str | None = None
    # The random bytes that the person's device contributes to the shuffle.
    share: bytes | None = None
    # Only this person may sit here.
    kept_for: str | None = None
    # The bot that plays for a person who is away.
    stand_in: str | None = None
    left: bool = False
    # Whether the person has given up; then the bot plays to the end.
    resigned: bool = False
    # The picture and the colour of the player; empty and 0 if none was chosen.
    face: str = ""
    tint: int = 0
    # Whether the player always wants time to answer out of turn.
    unhurried: bool = False

    @property
    def is_free(self) -> bool:
        """Whether anyone could sit here."""
        return self.person is None and self.bot is None

    @property
    def player(self) -> str | None:
        """The bot that plays here now, None for a person."""
        return self.bot or self.stand_in


@dataclass(frozen=True, slots=True)
class Window:
    """A period in which some seats may answer out of turn, the same for all, whatever they hold.

    It closes at `closes`. The seats of `held_by` have asked everyone to wait: once all of them have answered
    it closes sooner, but never before `earliest`."""

    opened: int
    closes: float
    earliest: float = 0.0
    held_by: frozenset[int] = frozenset()

    def closes_at(self, answered: Container[int]) -> float:
        """Return when it closes if these seats have answered."""
        if self.held_by and all(seat in answered for seat in self.held_by):
            return min(self.closes, self.earliest)
        return self.closes


@dataclass(slots=True)
class Question:
    """A question to which all others at the table have to agree: who asked, by which entry, and who has not
    answered yet."""

    seat: int
    asked: int
    waiting: set[int]


@dataclass(frozen=True, slots=True)
class AppliedEntry:
    """An entry with its number and time, and the news of the game that it brought."""

    seq: int
    at: float
    entry: Entry
    news: Sequence[Event] = ()
