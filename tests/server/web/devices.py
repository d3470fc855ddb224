"""Devices: browsers of people at tables, for tests. All errors on them are collected."""

from __future__ import annotations

__all__ = [
    "AT_HOME",
    "LAPTOP",
    "PHONE",
    "Devices",
    "first_turn",
    "state_of",
    "table_of",
    "until",
    "wait",
    "wait_until",
]

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    Response,
    ViewportSize,
    expect,
)

from tests import seeds
from upcard.games import GAMES

PHONE: ViewportSize = {"width": 360, "height": 740}
LAPTOP: ViewportSize = {"width": 1280, "height": 800}
# Easy bots need no compiler.
LIKED = {"name": "Ann", "speed": 3, "motion": False, "level": "easy", "players": dict.fromkeys(GAMES, 2)}
# This machine under a name that browsers do not trust without encryption, as other machines in the house see
# it.
AT_HOME = "upcard.local"
# Time limit after which something will never come, however busy the machine is, in milliseconds: shorter than
# that of a test, so that the error says what did not come.
PATIENCE = 300_000

expect.set_options(timeout=PATIENCE)

# Draw a device's randomness from a seed, so that its share of a shuffle is the same whenever a test is
# repeated. Successive pages draw different numbers, and so do requests of different lengths, so the order in
# which a page draws its share and the ids of commands does not matter.
SEEDED = """{
  const loads = Number(localStorage["test.loads"] ?? 0);
  localStorage["test.loads"] = loads + 1;
  const drawn = {};
  crypto.getRandomValues = (numbers) => {
    const size = numbers.length;
    drawn[size] = (drawn[size] ?? 0) + 1;
    let state = 2166136261;
    for (const letter of `${%s} ${loads} ${size} ${drawn[size]}`) {
      state = Math.imul(state ^ letter.charCodeAt(0), 16777619);
    }
    for (let place = 0; place < size; place += 1) {
      state = Math.imul(state ^ (state >>> 15), 2246822519) + 374761393;
      numbers[place] = state >>> 13;
    }
    return numbers;
  };
}"""


# Refusals and reactions are shown for some seconds (`session.js`). Here they stay, so that it does not matter
# how slow the machine is.
LASTING = """{
  const later = window.setTimeout;
  const stays = [6000, 9000];
  window.setTimeout = (act, time, ...more) => later(act, stays.includes(time) ? 2 ** 31 - 1 : time, ...more);
}"""


@dataclass
class Devices:
    """Creates devices, and collects all errors on them."""

    browser: Browser
    url: str
    contexts: list[BrowserContext] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)
    forgiven: list[str] = field(default_factory=list)

    def new(self, name: str = "Ann", size: ViewportSize | None = None, **how: Any) -> Page:
        """Return a page on a new device without an identity."""
        liked = LIKED | {"name": name} | how.pop("liked", {})
        usual: dict[str, Any] = {"locale": "en-GB", "reduced_motion": "reduce", "base_url": self.url}
        # Tests hear what pages request, and not what a service worker answers.
        usual["service_workers"] = "block"
        context = self.browser.new_context(viewport=size or LAPTOP, **usual | how)
        context.add_init_script(SEEDED % json.dumps(f"{seeds.current()} device {len(self.contexts)}"))
        context.add_init_script(LASTING)
        context.add_init_script(
            f"localStorage['upcard.preferences'] ??= {json.dumps(json.dumps(liked))};"
            "navigator.share = undefined;"
            "if (navigator.clipboard) navigator.clipboard.writeText = async () => {};"
        )
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", self._fails)
        page.on("console", self._complains)
        page.on("requestfailed", self._gets_nothing)
        page.on("response", self._is_answered)
        return page

    def forgive(self, *patterns: str) -> None:
        """Ignore errors that match one of these patterns, because the test causes them."""
        self.forgiven += patterns

    def complaints(self) -> list[str]:
        """Return the errors."""
        return [each for each in self.trouble if not any(re.search(one, each) for one in self.forgiven)]

    def _fails(self, error: Error) -> None:
        self.trouble.append(f"page error: {error}")

    def _complains(self, message: ConsoleMessage) -> None:
        # Failed loads are collected below, with their addresses.
        expected = "Failed to load resource", "Service Worker registration blocked by Playwright"
        if message.type in ("error", "warning") and not any(one in message.text for one in expected):
            self.trouble.append(f"console: {message.text}")

    def _gets_nothing(self, request: Request) -> None:
        # Leaving a page aborts its requests.
        if request.failure != "net::ERR_ABORTED":
            self.trouble.append(f"request failed: {request.failure} {request.method} {request.url}")

    def _is_answered(self, response: Response) -> None:
        if response.status >= 400:
            self.trouble.append(f"answer: {response.status} {response.request.method} {response.url}")


def table_of(page: Page) -> str:
    """Return the table that a page shows."""
    page.wait_for_url(re.compile(r"/t/[\w-]+$"))
    return page.url.rpartition("/")[2]


def wait(page: Page, condition: str) -> None:
    """Wait until a condition holds on a page. (Playwright's own way is against the policy of our pages.)"""
    wait_until(page, lambda: bool(page.evaluate(f"Boolean({condition})")))


def wait_until(page: Page, condition: Callable[[], bool]) -> None:
    """Wait until a condition holds, while the page continues."""
    while not condition():
        page.wait_for_timeout(5)


def state_of(page: Page) -> dict[str, Any]:
    """Return the state of the table on a page."""
    wait(page, "document.querySelector('upcard-table-page')?.state")
    state: dict[str, Any] = page.evaluate("document.querySelector('upcard-table-page').state")
    return state


def until(page: Page, condition: str) -> None:
    """Wait until a condition holds for the state on a page."""
    wait(page, f"((s) => s && ({condition}))(document.querySelector('upcard-table-page')?.state)")


def first_turn(game: str, seat: int, players: int = 2) -> dict[str, Any]:
    """Return the options by which a seat has the first turn."""
    return {"dealer": (seat - 2) % players + 1} if game == "stacks" else {"first": seat}
