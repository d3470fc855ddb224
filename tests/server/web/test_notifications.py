"""Notifications that it is one's turn: asked for by a tap, from a hidden page, and by a push message."""

from __future__ import annotations

import asyncio
import json
import re

from playwright.sync_api import Page, expect

from tests.server.guests import Guest, Running
from tests.server.push_services import Browser, PushService
from tests.server.web.devices import Devices, first_turn, until, wait
from tests.server.web.test_house import move, sit_at
from tests.waiting import wait_until
from upcard.server.runtime.push.queue import DELAY

# A browser that may notify once it is asked, and remembers what it was asked. The service worker has tests of
# its own (node/service-worker.test.js).
STUB = """{
  window.shown = [];
  Object.defineProperty(Notification, "permission", { get: () => localStorage["test.granted"] ?? "default" });
  Notification.requestPermission = async () => (localStorage["test.granted"] = "granted");
  const subscription = {
    ...%s,
    toJSON: () => subscription,
    unsubscribe: async () => delete localStorage["test.subscribed"],
  };
  const pushManager = {
    getSubscription: async () => (localStorage["test.subscribed"] ? subscription : null),
    subscribe: async (options) => {
      localStorage["test.subscribed"] = JSON.stringify(options);
      return subscription;
    },
  };
  const showNotification = async (title, about) => shown.push({ title, ...about });
  navigator.serviceWorker.getRegistration = async () => ({ pushManager, showNotification });
}"""


def until_turn_of_first(table: str, guest: Guest) -> None:
    """Let the guest at the second seat play until it is the turn of the first."""
    while (state := guest.look(table))["to_move"] == 2:
        guest.do(table, "play", base=state["seq"], move=state["legal"][0])


def switch_on(page: Page) -> None:
    page.click("[data-do=settings]")
    page.locator("input[name=notify]").check()
    expect(page.locator("upcard-notifications")).to_contain_text("even while Upcard is closed")


def test_notifications_are_asked_for_by_a_tap_and_arrive_with_and_without_an_open_page(
    devices: Devices, server: Running
) -> None:
    with PushService() as service:
        page, guest, browser = devices.new(), Guest(server.url), Browser(service, "ann")
        page.add_init_script(STUB % json.dumps(browser.subscription()))
        page.goto("/")
        assert page.evaluate("localStorage['test.granted'] ?? ''") == ""
        switch_on(page)
        asked = json.loads(page.evaluate("localStorage['test.subscribed']"))
        key = guest.http.get("/api/push").json()["key"]
        assert asked == {"userVisibleOnly": True, "applicationServerKey": key}

        # The page is open, and nobody looks at it.
        table = sit_at(page, guest, "lines", options=first_turn("lines", 2))
        expect(page).to_have_title(re.compile("Lines · Upcard"))
        page.evaluate("Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })")
        until_turn_of_first(table, guest)
        wait(page, "shown.length")
        assert page.title() == "● Your turn · Lines"
        (shown,) = page.evaluate("shown")
        assert [shown["title"], shown["body"], shown["tag"]] == ["Lines", "Your turn", table]
        assert shown["data"] == {"url": f"{server.url}/t/{table}"}

        # The page is closed when the turn comes.
        until(page, "s.legal.length > 0")
        while (state := guest.look(table))["to_move"] == 1:
            move(page)
            until(page, f"s.seq > {state['seq']}")
        page.goto("/")
        wait_until(lambda: 1 not in guest.look(table)["present"])
        until_turn_of_first(table, guest)
        server.pass_time(DELAY)
        wait_until(lambda: len(browser.messages) == 1)
        assert browser.messages[0]["url"] == f"t/{table}"

        page.click("[data-do=settings]")
        page.locator("input[name=notify]").uncheck()
        wait(page, "!localStorage['test.subscribed']")
        cookie = next(one["value"] for one in page.context.cookies() if one["name"] == "upcard")
        person = server.app.state.services.authenticator.read(cookie)
        left = server.tables.node.store.subscriptions(person.mark)
        assert server.loop is not None
        assert asyncio.run_coroutine_threadsafe(left, server.loop).result() == []
