"""Whole games in real browsers, with taps, keys and a screen reader."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.server.guests import Guest, Running
from tests.server.web.devices import PHONE, Devices, state_of
from tests.server.web.players import Keys, Listener, Player, Taps, gather, play_out
from upcard.games import GAMES

# Short games that nevertheless contain everything.
SHORT: dict[str, dict[str, Any]] = {
    "stockpile": {"stock": 2},
    "lines": {"colours": 4, "reshuffle": False},
    "stacks": {"turn_limit": 5, "block": "anytime"},
}

# Keep everything that has moved from one place of the page to another, by the browser's own measure.
SHIFTS = """window.shifts = [];
new PerformanceObserver((seen) => {
  for (const { sources } of seen.getEntries()) {
    for (const { node, previousRect: from, currentRect: to } of sources) {
      const name = node?.outerHTML ?? node?.textContent ?? "";
      window.shifts.push(`${name.slice(0, 90)}: ${from.x}, ${from.y} to ${to.x}, ${to.y}`);
    }
  }
}).observe({ type: "layout-shift" });"""


def check_ending(devices: Devices, table: str, pages: list[Page]) -> dict[str, Any]:
    """All see the same end, which is the one in the server's record."""
    record: dict[str, Any] = Guest(devices.url).http.get(f"/api/tables/{table}/record").json()
    for page in pages:
        state = state_of(page)
        assert state["phase"] == "over"
        assert state["result"] == record["result"]
        expect(page.locator("upcard-result .winner")).to_have_count(len(record["result"]["winners"]))
    return record


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_by_keyboard_alone_in_which_nothing_shifts(
    devices: Devices, server: Running, game: str
) -> None:
    page = devices.new(size=PHONE)
    page.add_init_script(SHIFTS)
    table = gather([page], game, bots=1, options=SHORT[game], window_seconds=60)
    page.evaluate("window.shifts = []")
    play_out(server, table, [Keys(page)])
    check_ending(devices, table, [page])
    # Cards fly, and nothing else has moved from its place.
    assert page.evaluate("window.shifts") == []


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_by_the_accessibility_tree_alone(devices: Devices, server: Running, game: str) -> None:
    page = devices.new()
    table = gather([page], game, bots=1, options=SHORT[game], window_seconds=60)
    play_out(server, table, [Listener(page)])
    check_ending(devices, table, [page])


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("player", [Taps, Keys, Listener])
def test_long_games_are_played_to_the_end(
    devices: Devices, server: Running, game: str, player: type[Player]
) -> None:
    for seed in range(3):
        pages = [devices.new("Ann"), devices.new("Ben", size=PHONE, has_touch=True)]
        table = gather(pages, game, bots=1, window_seconds=60)
        play_out(server, table, [player(page, seed * 2 + number) for number, page in enumerate(pages)])
        check_ending(devices, table, pages)
