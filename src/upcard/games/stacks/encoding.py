"""Stacks as numbers: version 1 of its observations and actions."""

from __future__ import annotations

__all__ = ["ACTIONS", "KINDS", "OBSERVATION", "VERSION", "action_of", "encode", "move_of"]

from collections.abc import MutableSequence
from typing import Any

from upcard.core.events import only, sees
from upcard.core.layout import Layout
from upcard.core.rule import rule
from upcard.core.seats import along, steps_to
from upcard.games.stacks.deck import CARD, CHIP, COLOURS, DECK, HIGHEST, KINDS, NUMBERED, number_of
from upcard.games.stacks.memory import memory_of
from upcard.games.stacks.moves import (
    BLOCK_IT,
    FROM_HAND,
    FROM_TOP,
    card_in,
    discard,
    half_in,
    is_discard,
    is_play_on_pile,
    on_pile,
    pile_in,
    plain_special,
    source_in,
    special_in,
    target_in,
    theft,
)
from upcard.games.stacks.rules import PILES_OF_A_COLOUR, copies
from upcard.games.stacks.table import ASK, CHIPS, HAND, PILES, SEATS, SIGHTINGS, Hand, Memory, Table
from upcard.games.stacks.view import UNKNOWN_SEAT, View, seen_to_move

VERSION = 1

# Cards of each discard pile, from the top, that have entries of their own.
SHOWN = 3
# Maximum number of cards of one kind.
COPIES = 9
HUNDRED = 100
MOST = 255
# The two choices of a theft from a seat: hand or top, red or blue.
HALVES = 2
ORDER = "r1, …, r5, r?, b1, …, b5, b?, skip, reverse, card, chip, block"

OBSERVATION = Layout()
PLAYERS = OBSERVATION.add("players", 1, SEATS, "how many play")
TWO_PLAYER_DECK = OBSERVATION.add("option two_player_deck", 1, 1, "1: `full`")
MUST_PLAY = OBSERVATION.add("option must_play", 1, 1, "1: yes")
CHIP_WIN = OBSERVATION.add("option chip_win", 1, 1, "1: `delayed`")
BLOCK_OPTION = OBSERVATION.add("option block", 1, 1, "1: `anytime`")
RECYCLE = OBSERVATION.add("option recycle", 1, 1, "1: `all`")
OVER = OBSERVATION.add("over", 1, 4, "0 during the game; then 1 won, 2 stuck, 4 limit")
FIRST = OBSERVATION.add("first", SEATS, 1, "1 at the seat that began, counted from you")
PLAYER = OBSERVATION.add("player", SEATS, 1, "1 at the seat whose turn it is, counted from you")
TO_MOVE = OBSERVATION.add(
    "to move", SEATS, 1, "1 at the seat that is to move; none where you may not know who is asked (K5.4)"
)
ASKED = OBSERVATION.add("asked", 1, 1, "1 while an opponent may block")
ASKED_PILE = OBSERVATION.add("asked pile", PILES, 1, "1 at the pile that a block would take then")
DIRECTION = OBSERVATION.add("direction", 1, 1, "1: play goes to the right")
SKIPS = OBSERVATION.add("skips", 1, MOST, "turns that are still to be missed")
TURN = OBSERVATION.add("turn", 2, 100, "turns begun: hundreds, and the rest")
TURNS_LEFT = OBSERVATION.add("turns left", 2, 100, "turns until the limit (K6.3): hundreds, and the rest")
PLAYS = OBSERVATION.add("plays", 2, 99, "cards played in this turn: hundreds, and the rest")
OWED = OBSERVATION.add("owed", 1, 1, "whether five cards are owed for a hand that was played out (K3.5)")
HEIGHTS = OBSERVATION.add("heights", PILES * (HIGHEST + 1), 1, "for R1, R2, B1, B2: 1 at the height, 0 to 5")
WILDS = OBSERVATION.add(
    "pile wilds", PILES * HIGHEST, 1, "for each pile and each number: 1 where a wild lies"
)
BANK = OBSERVATION.add("bank", len(COLOURS), CHIPS, "red and blue chips that can still be earned")
FINISHED = OBSERVATION.add("finished", KINDS, COPIES, f"cards of finished or blocked piles: {ORDER}")
SPENT = OBSERVATION.add("spent", KINDS, COPIES, "specials that were played, in the same order")
DRAWABLE = OBSERVATION.add("drawable", KINDS, COPIES, "cards in the draw deck when it was last shuffled")
UNSEEN = OBSERVATION.add(
    "unseen", KINDS, COPIES, "cards that you do not see: in the draw deck or in other hands"
)
DECK_COUNT = OBSERVATION.add("deck count", 1, DECK, "cards in the draw deck")
IN_HAND = OBSERVATION.add("hand", KINDS, COPIES, "your hand")

