"""News: what happened at a table, told as it happens, and who may know which card it was.

Rules tell the news as they act. A plain table that somebody listens to keeps it as `Event`s; for
compiled tables telling costs nothing and leaves nothing. `sees` is the one function that decides
what is shown: events and views both ask it.
"""

from __future__ import annotations

__all__ = [
    "EVERYONE",
    "HIDDEN",
    "NOBODY",
    "Event",
    "News",
    "only",
    "redact",
    "sees",
    "tell",
    "tell_order",
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


class News(IntEnum):
    """The kinds of things that happen at a card table."""

    TURN = 1  # seat's turn begins
    DEALT = 2  # seat gets card at place
    DREW = 3  # seat draws card into the hand
    PLAYED = 4  # seat puts card on place (of other's zone)
    COMPLETED = 5  # seat has finished the pile at place
    SHUFFLED = 6  # a new draw pile, of `cards`
    DISCARDED = 7  # seat discards card
    SET_ASIDE = 8  # the line at place of seat's zone is no longer active
    PASSED = 9  # seat ends the turn by choice
    SKIPPED = 10  # seat misses a turn
    REVERSED = 11  # seat turns the direction round
    STOLE = 12  # seat takes card from other, out of place (hand or pile)
    STOLE_CHIP = 13  # seat takes a chip of colour place from other
    EARNED = 14  # seat gets a chip of colour place
    ASKED = 15  # seat is asked whether to block
    ALLOWED = 16  # seat lets it pass
    BLOCKED = 17  # seat blocks the pile at place
    LAST_TURNS = 18  # seat's zone ends the game: one last turn for everybody but other
    OVER = 19  # the game has ended; place says why
    STOPPED = 20  # seat can play nothing more, and the turn ends by itself


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. `audience` is who may know `card`; `secret` hides all of it."""

    kind: News
    seat: int
    card: int = HIDDEN
    place: int = 0
    other: int = 0
    audience: int = EVERYONE
    secret: bool = False
    cards: tuple[int, ...] = ()


@rule
def only(seat: int) -> int:
    """Return the audience of one seat; add two to have both."""
    return 1 << seat


@rule
def sees(viewer: int, audience: int) -> bool:
    """Tell whether the viewer (a seat, or SPECTATOR) is in the audience."""
    if audience == EVERYONE:
        return True
    return viewer != SPECTATOR and (audience >> viewer) & 1 == 1


def redact(event: Event, viewer: int) -> Event | None:
    """Return the event as the viewer may know it; None where even that it happened is secret."""
    if sees(viewer, event.audience):
        return event
    if event.secret:
        return None
    unknown = tuple(HIDDEN for _ in event.cards)
    return replace(event, card=HIDDEN, cards=unknown, audience=NOBODY)


def _silent(table: Table, kind: int, seat: int, card: int, place: int, other: int, audience: int) -> None:
    pass


@rule(compiled=_silent)
def tell(table: Table, kind: int, seat: int, card: int, place: int, other: int, audience: int) -> None:
    """Note that something happened, for whoever listens to this table."""
    if table.news is not None:
        secret = kind in (News.ASKED, News.ALLOWED)
        table.news.append(Event(News(kind), seat, card, place, other, audience, secret))


def _silent_order(table: Table, cards: Sequence[int], count: int) -> None:
    pass


@rule(compiled=_silent_order)
def tell_order(table: Table, cards: Sequence[int], count: int) -> None:
    """Note the order of a new draw pile, the first card to be drawn first."""
    if table.news is not None:
        order = tuple(cards[count - 1 :: -1]) if count else ()
        table.news.append(Event(News.SHUFFLED, SPECTATOR, audience=NOBODY, cards=order))
