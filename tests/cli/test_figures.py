"""Tables of figures on narrow terminals."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from tests.cli.running import Run
from upcard.cli.figures import PIPE_WIDTH, FigureTable, console
from upcard.tui.text import folded


def shown(table: FigureTable, width: int) -> str:
    output = Console(file=io.StringIO(), width=width)
    output.print(table)
    assert isinstance(output.file, io.StringIO)
    return output.file.getvalue()


def standings() -> FigureTable:
    table = FigureTable("bot", "mean score", "wins of 100", "", "why", prose={"why"}, caption="Who won")
    table.add_row("greedy", "32.75", "61.0", "57.2 to 64.8", "it plays the best card")
    table.add_row("[bold]\x1b[31m", "21.70", "39.0", "35.2 to 42.8")
    return table


FIGURES = ["32.75", "61.0", "57.2", "64.8", "21.70", "39.0", "35.2", "42.8"]


def test_every_figure_is_shown_at_any_width() -> None:
    for width in range(18, 121):
        text = shown(standings(), width)
        assert all(len(line) <= width for line in text.splitlines())
        assert all(cell in text for cell in ["greedy", "[bold]\\x1b[31m", *FIGURES])
        assert "…" not in text


def test_a_narrow_terminal_gets_a_list() -> None:
    table = FigureTable("seat", "bot", "wins", "")
    table.add_row("1", "search:threads=2@200ms", "61.0", "57.2 to 64.8")
    table.add_row("2", "greedy", "39.0")
    assert shown(table, 40).splitlines() == [
        "seat: 1",
        "  bot: search:threads=2@200ms",
        "  wins: 61.0 (57.2 to 64.8)",
        "seat: 2",
        "  bot: greedy",
        "  wins: 39.0",
    ]


@pytest.mark.compiled
@pytest.mark.parametrize(
    "words",
    [
        "simulate lines --games 50 --players 3 --bots greedy,random --seed 1",
        "tournament lines --games 12 --players 2 --bots greedy,random,easy --seed 1 --jobs 1",
    ],
)
def test_forty_columns_have_the_figures_of_two_hundred(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    wide = run(*words.split()).out
    monkeypatch.setenv("COLUMNS", "40")
    narrow = run(*words.split()).out
    figures = {word for line in wide.splitlines() if line.startswith("│") for word in line.split()}
    assert figures - set(narrow.replace("(", " ").replace(")", " ").split()) <= {"│"}


def test_a_width_of_zero_columns_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in ("0", "", "wide", "-5"):
        monkeypatch.setenv("COLUMNS", columns)
        assert console().width == PIPE_WIDTH
    monkeypatch.setenv("COLUMNS", "40")
    assert console().width == 40


def test_what_comes_from_servers_and_files_cannot_control_the_terminal() -> None:
    assert folded("Ann\x1b[31m plays.\n\x07Your turn.") == "Ann\\x1b[31m plays.\n\\x07Your turn."
