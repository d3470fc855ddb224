"""The benchmark of games on the reader's own device, in short."""

from __future__ import annotations

import pytest

from benchmarks import device
from tests.server.web.chromium import find_or_skip


@pytest.mark.soak
@pytest.mark.browser
def test_everything_is_measured_and_the_files_of_each_game_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times depend on the machine, and are not tested."""
    find_or_skip()
    monkeypatch.setattr(device, "ROUNDS", 1)
    figures = list(device.measure())
    assert all(figure.value > 0 and figure.wanted is not None for figure in figures)
    sizes = [figure for figure in figures if figure.unit == "KB"]
    assert len(sizes) == 3
    assert all(figure.reached for figure in sizes)
