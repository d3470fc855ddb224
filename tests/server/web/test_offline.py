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
from tests.server.web.test_local import PLAY, check_record, plan_of, your_turn
from upcard.games import all_games

# Games that do not last long.
SHORT: dict[str, dict[str, Any]] = {"stockpile": {"stock": 2}, "stacks": {"turn_limit": 10}}


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
    page.goto("/rules/stacks")
    page.wait_for_url("**/play#rules-stacks")
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
