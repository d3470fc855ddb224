"""The table in a real browser: display, picking and placing, and motion."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, ViewportSize, expect

from benchmarks.seen import SCRIPT as SEEN
from benchmarks.seen import TEXT
from tests.server.tables import Tried
from upcard.server.table import commands
from upcard.server.table.projection import project_entry, project_setup, project_state
from upcard.server.web import assets
from upcard.server.web.offers import offers_json
from upcard.server.web.pages import POLICY
from upcard.server.web.translations import words_json

GAMES = ("stockpile", "lines", "stacks")
MOST = {"stockpile": 4, "lines": 5, "stacks": 6}
PHONE: ViewportSize = {"width": 360, "height": 740}
LAPTOP: ViewportSize = {"width": 1280, "height": 800}
LANDSCAPE: ViewportSize = {"width": 640, "height": 360}

PAGE = """<!doctype html>
<html lang="en" data-words="/words.json" data-offers="/offers.json">
<head><meta charset="utf-8"><title>A table</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="STATIC/css/base.css">
<link rel="stylesheet" href="STATIC/css/house.css">
<link rel="stylesheet" href="STATIC/css/cards.css">
<link rel="stylesheet" href="STATIC/css/table.css">
<link rel="stylesheet" href="STATIC/css/spots.css">
<link rel="stylesheet" href="STATIC/css/middle.css">
<link rel="stylesheet" href="STATIC/css/seats.css">
<link rel="stylesheet" href="STATIC/css/hand.css">
<link rel="stylesheet" href="STATIC/css/asking.css">
<link rel="stylesheet" href="STATIC/css/table-page.css">
<script type="module" src="/stage.js"></script></head>
<body class="table"><upcard-table-page>
<header class="strip"><h1>A table</h1></header>
<main class="playing"><upcard-table></upcard-table></main>
<footer class="foot"><nav class="tools"><button>More</button></nav></footer>
</upcard-table-page></body>
</html>"""

STAGE = """
import "STATIC/js/table/table.js";
import { words } from "STATIC/js/house/words.js";
import { measureFrames, measureTaps } from "STATIC/js/table/measure.js";
await words.ready;
const fired = [];
const renew = () => {
  const table = document.createElement("upcard-table");
  for (const type of ["move", "answer", "explain"]) {
    table.addEventListener(type, (event) => fired.push([type, event.detail.move]));
  }
  table.words = words;
  document.querySelector("upcard-table").replaceWith(table);
  window.table = table;
  fired.length = 0;
};
renew();
// What slides or changes its colour has come to its end: nothing that is looked at depends on when that is.
const settle = () => {
  for (const motion of document.getAnimations()) if (motion instanceof CSSTransition) motion.finish();
};
const show = async (shown) => {
  Object.assign(table, shown);
  await table.updateComplete;
  settle();
};
Object.assign(window, { fired, renew, settle, show, measureFrames, measureTaps });
document.documentElement.dataset.ready = "yes";
"""


def addressed(text: str) -> bytes:
    """Write the version of the files into their addresses."""
    return text.replace("STATIC/", assets.address("")).encode()


class Stage(BaseHTTPRequestHandler):
    """A page with nothing on it but the table, under the policy of all pages."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        kind, body = self.found(path)
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(body)

    def found(self, path: str) -> tuple[str, bytes]:
        if path == "/":
            return "text/html; charset=utf-8", addressed(PAGE)
        if path == "/stage.js":
            return "text/javascript; charset=utf-8", addressed(STAGE)
        if path == "/words.json":
            return "application/json", words_json("en")
        if path == "/offers.json":
            return "application/json", offers_json()
        kept = assets.item(path.removeprefix(assets.address("")))
        return (kept.kind, kept.body) if kept else ("text/plain", b"")

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@dataclass
class Guest:
    """A page of the browser with the table on it."""

    page: Page

    def show(self, table: Tried, viewer: int | None, **shown: Any) -> None:
        settings = {"speed": 1, "onePlace": False, "sounds": False, "motion": False} | shown.pop(
            "settings", {}
        )
        state = project_state(table.state, viewer)
        told = {"facts": project_setup(table.state), "state": state, "settings": settings, **shown}
        self.page.evaluate("(shown) => window.show(shown)", told)

    def tap(self, selector: str) -> None:
        self.page.locator(f"upcard-table {selector}").first.click()

    def complaints(self) -> list[tuple[str, str]]:
        """The findings of axe about the table."""
        found = Axe().run(self.page, context="upcard-table").response["violations"]
        return [(each["id"], each["nodes"][0]["html"][:200]) for each in found]

    @property
    def fired(self) -> list[list[str]]:
        fired: list[list[str]] = self.page.evaluate("window.fired.splice(0)")
        return fired

    def all(self, selector: str, attribute: str) -> list[str]:
        found: list[str] = self.page.evaluate(
            """([selector, name]) => {
              const found = [...document.querySelectorAll(`upcard-table ${selector}`)];
              return found.map((each) => each.getAttribute(name));
            }""",
            [selector, attribute],
        )
        return found


