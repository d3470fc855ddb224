"""A gallery of the browser table, for people to look at. `make screenshots` writes it to build/gallery.

It has every screen at four sizes, in both themes, in English and German, and film strips of the motion.
"""

from __future__ import annotations

__all__ = ["FILMS", "SCENES", "SIZES", "Film", "Scene", "gallery"]

import base64
import html
import itertools
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page, ViewportSize

import upcard
from tests.server.web.devices import until, wait
from upcard.bots import Greedy, Turn
from upcard.games import find
from upcard.match import Match

FOLDER = Path(__file__).parents[3] / "build" / "gallery"
SIZES: dict[str, ViewportSize] = {
    "phone": {"width": 360, "height": 740},
    "tablet": {"width": 820, "height": 1180},
    "laptop": {"width": 1280, "height": 800},
    "tv": {"width": 1920, "height": 1080},
    "landscape": {"width": 740, "height": 360},
}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
LANGUAGES = ("en", "de")
# The time in which a page settles (fonts, focus and motion), in milliseconds.
MOMENT = 300
# The factor by which films are slowed down, so that a picture of each moment can be taken.
SLOWLY = 0.03
# The pictures that are taken of a film at most, and those that its strip shows side by side.
MAX_TAKEN = 60
FRAMES = 8


@dataclass(frozen=True)
class Scene:
    """A table after some moves, seen by the seat to move, or the page of an address. `picks` is a card that
    is picked, as the table names it, and `clicks` the selector of a button. Instead of a game after
    some moves, it shows a lobby, the end of a game, or a replay."""

    name: str
    address: str = ""
    game: str = ""
    players: int = 0
    seed: int = 0
    moves: int = 0
    picks: str = ""
    clicks: str = ""
    shows: Literal["table", "lobby", "end", "replay"] = "table"


@dataclass(frozen=True)
class Film:
    """A move, shown in a game after some earlier moves."""

    name: str
    game: str
    players: int
    seed: int
    shows: Callable[[dict[str, Any]], bool]


def _has(kind: str) -> Callable[[dict[str, Any]], bool]:
    return lambda told: any(news["kind"] == kind for news in told["news"])


SCENES = (
    Scene("home", "/"),
    Scene("set-up", "/#set-up-stacks"),
    Scene("rules", "/rules/lines"),
    Scene("learn", "/learn/stockpile"),
    Scene("stacks-2", game="stacks", players=2, seed=19, moves=30),
    Scene("stacks-4", game="stacks", players=4, seed=19, moves=66, picks="hand:b5"),
    Scene("stacks-6", game="stacks", players=6, seed=19, moves=66),
    Scene("lines-3", game="lines", players=3, seed=3, moves=12, picks="hand:g6"),
    Scene("lines-5", game="lines", players=5, seed=3, moves=24),
    Scene("stockpile-2", game="stockpile", players=2, seed=14, moves=18),
    Scene("stockpile-4", game="stockpile", players=4, seed=14, moves=18),
    Scene("theft", game="stacks", players=4, seed=19, moves=66, picks="hand:chip"),
    Scene("lobby", game="stacks", players=3, shows="lobby"),
    Scene("settings", game="stacks", players=2, seed=19, moves=30, clicks="[data-do=settings]"),
    Scene("history", game="lines", players=3, seed=3, moves=12, clicks="[data-do=history]"),
    Scene("result", game="stacks", players=3, seed=19, shows="end"),
    Scene("replay", game="lines", players=3, seed=3, shows="replay"),
)
FILMS = (
    Film("deal", "stacks", 4, 19, lambda told: told["kind"] == "started"),
    Film("play", "stacks", 4, 19, lambda told: told["kind"] == "moved" and told["seat"] != 1),
    Film("completion", "stacks", 4, 19, _has("completed")),
    Film("block", "stacks", 4, 5, _has("blocked")),
    Film("lines", "lines", 3, 3, _has("played")),
    Film("stockpile", "stockpile", 3, 14, _has("completed")),
)


def record_of(game: str, players: int, seed: int, moves: int) -> tuple[dict[str, Any], int]:
    """Return the record of a game among greedy bots, and the seat to move after some moves."""
    # Five players of Lines need all six colours.
    options: dict[str, Any] = {"players": players} | (
        {"colours": 6} if game == "lines" and players == 5 else {}
    )
    match: Match = upcard.new(find(game), seed=seed, **options)
    bot, seat = Greedy(), 1
    for made in itertools.count():
        if made == moves:
            seat = match.to_move or 1
        if match.over:
            break
        turn = Turn(match.game, match.view(match.to_move), match.game.legal_moves(match.table))
        match.make_legal(bot.choose(turn))
    return match.record(), seat


