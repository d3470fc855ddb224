"""Lines as numbers: version 1 of its observations and actions."""

from __future__ import annotations

__all__ = ["ACTIONS", "KINDS", "OBSERVATION", "VERSION", "action_of", "encode", "move_of"]

from collections.abc import MutableSequence
from typing import Any

from upcard.core.layout import Layout
from upcard.core.rule import rule
from upcard.core.seats import along, steps_to
from upcard.games.lines.deck import COLOURS, DECK, VALUES, colour_of, value_of
from upcard.games.lines.moves import (
    BOTTOM,
    DISCARD,
    LINE,
    TOP,
    card_in,
    discard,
    lay,
    place_in,
    spot_in,
    zone_in,
)
from upcard.games.lines.table import HAND, SEATS, Hand, Table, Zone
from upcard.games.lines.view import View

VERSION = 1
KINDS = DECK

STEPS = 3
HUNDRED = 100
MOST = 255
CARD = len(COLOURS) + VALUES

OBSERVATION = Layout()
PLAYERS = OBSERVATION.add("players", 1, SEATS, "how many play")
COLOURS_OPTION = OBSERVATION.add("option colours", 1, len(COLOURS), "how many colours are in play")
EXTEND = OBSERVATION.add("option extend", 1, 2, "1: `next`, 2: `any`")
GIVE = OBSERVATION.add("option give", 1, 1, "1: `matching`")
RESHUFFLE = OBSERVATION.add("option reshuffle", 1, 1, "1: yes")
OVER = OBSERVATION.add("over", 1, 4, "0 during the game; then 2 stuck, 3 scored")
FIRST = OBSERVATION.add("first", SEATS, 1, "1 at the seat that began, counted from you")
TO_MOVE = OBSERVATION.add("to move", SEATS, 1, "1 at the seat that is to move, counted from you")
STEP = OBSERVATION.add("step", STEPS, 1, "1 at the step of the turn: opening, gift, home")
TURN = OBSERVATION.add("turn", 2, MOST, "turns begun: hundreds, and the rest")
IDLE_TURNS = OBSERVATION.add("idle turns", 1, MOST, "turns begun since a card was laid (L6.3)")
CLOSING = OBSERVATION.add(
    "closing", 1, SEATS, "turns to finish, this one included, once the end is near (L5.1)"
)
DECK_COUNT = OBSERVATION.add("deck count", 1, DECK, "cards in the draw pile")
SLOTS = OBSERVATION.add(
    "slots",
    HAND * CARD,
    1,
    "your hand, the lowest card first (colour before value), for each slot: 1 at its colour, 1 at its value",
)
IN_HAND = OBSERVATION.add("hand", DECK, 1, "1 at each card of your hand: r1, …, r12, b1, …, o12")
DISCARDED = OBSERVATION.add("discarded", DECK, 1, "1 at each card among the discards")
DRAWABLE = OBSERVATION.add(
    "drawable", DECK, 1, "1 at each card that was in the draw pile when it was last shuffled"
)
UNSEEN = OBSERVATION.add(
    "unseen", DECK, 1, "1 at each card that you do not see: in the draw pile or in other hands"
)

_zone = Layout()
HAND_COUNT = _zone.add("hand count", 1, HAND, "cards in the hand of this seat")
POINTS = _zone.add("points", 1, MOST, "what its lines are worth")
LINE_COUNT = _zone.add("lines", 1, DECK, "how many lines its zone has")
HIGHEST = _zone.add("highest", DECK, 1, "1 at each card that is the highest of a line")
UPPER = _zone.add("top line", DECK, 1, "1 at each card of the top line (of a lone line too)")
LOWER = _zone.add("bottom line", DECK, 1, "1 at each card of the bottom line")
ZONE_SIZE = _zone.size
ZONE = OBSERVATION.repeat(SEATS, _zone, "s")
ORDER = OBSERVATION.add(
    "order",
    DECK,
    DECK,
    "the highest card of every line, from the top one down, your zone first: 1 is r1, …, 72 is o12",
)

