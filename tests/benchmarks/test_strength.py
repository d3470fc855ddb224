"""The matchups of bots, their results, and the page that contains them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import strength
from benchmarks.strength import BEGIN, END, Answer, Matchup, answer, matchups, write_table
from upcard.bots import known
from upcard.bots.levels import LEVELS
from upcard.core.errors import UpcardError
from upcard.games import GAMES
from upcard.lab.tournament import run

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(strength, "ONE_LOOK", (240,))


@pytest.mark.compiled
@pytest.mark.parametrize("game", GAMES)
def test_greedy_is_stronger_than_chance_in_every_game_at_2_3_and_4_players(game: str) -> None:
    for players in (2, 3, 4):
        found = answer(Matchup(game, players, "greedy", "random"))
        assert found.equal < found.low < found.share <= found.high, players


@pytest.mark.compiled("lines")
def test_what_was_played_once_is_not_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    matchup = Matchup("lines", 2, "greedy", "random")
    first = answer(matchup)
    monkeypatch.setattr(run, "play_deals", None)
    assert answer(matchup) == first


@pytest.mark.compiled("lines")
def test_a_question_is_open_until_a_look_settles_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "LOOKS", (4, 200, 400))
    found = answer(Matchup("lines", 2, "random", "greedy"))
    assert found.games == 200
    assert found.high < found.equal


def test_every_promise_is_asked_for() -> None:
    asked = set(matchups())
    for game in GAMES:
        for players in (2, 3, 4):
            assert Matchup(game, players, "greedy", "random") in asked
            assert Matchup(game, players, "search@200ms", "greedy") in asked
        for weaker, stronger in [("easy", "normal"), ("normal", "hard"), ("hard", "expert")]:
            assert Matchup(game, 2, stronger, weaker) in asked


def test_the_table_goes_between_the_marks_of_a_page_and_nothing_else_changes(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"Before.\n\n{BEGIN}\nold\n{END}\n\nAfter.\n")
    answers = [
        Answer(Matchup("lines", 2, "hard", "greedy"), 0.8, 0.7, 0.9, 120),
        Answer(Matchup("lines", 2, strength.CLAIRVOYANT, "greedy"), 0.9, 0.8, 1.0, 1200),
    ]
    write_table(answers, page)
    lines = page.read_text().splitlines()
    assert lines[0] == "Before."
    assert lines[-1] == "After."
    assert "| lines | 2 | hard | greedy | 80.0% | 70.0% to 90.0% | 50.0% | 120 |" in lines
    assert "| lines | 2 | 75% |" in lines
    assert "old" not in lines
    again = page.read_text()
    write_table(answers, page)
    assert page.read_text() == again


def test_what_was_answered_until_ctrl_c_is_in_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"{BEGIN}\n{END}\n")

    def answered_once(matchup: Matchup) -> Answer:
        if matchup.game != "lines" or matchup.players != 2:
            raise KeyboardInterrupt
        return Answer(matchup, 0.8, 0.7, 0.9, 120)

    monkeypatch.setattr(strength, "matchups", lambda: iter(ASKED))
    monkeypatch.setattr(strength, "answer", answered_once)
    with pytest.raises(KeyboardInterrupt):
        list(strength.measure(page))
    assert "| lines | 2 | hard | greedy | 80.0% | 70.0% to 90.0% | 50.0% | 120 |" in page.read_text()
    assert "were not yet answered when this was written: 1." in page.read_text()


ASKED = [Matchup("lines", 2, "hard", "greedy"), Matchup("stacks", 2, "hard", "greedy")]


def test_a_page_without_a_place_for_the_table_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Nothing.")
    with pytest.raises(UpcardError, match="has no place for the table"):
        write_table([], page)
    with pytest.raises(UpcardError, match="cannot be read"):
        next(strength.measure(tmp_path / "missing.md"))


def test_the_page_about_bots_names_all_of_them_with_the_budgets_they_have() -> None:
    text = PAGE.read_text("utf-8")
    assert BEGIN in text
    assert END in text
    for bot in known():
        assert f"| `{bot}` |" in text
    for name, (_, budget) in LEVELS.items():
        if budget.simulations is not None:
            row = next(line for line in text.splitlines() if line.startswith(f"| `{name}` |"))
            assert f"{budget.simulations:,} simulations" in row
