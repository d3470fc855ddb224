"""Reports of tournaments and studies: one page of HTML each, that opens with no network."""

from __future__ import annotations

__all__ = ["check_report", "write_study", "write_tournament"]

import importlib
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from upcard.core.errors import UpcardError
from upcard.lab.contest import forfeits_in
from upcard.lab.report.charts import bars, distributions, histogram, points
from upcard.lab.report.page import Page, Plot, Table
from upcard.lab.study import findings
from upcard.lab.study.findings import number, of_100, span
from upcard.lab.study.variations import word

Facts = Mapping[str, Any]

WINS = "wins of 100 games"
FAIR = "equal share"


def check_report(path: Path) -> None:
    """Say now that a report cannot be written, not when all games are played; change nothing."""
    _plotly()
    existed = path.exists()
    try:
        path.open("ab").close()
        if not existed:
            path.unlink()
    except OSError as error:
        raise UpcardError(f"{path} cannot be written: {error.strerror}") from None


def write_tournament(facts: Facts, path: Path) -> None:
    """Write the report of a tournament."""
    page = Page(f"{facts['title']}: a tournament of bots")
    if "standings" in facts:
        _tournament(page, facts)
    else:
        page.text("No deal was finished, so there is nothing to tell yet.", "lead")
    _again(page, facts, _tournament_command(facts))
    _write(page, facts, path)


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
    _again(page, facts, _study_command(facts))
    _write(page, facts, path)


def _plotly() -> Any:
    try:
        return importlib.import_module("plotly.offline")
    except ImportError:
        raise UpcardError("--report needs plotly: pip install 'upcard[report]'") from None


def _write(page: Page, facts: Facts, path: Path) -> None:
    text = page.html(facts, _plotly().get_plotlyjs())
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UpcardError(f"{path} cannot be written: {error.strerror}") from None


# What both have


def _turn_order(figures: Facts) -> Plot:
    places = figures["turn_order"]
    names = findings.places(len(places))
    return _shares("Wins by the order of turns", names, places, "turn", [figures["equal_share"]])


def _shares(
    title: str, names: Sequence[str], rows: Sequence[Facts], thing: str, equal: Sequence[float]
) -> Plot:
    """Show some shares of wins with their intervals, and what would be an equal share: for all, or for
    each of them."""
    return points(
        title,
        names,
        [100 * row["share"] for row in rows],
        [[100 * end for end in row["interval"]] for row in rows],
        WINS,
        thing,
        Table(
            [thing, WINS, "interval"], [[name, *_sure(row)] for name, row in zip(names, rows, strict=True)]
        ),
        (100 * equal[0], FAIR) if len(set(equal)) == 1 else None,
        [100 * share for share in equal] if len(set(equal)) > 1 else (),
    )


def _sure(row: Facts) -> tuple[str, str]:
    return of_100(row["share"]), span(row["interval"])


def _lengths(figures: Facts) -> Plot:
    length = figures["length"]
    return histogram("Length of the games", length["counts"], "moves", "games", (length["mean"], "mean"))


def _scores(facts: Facts, names: Sequence[str], rows: Sequence[Facts]) -> Plot:
    counts = [row["score_counts"] for row in rows]
    means = [row["mean_score"] for row in rows]
    return distributions("Scores", names, counts, means, findings.score_unit(facts["game"]))


def _again(page: Page, facts: Facts, command: Sequence[str]) -> None:
    page.heading("To make this report again")
    differs = findings.can_differ(facts)
    page.text(differs or "The same command plays the same games, on any machine and with any number of jobs:")
    page.code(shlex.join([*command, "--seed", facts["seed"], "--report", "report.html"]))
    page.text(f"Upcard {facts['version']}. This page holds all figures it was made from, as JSON.", "note")


def _house_rules(facts: Facts) -> list[str]:
    rules = findings.house_rules(facts)
    return ["--players", str(facts["players"]), *(word for rule in rules for word in ("--option", rule))]


# Tournaments


def _tournament(page: Page, facts: Facts) -> None:
    standings = facts["standings"]
    names = [standing["bot"] for standing in standings]
    page.text(findings.tournament(facts), "lead")
    page.text(
        f"{facts['games']:,} games: {facts['deals']:,} deals, each played in {len(facts['seatings'])} "
        f"seatings so that luck cancels. Intervals hold with {of_100(facts['confidence'])}\u00a0% certainty.",
        "note",
    )
    page.heading("Strength")
    page.show(
        _shares("Share of the wins", names, standings, "bot", [facts["equal_share"]]),
        _ratings(names, standings),
    )
    if facts["comparisons"]:
        page.text("Two bots compared in the same games, where the luck of the deal is taken out:")
        page.table("Each pair", _comparisons(facts["comparisons"]))
    page.heading("Who starts")
    page.text(findings.turn_order(facts))
    page.show(_turn_order(facts))
    page.table("Each bot by the order of turns", _by_place(facts))
    page.heading("Length and end")
    page.text(f"A game takes {number(facts['length']['mean'])} moves on average.")
    page.show(_lengths(facts))
    ends = [[reason, f"{games:,}"] for reason, games in facts["reasons"].items()]
    forfeits = [[f"error of {row['bot']}", f"{row['games']:,}"] for row in facts["forfeits"]]
    page.table("How games ended", Table(["reason", "games"], [*ends, *forfeits]))
    for sentence in forfeits_in(facts):
        page.text(sentence, "note")
    page.heading("Scores")
    page.show(_scores(facts, names, standings))


