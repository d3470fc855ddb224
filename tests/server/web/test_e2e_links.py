"""Connections that break in the middle of a move, and servers that die: nothing is lost or happens twice."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.cases import in_game
from tests.server.guests import Running
from tests.server.soak_processes import Serving
from tests.server.web.devices import Devices, first_turn, state_of, until, wait, wait_until
from tests.server.web.players import Taps, gather, play_some, try_again
from tests.server.web.wires import wire

SHORT = {"stockpile": {"stock": 3}, "lines": {"colours": 4, "reshuffle": False}, "stacks": {"turn_limit": 12}}


def mover(pages: list[Page]) -> int:
    """Wait until a player can move, and return their page."""
    until(pages[0], "s.to_move !== null")
    seat: int = state_of(pages[0])["to_move"]
    wait(pages[seat - 1], "document.querySelector('.board.my-turn')")
    return seat - 1


def moves_made(page: Page) -> int:
    """Return the number of moves on the server."""
    table = page.url.rpartition("/")[2]
    news = page.request.get(f"/api/tables/{table}/events?since=0", headers={"Accept": "application/json"})
    return sum(entry["kind"] == "moved" for entry in news.json()["news"])


def tap(page: Page) -> None:
    """Make a move."""
    page.locator("upcard-table .ready").first.click()
    page.locator("upcard-table .lit, upcard-table .choices-now button").first.click()


@in_game("stockpile")
def test_a_move_that_is_begun_with_a_link_and_ended_without_counts_once(
    devices: Devices, server: Running, game: str
) -> None:
    pages = [devices.new("Ann"), devices.new("Ben")]
    table = gather(pages, game, options={**SHORT[game], **first_turn(game, 1)})
    at = mover(pages)
    before = moves_made(pages[at])
    devices.forgive("ERR_INTERNET_DISCONNECTED")
    page = pages[at]
    page.locator("upcard-table .ready").first.click()
    page.context.set_offline(True)
    expect(page.locator("[data-banner=away]")).to_be_visible()
    # The card is still selected.
    expect(page.locator("upcard-table .held")).to_have_count(1)
    page.locator("upcard-table .lit, upcard-table .choices-now button").first.click()
    page.context.set_offline(False)
    expect(page.locator("[data-banner=away]")).to_have_count(0)
    try_again(page, lambda: tap(page))
    until(pages[1 - at], f"s.seq >= {state_of(page)['seq']}")
    assert moves_made(page) == before + 1
    play_some(server, table, [Taps(page, seed) for seed, page in enumerate(pages)], 4)


# A server that is killed


@in_game("lines")
def test_a_server_that_is_killed_in_the_middle_of_a_move_is_not_missed_for_long(
    chromium: Browser, tmp_path: Path, game: str
) -> None:
    with Serving(tmp_path) as mortal, wire(mortal.url) as line:
        devices = Devices(chromium, line.url)
        pages = [devices.new("Ann"), devices.new("Ben")]
        gather(pages, game, options={**SHORT[game], **first_turn(game, 1)})
        at = mover(pages)
        before = moves_made(pages[at])
        page = pages[at]
        page.locator("upcard-table .ready").first.click()
        devices.forgive(r"^request failed: net::ERR_")  # the errors of a browser without a server
        mortal.kill()
        for each in pages:
            expect(each.locator("[data-banner=away]")).to_be_visible()
        page.locator("upcard-table .lit, upcard-table .choices-now button").first.click()
        mortal.start()
        line.lead_to(mortal.url)
        for each in pages:
            expect(each.locator("[data-banner=away]")).to_have_count(0)
        try_again(page, lambda: tap(page))
        wait_until(page, lambda: moves_made(page) > before)
        for each in pages:
            until(each, f"s.seq === {state_of(page)['seq']}")
        assert moves_made(page) == before + 1
        for context in devices.contexts:
            context.close()
        assert devices.complaints() == []
