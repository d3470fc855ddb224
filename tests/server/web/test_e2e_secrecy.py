"""Nothing that a browser is sent during a whole game has a card in it that its owner may not know.

What is hidden is found here in the log itself, which no browser gets to see, and not by the code that tells
tables to people.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.server.guests import Running
from tests.server.web.devices import Devices, until
from tests.server.web.houses import house
from tests.server.web.players import TOO_LATE, Taps, gather, play_out
from tests.server.web.wires import wire
from tests.test_secrecy import HIDDEN_PLACES
from upcard.games import GAMES, find
from upcard.server.entries import read_entry
from upcard.server.sitting import Sitting

SHORT = {"stockpile": {"stock": 8}, "lines": {"colours": 4}, "stacks": {"turn_limit": 20}}

Cards = Counter[str]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with house(tmp_path_factory.mktemp("secrets")) as server:
        yield server


class Truth:
    """All that ever was at a table, by the number of the entry after which it was so."""

    def __init__(self, server: Running, game: str, table: str) -> None:
        self.game = find(game)
        self._tables: dict[int, Any] = {}
        assert server.loop is not None
        rows = asyncio.run_coroutine_threadsafe(server.hall.store.load(table), server.loop).result()
        sitting = Sitting(table)
        for row in rows:
            sitting.hear(row.at, read_entry(row.body))
            if sitting.match is not None:
                self._tables[row.seq] = sitting.match.table.copy()
                self.over = row.seq
                if sitting.match.over:
                    break
        assert sitting.match is not None
        assert sitting.match.over
        self.record = sitting.match.record()
        self.deck: Cards = Counter(next(entry["shuffle"] for entry in self.record["log"]))

    def known(self, seq: int, seat: int) -> Cards:
        """Return the cards that a seat may know then, or that everybody may."""
        if seq not in self._tables:
            return Counter()
        table = self._tables[seq]
        places = list(itertools.chain(*HIDDEN_PLACES[self.game.id](table, seat - 1)))
        if getattr(table, "reshuffled", False):
            # Everybody has seen which cards were shuffled, if not how they lie now.
            places = [(cards, place) for cards, place in places if cards is not table.deck.cards]
        hidden = Counter(self.game.write_card(cards[place]) for cards, place in places)
        assert hidden <= self.deck
        return self.deck - hidden


def things(told: Any) -> Iterator[dict[str, Any]]:
    """Return everything that is told with a number, wherever it is."""
    if isinstance(told, dict):
        if "seq" in told:
            yield told
        told = list(told.values())
    for part in told if isinstance(told, list) else []:
        yield from things(part)


def cards_in(told: Any, deck: Cards) -> Cards:
    """Count all cards that are mentioned, or counted."""
    if isinstance(told, dict):
        counted = {name: number for name, number in told.items() if name in deck and isinstance(number, int)}
        return sum((cards_in(part, deck) for part in told.values()), Counter(counted))
    if isinstance(told, list):
        return sum((cards_in(part, deck) for part in told), Counter[str]())
    return Counter([told] if isinstance(told, str) and told in deck else [])


def named(game: str, thing: dict[str, Any]) -> set[str]:
    """Return the words of all moves; in Stockpile they name places alone, which are numbered like cards."""
    moves = [] if game == "stockpile" else [thing.get("move") or "", *thing.get("legal", [])]
    return {word for move in moves for word in move.split()}


@pytest.mark.parametrize("game", GAMES)
def test_a_browser_is_never_sent_a_card_that_its_owner_may_not_know(
    chromium: Browser, server: Running, game: str
) -> None:
    with wire(server.url) as line:
        devices = Devices(chromium, server.url)
        devices.forgive(TOO_LATE)
        ann, ben = devices.new("Ann", base_url=line.url), devices.new("Ben")
        table = gather([ann, ben], game, bots=1, options=SHORT[game], window_seconds=1)
        players = [Taps(ann, 1), Taps(ben, 2)]
        for _ in range(8):
            for player in players:
                player.go_on()
        # Come back, ask a bot, read what happened: all that brings more to the browser.
        ann.goto(f"/t/{table}/room")
        ann.goto(f"/t/{table}")
        until(ann, "s.phase !== 'open'")
        if ann.locator("[data-do=hint]:enabled").count():
            ann.click("[data-do=hint]")
            expect(ann.locator("[data-notice=hint]")).to_be_visible()
        play_out(list(players))
        told = [thing for body in line.bodies() for part in body.told for thing in things(part)]
        pages = b"".join(body.content for body in line.bodies() if body.kind == "text/html")
        for context in devices.contexts:
            context.close()
    truth = Truth(server, game, table)
    seen: Cards = Counter()
    for thing in told:
        known = truth.known(thing["seq"], 1)
        seen.update(part for part in ("view", "news") if thing.get(part))
        assert cards_in(thing.get("view"), truth.deck) <= known, thing
        assert cards_in(thing.get("news"), truth.deck).keys() <= known.keys(), thing
        assert named(game, thing) & truth.deck.keys() <= known.keys(), thing
        if thing["seq"] < truth.over:
            assert truth.record["seed"] not in json.dumps(thing)
            assert truth.record["fairness"]["secret"] not in json.dumps(thing)
    # It was told of, step by step, and not in the pages.
    assert min(seen["view"], seen["news"]) > 4
    assert b'"view"' not in pages
    assert devices.complaints() == []
