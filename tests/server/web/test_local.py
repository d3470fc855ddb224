"""Tables on a device: a site exported to a plain file server, on which whole games are played."""

from __future__ import annotations

import contextlib
import functools
import json
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests import seeds
from tests.cases import in_game
from tests.server.web.devices import SEEDED, Devices, wait
from upcard.core.game import Game
from upcard.games import GAMES, find
from upcard.match import Match, new_seed, replay
from upcard.server.table.projection import project_events
from upcard.server.web.assets import FOLDER as STATIC
from upcard.server.web.export import write_site

each_game = pytest.mark.parametrize("game", [find(name) for name in GAMES], ids=lambda game: game.id)

# Play a whole game through the connection of a page, and return everything that the page received.
PLAY = """async (plan) => {
  const module = (name) => import(new URL(name, document.querySelector("script[type=module]").src));
  const { device } = await module("device.js");
  const { LocalConnection } = await module("local-connection.js");
  const connection = new LocalConnection(await device.create(plan));
  const told = [];
  let wake = () => null;
  connection.addEventListener("news", ({ detail }) => { told.push(detail); wake(); });
  const facts = await connection.load();
  connection.open(0);
  let [number, answered, seen] = [0, 0, 0];
  for (;;) {
    while (told.length === seen) await new Promise((resolve) => (wake = resolve));
    seen = told.length;
    const { state } = told.at(-1);
    const { window, legal, seq, phase } = state;
    if (phase === "over") break;
    if (state.hand_over) {
      connection.take(state.hand_over);
    } else if (window?.answers.length && answered !== seq) {
      answered = seq;
      connection.send("react", { base: seq, move: window.answers[0] });
    } else if (legal.length) {
      connection.send("play", { base: seq, move: legal[number++ % legal.length] });
    }
  }
  return { facts, told, record: await connection.record() };
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An exported site in a folder of a plain file server."""
    with file_server(tmp_path_factory.mktemp("site")) as address:
        yield address


@contextlib.contextmanager
def file_server(folder: Path) -> Iterator[str]:
    """Export a site into a folder of a plain file server, and return its address."""
    write_site(folder / "some" / "where")

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/some/where/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def visitors(chromium: Browser, site: str) -> Iterator[Devices]:
    """Devices that visit the site. Nothing may go wrong on them."""
    made = Devices(chromium, site)
    yield made
    for context in made.contexts:
        context.close()
    assert made.complaints() == []


def visit(visitors: Devices, **how: Any) -> Page:
    """Open the site on a device whose workers draw their randomness from the test's seed."""
    page = visitors.new(**how)
    seeded_worker(page)
    page.goto("")
    expect(page.locator("[data-do=play]").first).to_be_visible()
    return page


def seeded_worker(page: Page) -> None:
    """Let the workers of a device draw their randomness from the test's seed."""

    def seeded(route: Route) -> None:
        # Not fetched: a closing page would abort the request in the middle of the next test.
        body = (STATIC / "js" / "local" / "worker.js").read_text("utf-8")
        # Workers do not share the page's storage, and are started once.
        start = SEEDED % json.dumps(seeds.current())
        start = start.replace("localStorage", "({})").strip()
        route.fulfill(body=start + body, content_type="text/javascript")

    page.context.route("**/local/worker.js", seeded)


def plan_of(game: Game, seats: list[str | None], **options: Any) -> dict[str, Any]:
    """Return a table for bots (by level) and people (None)."""
    names = [{"name": f"Player {place}", "bot": bot} for place, bot in enumerate(seats, 1)]
    return {"game": game.id, "options": {"players": len(seats), **options}, "seats": names, "pace": 0}


@each_game
def test_a_whole_game_tells_the_page_exactly_what_a_server_would(game: Game, visitors: Devices) -> None:
    page = visit(visitors)
    played = page.evaluate(PLAY, plan_of(game, [None, "easy", "easy"]))
    record = json.loads(played["record"])
    check_record(record)
    told = {message["state"]["seq"]: message for message in played["told"]}
    match = Match(game, record["options"], bytes.fromhex(record["seed"]), replay(record).players, apart=True)
    moves = [(entry["seat"], entry["move"]) for entry in record["log"] if "move" in entry]
    known = 0
    for seq in range(1, max(told) + 1):
        state, entries = told[seq]["state"], told[seq]["events"]
        kind = entries[-1]["kind"] if entries else "started"
        if kind == "moved":
            play_next(match, moves)
        elif kind == "closed":
            while match.asked:
                play_next(match, moves)
        assert state["view"] == json.loads(json.dumps(match.show(1))), seq
        assert state["legal"] == (match.legal if state["to_move"] == 1 else []), seq
        if entries:
            news = project_events(match, match.events[known:], match.names, 1)
            assert entries[-1]["news"] == json.loads(json.dumps(news)), seq
        known = len(match.events)
    assert match.over


