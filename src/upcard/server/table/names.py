"""Names of people: their normal form, and whether two of them look alike."""

from __future__ import annotations

__all__ = ["MAX_LENGTH", "is_shown", "look_alike", "matches", "normalize"]

import unicodedata
from fnmatch import fnmatchcase

MAX_LENGTH = 24
# A letter may carry two accents, as in Vietnamese. More are used to draw over other lines.
MAX_ACCENTS = 2
# Ranges of characters that are not drawn (Unicode: Default_Ignorable_Code_Point), and the blank of Braille.
_INVISIBLE = (
    *((0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F)),
    *((0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164)),
    *((0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A)),
    *((0xE0000, 0xE0FFF), (0x2800, 0x2800)),
)
# Phones send these after a symbol, so that it is drawn in colour.
_VARIATIONS = dict.fromkeys(range(0xFE00, 0xFE10))
# Letters of other alphabets beside the Latin letters that they look like, capitals and small letters.
_ALPHABETS = (
    ("АВЕЅІЈКМНОРСТУХҺаеѕіјорсухһԁԛԝ", "ABESIJKMHOPCTYXhaesijopcyxhdqw"),  # Cyrillic
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορτυχ", "ABEZHIKMNOPTYXaikvoptux"),  # Greek
    ("ıɡɑ", "iga"),
)
_LATIN = {
    ord(other): latin for others, latins in _ALPHABETS for other, latin in zip(others, latins, strict=True)
}
# Within the Latin alphabet: single strokes, rings, and two letters that look like one.
_SHAPES = str.maketrans({"I": "l", "1": "l", "|": "l", "0": "O"})
_PAIRS = (("rn", "m"), ("vv", "w"), ("VV", "W"))


def normalize(name: str) -> str:
    """Return a name as it is shown: one form of each letter, and single spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).translate(_VARIATIONS).split())


def is_shown(name: str) -> bool:
    """Whether every character of a normalized name can be seen."""
    marks = 0
    for character in unicodedata.normalize("NFD", name):
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks > MAX_ACCENTS or _is_invisible(character) or not character.isprintable():
            return False
    return True


def look_alike(one: str, other: str) -> bool:
    """Whether two normalized names could be taken for each other."""
    mine, theirs = one.translate(_LATIN), other.translate(_LATIN)
    return mine.casefold() == theirs.casefold() or _drawn(mine) == _drawn(theirs)


def _drawn(name: str) -> str:
    """Return the skeleton of a name: it is the same for names that are drawn alike."""
    shapes = name.translate(_SHAPES)
    for pair, letter in _PAIRS:
        shapes = shapes.replace(pair, letter)
    return shapes


def matches(name: str, pattern: str) -> bool:
    """Whether a normalized name, or a word of it, matches a pattern in which `*` is any text. Letters that
    look alike, and capitals, make no difference."""
    return any(fnmatchcase(_skeleton(part), _skeleton(pattern)) for part in (name, *name.split()))


def _skeleton(name: str) -> str:
    return name.translate(_LATIN).translate(_SHAPES).casefold()


def _is_invisible(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in _INVISIBLE)
