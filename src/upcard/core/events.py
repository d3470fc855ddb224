"""Events: what happens at a table, and who may know which card it was.

Rules emit events as they act. A plain table with a listener keeps them as `Event`s; compiled rules emit
nothing, at no cost. Only `sees` decides what a viewer is shown, in both events and views.
"""

from __future__ import annotations

__all__ = [
    "EVERYONE",
    "HIDDEN",
    "NOBODY",
    "Event",
    "EventKind",
    "Kind",
    "emit",
    "emit_shuffle",
    "only",
    "redact",
    "sees",
]

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING

from upcard.core.rule import rule
from upcard.core.seats import SPECTATOR

if TYPE_CHECKING:
    from upcard.core.table import Table

EVERYONE = -1
NOBODY = 0

# Stands for a card that the viewer may not know. (A place with no card in it is piles.NO_CARD.)
HIDDEN = -2


class Kind(IntEnum):
    """A kind of event. A game declares kinds of its own in a subclass, numbered from 100."""

    @property
    def is_secret(self) -> bool:
        """Whether a viewer outside the audience may not even know that it happened."""
        return False

    @property
    def takes_card(self) -> bool:
        """Whether the seat takes a card of another seat. If not everyone may see the card, it was taken
        blind: chance chose it, and records contain it as `took`."""
        return False


class EventKind(Kind):
    """The kinds of events that are common to card games. The meaning of `place` and `other` depends on the
    game."""

    TURN = 1  # seat's turn begins
    DEALT = 2  # seat gets card at place
    DREW = 3  # seat draws card into the hand
    PLAYED = 4  # seat plays card to place
    COMPLETED = 5  # seat has completed the pile at place
    SHUFFLED = 6  # a new draw pile, of `cards`
    DISCARDED = 7  # seat discards card
    PASSED = 8  # seat ends the turn by choice
    SKIPPED = 9  # seat misses a turn
    ASKED = 10  # seat is asked something out of turn
    ALLOWED = 11  # seat, which was asked, lets the game continue
    OVER = 12  # the game has ended; place is the Reason

    @property
    def is_secret(self) -> bool:
        """Hidden cards determine which seats are asked, and which of them have a choice."""
        return self in (EventKind.ASKED, EventKind.ALLOWED)


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. `audience` says who may know `card`."""

    kind: Kind
    seat: int
    card: int = HIDDEN
    place: int = 0
    other: int = 0
    audience: int = EVERYONE
    cards: tuple[int, ...] = ()

    @property
    def secret(self) -> bool:
        """Whether a viewer outside the audience may not even know that it happened."""
        return self.kind.is_secret

    @property
    def taken_blind(self) -> bool:
        """Whether `card` was taken from another seat by chance."""
        return self.kind.takes_card and self.audience != EVERYONE


@rule
def only(seat: int) -> int:
    """Return the audience of one seat; add two to have both."""
    return 1 << seat


@rule
def sees(viewer: int, audience: int) -> bool:
    """Whether the viewer (a seat, or SPECTATOR) is in the audience."""
    if audience == EVERYONE:
        return True
    return viewer != SPECTATOR and (audience >> viewer) & 1 == 1


def redact(event: Event, viewer: int) -> Event | None:
    """Return the event as the viewer may know it; None if even its occurrence is secret."""
    if sees(viewer, event.audience):
        return event
    if event.secret:
        return None
    unknown = tuple(HIDDEN for _ in event.cards)
    return replace(event, card=HIDDEN, cards=unknown, audience=NOBODY)


def _silent(table: Table, kind: Kind, seat: int, card: int, place: int, other: int, audience: int) -> None:
    pass


@rule(compiled=_silent, javascript="events")
def emit(table: Table, kind: Kind, seat: int, card: int, place: int, other: int, audience: int) -> None:
    """Emit an event to the listener of this table."""
    if table.events is not None:
        table.events.append(Event(kind, seat, card, place, other, audience))


def _silent_order(table: Table, cards: Sequence[int], count: int) -> None:
    pass


@rule(compiled=_silent_order, javascript="events")
def emit_shuffle(table: Table, cards: Sequence[int], count: int) -> None:
    """Emit the order of a new draw pile, the first card to be drawn first."""
    if table.events is not None:
        order = tuple(cards[count - 1 :: -1]) if count else ()
        table.events.append(Event(EventKind.SHUFFLED, SPECTATOR, audience=NOBODY, cards=order))
