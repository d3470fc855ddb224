"""Every message with its parameters at real positions, in every language, as a browser shows it."""

from __future__ import annotations

import contextlib
import functools
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

import upcard
from tests import seeds
from tests.games.test_why import REASONED
from tests.server.web.devices import PHONE, Devices, first_turn, until
from tests.server.web.players import gather
from tests.server.web.reading import STICKING_OUT, faults, missing_article
from upcard.core.errors import NotationError
from upcard.core.seats import SPECTATOR
from upcard.games import GAMES, find
from upcard.games.lines import deck as lines
from upcard.games.stacks import deck as stacks
from upcard.i18n import Message, catalogue, languages

# A code, its parameters, and the game whose cards are in it.
Said = tuple[str, dict[str, str | int], str]

NAMES = ["Ann", "Konstancja", "Maximilian", "Bo", "Élodie", "Zoë"]
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "stockpile": [{"players": 4, "must_play": False}],
    "lines": [{"players": 3, "give": "matching"}, {"players": 5, "colours": 6, "extend": "next"}],
    "stacks": [
        {"players": 2, "two_player_deck": "full"},
        {"players": 6, "block": "anytime", "must_play": True},
    ],
}
# Sentences of a log go without articles (docs/words/en.md).
PROMPTS = ("web.table_pick_place", "web.table_no_place", "web.table_discard_it", "web.table_play_it")
# The parameters of all sentences about tables and pages.
FILLED: dict[str, str | int] = {
    "name": "Maximilian",
    "other": "Konstancja",
    "names": "Ann, Bo",
    "game": "Lines",
    "stack": "B",
    "clause": "K3.2",
    **dict.fromkeys(("answer", "cards", "phrase", "place", "under", "what"), "Test"),
    **dict.fromkeys(("all", "blue", "count", "entry", "height", "last", "line", "most", "next"), 12),
    **dict.fromkeys(("number", "red", "seat", "step", "value"), 1),
}


def events_of(game: str) -> Iterator[Message]:
    """Return the events of some games, as every listener hears them."""
    for match in played(game):
        for viewer in (None, *range(1, match.table.players + 1)):
            listener = SPECTATOR if viewer is None else viewer - 1
            told = (match.game.describe(event, match.names) for event in match.events_for(viewer))
            yield from (message.to(listener) for message in told if message is not None)


def refusals_of(game: str) -> Iterator[Message]:
    """Return the reasons for refusing some moves in these games."""
    for match in played(game):
        yield from match.refused


def reasons_of(game: str) -> Iterator[Message]:
    """Return the reasons for making some moves, as every listener hears them."""
    for reasoned in REASONED:
        if reasoned.position.game.id == game:
            listeners = (SPECTATOR, *range(reasoned.position.table.players))
            yield from (reasoned.ask().to(listener) for listener in listeners)


def refusals(match: Any, moves: Iterable[int | str]) -> Iterator[Message]:
    """Return the reasons for refusing some moves; a text that is not a move at all has no reason."""
    for move in moves:
        with contextlib.suppress(NotationError):
            number = match.game.read_move(match.table, move) if isinstance(move, str) else move
            refusal = match.game.explain(match.table, number)
            if refusal is not None:
                yield refusal


@functools.cache
def played(game: str) -> list[Any]:
    """Return games between random players, with the refusals of other moves."""
    matches = []
    places: set[str] = set()
    for number, options in enumerate(OPTIONS[game] * 3):
        dice = random.Random(f"{seeds.BASE} said in {game} {number}")  # the same for every test
        match: Any = upcard.new(find(game), seed=number, names=NAMES[: int(options["players"])], **options)
        match.refused = []
        while not match.over:
            # Cards that can be moved, with places of other moves: most of these are refused, for many
            # reasons.
            moved = [text.partition(" ") for text in match.legal]
            places |= {place for _, _, place in moved}
            heads = [head for head, _, _ in moved]
            cards = [place for head, _, place in moved if head == "x"] or heads
            tried = [f"{dice.choice(heads + cards)} {dice.choice(sorted(places))}".strip() for _ in range(24)]
            match.refused += refusals(match, [*dice.sample(range(match.game.move_count), 6), *tried, "end"])
            match.play(dice.choice(match.legal))
        matches.append(match)
    return matches


@functools.cache
def said_in(game: str, source: Callable[[str], Iterator[Message]]) -> dict[str, list[Said]]:
    """Return the messages from a source by their codes, each with all its different parameters."""
    found: dict[str, list[Said]] = {}
    for message in source(game):
        said = (message.code, dict(message.parameters), game)
        if said not in found.setdefault(message.code, []):
            found[message.code].append(said)
    return found


SOURCES = (events_of, refusals_of, reasons_of)


def everything_said() -> Iterator[dict[str, list[Said]]]:
    return (said_in(game, source) for game in GAMES for source in SOURCES)


