"""`upcard study`: advantages of seats, length, frequency of events, effects of options, luck and skill."""

from __future__ import annotations

__all__ = ["run"]

import json as json_format
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.markup import escape

from upcard.cli import INTERRUPTED
from upcard.cli.figures import FigureTable, console
from upcard.cli.progress import progress
from upcard.lab.report.parts import check_report
from upcard.lab.report.study import write_study
from upcard.lab.study import findings
from upcard.lab.study.findings import of_100, span
from upcard.lab.study.study import StudyPlan, study
from upcard.lab.study.variations import word

FATES = {
    "strong_always": "{strong} won at every seat",
    "strong_never": "{strong} won at no seat",
    "same_seat": "the same seat won with either bot",
    "otherwise": "something else",
}


def run(plan: StudyPlan, jobs: int | None, on: str | None, report: Path | None, json: bool) -> int:
    """Run a study, and print its results."""
    if report is not None:
        check_report(report)
    facts = study(plan, jobs, on, progress)
    if json:
        print(json_format.dumps(facts))
    else:
        terminal = sys.stdout.isatty()
        output = console()
        for line in _lines(facts):
            output.print(line, highlight=False, soft_wrap=isinstance(line, str) and not terminal)
    if report is not None:
        write_study(facts, report)
    return INTERRUPTED if facts["interrupted"] else 0


# For people


def _lines(facts: Mapping[str, Any]) -> Iterator[RenderableType]:
    """Yield all lines to print."""
    if facts["interrupted"]:
        missing = ", ".join(facts["missing"])
        yield escape(f"Stopped early; this is what was finished. Missing: {missing}.")
    if "games" in facts:
        yield from _games(facts)
        yield from _rules(facts["rules"])
    for option in facts.get("variations", []):
        if any("games" in value for value in option["values"]):
            yield from _option(option)
    if "skill" in facts:
        yield from _skill(facts["skill"])
    if facts["by_the_clock"]:
        yield escape(findings.can_differ(facts))
    yield f"Seed: {facts['seed']}"


def _games(facts: Mapping[str, Any]) -> Iterator[RenderableType]:
    bots = findings.named(facts["bots"])
    yield escape(
        f"{facts['games']:,} games of {findings.about(facts)}, played by {bots}. Intervals hold with "
        f"{of_100(facts['confidence'])} % certainty.\n"
    )
    yield f"[bold]Who starts[/bold]\n{findings.turn_order(facts)}"
    yield _turn_order(facts)
    yield f"[bold]Length[/bold]\n{findings.length(facts)}\n"
    yield f"[bold]How it ends[/bold]\n{findings.endings(facts)}\n"


def _turn_order(facts: Mapping[str, Any]) -> FigureTable:
    table = FigureTable("turn", "wins of 100", "", f"mean score ({findings.score_unit(facts['game'])})")
    names = findings.places(facts["players"])
    for name, place, score in zip(names, facts["turn_order"], facts["scores"], strict=True):
        mean = f"{score['mean_score']:.2f}"
        table.add_row(name, of_100(place["share"]), span(place["interval"]), mean)
    return table


def _rules(rules: Mapping[str, Any]) -> Iterator[RenderableType]:
    yield f"[bold]How often each event happens[/bold]\n{findings.events(rules)}"
    table = FigureTable("clauses", "event", "times a game", "in 100 games", "", prose={"clauses", "event"})
    for row in rules["events"]:
        table.add_row(" ".join(row["clauses"]), row["says"], *_often(row))
    yield table
    yield f"{findings.ended_by(rules)}\n"


def _often(row: Mapping[str, Any]) -> tuple[str, str, str]:
    times = f"{row['times_per_game']:.2f}"
    return times, of_100(row["share_of_games"]), span(row["interval"])


def _option(option: Mapping[str, Any]) -> Iterator[RenderableType]:
    yield f"[bold]Option {option['option']} ({option['clause']})[/bold]\n{findings.option_effect(option)}"
    skill = any("skill" in value for value in option["values"])
    titles = ["value", "starter wins of 100", "", "fair", "moves", "minutes", "how it ends"]
    table = FigureTable(*titles, *(["skill", ""] if skill else []), prose={"how it ends"})
    for value in option["values"]:
        table.add_row(*_value(value))
    yield table
    for value in option["values"]:
        if "refused" in value:
            yield escape(f"{option['option']}={word(value['value'])} cannot be dealt: {value['refused']}")
    yield ""


def _value(value: Mapping[str, Any]) -> Sequence[str]:
    name = word(value["value"]) + (" (default)" if value["usual"] else "")
    if "games" not in value:
        return name, "not dealt" if "refused" in value else "missing"
    first, length = value["turn_order"][0], value["length"]
    ends = [f"{reason} {of_100(end['share'])}" for reason, end in value["reasons"].items() if end["games"]]
    skill = value.get("skill")
    return (
        name,
        of_100(first["share"]),
        span(first["interval"]),
        of_100(value["equal_share"]),
        f"{length['mean']:.1f}",
        f"{length['minutes']['mean']:.1f}",
        ", ".join(ends),
        *((of_100(skill["share"]), span(skill["interval"])) if skill else ()),
    )


def _skill(skill: Mapping[str, Any]) -> Iterator[RenderableType]:
    yield f"[bold]Luck and skill[/bold]\n{escape(findings.skill(skill))}"
    told = f"{skill['deals']} deals, {skill['games']} games"
    table = FigureTable(told, "of 100 deals", "", prose={told})
    for fate, said in FATES.items():
        share = skill["fates"][fate]
        name = said.format(strong=skill["strong"])
        table.add_row(name, of_100(share["share"]), span(share["interval"]))
    yield table
