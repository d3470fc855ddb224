"""Every code has a sentence, and every sentence is used."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Message as PoMessage

import upcard
from tests.catalogues import SOURCES, folders, has_differences_only, read, update
from upcard.bots import Random, Turn
from upcard.core.errors import UpcardError
from upcard.core.seats import SPECTATOR
from upcard.games import all_games
from upcard.i18n import (
    Forms,
    Message,
    add_catalogues,
    catalogue,
    find_language,
    languages,
    translations,
)
from upcard.match import Match

# A game's catalogues are added when it is loaded.
all_games()

# All refusals of the server are about the table.
REFUSED = re.compile(r'refuse\(f?"([\w{}.]+)"')
CODE = re.compile(r'f?"((?:table|terminal|stockpile|lines|stacks|\{game\})\.[\w{}\[\]\'" .=!]+?)"')
# Within an f-string.
QUOTED_INSIDE = re.compile(r"\('(terminal\.\w+)'")

# The files that contain codes.
SPEAKING = (
    "words.py",
    "why.py",
    "why_specials.py",
    "match.py",
    "play.py",
    "join.py",
    "table_events.py",
    "saves.py",
    "phrases.py",
    "setup.py",
    "text.py",
)


def codes_in_sources() -> list[str]:
    """Return the message codes in the sources, as patterns if they contain gaps."""
    codes = []
    for path in SOURCES.rglob("*.py"):
        if path.name in SPEAKING:
            codes += CODE.findall(path.read_text("utf-8"))
            codes += QUOTED_INSIDE.findall(path.read_text("utf-8"))
        if "server" in path.parts:
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
    # The words of the browser are checked by its own tests.
    for code in (code for code in catalogue().sentences if not code.startswith("web.")):
        about_others = code.removesuffix("_you").removesuffix("_yours")
        from_the_hand = about_others.removesuffix("_top")
        ways = {code, about_others, from_the_hand}
        assert any(re.fullmatch(one, way) for one in patterns for way in ways), code


def test_the_reasons_for_moves_are_those_of_the_catalogue() -> None:
    """They are written out in the sources, so that this can be checked exactly."""
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


def test_the_terminal_and_the_browser_describe_a_game_in_the_same_words() -> None:
    told = {game.id: game.summary for game in all_games()}
    assert told == {game: Message(f"web.house_summary_{game}").text() for game in told}


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
            for event in match.events_for(viewer):
                listener = SPECTATOR if viewer is None else viewer - 1
                message = match.game.describe(event, match.names)
                if message is not None:
                    assert message.to(listener).text()


# Other languages


def test_a_sentence_in_english_takes_its_place_where_a_language_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game of another package may be in English only, or in part."""
    words = tmp_path / "tiny_game" / "words"
    words.mkdir(parents=True)
    (words.parent / "__init__.py").touch()
    (words / "messages.pot").write_text(TINY, "utf-8")
    (words / "pl.po").write_text(TINY_IN_POLISH, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(translations, "_folders", dict(translations._folders))
    try:
        add_catalogues("tiny_game")
        assert Message("tiny.end").text("pl") == "Koniec."
        assert Message("tiny.end").text("fr") == "The end."
        assert Message("tiny.fuzzy").text("pl") == "This was translated differently."
        drawn = [Message("tiny.drawn", {"cards": number}).text("pl") for number in (1, 21, 22)]
        assert drawn == ["One card is drawn.", "21 cards are drawn.", "22 cards are drawn."]
        assert Message("table.over").text("pl") == "Gra się skończyła."
    finally:
        catalogue.cache_clear()


TINY = """msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgctxt "tiny.end"
msgid "The end."
msgstr ""

msgctxt "tiny.fuzzy"
msgid "This was translated differently."
msgstr ""

#. number: cards
msgctxt "tiny.drawn"
msgid "One card is drawn."
msgid_plural "{cards} cards are drawn."
msgstr[0] ""
msgstr[1] ""
"""
TINY_IN_POLISH = r"""msgid ""
msgstr ""
"Language: pl\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\n"

# A translator's remark.
#| msgid "Over."
msgctxt "tiny.end"
msgid "The end."
msgstr "Koniec."

#, fuzzy
msgctxt "tiny.fuzzy"
msgid "This is old."
msgstr "To stare."

msgctxt "tiny.gone"
msgid "Nothing says this any more."
msgstr "Nic."
"""

each_language = pytest.mark.parametrize("language", [each for each in languages() if each != "en"])
each_folder = pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.parent.name)


def messages(path: Path) -> dict[str, PoMessage]:
    """Return the messages of a catalogue by their codes."""
    return {message.context: message for message in read(path) if message.context}


def texts(message: PoMessage) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or [])


def source(message: PoMessage) -> tuple[object, ...]:
    """Return the parts of a message that come from the template."""
    return message.context, message.id, message.auto_comments


def test_what_all_games_share_names_no_game() -> None:
    shared = messages(SOURCES / "i18n" / "catalogues" / "messages.pot")
    for game in all_games():
        for code, message in shared.items():
            assert game.id not in re.split(r"[._]", code), code
            assert game.title not in str(message.id), code


