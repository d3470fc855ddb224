"""Moves of Stacks as numbers and as text: `r3 R2`, `top R2`, `card @2 hand`, `x r3`, `block`."""

from __future__ import annotations

__all__ = [
    "ALLOW",
    "BLOCK_IT",
    "END",
    "FROM_HAND",
    "FROM_TOP",
    "HAND_OF",
    "MOVE_COUNT",
    "TOP_OF",
    "card_in",
    "discard",
    "half_in",
    "is_discard",
    "is_play_on_pile",
    "on_pile",
    "pile_in",
    "plain_special",
    "read_move",
    "source_in",
    "special_in",
    "target_in",
    "theft",
    "write_move",
]

from upcard.core.errors import NotationError
from upcard.core.notation import seat_after
from upcard.core.rule import rule
from upcard.core.text import quoted
from upcard.games.stacks.deck import (
    CARD,
    CHIP,
    COLOURS,
    KINDS,
    NUMBERED,
    REVERSE,
    SKIP,
    read_card,
    write_card,
)
from upcard.games.stacks.table import PILES, SEATS, Table

# The sources of cards, and the targets of thefts.
FROM_HAND = 0
FROM_TOP = 1
HAND_OF = 0
TOP_OF = 1

PILE_NAMES = ("R1", "R2", "B1", "B2")

# Numbered in blocks: cards of the hand onto piles; the top discard onto piles; specials of the hand, then the
# same from the top (skip, reverse, thefts of cards, thefts of chips); discards.
TOP_ON_PILE = NUMBERED * PILES
SPECIALS = TOP_ON_PILE + PILES
CARD_THEFTS = 2
CHIP_THEFTS = CARD_THEFTS + 2 * SEATS
SPECIALS_OF_A_SOURCE = CHIP_THEFTS + 2 * SEATS
DISCARDS = SPECIALS + 2 * SPECIALS_OF_A_SOURCE
BLOCK_IT = DISCARDS + KINDS
ALLOW = BLOCK_IT + 1
END = ALLOW + 1
MOVE_COUNT = END + 1


@rule
def on_pile(source: int, card: int, pile: int) -> int:
    """Return the move that puts a card on a pile."""
    return TOP_ON_PILE + pile if source == FROM_TOP else card * PILES + pile


@rule
def plain_special(source: int, card: int) -> int:
    """Return the move that plays a skip or a reverse."""
    return SPECIALS + source * SPECIALS_OF_A_SOURCE + card - SKIP


@rule
def theft(source: int, card: int, seat: int, half: int) -> int:
    """Return the move that steals from a seat: a card of the hand or pile, a red or blue chip."""
    thefts = CARD_THEFTS if card == CARD else CHIP_THEFTS
    return SPECIALS + source * SPECIALS_OF_A_SOURCE + thefts + seat * 2 + half


@rule
def discard(card: int) -> int:
    """Return the move that discards a card and ends the turn."""
    return DISCARDS + card


@rule
def is_play_on_pile(move: int) -> bool:
    """Whether a move puts a card on a pile."""
    return move < SPECIALS


@rule
def is_discard(move: int) -> bool:
    """Whether a move discards a card."""
    return DISCARDS <= move < BLOCK_IT


@rule
def pile_in(move: int) -> int:
    """Return the pile that a card is put on."""
    return move % PILES


@rule
def source_in(move: int) -> int:
    """Return where the card comes from."""
    if is_play_on_pile(move):
        return int(move >= TOP_ON_PILE)
    return int(move >= SPECIALS + SPECIALS_OF_A_SOURCE) if move < DISCARDS else FROM_HAND


@rule
def within_specials(move: int) -> int:
    """Return the index of a special's move among those of its source."""
    return (move - SPECIALS) % SPECIALS_OF_A_SOURCE


@rule
def special_in(move: int) -> int:
    """Return which special a move plays."""
    within = within_specials(move)
    if within < CARD_THEFTS:
        return SKIP + within
    return CARD if within < CHIP_THEFTS else CHIP


@rule
def target_in(move: int) -> int:
    """Return the seat that a theft is from."""
    return ((within_specials(move) - CARD_THEFTS) // 2) % SEATS


@rule
def half_in(move: int) -> int:
    """Return the choice of a theft: HAND_OF or TOP_OF, red or blue."""
    return within_specials(move) % 2


@rule
def card_in(move: int) -> int:
    """Return the hand card that a play on a pile or a discard uses."""
    return move - DISCARDS if is_discard(move) else move // PILES


def write_move(table: Table, move: int) -> str:
    if move >= BLOCK_IT:
        return ("block", "allow", "end")[move - BLOCK_IT]
    if is_discard(move):
        return f"x {write_card(card_in(move))}"
    top = source_in(move) == FROM_TOP
    if is_play_on_pile(move):
        return f"{'top' if top else write_card(card_in(move))} {PILE_NAMES[pile_in(move)]}"
    return ("top " if top else "") + _write_special(move)


def _write_special(move: int) -> str:
    special = special_in(move)
    if special in (SKIP, REVERSE):
        return write_card(special)
    taken = ("hand", "top") if special == CARD else COLOURS
    return f"{write_card(special)} @{target_in(move) + 1} {taken[half_in(move)]}"


def read_move(table: Table, text: str) -> int:
    words = text.lower().split()
    piles = [name.lower() for name in PILE_NAMES]
    match words:
        case ["block"] | ["allow"] | ["end"]:
            return BLOCK_IT + ("block", "allow", "end").index(words[0])
        case ["x", card]:
            return discard(read_card(card))
        case ["top", pile] if pile in piles:
            return on_pile(FROM_TOP, 0, piles.index(pile))
        case [card, pile] if pile in piles and read_card(card) < NUMBERED:
            return on_pile(FROM_HAND, read_card(card), piles.index(pile))
        case ["top", *special] if special:
            return _read_special(table, text, FROM_TOP, special)
    return _read_special(table, text, FROM_HAND, words)


def _read_special(table: Table, text: str, source: int, words: list[str]) -> int:
    match words:
        case ["skip"] | ["reverse"]:
            return plain_special(source, read_card(words[0]))
        case ["card", target, "hand" | "top" as taken]:
            return theft(source, CARD, seat_after("@", target, table.players), int(taken == "top"))
        case ["chip", target, "red" | "blue" as colour]:
            return theft(source, CHIP, seat_after("@", target, table.players), int(colour == "blue"))
    raise NotationError(
        f"{quoted(text)} is not a move of Stacks: write 'r3 R2', 'top B1', 'skip', 'card @2 hand', "
        "'chip @2 red', 'x r3', 'block', 'allow' or 'end'"
    )