def _ratings(names: Sequence[str], standings: Sequence[Facts]) -> Plot:
    ratings = [standing["rating"] for standing in standings]
    intervals = [standing["rating_interval"] for standing in standings]
    return points(
        "Rating",
        names,
        ratings,
        [(rating, rating) if ends is None else ends for rating, ends in zip(ratings, intervals, strict=True)],
        "rating",
        "bot",
        Table(
            ["bot", "rating", "interval", "standard error", "wins", "seats", "games"],
            [
                [
                    standing["bot"],
                    number(standing["rating"]),
                    "unknown" if ends is None else " to ".join(map(number, ends)),
                    "unknown" if standing["rating_error"] is None else number(standing["rating_error"]),
                    f"{standing['wins']:,}",
                    f"{standing['seats']:,}",
                    f"{standing['games']:,}",
                ]
                for standing, ends in zip(standings, intervals, strict=True)
            ],
        ),
    )


def _comparisons(pairs: Sequence[Facts]) -> Table:
    said = {"above": "stronger", "below": "weaker", "open": "not settled"}
    rows = [
        [
            pair["bot"],
            pair["against"],
            of_100(pair["difference"]),
            span(pair["interval"]),
            said[pair["verdict"]],
        ]
        for pair in pairs
    ]
    return Table(["bot", "against", f"more {WINS}", "interval", ""], rows)


def _by_place(facts: Facts) -> Table:
    rows = [
        [row["bot"], *("–" if share is None else of_100(share) for share in row["share_by_place"])]
        for row in facts["standings"]
    ]
    return Table(["bot", *(f"{place}: {WINS}" for place in findings.places(facts["players"]))], rows)


def _tournament_command(facts: Facts) -> list[str]:
    command = ["upcard", "tournament", facts["game"], "--bots", ",".join(_entered(facts))]
    command += [*_house_rules(facts), "--games", str(facts["wanted_games"])]
    if facts["until"] is not None:
        command += ["--until", str(facts["until"])]
    return [*command, "--confidence", str(facts["confidence"])]


def _entered(facts: Facts) -> Iterator[str]:
    """Give each bot as often as it sat at one table."""
    for bot in facts["bots"]:
        yield from [bot] * max(seating.count(bot) for seating in facts["seatings"])


# Studies


def _games(page: Page, facts: Facts) -> None:
    page.text(
        f"{facts['games']:,} games, played by {findings.named(facts['bots'])}. Intervals hold with "
        f"{of_100(facts['confidence'])}\u00a0% certainty.",
        "note",
    )
    page.heading("Who starts")
    page.text(findings.turn_order(facts))
    page.show(_turn_order(facts))
    page.heading("Length")
    page.text(findings.length(facts))
    page.show(_lengths(facts))
    page.table("In moves and minutes", _minutes(facts["length"]))
    page.heading("How it ends")
    page.text(f"{findings.endings(facts)} {findings.ended_by(facts['rules'])}")
    ends = [[reason, f"{end['games']:,}", *_sure(end)] for reason, end in facts["reasons"].items()]
    shared = ["win shared", "", *_sure(facts["shared_wins"])]
    page.table("The numbers", Table(["reason", "games", "of 100", "interval"], [*ends, shared]))
    places = [f"{place} to play" for place in findings.places(facts["players"])]
    page.show(_scores(facts, places, facts["scores"]))
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
    page.heading("How often each rule acts")
    page.text(f"{findings.firing(rules)} {findings.not_counted(rules)}")
    page.show(_often("Rules, the rarest first", rules["rules"], "rule"))
    texts = [[clause, re.sub(r"[*`]", "", text)] for clause, text in rules["clauses"].items()]
    page.table("What the clauses say", Table(["clause", "text"], texts))
    page.text("What happens at the table, as the rules tell it:")
    page.show(_often("News, the rarest first", rules["news"], "news"))


def _often(title: str, rows: Sequence[Facts], thing: str) -> Plot:
    """Show in how many games something happened."""
    names = [f"{row['clauses'][0]} {row[thing].replace('_', ' ')}" for row in rows]
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
    return bars(title, names, shares, notes, "in so many of 100 games", thing, Table(heads, cells))


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
    names = [word(value["value"]) + (" (usual)" if value["usual"] else "") for value in played]
    equal = [value["equal_share"] for value in played]
    starts = [value["turn_order"][0] for value in played]
    page.show(
        _shares("Wins of the player who starts, and a fair share", names, starts, name, equal),
        _lengths_by_value(names, played, name),
    )
    page.table("All values side by side", _values(names, played, name))
    skilled = [(own, value["skill"]) for own, value in zip(names, played, strict=True) if "skill" in value]
    if skilled:
        title = f"Wins of {skilled[0][1]['strong']} against {skilled[0][1]['weak']}"
        page.show(_shares(title, [own for own, _ in skilled], [skill for _, skill in skilled], name, equal))


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
    """Return who wins by the order of turns, and how games end, for each value."""
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
        _shares("Wins with the same cards", [skill["strong"]], [skill], "bot", [skill["equal_share"]]),
        points(
            "Who won a deal, whoever sat where",
            names,
            [100 * fate["share"] for fate in fates],
            [[100 * end for end in fate["interval"]] for fate in fates],
            "of 100 deals",
            "won by",
            Table(
                ["won by", "of 100 deals", "interval"],
                [[name, *_sure(fate)] for name, fate in zip(names, fates, strict=True)],
            ),
        ),
    )


def _study_command(facts: Facts) -> list[str]:
    command = ["upcard", "study", facts["game"], "--bots", ",".join(facts["bots"]), *_house_rules(facts)]
    for text in facts["vary"]:
        command += ["--vary", text]
    if facts["skill_everywhere"]:
        command += ["--skill", ",".join(facts["skill_bots"])]
    command += ["--deals", str(facts["skill_deals"]), "--pace", f"{facts['pace']:g}"]
    return [*command, "--games", str(facts["wanted_games"])]