def play_next(match: Match, moves: list[tuple[int, str]]) -> None:
    """Make the next move of a record, in which those who had no choice when they were asked are left out."""
    if match.asked and (not moves or match.to_move != moves[0][0]):
        match.make_legal(match.game.legal_moves(match.table)[-1])
    else:
        seat, move = moves.pop(0)
        match.play(move, seat)


def check_record(record: dict[str, Any]) -> None:
    """Check a record as `upcard verify` does."""
    match = replay(record)
    assert match.over
    assert match.record() == record


@in_game("stacks")
def test_a_game_is_played_by_hand_survives_a_reload_and_is_listed(game: str, visitors: Devices) -> None:
    page = visit(visitors)
    page.click(f"[data-game={game}] [data-do=play]")
    your_turn(page)
    page.click("[data-do=hint]")
    expect(page.locator("[data-notice=hint]")).to_be_visible()
    page.click("[data-do=follow]")
    wait(page, f"{STATE}.seq > 1")
    your_turn(page)
    # The saved game is shown again, and continues from there.
    before = page.evaluate(f"JSON.stringify({STATE}.view)")
    page.reload()
    your_turn(page)
    assert page.evaluate(f"JSON.stringify({STATE}.view)") == before
    seq = page.evaluate(f"{STATE}.seq")
    page.click("[data-do=undo]")
    wait(page, f"{STATE}.seq === {seq + 2}")
    rules = find(game)
    table, legal = rules.deal({}, b"any"), page.evaluate(f"{STATE}.legal")
    texts = [rules.write_move(table, move) for move in range(rules.move_count)]
    forbidden = next(text for text in texts if text not in legal)
    page.evaluate(f"document.querySelector('upcard-local-table').session.play({json.dumps(forbidden)})")
    expect(page.locator("[data-notice=refusal]")).to_be_visible()
    expect(page.locator("[data-notice=refusal] [data-do=clause]")).to_be_visible()
    page.goto("")
    expect(page.locator(".kept")).to_have_count(1)
    page.click(".kept a")
    your_turn(page)
    page.go_back()
    page.click("[data-do=forget]")
    expect(page.locator(".kept")).to_have_count(0)


def test_the_next_game_is_one_tap_away_with_the_same_pace_and_the_score_so_far(visitors: Devices) -> None:
    page = visit(visitors)
    page.click("[data-game=stockpile] [data-do=play]")
    your_turn(page)
    table = "document.querySelector('upcard-local-table')"
    page.evaluate(f"{table}.session.tell('pace', {{ pace: 0.4 }})")
    wait(page, f"{STATE}.pace === 0.4")
    page.evaluate(f"{table}.session.do('resign')")
    page.click("dialog[open] [data-do=again]")
    wait(page, f"{STATE}?.phase === 'playing'")
    state = page.evaluate(STATE)
    assert (state["pace"], state["wins"][0], max(state["wins"])) == (0.4, 0, 1)


STATE = "document.querySelector('upcard-local-table').state"


def your_turn(page: Page) -> None:
    """Wait until the page shows the person's turn, or its answer in a window is wanted."""
    wait(page, "document.querySelector('upcard-local-table .board.my-turn')")


def test_people_hand_the_device_round_and_see_only_their_own_cards(visitors: Devices) -> None:
    page = visit(visitors)
    page.click("[data-game=lines] [data-do=set-up]")
    page.select_option("[name=seat-2]", index=0)
    page.fill("[name=name-2]", "Ben")
    page.click("[data-do=open]")
    seats: list[int] = []
    for _ in range(4):
        take = page.locator("[data-do=take]")
        expect(take).to_be_visible()
        state = page.evaluate(STATE)
        assert state["you"] is None
        assert not state["view"]["hand"]
        take.click()
        wait(page, f"{STATE}.you === {state['hand_over']}")
        while page.evaluate(f"{STATE}.you") is not None:
            page.evaluate(f"document.querySelector('upcard-local-table').session.play({STATE}.legal[0])")
            wait(page, f"{STATE}.hand_over !== null || {STATE}.legal.length")
        seats.append(state["hand_over"])
    assert seats[0] != seats[1]
    assert seats == [*seats[:2], *seats[:2]]


