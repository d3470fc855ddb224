"""The bundled typeface: Fredoka, reduced to the characters that our languages need.

The full fonts come from the npm package named below. Reducing them takes the font's own tools, and the result
is committed, so this is needed only to change the characters or the version.
"""

from __future__ import annotations

__all__ = ["PACKAGE", "glyphs", "write_fonts"]

import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from fontTools import subset
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import (
    ARGS_ARE_XY_VALUES,
    ROUND_XY_TO_GRID,
    USE_MY_METRICS,
    Glyph,
    GlyphComponent,
)
from fontTools.varLib import instancer

PACKAGE = "@fontsource-variable/fredoka@5.3.0"
FOLDER = Path(__file__).parents[4] / "src" / "upcard" / "server" / "web" / "static" / "fonts"
# The one weight that is used: for numerals, names and headings. A font with all weights would be twice as large.
WEIGHT = 600
# English, French, Spanish, Portuguese, German, Dutch and Italian. The Polish crossed l is in a second, small file.
LATIN = "U+20-7E,U+A0,U+A1,U+AB,U+B7,U+BB,U+BF-FF,U+152,U+153,U+2013,U+2014,U+2018-201A,U+201C-201E,U+2026"
POLISH = "U+141,U+142"
# The typeface lacks the other Polish letters, but has their parts: a letter, a mark, and the mark's position.
COMPOSED = {
    **{letter: (base, 0x301, "above") for letter, base in zip("ćńśźĆŃŚŹ", "cnszCNSZ", strict=True)},
    **{letter: (base, ord("."), "above") for letter, base in zip("żŻ", "zZ", strict=True)},
    **{letter: (base, 0xB8, "below") for letter, base in zip("ąęĄĘ", "aeAE", strict=True)},
}
# The distance between a letter and the mark above it, in units of the font.
GAP = 70
FILES = {"latin": ("fredoka-latin-wght-normal", LATIN), "polish": ("fredoka-latin-ext-wght-normal", POLISH)}


def write_fonts() -> None:
    """Write the reduced fonts and their licence."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=folder, check=True)
        [packed] = Path(folder).glob("*.tgz")
        with tarfile.open(packed) as archive:
            archive.extractall(folder, filter="data")
        source = Path(folder) / "package"
        (FOLDER / "fredoka.LICENSE.txt").write_bytes((source / "LICENSE").read_bytes())
        for name, (file, characters) in FILES.items():
            font = TTFont(source / "files" / f"{file}.woff2")
            instancer.instantiateVariableFont(font, {"wght": WEIGHT}, inplace=True)
            wanted = characters
            if name == "latin":
                wanted += "".join(f",U+{ord(letter):X}" for letter in COMPOSED)
                for letter, (base, mark, where) in COMPOSED.items():
                    _compose(font, letter, base, mark, where)
            _reduce(font, wanted).save(FOLDER / f"fredoka-{name}.woff2")


def _reduce(font: TTFont, characters: str) -> TTFont:
    options = subset.Options(flavor="woff2", layout_features=["tnum"], hinting=False)
    reducer = subset.Subsetter(options)
    reducer.populate(unicodes=subset.parse_unicodes(characters))
    reducer.subset(font)
    font.flavor = "woff2"
    return font


def _compose(font: TTFont, letter: str, base: str, mark: int, where: str) -> None:
    """Add a letter that consists of another one and a mark."""
    names, table = font.getBestCmap(), font["glyf"]
    below, sign = table[names[ord(base)]], table[names[mark]]
    middle = (below.xMin + below.xMax) / 2
    added = GlyphComponent()
    added.flags, added.glyphName = ROUND_XY_TO_GRID | ARGS_ARE_XY_VALUES, names[mark]
    if where == "above":
        added.x, added.y = round(middle - (sign.xMin + sign.xMax) / 2), round(below.yMax + GAP - sign.yMin)
    else:
        # An ogonek is a mirrored cedilla at the right foot of the letter.
        added.transform = [[-1, 0], [0, 1]]
        added.x, added.y = round(below.xMax * 0.82 + sign.xMin), 0
    body = GlyphComponent()
    body.flags, body.glyphName, body.x, body.y = (
        ROUND_XY_TO_GRID | USE_MY_METRICS | ARGS_ARE_XY_VALUES,
        names[ord(base)],
        0,
        0,
    )
    glyph = Glyph()
    glyph.numberOfContours, glyph.components = -1, [body, added]
    name = f"uni{ord(letter):04X}"
    font.setGlyphOrder([*font.getGlyphOrder(), name])
    table.glyphs[name] = glyph
    table.glyphOrder = font.getGlyphOrder()
    glyph.recalcBounds(table)
    font["hmtx"][name] = font["hmtx"][names[ord(base)]]
    for cmap in font["cmap"].tables:
        if cmap.isUnicode():
            cmap.cmap[ord(letter)] = name


def glyphs(letters: str, height: float) -> dict[str, tuple[str, float]]:
    """Return the outline of each letter, centred on the origin, and its width, for a height of the digits."""
    font = TTFont(FOLDER / "fredoka-latin.woff2")
    shapes, names = font.getGlyphSet(), font.getBestCmap()
    scale = height / _bounds(shapes, names[ord("5")])[3]
    found = {}
    for letter in letters:
        left, _, right, _ = _bounds(shapes, names[ord(letter)])
        pen = SVGPathPen(shapes, ntos=lambda number: f"{number:.1f}".removesuffix(".0"))
        where = (scale, 0, 0, -scale, -(left + right) / 2 * scale, height / 2)
        shapes[names[ord(letter)]].draw(TransformPen(pen, where))
        found[letter] = pen.getCommands(), (right - left) * scale
    return found


def _bounds(shapes: Any, name: str) -> tuple[float, float, float, float]:
    pen = BoundsPen(shapes)
    shapes[name].draw(pen)
    left, bottom, right, top = pen.bounds
    return left, bottom, right, top
