"""For the contract tests: all cards and chips of a table, and the places hidden from a viewer."""

from __future__ import annotations

__all__ = ["COUNTED", "KINDS", "census", "hidden_places"]

from collections.abc import MutableSequence

from upcard.core.piles import Place, places_of, tally, tally_building
from upcard.core.rule import rule
from upcard.games.stacks.deck import BLOCK, COLOURS, KINDS, TWO_PLAYER_DECK
from upcard.games.stacks.memory import memory_of
from upcard.games.stacks.table import ASK, PILES, Table

# The chips of each colour are counted after the cards.
COUNTED = KINDS + len(COLOURS)


@rule
def census(table: Table, counts: MutableSequence[int]) -> None:
    """Count all cards and chips of a table."""
    tally(table.deck, counts)
    for card in range(KINDS):
        counts[card] += table.finished[card] + table.spent[card]
    for pile in range(PILES):
        tally_building(table.piles[pile], counts)
    for seat in range(table.players):
        tally(table.seats[seat].hand, counts)
        tally(table.seats[seat].discards, counts)
    for colour in range(len(COLOURS)):
        counts[KINDS + colour] += table.bank[colour]
        for seat in range(table.players):
            counts[KINDS + colour] += table.seats[seat].chips[colour]


def hidden_places(table: Table, viewer: int) -> list[list[Place]]:
    """Return groups of places whose cards may change places within the group. Cards that the viewer remembers
    stay where they are, and so do blocks while a seat is asked for one."""
    memory = memory_of(table, viewer)
    remembered = {memory.sightings[place].card for place in range(memory.count)}
    fixed = remembered | ({BLOCK} if table.step == ASK else set())
    held = [
        place
        for seat in range(table.players)
        if seat != viewer
        for place in places_of(table.seats[seat].hand)
        if place[0][place[1]] not in fixed
    ]
    deck = [place for place in places_of(table.deck) if place[0][place[1]] not in fixed]
    was_reshuffled = sum(table.drawable) < sum(TWO_PLAYER_DECK)
    return [deck, held] if was_reshuffled else [deck + held]