def open_table(page: Page, url: str, name: str, record: dict[str, Any], moves: int, seat: int) -> str:
    """Sit down at a table in the middle of a game, and return its address."""
    asked = {"id": name, "record": record, "moves": moves, "seat": seat, "name": "Ann"}
    answer = page.request.post("/api/branch", data=asked, headers={"Origin": url})
    assert answer.ok, answer.text()
    address = f"/t/{answer.json()['table']}"
    page.goto(address)
    until(page, "s.phase === 'playing'")
    wait(page, "document.querySelector('upcard-table .board')")
    return address


# Replay a record as the page of replays does.
STEPS = """async ([record, seat]) => {
  const script = document.querySelector("script[type=module]").src;
  const { device } = await import(script.replace("house/replay.js", "local/device.js"));
  return device.steps(record, seat);
}"""


def replayed(page: Page, record: dict[str, Any], seat: int | None) -> dict[str, Any]:
    """Return a game step by step, as a seat saw it."""
    page.goto("/replay")
    steps: dict[str, Any] = page.evaluate(STEPS, [record, seat])
    return steps


def pictures(browser: Browser, url: str, scenes: Iterable[Scene], sizes: Iterable[str]) -> Iterator[Path]:
    """Take pictures of scenes in both themes and languages."""
    for theme, language in itertools.product(THEMES, LANGUAGES):
        page = _page(browser, url, theme, language)
        for scene in scenes:
            address = _open(page, url, scene, f"{scene.name}-{theme}-{language}")
            for size in sizes:
                page.set_viewport_size(SIZES[size])
                if scene.picks and not page.locator(".held").count():
                    page.locator(f'upcard-table [data-source="{scene.picks}"]').first.click(force=True)
                if scene.clicks and not page.locator("dialog[open]").count():
                    page.click(scene.clicks)
                page.mouse.move(0, 0)
                page.wait_for_timeout(MOMENT)
                yield _picture(page, f"{scene.name}-{size}-{theme}-{language}")
            if scene.game and scene.shows == "table" and not scene.clicks and "tv" in sizes:
                page.goto(f"{address}/room")
                wait(page, "document.querySelector('upcard-table .board')")
                page.set_viewport_size(SIZES["tv"])
                page.wait_for_timeout(MOMENT)
                yield _picture(page, f"{scene.name}-room-{theme}-{language}")
        page.context.close()


def _open(page: Page, url: str, scene: Scene, name: str) -> str:
    """Open what a scene shows, and return its address."""
    address = scene.address
    match scene.shows:
        case "lobby":
            plan = {"id": name, "game": scene.game, "options": {"players": scene.players}}
            answer = page.request.post("/api/tables", data=plan, headers={"Origin": url})
            assert answer.ok, answer.text()
            address = f"/t/{answer.json()['table']}"
            page.goto(address)
            page.wait_for_selector(".seat-row")
        case "end":
            address = _win(page, url, scene.game, scene.players, scene.seed, name)
        case "replay":
            record, _ = record_of(scene.game, scene.players, scene.seed, 0)
            page.goto("/replay")
            file = {"name": "a.json", "mimeType": "application/json", "buffer": json.dumps(record).encode()}
            page.set_input_files("input[type=file]", file)  # type: ignore[arg-type]
            page.wait_for_selector("[data-do=run]")
            page.locator("input[type=range]").fill("12")
        case "table" if scene.game:
            record, seat = record_of(scene.game, scene.players, scene.seed, scene.moves)
            address = open_table(page, url, name, record, scene.moves, seat)
        case "table":
            page.goto(address)
            page.wait_for_selector("h1, .game, .coach-text, [data-do=begin]")
    return address


# Show one event, and say when it has been shown.
SHOW = """([told, before, facts]) => {
  const table = document.querySelector("upcard-table");
  table.settings = { ...table.settings, motion: true, speed: 1 };
  table.facts = { ...table.facts, ...facts, table: table.facts.table };
  table.state = { ...before, seats: table.state.seats, seq: told.seq - 1, window: null, legal: [] };
  window.shown = false;
  table.updateComplete.then(() => table.tell([{ ...told, at: 0 }])).then(() => (window.shown = true));
}"""


def strips(browser: Browser, url: str, films: Iterable[Film], sizes: Iterable[str]) -> Iterator[Path]:
    """Take pictures of moving cards, moment by moment."""
    for film, size in itertools.product(films, sizes):
        page = _page(browser, url, "light", "en", reduced_motion="no-preference")
        page.set_viewport_size(SIZES[size])
        record, _ = record_of(film.game, film.players, film.seed, 1)
        told = replayed(page, record, 1)
        steps = told["steps"]
        number = next(place for place, step in enumerate(steps) if film.shows(step["told"]))
        open_table(page, url, f"film-{film.name}-{size}", record, max(1, number), 1)
        before = steps[number - 1]["state"] if number else steps[0]["state"] | {"view": None, "to_move": None}
        link = page.context.new_cdp_session(page)
        link.send("Animation.enable")
        link.send("Animation.setPlaybackRate", {"playbackRate": SLOWLY})
        page.evaluate(SHOW, [steps[number]["told"], before, told["facts"]])
        taken: list[bytes] = []
        while len(taken) < MAX_TAKEN and not page.evaluate("window.shown"):
            taken.append(page.screenshot())
        page.context.close()
        yield _strip(browser, f"film-{film.name}-{size}", taken)