@pytest.fixture(scope="module")
def stage() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stage)
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    serving.join()


@pytest.fixture(scope="module")
def page(chromium: Browser, stage: str) -> Iterator[Page]:
    page = chromium.new_page()
    page.goto(stage)
    page.wait_for_selector("html[data-ready]")
    yield page
    page.close()


@pytest.fixture
def guest(page: Page) -> Iterator[Guest]:
    """A player at a laptop, with a new table. Any error in the browser fails the test."""
    troubles: list[str] = []

    def hear(said: ConsoleMessage) -> None:
        if said.type in ("error", "warning"):
            troubles.append(said.text)

    def fail(error: Error) -> None:
        troubles.append(str(error))

    page.on("console", hear)
    page.on("pageerror", fail)
    page.set_viewport_size(LAPTOP)
    page.emulate_media(reduced_motion="no-preference")
    page.mouse.move(0, 0)
    page.evaluate("renew()")
    yield Guest(page)
    page.remove_listener("console", hear)
    page.remove_listener("pageerror", fail)
    assert troubles == []


def table_of(game: str, players: int = 2, **chosen: Any) -> Tried:
    if game == "lines" and players == 5:
        chosen["colours"] = 6
    return Tried(game, players, chosen, window_seconds=5.0)


def played(game: str, players: int, moves: int, seed: int = 1, **chosen: Any) -> Tried:
    """A game after some random moves, before its end."""
    table = table_of(game, players, **chosen).start()
    dice = random.Random(seed)
    for _ in range(moves):
        table.step(dice)
    table.close_windows(dice)
    assert table.state.to_move is not None
    return table


def asking(seed: int = 7) -> tuple[Tried, list[int]]:
    """A table at which players are asked whether they block, and the seats that could."""
    table, dice = table_of("stacks", 4, block="anytime").start(), random.Random(seed)
    while True:
        match = table.state.match
        assert match is not None
        if table.state.window is not None:
            able = [seat for seat in match.asked if len(match.answers(seat)) > 1]
            if able:
                return table, able
        table.step(dice)


def news_of(table: Tried, viewer: int | None, moves: int, seed: int = 1) -> list[dict[str, Any]]:
    """Continue at random. Return the events for the viewer, without times, so that they are never late."""
    dice, told = random.Random(seed), []
    for _ in range(moves):
        if table.state.match is None or table.state.match.over:
            break
        told += [{**project_entry(table.state, heard, viewer), "at": 0} for heard in table.step(dice)]
    return told


# Display


@pytest.mark.parametrize("game", GAMES)
def test_everything_that_can_be_done_can_be_done_by_two_taps(guest: Guest, game: str) -> None:
    """Each card in turn: the places that light up, and the buttons, are the legal moves and no others."""
    for seed in range(3):
        table = played(game, MOST[game], 8 + seed * 3, seed)
        seat = table.state.to_move
        guest.show(table, seat)
        done = set(guest.all(".choices-now [data-move]", "data-move"))
        for place in range(len(guest.all(".ready", "data-source"))):
            guest.page.evaluate("(place) => document.querySelectorAll('.ready')[place].click()", place)
            guest.page.evaluate("table.updateComplete")
            done |= set(guest.all(".choices-now [data-move]", "data-move"))
            done |= set(
                guest.page.evaluate(
                    """async () => {
                      const lit = [...document.querySelectorAll('.lit')];
                      const { source, index } = table.chosen;
                      const moves = [];
                      for (const spot of lit) {
                        table.hold(source, index);
                        await table.updateComplete;
                        spot.click();
                        moves.push(...fired.splice(0).map(([type, move]) => move));
                        await table.updateComplete;
                      }
                      table.sent = null;
                      table.letGo();
                      await table.updateComplete;
                      return moves;
                    }"""
                )
            )
        assert table.state.match is not None
        assert done == set(table.state.match.legal)


