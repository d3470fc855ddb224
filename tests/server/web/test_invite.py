"""A game on a device becomes a table for others."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.server.guests import Running
from tests.server.web.devices import Devices, state_of, table_of, until, wait
from tests.server.web.test_local import STATE, seeded_worker, your_turn


def at_home(devices: Devices, name: str) -> Page:
    """Return a device on the page for games without a server, whose server is in reach."""
    page = devices.new(name)
    seeded_worker(page)
    page.goto("/play")
    return page


def invite(page: Page, do: str) -> str:
    """Invite others from a table on this device, and return the shared table."""
    page.click("[data-do=more]")
    page.click("[data-do=invite]")
    expect(page.locator("dialog[open] [data-do=invite-now]")).to_have_text(do)
    page.click("[data-do=invite-now]")
    return table_of(page)


def test_a_game_against_bots_continues_with_people_as_its_player_sees_it(
    devices: Devices, server: Running
) -> None:
    page = at_home(devices, "Ann")
    page.click("[data-game=stacks] [data-do=play]")
    your_turn(page)
    page.click("[data-do=hint]")
    page.click("[data-do=follow]")
    wait(page, f"{STATE}.seq > 1")
    your_turn(page)
    before: dict[str, Any] = page.evaluate(f"{STATE}.view")
    table = invite(page, "Continue there")
    until(page, "s.phase === 'open'")
    other = devices.new("Ben")
    other.goto(f"/t/{table}")
    expect(other.locator("[data-continues]")).to_be_visible()
    other.locator("[data-do=sit]").first.click()
    until(other, "s.you !== null")
    if page.locator("[data-do=fill]").count():
        page.click("[data-do=fill]")
    page.click("[data-do=start]")
    until(page, "s.phase === 'playing'")
    assert state_of(page)["view"] == before
    assert server.state(table).continuation is not None
    wait(page, "document.querySelector('upcard-table-page .board.my-turn')")


def test_people_who_pass_a_device_round_are_offered_a_new_deal(devices: Devices, server: Running) -> None:
    page = at_home(devices, "Ann")
    page.click("[data-game=lines] [data-do=set-up]")
    page.select_option("[name=seat-2]", index=0)
    page.click("[data-do=open]")
    page.click("[data-do=take]")
    wait(page, f"{STATE}.you !== null")
    table = invite(page, "New game there")
    until(page, "s.phase === 'open' && s.you !== null")
    assert server.state(table).continuation is None