def _strip(browser: Browser, name: str, taken: list[bytes]) -> Path:
    """Put some of the pictures of a film side by side."""
    chosen = [taken[round(place * (len(taken) - 1) / (FRAMES - 1))] for place in range(FRAMES)]
    images = [f'<img src="data:image/png;base64,{base64.b64encode(each).decode()}">' for each in chosen]
    page = browser.new_page(viewport={"width": 1920, "height": 100})
    style = "body{margin:4px;background:#333;display:grid;grid-template-columns:repeat(4,1fr);gap:4px}"
    style += "img{width:100%}"
    page.set_content(f"<style>{style}</style>{''.join(images)}")
    path = FOLDER / f"{name}.png"
    page.screenshot(path=path, full_page=True)
    page.close()
    return path


# Make a move by tapping.
MOVE = """(move) => {
  const table = document.querySelector("upcard-table");
  table.dispatchEvent(new CustomEvent("move", { detail: { move }, bubbles: true }));
}"""


def endings(browser: Browser, url: str, sizes: Iterable[str]) -> Iterator[Path]:
    """Win a game, and take pictures of the celebration, also on the big screen."""
    for (game, seed), size in itertools.product((("stacks", 19), ("lines", 3), ("stockpile", 14)), sizes):
        page = _page(browser, url, "light", "en", reduced_motion="no-preference")
        page.set_viewport_size(SIZES[size])
        address = _win(page, url, game, 3, seed, f"win-{game}-{size}")
        taken = []
        for _ in range(FRAMES):
            taken.append(page.screenshot())
            page.wait_for_timeout(MOMENT)
        yield _strip(browser, f"win-{game}-{size}", taken)
        if size == "tv":
            page.goto(f"{address}/room")
            page.wait_for_selector("upcard-celebration .ranks")
            page.wait_for_timeout(FRAMES * MOMENT / 2)
            yield _picture(page, f"win-{game}-room")
        page.context.close()


def _win(page: Page, url: str, game: str, players: int, seed: int, name: str) -> str:
    """Make the last move of a game, and return the address of its table."""
    record, _ = record_of(game, players, seed, 0)
    told = replayed(page, record, None)
    last = len(told["steps"]) - 2
    record, seat = record_of(game, players, seed, last)
    address = open_table(page, url, name, record, last, seat)
    page.evaluate(MOVE, told["steps"][-1]["told"]["move"])
    page.wait_for_selector("dialog[open] upcard-celebration canvas")
    return address


def _page(browser: Browser, url: str, theme: Literal["light", "dark"], language: str, **how: Any) -> Page:
    usual: dict[str, Any] = {"reduced_motion": "reduce"}
    context = browser.new_context(color_scheme=theme, locale=language, base_url=url, **usual | how)
    liked = json.dumps(json.dumps({"name": "Ann"}))
    context.add_init_script(f"localStorage['upcard.preferences'] ??= {liked};")
    page = context.new_page()
    page.goto("/")
    return page


def _picture(page: Page, name: str) -> Path:
    path = FOLDER / f"{name}.png"
    page.screenshot(path=path)
    return path


def gallery(browser: Browser, url: str, names: Iterable[str] = (), sizes: Iterable[str] = ()) -> Path:
    """Take all pictures, or those of some scenes at some sizes, and write the page that shows them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    chosen = set(names)
    scenes = [scene for scene in SCENES if scene.name in chosen or not chosen]
    films = [film for film in FILMS if film.name in chosen or not chosen]
    at = list(sizes) or list(SIZES)
    rows: dict[str, list[Path]] = {}
    for path in pictures(browser, url, scenes, at):
        rows.setdefault(path.stem.split("-", 1)[0], []).append(path)
    for path in strips(browser, url, films, [size for size in at if size in ("phone", "laptop")]):
        rows.setdefault("film", []).append(path)
    if not chosen or "win" in chosen:
        for path in endings(browser, url, [size for size in at if size != "landscape"]):
            rows.setdefault("win", []).append(path)
    parts = [
        f"<h2>{html.escape(name)}</h2><div>{''.join(map(_shown, paths))}</div>"
        for name, paths in rows.items()
    ]
    page = FOLDER / "index.html"
    style = "body{font:16px system-ui;background:#333;color:#fff}div{display:flex;flex-wrap:wrap;gap:8px}"
    style += "img{height:300px}"
    page.write_text(f"<!doctype html><title>Gallery</title><style>{style}</style>{''.join(parts)}", "utf-8")
    return page


def _shown(path: Path) -> str:
    name = html.escape(path.name)
    return f'<a href="{name}"><img src="{name}" alt="{html.escape(path.stem)}" loading="lazy"></a>'
