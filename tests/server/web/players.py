"""Players: simulated people at a table in a browser, who use only what the page offers.

One taps, one has only a keyboard, and one only what a screen reader gets. They choose at random, but prefer
playing a card to discarding it, so that games come to an end.
"""

from __future__ import annotations

__all__ = ["Keys", "Listener", "Player", "Taps", "gather", "play_out", "play_some", "try_again"]

import functools
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from playwright.sync_api import Page, expect

from tests.server.guests import Running
from tests.server.web.devices import until, wait, wait_until
from upcard.server.table.state import TableState

# Hands rarely have more cards.
MAX_CARDS = 6
# More steps than the keyboard needs to reach anything on a page.
MAX_STEPS = 300

# The player's situation, according to the page.
MOMENT = """() => {
  const shown = (selector) => document.querySelector(selector) !== null;
  if (shown("dialog[open] upcard-result")) return "over";
  if (shown(".wait") || (shown(".answer") && !shown(".answer[aria-pressed=true]"))) return "asked";
  return shown(".board.my-turn") ? "plays" : "waits";
}"""
IN_HAND = "upcard-table .ready"
PLACES = "upcard-table .lit:not([data-place=discard])"
# The actions for a card without a better place, or without a card.
DISCARDS = "upcard-table .lit[data-place=discard], upcard-table .choices-now button"


class Player(ABC):
    """A player at a table."""

    def __init__(self, page: Page, seed: int = 1) -> None:
        self.page = page
        self.dice = random.Random(seed)

    @property
    def moment(self) -> str:
        """The player's situation: `plays`, `asked`, `waits` or `over`."""
        moment: str = self.page.evaluate(MOMENT)
        return moment

    def come_to(self, moment: str, state: TableState) -> None:
        """Wait until the page shows the state of the table and what to do."""
        until(self.page, f"s.seq === {state.seq}")
        wait_until(self.page, lambda: self.moment == moment)

    @abstractmethod
    def play(self) -> None:
        """Make a move."""

    @abstractmethod
    def hold(self) -> None:
        """Ask everyone to wait."""

    @abstractmethod
    def answer(self) -> None:
        """Answer whether to block."""


class Taps(Player):
    """A player who taps a card, then a place for it."""

    def play(self) -> None:
        cards = self.page.locator(IN_HAND)
        order = list(range(cards.count()))
        self.dice.shuffle(order)
        # In Stockpile, cards of that pile come first.
        stock = self.page.locator(f"{IN_HAND}[data-source=stock]")
        if stock.count():
            stock.click()
            order = []
        for tried, place in enumerate(order, 1):
            cards.nth(place).click()
            if self.page.locator(PLACES).count() or tried == len(order):
                break
            self.page.click("upcard-table .let-go")
        self._put()

    def _put(self) -> None:
        """Put the card somewhere; without a place for it, use another action."""
        places = self.page.locator(PLACES)
        if not places.count():
            places = self.page.locator(DISCARDS)
        places.nth(self.dice.randrange(places.count())).click()

    def hold(self) -> None:
        self.page.click(".wait")

    def answer(self) -> None:
        answer = self.dice.choice(["block", "allow"])
        # Not every player who is asked can block.
        self.page.locator(f":is([data-answer={answer}], [data-answer=allow])").first.click()


