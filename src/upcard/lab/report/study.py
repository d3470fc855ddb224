"""The report of a study: one page of HTML that opens without a network."""

from __future__ import annotations

__all__ = ["write_study"]

import re
from collections.abc import Sequence
from pathlib import Path

from upcard.lab.report.charts import bars, points
from upcard.lab.report.page import Page, Plot, Table
from upcard.lab.report.parts import (
    Facts,
    add_command,
    lengths_plot,
    option_flags,
    scores_plot,
    share_cells,
    shares_plot,
    turn_order_plot,
    write,
)
from upcard.lab.study import findings
from upcard.lab.study.findings import number, of_100, span
from upcard.lab.study.variations import word


def write_study(facts: Facts, path: Path) -> None:
    """Write the report of a study."""
    page = Page(f"{facts['title']}: what kind of game is it?")
    page.text(findings.studied(facts), "lead")
    if facts["missing"]:
        page.text(f"It was stopped early. Missing: {', '.join(facts['missing'])}.", "note")
    if "games" in facts:
        _games(page, facts)
        _rules(page, facts["rules"])
    for option in facts.get("variations", []):
        if any("games" in value for value in option["values"]):
            _option(page, option)
    if "skill" in facts:
        _skill(page, facts["skill"])
    add_command(page, facts, _study_command(facts))
    write(page, facts, path)


def _games(page: Page, facts: Facts) -> None:
    page.text(
        f"{facts['games']:,} games, played by {findings.named(facts['bots'])}. Intervals hold with "
        f"{of_100(facts['confidence'])}\u00a0% certainty.",
        "note",
    )
    page.heading("Who starts")
    page.text(findings.turn_order(facts))
    page.show(turn_order_plot(facts))
    page.heading("Length")
    page.text(findings.length(facts))
    page.show(lengths_plot(facts))
    page.table("In moves and minutes", _minutes(facts["length"]))
    page.heading("How it ends")
    page.text(f"{findings.endings(facts)} {findings.ended_by(facts['rules'])}")
    ends = [[reason, f"{end['games']:,}", *share_cells(end)] for reason, end in facts["reasons"].items()]
    shared = ["win shared", "", *share_cells(facts["shared_wins"])]
    page.table("The numbers", Table(["reason", "games", "of 100", "interval"], [*ends, shared]))
    places = [f"{place} to play" for place in findings.places(facts["players"])]
    page.show(scores_plot(facts, places, facts["scores"]))
    means = [
        [place, number(row["mean_score"]), " to ".join(map(number, row["interval"]))]
        for place, row in zip(places, facts["scores"], strict=True)
    ]
    page.table("Mean scores", Table(["place", findings.score_unit(facts["game"]), "interval"], means))


def _minutes(length: Facts) -> Table:
    minutes = length["minutes"]
    rows = [
        ["mean", number(length["mean"]), number(minutes["mean"])],
        ["interval of the mean", " to ".join(map(number, length["interval"])), ""],
        ["the middle half", *(" to ".join(map(number, kind["middle_half"])) for kind in (length, minutes))],
        ["one in 100 takes", *(number(kind["longest_of_100"]) for kind in (length, minutes))],
    ]
    return Table(["", "moves", "minutes"], rows)


def _rules(page: Page, rules: Facts) -> None:
    page.heading("How often each event happens")
    page.text(findings.events(rules))
    page.show(_often("Events, the rarest first", rules["events"], "event"))
    texts = [[clause, re.sub(r"[*`]", "", text)] for clause, text in rules["clauses"].items()]
    page.table("What the clauses say", Table(["clause", "text"], texts))


def _often(title: str, rows: Sequence[Facts], thing: str) -> Plot:
    """Show the number of games in which something happened."""
    names = [" ".join([*row["clauses"][:1], row[thing].replace("_", " ")]) for row in rows]
    heads = [thing, "says", "times a game", "interval", "in 100 games", "interval", "clauses"]
    cells = [
        [
            name,
            row["says"],
            f"{row['times_per_game']:.2f}",
            " to ".join(f"{end:.2f}" for end in row["times_interval"]),
            of_100(row["share_of_games"]),
            span(row["interval"]),
            " ".join(row["clauses"]),
        ]
        for name, row in zip(names, rows, strict=True)
    ]
    shares = [100 * row["share_of_games"] for row in rows]
    notes = [_a_game(row["times_per_game"]) for row in rows]
    return bars(title, names, shares, notes, "in this many of 100 games", thing, Table(heads, cells))


