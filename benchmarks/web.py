"""The browser table: how soon it can be used, how large it is, how fast it reacts, how smoothly it moves, and
what people notice (`seen.py`).

The server is started by `upcard serve`, and Playwright drives Chromium.
"""

from __future__ import annotations

__all__ = ["SWITCHES", "TOOLS", "chromium", "executable", "measure", "new_page"]

import asyncio
import contextlib
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import seen
from benchmarks.figures import Figure, now, quantile
from benchmarks.server.http import HOST
from benchmarks.server.process import Server
from upcard.core.errors import UpcardError

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

TOOLS = "this part needs Chromium: make chromium"
BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chromium-headless-shell",
)
# The sandbox does not start in containers, and only our own pages are opened.
SWITCHES = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
LAPTOP = {"width": 1280, "height": 800}
ROUNDS = 5

# Promised: seconds, KB, milliseconds, frames per second.
FROM_START = 3.0
PLAYABLE = 1.0
KILOBYTES = 150
ANSWER = 50
# A display of 60 Hz, as browsers count it.
FRAMES = 59

# Tap on all cards that can be picked, and measure when the screen responds.
TAPS = """async () => {
  const script = document.querySelector("script[type=module]").src;
  const { measureTaps } = await import(new URL("../table/measure.js", script));
  return measureTaps(document.querySelector("upcard-table"));
}"""
# Discard, and count the frames while the moves of all others are shown.
FRAMES_OF_A_ROUND = """async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const table = document.querySelector("upcard-table");
  const move = table.state.legal.find((each) => each.startsWith("x ")) ?? table.state.legal[0];
  table.dispatchEvent(new CustomEvent("move", { detail: { move }, bubbles: true }));
  while (!table.inTheAir) await frame();
  const gaps = [];
  for (let last = await frame(); table.telling; ) {
    const next = await frame();
    gaps.push(next - last);
    last = next;
  }
  return gaps;
}"""


def measure() -> Iterator[Figure]:
    """Measure everything; it takes some minutes, since games are played to their ends."""
    with tempfile.TemporaryDirectory() as folder:
        yield from asyncio.run(_measure(Path(folder)))


async def _measure(folder: Path) -> list[Figure]:
    async with chromium() as browser:
        started, server = await _from_start(browser, folder)
        with server.running():
            await server.wait()
            return [
                Figure("start of the server to a page one can use", started, "s", FROM_START, at_most=True),
                *await _first_visit(browser, server),
                *await _playing(browser, server),
                *await _seen(browser, server),
            ]


def executable() -> str | None:
    """Return the Chromium that UPCARD_CHROMIUM names, or this machine's; None for Playwright's own."""
    return os.environ.get("UPCARD_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


@contextlib.asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Start Chromium."""
    try:
        from playwright.async_api import Error, async_playwright
    except ImportError as error:
        raise UpcardError(TOOLS) from error
    async with async_playwright() as playwright:
        try:
            browser = await playwright.chromium.launch(executable_path=executable(), args=SWITCHES)
        except Error as error:
            raise UpcardError(TOOLS) from error
        yield browser
        await browser.close()


async def new_page(browser: Browser, server: Server, **how: Any) -> Page:
    """Return a page in a new browser profile."""
    context = await browser.new_context(
        base_url=f"http://{HOST}:{server.port}", viewport=how.pop("viewport", LAPTOP), **how
    )
    return await context.new_page()


# Loading


async def _from_start(browser: Browser, folder: Path) -> tuple[float, Server]:
    """Return the seconds until a page can be used, the best of some starts; and the server."""
    server = Server(folder, {"log_level": "warning"})
    times = []
    for _ in range(ROUNDS):
        begun = now()
        with server.running():
            await server.wait()
            page = await new_page(browser, server)
            await page.goto("/")
            await page.wait_for_selector("[data-do=play]")
            times.append(now() - begun)
            await page.context.close()
    return min(times), server


async def _first_visit(browser: Browser, server: Server) -> list[Figure]:
    """Open the first page in a new profile, and begin a game by one tap, several times."""
    loads, deals, sizes = [], [], []
    for _ in range(ROUNDS):
        page = await new_page(browser, server)
        link = await page.context.new_cdp_session(page)
        came: list[float] = []
        link.on("Network.loadingFinished", lambda told, came=came: came.append(told["encodedDataLength"]))
        await link.send("Network.enable")
        begun = now()
        await page.goto("/")
        await page.wait_for_selector("[data-do=play]")
        loads.append(now() - begun)
        await page.wait_for_load_state("networkidle")
        tapped = now()
        await page.click("[data-game=lines] [data-do=play]")
        await page.wait_for_selector("upcard-table .hand .spot")
        deals.append(now() - tapped)
        sizes.append(sum(came))
        await page.context.close()
    return [
        Figure("first visit to a page one can use", min(loads), "s", PLAYABLE, at_most=True),
        Figure("one tap to cards on the table", min(deals), "s", PLAYABLE, at_most=True),
        Figure("first load until cards are dealt", max(sizes) / 1000, "KB", KILOBYTES, at_most=True),
    ]


# Response and motion


async def _playing(browser: Browser, server: Server) -> list[Figure]:
    """Sit at a table of Stacks with five bots, the table with the most motion."""
    page = await new_page(browser, server)
    await page.goto("/")
    table = await page.evaluate(
        """async () => {
            const script = document.querySelector("script[type=module]").src;
            const { playBots } = await import(new URL("new-table.js", script));
            const options = { players: 6, dealer: 6 };
            const seats = [{}, ...Array.from({ length: 5 }, () => ({ bot: "easy" }))];
            return playBots("stacks", { options, seats, pace: 0, window_seconds: 0 });
        }"""
    )
    await page.goto(f"/t/{table}")
    await page.wait_for_selector("upcard-table .ready")
    # The best of some rounds: other programs on the machine can only slow us down.
    taps = [quantile(await page.evaluate(TAPS), 0.95) for _ in range(ROUNDS)]
    rounds = []
    for _ in range(ROUNDS):
        gaps = await page.evaluate(FRAMES_OF_A_ROUND)
        rounds.append(1000 * len(gaps) / sum(gaps))
        await page.wait_for_selector("upcard-table .ready")
    await page.context.close()
    return [
        Figure("a tap is answered on the screen (95 %)", min(taps), "ms", ANSWER, at_most=True),
        Figure("frames while six play Stacks", max(rounds), "a second", FRAMES),
    ]


# What people notice


async def _seen(browser: Browser, server: Server) -> list[Figure]:
    """Measure taps, games and looks, each on pages of its own."""

    async def open_page(**how: Any) -> Page:
        return await new_page(browser, server, **how)

    return [figure for part in (seen.taps, seen.looks, seen.games) for figure in await part(open_page)]
