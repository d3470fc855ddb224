"""Everything that can be said has its words, and no words are left over."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Message as PoMessage
from babel.messages.pofile import read_po

import upcard
from upcard.bots import Random, Turn
from upcard.core.errors import UpcardError
from upcard.core.seats import SPECTATOR
from upcard.core.words import Message, catalogue, languages
from upcard.match import Match

SOURCES = Path(upcard.__file__).parent
# What the server refuses is all about the table.
REFUSED = re.compile(r'refuse\(f?"([\w{}.]+)"')
CODE = re.compile(r'f?"((?:table|stockpile|lines|stacks|\{game\})\.[\w{}\[\]\'" .=!]+?)"')


def codes_in_sources() -> list[str]:
    """Return the message codes in the sources, as patterns where a part is filled in."""
    codes = []
    for path in SOURCES.rglob("*.py"):
        if path.name in ("words.py", "why.py", "play.py", "match.py"):
            codes += CODE.findall(path.read_text("utf-8"))
        if path.parent.name == "server":
            codes += [f"table.{code}" for code in REFUSED.findall(path.read_text("utf-8"))]
    return codes


def pattern(code: str) -> str:
    return re.sub(r"\{[^}]*\}", r"\\w+", code).replace(".", r"\.")


def test_every_code_in_the_sources_has_words() -> None:
    known = catalogue().sentences
    codes = codes_in_sources()
    assert len(codes) > 150
    for code in codes:
        assert any(re.fullmatch(pattern(code), sentence) for sentence in known), code


def test_every_sentence_is_used() -> None:
    patterns = [pattern(code) for code in codes_in_sources()]
    # The words of the browser are looked for in its own tests.
    for code in (code for code in catalogue().sentences if not code.startswith("web.")):
        about_others = code.removesuffix("_you").removesuffix("_yours")
        from_the_hand = about_others.removesuffix("_top")
        ways = {code, about_others, from_the_hand}
        assert any(re.fullmatch(one, way) for one in patterns for way in ways), code


def test_the_reasons_for_moves_are_those_of_the_catalogue() -> None:
    """They are written out in the sources, so that this can be told exactly."""
    reasons = {code for code in codes_in_sources() if ".why_" in code}
    known = catalogue().sentences
    kept = {code.removesuffix("_you").removesuffix("_yours") for code in known if ".why_" in code}
    assert reasons == kept


def test_words_for_you_fill_the_same_gaps_or_fewer() -> None:
    for code in catalogue().sentences:
        plain = code.removesuffix("_you").removesuffix("_yours")
        if plain in catalogue().sentences:
            assert gaps(code) <= gaps(plain)


def gaps(code: str) -> set[str]:
    text = catalogue().gapped(code)
    assert text is not None
    return named_in(text)


def test_a_sentence_takes_the_form_that_its_number_needs() -> None:
    told = [Message("stacks.shuffled", {"count": count}).text() for count in (1, 2)]
    assert told == ["1 card is shuffled.", "2 cards are shuffled."]


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("stockpile", {"must_play": False, "players": 3}),
        ("lines", {"players": 4, "colours": 4}),
        ("stacks", {"players": 4, "block": "anytime"}),
    ],
)
def test_everything_that_happens_in_a_game_can_be_told(game: str, options: dict[str, Any]) -> None:
    for seed in range(5):
        match: Match = upcard.new(game, seed=seed, **options)
        dice = Random(bytes([seed]))
        while not match.over:
            turn = Turn(match.game, None, match.game.legal_moves(match.table))
            match.make_legal(dice.choose(turn))
        for viewer in (None, *range(1, match.table.players + 1)):
            for event in match.news(viewer):
                listener = SPECTATOR if viewer is None else viewer - 1
                message = match.game.describe(event, match.names)
                if message is not None:
                    assert message.to(listener).text()


# Other languages


TRANSLATED = [language for language in languages() if language != "en"]
each_language = pytest.mark.parametrize("language", TRANSLATED)


def read(language: str) -> dict[str, PoMessage]:
    """Return the messages of a catalogue by their codes, with the comments of the file."""
    with (SOURCES / "words" / f"{language}.po").open("rb") as file:
        found = read_po(file, language, abort_invalid=True)
    return {
        message.id if isinstance(message.id, str) else message.id[0]: message
        for message in found
        if message.id
    }


def texts(message: PoMessage) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or [])


@each_language
def test_every_message_is_translated_and_none_is_left_over(language: str) -> None:
    english, translated = read("en"), read(language)
    assert list(translated) == list(english)
    for code, message in translated.items():
        assert all(text.strip() for text in texts(message)), code
        assert not message.fuzzy, code


@each_language
def test_no_translation_is_stale(language: str) -> None:
    """A translation names the English that was translated, so that a change of it is seen."""
    english = read("en")
    for code, message in read(language).items():
        assert " ".join(message.auto_comments) == " ".join(texts(english[code])[-1].split()), code


@each_language
def test_a_translation_fills_the_same_gaps(language: str) -> None:
    english = read("en")
    for code, message in read(language).items():
        number = {english[code].id[1]} if isinstance(english[code].id, tuple) else set()
        for text in texts(message):
            # One card need not be counted.
            assert (
                named_in(texts(english[code])[-1]) - number
                <= named_in(text)
                <= named_in(texts(english[code])[-1])
            )


def named_in(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_polish_counts_in_three_ways() -> None:
    told = [Message("stacks.shuffled", {"count": count}).text("pl") for count in (1, 2, 5, 12, 22)]
    assert [text.split()[-1] for text in told] == ["kartę.", "karty.", "kart.", "kart.", "karty."]


def test_a_language_without_words_is_refused_in_one_sentence() -> None:
    with pytest.raises(UpcardError, match="no words in 'xx'"):
        Message("table.over").text("xx")