@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing_at_a_table(guest: Guest, game: str) -> None:
    """With most players, while a card is picked; and for a spectator on a phone."""
    table = played(game, MOST[game], 12, 2)
    guest.show(table, table.state.to_move)
    guest.tap(".ready")
    assert guest.complaints() == []
    guest.page.set_viewport_size(PHONE)
    guest.show(table, None)
    assert guest.complaints() == []


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_wider_than_the_screen(guest: Guest, game: str) -> None:
    for players in (2, MOST[game]):
        table = played(game, players, 8, 3)
        for size in (PHONE, LANDSCAPE, LAPTOP):
            guest.page.set_viewport_size(size)
            for viewer in (table.state.to_move, None):
                guest.show(table, viewer)
                assert guest.page.evaluate("document.querySelector('main').scrollWidth") <= size["width"]


# The positions of the parts of the table, and whether any of them sticks out.
PARTS = """() => {
  settle();
  const parts = [...table.querySelectorAll(".hand, .middle, .doing, .seat")];
  const boxes = parts.map((part) => [part.className.split(" ")[0], part.getBoundingClientRect()]);
  const places = boxes.map(([name, { x, y, width, height }]) => [name, x, y, width, height].join(" "));
  return [places, table.scrollHeight <= table.clientHeight];
}"""


@pytest.mark.parametrize("game", GAMES)
def test_nothing_moves_while_a_card_is_picked_and_a_game_is_played(guest: Guest, game: str) -> None:
    """Only cards move: everything else has its place, which depends only on the screen."""
    table = played(game, MOST[game], 6, 3)
    seat = table.state.to_move
    dice = random.Random(3)
    for size in (PHONE, LAPTOP):
        guest.page.set_viewport_size(size)
        guest.show(table, seat)
        before, fits = guest.page.evaluate(PARTS)
        assert fits
        if table.state.to_move == seat:
            for place in range(len(guest.all(".ready", "data-source"))):
                guest.page.evaluate("(place) => document.querySelectorAll('.ready')[place].click()", place)
                guest.page.evaluate("table.updateComplete")
                assert guest.page.evaluate(PARTS) == [before, True]
                guest.page.evaluate("table.letGo()")
        for _ in range(8):
            table.step(dice)
            table.close_windows(dice)
            guest.show(table, seat)
            assert guest.page.evaluate(PARTS) == [before, True]


@pytest.mark.parametrize("game", GAMES)
def test_no_text_on_a_small_phone_is_smaller_than_the_benchmark_promises(guest: Guest, game: str) -> None:
    guest.page.set_viewport_size({"width": 360, "height": 640})
    guest.page.evaluate(SEEN.read_text())
    for players in (2, 3, MOST[game]):
        guest.show(played(game, players, 10, 3), 1)
        assert guest.page.evaluate("seen.smallestText()")["size"] >= TEXT


def test_buttons_beside_the_prompt_are_new_for_each_card_so_they_do_not_slide(guest: Guest) -> None:
    guest.page.set_viewport_size({"width": 360, "height": 640})
    table = played("stacks", 2, 0, 3)
    guest.show(table, table.state.to_move)
    buttons = []
    for card in guest.page.locator(".in-hand.ready").all():
        card.evaluate("(card) => { card.click(); return table.updateComplete; }")
        buttons.append(guest.page.locator(".do-it").first.element_handle())
        # While the same is offered, it is the same button, which can be pressed.
        guest.page.evaluate("table.requestUpdate(); table.updateComplete")
        assert guest.page.evaluate("(button) => button.isConnected", buttons[-1])
    assert len(buttons) > 1
    connected = guest.page.evaluate("(buttons) => buttons.map((button) => button.isConnected)", buttons)
    assert connected == [False] * (len(buttons) - 1) + [True]


