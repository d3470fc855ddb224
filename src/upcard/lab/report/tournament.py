"""The report of a tournament: one page of HTML that opens without a network."""

from __future__ import annotations

__all__ = ["write_tournament"]

from collections.abc import Iterator, Sequence
from pathlib import Path

from upcard.lab.contest import forfeits_in
from upcard.lab.report.charts import points
from upcard.lab.report.page import Page, Plot, Table
from upcard.lab.report.parts import (
    WINS,
    Facts,
    add_command,
    lengths_plot,
    option_flags,
    scores_plot,
    shares_plot,
    turn_order_plot,
    write,
)
from upcard.lab.study import findings
from upcard.lab.study.findings import number, of_100, span


def write_tournament(facts: Facts, path: Path) -> None:
    """Write the report of a tournament."""
    page = Page(f"{facts['title']}: a tournament of bots")
    if "standings" in facts:
        _tournament(page, facts)
    else:
        page.text("No deal was finished, so there is nothing to tell yet.", "lead")
    add_command(page, facts, _tournament_command(facts))
    write(page, facts, path)


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
        shares_plot("Share of the wins", names, standings, "bot", [facts["equal_share"]]),
        _ratings(names, standings),
    )
    if facts["comparisons"]:
        page.text("Two bots compared in the same games, where the luck of the deal is taken out:")
        page.table("Each pair", _comparisons(facts["comparisons"]))
    page.heading("Who starts")
    page.text(findings.turn_order(facts))
    page.show(turn_order_plot(facts))
    page.table("Each bot by the order of turns", _by_place(facts))
    page.heading("Length and end")
    page.text(f"A game takes {number(facts['length']['mean'])} moves on average.")
    page.show(lengths_plot(facts))
    ends = [[reason, f"{games:,}"] for reason, games in facts["reasons"].items()]
    forfeits = [[f"error of {row['bot']}", f"{row['games']:,}"] for row in facts["forfeits"]]
    page.table("How games ended", Table(["reason", "games"], [*ends, *forfeits]))
    for sentence in forfeits_in(facts):
        page.text(sentence, "note")
    page.heading("Scores")
    page.show(scores_plot(facts, names, standings))


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
    command += [*option_flags(facts), "--games", str(facts["wanted_games"])]
    if facts["until"] is not None:
        command += ["--until", str(facts["until"])]
    return [*command, "--confidence", str(facts["confidence"])]


def _entered(facts: Facts) -> Iterator[str]:
    """Yield each bot as often as it sat at one table."""
    for bot in facts["bots"]:
        yield from [bot] * max(seating.count(bot) for seating in facts["seatings"])
