"""Two people and a bot play a whole game in real browsers, and no browser receives a card that its owner may
not know."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.server.guests import Guest, Running
from tests.server.knowledge import Knowledge, leaks, told_in
from tests.server.web.devices import PHONE, Devices, state_of, until
from tests.server.web.players import Taps, gather, play_out, play_some
from tests.server.web.wires import wire
from upcard.games import GAMES
from upcard.server.table.entries import read_entry

# Short games that nevertheless contain everything.
SHORT: dict[str, dict[str, Any]] = {
    "stockpile": {"stock": 3},
    "lines": {"colours": 4},
    "stacks": {"turn_limit": 5, "block": "anytime"},
}


def knowledge_of(server: Running, table: str) -> Knowledge:
    """Return what everyone may know of a game, according to the log on disk."""
    assert server.loop is not None
    rows = asyncio.run_coroutine_threadsafe(server.tables.node.store.load(table), server.loop).result()
    return Knowledge([(row.at, read_entry(row.body)) for row in rows])


@pytest.mark.parametrize("game", GAMES)
def test_a_browser_is_never_sent_a_card_that_its_owner_may_not_know(
    chromium: Browser, server: Running, game: str
) -> None:
    """One of them is on a phone; all see the same end, which is the one in the server's record."""
    with wire(server.url) as line:
        devices = Devices(chromium, server.url)
        pages = [devices.new("Ann", base_url=line.url), devices.new("Ben", size=PHONE, has_touch=True)]
        ann, _ = pages
        table = gather(pages, game, bots=1, options=SHORT[game], window_seconds=60)
        players = [Taps(page, seed) for seed, page in enumerate(pages, 1)]
        play_some(server, table, players, 6)
        # Reload, ask for a hint, read the history: all of these send more to the browser.
        ann.goto(f"/t/{table}/room")
        ann.goto(f"/t/{table}")
        until(ann, "s.phase !== 'open'")
        if server.settled(table).to_move == 1:
            ann.click("[data-do=hint]")
            expect(ann.locator("[data-notice=hint]")).to_be_visible()
        play_out(server, table, players)
        result = Guest(server.url).http.get(f"/api/tables/{table}/record").json()["result"]
        for page in pages:
            assert (state_of(page)["phase"], state_of(page)["result"]) == ("over", result)
            expect(page.locator("upcard-result .winner")).to_have_count(len(result["winners"]))
        told = [one for body in line.bodies() for message in body.told for one in told_in(message)]
        html = b"".join(body.content for body in line.bodies() if body.kind == "text/html")
        for context in devices.contexts:
            context.close()
    knowledge = knowledge_of(server, table)
    kinds: Counter[str] = Counter()
    for one in told:
        kinds.update(part for part in ("view", "news") if one.get(part))
        assert leaks(knowledge, 1, one) == [], one
        if one["seq"] < knowledge.over:
            assert knowledge.record["seed"] not in json.dumps(one)
            assert knowledge.record["fairness"]["secret"] not in json.dumps(one)
    # The game arrived step by step, not in the pages.
    assert min(kinds["view"], kinds["news"]) > 4
    assert b'"view"' not in html
    moves = [entry for entry in knowledge.record["log"] if "move" in entry]
    assert {entry["seat"] for entry in moves} == {1, 2, 3}
    assert devices.complaints() == []
