"""Positions of Stacks as text: `R1: r1 r2; @1 hand: r3 skip; @1 discards: b2; @2 chips: 1 2; deck: b4 b4;
turn: 1`.

Chips are the numbers of red and blue ones. Nobody remembers any card yet.
"""

from __future__ import annotations

__all__ = ["places", "settle"]

from upcard.core.errors import NotationError
from upcard.core.position import Cards, Counts, Number, Numbers, Place, SeatNumber, Word
from upcard.games.stacks.deck import COLOURS, HIGHEST, KINDS
from upcard.games.stacks.memory import clear_memories
from upcard.games.stacks.moves import PILE_NAMES
from upcard.games.stacks.options import CHIP_WIN_ILLEGAL
from upcard.games.stacks.rules import copies, has_won
from upcard.games.stacks.table import CHIPS, PLAY, Table


def places(table: Table) -> dict[str, Place]:
    """Return the places of a table by name."""
    found: dict[str, Place] = {name: Cards(pile) for name, pile in zip(PILE_NAMES, table.piles, strict=True)}
    for number, seat in enumerate(table.seats[: table.players], 1):
        found[f"@{number} hand"] = Cards(seat.hand)
        found[f"@{number} discards"] = Cards(seat.discards)
        found[f"@{number} chips"] = Numbers(seat.chips)
    found["deck"] = Cards(table.deck, drawn=True)
    found["finished"] = Counts(table.finished)
    found["spent"] = Counts(table.spent)
    found["turn"] = SeatNumber(table, "player", table.players)
    found["direction"] = Word(table, "direction", {"left": 1, "right": -1})
    found["skips"] = Number(table, "skips")
    found["turns"] = Number(table, "turn")
    return found


def settle(table: Table) -> None:
    """Check what follows from the places, and set it: the bank, and that a turn has just begun."""
    if any(pile.height == HIGHEST for pile in table.piles):
        raise NotationError(f"a pile that reaches {HIGHEST} is cleared away (K3.4)")
    for colour, name in enumerate(COLOURS):
        table.bank[colour] = CHIPS - sum(seat.chips[colour] for seat in table.seats[: table.players])
        if table.bank[colour] < 0:
            raise NotationError(f"there are {CHIPS} {name} chips (K1.2)")
    if table.options.chip_win == CHIP_WIN_ILLEGAL and any(
        has_won(seat.chips[0], seat.chips[1]) for seat in table.seats[: table.players]
    ):
        raise NotationError("a seat has enough chips to win, so the game is over (K6.1)")
    for card in range(KINDS):
        table.drawable[card] = copies(card, table.players, table.options.two_player_deck)
    clear_memories(table)
    table.to_move, table.step = table.player, PLAY
    table.turn = max(table.turn, 1)
    table.stirred = table.turn
    table.plays = table.owed = 0
    for seat in table.seats[: table.players]:
        seat.last_turn = 0