_seat = Layout()
HAND_COUNT = _seat.add("hand count", 1, 12, "cards in the hand of this seat")
CHIPS_OF = _seat.add("chips", len(COLOURS), CHIPS, "its red and blue chips")
RESTED = _seat.add("rested", 1, 1, "whether it has ended a turn since a card was last played or drawn (K6.2)")
DISCARD_COUNT = _seat.add("discard count", 1, DECK, "cards on its discard pile")
DISCARD_TOPS = _seat.add(
    "discard tops", SHOWN * KINDS, 1, "for its top card, the one beneath and the third: 1 at that card"
)
DISCARDS = _seat.add("discards", KINDS, COPIES, "all its discards")
SURE = _seat.add(
    "surely held", KINDS, COPIES, "cards that you have seen go into its hand and that are still there"
)
PERHAPS = _seat.add("perhaps held", KINDS, COPIES, "cards that you know to be in some hand that may be its")
SEAT_SIZE = _seat.size
SEAT = OBSERVATION.repeat(SEATS, _seat, "s")

_sighting = Layout()
SEEN_CARD = _sighting.add(
    "sighting",
    1,
    KINDS,
    "card `m` that you remember, the oldest first, 0 to 11: 0 none, 1 r1, …, 17 block",
)
SEEN_AT = _sighting.add("sighting holders", SEATS, 1, "1 at each seat, counted from you, that may have it")
SIGHTING_SIZE = _sighting.size
SIGHTING = OBSERVATION.repeat(SIGHTINGS, _sighting, "m")
BURIED = OBSERVATION.add(
    "buried",
    DECK,
    KINDS,
    "discards beneath the third, from the top down, your pile first: 1 is r1, …, 17 is block",
)

ACTIONS = Layout()
ON_PILES = ACTIONS.add(
    "hand on pile",
    NUMBERED * PILES_OF_A_COLOUR,
    1,
    "a card of the hand, r1, …, r?, b1, …, b?, each on the first, on the second pile of its colour",
)
TOP_ON_PILES = ACTIONS.add("top on pile", PILES, 1, "your own top discard on R1, R2, B1, B2")
_special = Layout()
PLAIN = _special.add("skip, reverse", 2, 1, "play a skip, a reverse")
CARD_THEFTS = _special.add(
    "steal card",
    (SEATS - 1) * HALVES,
    1,
    "steal from the player 1, …, 5 to your left: a card of the hand, the top of the discards",
)
CHIP_THEFTS = _special.add(
    "steal chip",
    (SEATS - 1) * HALVES,
    1,
    "steal from the player 1, …, 5 to your left: a red chip, a blue chip",
)
SPECIALS_SIZE = _special.size
SPECIALS = ACTIONS.size
for _source, _card in (("hand", "a card of your hand"), ("top", "your own top discard")):
    for _entry in _special.segments:
        ACTIONS.add(f"{_entry.name} ({_source})", _entry.count, 1, f"with {_card}, {_entry.about}")
DISCARD_FROM = ACTIONS.add("discard", KINDS, 1, f"discard a card and end the turn: {ORDER}")
ANSWERS = ACTIONS.add(
    "block, allow, end", 3, 1, "block the pile, let it pass; end the turn with an empty hand"
)

NO_MOVE = -1


@rule
def action_of(position: Table | View, move: int) -> int:
    """Return the action of a legal move of the seat to move."""
    if move >= BLOCK_IT:
        return ANSWERS + move - BLOCK_IT
    if is_discard(move):
        return DISCARD_FROM + card_in(move)
    source = source_in(move)
    if is_play_on_pile(move):
        if source == FROM_TOP:
            return TOP_ON_PILES + pile_in(move)
        return ON_PILES + card_in(move) * PILES_OF_A_COLOUR + pile_in(move) % PILES_OF_A_COLOUR
    action = SPECIALS + source * SPECIALS_SIZE
    special = special_in(move)
    if special < CARD:
        return action + PLAIN + special - NUMBERED
    action += CARD_THEFTS if special == CARD else CHIP_THEFTS
    return (
        action + (steps_to(position.to_move, target_in(move), position.players) - 1) * HALVES + half_in(move)
    )


