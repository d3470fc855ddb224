"""What is promised of the browser table: how soon it is there, how small it is, how it answers and moves.

The lab does not know the server. It starts `upcard serve` as anybody would, and looks at it with Chromium,
which Playwright drives.
"""

from __future__ import annotations

__all__ = ["measure", "performance", "score"]

import contextlib
import math
import os
import shutil
from collections.abc import AsyncIterator, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from upcard.core.errors import UpcardError
from upcard.lab.bench.figures import Figure
from upcard.lab.bench.server.house import House
from upcard.lab.bench.server.measuring import now, quantile, run, workplace

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

TOOLS = "upcard bench web needs Chromium: pip install playwright, and then playwright install chromium"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# The sandbox does not start in containers, and we open no pages but our own.
SWITCHES = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
LAPTOP = {"width": 1280, "height": 800}
ROUNDS = 5
PAGES = ("/", "/#set-up-stacks", "/rules/stacks", "/learn/stockpile", "/replay")

# What is promised.
FROM_START = 3.0
PLAYABLE = 1.0
KILOBYTES = 150
ANSWER = 50
PERFORMANCE = 95
# As browsers count sixty.
FRAMES = 59

# Lighthouse's measures of a desktop: the weight of each, the value that gets 0.9, and the one that gets 0.5.
# Its index of speed asks for a film of the screen; the first paint with content stands for it here.
CURVES = {
    "fcp": (0.20, 934.0, 1600.0),
    "lcp": (0.25, 1200.0, 2400.0),
    "tbt": (0.30, 150.0, 350.0),
    "cls": (0.25, 0.10, 0.25),
}
# How far from the middle of a normal distribution nine tenths of it are.
NINE_TENTHS = 1.2815515655446004

# What a page has to count from its beginning.
COUNTERS = """
globalThis.counted = { fcp: 0, lcp: 0, tbt: 0, cls: 0 };
const count = (type, take) =>
  new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
count("paint", ({ name, startTime }) => name === "first-contentful-paint" && (counted.fcp = startTime));
count("largest-contentful-paint", ({ startTime }) => (counted.lcp = startTime));
count("longtask", ({ duration }) => (counted.tbt += Math.max(0, duration - 50)));
count("layout-shift", ({ value, hadRecentInput }) => (counted.cls += hadRecentInput ? 0 : value));
"""
# Tap on all cards that can be taken, and see when the screen has the answer.
TAPS = """async () => {
  const script = document.querySelector("script[type=module]").src;
  const { measureTaps } = await import(new URL("../table/measure.js", script));
  return measureTaps(document.querySelector("upcard-table"));
}"""
# Discard, and count the frames while what all the others do is shown.
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
    """Measure everything; it takes about a minute."""
    try:
        import playwright.async_api  # noqa: F401
    except ImportError as error:
        raise UpcardError(TOOLS) from error
    with workplace() as folder:
        yield from run(_measure(folder))


async def _measure(folder: Path) -> list[Figure]:
    async with _browser() as browser:
        started, house = await _from_start(browser, folder)
        with house.running():
            await house.wait()
            return [
                Figure("start of the server to a page one can use", started, "s", FROM_START, at_most=True),
                *await _first_visit(browser, house),
                *await _playing(browser, house),
                *await _faults(browser, house),
            ]


@contextlib.asynccontextmanager
async def _browser() -> AsyncIterator[Browser]:
    """Start Chromium: the one that UPCARD_CHROMIUM names, this machine's, or Playwright's own."""
    from playwright.async_api import Error, async_playwright

    own = next(filter(None, map(shutil.which, BROWSERS)), None)
    async with async_playwright() as playwright:
        try:
            browser = await playwright.chromium.launch(
                executable_path=os.environ.get("UPCARD_CHROMIUM") or own, args=SWITCHES
            )
        except Error as error:
            raise UpcardError(TOOLS) from error
        yield browser
        await browser.close()


async def _page(browser: Browser, house: House, **how: Any) -> Page:
    """Return a page on a device of its own, which has never been here."""
    context = await browser.new_context(
        base_url=f"http://{house.host}:{house.port}", viewport=how.pop("viewport", LAPTOP), **how
    )
    await context.add_init_script(COUNTERS)
    return await context.new_page()


# How soon it is there


