"""A game without files for browsers can still be played: it is drawn generically."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Route, expect

from tests.server.guests import PATIENCE, Running
from tests.server.web.devices import PHONE, Devices, state_of, table_of, until
from tests.server.web.houses import house
from tests.server.web.players import Taps, gather, play_out
from tests.server.web.test_e2e_games import SHORT, check_ending
from upcard.games import GAMES, all_games
from upcard.server.web import assets, offers

NAMES_A_GAME = re.compile(rf"(^|_)({'|'.join(GAMES)})([._]|$)")
CACHES = (
    assets.files,
    assets.version,
    assets.item,
    assets.modules_of,
    offers.offered,
    offers.offers_json,
    offers.offers_version,
)


def forget() -> None:
    """Let files and offers be read again."""
    for cache in CACHES:
        cache.cache_clear()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server whose games bring no `web` folders."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assets, "folders", lambda: iter([("", assets.FOLDER)]))
        forget()
        with house(tmp_path_factory.mktemp("plain")) as server:
            yield server
    forget()


@pytest.fixture
def devices(chromium: Browser, plain: Running) -> Iterator[Devices]:
    made = Devices(chromium, plain.url)
    yield made
    for context in made.contexts:
        context.close()
    assert made.complaints() == []


def test_nothing_of_a_game_is_needed_for_its_pages(plain: Running) -> None:
    with httpx.Client(base_url=plain.url, timeout=PATIENCE) as browser:
        for game in GAMES:
            book = browser.get(f"/rules/{game}")
            assert book.status_code == 200
            assert f"/learn/{game}" not in book.text
            assert browser.get(f"/learn/{game}").status_code == 404
            for address in browser.get("/offers.json").json()["games"][game]["web"].values():
                assert address is None or browser.get(address).status_code == 200


def test_a_game_without_a_lesson_is_not_offered_to_learners(devices: Devices) -> None:
    page = devices.new()
    page.goto("/")
    expect(page.locator(".game")).to_have_count(len(GAMES))
    expect(page.locator("a[href^='/rules/']")).to_have_count(len(GAMES))
    expect(page.locator("a[href^='/learn/']")).to_have_count(0)


def without_words(route: Route) -> None:
    """Answer with the words of a server whose catalogues have no sentences about any game."""
    answer = route.fetch()
    told = answer.json()
    told["words"] = {code: said for code, said in told["words"].items() if not NAMES_A_GAME.search(code)}
    route.fulfill(response=answer, json=told)


def test_a_game_without_words_is_called_by_its_title(devices: Devices) -> None:
    page = devices.new()
    page.route("**/words/**", without_words)
    page.goto("/")
    titles = [game.title for game in all_games()]
    expect(page.locator(".game h2")).to_have_text(titles)
    page.goto("/#set-up-stacks")
    page.reload()
    expect(page.locator("h1")).to_contain_text("Stacks")
    expect(page.locator("[data-option=two_player_deck] legend")).to_have_text("two player deck")
    page.select_option("[name=seat-2]", "easy")
    page.click("[data-do=open]")
    table_of(page)
    until(page, "s.phase === 'playing'")
    expect(page.locator("header h1")).to_have_text("Stacks")
    expect(page.locator(".say-so")).not_to_contain_text("stacks.")


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_buttons_alone(devices: Devices, plain: Running, game: str) -> None:
    page = devices.new(size=PHONE)
    table = gather([page], game, bots=1, options=SHORT[game], window_seconds=60)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert Axe().run(page, context="upcard-table").response["violations"] == []
    if legal := state_of(page)["legal"]:
        expect(page.locator(".choices-now button[aria-label]")).to_have_count(len(legal))
    play_out(plain, table, [Taps(page)])
    check_ending(devices, table, [page])
    page.goto(f"/replay?table={table}")
    expect(page.locator(".replay .board .entry").first).to_be_visible()
