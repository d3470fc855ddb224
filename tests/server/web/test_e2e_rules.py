"""The rules in real browsers: why moves and tables are refused, and the pictures in rulebooks."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.server.web.devices import LAPTOP, PHONE, Devices, until, wait
from tests.server.web.gallery import record_of
from upcard.games import GAMES
from upcard.server.web.positions import positions_of

# A position, a card, a place where it cannot go, and part of the reason.
REFUSED = {
    "S3.5": ("B", "pile:2", "passt nicht", "S3.4"),
    "L3.5": ("hand:r9", "zone:3:top", "kann dort keine neue Reihe beginnen", "L4.4"),
    "K3.4": ("hand:r5", "pile:B1", "hat nicht die Farbe", "K3.2"),
}
each_refusal = pytest.mark.parametrize("at", REFUSED)


def sit_at(page: Page, clause: str) -> None:
    """Sit down at the table that a picture in a rulebook shows."""
    game = next(game for game in GAMES if clause in positions_of(game))
    position = positions_of(game)[clause]
    record, seat = record_of(game, position.players, position.seed, position.moves)
    asked = {"id": "rules", "record": record, "moves": position.moves, "seat": seat, "name": "Ann"}
    answer = page.request.post("/api/branch", data=asked)
    page.goto(f"/t/{answer.json()['table']}")
    until(page, "s.phase === 'playing' && s.legal.length > 0")


def spots(page: Page, at: str) -> tuple[Locator, Locator]:
    """Return a card, and a place where it cannot go."""
    source, place, _, _ = REFUSED[at]
    table = page.locator("main upcard-table")
    return table.locator(f'[data-source="{source}"]').first, table.locator(f'[data-place="{place}"]')


def check_reason(page: Page, at: str) -> None:
    """The reason is in German, and its clause is one tap away."""
    _, _, text, clause = REFUSED[at]
    notice = page.locator("[data-notice=refusal]")
    expect(notice).to_contain_text(text)
    notice.locator("[data-do=clause]").click()
    expect(page.locator("upcard-rulebook li.now")).to_have_attribute("id", clause)


@each_refusal
def test_tapping_where_a_card_cannot_go_shows_why(devices: Devices, at: str) -> None:
    devices.forgive("answer: 422")
    page = devices.new(size=PHONE, locale="de-DE")
    sit_at(page, at)
    card, place = spots(page, at)
    card.click()
    # An impossible place is marked as disabled, and yet can be tapped for the reason.
    expect(place).to_have_attribute("aria-disabled", "true")
    place.click(force=True)
    check_reason(page, at)


# A drag does the same as a tap, so one of the three is enough.
@pytest.mark.parametrize(
    "at", [pytest.param(at, marks=[] if at == "L3.5" else pytest.mark.soak) for at in REFUSED]
)
def test_dragging_a_card_where_it_cannot_go_shows_why(devices: Devices, at: str) -> None:
    devices.forgive("answer: 422")
    page = devices.new(locale="de-DE")
    sit_at(page, at)
    card, place = spots(page, at)
    card.drag_to(place, force=True)
    check_reason(page, at)


def test_a_card_that_can_never_go_to_a_place_is_not_a_move_but_has_an_answer(devices: Devices) -> None:
    """Numbers cannot steal: such a move does not exist, so no clause forbids it."""
    page = devices.new(locale="de-DE")
    sit_at(page, "K3.4")
    page.click('main upcard-table [data-source="hand:r5"]')
    page.locator('main upcard-table [data-place="seat:3:red"]').click(force=True)
    expect(page.locator("[data-notice=refusal]")).to_contain_text("Da kann diese Karte nicht hin.")


@pytest.mark.parametrize(
    ("game", "players", "wrong", "said"),
    [
        ("stockpile", 4, {"stock": 30}, "Alle Vorräte zusammen können höchstens 80 Karten haben"),
        ("lines", 5, {"colours": 5}, "Zu fünft geht es nur mit sechs Farben."),
        ("stacks", 2, {"dealer": 5}, "Sieh in den Spielregeln bei K2.1 nach."),
    ],
)
def test_options_that_do_not_go_together_are_explained(
    devices: Devices, game: str, players: int, wrong: dict[str, Any], said: str
) -> None:
    devices.forgive("answer: 400")
    page = devices.new(locale="de-DE")
    page.goto(f"/#set-up-{game}")
    wait(page, "document.querySelector('upcard-setup')?.hasUpdated")
    page.evaluate(
        """([players, chosen]) => {
            const form = document.querySelector("upcard-setup");
            Object.assign(form, { players, chosen, seats: Array(players).fill("open") });
        }""",
        [players, wrong],
    )
    page.click("[data-do=open]")
    expect(page.locator(".setup .notice")).to_contain_text(said)


@pytest.mark.parametrize("game", GAMES)
def test_a_rulebook_shows_positions_that_are_only_to_be_looked_at(devices: Devices, game: str) -> None:
    page = devices.new(size=PHONE)
    page.goto(f"/rules/{game}")
    for clause, position in positions_of(game).items():
        figure = page.locator(f'li[id="{clause}"] figure')
        figure.scroll_into_view_if_needed()
        expect(figure.locator(".board")).to_be_visible()
        lifted = int(position.picked is not None)
        expect(figure.locator(".held")).to_have_count(lifted)
        assert figure.locator(".lit").count() >= lifted
    for size in (PHONE, LAPTOP):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # No key leads into a picture.
    page.keyboard.press("Shift+Tab")
    assert not page.evaluate("document.activeElement.closest('upcard-table') !== null")
    table = page.locator("figure [data-spot]").first
    assert table.evaluate("(spot) => (spot.focus(), document.activeElement !== spot)")
