"""Reasons for moves in Lines: the strongest one, as a message code.

Only its owner knows a hand, and everyone else gets a public reason: reasons are derived from the view of the
viewer who asks, so they cannot reveal a secret.
"""

from __future__ import annotations

__all__ = ["why"]

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from upcard.core.chance import chance_of
from upcard.core.messages import SeatMessage
from upcard.core.piles import Pile, has
from upcard.core.reasons import MoveQuestion, Reason, strongest
from upcard.core.table import PLAYING, Result
from upcard.games.lines.deck import VALUES, value_of, write_card
from upcard.games.lines.moves import DISCARD, LINE, TOP, card_in, place_in, spot_in, zone_in
from upcard.games.lines.rules import (
    active_line,
    apply,
    can_cover,
    can_extend,
    card_fits,
    legal,
    outcome,
    points,
)
from upcard.games.lines.table import GIVE, HAND, LINES, OPENING, Table, Zone
from upcard.games.lines.view import View, determinize
from upcard.i18n import Message

# The highest value of a first line that has room to grow.
LOW = 6
# Ending a line is worth a gift of this many points.
SMALL = 3


def why(view: View, move: int, names: Sequence[str]) -> Message:
    """Return the strongest reason for a legal move that can be seen from a view."""
    asked = Question(view, move, names)
    return strongest(asked, _to_think_of(asked))


def _to_think_of(asked: Question) -> Sequence[Reason]:
    """Return the possible reasons, the strongest first."""
    if asked.view.step == OPENING:
        return OPENINGS
    if asked.view.step == GIVE:
        return NO_GIFT if asked.is_discard else GIFTS
    return DISCARDS if asked.is_discard else AT_HOME


@dataclass(frozen=True)
class Question(MoveQuestion):
    """The question why a move is made, asked by the viewer of a view."""

    view: View

    @property
    def card(self) -> int:
        return card_in(self.move)

    @property
    def is_discard(self) -> bool:
        return place_in(self.move) == DISCARD

    @property
    def owner(self) -> int:
        """The owner of the zone that the card goes to."""
        return zone_in(self.move)

    @property
    def zone(self) -> Zone:
        """The zone that the card goes to."""
        return self.view.zones[self.owner]

    @property
    def is_new_line(self) -> bool:
        return spot_in(self.move) < LINE

    @property
    def rest(self) -> list[int]:
        """The other cards of the hand, as far as they are known."""
        hand = self.view.hand
        return [card for card in hand.cards[: hand.count] if self.knows_hand and card != self.card]

    @cached_property
    def table(self) -> Table:
        """A possible table. The effects of a move on the zones depend only on public cards."""
        table = Table()
        determinize(self.view, table, chance_of(b"any"))
        _put_in_hand(table, self.seat, self.card)
        return table

    @cached_property
    def after(self) -> Table:
        """The same table after the move."""
        table = self.table.copy()
        apply(table, self.move)
        return table

    @property
    def gain(self) -> int:
        """The points that the card adds to its zone."""
        if self.is_new_line:
            return value_of(self.card)
        return max(0, value_of(self.card) - value_of(self.zone.highest[spot_in(self.move) - LINE]))

    @property
    def others(self) -> list[Question]:
        """The other moves of the player, as far as they are known."""
        moves = [0] * (HAND * (LINES + 3))
        count = legal(self.table, moves) if self.knows_hand else 0
        return [replace(self, move=move) for move in moves[:count] if move != self.move]

    @property
    def is_ahead(self) -> bool:
        """Whether the player has more points than anyone else after the move."""
        return _leads(self.after.zones, self.seat, self.view.players)

    @property
    def begins_the_end(self) -> bool:
        """Whether the move leads to the last turns."""
        return self.view.closing == 0 and self.after.closing > 0


def _put_in_hand(table: Table, seat: int, card: int) -> None:
    """Make sure that an imagined hand contains the card that its player plays."""
    hand = table.hands[seat]
    if has(hand, card):
        return
    piles: list[Pile] = [table.deck, *table.hands]
    for pile in piles:
        for place in range(pile.count):
            if pile.cards[place] == card:
                pile.cards[place], hand.cards[0] = hand.cards[0], card
                return


def _leads(zones: Sequence[Zone], seat: int, players: int) -> bool:
    mine = points(zones[seat])
    return all(points(zones[other]) < mine for other in range(players) if other != seat)


# Reasons for any move


def ends_the_game(asked: Question) -> Message | None:
    """L5.2 It is the last move, and no other player has more points."""
    if asked.after.over == PLAYING:
        return None
    result = Result()
    outcome(asked.after, result)
    if not result.winners[asked.seat]:
        return None
    code = "lines.why_wins" if sum(result.winners) == 1 else "lines.why_shares"
    return asked.about_me(code, points=result.scores[asked.seat])


def is_useless(asked: Question) -> Message | None:
    if card_fits(asked.table, asked.view.zones[asked.seat], asked.card):
        return None
    return asked.about_me("lines.why_useless", card=write_card(asked.card))


# Reasons for a first line, the strongest first


