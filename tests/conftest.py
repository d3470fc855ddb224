"""Tests that compile the same game run in the same process, which then compiles it only once; likewise those
that share a browser, which then is started only once."""

from __future__ import annotations

import os
from collections import defaultdict

import hypothesis
import pytest

from tests.server.web.chromium import MISSING
from upcard.games import GAMES

# How long something takes is no matter of a test, on a machine that does other things too.
hypothesis.settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("any machine")


def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are cores, since many tests wait for browsers and servers; but not many
    more, for each of them compiles."""
    return min(4, (os.cpu_count() or 1) + 1)


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
        if item.get_closest_marker("soak"):
            item.add_marker(pytest.mark.timeout(0))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    _tell_untried(terminalreporter)
    _tell_long(terminalreporter)


def _tell_untried(reporter: pytest.TerminalReporter) -> None:
    """Say so where nothing was tried in a browser: dots and a number are easily overlooked."""
    untried = sum(MISSING in str(report.longrepr) for report in reporter.stats.get("skipped", []))
    if untried:
        reporter.section(f"{untried} tests did not run: {MISSING}", red=True, bold=True)


def _tell_long(reporter: pytest.TerminalReporter) -> None:
    """Show a table of the long tests, with what each of them says that it has tried. Those that say nothing
    are counted by what they show."""
    reports = [report for kind in ("passed", "failed") for report in reporter.stats.get(kind, [])]
    long = [report for report in reports if "soak" in report.keywords and report.when == "call"]
    rows: dict[tuple[str, str], list[float]] = defaultdict(list)
    for report in sorted(long, key=lambda report: report.nodeid):
        name = report.nodeid.rpartition("::")[2].removeprefix("test_").replace("_", " ")
        shown = name.partition("[" if report.passed else "@")[0]
        rows[report.outcome, report.capstdout.strip() or shown].append(report.duration)
    if rows:
        reporter.section("the long tests")
    for (outcome, said), times in rows.items():
        count = f" ({len(times)} cases)" if len(times) > 1 else ""
        reporter.write_line(f"{outcome:6} {sum(times):7,.0f} s  {said}{count}")
