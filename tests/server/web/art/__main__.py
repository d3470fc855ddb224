"""`make art` writes the SVG sprites of the browser table; with `fonts`, also the fonts, from the npm package."""

from __future__ import annotations

__all__ = ["files", "main"]

import re
import sys
from importlib import resources
from pathlib import Path

from tests.server.web.art.cards import common, decks
from tests.server.web.art.faces import faces
from tests.server.web.art.fonts import write_fonts
from tests.server.web.art.pictures import pictures
from upcard.games import find

STATIC = Path(__file__).parents[4] / "src" / "upcard" / "server" / "web" / "static"
# Trailing zeros, which align the source in columns, and zeros before a decimal point.
ZEROS = re.compile(r"(\.\d*?[1-9])0+(?=\D)|(?<=\D)0(?=\.\d)")


def files() -> dict[Path, str]:
    """Return the content of every sprite."""
    drawn = {STATIC / "art" / "common.svg": common(), STATIC / "art" / "faces.svg": faces()}
    for game, deck in decks().items():
        drawn[Path(str(resources.files(find(game).package))) / "web" / "deck.svg"] = deck
    for game, picture in pictures().items():
        drawn[Path(str(resources.files(find(game).package))) / "web" / "picture.svg"] = picture
    return {path: ZEROS.sub(r"\1", text) for path, text in drawn.items()}


def main(wanted: list[str]) -> int:
    """Write the files."""
    if "fonts" in wanted:
        write_fonts()
    for path, text in files().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        print(f"{path.name}: {len(text):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