def short(said: dict[str, list[Said]], most: int) -> list[Said]:
    """Return some messages with every code, those with the longest parameters first."""
    longest = {code: sorted(each, key=lambda one: -len(str(one[1]))) for code, each in said.items()}
    return [one for each in longest.values() for one in each[:most]]


# The browser's own modules, wherever a page has them from.
IMPORTS = """const at = (name) => new URL(name, document.querySelector("script[type=module]").src);
  const [{ words }, { said }, { drawingOf }, { lookOf, nameOf }, { render }] = await Promise.all([
    import(at("words.js")), import(at("sentences.js")), import(at("../table/drawings.js")),
    import(at("../table/cards.js")), import(at("../../vendor/lit.js")),
  ]);"""

READ = """async ([language, all, games]) => {
  IMPORTS
  const { loadDrawing } = await import(at("../table/drawings.js"));
  await Promise.all(games.map(loadDrawing));
  if (words.language !== language || !words.has("table.over")) await words.speak(language);
  const host = document.createElement("p");
  return all.map(([code, parameters, game]) => {
    render(said([code, parameters], game), host);
    const read = host.cloneNode(true);
    for (const each of read.querySelectorAll("[aria-hidden=true]")) each.remove();
    const { card } = parameters;
    return [read.textContent, typeof card === "string" ? nameOf(words, lookOf(card, drawingOf(game))) : ""];
  });
}""".replace("IMPORTS", IMPORTS)

# Put texts into their real places at a table on a phone (its log, its prompt and a button), one after
# another.
MEASURE = """async ([language, told, noted, prompts, game, names]) => {
  IMPORTS
  await words.speak(language);
  await Promise.all([...document.querySelectorAll("*")].map((element) => element.updateComplete));
  const doing = document.querySelector(`upcard-table section[aria-label="${words.t("web.table_doing")}"]`);
  const stand = (place) => {
    const double = place.cloneNode(false);
    place.after(double);
    place.style.display = "none";
    return [double, () => (double.remove(), place.style.removeProperty("display"))];
  };
  const out = [];
  const stickingOut = STICKING_OUT;
  const check = (place) => {
    const style = getComputedStyle(place);
    // What overflows at the top, as earlier sentences do, cannot be scrolled to.
    const heights = [...place.children].map((each) => each.getBoundingClientRect().height);
    const height = Math.max(place.scrollHeight, ...heights);
    const cut = style.overflowY !== "visible" && height > place.clientHeight + 1;
    if (cut) out.push(place.textContent);
    out.push(...stickingOut(place));
  };
  const sentences = (double, all) => {
    const [place, putBack] = double;
    for (const [code, parameters, game] of all) {
      const sentence = place.appendChild(document.createElement("span"));
      render(said([code, parameters], game), sentence);
      check(place);
      place.replaceChildren();
    }
    putBack();
  };
  sentences(stand(document.querySelector(".lately")), told);
  sentences(stand(document.querySelector("[role=status][data-notice=hint]")), noted);
  const [prompt, putPromptBack] = stand(doing.querySelector("p"));
  const button = doing.appendChild(document.createElement("button"));
  for (const [code, isButton] of prompts) {
    const cards = String(words.said[code]).includes("{card}") ? names : [""];
    for (const card of cards) {
      const name = card ? nameOf(words, lookOf(card, drawingOf(game))) : "";
      const place = isButton ? button : prompt;
      place.textContent = words.t(code, { card: name, name: "Maximilian" });
      check(place);
    }
  }
  button.remove();
  putPromptBack();
  // The names on special cards in a fan. Long words are hyphenated.
  const pictured = names.map((card) => lookOf(card, drawingOf(game))).filter((look) => look.picture);
  const caption = document.createElement("span");
  caption.className = "caption";
  document.querySelector(".in-hand")?.append(caption);
  const width = () => parseFloat(getComputedStyle(caption).width);
  for (const word of pictured.flatMap((look) => nameOf(words, look).split(/[\\s-]+/))) {
    if (word.length > 9) continue;
    caption.textContent = word;
    caption.removeAttribute("style");
    const room = width();
    caption.style.cssText = "right: auto; width: max-content";
    if (width() > room) out.push(word);
  }
  caption.remove();
  return out;
}""".replace("IMPORTS", IMPORTS).replace("STICKING_OUT", STICKING_OUT)


def read_in(page: Page, language: str, all_said: Iterable[Said]) -> list[list[str]]:
    """Return each message as a screen reader reads it, and the name of its card."""
    read: list[list[str]] = page.evaluate(READ, [language, list(all_said), list(GAMES)])
    return read


