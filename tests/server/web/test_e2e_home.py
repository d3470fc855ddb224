"""At home: over plain HTTP, where browsers disable many features, and as an app on a phone."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.cases import in_game
from tests.server.guests import Running
from tests.server.web.devices import AT_HOME, PHONE, Devices, table_of
from tests.server.web.players import Keys, Taps, gather, play_out, play_some


def at_home(devices: Devices) -> str:
    """Return the address by which another device in the house finds the server."""
    return f"http://{AT_HOME}:{urlsplit(devices.url).port}"


def test_a_game_over_plain_http_is_played_and_checked(devices: Devices, server: Running) -> None:
    page = devices.new(size=PHONE, base_url=at_home(devices))
    table = gather([page], "stockpile", bots=1, options={"stock": 2})
    assert page.evaluate("isSecureContext") is False
    play_out(server, table, [Taps(page)])
    page.click("upcard-result [data-do=fair]")
    expect(page.locator(".checks.right li.right")).to_have_count(4)


@pytest.mark.parametrize("path", ["/", "/rules/lines", "/learn/stacks", "/replay"])
def test_every_page_opens_over_plain_http(devices: Devices, path: str) -> None:
    page = devices.new(size=PHONE, base_url=at_home(devices))
    page.goto(path)
    expect(page.locator("h1").first).to_be_visible()


def test_a_browser_takes_it_for_an_app(devices: Devices) -> None:
    """According to Chromium itself, and with icons that it can draw."""
    page = devices.new(size=PHONE)
    page.goto("/")
    link = page.context.new_cdp_session(page)
    manifest = link.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].endswith("/manifest.webmanifest")
    troubles = [each["errorId"] for each in link.send("Page.getInstallabilityErrors")["installabilityErrors"]]
    # A context without a history, as tests have it, cannot install anything.
    assert set(troubles) <= {"in-incognito"}
    sizes = page.evaluate(
        """async () => {
          const { href } = document.querySelector("link[rel=manifest]");
          const { icons } = await (await fetch(href)).json();
          return Promise.all(icons.map(async ({ src, sizes }) => {
            const image = new Image();
            image.src = src;
            await image.decode();
            return [sizes, `${image.naturalWidth}x${image.naturalHeight}`];
          }));
        }"""
    )
    assert {"192x192", "512x512"} <= {wanted for wanted, _ in sizes}
    assert all(wanted in ("any", drawn) for wanted, drawn in sizes), sizes


@in_game("lines")
def test_a_keyboard_is_enough_from_the_first_page_on(devices: Devices, server: Running, game: str) -> None:
    page = devices.new()
    page.goto("/")
    page.wait_for_selector(f"[data-game={game}] [data-do=play]")
    keys = Keys(page)
    keys.tab_to(f"[data-game={game}] [data-do=play]")
    page.keyboard.press("Enter")
    table = table_of(page)
    page.wait_for_selector("upcard-table .board")
    play_some(server, table, [keys], 2)
    expect(page).to_have_title(re.compile("Upcard|·"))