class Keys(Player):
    """A player with a keyboard and nothing else."""

    came = False

    def play(self) -> None:
        # Whatever happens, the focus stays at the table.
        assert not self.came or self._is_at("upcard-table *"), f"the focus is lost to {self._place}"
        self.came = True
        for attempt in range(MAX_CARDS + 1):
            self._come_to("[data-source]", IN_HAND)
            self._walk(self.dice.randrange(MAX_CARDS), IN_HAND)
            self.page.keyboard.press("Enter")
            # After a choice by keyboard, the focus moves to the places.
            if self._is_at(PLACES) or attempt == MAX_CARDS:
                break
            self.page.keyboard.press("Escape")
        self._walk(self.dice.randrange(3), f"{PLACES}, {DISCARDS}")
        self.page.keyboard.press("Enter")

    def hold(self) -> None:
        self.tab_to(".wait")
        self.page.keyboard.press("Enter")

    def answer(self) -> None:
        wanted = f".answer:nth-child({self.dice.choice([1, 2])}), .answer:only-child"
        self.tab_to(wanted)
        self.page.keyboard.press("Enter")

    @property
    def _place(self) -> str:
        place: str = self.page.evaluate("document.activeElement.outerHTML")
        return place[:300]

    def _is_at(self, selector: str) -> bool:
        at: bool = self.page.evaluate("(selector) => document.activeElement.matches(selector)", selector)
        return at

    def _come_to(self, near: str, wanted: str) -> None:
        """Go to a similar element by Tab, and from there to the wanted one by the arrows."""
        self.tab_to(near)
        self._walk(0, wanted)

    def tab_to(self, wanted: str) -> None:
        """Go to the next wanted element by Tab."""
        for _ in range(MAX_STEPS):
            if self._is_at(wanted):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {wanted}")

    def _walk(self, steps: int, wanted: str) -> None:
        """Go some steps with an arrow, and then to the next wanted element."""
        for _ in range(MAX_STEPS):
            if steps <= 0 and self._is_at(wanted):
                return
            self.page.keyboard.press("ArrowRight")
            steps -= 1
        raise AssertionError(f"the keyboard does not lead to {wanted}")


class Listener(Player):
    """A player who knows only roles and names, as a screen reader reads them."""

    def __init__(self, page: Page, seed: int = 1) -> None:
        super().__init__(page, seed)
        self.reader = page.context.new_cdp_session(page)

    def hear(self) -> list[dict[str, Any]]:
        """Return the accessibility tree of the browser: roles, names and properties."""
        nodes = self.reader.send("Accessibility.getFullAXTree")["nodes"]
        return [
            {
                "role": node["role"]["value"],
                "name": node.get("name", {}).get("value", ""),
                **{each["name"]: each["value"].get("value") for each in node.get("properties", [])},
            }
            for node in nodes
            if not node["ignored"]
        ]

    @property
    def moment(self) -> str:
        told = self.hear()
        if any(node["role"] == "dialog" and node["name"] == "The game is over" for node in told):
            return "over"
        names = {node["name"]: node.get("pressed") for node in told if _works(node)}
        if "Wait!" in names:
            return "asked"
        if {"Block", "Let it pass"} & names.keys():
            return "waits" if "true" in (names.get("Block"), names.get("Let it pass")) else "asked"
        return "plays" if "End turn" in names or "false" in names.values() else "waits"

    def buttons(self) -> list[dict[str, Any]]:
        """Return the enabled buttons."""
        return [node for node in self.hear() if _works(node)]

    def press(self, button: dict[str, Any]) -> None:
        """Press a button by its role and name; of several with the same name, the first enabled one, because
        another player's stockpile may look like one's own."""
        works = self.page.get_by_role("button", name=button["name"], exact=True, disabled=False)
        if "pressed" in button:
            works = works.and_(self.page.locator("[aria-pressed]"))
        works.first.click()

    def play(self) -> None:
        before = self.buttons()
        cards = [button for button in before if button.get("pressed") == "false"]
        self.dice.shuffle(cards)
        if not cards:
            self._take(before)
            return
        known = {button["name"] for button in before}
        new: list[dict[str, Any]] = []
        for card in cards:
            self.press(card)
            # A new name means that something can be done with the button.
            new = [button for button in self.buttons() if button["name"] not in known]
            places = [button for button in new if button["name"].startswith("Put the ")]
            if places:
                self.press(self.dice.choice(places))
                return
        others = [button for button in new if button["name"] != "Put it back"]
        self.press(self.dice.choice(others))

    def _take(self, buttons: list[dict[str, Any]]) -> None:
        """Without a card, end the turn."""
        [end] = [button for button in buttons if button["name"] == "End turn"]
        self.press(end)

    def hold(self) -> None:
        [wait] = [button for button in self.buttons() if button["name"] == "Wait!"]
        self.press(wait)

    def answer(self) -> None:
        answers = [button for button in self.buttons() if button["name"] in ("Block", "Let it pass")]
        self.press(self.dice.choice(answers))