# The width of the narrowest card in a zone, and the values of lines that something else covers.
ZONES = """() => {
  const all = (each) => [...document.querySelectorAll(each)];
  const [cards, values] = [all(".zone .leaf"), all(".zone .value b")];
  const covered = values.filter((value) => {
    const { left, top, width, height } = value.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2) !== value;
  });
  return [Math.min(...cards.map((card) => card.offsetWidth)), covered.map((value) => value.textContent)];
}"""


@pytest.mark.parametrize(("players", "moves", "least"), [(2, 14, 30), (3, 16, 30), (5, 30, 20)])
def test_the_cards_and_points_in_every_zone_can_be_read_on_a_small_phone(
    guest: Guest, players: int, moves: int, least: int
) -> None:
    guest.page.set_viewport_size({"width": 360, "height": 640})
    table = played("lines", players, moves)
    guest.show(table, 1)
    narrowest, covered = guest.page.evaluate(ZONES)
    assert narrowest >= least
    assert covered == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("viewer", [1, 2, None])
def test_a_table_shows_no_card_that_its_viewer_does_not_know(
    guest: Guest, game: str, viewer: int | None
) -> None:
    """Only the viewer's own hand is drawn with faces, with the right number of cards."""
    table = played(game, 3, 12)
    guest.show(table, viewer)
    hand = project_state(table.state, viewer)["view"].get("hand", [])
    assert guest.all(".hand [data-source]", "data-spot") == [f"hand:{card}" for card in hand]


def test_whose_turn_it_is_is_said_and_marked(guest: Guest) -> None:
    table = played("stacks", 6, 10)
    turn = table.state.to_move
    for viewer in (turn, None):
        guest.show(table, viewer)
        assert guest.all(".seat.at-turn", "data-spot") == [f"seat:{turn}"]
        assert guest.page.locator(".at-turn .note.at_turn").is_visible()


def test_what_is_buried_can_be_looked_at_by_everyone(guest: Guest) -> None:
    table = played("stacks", 2, 60, 3)
    view = project_state(table.state, None)["view"]
    guest.show(table, None)
    guest.tap('[data-spot="seat:1:top"]')
    assert guest.page.locator("dialog li").count() == len(view["seats"][0]["discards"]) > 1
    guest.page.keyboard.press("Escape")
    guest.page.locator("dialog").wait_for(state="detached")
    seat = table.state.to_move
    guest.show(table, seat)
    guest.tap(".mine .look-under")
    assert guest.page.locator("dialog li").count() == len(view["seats"][(seat or 1) - 1]["discards"])


def test_others_are_small_on_a_phone_and_can_be_opened(guest: Guest) -> None:
    guest.page.set_viewport_size(PHONE)
    table = played("stacks", 6, 30)
    guest.show(table, table.state.to_move)
    other = guest.page.locator(".others .seat").first
    small = other.bounding_box()
    other.locator(".opener").click()
    large = other.bounding_box()
    assert small is not None
    assert large is not None
    assert small["width"] < 130
    assert large["width"] > 300
    assert other.locator(".opener").get_attribute("aria-expanded") == "true"


def test_a_zone_among_five_opens_on_a_phone_until_a_card_is_laid_there(guest: Guest) -> None:
    guest.page.set_viewport_size({"width": 360, "height": 640})
    giving = (played("lines", 5, moves) for moves in range(12, 40))
    table = next(table for table in giving if _view(table)["step"] == "give" and _zones_with_lines(table))
    seat = table.state.to_move
    guest.show(table, seat)
    guest.page.locator("[data-source]").first.click()
    zone = next(iter(_zones_with_lines(table)))
    other = guest.page.locator(f'.others [data-spot="seat:{zone}"]')
    leaf = other.locator(".zone .leaf").first
    small = leaf.bounding_box()
    other.locator(".opener").click()
    large = leaf.bounding_box()
    assert small is not None
    assert large is not None
    assert large["width"] > 2 * small["width"]
    assert large["width"] >= 44
    other.locator(".lit").first.click()
    assert [kind for kind, _ in guest.fired] == ["move"]
    expect(other.locator(".opener")).to_have_attribute("aria-expanded", "false")


def _view(table: Tried) -> dict[str, Any]:
    view: dict[str, Any] = project_state(table.state, table.state.to_move)["view"]
    return view


