"""Rulebook, rules and tests have the same clauses, and every option is documented."""

from __future__ import annotations

import ast
import dataclasses
import re
from pathlib import Path

import pytest

from upcard.core.errors import UpcardError
from upcard.core.game import Game
from upcard.core.options import Choice, Flag, Number, Option, SeatChoice
from upcard.core.rule import RULES
from upcard.core.rulebook import (
    MARK,
    clauses,
    how_to_play,
    legend,
    rulebook,
    rulebook_language,
    rulebook_languages,
)
from upcard.games import all_games
from upcard.i18n import languages

TESTS = Path(__file__).parent

each_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)


def clauses_of_tests(letter: str) -> set[str]:
    """Return the clauses that tests are named after."""
    found = set()
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                name = re.match(rf"test_({letter}\d+)_(\d+)_", node.name)
                if name:
                    found.add(f"{name[1]}.{name[2]}")
    return found


@each_game
def test_every_clause_has_a_test_named_after_it(game: Game) -> None:
    assert set(clauses(game)) == clauses_of_tests(game.turn_clause[0])


@each_game
def test_the_clauses_stand_in_order_and_once(game: Game) -> None:
    numbers = [tuple(map(int, clause[1:].split("."))) for clause in clauses(game)]
    assert numbers == sorted(numbers)
    written = re.findall(r"^- \*\*([A-Z]\d+\.\d+)\*\*", rulebook(game), re.MULTILINE)
    assert written == list(clauses(game))


@each_game
def test_every_option_is_documented_at_its_clause_with_its_default(game: Game) -> None:
    for option in game.options:
        documented = f"Option `{option.name}`: **{written_default(option)}**"
        assert documented in clauses(game)[option.clause]


@each_game
def test_no_option_is_documented_that_does_not_exist(game: Game) -> None:
    documented = re.findall(r"Option `(\w+)`", rulebook(game))
    assert sorted(documented) == sorted(option.name for option in game.options)


def written_default(option: Option) -> str:
    match option:
        case Flag():
            return "yes" if option.default else "no"
        case Choice() | Number() | SeatChoice():
            return str(option.default)
    raise AssertionError(option)


@each_game
def test_the_rulebooks_are_there_in_all_languages(game: Game) -> None:
    assert rulebook_languages(game) == languages()


def test_a_rulebook_that_is_not_translated_is_shown_in_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    books = tmp_path / "english_only" / "rulebooks"
    books.mkdir(parents=True)
    (books.parent / "__init__.py").touch()
    (books / "en.md").write_text("- **X1.1** A game needs players.\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    game = dataclasses.replace(all_games()[0], package="english_only")
    assert clauses(game, "fr") == {"X1.1": "A game needs players."}
    assert rulebook_language(game, "fr") == "en"
    with pytest.raises(UpcardError, match="no rulebook in 'xx', only in en"):
        rulebook(game, "xx")


@each_game
@pytest.mark.parametrize("language", [each for each in languages() if each != "en"])
def test_a_translated_rulebook_has_the_same_clauses_with_the_same_words_to_type(
    game: Game, language: str
) -> None:
    english, translated = clauses(game), clauses(game, language)
    assert list(translated) == list(english)
    for clause, text in english.items():
        assert sorted(typed(translated[clause])) == sorted(typed(text)), clause
        assert re.findall(r"\*\*(.+?)\*\*", translated[clause]) == re.findall(r"\*\*(.+?)\*\*", text), clause
    assert headings(rulebook(game, language)) == headings(rulebook(game))


# Clauses on which the original rulebooks are silent, entirely or in part.
OURS = {"S4.2", "L1.1", "L3.5", "L5.2", "L6.1", "L6.2", "L6.3", "K1.1", "K2.4", "K3.5", "K3.6", "K3.7"}
OURS |= {"K4.1", "K5.2", "K5.3", "K5.4", "K6.2", "K6.3"}


@each_game
def test_rulings_of_ours_are_marked(game: Game) -> None:
    marked = {clause for clause, text in clauses(game).items() if MARK in text}
    assert OURS & set(clauses(game)) <= marked < set(clauses(game))


@each_game
@pytest.mark.parametrize("language", languages())
def test_the_mark_is_explained_and_is_at_the_same_clauses_in_every_language(
    game: Game, language: str
) -> None:
    assert legend(game, language).startswith(MARK)
    translated = clauses(game, language)
    for clause, text in clauses(game).items():
        assert (MARK in translated[clause]) == (MARK in text), clause
        assert translated[clause].startswith(MARK) == text.startswith(MARK), clause


@each_game
@pytest.mark.parametrize("language", languages())
def test_how_to_play_begins_with_ages_and_players(game: Game, language: str) -> None:
    title, first, *_ = (how_to_play(game, language) or "").split("\n\n")
    assert title == f"# {game.title}"
    ages, players = first.strip("*").split(" · ")
    assert re.search(r"\d", ages)
    option = game.options[0]
    assert isinstance(option, Number)
    numbers = [int(number) for number in re.findall(r"\d", players)]
    assert (min(numbers), max(numbers)) == (option.minimum, option.maximum)


@each_game
@pytest.mark.parametrize("language", languages())
def test_how_to_play_has_about_ten_steps_that_name_the_same_clauses_once(game: Game, language: str) -> None:
    english, page = how_to_play(game) or "", how_to_play(game, language) or ""
    assert 8 <= len(re.findall(r"^\d+\. ", page, re.MULTILINE)) <= 12
    named = re.findall(r"\(([A-Z]\d+\.\d+)\)$", page, re.MULTILINE)
    assert named == re.findall(r"\(([A-Z]\d+\.\d+)\)$", english, re.MULTILINE)
    assert set(named) <= set(clauses(game))
    assert len(set(named)) == len(named)


@each_game
@pytest.mark.parametrize("language", languages())
def test_the_sentences_of_how_to_play_are_short(game: Game, language: str) -> None:
    steps = (how_to_play(game, language) or "").partition("1. ")[2]
    for sentence in re.split(r"(?<=[.!?])\s", steps):
        assert len(sentence.split()) <= 24, sentence


def typed(text: str) -> list[str]:
    """Return what is written as code: names of options, moves."""
    return re.findall(r"`([^`]+)`", text)


def headings(text: str) -> list[tuple[str, str]]:
    """Return the depth of each heading, and the letter and number that it begins with."""
    return re.findall(r"^(#+) (?:([A-Z]\d+) )?", text, re.MULTILINE)


@each_game
def test_every_rule_says_what_it_does(game: Game) -> None:
    for rule in RULES:
        if rule.plain.__module__.startswith("upcard."):
            assert rule.plain.__doc__, rule.plain
