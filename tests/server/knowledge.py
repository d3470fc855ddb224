"""What each seat may know at each entry of a table's log, and whether anything sent goes beyond that.

It is derived from the log alone, which no client ever sees, and not by the code that decides what clients are
sent.
"""

from __future__ import annotations

__all__ = ["Cards", "Knowledge", "leaks", "told_in"]

import functools
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from upcard.games import find
from upcard.server.table import entries as log
from upcard.server.table.entries import Entry
from upcard.server.table.parts import AppliedEntry
from upcard.server.table.state import TableState
from upcard.testing.contract import contract_of

Cards = Counter[str]


class Knowledge:
    """Everything that a seat has seen, entry by entry, of a finished game."""

    def __init__(self, entries: Sequence[tuple[float, Entry]]) -> None:
        self.state = TableState("table")
        # By sequence number: the table after that entry, and the cards that the entry itself shows to
        # everyone.
        self._tables: dict[int, Any] = {}
        self._public: dict[int, set[str]] = {}
        for at, entry in entries:
            applied = self.state.apply(at, entry)
            if self.state.match is not None:
                self._tables[applied.seq] = self.state.match.table.copy()
                self._public[applied.seq] = _words(_moves_of(applied))
                if self.state.match.over:
                    break
        assert self.state.match is not None, "nothing was dealt"
        assert self.state.match.over, "there is no record of a game that goes on"
        self.over = self.state.seq
        self.game = find(self.state.game)
        self.record = self.state.match.record()
        self.deck: Cards = Counter(next(entry["shuffle"] for entry in self.record["log"]))

    @functools.cache  # noqa: B019 - knowledge lives as long as its test
    def open_to(self, seq: int, seat: int) -> Cards:
        """Return the cards that a seat can see, or can infer from having seen all others, after an entry."""
        if seq not in self._tables:
            return Counter()
        table = self._tables[seq]
        places = list(itertools.chain(*contract_of(self.game).hidden_places(table, seat - 1)))
        if getattr(table, "reshuffled", False):
            # Everyone has seen which cards were shuffled, although not their order now.
            places = [(cards, place) for cards, place in places if cards is not table.deck.cards]
        hidden = Counter(self.game.write_card(cards[place]) for cards, place in places)
        assert hidden <= self.deck
        return self.deck - hidden

    def shown_by(self, seq: int, seat: int) -> set[str]:
        """Return the cards that an entry can have shown to a seat: what it could see before or after, and the
        cards of the moves that were made. A card that was played and shuffled away in one move was seen."""
        if seq not in self._tables:
            return set()
        before, after = self.open_to(seq - 1, seat), self.open_to(seq, seat)
        return before.keys() | after.keys() | self._public[seq] & self.deck.keys()

    @functools.cache  # noqa: B019 - likewise
    def seen(self, seq: int, seat: int) -> set[str]:
        """Return every card that a seat has seen up to an entry, wherever it is now."""
        return self.shown_by(seq, seat) | self.seen(seq - 1, seat) if seq > 0 else set()


def _moves_of(applied: AppliedEntry) -> list[str]:
    match applied.entry:
        case log.Moved():
            return [applied.entry.move]
        case log.Closed():
            return list(applied.entry.answers.values())
    return []


def _words(moves: Sequence[str]) -> set[str]:
    return {word for move in moves for word in move.split()}


def told_in(message: Any) -> Iterator[dict[str, Any]]:
    """Return all parts of a message that have a sequence number."""
    if isinstance(message, dict):
        if "seq" in message:
            yield message
        message = list(message.values())
    for part in message if isinstance(message, list) else []:
        yield from told_in(part)


def leaks(knowledge: Knowledge, seat: int, told: dict[str, Any]) -> list[str]:
    """Return everything sent to a seat that it cannot know."""
    seq, deck = told["seq"], knowledge.deck
    # Parts with a number are checked separately.
    news = [event for event in told.get("news", []) if "seq" not in event]
    moves = [told["move"]] if told.get("move") else []
    # Moves of Stockpile name places, which are numbered like cards.
    named = set() if knowledge.game.id == "stockpile" else _words([*moves, *told.get("legal", [])])
    found = {
        "view": _cards_in(told.get("view"), deck) - knowledge.open_to(seq, seat),
        "news": _cards_in(news, deck).keys() - knowledge.shown_by(seq, seat),
        "moves": (named & deck.keys()) - knowledge.seen(seq, seat),
    }
    return [f"{part} {seq}: {sorted(cards)}" for part, cards in found.items() if cards]


def _cards_in(told: Any, deck: Cards) -> Cards:
    """Yield all cards that are named or counted."""
    if isinstance(told, dict):
        counted = {name: number for name, number in told.items() if name in deck and isinstance(number, int)}
        return sum((_cards_in(part, deck) for part in told.values()), Counter(counted))
    if isinstance(told, list):
        return sum((_cards_in(part, deck) for part in told), Counter[str]())
    return Counter([told] if isinstance(told, str) and told in deck else [])
