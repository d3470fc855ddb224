"""After one visit, everything on this device works without a network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.server.web.devices import Devices, wait
from tests.server.web.houses import house
from tests.server.web.test_local import PLAY, STATE, check_record, file_server, plan_of, your_turn
from upcard.games import all_games

# Games that do not last long.
SHORT: dict[str, dict[str, Any]] = {"stockpile": {"stock": 2}, "stacks": {"turn_limit": 10}}

# Look for a new version, and wait until it is loaded.
UPDATE = """async () => {
  const found = await navigator.serviceWorker.ready;
  await found.update();
  while (!found.waiting) {
    await new Promise((resolve) => found.installing.addEventListener("statechange", resolve, { once: true }));
  }
}"""


def visit(devices: Devices, address: str = "") -> Page:
    """Visit a site, until the browser has kept all that it needs to play without a network."""
    page = devices.new(service_workers="allow")
    page.goto(address)
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    wait(page, "navigator.serviceWorker.controller")
    return page


@pytest.fixture
def devices(chromium: Browser, tmp_path: Path) -> Iterator[Devices]:
    """Devices that have visited a server which is gone."""
    with house(tmp_path) as server:
        made = Devices(chromium, server.url)
        visit(made)
    # Failed requests are not errors here.
    made.forgive("ERR_CONNECTION_REFUSED", "ERR_FAILED")
    yield made
    for context in made.contexts:
        context.close()
    assert made.complaints() == []


def test_after_one_visit_games_rulebooks_and_languages_need_no_network(devices: Devices) -> None:
    page = devices.contexts[0].pages[0]
    page.goto("/")
    page.wait_for_url("**/play")
    for game in all_games():
        plan = plan_of(game, [None, "easy"], **SHORT.get(game.id, {}))
        check_record(json.loads(page.evaluate(PLAY, plan)["record"]))
        page.goto(f"/rules/{game.id}")
        page.wait_for_url(f"**/play#rules-{game.id}")
        expect(page.locator("upcard-rulebook article[lang=en] li").first).to_be_visible()
    page.locator("upcard-bar select.language").first.select_option("pl")
    expect(page.locator("upcard-rulebook article[lang=pl] li").first).to_be_visible()
    page.goto("/play")
    page.click("[data-game=lines] [data-do=play]")
    your_turn(page)
    page.reload()
    your_turn(page)
    # A table of the server is not replaced by anything.
    page.goto("/t/elsewhere")
    expect(page.locator("[data-do=retry]")).to_be_visible()
    assert page.url.endswith("/t/elsewhere")


def test_a_new_version_is_offered_after_a_game_and_never_in_the_middle_of_one(
    chromium: Browser, tmp_path: Path
) -> None:
    with file_server(tmp_path) as address:
        devices = Devices(chromium, address)
        page = visit(devices)
        page.click("[data-game=stacks] [data-do=play]")
        your_turn(page)
        page.evaluate("window.stayed = true")
        seq = page.evaluate(f"{STATE}.seq")
        # The site is exported again, by a newer Upcard.
        worker = tmp_path / "some" / "where" / "service-worker.js"
        worker.write_text(worker.read_text("utf-8").replace('"version":"', '"version":"newer '), "utf-8")
        page.evaluate(UPDATE)
        assert (page.evaluate("window.stayed"), page.evaluate(f"{STATE}.seq")) == (True, seq)
        offer = page.locator("[data-do=update]")
        expect(offer).to_have_count(0)
        page.evaluate("location.hash = ''")
        expect(offer).to_be_visible()
        assert page.evaluate("window.stayed")
        with page.expect_navigation():
            offer.click()
        expect(page.locator(".kept")).to_have_count(1)
        expect(offer).to_have_count(0)
        assert "newer" in page.evaluate("async () => (await caches.keys()).at(-1)")
        page.click(".kept a")
        your_turn(page)
        assert page.evaluate(f"{STATE}.seq") == seq
        devices.contexts[0].close()
        assert devices.complaints() == []
