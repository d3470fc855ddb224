"""The artwork of the browser table is up to date with its programs."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree

from fontTools.ttLib import TTFont

from tests.server.web.art.__main__ import files
from tests.server.web.art.faces import ANIMALS, TOYS
from tests.server.web.art.fonts import FOLDER
from tests.server.web.art.shapes import HUES
from upcard.games import all_games
from upcard.i18n import catalogue, languages
from upcard.server.web.assets import FOLDER as STATIC


def test_every_sprite_is_up_to_date() -> None:
    """`make art` would change nothing."""
    for path, text in files().items():
        assert path.read_text("utf-8") == text, path


def test_every_sprite_is_well_formed_and_names_each_shape_once() -> None:
    seen: list[str] = []
    for path, text in files().items():
        for element in ElementTree.fromstring(text).iter():
            # A picture is a page of its own; sprites share one.
            seen += (
                [] if path.stem == "picture" else [value for name, value in element.items() if name == "id"]
            )
    assert len(seen) == len(set(seen))


def test_every_face_that_pages_name_is_drawn() -> None:
    names = re.findall(
        r'"(\w+)"', (STATIC / "js" / "table" / "faces.js").read_text("utf-8").partition("hash")[0]
    )
    assert {*ANIMALS, *TOYS} <= set(names)


def test_the_typeface_has_every_letter_that_a_language_needs() -> None:
    """Headings and names of cards use it."""
    all_games()
    known = set(TTFont(FOLDER / "fredoka-latin.woff2").getBestCmap())
    known |= set(TTFont(FOLDER / "fredoka-polish.woff2").getBestCmap())
    for language in languages():
        letters = {
            letter
            for said in catalogue(language).sentences.values()
            for letter in str(said)
            if letter.isalpha()
        }
        assert {letter for letter in letters if ord(letter) not in known} == set(), language


def test_the_six_colours_differ_in_lightness() -> None:
    """So that they can be told apart without seeing hues."""
    lightness = sorted(_lightness(fill) for fill, _ in HUES.values())
    assert all(above - below > 6 for below, above in itertools.pairwise(lightness))


def _lightness(colour: str) -> float:
    """Return the lightness of a colour (CIE L*), from 0 to 100."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    luminance = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return float(116 * luminance ** (1 / 3) - 16) if luminance > 0.008856 else 903.3 * luminance
