"""Piles behave like lists."""

from __future__ import annotations

from typing import Annotated

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from upcard.core.piles import NO_CARD, Pile, copy_cards, count_of, drop, has, pop, push, take, top

cards = st.integers(0, 5)
ROOM = 12


class Short(Pile):
    cards: Annotated[list[int], ROOM]


class PileMachine(RuleBasedStateMachine):
    """Do the same to a pile and to a list."""

    def __init__(self) -> None:
        super().__init__()
        self.pile = Short()
        self.model: list[int] = []

    @rule(card=cards)
    @precondition(lambda self: len(self.model) < ROOM)
    def push(self, card: int) -> None:
        push(self.pile, card)
        self.model.append(card)

    @rule()
    @precondition(lambda self: self.model)
    def pop(self) -> None:
        assert pop(self.pile) == self.model.pop()

    @rule(data=st.data())
    @precondition(lambda self: self.model)
    def take(self, data: st.DataObject) -> None:
        place = data.draw(st.integers(0, len(self.model) - 1))
        assert take(self.pile, place) == self.model[place]
        last = self.model.pop()
        if place < len(self.model):
            self.model[place] = last

    @rule(card=cards)
    def drop(self, card: int) -> None:
        if card in self.model:
            drop(self.pile, card)
            place = self.model.index(card)
            last = self.model.pop()
            if place < len(self.model):
                self.model[place] = last

    @rule(card=cards)
    def ask(self, card: int) -> None:
        assert has(self.pile, card) == (card in self.model)
        assert count_of(self.pile, card) == self.model.count(card)

    @invariant()
    def same_cards(self) -> None:
        assert self.pile.cards[: self.pile.count] == self.model
        assert top(self.pile) == (self.model[-1] if self.model else NO_CARD)

    @invariant()
    def a_copy_shows_the_cards_and_no_others(self) -> None:
        seen = Short()
        copy_cards(seen, self.pile)
        assert seen.cards == self.model + [0] * (ROOM - len(self.model))


TestPiles = PileMachine.TestCase


def test_a_pile_shows_the_cards_that_are_there() -> None:
    pile = Short()
    push(pile, 3)
    push(pile, 5)
    pop(pile)
    assert repr(pile) == "Short([3])"