@rule
def move_of(position: Table | View, action: int) -> int:
    """Return the move of an action; NO_MOVE for a seat that is not there."""
    if action >= ANSWERS:
        return BLOCK_IT + action - ANSWERS
    if action >= DISCARD_FROM:
        return discard(action - DISCARD_FROM)
    if action < TOP_ON_PILES:
        card = action // PILES_OF_A_COLOUR
        pile = card // (NUMBERED // len(COLOURS)) * PILES_OF_A_COLOUR + action % PILES_OF_A_COLOUR
        return on_pile(FROM_HAND, card, pile)
    if action < SPECIALS:
        return on_pile(FROM_TOP, 0, action - TOP_ON_PILES)
    source = (action - SPECIALS) // SPECIALS_SIZE
    within = (action - SPECIALS) % SPECIALS_SIZE
    if within < CARD_THEFTS:
        return plain_special(source, NUMBERED + within)
    card = CARD if within < CHIP_THEFTS else CHIP
    within -= CARD_THEFTS if within < CHIP_THEFTS else CHIP_THEFTS
    step = within // HALVES + 1
    if step >= position.players:
        return NO_MOVE
    return theft(source, card, along(position.to_move, step, position.players), within % HALVES)


@rule
def encode(position: Table | View, viewer: int, out: MutableSequence[int]) -> None:
    """Write everything that the viewer knows into `out`, which is filled with zeros."""
    write_options(position, out)
    write_public(position, viewer, out)
    write_piles(position, out)
    write_out_of_play(position, out)
    write_hand(hand_of(position, viewer), out)
    buried = BURIED
    for step in range(position.players):
        seat = along(viewer, step, position.players)
        write_seat(position, seat, SEAT + step * SEAT_SIZE, out)
        buried = write_discards(position, seat, SEAT + step * SEAT_SIZE, buried, out)
    write_memory(remembered(position, viewer), viewer, position.players, out)


@rule
def write_options(position: Table | View, out: MutableSequence[int]) -> None:
    """Write the options, and the number of turns left."""
    options = position.options
    out[PLAYERS] = position.players
    out[TWO_PLAYER_DECK] = options.two_player_deck
    out[MUST_PLAY] = options.must_play
    out[CHIP_WIN] = options.chip_win
    out[BLOCK_OPTION] = options.block
    out[RECYCLE] = options.recycle
    out[TURN] = position.turn // HUNDRED
    out[TURN + 1] = position.turn % HUNDRED
    left = max(0, options.turn_limit - position.turn)
    out[TURNS_LEFT] = left // HUNDRED
    out[TURNS_LEFT + 1] = left % HUNDRED
    out[PLAYS] = position.plays // HUNDRED
    out[PLAYS + 1] = position.plays % HUNDRED


def _deck_count_seen(view: View) -> int:
    return view.deck_count


@rule(in_view=_deck_count_seen)
def deck_count(position: Any) -> int:
    """Return how many cards are left to draw."""
    count: int = position.deck.count
    return count


@rule
def write_public(position: Table | View, viewer: int, out: MutableSequence[int]) -> None:
    """Write whose turn it is, which seat is asked, and the direction of play."""
    players = position.players
    out[OVER] = position.over
    out[FIRST + steps_to(viewer, position.first, players)] = 1
    out[PLAYER + steps_to(viewer, position.player, players)] = 1
    to_move = known_to_move(position, viewer)
    if to_move != UNKNOWN_SEAT:
        out[TO_MOVE + steps_to(viewer, to_move, players)] = 1
    if position.step == ASK:
        out[ASKED] = 1
        out[ASKED_PILE + position.asked_pile] = 1
    out[DIRECTION] = int(position.direction < 0)
    out[SKIPS] = min(MOST, position.skips)
    out[OWED] = position.owed


def _to_move_seen(view: View, viewer: int) -> int:
    return view.to_move