def _works(node: dict[str, Any]) -> bool:
    """Whether it is an enabled button."""
    return node["role"] == "button" and not node.get("disabled")


def gather(pages: list[Page], game: str, bots: int = 0, **fields: Any) -> str:
    """Let the people of some pages sit down with some bots, and start; return the table."""
    host, *others = pages
    host.goto("/")
    options = {"players": len(pages) + bots, **fields.pop("options", {})}
    seats: list[dict[str, str]] = [{}] * len(pages) + [{"bot": "easy"}] * bots
    plan = {"pace": 0, "window_seconds": 0, "patience": "none", **fields, "options": options, "seats": seats}
    table: str = host.evaluate(
        """async (plan) => {
            const script = document.querySelector("script[type=module]").src;
            const { createTable, sitDown } = await import(script.replace("home.js", "new-table.js"));
            const table = await createTable(plan);
            await sitDown(table, 1);
            return table;
        }""",
        {"game": game, **plan},
    )
    host.goto(f"/t/{table}")
    for seat, page in enumerate(others, 2):
        page.goto(f"/t/{table}")
        page.locator("[data-do=sit]").first.click()
        until(page, f"s.you === {seat}")
    expect(host.locator("[data-do=start]")).to_be_enabled()
    host.click("[data-do=start]")
    for page in pages:
        until(page, "s.phase !== 'open'")
        wait(page, "document.querySelector('upcard-table .board')")
    return table


def try_again(page: Page, act: Callable[[], object]) -> None:
    """Do something once more if the page gave up sending it, because there was no connection for too long."""
    wait(page, "!document.querySelector('upcard-table-page').busy")
    if page.locator("[data-notice=refusal]").count():
        act()
        wait(page, "!document.querySelector('upcard-table-page').busy")


def play_out(server: Running, table: str, players: Sequence[Player]) -> None:
    """Play until everyone sees the end. The first player has seat 1, and so on; bots have the others."""
    while _step(server, table, players):
        pass
    for player in players:
        player.come_to("over", server.state(table))


def play_some(server: Running, table: str, players: Sequence[Player], steps: int) -> None:
    """Play a little, until everyone sees the result."""
    for _ in range(steps):
        _step(server, table, players)
    state = server.settled(table)
    for player in players:
        until(player.page, f"s.seq === {state.seq}")


def _step(server: Running, table: str, players: Sequence[Player]) -> bool:
    """Let a player move, or let all who are asked answer; return whether the game continued."""
    state = server.settled(table)
    if state.window is not None and state.match is not None:
        asked = [(seat, player) for seat, player in enumerate(players, 1) if seat in state.match.asked]
        for seat, player in asked:
            player.come_to("asked", server.state(table))
            player.hold()
            wait_until(player.page, functools.partial(server.is_held, table, seat))
        for seat, player in asked:
            player.come_to("asked", server.state(table))
            player.answer()
            wait_until(player.page, functools.partial(server.has_answered, table, seat))
        # It is already closed if all of them have answered and nobody else is asked.
        if (window := server.state(table).window) is not None and window.opened == state.window.opened:
            server.close_window(table)
        return True
    if state.to_move is None:
        return False
    seq, player = state.seq, players[state.to_move - 1]
    player.come_to("plays", state)
    player.play()
    wait_until(player.page, lambda: server.state(table).seq > seq)
    return True
