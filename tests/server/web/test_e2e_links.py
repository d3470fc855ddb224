"""Connections that break in the middle of a move, and servers that die: nothing is lost or happens twice."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.server.web.devices import Devices, first_turn, state_of, until, wait
from tests.server.web.players import Taps, gather
from upcard.games import GAMES
from upcard.lab.bench.server.house import House

SHORT = {"stockpile": {"stock": 3}, "lines": {"colours": 4, "reshuffle": False}, "stacks": {"turn_limit": 12}}


def mover(pages: list[Page]) -> int:
    """Wait until somebody can move, and return which page's person it is."""
    until(pages[0], "s.to_move !== null")
    seat: int = state_of(pages[0])["to_move"]
    wait(pages[seat - 1], "document.querySelector('.board.my-turn')")
    return seat - 1


def moves_made(page: Page) -> int:
    """How many moves the server knows of."""
    table = page.url.rpartition("/")[2]
    news = page.request.get(f"/api/tables/{table}/events?since=0", headers={"Accept": "application/json"})
    return sum(entry["kind"] == "moved" for entry in news.json()["news"])


@pytest.mark.parametrize("game", GAMES)
def test_a_move_that_is_begun_with_a_link_and_ended_without_counts_once(devices: Devices, game: str) -> None:
    pages = [devices.new("Ann"), devices.new("Ben")]
    gather(pages, game, options={**SHORT[game], **first_turn(game, 1)})
    at = mover(pages)
    before = moves_made(pages[at])
    devices.forgive("ERR_INTERNET_DISCONNECTED")
    page = pages[at]
    page.locator("upcard-table .ready").first.click()
    page.context.set_offline(True)
    expect(page.locator("[data-banner=away]")).to_be_visible()
    # The card is still in the hand, so to speak.
    expect(page.locator("upcard-table .held")).to_have_count(1)
    page.locator("upcard-table .lit, upcard-table .choices-now button").first.click()
    page.context.set_offline(False)
    expect(page.locator("[data-banner=away]")).to_have_count(0)
    wait(page, "!document.querySelector('upcard-sitting').busy")
    until(pages[1 - at], f"s.seq >= {state_of(page)['seq']}")
    assert moves_made(page) == before + 1
    play_on(pages)


def play_on(pages: list[Page]) -> None:
    """Play some moves more, which both see."""
    players = [Taps(page, seed) for seed, page in enumerate(pages)]
    for _ in range(3):
        for player in players:
            player.go_on()
    table = pages[0].url.rpartition("/")[2]
    for page in pages:
        wait(page, "!document.querySelector('upcard-sitting').busy")
        until(page, f"s.seq >= {page.request.get(f'/api/tables/{table}').json()['seq']}")


# A server that is killed


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[House]:
    """A server as a process of its own, which can be killed."""
    house = House(tmp_path, {"log_level": "error"})
    with house.running():
        answers(house)
        yield house


def answers(house: House) -> None:
    """Wait until it answers. (There is an event loop in this thread already: the browser's.)"""
    waiting = threading.Thread(target=lambda: asyncio.run(house.wait()))
    waiting.start()
    waiting.join()
    assert house.port


@pytest.mark.parametrize("game", GAMES)
def test_a_server_that_is_killed_in_the_middle_of_a_move_is_not_missed_for_long(
    chromium: Browser, mortal: House, game: str
) -> None:
    devices = Devices(chromium, f"http://127.0.0.1:{mortal.port}")
    pages = [devices.new("Ann"), devices.new("Ben")]
    gather(pages, game, options={**SHORT[game], **first_turn(game, 1)})
    at = mover(pages)
    before = moves_made(pages[at])
    page = pages[at]
    page.locator("upcard-table .ready").first.click()
    devices.forgive("ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_INCOMPLETE_CHUNKED", "ERR_EMPTY")
    mortal.kill()
    for each in pages:
        expect(each.locator("[data-banner=away]")).to_be_visible()
    page.locator("upcard-table .lit, upcard-table .choices-now button").first.click()
    mortal.start()
    answers(mortal)
    for each in pages:
        expect(each.locator("[data-banner=away]")).to_have_count(0)
    wait(page, "!document.querySelector('upcard-sitting').busy")
    # Where it took too long, the page says so, and one taps again.
    assert moves_made(page) == before + 1 - page.locator("[data-notice=refusal]").count()
    play_on(pages)
    for context in devices.contexts:
        context.close()
    assert devices.complaints() == []
