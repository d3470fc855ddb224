"""What a family notices at a table in the browser: taps until it plays, things that move under its fingers,
waiting, and what is too small or too pale. `seen.js` plays on each page by tapping cards and places.
"""

from __future__ import annotations

__all__ = ["SIZES", "games", "looks", "taps"]

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.figures import Figure, progress

if TYPE_CHECKING:
    from playwright.async_api import Page

SCRIPT = Path(__file__).with_name("seen.js")
PHONE = {"width": 360, "height": 640}
SIZES = {
    "phone 360": PHONE,
    "phone 390": {"width": 390, "height": 844},
    "tablet": {"width": 820, "height": 1180},
    "laptop": {"width": 1280, "height": 800},
    "TV": {"width": 1920, "height": 1080},
}
GAMES = ("stockpile", "lines", "stacks")

# Promised: taps, a share in percent, pixels (targets as in WCAG 2.5.8), a ratio (WCAG 1.4.3).
TAPS = 3
TAPS_AGAIN = 1
IN_WINDOWS = 15
TEXT = 10
TARGET = 24
CONTRAST = 4.5

READY = ":is(upcard-table .hand .spot, upcard-table .mine .spot)"
OVER = "dialog[open] upcard-result"
# Time limit for a page to show something, in milliseconds.
PATIENCE = 60_000

# Of all texts of normal size, the smallest ratio of contrast that axe finds, and where.
PALEST = """async () => {
  const resultTypes = ["passes", "violations"];
  const found = await axe.run(document, { runOnly: ["color-contrast"], resultTypes });
  const nodes = [...found.passes, ...found.violations].flatMap((rule) => rule.nodes);
  const texts = nodes.map(({ html, any }) => ({ text: html, ...any[0]?.data }));
  const normal = texts.filter((text) => text.contrastRatio && text.expectedContrastRatio === "4.5:1");
  const [palest] = normal.sort((one, other) => one.contrastRatio - other.contrastRatio);
  return palest ? { size: palest.contrastRatio, text: palest.text } : { size: 21, text: "" };
}"""

OpenPage = Callable[..., Awaitable["Page"]]


async def _visit(open_page: OpenPage, **how: Any) -> Page:
    """Return a page that counts and measures, in a new browser profile."""
    page = await open_page(**how)
    page.set_default_timeout(PATIENCE)
    await page.add_init_script(path=SCRIPT)
    return page


async def taps(open_page: OpenPage) -> list[Figure]:
    """Count the taps of newcomers with a phone: alone, and with a friend, until there are cards."""
    alone = await _visit(open_page, viewport=PHONE, has_touch=True)
    await alone.goto("/")
    await alone.tap("[data-game=stacks] [data-do=play]")
    await alone.wait_for_selector(READY)
    host = await _visit(open_page, viewport=PHONE, has_touch=True)
    await host.goto("/")
    await host.tap("[data-game=stacks] [data-do=set-up]")
    await host.tap("[data-do=open]")
    friend = await _visit(open_page, viewport=PHONE, has_touch=True)
    await host.wait_for_selector(".seats")
    # The camera of a phone opens the link.
    await friend.goto(host.url)
    await friend.fill(".lobby input[name=name]", "Ben")
    await friend.locator(".lobby [data-do=sit]").first.tap()
    await host.tap("[data-do=start]:enabled")
    await host.wait_for_selector(READY)
    counts = [await page.evaluate("seen.taps()") for page in (alone, host, friend)]
    for page in (alone, host, friend):
        await page.context.close()
    names = ("home to cards, alone", "home to cards, with a friend", "link to a seat, for the friend")
    return [
        Figure(f"taps from {name}", count, "", TAPS, at_most=True)
        for name, count in zip(names, counts, strict=True)
    ]


async def games(open_page: OpenPage) -> list[Figure]:
    """Play a whole game of each kind on a phone. Bots and windows take their normal time in Stacks."""
    figures = []
    for game in GAMES:
        page = await _visit(open_page, viewport=PHONE, has_touch=True)
        await page.goto("/")
        await page.tap(f"[data-game={game}] [data-do=play]")
        await page.wait_for_selector(READY)
        before = await page.evaluate("seen.taps()")
        told = await page.evaluate("seen.playOut()")
        for moved in told["moved"]:
            progress(f"{game}: {moved}")
        figures.append(
            Figure(f"layout shift in a game of {game.title()}", told["shifted"], "", 0, at_most=True)
        )
        if game == "stacks":
            share = 100 * told["asking"] / told["lasted"]
            figures.append(
                Figure("share of a game of Stacks in windows", share, "%", IN_WINDOWS, at_most=True)
            )
            await page.tap(f"{OVER} [data-do=again]")
            # With bots, everyone is ready: the lobby closes without another tap.
            await page.wait_for_selector(OVER, state="detached")
            await page.wait_for_selector(READY)
            again = await page.evaluate("seen.taps()") - before
            figures.append(Figure("taps from the end to the next game", again, "", TAPS_AGAIN, at_most=True))
        await page.context.close()
    return figures


async def looks(open_page: OpenPage) -> list[Figure]:
    """Measure text, targets and contrast on the first page and in each game, at each size."""
    from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]

    contrast: list[tuple[float, str]] = []
    figures = []
    for name, size in SIZES.items():
        text: list[tuple[float, str]] = []
        target: list[tuple[float, str]] = []
        for game in GAMES:
            theme = "dark" if game == "lines" else "light"
            page = await _visit(open_page, viewport=size, reduced_motion="reduce", color_scheme=theme)
            await page.goto("/")
            await page.wait_for_selector("[data-do=play]")
            await page.evaluate(Axe().axe_script)
            await _measure(page, f"{name}, home", text, target, contrast)
            await page.click(f"[data-game={game}] [data-do=play]")
            await page.wait_for_selector("upcard-table .ready")
            await page.evaluate(Axe().axe_script)
            await _measure(page, f"{name}, {game}", text, target, contrast)
            await page.context.close()
        figures += [
            Figure(f"smallest text on a {name}", min(text)[0], "px", TEXT),
            Figure(f"smallest target on a {name}", min(target)[0], "px", TARGET),
        ]
    return [*figures, Figure("smallest contrast of text", min(contrast)[0], ": 1", CONTRAST)]


async def _measure(page: Page, where: str, *lists: list[tuple[float, str]]) -> None:
    """Add what is smallest on a page to each list, and say on a terminal what it is."""
    scripts = ("seen.smallestText()", "seen.smallestTarget()", PALEST)
    for script, values in zip(scripts, lists, strict=True):
        told = await page.evaluate(script)
        values.append((told["size"], f"{where}: {told['text'][:60]}"))
        progress(f"{told['size']:.3g} at {values[-1][1]}")
