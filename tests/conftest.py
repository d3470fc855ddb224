"""Tests that compile the same game run in the same process, which then compiles it only once; likewise those
that share a browser, which then is started only once."""

from __future__ import annotations

import pytest

from tests.server.web.chromium import MISSING
from upcard.games import GAMES


# Before xdist looks at the groups.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        game = next((name for name in GAMES if name in item.name), "")
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group(f"browser {item.path.stem} {game}"))
        if item.get_closest_marker("compiled"):
            item.add_marker(pytest.mark.xdist_group(f"compiled {game or 'stockpile'}"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say so where nothing was tried in a browser: dots and a number are easily overlooked."""
    untried = sum(MISSING in str(report.longrepr) for report in terminalreporter.stats.get("skipped", []))
    if untried:
        terminalreporter.section(f"{untried} tests did not run: {MISSING}", red=True, bold=True)
