"""Block windows in two browsers: the question, the waiting, and the result."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.server.guests import Running
from tests.server.web.devices import PHONE, Devices, state_of, until, wait
from tests.server.web.players import gather
from upcard.core.entropy import random_bytes

SECONDS = 60
FULL = 5
# Most games have a chance to block within this number of moves.
MAX_MOVES = 80


def post(page: Page, url: str, table: str, what: str, **fields: Any) -> None:
    """Send a command from the device of a page, without touching its screen."""
    answer = page.request.post(
        f"/api/tables/{table}/{what}",
        data={"id": random_bytes("command", 6).hex(), **fields},
        headers={"Origin": url},
    )
    assert answer.ok, answer.text()


def look(page: Page, table: str) -> dict[str, Any]:
    told: dict[str, Any] = page.request.get(f"/api/tables/{table}").json()
    return told


def completes(view: dict[str, Any], move: str) -> str | None:
    """Return the pile that a move from the hand completes."""
    card, _, pile = move.partition(" ")
    full = len(view["piles"].get(pile, [])) == FULL - 1
    return pile if full and card not in ("x", "top") else None


def prepare(pages: list[Page], url: str, table: str) -> tuple[Page, Page, str, str] | None:
    """Play quickly until one can complete a pile and the other has a block: return the two, the move and the
    pile, or None if that does not happen."""
    for _ in range(MAX_MOVES):
        seat = look(pages[0], table)["to_move"]
        if seat is None:
            break
        page, other = pages[seat - 1], pages[2 - seat]
        mine = look(page, table)
        ready = [(move, pile) for move in mine["legal"] if (pile := completes(mine["view"], move))]
        if ready and "block" in look(other, table)["view"]["hand"]:
            return page, other, *ready[0]
        post(page, url, table, "play", base=mine["seq"], move=harmless(mine))
    return None


def prepared(pages: list[Page], url: str) -> tuple[str, tuple[Page, Page, str, str]]:
    """Start games until that happens; also return the table. No page shows the moves before."""
    while True:
        table = gather(pages, "stacks", options={"two_player_deck": "full"}, window_seconds=SECONDS)
        for page in pages:
            page.goto("/api/games")
        found = prepare(pages, url, table)
        if found is not None:
            for page in pages:
                page.goto(f"/t/{table}")
            return table, found


def harmless(mine: dict[str, Any]) -> str:
    """Return a move that neither completes a pile nor steals, and does not discard a block."""
    view, legal = mine["view"], mine["legal"]
    plays = [move for move in legal if move[0] in "rb" and not completes(view, move) and move != "reverse"]
    discards = [move for move in legal if move.startswith("x ") and move != "x block"]
    # Fives are kept, because one of them is needed.
    best = sorted(plays, key=lambda move: "5" in move) + sorted(discards, key=lambda move: "5" in move)
    moves: list[str] = best or legal
    return moves[0]


def tap(page: Page, move: str, pile: str) -> None:
    """Tap a card of the hand, then a pile."""
    card = move.split(maxsplit=1)[0]
    page.locator(f"upcard-table .hand [data-source='hand:{card}']").first.click()
    page.locator(f"upcard-table [data-place='pile:{pile}']").click()


def news_since(page: Page, table: str, seq: int) -> set[str]:
    """Return the kinds of all events since a number."""
    headers = {"Accept": "application/json"}
    told = page.request.get(f"/api/tables/{table}/events?since={seq}", headers=headers).json()
    return {event["kind"] for entry in told["news"] for event in entry.get("news", [])}


@pytest.mark.parametrize("answer", ["block", "allow"])
def test_a_player_with_a_block_is_asked_and_both_see_the_result(
    devices: Devices, server: Running, answer: str
) -> None:
    pages = [devices.new("Ann"), devices.new("Ben", size=PHONE, has_touch=True)]
    table, (ann, ben, move, pile) = prepared(pages, server.url)
    for page in pages:
        until(page, f"s.seq === {look(page, table)['seq']}")
    before = state_of(ann)
    tap(ann, move, pile)

    # One waits and has nothing to answer; the other is asked.
    for page in pages:
        expect(page.locator("upcard-asking .question")).to_be_visible()
    expect(ann.locator(".answer")).to_have_count(0)
    expect(ann.locator("upcard-asking")).to_contain_text(
        state_of(ben)["seats"][state_of(ben)["you"] - 1]["name"]
    )
    # The player who is asked can make everyone wait, and answer later.
    expect(ben.locator(".answer")).to_have_count(0)
    expect(ann.locator(".wait")).to_have_count(0)
    ben.click(".wait")
    expect(ann.locator("upcard-asking")).to_contain_text("Waiting for")
    # Until time runs out, the answer can be changed.
    for said in ("allow" if answer == "block" else "block", answer):
        ben.locator(f"[data-answer={said}]").click()
        expect(ben.locator(f"[data-answer={said}]")).to_have_attribute("aria-pressed", "true")
    # The answer is secret until then.
    assert (state_of(ann)["window"] or {"answered": None})["answered"] is None
    server.close_window(table)
    for page in pages:
        wait(page, "!document.querySelector('upcard-asking')")
    assert ("blocked" in news_since(ann, table, before["seq"])) == (answer == "block")

    # Both see the result.
    colour = "red" if pile.startswith("R") else "blue"
    seat = before["you"] - 1
    had = before["view"]["seats"][seat]["chips"][colour]
    for page in pages:
        until(page, f"s.seq >= {look(ann, table)['seq']}")
        view = state_of(page)["view"]
        assert view["piles"][pile] == []
        assert view["seats"][seat]["chips"][colour] == had + (answer == "allow")
        page.click("[data-do=history]")
        expect(page.locator(".history li").first).to_be_visible()
        lines = page.locator(".history li li").all_inner_texts()
        named = f"{colour} pile {pile[1]}"
        assert any("block" in line and named in line for line in lines) == (answer == "block")