def _zones_with_lines(table: Tried) -> set[int]:
    """Return the zones of others with lines that the player to move could lay a card at."""
    legal = project_state(table.state, table.state.to_move)["legal"]
    zones = {int(part[1:]) for move in legal for part in move.split() if part.startswith("@")}
    return {zone for zone in zones if _view(table)["seats"][zone - 1]["lines"]}


# Picking and placing


def test_a_card_then_a_place_is_a_move(guest: Guest) -> None:
    table = played("stockpile", 2, 6)
    seat = table.state.to_move
    guest.show(table, seat)
    guest.tap(".ready")
    guest.tap(".lit")
    [[kind, move]] = guest.fired
    assert kind == "move"
    assert move in project_state(table.state, seat)["legal"]


def test_a_place_that_is_not_lit_can_be_asked_about(guest: Guest) -> None:
    table = played("stockpile", 2, 6)
    guest.show(table, table.state.to_move)
    guest.tap(".ready")
    guest.page.locator(".pile:not(.lit)").first.click(force=True)
    [[kind, move]] = guest.fired
    assert kind == "explain"
    assert table.state.match is not None
    assert move not in table.state.match.legal
    table.state.match.game.read_move(table.state.match.table, move)


def test_a_card_with_one_place_goes_there_automatically_if_chosen(guest: Guest) -> None:
    table = played("stockpile", 2, 20)
    legal = project_state(table.state, table.state.to_move)["legal"]
    sources = [move.split()[0] for move in legal]
    only = next(source for source in sources if sources.count(source) == 1)
    guest.show(table, table.state.to_move)
    guest.tap(f'[data-source="{only}"]')
    assert guest.fired == []
    guest.page.keyboard.press("Escape")
    guest.show(table, table.state.to_move, settings={"onePlace": True})
    guest.tap(f'[data-source="{only}"]')
    assert guest.fired == [["move", next(move for move in legal if move.startswith(only))]]


def with_useless_card(seed: int) -> tuple[Tried, list[str]]:
    """A table, and the discards of cards without any other place."""
    table = played("stacks", 3, 8, seed)
    legal = project_state(table.state, table.state.to_move)["legal"]
    return table, [
        move for move in legal if move.startswith("x ") and sum(move[2:] in each for each in legal) == 1
    ]


def test_a_discard_never_happens_automatically(guest: Guest) -> None:
    """In Stacks a discard ends the turn."""
    table, useless = next(found for found in map(with_useless_card, range(50)) if found[1])
    guest.show(table, table.state.to_move, settings={"onePlace": True})
    guest.tap(f'[data-source="hand:{useless[0][2:]}"]')
    assert guest.fired == []
    guest.tap(f'[data-move="{useless[0]}"]')
    assert guest.fired == [["move", useless[0]]]


def test_a_card_can_be_dragged_to_its_place(guest: Guest) -> None:
    table = played("lines", 3, 9)
    seat = table.state.to_move
    guest.show(table, seat)
    card = guest.page.locator(".ready").first
    source = (card.get_attribute("data-source") or "").removeprefix("hand:")
    card.hover()
    guest.page.mouse.down()
    guest.page.mouse.move(600, 300, steps=4)
    goal = guest.page.locator(".lit").first.bounding_box()
    assert goal is not None
    guest.page.mouse.move(goal["x"] + goal["width"] / 2, goal["y"] + goal["height"] / 2, steps=4)
    assert guest.page.locator(".lit.over").count() == 1
    guest.page.mouse.up()
    [[kind, move]] = guest.fired
    assert kind == "move"
    assert source in move.split()
    assert guest.page.locator(".ghost").count() == 0


def test_a_card_that_is_dropped_beside_goes_back(guest: Guest) -> None:
    table = played("lines", 3, 9)
    guest.show(table, table.state.to_move)
    guest.page.locator(".ready").first.hover()
    guest.page.mouse.down()
    guest.page.mouse.move(640, 10, steps=4)
    guest.page.mouse.up()
    assert guest.fired == []
    assert guest.page.locator(".held, .ghost").count() == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_move_by_keyboard_alone(guest: Guest, game: str) -> None:
    table = played(game, 2, 7)
    guest.show(table, table.state.to_move)
    for _ in range(40):
        guest.page.keyboard.press("Tab")
        if guest.page.evaluate("document.activeElement.classList.contains('ready')"):
            break
    guest.page.keyboard.press("Enter")
    chosen = guest.page.evaluate("table.chosen.source")
    guest.page.keyboard.press("Escape")
    assert guest.page.evaluate("[table.chosen, document.activeElement.dataset.source]") == [None, chosen]
    guest.page.keyboard.press("Enter")
    assert guest.page.evaluate("document.activeElement.matches('.lit, .do-it')")
    guest.page.keyboard.press("ArrowRight")
    assert guest.page.evaluate("document.activeElement.matches('.lit, .do-it')")
    guest.page.keyboard.press("Enter")
    [[kind, move]] = guest.fired
    assert kind == "move"
    assert move in project_state(table.state, table.state.to_move)["legal"]


