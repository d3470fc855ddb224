"""The pages in a real browser: from the first tap to the end of a game, and coming back after any
interruption."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.cases import in_game
from tests.server.guests import Guest, Running, begun, play_on
from tests.server.web.devices import PHONE, Devices, first_turn, state_of, table_of, until, wait
from tests.server.web.players import Taps, gather, try_again
from tests.server.web.players import play_out as play_all
from upcard.games import GAMES
from upcard.i18n import languages


def move(page: Page, text: str | None = None) -> None:
    """Make a move as <upcard-table> does, by default the first legal one."""
    page.evaluate(
        """(text) => {
            const table = document.querySelector("upcard-table");
            table.dispatchEvent(new CustomEvent("move", { detail: { move: text ?? table.state.legal[0] } }));
        }""",
        text,
    )


def play_out(server: Running, page: Page) -> None:
    """Continue against bots, playing from the stockpile first, until the game is over."""
    table = table_of(page)
    while (state := server.settled(table)).phase == "playing":
        seq = state.seq
        until(page, f"s.seq === {seq}")
        wait(page, "!document.querySelector('upcard-table-page').busy")
        legal = state_of(page)["legal"]
        move(page, next((one for one in legal if one.startswith("stock")), legal[0]))
        until(page, f"s.seq > {seq}")
    until(page, f"s.seq === {state.seq}")


def sit_at(page: Page, guest: Guest, game: str, **fields: Any) -> str:
    """Start a game between the person of a page and a guest; the page shows it."""
    page.goto("/")
    options = {"players": 2, **fields.pop("options", {})}
    table: str = page.evaluate(
        """async ([game, fields]) => {
            const script = document.querySelector("script[type=module]").src;
            const { createTable, sitDown } = await import(script.replace("home.js", "new-table.js"));
            const table = await createTable({ game, ...fields });
            await sitDown(table, 1);
            return table;
        }""",
        [game, {"options": options, "pace": 0, "window_seconds": 0, "patience": "none", **fields}],
    )
    guest.sit(table, "Ben", 2)
    page.goto(f"/t/{table}")
    page.click("[data-do=start]")
    until(page, "s.phase === 'playing'")
    return table


# Start


@in_game("stockpile")
def test_one_tap_deals_a_game_with_bots(devices: Devices, game: str) -> None:
    page = devices.new(size=PHONE)
    page.goto("/")
    page.click(f"[data-game={game}] [data-do=play]")
    table_of(page)
    state = state_of(page)
    assert state["you"] == 1
    assert [seat["kind"] for seat in state["seats"]] == ["person", "bot"]
    assert state["phase"] == "playing"
    expect(page.locator("upcard-table")).to_be_visible()


@in_game("stacks")
def test_friends_meet_by_a_code_and_play(devices: Devices, game: str) -> None:
    ann, ben = devices.new("Ann"), devices.new("Ben", size=PHONE)
    ann.goto(f"/#set-up-{game}")
    name = "dealer" if game == "stacks" else "first"
    ann.click("[data-fold=rules] summary")
    ann.click(f"[data-option={name}] .choice:nth-child({3 if game == 'stacks' else 2})")
    ann.click("[data-do=open]")
    table = table_of(ann)
    code = ann.locator(".big-code").inner_text()
    expect(ann.locator("[data-do=start]")).to_be_disabled()
    # Nobody has to look for the settings to choose a picture.
    ann.locator(".lobby .face", has_text="Owl").click()
    until(ann, "s.seats[0].face === 'owl'")

    ben.goto("/")
    ben.fill("input[name=code]", code.lower())
    ben.press("input[name=code]", "Enter")
    assert table_of(ben) == table
    ben.click("[data-do=sit]")
    expect(ann.locator(".seat-row").nth(1)).to_contain_text("Ben")

    ann.click("[data-do=start]")
    until(ann, "s.phase === 'playing'")
    until(ben, "s.phase === 'playing'")
    assert state_of(ben)["you"] == 2
    # In Stockpile, a player without a possible play has already had a turn.
    seat = state_of(ann)["to_move"]
    moving, looking = (ann, ben) if seat == 1 else (ben, ann)
    expect(moving.locator(".turn")).to_have_class("turn yours")
    expect(looking.locator(".turn")).to_have_attribute("data-turn", str(seat))
    before = state_of(looking)["seq"]
    move(moving)
    until(looking, f"s.seq > {before}")
    looking.click("[data-do=history]")
    expect(looking.locator(".history")).to_contain_text("Ann" if seat == 1 else "Ben")


def test_a_table_that_does_not_exist_says_so(devices: Devices) -> None:
    page = devices.new()
    page.goto("/t/nowhere")
    expect(page.locator(".lost h1")).to_be_visible()


def test_an_address_at_which_there_is_nothing_has_a_page_that_leads_home(devices: Devices) -> None:
    page = devices.new()
    devices.forgive("404 GET")
    page.goto("/tabel/5")
    page.click(".lost a")
    expect(page.locator("[data-game] [data-do=play]").first).to_be_visible()


def test_a_code_that_belongs_to_no_table_is_refused_kindly_on_the_first_screen(devices: Devices) -> None:
    page = devices.new(size={"width": 360, "height": 640})
    page.goto("/?code=BCDFGH")
    expect(page.locator("input[name=code]")).to_have_value("BCDFGH")
    # All games and the code can be reached without scrolling.
    for each in page.locator("[data-do=play], [data-do=set-up], .join button").all():
        expect(each).to_be_in_viewport(ratio=1)
    page.press("input[name=code]", "Enter")
    expect(page.locator("#wrong-code")).to_have_text(re.compile(r"\w"))
    expect(page.locator("#wrong-code")).to_be_in_viewport(ratio=1)
    expect(page.locator("input[name=code]")).to_have_attribute("aria-invalid", "true")
    assert page.url.endswith("/?code=BCDFGH")


def test_a_table_is_set_up_as_it_was_chosen(devices: Devices) -> None:
    page = devices.new()
    page.goto("/#set-up-lines")
    page.locator("input[name=players][value='5']").check(force=True)
    page.click("[data-fold=rules] summary")
    page.locator("[data-option=extend] input[value=next]").check(force=True)
    page.click("[data-fold=table] summary")
    page.locator("input[name=patience][value=nudge]").check(force=True)
    page.locator("input[name=time][value=days]").check(force=True)
    # The pace of bots is offered only if there are any.
    expect(page.locator("[data-field=pace]")).to_have_count(0)
    for seat, who in enumerate(["easy", "me", "hard", "open", "normal"], 1):
        page.select_option(f"select[name=seat-{seat}]", who)
    expect(page.locator("[data-field=pace]")).to_be_visible()
    page.click("[data-do=open]")
    table = table_of(page)
    facts = Guest(devices.url).look(table)
    assert facts["options"] | {"extend": "next", "players": 5, "colours": 6} == facts["options"]
    assert [facts["patience"], facts["patience_seconds"]] == ["nudge", 3 * 24 * 60 * 60]
    assert [seat["bot"] for seat in facts["seats"]] == ["easy", None, "hard", None, "normal"]
    assert [seat["name"] for seat in facts["seats"]][1] == "Ann"


def test_the_host_gives_free_seats_to_bots(devices: Devices) -> None:
    page = devices.new()
    page.goto("/#set-up-stacks")
    page.locator("input[name=players][value='4']").check(force=True)
    page.click("[data-do=open]")
    table_of(page)
    page.click("[data-do=fill]")
    expect(page.locator("[data-do=start]")).to_be_enabled()
    page.click("[data-do=start]")
    until(page, "s.phase === 'playing'")
    assert [seat["kind"] for seat in state_of(page)["seats"]] == ["person", "bot", "bot", "bot"]


# Play


def test_a_refused_move_says_why_with_its_clause_one_tap_away(devices: Devices) -> None:
    page = devices.new(size=PHONE)
    sit_at(page, Guest(devices.url), "stacks", options=first_turn("stacks", 1))
    # The browser does not log it as an error.
    move(page, "end")
    expect(page.locator("[data-notice=refusal]")).to_be_visible()
    clause = page.locator("[data-do=clause]").get_attribute("data-clause")
    page.click("[data-do=clause]")
    expect(page.locator(f"dialog[open] li[id='{clause}']")).to_have_class("clause now")
    expect(page.locator(f"dialog[open] li[id='{clause}']")).to_be_in_viewport()


def test_a_second_tap_before_the_answer_sends_nothing(devices: Devices) -> None:
    page = devices.new()
    table = sit_at(page, Guest(devices.url), "stacks", options=first_turn("stacks", 1))
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.evaluate(
        """() => {
            const table = document.querySelector("upcard-table");
            const detail = { move: table.state.legal.find((move) => move.startsWith("x ")) };
            for (let tap = 0; tap < 3; tap++) table.dispatchEvent(new CustomEvent("move", { detail }));
        }"""
    )
    until(page, "s.to_move === 2")
    assert [one.rpartition("/api")[2] for one in sent] == [f"/tables/{table}/play"]


@in_game("lines")
def test_a_hint_is_a_legal_move_with_its_reason(devices: Devices, game: str) -> None:
    page, guest = devices.new(), Guest(devices.url)
    table = sit_at(page, guest, game, options=first_turn(game, 1))
    while (told := guest.look(table))["to_move"] == 2:
        guest.do(table, "play", base=told["seq"], move=told["legal"][0])
    until(page, "s.to_move === 1")
    page.click("[data-do=hint]")
    expect(page.locator("[data-notice=hint]")).to_be_visible()
    state = state_of(page)
    assert page.evaluate("document.querySelector('upcard-table').hint") in state["legal"]
    page.click("[data-do=follow]")
    until(page, f"s.seq > {state['seq']}")
    expect(page.locator("[data-notice=hint]")).to_have_count(0)


def test_a_move_is_taken_back_if_the_other_agrees(devices: Devices) -> None:
    ann, ben = devices.new("Ann"), devices.new("Ben")
    guest = Guest(devices.url)
    table = sit_at(ann, guest, "lines", options=first_turn("lines", 1))
    # Ben continues in a browser, by a code for his seat.
    code = guest.do(table, "hand-over").json()["code"]
    ben.goto("/")
    ben.fill("input[name=code]", code)
    ben.press("input[name=code]", "Enter")
    table_of(ben)
    hand = state_of(ann)["view"]["hand"]
    move(ann)
    until(ann, "s.to_move === 2")
    ann.click("[data-do=undo]")
    expect(ann.locator("[data-do=withdraw]")).to_be_visible()
    ben.click("[data-do=agree]")
    until(ann, "s.to_move === 1")
    assert state_of(ann)["view"]["hand"] == hand


def test_a_phrase_is_heard_by_the_others(devices: Devices) -> None:
    page = devices.new()
    guest = Guest(devices.url)
    table = sit_at(page, guest, "stockpile")
    page.click("[data-do=say]")
    page.click("[data-phrase=well_played]")
    until(page, "s.seq >= 5")
    assert (
        guest.news(table)[-1] | {"kind": "said", "phrase": "well_played", "seat": 1} == guest.news(table)[-1]
    )
    guest.do(table, "say", phrase="thanks")
    bubble = page.locator(".bubble", has_text="Ben")
    expect(bubble.locator(".reaction")).to_have_text("🙏")


def test_a_long_sentence_does_not_make_a_narrow_screen_wider(devices: Devices) -> None:
    page = devices.new(size=PHONE)
    sit_at(page, Guest(devices.url), "stacks")
    page.evaluate(
        """() => {
            const entry = { seq: 0, kind: "moved", news: [{ say: ["a long sentence ".repeat(20), {}] }] };
            document.querySelector("upcard-table-page").session.store.dispatch({ type: "landed", entry });
        }"""
    )
    expect(page.locator(".lately")).to_contain_text("a long sentence")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert page.evaluate("document.querySelector('.foot').scrollWidth") <= PHONE["width"]


# Coming back


def test_what_was_missed_is_told_and_the_table_is_where_it_stands(devices: Devices) -> None:
    page = devices.new()
    guest = Guest(devices.url)
    table = sit_at(page, guest, "lines", options=first_turn("lines", 2))
    page.goto("/")
    expect(page.locator(f".own a[href='/t/{table}']")).to_be_visible()
    state = guest.look(table)
    guest.do(table, "play", base=state["seq"], move=state["legal"][0])
    page.click(f".own a[href='/t/{table}']")
    expect(page.locator("[data-banner=missed]")).to_be_visible()
    until(page, "s.to_move === 1")
    assert state_of(page)["seq"] == guest.look(table)["seq"]


def test_a_lost_connection_is_said_and_a_move_made_meanwhile_counts_once(devices: Devices) -> None:
    page = devices.new()
    guest = Guest(devices.url)
    table = sit_at(page, guest, "lines", options=first_turn("lines", 1))
    devices.forgive("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    expect(page.locator("[data-banner=away]")).to_be_visible()
    move(page)
    page.context.set_offline(False)
    try_again(page, lambda: move(page))
    until(page, "s.to_move === 2")
    expect(page.locator("[data-banner=away]")).to_have_count(0)
    assert [told["seat"] for told in guest.news(table) if told["kind"] == "moved"] == [1]


def test_an_answer_that_gets_lost_is_asked_for_again_and_the_move_is_made_once(devices: Devices) -> None:
    page = devices.new()
    guest = Guest(devices.url)
    table = sit_at(page, guest, "lines", options=first_turn("lines", 1))
    sent: list[dict[str, Any]] = []

    def lose_the_first_answer(route: Any) -> None:
        sent.append(route.request.post_data_json)
        if len(sent) > 1:
            route.continue_()
            return
        route.fetch()
        route.abort()

    devices.forgive("ERR_FAILED POST")
    page.route("**/play", lose_the_first_answer)
    move(page)
    until(page, "s.to_move === 2")
    wait(page, "!document.querySelector('upcard-table-page').busy")
    assert len(sent) == 2
    assert sent[0] == sent[1]
    assert sum(told["kind"] == "moved" for told in guest.news(table)) == 1
    expect(page.locator("[data-notice=refusal]")).to_have_count(0)


def test_a_seat_moves_to_another_device(devices: Devices) -> None:
    old, new = devices.new("Ann"), devices.new("Someone", size=PHONE)
    table = sit_at(old, Guest(devices.url), "stacks")
    hand = state_of(old)["view"]["hand"]
    old.click(".tools [data-do=more]")
    old.click("[data-do=hand-over]")
    code = old.locator("[data-code]").inner_text()
    new.goto(f"/?code={code}")
    new.press("input[name=code]", "Enter")
    assert table_of(new) == table
    assert state_of(new)["you"] == 1
    assert state_of(new)["view"]["hand"] == hand
    until(old, "s.you === null")


def test_a_player_who_comes_back_has_the_seat_again_without_asking(devices: Devices) -> None:
    page, guest = devices.new(), Guest(devices.url)
    table = sit_at(page, guest, "lines", patience="bot")
    page.click(".tools [data-do=more]")
    page.click("[data-do=leave]")
    page.click("[data-do=leave-now]")
    page.wait_for_url(re.compile("/$"))
    assert guest.look(table)["seats"][0]["away"]
    page.goto(f"/t/{table}")
    until(page, "!s.seats[0].away")
    assert guest.news(table)[-1]["kind"] == "took_back"


def test_a_player_who_reads_the_rules_is_not_taken_for_absent(devices: Devices, server: Running) -> None:
    page, guest = devices.new(), Guest(devices.url)
    options = first_turn("lines", 1)
    table = sit_at(page, guest, "lines", options=options, patience="bot", patience_seconds=60)
    deadline = state_of(page)["deadline"]
    page.click("[data-do=rules]")
    server.pass_time(45)
    # A page measures the server's clock by the moves of others.
    guest.do(table, "say", phrase="hello")
    until(page, f"s.deadline > {deadline}")
    assert [entry["kind"] for entry in guest.news(table)][-1] == "stayed"


def count_taps(page: Page) -> Callable[[], int]:
    """Count the taps on a device from now on, also on later pages."""
    taps: list[str] = []
    page.expose_function("countTap", lambda: taps.append("tap"))
    count = "addEventListener('click', (event) => event.detail && window.countTap(), true)"
    page.add_init_script(count)
    page.evaluate(count)
    return lambda: len(taps)


# Afterwards


def test_the_end_tells_who_won_and_whether_it_was_fair(devices: Devices, server: Running) -> None:
    page = devices.new()
    page.goto("/#set-up-stockpile")
    page.click("[data-fold=rules] summary")
    page.fill("input[name=stock]", "2")
    page.select_option("select[name=seat-2]", "easy")
    page.click("[data-fold=table] summary")
    page.locator("input[name=pace][value=quick]").check(force=True)
    page.click("[data-do=open]")
    table = table_of(page)
    until(page, "s.phase !== 'open'")
    play_out(server, page)
    expect(page.locator("upcard-result .winner")).to_have_count(1)
    page.click("upcard-result [data-do=fair]")
    expect(page.locator(".checks.right li.right")).to_have_count(4)

    # The game is counted, and only once.
    page.reload()
    expect(page.locator("upcard-result .winner")).to_have_count(1)
    page.goto("/")
    expect(page.locator(".figures tbody tr")).to_have_count(1)
    assert page.locator(".figures tbody td").first.inner_text() == "1"

    # Step through it, and share just that step.
    page.goto(f"/replay?table={table}&seat=1")
    page.click("[data-do=next]")
    page.wait_for_url(re.compile("step=1"))
    page.click("[data-do=last]")
    expect(page.locator("[data-do=next]")).to_be_disabled()
    page.click("[data-do=share]")
    expect(page.locator(".controls .quiet")).to_be_visible()


def test_a_record_that_was_changed_is_not_fair(devices: Devices) -> None:
    table, guests = begun(devices.url, "stockpile", options={"stock": 1})
    play_on(table, guests, random.Random(3))
    record = guests[0].http.get(f"/api/tables/{table}/record").json()
    page = devices.new()
    page.goto("/")
    check = """async ([record, own]) => {
        const script = document.querySelector("script[type=module]").src;
        const { check } = await import(script.replace("home.js", "fairness.js"));
        return check(record, own).map((one) => one.right);
    }"""
    nothing: dict[str, Any] = {"seat": None}
    fairness = record["fairness"]
    other = "00" * 32
    assert page.evaluate(check, [record, nothing]) == [True, True]
    assert page.evaluate(check, [record | {"seed": other}, nothing]) == [True, False]
    assert page.evaluate(check, [record | {"fairness": fairness | {"secret": other}}, nothing]) == [
        False,
        False,
    ]
    swapped = fairness | {"shares": fairness["shares"][::-1]}
    assert page.evaluate(check, [record | {"fairness": swapped}, nothing]) == [True, False]
    own = {"commitment": other, "share": fairness["shares"][1], "seat": 1}
    assert page.evaluate(check, [record, own]) == [True, True, False, False]


@in_game("stacks")
def test_a_record_from_a_file_can_be_stepped_through(devices: Devices, game: str, tmp_path: Path) -> None:
    options = {"stockpile": {"stock": 1}, "lines": {"colours": 4}, "stacks": {"turn_limit": 4}}[game]
    table, guests = begun(devices.url, game, options=options)
    play_on(table, guests, random.Random(4))
    file = tmp_path / "game.json"
    file.write_bytes(guests[0].http.get(f"/api/tables/{table}/record").content)
    page = devices.new(size=PHONE)
    page.goto("/replay")
    page.set_input_files("input[type=file]", file)
    page.click("[data-do=last]")
    wait(page, "document.querySelector('upcard-table').state.phase === 'over'")
    page.click("[data-do=first]")
    wait(page, "document.querySelector('upcard-table').state.seq === 0")
    # On a phone on its side, too, the table has most of the screen.
    page.set_viewport_size({"width": 640, "height": 360})
    box = page.locator("upcard-table").bounding_box()
    assert box is not None
    assert box["height"] > 170
    expect(page.locator("upcard-table")).to_be_in_viewport(ratio=1)
    file.write_text("{}")
    page.goto("/replay")
    page.set_input_files("input[type=file]", file)
    expect(page.locator(".notice")).to_be_visible()


def test_a_game_is_played_on_from_the_middle_against_bots(devices: Devices) -> None:
    table, guests = begun(devices.url, "lines")
    play_on(table, guests, random.Random(4))
    page = devices.new()
    page.goto(f"/replay?table={table}&step=3&seat=1")
    page.click("[data-do=branch]")
    page.wait_for_url("**/play#table-*")
    own = "document.querySelector('upcard-local-table')?.state"
    wait(page, own)
    state = page.evaluate(own)
    assert (state["phase"], state["you"], state["seats"][1]["kind"]) == ("playing", 1, "bot")
    assert state["view"]["turn"] in (1, 2)


def test_one_tap_each_deals_the_next_game_and_the_big_screen_follows(
    devices: Devices, server: Running
) -> None:
    ann, ben, screen = devices.new("Ann"), devices.new("Ben", size=PHONE), devices.new("Screen")
    options = {"stock": 1}
    table = gather([ann, ben], "stockpile", options=options)
    screen.goto(f"/t/{table}/room")
    expect(screen.locator("upcard-table")).to_be_visible()
    play_all(server, table, [Taps(ann), Taps(ben)])
    before = state_of(ann)["result"]["winners"]
    ann.click("upcard-result [data-do=again]")
    ann.wait_for_url(re.compile(rf"/t/(?!{table})"))
    until(ann, "s.phase === 'open'")
    again = table_of(ann)
    # The other player sees that the next game is waiting, and joins with one tap.
    expect(ben.locator("upcard-result .ready-ring")).to_be_visible()
    ben.click("upcard-result [data-do=again]")
    for page in (ann, ben):
        until(page, "s.phase === 'playing'")
        assert table_of(page) == again
        assert state_of(page)["wins"] == [int(seat in before) for seat in (1, 2)]
        expect(page.locator(".strip .wins")).to_contain_text("1")
    screen.wait_for_url(re.compile(rf"/t/{again}/room"))


def test_the_next_game_against_bots_is_one_tap_away(devices: Devices, server: Running) -> None:
    page = devices.new(size=PHONE)
    table = gather([page], "stockpile", bots=1, options={"stock": 1})
    play_all(server, table, [Taps(page)])
    taps = count_taps(page)
    # It is in sight without scrolling, on a small phone, on its side, and on a laptop.
    for width, height in ((360, 640), (740, 360), (1366, 768)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("upcard-result [data-do=again]")).to_be_in_viewport(ratio=1)
    page.click("upcard-result [data-do=again]")
    page.wait_for_url(re.compile(rf"/t/(?!{table})"))
    until(page, "s.phase === 'playing'")
    assert taps() == 1


def test_three_taps_at_most_lead_from_the_first_page_to_the_first_card(
    devices: Devices, server: Running
) -> None:
    page = devices.new(size=PHONE)
    page.goto("/")
    taps = count_taps(page)
    page.click("[data-game=lines] [data-do=play]")
    table = table_of(page)
    while server.settled(table).to_move != 1:
        pass
    page.wait_for_selector("upcard-table .board.my-turn")
    page.locator("upcard-table .ready").first.click()
    page.locator("upcard-table .lit").first.click()
    until(page, "s.to_move !== 1 || s.seq > 4")
    assert taps() <= 3


# The big screen


@pytest.mark.parametrize("game", ["lines", "stacks"])
def test_the_big_screen_shows_no_hand_not_even_of_the_player_who_opened_it(
    devices: Devices, game: str
) -> None:
    page = devices.new()
    told: list[str] = []
    table = sit_at(page, Guest(devices.url), game, options=first_turn(game, 1))
    assert state_of(page)["view"]["hand"]
    page.on("request", lambda request: told.append(request.url) if "/api/" in request.url else None)
    page.goto(f"/t/{table}/room")
    wait(page, "document.querySelector('upcard-table')?.state")
    state = page.evaluate("document.querySelector('upcard-big-screen').state")
    assert (state["you"], state["view"]["hand"], state["legal"]) == (None, [], [])
    assert told


def test_a_big_screen_shows_how_to_join_until_the_game_begins(devices: Devices) -> None:
    guest = Guest(devices.url)
    table = guest.open("lines")
    page = devices.new(size={"width": 1920, "height": 1080})
    page.goto(f"/t/{table}/room")
    expect(page.locator(".welcome .big-code")).to_have_text(guest.look(table)["code"])
    assert page.locator(".welcome .qr").evaluate(
        "(image) => image.complete || new Promise((done) => image.onload = done)"
    )
    for seat, one in enumerate([guest, Guest(devices.url)], 1):
        one.sit(table, f"Guest {seat}", seat)
    guest.do(table, "start")
    expect(page.locator("upcard-table")).to_be_visible()


# Preferences


def test_a_theme_is_kept_and_there_before_anything_is_drawn(devices: Devices) -> None:
    page = devices.new(color_scheme="light")
    page.goto("/")
    page.click("[data-do=settings]")
    page.locator("input[value=dark]").check(force=True)
    wait(page, "document.documentElement.dataset.theme === 'dark'")
    dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.goto("/rules/lines")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == dark


@pytest.mark.skipif(len(languages()) == 1, reason="there is only one language")
def test_the_language_changes_in_the_middle_of_a_game(devices: Devices) -> None:
    page = devices.new()
    sit_at(page, Guest(devices.url), "lines", options=first_turn("lines", 1))
    before = (state_of(page)["seq"], page.locator(".turn").inner_text())
    other = next(language for language in languages() if language != "en")
    page.click("[data-do=settings]")
    page.select_option("dialog[open] .language", other)
    wait(page, f"document.documentElement.lang === '{other}'")
    assert page.locator(".turn").inner_text() != before[1]
    assert state_of(page)["seq"] == before[0]
    page.reload()
    assert page.evaluate("document.documentElement.lang") == other


# Lessons


@pytest.mark.parametrize("game", GAMES)
def test_a_coach_explains_a_first_game_as_it_comes(devices: Devices, game: str) -> None:
    page = devices.new(size=PHONE)
    page.goto(f"/learn/{game}")
    page.click("[data-do=begin]")
    first = page.locator(".coach-text").inner_text()
    assert first
    page.wait_for_selector("upcard-table .ready")
    # A learner who plays instead has read enough.
    if game == "stockpile":
        Taps(page).play()
    else:
        page.click(".coach [data-do=next]")
    expect(page.locator(".coach-text")).not_to_have_text(first)
    clause = page.locator(".coach a").inner_text().strip()
    page.click(".coach a")
    expect(page.locator(f"dialog[open] li[id='{clause}']")).to_be_in_viewport()