@rule(in_view=_to_move_seen)
def known_to_move(position: Any, viewer: int) -> int:
    """Return who is to move, as far as the viewer may know."""
    return seen_to_move(position, viewer)


@rule
def write_piles(position: Table | View, out: MutableSequence[int]) -> None:
    """Write the heights of the piles, and the places of their wilds; public cards are not unseen."""
    for card in range(KINDS):
        out[UNSEEN + card] = copies(card, position.players, position.options.two_player_deck)
    for pile in range(PILES):
        building = position.piles[pile]
        out[HEIGHTS + pile * (HIGHEST + 1) + building.height] = 1
        for number in range(building.height):
            card = building.cards[number]
            out[UNSEEN + card] -= 1
            out[WILDS + pile * HIGHEST + number] = int(number_of(card) == 0)


@rule
def write_out_of_play(position: Table | View, out: MutableSequence[int]) -> None:
    """Write the finished, spent and drawable cards, and the chips of the bank."""
    for card in range(KINDS):
        out[FINISHED + card] = position.finished[card]
        out[SPENT + card] = position.spent[card]
        out[DRAWABLE + card] = position.drawable[card]
        out[UNSEEN + card] -= position.finished[card] + position.spent[card]
    for colour in range(len(COLOURS)):
        out[BANK + colour] = position.bank[colour]
    out[DECK_COUNT] = deck_count(position)


def _hand_seen(view: View, viewer: int) -> Hand:
    return view.hand


@rule(in_view=_hand_seen)
def hand_of(position: Any, viewer: int) -> Hand:
    """Return the hand of the viewer."""
    hand: Hand = position.seats[viewer].hand
    return hand


@rule
def write_hand(hand: Hand, out: MutableSequence[int]) -> None:
    """Write the viewer's hand."""
    for place in range(hand.count):
        out[IN_HAND + hand.cards[place]] += 1
        out[UNSEEN + hand.cards[place]] -= 1


def _hand_count_seen(view: View, seat: int) -> int:
    return view.seats[seat].hand_count


@rule(in_view=_hand_count_seen)
def hand_count(position: Any, seat: int) -> int:
    """Return how many cards a hand has."""
    count: int = position.seats[seat].hand.count
    return count


@rule
def write_seat(position: Table | View, seat: int, at: int, out: MutableSequence[int]) -> None:
    """Write the public part of a seat besides its discards."""
    out[at + HAND_COUNT] = hand_count(position, seat)
    for colour in range(len(COLOURS)):
        out[at + CHIPS_OF + colour] = position.seats[seat].chips[colour]
    out[at + RESTED] = int(position.seats[seat].last_turn > position.stirred)


@rule
def write_discards(position: Table | View, seat: int, at: int, buried: int, out: MutableSequence[int]) -> int:
    """Write the discards of a seat; deep cards go to `buried`. Return the index for the next such card."""
    pile = position.seats[seat].discards
    out[at + DISCARD_COUNT] = pile.count
    for depth in range(pile.count):
        card = pile.cards[pile.count - 1 - depth]
        out[at + DISCARDS + card] += 1
        out[UNSEEN + card] -= 1
        if depth < SHOWN:
            out[at + DISCARD_TOPS + depth * KINDS + card] = 1
        else:
            out[buried] = card + 1
            buried += 1
    return buried


def _remembered_in_view(view: View, viewer: int) -> Memory:
    return view.memory


@rule(in_view=_remembered_in_view)
def remembered(position: Any, viewer: int) -> Memory:
    """Return what the viewer remembers of other hands."""
    return memory_of(position, viewer)


@rule
def write_memory(memory: Memory, viewer: int, players: int, out: MutableSequence[int]) -> None:
    """Write the cards that were seen going into other hands."""
    for place in range(memory.count):
        card = memory.sightings[place].card
        holders = memory.sightings[place].holders
        sighting = SIGHTING + place * SIGHTING_SIZE
        out[sighting + SEEN_CARD] = card + 1
        for step in range(1, players):
            seat = along(viewer, step, players)
            if sees(seat, holders):
                out[sighting + SEEN_AT + step] = 1
                known = SURE if holders == only(seat) else PERHAPS
                out[SEAT + step * SEAT_SIZE + known + card] += 1


assert HAND <= 12, "a hand fits into its entry"