def test_nothing_can_be_picked_while_a_move_is_on_its_way(guest: Guest) -> None:
    table = played("stacks", 2, 4)
    guest.show(table, table.state.to_move, busy=True)
    guest.page.evaluate("document.querySelector('.in-hand').click()")
    assert guest.page.evaluate("table.chosen") is None
    assert guest.page.locator(".ready").count() == 0
    guest.page.locator(".in-hand").first.hover()
    guest.page.mouse.down()
    guest.page.mouse.move(640, 300, steps=4)
    assert guest.page.locator(".ghost, .held").count() == 0
    guest.page.mouse.up()


# The window


def held(table: Tried, seat: int) -> dict[str, Any]:
    """Return the state that a seat sees once it has held the window."""
    state = project_state(table.state, seat)
    return state | {"window": state["window"] | {"held_by": [seat]}}


def test_a_question_on_a_phone_leaves_the_own_pile_of_a_player_in_sight(guest: Guest) -> None:
    guest.page.set_viewport_size({"width": 360, "height": 640})
    table, able = asking()
    guest.show(table, able[0], state=held(table, able[0]))
    card = guest.page.locator(".mine .discards .spot").bounding_box()
    assert card is not None
    for part in (".question", ".answers", ".ring"):
        box = guest.page.locator(f".asking {part}").bounding_box()
        assert box is not None
        beside = box["x"] + box["width"] <= card["x"] or box["y"] >= card["y"] + card["height"]
        assert beside, part
    assert guest.page.locator(".mine .note").is_hidden()


def test_only_who_is_asked_and_can_block_may_say_so(guest: Guest) -> None:
    table, able = asking()
    assert table.state.match is not None
    for seat in range(1, 5):
        guest.show(table, seat)
        answers = project_state(table.state, seat)["window"]["answers"]
        # Every player who is asked may hold the window, whatever they have in hand.
        assert guest.page.locator("[data-do=wait]").count() == bool(answers)
        guest.show(table, seat, state=held(table, seat))
        assert guest.page.locator(".answer").count() == len(answers)
        assert guest.page.locator("[data-answer=block]").count() == (seat in able)
    guest.show(table, able[0], state=held(table, able[0]))
    guest.tap("[data-answer=block]")
    assert guest.fired == [["answer", "block"]]


def test_the_focus_stays_at_the_table_when_another_window_has_no_such_answer(guest: Guest) -> None:
    """A player who was about to answer by keyboard may not be asked the next time."""
    table, able = asking()
    window = held(table, able[0])["window"]
    guest.show(table, able[0], state=held(table, able[0]))
    for answers in (["allow"], []):
        guest.page.locator(".answer").last.focus()
        window = window | {"opened": window["opened"] + 1, "answers": answers}
        state = project_state(table.state, able[0]) | {"window": window}
        guest.show(table, able[0], state=state)
        expect(guest.page.locator(".answer")).to_have_count(len(answers))
        assert guest.page.evaluate("document.activeElement.closest('upcard-table') !== null")


def test_a_window_is_gone_as_soon_as_there_are_news_of_its_end(guest: Guest) -> None:
    """While its end is still being shown, nobody can answer any more."""
    table, able = asking()
    guest.show(table, able[0])
    told = news_of(table, able[0], 1)
    guest.page.evaluate("(told) => table.tell(told)", told)
    assert guest.page.locator(".answer").count() == 0


