"""Fixtures of the tests in a browser: one browser and one server for all tests of a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.server.guests import Running
from tests.server.web.chromium import SWITCHES, find_or_skip
from tests.server.web.devices import AT_HOME, Devices
from tests.server.web.houses import house


# Playwright keeps an event loop running in this thread. Other tests need one of their own, so it is stopped
# after the tests of this folder, not at the end of the process.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """A real browser. Without one, the test is skipped, or fails if a browser is required."""
    found = find_or_skip()
    with sync_playwright() as playwright:
        home = f"--host-resolver-rules=MAP {AT_HOME} 127.0.0.1"
        browser = playwright.chromium.launch(executable_path=found, args=[*SWITCHES, home])
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with all its pages, which may send push messages to this machine."""
    with house(tmp_path_factory.mktemp("house"), push="loopback") as server:
        yield server


@pytest.fixture
def devices(chromium: Browser, server: Running) -> Iterator[Devices]:
    """People's devices. A test fails if anything went wrong on one of them."""
    made = Devices(chromium, server.url)
    yield made
    for context in made.contexts:
        context.close()
    assert made.complaints() == []
