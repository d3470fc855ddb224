"""Every screen in every language: accessible, translated, and with nothing sticking out."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from tests.cases import in_game
from tests.server.guests import Guest, Running, begun, play_on
from tests.server.web.devices import LAPTOP, PHONE, Devices, first_turn, until, wait
from tests.server.web.players import Taps, gather, play_out, play_some
from tests.server.web.reading import STICKING_OUT, faults
from upcard.games import all_games
from upcard.games.lines import deck as lines
from upcard.games.stacks import deck as stacks
from upcard.i18n import catalogue, languages

WANTED = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
CODE = re.compile(r"[a-z]+\.[a-z_0-9]+")
# The settings of axe.
LOOK = """async (tags) => {
  const found = await axe.run({ runOnly: tags, resultTypes: ["violations"] });
  const parts = (nodes) => nodes.slice(0, 3).map(({ html }) => html.slice(0, 200));
  return found.violations.map(({ id, nodes }) => [id, parts(nodes)]);
}"""
SPEAK = """async (language) => {
  const { src } = document.querySelector("script[type=module]");
  const { words } = await import(new URL("../house/words.js", src));
  await words.speak(language);
  const drawn = [...document.querySelectorAll("*")].map((element) => element.updateComplete);
  await Promise.all(drawn);
}"""
SAID = """() => {
  const names = [...document.querySelectorAll("[aria-label]")].map((each) => each.getAttribute("aria-label"));
  return [document.title, document.body.innerText, ...names].join("\\n");
}"""

Screen = Callable[[Page, Running], None]


def _home(page: Page, _server: Running) -> None:
    page.goto("/")
    page.wait_for_selector(".game")


def _set_up(page: Page, _server: Running) -> None:
    page.goto("/#set-up-stacks")
    page.wait_for_selector(".option", state="attached")
    # Folded parts are checked too.
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    page.wait_for_selector(".option")


def _lobby(page: Page, server: Running) -> None:
    page.goto(f"/t/{Guest(server.url).open('stacks', 3)}")
    page.wait_for_selector(".seat-row")


def _table(page: Page, _server: Running, game: str = "stacks") -> None:
    gather([page], game, bots=1, options=first_turn(game, 1))
    until(page, "s.legal.length")
    page.locator("upcard-table .ready").first.click()


def _stockpile(page: Page, server: Running) -> None:
    _table(page, server, "stockpile")


def _lines(page: Page, server: Running) -> None:
    _table(page, server, "lines")


def _settings(page: Page, server: Running) -> None:
    _table(page, server)
    page.click("[data-do=settings]")


def _result(page: Page, server: Running) -> None:
    table = gather([page], "stacks", bots=1, options={"turn_limit": 1})
    play_out(server, table, [Taps(page)])
    page.click("upcard-result [data-do=fair]")
    page.click(".checks summary")
    page.wait_for_selector(".checks li")


def _replay(page: Page, server: Running) -> None:
    table, guests = begun(server.url, "lines", options={"colours": 4})
    play_on(table, guests, random.Random(4))
    page.goto(f"/replay?table={table}&step=5")
    page.wait_for_selector("[data-do=run]")


def _rules(page: Page, _server: Running) -> None:
    page.goto("/rules/lines#L3.1")
    page.wait_for_selector(".bar")


def _lesson(page: Page, _server: Running) -> None:
    page.goto("/learn/stockpile")
    page.click("[data-do=begin]")
    page.wait_for_selector(".coach-text")


def _room(page: Page, server: Running) -> None:
    table, _ = begun(server.url, "stacks", 3)
    page.goto(f"/t/{table}/room")
    wait(page, "document.querySelector('upcard-table .board')")


SCREENS: list[Screen] = [
    _home,
    _set_up,
    _lobby,
    _table,
    _stockpile,
    _lines,
    _settings,
    _result,
    _replay,
    _rules,
    _lesson,
    _room,
]


def codes_on(page: Page) -> set[str]:
    """Return codes of messages that are shown instead of sentences."""
    all_games()
    return set(CODE.findall(page.evaluate(SAID))) & catalogue("en").sentences.keys()


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.__name__.strip("_"))
def test_a_screen_can_be_used_by_everyone_in_every_language(
    devices: Devices, server: Running, screen: Screen
) -> None:
    """Alternately on a phone in the light theme and on a laptop in the dark one. What axe checks hardly
    depends on the language, so it checks each screen in two of them, which differ from screen to screen."""
    check_screen(devices, server, screen, SCREENS.index(screen))


@pytest.mark.soak
@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.__name__.strip("_"))
def test_axe_finds_nothing_on_any_screen_in_any_language(
    devices: Devices, server: Running, screen: Screen
) -> None:
    for number in range(0, len(languages()), 2):
        check_screen(devices, server, screen, number)


def check_screen(devices: Devices, server: Running, screen: Screen, first: int) -> None:
    """Check a screen in all languages, and let axe check it in two of them, starting at a number."""
    page = devices.new()
    screen(page, server)
    looks: Any = [(PHONE, "light"), (LAPTOP, "dark")]
    page.evaluate(Axe().axe_script)
    known = len(languages())
    for number in range(first, first + known):
        language = languages()[number % known]
        axe_looks = number < first + len(looks)
        size, theme = looks[number % 2 if axe_looks else 0]
        page.emulate_media(color_scheme=theme)
        page.evaluate(SPEAK, language)
        if screen is _rules:
            # The book itself is written by the server.
            page.reload()
            page.wait_for_selector(".bar")
            page.evaluate(Axe().axe_script if axe_looks else "0")
        assert page.evaluate("document.documentElement.lang") == language
        # The size that axe checks comes last. What has room on a phone also has room on a laptop.
        for each in [PHONE] if size is PHONE else [PHONE, LAPTOP]:
            page.set_viewport_size(each)
            # Nothing sticks out.
            assert page.evaluate("document.documentElement.scrollWidth") <= each["width"], language
            if each is PHONE:
                assert page.evaluate(f"({STICKING_OUT})(document.body)") == [], language
        if axe_looks:
            assert page.evaluate(LOOK, WANTED) == [], language
        assert codes_on(page) == set(), language
        if screen is not _rules:  # which explains notation
            # The title is the server's, and lines without a letter are signs between cards.
            read = [line.strip() for line in page.evaluate(SAID).splitlines()[1:] if re.search(r"\w", line)]
            assert [(line, faults(line, language)) for line in read if faults(line, language)] == []


# Show a sentence with a card as the last entry and as an earlier one, and let axe check it, including the
# picture, which axe would skip because it has a text alternative.
SAY = """async ([card, tags]) => {
  const page = document.querySelector("upcard-table-page");
  const news = [{ say: ["lines.discarded_you", { card }] }, { say: ["lines.discarded_you", { card }] }];
  page.session.store.dispatch({ type: "landed", entry: { seq: 0, at: 0, kind: "moved", news } });
  await page.updateComplete;
  const hidden = document.querySelectorAll(".lately, .lately .said-card");
  for (const each of hidden) each.removeAttribute("aria-hidden");
  const found = await axe.run(".lately", { runOnly: tags, resultTypes: ["violations"] });
  return [document.querySelectorAll(".lately .said-card").length, found.violations.map(({ id }) => id)];
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_card_can_be_read_where_it_is_said_what_happened(
    devices: Devices, server: Running, theme: Any
) -> None:
    page = devices.new()
    page.emulate_media(color_scheme=theme)
    _table(page, server)
    page.evaluate(Axe().axe_script)
    for card in ["1", "?", *(f"{colour}7" for colour in lines.COLOURS), *stacks.NAMES]:
        assert page.evaluate(SAY, [card, WANTED]) == [2, []], card


# The screens of every game are checked in every language above; continuing the table works the same in all
# games.
@in_game("stacks")
def test_a_game_continues_while_its_language_changes(devices: Devices, server: Running, game: str) -> None:
    """Chosen as people do it: in the settings, between two moves, with a card selected."""
    page = devices.new()
    table = gather([page], game, bots=1, options=first_turn(game, 1))
    player = Taps(page)
    for language in ("de", "pt-PT", "pl", "en"):
        play_some(server, table, [player], 1)
        if server.state(table).phase == "over":
            break
        player.come_to("plays", server.state(table))
        page.locator("upcard-table .ready").first.click()
        page.click("[data-do=settings]")
        page.select_option("dialog[open] .language", language)
        wait(page, f"document.documentElement.lang === '{language}'")
        page.click("dialog[open] [data-close]")
        # The card is still selected, and the prompt is in the new language.
        expect(page.locator("upcard-table .held")).to_have_count(1)
        expect(page.locator(".turn")).to_have_text(str(catalogue(language).sentences["web.house_your_turn"]))
        assert codes_on(page) == set()
        page.locator("upcard-table .held").click()