def test_the_rulebooks_and_all_languages_are_there(visitors: Devices) -> None:
    page = visit(visitors)
    page.click("[data-game=stacks] a[href='#rules-stacks']")
    expect(page.locator("upcard-rulebook article[lang=en] li").first).to_be_visible()
    page.locator("upcard-bar select.language").first.select_option("de")
    expect(page.locator("upcard-rulebook article[lang=de] li").first).to_be_visible()
    page.locator("upcard-position").first.scroll_into_view_if_needed()
    expect(page.locator("upcard-position .board").first).to_be_visible()
    # The choice is saved.
    page.goto("")
    expect(page.locator("h1")).to_have_text("Auf diesem Gerät spielen")


def test_a_strong_bot_thinks_in_a_worker_while_the_page_answers(visitors: Devices) -> None:
    page = visit(visitors)
    moves = page.evaluate(
        LEVELS, [plan_of(find("lines"), [None, level]) for level in ("normal", "hard", "expert")]
    )
    assert len(moves) == 3


# Play the first move against a bot, and return what it answers.
LEVELS = """async (plans) => {
  const module = (name) => import(new URL(name, document.querySelector("script[type=module]").src));
  const { device } = await module("device.js");
  const { LocalConnection } = await module("local-connection.js");
  const moved = async (plan) => {
    const connection = new LocalConnection(await device.create(plan));
    connection.open(0);
    for (;;) {
      const next = (resolve) => connection.addEventListener("news", resolve, { once: true });
      const { state, events } = (await new Promise(next)).detail;
      const move = events.find((entry) => entry.by === "bot");
      if (move) return move.move;
      if (state.legal.length) connection.send("play", { base: state.seq, move: state.legal[0] });
    }
  };
  return Promise.all(plans.map(moved));
}"""


# Replay a record for each seat and a spectator, through the worker of a page.
STEPS = """async ([record, seats]) => {
  const script = document.querySelector("script[type=module]").src;
  const { device } = await import(new URL("device.js", script));
  return Promise.all(seats.map((seat) => device.steps(record, seat)));
}"""


@each_game
def test_a_replay_tells_each_seat_what_it_was_told_at_the_table(game: Game, visitors: Devices) -> None:
    match = played(game)
    seats = [None, 1, 2]
    page = visit(visitors)
    # A record of another program has no seed: the shuffles are taken as they stand.
    for record in (match.record(), match.record() | {"seed": None}):
        replays = page.evaluate(STEPS, [json.loads(json.dumps(record)), seats])
        for seat, told in zip(seats, replays, strict=True):
            news = [one for step in told["steps"] for one in step["told"]["news"]]
            ours = project_events(match, match.events, match.names, seat)
            assert news == json.loads(json.dumps(ours))
            last = told["steps"][-1]["state"]
            assert last["view"] == json.loads(json.dumps(match.show(seat)))
            assert (last["result"], last["you"]) == (match.result, seat)
            assert len(told["steps"]) == len(match.log_of_moves) + 1


def played(game: Game) -> Match:
    """Return a game that is over."""
    match = Match(game, {}, new_seed())
    while not match.over:
        match.play(match.legal[0])
    return match


def test_after_a_game_it_is_checked_replayed_and_continued(visitors: Devices, tmp_path: Path) -> None:
    page = visit(visitors)
    page.evaluate(PLAY, plan_of(find("stockpile"), [None, "easy"], stock=2))
    page.reload()
    page.click(".kept a")
    expect(page.locator("upcard-result .winner")).to_have_count(1)
    page.click("upcard-result [data-do=fair]")
    expect(page.locator(".checks.right li.right")).to_have_count(5)
    with page.expect_download() as download:
        page.click("upcard-result a[download]")
    download.value.save_as(tmp_path / "game.json")
    check_record(json.loads((tmp_path / "game.json").read_text()))
    page.click("upcard-result [data-do=replay]")
    page.click("upcard-replay [data-do=next]")
    page.click("[data-do=branch]")
    wait(page, f"document.querySelector('upcard-local-table') && {STATE}")
    assert page.evaluate(f"{STATE}.seq") == 1
    assert page.evaluate(f"{STATE}.phase") == "playing"


def test_a_record_that_is_wrong_is_refused_with_a_reason(visitors: Devices, tmp_path: Path) -> None:
    page = visit(visitors)
    page.goto("#replay")
    for record in ("[]", "{}", '{"upcard": 1, "game": "lines", "log": [{"shuffle": ["r99"]}]}', '"', "../x"):
        (tmp_path / "game.json").write_text(record)
        page.set_input_files("input[type=file]", tmp_path / "game.json")
        expect(page.locator("[role=alert]")).to_be_visible()
        page.reload()
