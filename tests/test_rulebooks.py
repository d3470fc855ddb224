"""Rulebook, rules and tests tell of the same clauses, and every option is documented."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from upcard.core.game import Game
from upcard.core.options import Choice, Flag, Number, Option, SeatChoice
from upcard.core.rule import RULES
from upcard.core.rulebook import clauses, rulebook, rulebook_languages
from upcard.games import all_games

TESTS = Path(__file__).parent
LETTERS = {"stockpile": "S", "lines": "L", "stacks": "K"}

each_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)


def clauses_of_rules(game: Game) -> set[str]:
    """Return the clauses that the rules and options of a game cite."""
    cited = {option.clause for option in game.options}
    for rule in RULES:
        if f".games.{game.id}." in rule.plain.__module__:
            cited |= set(rule.clauses)
    return cited


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
def test_every_clause_has_a_rule_or_an_option_that_cites_it(game: Game) -> None:
    assert set(clauses(game.id)) - clauses_of_rules(game) == set()


@each_game
def test_every_cited_clause_is_in_the_rulebook(game: Game) -> None:
    assert clauses_of_rules(game) - set(clauses(game.id)) == set()


@each_game
def test_every_clause_has_a_test_named_after_it(game: Game) -> None:
    assert set(clauses(game.id)) == clauses_of_tests(LETTERS[game.id])


@each_game
def test_the_clauses_stand_in_order_and_once(game: Game) -> None:
    numbers = [tuple(map(int, clause[1:].split("."))) for clause in clauses(game.id)]
    assert numbers == sorted(numbers)
    written = re.findall(r"^- \*\*([A-Z]\d+\.\d+)\*\*", rulebook(game.id), re.MULTILINE)
    assert written == list(clauses(game.id))


@each_game
def test_every_option_is_documented_at_its_clause_with_its_default(game: Game) -> None:
    for option in game.options:
        documented = f"Option `{option.name}`: **{written_default(option)}**"
        assert documented in clauses(game.id)[option.clause]


@each_game
def test_no_option_is_documented_that_does_not_exist(game: Game) -> None:
    documented = re.findall(r"Option `(\w+)`", rulebook(game.id))
    assert sorted(documented) == sorted(option.name for option in game.options)


def written_default(option: Option) -> str:
    match option:
        case Flag():
            return "yes" if option.default else "no"
        case Choice() | Number() | SeatChoice():
            return str(option.default)
    raise AssertionError(option)


TRANSLATED = [language for language in rulebook_languages() if language != "en"]


def test_the_rulebooks_are_there_in_eight_languages() -> None:
    assert rulebook_languages() == ["de", "en", "es", "fr", "it", "nl", "pl", "pt"]


@each_game
@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translated_rulebook_has_the_same_clauses_with_the_same_words_to_type(
    game: Game, language: str
) -> None:
    english, translated = clauses(game.id), clauses(game.id, language)
    assert list(translated) == list(english)
    for clause, text in english.items():
        assert sorted(typed(translated[clause])) == sorted(typed(text)), clause
        assert re.findall(r"\*\*(.+?)\*\*", translated[clause]) == re.findall(r"\*\*(.+?)\*\*", text), clause
    assert headings(rulebook(game.id, language)) == headings(rulebook(game.id))


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