@each_folder
def test_every_template_is_translated_into_all_languages(folder: Path) -> None:
    assert sorted([*(path.stem for path in folder.glob("*.po")), "en"]) == languages()


@each_folder
@each_language
def test_every_message_is_translated_and_no_translation_is_stale_or_left_over(
    folder: Path, language: str
) -> None:
    """`make words` brings a catalogue in step with its template; then its messages are translated."""
    path = folder / f"{language}.po"
    english, translated = messages(folder / "messages.pot"), messages(path)
    expected = [code for code in english if code in translated or not has_differences_only(path)]
    assert [source(message) for message in translated.values()] == [
        source(english[code]) for code in expected
    ]
    for code, message in translated.items():
        assert all(text.strip() for text in texts(message)), code
        assert not message.fuzzy, code


@each_folder
@pytest.mark.parametrize("language", [each for each in languages() if "-" in each])
def test_the_catalogue_of_a_region_has_only_sentences_that_differ(folder: Path, language: str) -> None:
    """And all those that depend on a number, since a region can count differently: 0 is singular in Brazil
    only."""
    region, whole = (messages(folder / f"{each}.po") for each in (language, language.partition("-")[0]))
    for code, message in whole.items():
        if message.pluralizable:
            assert code in region, code
        elif code in region:
            assert texts(region[code]) != texts(message), code


def test_a_sentence_that_a_region_does_not_change_is_that_of_its_language() -> None:
    assert Message("table.over").text("pt-PT") == Message("table.over").text("pt") == "A partida acabou."
    assert Message("table.sits_already").text("pt-PT") == "Já tens um lugar aqui."
    assert Message("table.sits_already").text("pt") == "Você já tem um lugar aqui."


@pytest.mark.parametrize(
    ("tag", "language"),
    [("pt-PT", "pt-PT"), ("pt_pt", "pt-PT"), ("pt-BR", "pt"), ("pt-AO", "pt"), ("fr-CH", "fr"), ("xx", None)],
)
def test_a_language_tag_finds_the_language_that_serves_its_readers(tag: str, language: str | None) -> None:
    assert find_language(tag) == language


@each_folder
@each_language
def test_a_translation_fills_the_same_gaps(folder: Path, language: str) -> None:
    for code, message in messages(folder / f"{language}.po").items():
        said = catalogue().sentences[code]
        number = {said.number} if isinstance(said, Forms) else set()
        for text in texts(message):
            # A singular form may omit the number.
            assert gaps(code) - number <= named_in(text) <= gaps(code), code


@each_folder
def test_a_sentence_with_forms_says_which_gap_its_number_fills(folder: Path) -> None:
    for code, message in messages(folder / "messages.pot").items():
        said = catalogue().sentences[code]
        assert isinstance(said, Forms) == message.pluralizable
        if isinstance(said, Forms):
            assert said.number in gaps(code), code


@each_folder
@each_language
def test_spaces_are_single_and_french_signs_have_one_that_does_not_break(folder: Path, language: str) -> None:
    for code, message in messages(folder / f"{language}.po").items():
        for text in texts(message):
            assert not re.search(r"\s\s|^\s|\s$", text), code
            wrong = r"(?<=\S) [:;!?»%]|« " if language == "fr" else r"\s[;!]|\s\?$|\s[:,](?=\s)"
            assert not re.search(wrong, text), code


def named_in(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_make_words_keeps_translations_and_marks_those_of_changed_sentences(tmp_path: Path) -> None:
    (tmp_path / "messages.pot").write_text(TINY.replace("The end.", "The game ends."), "utf-8")
    (tmp_path / "pl.po").write_text(TINY_IN_POLISH, "utf-8")
    update(tmp_path)
    translated = messages(tmp_path / "pl.po")
    assert list(translated) == ["tiny.end", "tiny.fuzzy", "tiny.drawn"]
    end = translated["tiny.end"]
    assert (end.id, end.string, end.fuzzy) == ("The game ends.", "Koniec.", True)
    assert end.user_comments == ["A translator's remark."]
    assert translated["tiny.drawn"].string == ("", "", "")
    once = (tmp_path / "pl.po").read_text("utf-8")
    assert once.startswith(TINY_IN_POLISH.partition("\n\n")[0])
    update(tmp_path)
    assert (tmp_path / "pl.po").read_text("utf-8") == once


@each_folder
def test_make_words_has_nothing_to_change(folder: Path, tmp_path: Path) -> None:
    """Other programs may wrap lines differently, so only what a catalogue says is compared."""
    copy = Path(shutil.copytree(folder, tmp_path / "words"))
    update(copy)
    for path in folder.iterdir():
        assert said_in(copy / path.name) == said_in(path)


def said_in(path: Path) -> list[tuple[object, ...]]:
    return [(*source(message), message.string, message.flags) for message in messages(path).values()]


def test_polish_counts_in_three_ways() -> None:
    told = [Message("stacks.shuffled", {"count": count}).text("pl") for count in (1, 2, 5, 12, 22)]
    assert [text.split()[-1] for text in told] == ["kartę.", "karty.", "kart.", "kart.", "karty."]


def test_a_language_without_words_is_refused_in_one_sentence() -> None:
    with pytest.raises(UpcardError, match="no words in 'xx'"):
        Message("table.over").text("xx")
