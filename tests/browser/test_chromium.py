"""The modules in a real browser, once: Chromium does the same as Node."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route

from tests.browser.test_words import played
from tests.cases import CASES
from upcard.browser.modules import modules
from upcard.games import GAMES, find

# The browser gets the modules without a server, so any address will do; it is not a secure one.
BASE = "http://upcard.test"
WORDS = Path(__file__).with_name("words.js").read_text("utf-8")


@pytest.mark.parametrize("name", list(GAMES))
def test_whole_games_are_the_same_in_chromium(name: str, chromium: Browser) -> None:
    case = next(case for case in CASES if case.game.id == name)
    ours, game = played(case, random.Random(name), apart=True)
    texts = modules([find(name)]) | {"words.js": WORDS}
    page = chromium.new_page()

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(f"{BASE}/")
        kind = "text/javascript" if path else "text/html"
        route.fulfill(body=texts.get(path, "<!doctype html>"), content_type=kind)

    page.route("**/*", answer)
    page.goto(f"{BASE}/")
    task = {"folder": BASE, "game": name, "games": [game]}
    (theirs,) = page.evaluate(f'async (task) => (await import("{BASE}/words.js")).answer(task)', task)
    page.close()
    expected: dict[str, Any] = json.loads(json.dumps(ours))
    for part, value in expected.items():
        assert theirs[part] == value, part
