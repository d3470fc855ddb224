"""Shared by all tests: seeds, groups, and the summary at the end of a run.

Tests that compile the same game run in the same process, which compiles it only once. Tests that share a
browser do too, so that it is started only once.
"""

from __future__ import annotations

import os
import shlex
import signal
from collections import defaultdict
from collections.abc import Generator

import hypothesis
import pytest

from tests.hanging import ended_if_it_hangs, prepare
from tests.seeds import BASE, seeded_by
from tests.server.web.chromium import MISSING
from upcard.games import GAMES
from upcard.server.store import threads

# The same examples in every run, whatever the machine and however busy it is.
hypothesis.settings.register_profile(
    "repeatable",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("repeatable")


def pytest_configure(config: pytest.Config) -> None:
    prepare(config)
    # No caller stops waiting for a database because the machine is busy, or because a test advances the time.
    threads.DEADLINE = None
    # Tests press Ctrl-C, but a shell starts background jobs, and so their children, with it ignored.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are cores, since many tests wait for browsers and servers; not more,
    because each of them compiles."""
    return min(4, (os.cpu_count() or 1) + 1)


# Before xdist looks at the groups.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        game = next((name for name in GAMES if name in item.name), "")
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group(f"browser {item.path.stem} {game}"))
        if marker := item.get_closest_marker("compiled"):
            compiles = marker.args[0] if marker.args else game or "stockpile"
            item.add_marker(pytest.mark.xdist_group(f"compiled {compiles}"))
        if item.get_closest_marker("soak"):
            item.add_marker(pytest.mark.timeout(0))


# Seeds


def _name_of(item: pytest.Item) -> str:
    """Return the name of a test without the group that xdist appends."""
    return item.nodeid.partition("@")[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool, bool]:
    with seeded_by(_name_of(item)):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    if fixturedef.scope == "function":
        return (yield)
    with seeded_by(f"{fixturedef.baseid}::{fixturedef.argname}[{getattr(request, 'param', '')}]"):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        numba = " ".join(f"{name}={value}" for name, value in os.environ.items() if name.startswith("NUMBA_"))
        soak = "TEST_CASES=all " if item.get_closest_marker("soak") else ""
        pytest_of = ".venv-soak/bin/pytest -m soak" if soak else ".venv/bin/pytest"
        command = f"{numba} {soak}TEST_SEED={BASE} {pytest_of} -n0 {shlex.quote(_name_of(item))}"
        report.sections.append((f"Seed: {BASE} {_name_of(item)}", f"Repeat it: {command.strip()}"))
    return report


# Tests that wait forever


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    with ended_if_it_hangs(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    with ended_if_it_hangs(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    with ended_if_it_hangs(item):
        return (yield)


# The end of a run


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    _tell_untried(terminalreporter)
    _tell_times(terminalreporter)
    _tell_long(terminalreporter)


def _tell_untried(reporter: pytest.TerminalReporter) -> None:
    """Report if no browser tests ran: dots and a number are easily overlooked."""
    untried = sum(MISSING in str(report.longrepr) for report in reporter.stats.get("skipped", []))
    if untried:
        reporter.section(f"{untried} tests did not run: {MISSING}", red=True, bold=True)


def _tell_times(reporter: pytest.TerminalReporter) -> None:
    """Show how long the tests of each folder took, added up over all processes."""
    seconds: dict[str, float] = defaultdict(float)
    for report in (report for kind in reporter.stats.values() for report in kind):
        if isinstance(report, pytest.TestReport):
            folder = "/".join(report.nodeid.partition("::")[0].split("/")[:-1])
            seconds[folder] += report.duration
    reporter.section("seconds in each folder")
    for folder, time in sorted(seconds.items(), key=lambda row: -row[1]):
        reporter.write_line(f"{time:7,.0f} s  {folder}")


def _tell_long(reporter: pytest.TerminalReporter) -> None:
    """Show a table of the long tests, with the counts that they report. Tests without a report are counted by
    their output."""
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
