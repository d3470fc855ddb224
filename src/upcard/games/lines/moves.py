"""Moves of Lines as numbers and as text: `r7 top`, `r7 +2`, `r7 @3 bottom`, `x r7`."""

from __future__ import annotations

__all__ = [
    "BOTTOM",
    "DISCARD",
    "LINE",
    "MOVE_COUNT",
    "TOP",
    "card_in",
    "discard",
    "lay",
    "place_in",
    "read_move",
    "spot_in",
    "write_move",
    "zone_in",
]

from upcard.core.errors import NotationError
from upcard.core.notation import number_after, seat_after
from upcard.core.rule import rule
from upcard.core.text import quoted
from upcard.games.lines.deck import DECK, read_card, write_card
from upcard.games.lines.table import LINES, SEATS, Table

# A place is the discards, or a spot of a zone: a new line at its top or bottom, or one of its lines.
DISCARD = 0
TOP = 0
BOTTOM = 1
LINE = 2
SPOTS = LINE + LINES
PLACES = 1 + SEATS * SPOTS
MOVE_COUNT = DECK * PLACES


@rule
def lay(card: int, zone: int, spot: int) -> int:
    """Return the move that lays a card at a spot of a zone."""
    return card * PLACES + 1 + zone * SPOTS + spot


@rule
def discard(card: int) -> int:
    """Return the move that discards a card."""
    return card * PLACES + DISCARD


@rule
def card_in(move: int) -> int:
    """Return the card that a move plays."""
    return move // PLACES


@rule
def place_in(move: int) -> int:
    """Return the place that a move goes to: DISCARD, or a spot of a zone."""
    return move % PLACES


@rule
def zone_in(move: int) -> int:
    """Return the zone that a move goes to."""
    return (place_in(move) - 1) // SPOTS


@rule
def spot_in(move: int) -> int:
    """Return the spot of the zone: TOP, BOTTOM, or LINE + the number of a line."""
    return (place_in(move) - 1) % SPOTS


def write_move(table: Table, move: int) -> str:
    card = write_card(card_in(move))
    if place_in(move) == DISCARD:
        return f"x {card}"
    zone, spot = zone_in(move), spot_in(move)
    words = [card] if zone == table.to_move else [card, f"@{zone + 1}"]
    words.append({TOP: "top", BOTTOM: "bottom"}.get(spot) or f"+{spot - LINE + 1}")
    return " ".join(words)


def read_move(table: Table, text: str) -> int:
    match text.lower().split():
        case ["x", card]:
            return discard(read_card(card))
        case [card, spot]:
            return lay(read_card(card), table.to_move, _spot(spot))
        case [card, zone, spot]:
            return lay(read_card(card), seat_after("@", zone, table.players), _spot(spot))
    raise NotationError(
        f"{quoted(text)} is not a move of Lines: write 'r7 top', 'r7 bottom' or 'r7 +2' for your own zone, "
        "'r7 @3 top' for seat 3's, or 'x r7' to discard"
    )


def _spot(text: str) -> int:
    if text in ("top", "bottom"):
        return TOP if text == "top" else BOTTOM
    return LINE + number_after("+", text, LINES) - 1