def will_be_extended(asked: Question) -> Message | None:
    zone = asked.after.zones[asked.seat]
    for card in sorted(asked.rest):
        if card > asked.card and can_extend(asked.after, zone, 0, card):
            return Message("lines.why_opens_extend", {"card": write_card(card)})
    return None


def will_be_covered(asked: Question) -> Message | None:
    for card in sorted(asked.rest):
        if can_cover(asked.after.zones[asked.seat], TOP, card):
            return Message("lines.why_opens_pair", {"card": write_card(card)})
    return None


def is_lowest(asked: Question) -> Message | None:
    if asked.rest and all(value_of(asked.card) <= value_of(card) for card in asked.rest):
        return Message("lines.why_opens_lowest")
    return None


def has_room(asked: Question) -> Message | None:
    value = value_of(asked.card)
    if value > LOW:
        return None
    return Message("lines.why_opens_low", {"points": value, "room": VALUES - value})


def has_points(asked: Question) -> Message:
    return Message("lines.why_opens_high", {"points": value_of(asked.card)})


OPENINGS = (will_be_extended, will_be_covered, is_lowest, has_room, has_points)


# Reasons for a gift, the strongest first


def gives_fourth_colour(asked: Question) -> Message | None:
    if not asked.begins_the_end:
        return None
    if not asked.is_ahead:
        return asked.about(asked.owner, "lines.why_ends")
    parameters: dict[str, str | int] = {"name": asked.names[asked.seat], "other": asked.names[asked.owner]}
    return SeatMessage("lines.why_ends_ahead", parameters, asked.seat, asked.owner)


def puts_line_aside(asked: Question) -> Message | None:
    """L3.6 The line that is covered keeps its highest card only."""
    line = active_line(asked.zone, spot_in(asked.move))
    if not asked.is_new_line or asked.zone.count < 2 or line.count < 2:
        return None
    return asked.about(asked.owner, "lines.why_covers", card=write_card(line.cards[line.count - 1]))


def gives_least(asked: Question) -> Message | None:
    gains = [other.gain for other in asked.others]
    if not gains or asked.gain > min(gains) or asked.gain == max(gains):
        return None
    return Message("lines.why_gives_least", {"points": asked.gain})


def closes_line(asked: Question) -> Message | None:
    if asked.is_new_line or value_of(asked.card) < VALUES or asked.gain > SMALL:
        return None
    return asked.about(asked.owner, "lines.why_caps", card=write_card(asked.card), points=asked.gain)


def gives_to_last(asked: Question) -> Message | None:
    scores = [points(zone) for zone in asked.view.zones[: asked.view.players]]
    theirs = scores.pop(asked.owner)
    return asked.about(asked.owner, "lines.why_weakest", points=asked.gain) if theirs < min(scores) else None


def gives(asked: Question) -> Message:
    return asked.about(asked.owner, "lines.why_gives", points=asked.gain)


def cannot_give(asked: Question) -> Message:
    """L4.2 Only with nothing to give can a card be discarded in step one."""
    return Message("lines.why_no_gift")


NO_GIFT = (ends_the_game, cannot_give)
GIFTS = (
    *(ends_the_game, gives_fourth_colour, puts_line_aside, gives_least),
    *(closes_line, gives_to_last, is_useless, gives),
)


# Reasons for a card at home, the strongest first


def has_fourth_colour(asked: Question) -> Message | None:
    if not asked.begins_the_end:
        return None
    return asked.about_me("lines.why_ends_home_ahead" if asked.is_ahead else "lines.why_ends_home")


def takes_the_lead(asked: Question) -> Message | None:
    if not asked.is_ahead or _leads(asked.view.zones, asked.seat, asked.view.players):
        return None
    return asked.about_me("lines.why_leads", points=asked.gain)


def adds_most(asked: Question) -> Message | None:
    gains = [other.gain for other in asked.others if not other.is_discard]
    if not gains or asked.gain < max(gains) or asked.gain == min(gains):
        return None
    return Message("lines.why_most", {"points": asked.gain})


def makes_a_line(asked: Question) -> Message | None:
    return Message("lines.why_line", {"points": asked.gain}) if asked.is_new_line else None


def extends(asked: Question) -> Message:
    return asked.about_me("lines.why_extends", points=asked.gain)


AT_HOME = (ends_the_game, has_fourth_colour, takes_the_lead, adds_most, makes_a_line, extends)


# Reasons to discard instead, the strongest first


def nothing_fits(asked: Question) -> Message | None:
    if not asked.knows_hand or not all(other.is_discard for other in asked.others):
        return None
    return asked.about_me("lines.why_nothing_fits")


def puts_off_the_end(asked: Question) -> Message | None:
    """L5.1 Whatever is laid would lead to the last turns, at the wrong time."""
    lays = [other for other in asked.others if not other.is_discard]
    if lays and all(lay.begins_the_end and not lay.is_ahead for lay in lays):
        return asked.about_me("lines.why_waits")
    return None


def changes_nothing(asked: Question) -> Message:
    return Message("lines.why_discards")


DISCARDS = (ends_the_game, nothing_fits, puts_off_the_end, is_useless, changes_nothing)
