"""The parts that reports of tournaments and studies share."""

from __future__ import annotations

__all__ = [
    "Facts",
    "add_command",
    "check_report",
    "lengths_plot",
    "option_flags",
    "scores_plot",
    "share_cells",
    "shares_plot",
    "turn_order_plot",
    "write",
]

import importlib
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from upcard.core.errors import MissingPackage, UpcardError
from upcard.lab.report.charts import distributions, histogram, points
from upcard.lab.report.page import Page, Plot, Table
from upcard.lab.study import findings
from upcard.lab.study.findings import of_100, span

Facts = Mapping[str, Any]

WINS = "wins of 100 games"
FAIR = "equal share"


def check_report(path: Path) -> None:
    """Fail now if a report cannot be written, rather than after all games; change nothing."""
    _plotly()
    existed = path.exists()
    try:
        path.open("ab").close()
        if not existed:
            path.unlink()
    except OSError as error:
        raise UpcardError(f"{path} cannot be written: {error.strerror}") from None


def _plotly() -> Any:
    try:
        return importlib.import_module("plotly.offline")
    except ImportError:
        raise MissingPackage("--report needs plotly: pip install 'upcard[report]'") from None


def write(page: Page, facts: Facts, path: Path) -> None:
    text = page.html(facts, _plotly().get_plotlyjs())
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UpcardError(f"{path} cannot be written: {error.strerror}") from None


def turn_order_plot(figures: Facts) -> Plot:
    places = figures["turn_order"]
    names = findings.places(len(places))
    return shares_plot("Wins by the order of turns", names, places, "turn", [figures["equal_share"]])


def shares_plot(
    title: str, names: Sequence[str], rows: Sequence[Facts], thing: str, equal: Sequence[float]
) -> Plot:
    """Show some shares of wins with their intervals, and the equal share, for all or for each of them."""
    return points(
        title,
        names,
        [100 * row["share"] for row in rows],
        [[100 * end for end in row["interval"]] for row in rows],
        WINS,
        thing,
        Table(
            [thing, WINS, "interval"],
            [[name, *share_cells(row)] for name, row in zip(names, rows, strict=True)],
        ),
        (100 * equal[0], FAIR) if len(set(equal)) == 1 else None,
        [100 * share for share in equal] if len(set(equal)) > 1 else (),
    )


def share_cells(row: Facts) -> tuple[str, str]:
    return of_100(row["share"]), span(row["interval"])


def lengths_plot(figures: Facts) -> Plot:
    length = figures["length"]
    return histogram("Length of the games", length["counts"], "moves", "games", (length["mean"], "mean"))


def scores_plot(facts: Facts, names: Sequence[str], rows: Sequence[Facts]) -> Plot:
    counts = [row["score_counts"] for row in rows]
    means = [row["mean_score"] for row in rows]
    return distributions("Scores", names, counts, means, findings.score_unit(facts["game"]))


def add_command(page: Page, facts: Facts, command: Sequence[str]) -> None:
    page.heading("To reproduce this report")
    differs = findings.can_differ(facts)
    page.text(differs or "The same command plays the same games, on any machine and with any number of jobs:")
    page.code(shlex.join([*command, "--seed", facts["seed"], "--report", "report.html"]))
    page.text(f"Upcard {facts['version']}. This page contains all its figures as JSON.", "note")


def option_flags(facts: Facts) -> list[str]:
    rules = findings.house_rules(facts)
    return ["--players", str(facts["players"]), *(word for rule in rules for word in ("--option", rule))]
