"""Names are shown in one form, without invisible letters, and no two at a table look alike."""

from __future__ import annotations

import pytest

from upcard.server.table.names import is_shown, look_alike, normalize


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Ann   Lee ", "Ann Lee"),
        ("\u2764\ufe0f", "\u2764"),  # a heart, with a variation selector for colour
        ("\uff21\uff4e\uff4e", "Ann"),  # full width
        ("Zoe\u0308", "Zo\u00eb"),
        ("\u0141ukasz", "\u0141ukasz"),
    ],
)
def test_a_name_is_shown_in_one_form(typed: str, shown: str) -> None:
    assert normalize(typed) == shown


@pytest.mark.parametrize(
    "name",
    [
        *("A\x00", "\ud800", "Z\u0301\u0301\u0301algo"),
        "Ann\u034f",  # combining grapheme joiner
        *("\u3164", "\u2800", "A\u200b", "\ufeffA"),  # Hangul filler, blank of Braille, zero width
        *("A\u202e", "A\u2066", "A\U000e0041"),  # directions and tags
    ],
)
def test_a_name_with_something_that_cannot_be_seen_is_found(name: str) -> None:
    assert not is_shown(normalize(name))


@pytest.mark.parametrize("name", ["Nguy\u1ec5n", "\u0141ukasz", "\u674e", "R2-D2", "O'Neil \U0001f98a"])
def test_names_of_real_people_are_shown(name: str) -> None:
    assert is_shown(normalize(name))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "ANN"),
        ("Ann", "\u0410nn"),  # Cyrillic A
        ("Ian", "lan"),  # capital I, small L
        ("Oscar", "0scar"),
        ("Amie", "Arnie"),
        ("Wim", "VVim"),
        ("pat", "\u0440\u0430t"),  # Cyrillic er and a
    ],
)
def test_names_that_look_alike_are_found(one: str, other: str) -> None:
    assert look_alike(one, other)
    assert look_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("Ian", "Lan"), ("Rene", "Ren\u00e9"), ("Mia", "Mila"), ("1", "2")]
)
def test_names_that_do_not_look_alike_may_sit_together(one: str, other: str) -> None:
    assert not look_alike(one, other)
