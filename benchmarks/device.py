"""Games on the reader's own device: how soon they begin, how much they load, and how long `hard` thinks on a
phone.

The server is started by `upcard serve`, and Playwright drives Chromium. For the phone, DevTools slow the
processor down.
"""

from __future__ import annotations

__all__ = ["measure"]

import asyncio
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.figures import Figure, now
from benchmarks.server.process import Server
from benchmarks.web import chromium, new_page
from upcard.bots.levels import LEVELS
from upcard.games import all_games

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, Request

ROUNDS = 5
# Promised: seconds, KB.
DEALT, OFFLINE, THINKING, KILOBYTES = 1.0, 1.0, 1.0, 250
# How much slower than this machine the phone is.
PHONE = 4

READY = "navigator.serviceWorker.ready.then(() => new Promise((done) => {\
  if (navigator.serviceWorker.controller) done();\
  else navigator.serviceWorker.addEventListener('controllerchange', done);\
}))"

# Make the first legal move as soon as it is one's turn, and wait until it is made.
MOVE = """async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const page = () => document.querySelector("upcard-local-table");
  while (!page()?.state?.legal.length) await frame();
  const { seq, legal } = page().state;
  page().session.play(legal[0]);
  while (page().state.seq === seq) await frame();
}"""

# Let the person begin, at the first seat; with a dealer, the one at the last seat deals.
BEGIN = """() => {
  const seats = document.querySelector("[name=first]") ?? document.querySelector("[name=dealer]");
  // The first choice is chance.
  seats.selectedIndex = seats.name === "first" ? 1 : seats.length - 1;
  seats.dispatchEvent(new Event("change"));
}"""

# The person is to move, and a card can be taken for it.
CAN_MOVE = "upcard-local-table .board.my-turn .spot.ready"

# Let `hard` choose its first move with all its simulations, and return the seconds, the best of some rounds.
THINK = """async ([game, simulations, rounds]) => {
  const rules = new URL("../../rules/", document.querySelector("script[type=module]").src);
  const load = (path) => import(new URL(path, rules));
  const { GAME } = await load(`${game}/game.js`);
  await load(`${game}/bots.js`);
  const { Match } = await load("upcard/match/match.js");
  const { Budget, Turn } = await load("upcard/bots/bot.js");
  const { Search } = await load("upcard/bots/search.js");
  const match = new Match(GAME, { players: 2 }, new Uint8Array(32));
  const seat = match.to_move;
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    const budget = new Budget(simulations, null, false, true);
    const turn = new Turn(GAME, match.view(seat), GAME.legal_moves(match.table), [], budget);
    const begun = performance.now();
    new Search(new Uint8Array([round])).choose(turn);
    best = Math.min(best, (performance.now() - begun) / 1000);
  }
  return best;
}"""


def measure() -> Iterator[Figure]:
    """Measure everything; it takes about two minutes."""
    with tempfile.TemporaryDirectory() as folder:
        yield from asyncio.run(_measure(Path(folder)))


async def _measure(folder: Path) -> list[Figure]:
    server = Server(folder, {"log_level": "warning"})
    found: list[Figure] = []
    async with chromium() as browser:
        with server.running():
            await server.wait()
            for game in all_games():
                found += await _first_visit(browser, server, game.id)
            page = await new_page(browser, server)
            await page.goto("/play")
            await page.evaluate(READY)
            for game in all_games():
                found.append(await _offline(page, game.id))
            found += await _phone(browser, server)
    return found


async def _first_visit(browser: Browser, server: Server, game: str) -> list[Figure]:
    """Open the page in new profiles, and begin a game by one tap."""
    times, sizes = [], []
    for _ in range(ROUNDS):
        page = await new_page(browser, server, service_workers="block")
        loaded: list[Request] = []
        page.on("requestfinished", partial(_keep, loaded))
        begun = now()
        await page.goto("/play")
        await page.click(f"[data-game={game}] [data-do=play]")
        await page.wait_for_selector("upcard-table .board")
        times.append(now() - begun)
        # The first move of a bot needs the rest.
        await page.evaluate(MOVE)
        await page.evaluate(MOVE)
        await page.wait_for_load_state("networkidle")
        sizes.append(sum([(await request.sizes())["responseBodySize"] for request in loaded]))
        await page.context.close()
    return [
        Figure(f"first visit until {game} is dealt", min(times), "s", DEALT, at_most=True),
        Figure(f"files to play {game} offline, compressed", max(sizes) / 1000, "KB", KILOBYTES, at_most=True),
    ]


def _keep(loaded: list[Request], request: Request) -> None:
    loaded.append(request)


async def _offline(page: Page, game: str) -> Figure:
    """Open the page without a network, and set up a game in which the person begins, until the first move can
    be made."""
    await page.context.set_offline(True)
    times = []
    for _ in range(ROUNDS):
        # From another document, so that the page is really opened.
        await page.goto("about:blank")
        begun = now()
        await page.goto(f"/play#set-up-{game}")
        await page.wait_for_selector("[data-do=open]")
        await page.evaluate(BEGIN)
        await page.click("[data-do=open]")
        await page.wait_for_selector(CAN_MOVE)
        times.append(now() - begun)
    await page.context.set_offline(False)
    return Figure(f"start offline until the first move: {game}", min(times), "s", OFFLINE, at_most=True)


async def _phone(browser: Browser, server: Server) -> list[Figure]:
    """Let `hard` think on a phone, with all its simulations."""
    page = await new_page(browser, server, service_workers="block")
    await page.goto("/play")
    session = await page.context.new_cdp_session(page)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": PHONE})
    simulations = LEVELS["hard"][1].simulations
    found = []
    for game in all_games():
        seconds = await page.evaluate(THINK, [game.id, simulations, ROUNDS])
        found.append(Figure(f"hard thinks on a phone: {game.id}", seconds, "s", THINKING, at_most=True))
    return found