# The actions with one card of the hand.
_place = Layout()
DISCARD_IT = _place.add("discard", 1, 1, "discard card `h` of your hand, the lowest first, 0 to 3")
HOME_ENDS = _place.add(
    "new line at home", LINE, 1, "make a new line with it at the top, at the bottom of your zone"
)
HOME_LINES = _place.add(
    "extend at home",
    VALUES - 1,
    1,
    "extend with it the line of its colour whose highest card is a 1, …, an 11; "
    "one less for a line that is higher than the card (only with `extend=any`)",
)
_gift = Layout()
GIVE_ENDS = _gift.add(
    "new line there", LINE, 1, "make a new line with it at the top, at the bottom of the zone of"
)
GIVE_LINES = _gift.add("extend there", LINE, 1, "extend with it the top, the bottom line of")
GIFTS = _gift.size
GIFT = _place.size
for _step in range(1, SEATS):
    for _entry in _gift.segments:
        _place.add(
            f"{_entry.name} {_step}", _entry.count, 1, f"{_entry.about} the player {_step} to your left"
        )
PLACES = _place.size

ACTIONS = Layout()
ACTIONS.repeat(HAND, _place, "h")

NO_MOVE = -1


def _hand_seen(view: View, viewer: int) -> Hand:
    return view.hand


@rule(in_view=_hand_seen)
def hand_of(position: Any, viewer: int) -> Hand:
    """Return the hand of the viewer."""
    hand: Hand = position.hands[viewer]
    return hand


@rule
def slot_of(hand: Hand, card: int) -> int:
    """Return the slot of a card: the number of lower cards in the hand."""
    slot = 0
    for place in range(hand.count):
        slot += int(hand.cards[place] < card)
    return slot


@rule
def action_of(position: Table | View, move: int) -> int:
    """Return the action of a legal move of the seat to move."""
    me = position.to_move
    card = card_in(move)
    action = slot_of(hand_of(position, me), card) * PLACES
    if place_in(move) == DISCARD:
        return action + DISCARD_IT
    seat = zone_in(move)
    spot = spot_in(move)
    if seat == me:
        if spot < LINE:
            return action + HOME_ENDS + spot
        return action + HOME_LINES + extension_of(card, position.zones[me].highest[spot - LINE])
    action += GIFT + (steps_to(me, seat, position.players) - 1) * GIFTS
    if spot < LINE:
        return action + GIVE_ENDS + spot
    return action + GIVE_LINES + int(spot > LINE)