async def _from_start(browser: Browser, folder: Path) -> tuple[float, House]:
    """Return after how many seconds there is a page, the best of some starts; and the server."""
    house = House(folder, {"log_level": "warning"})
    times = []
    for _ in range(ROUNDS):
        begun = now()
        with house.running():
            await house.wait()
            page = await _page(browser, house)
            await page.goto("/")
            await page.wait_for_selector("[data-do=play]")
            times.append(now() - begun)
            await page.context.close()
    return min(times), house


async def _first_visit(browser: Browser, house: House) -> list[Figure]:
    """Come for the first time, and begin a game by one tap, several times."""
    loads, deals, sizes, counts = [], [], [], []
    for _ in range(ROUNDS):
        page = await _page(browser, house)
        link = await page.context.new_cdp_session(page)
        came: list[float] = []
        link.on("Network.loadingFinished", lambda told, came=came: came.append(told["encodedDataLength"]))
        await link.send("Network.enable")
        begun = now()
        await page.goto("/")
        await page.wait_for_selector("[data-do=play]")
        loads.append(now() - begun)
        await page.wait_for_load_state("networkidle")
        counts.append(await page.evaluate("counted"))
        tapped = now()
        await page.click("[data-game=lines] [data-do=play]")
        await page.wait_for_selector("upcard-table .hand .spot")
        deals.append(now() - tapped)
        sizes.append(sum(came))
        await page.context.close()
    counted = {name: min(each[name] for each in counts) for name in CURVES}
    return [
        Figure("first visit to a page one can use", min(loads), "s", PLAYABLE, at_most=True),
        Figure("one tap to cards on the table", min(deals), "s", PLAYABLE, at_most=True),
        Figure("first load until cards are dealt", max(sizes) / 1000, "KB", KILOBYTES, at_most=True),
        Figure("first paint with content", counted["fcp"], "ms"),
        Figure("largest paint with content", counted["lcp"], "ms"),
        Figure("time blocked by long tasks", counted["tbt"], "ms"),
        Figure("shift of what was drawn", counted["cls"], ""),
        Figure("performance, weighed as Lighthouse does", performance(counted), "of 100", PERFORMANCE),
    ]


def score(value: float, good: float, middling: float) -> float:
    """Return a share: 0.9 for a good value, 0.5 for a middling one, along the curve of a log-normal
    distribution."""
    if value <= 0:
        return 1.0
    spread = (math.log(middling) - math.log(good)) / NINE_TENTHS
    return (1 - math.erf((math.log(value) - math.log(middling)) / (spread * math.sqrt(2)))) / 2


def performance(counted: Mapping[str, float]) -> float:
    """Return the points of a page, of 100."""
    points = (
        weight * score(counted[name], good, middling) for name, (weight, good, middling) in CURVES.items()
    )
    return 100 * sum(points)


# How it answers and moves


async def _playing(browser: Browser, house: House) -> list[Figure]:
    """Sit at a table of Stacks with five bots, where most is going on."""
    page = await _page(browser, house)
    await page.goto("/")
    table = await page.evaluate(
        """async () => {
            const script = document.querySelector("script[type=module]").src;
            const { playBots } = await import(new URL("opening.js", script));
            const options = { players: 6, dealer: 6 };
            const seats = [{}, ...Array.from({ length: 5 }, () => ({ bot: "easy" }))];
            return playBots("stacks", { options, seats, pace: 0, window_seconds: 0 });
        }"""
    )
    await page.goto(f"/t/{table}")
    await page.wait_for_selector("upcard-table .ready")
    # The best of some rounds: other programs only ever make us slower.
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


# Whether anything is wrong with it


async def _faults(browser: Browser, house: House) -> list[Figure]:
    """Look at the pages that everybody sees: what the browser reports, and what axe finds if it is there."""
    page = await _page(browser, house)
    reported: list[str] = []
    page.on("console", lambda said: reported.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: reported.append(str(error)))
    page.on("requestfailed", lambda request: reported.append(request.url))
    axe = _axe()
    found = 0
    for address in PAGES:
        await page.goto(address)
        await page.wait_for_load_state("networkidle")
        if axe is not None:
            await page.evaluate(axe)
            found += await page.evaluate("axe.run().then(({ violations }) => violations.length)")
    await page.context.close()
    figures = [Figure("errors that the browser reports", len(reported), "", 0, at_most=True)]
    return figures + ([] if axe is None else [Figure("barriers that axe finds", found, "", 0, at_most=True)])


def _axe() -> str | None:
    """Return what looks for barriers in pages, if the package with it is installed."""
    spec = find_spec("axe_playwright_python")
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).with_name("axe.min.js").read_text("utf-8")