# Motion


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("viewer", [1, None])
def test_what_the_news_show_ends_as_the_server_tells_it(guest: Guest, game: str, viewer: int | None) -> None:
    """From the deal on, the events alone lead to the table of the next state."""
    table = table_of(game, MOST[game]).sit_down()
    guest.show(table, viewer)
    begun = table.write(commands.start(table.state, table.state.host, table.now))
    told = [project_entry(table.state, heard, viewer) for heard in begun] + news_of(table, viewer, 90)
    shown = guest.page.evaluate("async (told) => { await table.tell(told); return table.view; }", told)
    view = project_state(table.state, viewer)["view"]
    for key in ("piles", "seats", "hand", "deck", "fresh", "completed", "bank", "direction", "turn"):
        assert shown.get(key) == view.get(key), key


def test_events_that_come_quickly_leave_nothing_in_the_air(guest: Guest) -> None:
    table = played("stacks", 6, 4)
    guest.show(table, 1, settings={"motion": True, "speed": 1})
    told = news_of(table, 1, 12)
    state = project_state(table.state, 1)
    left = guest.page.evaluate(
        """async ([told, state]) => {
          const waits = told.map((entry) => table.tell([entry]));
          while (!table.inTheAir) await new Promise(requestAnimationFrame);
          table.state = state;
          await Promise.all(waits);
          await table.updateComplete;
          return [table.inTheAir, document.querySelectorAll('.ghost').length, table.telling, table.view.deck];
        }""",
        [told, state],
    )
    assert left == [0, 0, False, state["view"]["deck"]]


def test_a_table_that_is_behind_catches_up(guest: Guest) -> None:
    """Old events after recent ones are shown immediately."""
    table = played("stacks", 3, 4)
    guest.show(table, 1, settings={"motion": True, "speed": 1})
    told = news_of(table, 1, 2)
    air = guest.page.evaluate(
        """async ([first, second]) => {
          const now = Date.now() / 1000;
          const first_told = table.tell([{ ...first, at: now }]);
          await new Promise((resolve) => requestAnimationFrame(resolve));
          const before = table.inTheAir;
          table.hurry();
          await first_told;
          const second_told = table.tell([{ ...second, at: now - 60 }]);
          await new Promise((resolve) => requestAnimationFrame(resolve));
          const after = table.inTheAir;
          await second_told;
          return [before > 0, after];
        }""",
        told,
    )
    assert air == [True, 0]


def test_cards_fly_unless_nobody_wants_them_to(guest: Guest) -> None:
    table = played("stacks", 3, 4)
    seen = """async (told) => {
      let most = 0;
      const telling = table.tell(told);
      let going = true;
      telling.then(() => (going = false));
      while (going) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        most = Math.max(most, table.inTheAir);
      }
      return most;
    }"""
    for motion, reduced, flies in (
        (True, "no-preference", True),
        (False, "no-preference", False),
        (True, "reduce", False),
    ):
        guest.page.emulate_media(reduced_motion=reduced)  # type: ignore[arg-type]
        guest.show(table, 1, settings={"motion": motion, "speed": 2})
        told = news_of(table, 1, 1)
        assert (guest.page.evaluate(seen, told) > 0) is flies


def test_a_replay_can_go_back_and_show_it_again(guest: Guest) -> None:
    table = played("lines", 2, 5)
    before = project_state(table.state, 1)
    told = news_of(table, 1, 1)
    after = project_state(table.state, 1)
    facts = project_setup(table.state)
    both = guest.page.evaluate(
        """async ([facts, before, told, after]) => {
          const seen = [];
          for (let time = 0; time < 2; time += 1) {
            await show({ facts, state: before, settings: { speed: 3, motion: false } });
            await table.tell(told);
            seen.push(JSON.stringify(table.view.seats));
            await show({ state: after });
          }
          return seen;
        }""",
        [facts, before, told, after],
    )
    assert both == [json.dumps(after["view"]["seats"], separators=(",", ":"))] * 2


def test_the_measures_measure(guest: Guest) -> None:
    """Frames and taps can be measured, for benchmarks."""
    table = played("stacks", 6, 4)
    guest.show(table, table.state.to_move, settings={"motion": True, "speed": 2})
    taps = guest.page.evaluate("measureTaps(table)")
    assert taps
    assert all(time > 0 for time in taps)
    told = news_of(table, table.state.to_move, 2)
    frames = guest.page.evaluate("(told) => measureFrames(table, told)", told)
    assert frames["frames"] > 0
    assert frames["fps"] > 0