@rule
def move_of(position: Table | View, action: int) -> int:
    """Return the move of an action; NO_MOVE if there is no such card or line."""
    me = position.to_move
    card = card_in_slot(hand_of(position, me), action // PLACES)
    place = action % PLACES
    if card < 0:
        return NO_MOVE
    if place == DISCARD_IT:
        return discard(card)
    if place < HOME_LINES:
        return lay(card, me, place - HOME_ENDS)
    if place < GIFT:
        return extension(position.zones[me], me, card, place - HOME_LINES)
    step = (place - GIFT) // GIFTS + 1
    if step >= position.players:
        return NO_MOVE
    seat = along(me, step, position.players)
    spot = (place - GIFT) % GIFTS
    if spot < GIVE_LINES:
        return lay(card, seat, spot)
    line = 0 if spot == GIVE_LINES else position.zones[seat].count - 1
    if spot > GIVE_LINES and line == 0:
        return NO_MOVE
    return lay(card, seat, LINE + line)


@rule
def card_in_slot(hand: Hand, slot: int) -> int:
    """Return the card in a slot, or a negative number."""
    for place in range(hand.count):
        if slot_of(hand, hand.cards[place]) == slot:
            return hand.cards[place]
    return NO_MOVE


@rule
def extension_of(card: int, highest: int) -> int:
    """Return the number of an extension: the other values of the colour, counted from 0.

    The line's highest card is never the card itself, so eleven numbers are enough."""
    return value_of(highest) - 1 - int(highest > card)


@rule
def extension(zone: Zone, seat: int, card: int, number: int) -> int:
    """Return the move that extends the line of the card's colour with that number (`extension_of`)."""
    for line in range(zone.count):
        highest = zone.highest[line]
        if colour_of(highest) == colour_of(card) and extension_of(card, highest) == number:
            return lay(card, seat, LINE + line)
    return NO_MOVE


@rule
def encode(position: Table | View, viewer: int, out: MutableSequence[int]) -> None:
    """Write everything that the viewer knows into `out`, which is filled with zeros."""
    write_public(position, viewer, out)
    write_cards(position, out)
    write_hand(hand_of(position, viewer), out)
    order = ORDER
    for step in range(position.players):
        seat = along(viewer, step, position.players)
        out[ZONE + step * ZONE_SIZE + HAND_COUNT] = hand_count(position, seat)
        order = write_zone(position.zones[seat], ZONE + step * ZONE_SIZE, order, out)


def _deck_count_seen(view: View) -> int:
    return view.deck_count


@rule(in_view=_deck_count_seen)
def deck_count(position: Any) -> int:
    """Return how many cards are left to draw."""
    count: int = position.deck.count
    return count


@rule
def write_public(position: Table | View, viewer: int, out: MutableSequence[int]) -> None:
    """Write the options, whose turn it is, and the number of turns."""
    players = position.players
    out[PLAYERS] = players
    out[COLOURS_OPTION] = position.options.colours
    out[EXTEND] = position.options.extend
    out[GIVE] = position.options.give
    out[RESHUFFLE] = position.options.reshuffle
    out[OVER] = position.over
    out[FIRST + steps_to(viewer, position.first, players)] = 1
    out[TO_MOVE + steps_to(viewer, position.to_move, players)] = 1
    out[STEP + position.step] = 1
    out[TURN] = min(MOST, position.turn // HUNDRED)
    out[TURN + 1] = position.turn % HUNDRED
    out[IDLE_TURNS] = min(MOST, position.idle_turns)
    out[CLOSING] = position.closing
    out[DECK_COUNT] = deck_count(position)


def _hand_count_seen(view: View, seat: int) -> int:
    return view.hand_counts[seat]


@rule(in_view=_hand_count_seen)
def hand_count(position: Any, seat: int) -> int:
    """Return how many cards a hand has."""
    count: int = position.hands[seat].count
    return count


@rule
def write_cards(position: Table | View, out: MutableSequence[int]) -> None:
    """Write which cards can have been drawn, and which are among the discards; all others are unseen so
    far."""
    for card in range(position.options.colours * VALUES):
        out[DRAWABLE + card] = position.drawable[card]
        out[UNSEEN + card] = 1
    write_discards(position, out)


def _write_discards_seen(view: View, out: MutableSequence[int]) -> None:
    for card in range(DECK):
        if view.discarded[card]:
            out[DISCARDED + card] = 1
            out[UNSEEN + card] = 0


@rule(in_view=_write_discards_seen)
def write_discards(position: Any, out: MutableSequence[int]) -> None:
    """Write the discards, which are public."""
    for place in range(position.discards.count):
        out[DISCARDED + position.discards.cards[place]] = 1
        out[UNSEEN + position.discards.cards[place]] = 0


@rule
def write_hand(hand: Hand, out: MutableSequence[int]) -> None:
    """Write the viewer's hand, as a set and slot by slot."""
    for place in range(hand.count):
        card = hand.cards[place]
        slot = SLOTS + slot_of(hand, card) * CARD
        out[slot + colour_of(card)] = 1
        out[slot + len(COLOURS) + value_of(card) - 1] = 1
        out[IN_HAND + card] = 1
        out[UNSEEN + card] = 0


@rule
def write_zone(zone: Zone, at: int, order: int, out: MutableSequence[int]) -> int:
    """Write the lines of a zone, and their order at `order`. Return the index for the order of the next
    zone."""
    points = 0
    for line in range(zone.count):
        card = zone.highest[line]
        points += value_of(card)
        out[at + HIGHEST + card] = 1
        out[UNSEEN + card] = 0
        out[order] = card + 1
        order += 1
    out[at + POINTS] = min(MOST, points)
    out[at + LINE_COUNT] = zone.count
    for place in range(zone.upper.count):
        out[at + UPPER + zone.upper.cards[place]] = 1
        out[UNSEEN + zone.upper.cards[place]] = 0
    for place in range(zone.lower.count):
        out[at + LOWER + zone.lower.cards[place]] = 1
        out[UNSEEN + zone.lower.cards[place]] = 0
    return order


assert (TOP, BOTTOM) == (0, 1), "the ends of a zone are numbered in this order"