def _a_game(times: float) -> str:
    return f"{times:.0f} a game" if times >= 10 else f"{times:.2g} a game"


def _option(page: Page, option: Facts) -> None:
    name = option["option"]
    page.heading(f"Option {name} ({option['clause']})")
    page.text(findings.option_effect(option))
    for value in option["values"]:
        if "refused" in value:
            page.text(f"{name}={word(value['value'])} cannot be dealt: {value['refused']}", "note")
    played = [value for value in option["values"] if "games" in value]
    names = [word(value["value"]) + (" (default)" if value["usual"] else "") for value in played]
    equal = [value["equal_share"] for value in played]
    starts = [value["turn_order"][0] for value in played]
    page.show(
        shares_plot("Wins of the player who starts, and a fair share", names, starts, name, equal),
        _lengths_by_value(names, played, name),
    )
    page.table("All values side by side", _values(names, played, name))
    skilled = [(own, value["skill"]) for own, value in zip(names, played, strict=True) if "skill" in value]
    if skilled:
        title = f"Wins of {skilled[0][1]['strong']} against {skilled[0][1]['weak']}"
        page.show(
            shares_plot(title, [own for own, _ in skilled], [skill for _, skill in skilled], name, equal)
        )


def _lengths_by_value(names: Sequence[str], played: Sequence[Facts], thing: str) -> Plot:
    lengths = [value["length"] for value in played]
    return points(
        "Length, with the middle half of the games",
        names,
        [length["mean"] for length in lengths],
        [length["middle_half"] for length in lengths],
        "moves",
        thing,
        Table(
            [thing, "moves", "interval of the mean", "middle half", "one in 100", "minutes"],
            [
                [
                    name,
                    number(length["mean"]),
                    *(" to ".join(map(number, length[key])) for key in ("interval", "middle_half")),
                    number(length["longest_of_100"]),
                    number(length["minutes"]["mean"]),
                ]
                for name, length in zip(names, lengths, strict=True)
            ],
        ),
    )


def _values(names: Sequence[str], played: Sequence[Facts], thing: str) -> Table:
    """Return the wins by the order of turns, and the endings, for each value."""
    most = max(len(value["turn_order"]) for value in played)
    reasons = [
        reason for reason in played[0]["reasons"] if any(v["reasons"][reason]["games"] for v in played)
    ]
    rows = []
    for name, value in zip(names, played, strict=True):
        wins = [of_100(place["share"]) for place in value["turn_order"]]
        ends = [of_100(value["reasons"][reason]["share"]) for reason in reasons]
        missing = [""] * (most - len(wins))
        rows.append([name, *wins, *missing, of_100(value["equal_share"]), *ends, f"{value['games']:,}"])
    return Table([thing, *findings.places(most), "fair", *reasons, "games"], rows)


def _skill(page: Page, skill: Facts) -> None:
    said = {
        "strong_always": f"{skill['strong']} at every seat",
        "strong_never": f"{skill['strong']} at no seat",
        "same_seat": "the same seat",
        "otherwise": "otherwise",
    }
    page.heading("Luck and skill")
    page.text(findings.skill(skill))
    page.text(
        f"{skill['games']} games: {skill['deals']} deals, each played with either at every seat.", "note"
    )
    fates = [skill["fates"][fate] for fate in said]
    names = list(said.values())
    page.show(
        shares_plot("Wins with the same cards", [skill["strong"]], [skill], "bot", [skill["equal_share"]]),
        points(
            "Winners of the deals, over all seatings",
            names,
            [100 * fate["share"] for fate in fates],
            [[100 * end for end in fate["interval"]] for fate in fates],
            "of 100 deals",
            "won by",
            Table(
                ["won by", "of 100 deals", "interval"],
                [[name, *share_cells(fate)] for name, fate in zip(names, fates, strict=True)],
            ),
        ),
    )


def _study_command(facts: Facts) -> list[str]:
    command = ["upcard", "study", facts["game"], "--bots", ",".join(facts["bots"]), *option_flags(facts)]
    for text in facts["vary"]:
        command += ["--vary", text]
    if facts["skill_everywhere"]:
        command += ["--skill", ",".join(facts["skill_bots"])]
    command += ["--deals", str(facts["skill_deals"]), "--pace", f"{facts['pace']:g}"]
    return [*command, "--games", str(facts["wanted_games"])]