def of_the_page() -> list[Said]:
    """Return the browser's own sentences, with their parameters."""
    cards = {"stacks": "card", "lines": "y11", "stockpile": "?"}
    said: list[Said] = []
    for code in catalogue("en").sentences:
        if code.startswith("web.") and not code.startswith("web.position_"):
            game = next((game for game in GAMES if game in code), "stacks")
            pile: str | int = "B2" if game == "stacks" else 2
            # The names of cards are inserted by the page; here a number is enough.
            said.append((code, FILLED | {"pile": pile, "card": cards[game]}, game))
    return said


def check_words(page: Page, language: str, all_said: list[Said]) -> None:
    wrong = []
    for (code, parameters, _), (text, card) in zip(all_said, read_in(page, language, all_said), strict=True):
        found = faults(text, language)
        if (".why_" in code or code in PROMPTS) and card and missing_article(text, card, language):
            found.append(f"no article before {card}")
        if text == code or found:
            wrong.append((code, parameters, text, found))
    assert wrong == [], language


def test_messages_at_real_positions_have_no_fault_in_any_language(devices: Devices) -> None:
    page = devices.new()
    page.goto("/")
    for language in languages():
        some = [one for said in everything_said() for one in short(said, 1)]
        check_words(page, language, [*some, *of_the_page()])


@pytest.mark.soak
def test_all_messages_at_real_positions_have_no_fault_in_any_language(devices: Devices) -> None:
    page = devices.new()
    page.goto("/")
    for language in languages():
        check_words(
            page, language, [one for said in everything_said() for each in said.values() for one in each]
        )


def test_everything_that_games_can_say_is_said() -> None:
    """Otherwise the tests here would check less than they promise."""
    prefixes = tuple(f"{game}." for game in GAMES)
    known = {code for code in catalogue("en").sentences if code.startswith(prefixes)}
    # Only the terminal prints scores.
    seen = {code for said in everything_said() for code in said}
    rare = {code for code in known - seen if not code.endswith(".scores")}
    assert len(rare) < len(known) // 10, sorted(rare)
    assert {"lines.other_colour", "lines.not_higher", "stacks.does_not_fit", "stockpile.does_not_fit"} <= seen


CARDS = {
    "stockpile": ["10", "?"],
    "lines": [f"{colour}12" for colour in lines.COLOURS],
    "stacks": list(stacks.NAMES),
}


@pytest.mark.parametrize("game", GAMES)
def test_no_text_sticks_out_of_its_place_on_a_phone(devices: Devices, game: str) -> None:
    """Every language with one of the games."""
    check_places(devices, game, languages()[list(GAMES).index(game) :: len(GAMES)])


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_no_text_of_any_game_sticks_out_in_any_language(devices: Devices, game: str) -> None:
    check_places(devices, game, languages())


def check_places(devices: Devices, game: str, spoken: list[str]) -> None:
    """Put the texts of a game into their places on a phone, and fail if any is cut off."""
    page = devices.new(size=PHONE)
    gather([page], game, bots=1, options=first_turn(game, 1))
    until(page, "s.legal.length")
    page.click("[data-do=hint]")
    page.wait_for_selector("[data-notice=hint]")
    told, refusals, reasons = (short(said_in(game, source), 1) for source in SOURCES)
    shared = [code for code in catalogue("en").sentences if code.startswith("web.table_p")]
    texts = [code for code in shared if "prompt" not in code or game in code]
    texts = [code for code in texts if code.startswith(("web.table_prompt", "web.table_pick"))]
    buttons = ["web.table_discard_it", "web.table_play_it", "web.table_command_pass", "web.table_command_end"]
    prompts = [(code, False) for code in [*texts, "web.table_no_place"]] + [(code, True) for code in buttons]
    for language in spoken:
        out = page.evaluate(MEASURE, [language, told, [*refusals, *reasons], prompts, game, CARDS[game]])
        assert out == [], language
        assert page.evaluate(f"({STICKING_OUT})(document.body)") == [], language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Kim plays r7.", "en"),
        ("Kim completes R1.", "fr"),
        ("{name} passes.", "en"),
        ("The the blue 5 is gone.", "en"),
        ("Kim plays .", "en"),
        ("Kim gebruikt skip.", "nl"),
    ],
)
def test_a_fault_is_found(text: str, language: str) -> None:
    assert faults(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [("Where should the blue 5 go?", "en"), ("Où va le 5 bleu\u00a0?", "fr"), ("Points: 3 (Kim).", "en")],
)
def test_a_good_sentence_has_no_fault(text: str, language: str) -> None:
    assert faults(text, language) == []


def test_a_missing_article_is_found() -> None:
    assert missing_article("Where should blue 5 go?", "blue 5", "en")
    assert not missing_article("Where should the blue 5 go?", "blue 5", "en")
    assert not missing_article("Wohin damit: rote 5?", "rote 5", "de")


def test_all_games_are_known() -> None:
    assert set(CARDS) == set(OPTIONS) == set(GAMES)
