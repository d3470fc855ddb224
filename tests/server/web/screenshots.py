"""The pictures in the README, and the gallery: `make screenshots` takes them of real tables.

Every table is one of a game among greedy bots with a fixed seed, entered after a fixed number of moves, so
that the same cards lie on it every time.
"""

from __future__ import annotations

__all__ = ["main"]

import json
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from tests.server.web.chromium import MISSING, SWITCHES, find
from tests.server.web.devices import wait
from tests.server.web.gallery import gallery, open_table, record_of
from tests.server.web.houses import house

FOLDER = Path(__file__).parents[3] / "docs" / "pictures"
LAPTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
# The time in which a page settles: fonts, focus and motion.
MOMENT = 400
# The README should load fast.
MAX_BYTES = 150_000
QUALITY = 74


@dataclass(frozen=True)
class Shot:
    """A picture of a table after some moves, seen by the player to move. `picks` is the selected card, as the
    table names it; without a game, the picture shows the home page."""

    name: str
    size: ViewportSize
    scheme: Literal["light", "dark"] = "light"
    language: str = "en"
    sharp: float = 1
    game: str = ""
    players: int = 0
    seed: int = 0
    moves: int = 0
    picks: str = ""


SHOTS = (
    Shot("home", LAPTOP),
    Shot("stacks-laptop", LAPTOP, game="stacks", players=4, seed=19, moves=66, picks="hand:b5"),
    Shot("lines-phone", PHONE, sharp=1.5, game="lines", players=3, seed=3, moves=12, picks="hand:g6"),
    Shot("stockpile-phone", PHONE, "dark", sharp=1.5, game="stockpile", players=3, seed=14, moves=18),
)


def take(browser: Browser, url: str, shot: Shot) -> Path:
    """Make a picture."""
    context = browser.new_context(
        viewport=shot.size,
        color_scheme=shot.scheme,
        locale=shot.language,
        device_scale_factor=shot.sharp,
        reduced_motion="reduce",
        base_url=url,
    )
    liked = json.dumps({"name": "Ann"})
    context.add_init_script(f"localStorage['upcard.preferences'] ??= {json.dumps(liked)};")
    page = context.new_page()
    page.goto("/")
    wait(page, "document.querySelector('h1')")
    if shot.game:
        record, seat = record_of(shot.game, shot.players, shot.seed, shot.moves)
        open_table(page, url, shot.name, record, shot.moves, seat)
        if shot.picks:
            page.click(f'upcard-table [data-source="{shot.picks}"]')
    page.mouse.move(0, 0)
    page.wait_for_timeout(MOMENT)
    # The grain of the felt would make a PNG ten times as large.
    path = FOLDER / f"{shot.name}.jpg"
    page.screenshot(path=path, type="jpeg", quality=QUALITY)
    context.close()
    return path


def main(names: Iterable[str] = ()) -> int:
    """Take all pictures and the gallery, or only the pictures of the README that are named."""
    found = find()
    if found is None:
        print(MISSING, file=sys.stderr)
        return 1
    wanted = [shot for shot in SHOTS if shot.name in (*names,)] or SHOTS
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        house(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=found, args=SWITCHES)
        paths = [take(browser, server.url, shot) for shot in wanted]
        if not names:
            print(gallery(browser, server.url))
        browser.close()
    for path in paths:
        print(f"{path.relative_to(FOLDER.parents[1])}: {path.stat().st_size:,} bytes")
    return int(any(path.stat().st_size > MAX_BYTES for path in paths))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
