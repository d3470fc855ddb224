"""The benchmark of the code's size: functions stay short, and the folders add up to the whole."""

from __future__ import annotations

from benchmarks import code


def test_functions_stay_short_and_folders_add_up_to_the_whole() -> None:
    total, *others = code.sizes()
    assert not [figure for figure in others if figure.name.startswith("functions") and not figure.reached]
    folders = sum(figure.value for figure in others if figure.name.startswith("of these"))
    assert 0 <= total.value - folders < 300
