"""The bench of the browser table: its scores, all of it in short, and what it says without a browser."""

from __future__ import annotations

import builtins
from typing import Any

import pytest

from tests.server.web.chromium import MISSING, NEEDED, find
from upcard.core.errors import UpcardError
from upcard.lab.bench import web


def test_a_score_is_nine_tenths_for_a_good_value_and_a_half_for_a_middling_one() -> None:
    assert web.score(150, 150, 350) == pytest.approx(0.9)
    assert web.score(350, 150, 350) == pytest.approx(0.5)
    assert web.score(0, 150, 350) == 1
    assert web.score(10_000, 150, 350) < 0.001


def test_a_page_that_is_there_at_once_has_a_hundred_points() -> None:
    assert web.performance({"fcp": 0, "lcp": 0, "tbt": 0, "cls": 0}) == pytest.approx(100)
    good = {name: good for name, (_, good, _) in web.CURVES.items()}
    assert web.performance(good) == pytest.approx(90)


def test_without_playwright_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith("playwright"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(UpcardError, match="pip install playwright"):
        list(web.measure())


@pytest.mark.soak
@pytest.mark.browser
def test_everything_is_measured_and_the_pages_are_small_and_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """How quick it is depends on the machine, and is not tested."""
    if find() is None:
        (pytest.fail if NEEDED else pytest.skip)(MISSING)
    monkeypatch.setattr(web, "ROUNDS", 1)
    figures = {figure.name: figure for figure in web.measure()}
    assert all(figure.value > 0 for figure in figures.values() if figure.unit in ("s", "KB", "a second"))
    assert sum(figure.wanted is not None for figure in figures.values()) == 9
    for name in (
        "first load until cards are dealt",
        "errors that the browser reports",
        "barriers that axe finds",
    ):
        assert figures[name].reached
