"""The benchmark of the browser table, in short."""

from __future__ import annotations

import pytest

from benchmarks import web
from tests.server.web.chromium import find_or_skip


@pytest.mark.soak
@pytest.mark.browser
def test_everything_is_measured_and_the_first_load_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times depend on the machine, and are not tested."""
    find_or_skip()
    monkeypatch.setattr(web, "ROUNDS", 1)
    figures = {figure.name: figure for figure in web.measure()}
    assert all(figure.value > 0 for name, figure in figures.items() if "layout shift" not in name)
    assert all(figure.wanted is not None for figure in figures.values())
    assert figures["first load until cards are dealt"].reached
