"""The memory of seats: cards seen going into another hand stay known until they leave it."""

from __future__ import annotations

__all__ = ["card_left_hand", "card_was_seen", "card_was_stolen_blind", "clear_memories", "memory_of"]

from upcard.core.events import only, sees
from upcard.core.rule import rule
from upcard.core.seats import SPECTATOR
from upcard.core.struct import assign
from upcard.games.stacks.table import SIGHTINGS, Memory, Table


@rule
def memory_of(table: Table, viewer: int) -> Memory:
    """Return what a seat, or a SPECTATOR, remembers."""
    return table.memories[viewer - SPECTATOR]


@rule
def clear_memories(table: Table) -> None:
    """Empty all memories."""
    for viewer in range(SPECTATOR, table.players):
        memory_of(table, viewer).count = 0


@rule
def card_was_seen(table: Table, holder: int, card: int, audience: int) -> None:
    """K4.3 A stolen card is known to those who saw it go into the hand it is now in."""
    for viewer in range(SPECTATOR, table.players):
        if viewer != holder and sees(viewer, audience):
            remember(memory_of(table, viewer), holder, card)


@rule
def remember(memory: Memory, holder: int, card: int) -> None:
    """Add a sighting; if there is no room, the oldest is dropped."""
    if memory.count == SIGHTINGS:
        forget(memory, 0)
    memory.sightings[memory.count].card = card
    memory.sightings[memory.count].holders = only(holder)
    memory.count += 1


@rule
def forget(memory: Memory, place: int) -> None:
    """Drop a sighting."""
    memory.count -= 1
    for later in range(place, memory.count):
        assign(memory.sightings[later], memory.sightings[later + 1])


@rule
def card_left_hand(table: Table, holder: int, card: int) -> None:
    """Everyone has seen a card leave a hand, and no longer knows it to be there."""
    for viewer in range(SPECTATOR, table.players):
        strike_out(memory_of(table, viewer), holder, card)
    empty_hands_hold_nothing(table, holder)


@rule
def strike_out(memory: Memory, holder: int, card: int) -> None:
    """Forget one such card in that hand, preferably one that is certainly there."""
    found = -1
    holders = 0
    for place in range(memory.count):
        sighting = memory.sightings[place]
        if sighting.card == card and sees(holder, sighting.holders):
            if sighting.holders == only(holder):
                forget(memory, place)
                return
            found = place
            holders |= sighting.holders
    if found < 0:
        return
    forget(memory, found)
    # Equal cards are indistinguishable, so the others may be wherever any of them was.
    for place in range(memory.count):
        sighting = memory.sightings[place]
        if sighting.card == card and sees(holder, sighting.holders):
            sighting.holders = holders


@rule
def card_was_stolen_blind(table: Table, victim: int, thief: int, card: int) -> None:
    """K4.3 Only thief and victim know which card was stolen; for all others it may be any card of the
    hand."""
    strike_out(memory_of(table, thief), victim, card)
    for viewer in range(SPECTATOR, table.players):
        if viewer != victim and viewer != thief:
            memory = memory_of(table, viewer)
            for place in range(memory.count):
                if sees(victim, memory.sightings[place].holders):
                    memory.sightings[place].holders |= only(thief)
    empty_hands_hold_nothing(table, victim)


@rule
def empty_hands_hold_nothing(table: Table, holder: int) -> None:
    """Forget all cards in empty hands."""
    if table.seats[holder].hand.count > 0:
        return
    for viewer in range(SPECTATOR, table.players):
        memory = memory_of(table, viewer)
        for place in range(memory.count - 1, -1, -1):
            if sees(holder, memory.sightings[place].holders):
                memory.sightings[place].holders -= only(holder)
                if memory.sightings[place].holders == 0:
                    forget(memory, place)
