"""Small tables of Stacks: set up from notation, played and asked in notation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from tests.positions import Position
from upcard.core.chance import Script, chance_of
from upcard.core.events import Event, redact
from upcard.core.game import deal, determinize
from upcard.core.seats import SPECTATOR
from upcard.games import find

GAME = find("stacks")

PILES = ("R1", "R2", "B1", "B2")
# A hand that fits nowhere, and a draw deck that lasts.
IDLE = "r5 r5 r5 b5 b5"
PLENTY = "b4 " * 30
# A pile that needs only its last card, and the complete pile.
RED_FOUR = "r1 r2 r3 r4"
RED_RUN = "r1 r2 r3 r4 r5"
BLUE_FOUR = "b1 b2 b3 b4"


class Stacks(Position):
    """A table of Stacks. Hands and the out-of-play pile are written in the order of the deck."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.result is not None

    def hand(self, seat: int) -> str:
        return " ".join(sorted(self.written(self.table.seats[seat - 1].hand).split(), key=GAME.read_card))

    def discards(self, seat: int) -> str:
        return self.written(self.table.seats[seat - 1].discards)

    def chips(self, seat: int) -> tuple[int, int]:
        """The red and the blue chips of a seat."""
        red, blue = self.table.seats[seat - 1].chips
        return red, blue

    @property
    def bank(self) -> tuple[int, int]:
        """The red and the blue chips in the bank."""
        red, blue = self.table.bank
        return red, blue

    def pile(self, name: str) -> str:
        pile = self.table.piles[PILES.index(name)]
        return " ".join(GAME.write_card(card) for card in pile.cards[: pile.height])

    @property
    def deck(self) -> str:
        """The draw deck, the first card to be drawn first."""
        return " ".join(reversed(self.written(self.table.deck).split()))

    @property
    def finished(self) -> str:
        """The cards of finished and blocked piles."""
        return kinds(self.table.finished)

    @property
    def spent(self) -> str:
        """The specials in the out-of-play pile."""
        return kinds(self.table.spent)

    def view(self, seat: int | None) -> Any:
        """The view of a seat; None is a spectator."""
        return GAME.view(self.table, SPECTATOR if seat is None else seat - 1)

    def told(self, seat: int | None) -> list[Event]:
        """The events of the last move, as a seat sees them."""
        seen = [redact(event, SPECTATOR if seat is None else seat - 1) for event in self.events]
        return [event for event in seen if event is not None]

    def remembers(self, seat: int | None) -> list[str]:
        """The memory of a seat, such as `r3 @2` or, in one of two hands, `r3 @2 @4`."""
        memory = self.view(seat).memory
        return [
            " ".join([GAME.write_card(seen.card), *(f"@{n + 1}" for n in range(6) if seen.holders >> n & 1)])
            for seen in memory.sightings[: memory.count]
        ]

    def steal(self, move: str, took: str) -> None:
        """Steal a card out of a hand, with chance deciding which one."""
        chance, script = self.table.chance, Script()
        script.wanted.append(GAME.read_card(took))
        self.table.chance = script
        self.play(move)
        self.table.chance = chance


def kinds(counts: list[int]) -> str:
    """Return the cards of counts by kind."""
    return " ".join(GAME.write_card(card) for card, count in enumerate(counts) for _ in range(count))


def stacks(
    hand: str = IDLE,
    *,
    players: int = 3,
    hands: Mapping[int, str] | None = None,
    discards: Mapping[int, str] | None = None,
    piles: Mapping[str, str] | None = None,
    chips: Mapping[int, tuple[int, int]] | None = None,
    bank: tuple[int, int] | None = None,
    deck: str = PLENTY,
    finished: str = "",
    spent: str = "",
    **options: Any,
) -> Stacks:
    """Return a table at the first turn of seat 1, who has this hand.

    Other hands, discard piles (the top last) and chips are given by seat, piles by name; the draw
    deck has its first card first. Other hands do not fit anywhere.
    """
    position = Stacks(GAME, players=players, dealer=players, **options)
    table = position.table
    deal(table)
    for seat, at in enumerate(table.seats[:players], start=1):
        position.fill(at.hand, hand if seat == 1 else (hands or {}).get(seat, IDLE))
        position.fill(at.discards, (discards or {}).get(seat, ""))
        at.chips[:] = (chips or {}).get(seat, (0, 0))
    for name, cards in (piles or {}).items():
        pile = table.piles[PILES.index(name)]
        for card in cards.split():
            pile.cards[pile.height] = GAME.read_card(card)
            pile.height += 1
    position.fill(table.deck, " ".join(reversed(deck.split())))
    for counts, cards in ((table.finished, finished), (table.spent, spent)):
        for text, count in Counter(cards.split()).items():
            counts[GAME.read_card(text)] = count
    held = [sum(seat.chips[colour] for seat in table.seats) for colour in (0, 1)]
    table.bank[:] = bank or [20 - count for count in held]
    return position


def dealt_cards(**options: Any) -> Counter[str]:
    """Return the number of each card at a table right after the deal."""
    table = GAME.deal(options, b"a deal")
    piles = [table.deck, *(seat.hand for seat in table.seats)]
    return Counter(GAME.write_card(card) for pile in piles for card in pile.cards[: pile.count])


def imagined(position: Stacks, seat: int | None, seed: bytes) -> Stacks:
    """Return a table that is consistent with what a viewer sees."""
    chance = chance_of(seed)
    twin = Stacks(GAME, players=position.table.players)
    determinize(position.view(seat), twin.table, chance)
    return twin
