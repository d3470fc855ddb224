"""Reports: pages that do not need a network, contain every number, and escape all names."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from upcard.core.errors import UpcardError
from upcard.lab.report.parts import check_report
from upcard.lab.report.study import write_study
from upcard.lab.report.tournament import write_tournament
from upcard.lab.study.study import StudyPlan, study
from upcard.lab.tournament.deals import TournamentPlan
from upcard.lab.tournament.run import run_tournament
from upcard.match.seed import read_seed

SEED = read_seed("report")
HOSTILE = 'x"><script src=//evil.example/x.js></script><img src=x onerror=alert(1)>&lt;b&gt;</script>'


class Reader(HTMLParser):
    """Reads a page: its elements, their attributes, and the text of some."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.scripts: dict[str, str] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"{tag} is closed, but not opened last"

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts[self.open[-1]][-1] += data
        if self.open[-1:] == ["script"]:
            name = self.elements[-1][1].get("id") or f"script {len(self.scripts)}"
            self.scripts[name] = self.scripts.get(name, "") + data

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def cells(self) -> list[str]:
        return self.texts["td"]

    @property
    def plots(self) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self.scripts["plots"])
        return loaded


@pytest.fixture(scope="module")
def tournament_facts() -> dict[str, Any]:
    plan = TournamentPlan.of("lines", {"players": 3, "give": "matching"}, ["easy", "random", "greedy"], SEED)
    return run_tournament(plan, 12).to_json()


@pytest.fixture(scope="module")
def study_facts() -> dict[str, Any]:
    question = StudyPlan.of(
        "lines",
        {"players": 3},
        ["easy"],
        SEED,
        games=12,
        vary=["players", "give"],
        pair=["easy", "random"],
        deals=3,
        skill_everywhere=True,
    )
    return study(question)


Write = Callable[[dict[str, Any], Path], None]


@pytest.fixture(params=["tournament", "study"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def facts(kind: str, request: pytest.FixtureRequest) -> dict[str, Any]:
    found: dict[str, Any] = request.getfixturevalue(f"{kind}_facts")
    return found


@pytest.fixture
def write(kind: str) -> Write:
    return {"tournament": write_tournament, "study": write_study}[kind]


@pytest.fixture
def page(facts: dict[str, Any], write: Write, tmp_path: Path) -> Reader:
    write(facts, tmp_path / "report.html")
    return Reader((tmp_path / "report.html").read_text("utf-8"))


# No network


def test_nothing_in_the_page_comes_from_elsewhere(page: Reader) -> None:
    for tag, attributes in page.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "a", "form", "video", "source")
        assert not {"src", "href", "srcset", "action", "data", "poster", "background"} & set(attributes), tag
        assert not any(name.startswith("on") for name in attributes)
        assert "url(" not in (attributes.get("style") or "")
    (style,) = page.texts["style"]
    assert "url(" not in style
    assert "@import" not in style
    assert "@font-face" not in style
    assert not any("import(" in text for name, text in page.scripts.items() if name in ("facts", "plots"))


def test_the_browser_is_told_to_fetch_nothing(page: Reader) -> None:
    policy = [meta["content"] for meta in page.of("meta") if "http-equiv" in meta]
    assert policy == [
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
    ]
    # The policy comes before anything that could fetch.
    tags = [f"{tag} http-equiv" if "http-equiv" in given else tag for tag, given in page.elements]
    assert tags.index("meta http-equiv") < min(tags.index("style"), tags.index("script"))


def test_plotly_is_in_the_page_once(page: Reader) -> None:
    large = [text for text in page.scripts.values() if len(text) > 1_000_000]
    assert len(large) == 1
    assert "plotly.js v" in large[0][:300]


# Everyone can read it


def test_every_plot_has_a_title_names_of_axes_words_and_a_table(page: Reader) -> None:
    plots = page.plots
    assert len(plots) >= 5
    images = {given["id"]: given for given in page.of("div") if given.get("role") == "img"}
    assert list(images) == list(plots)
    assert len(page.texts["figcaption"]) == len(plots)
    assert all(page.texts["figcaption"])
    assert page.texts["summary"].count("The numbers") >= len(plots)
    for name, plot in plots.items():
        words = images[name]["aria-label"] or ""
        assert re.search(r"\d", words)
        assert words.endswith(".")
        axes = [axis for key, axis in plot["layout"].items() if key[1:].startswith("axis")]
        assert len(axes) >= 2
        assert all(axis["title"]["text"] for axis in axes)


def test_plotly_knows_everything_that_is_asked_of_it(page: Reader) -> None:
    from plotly.graph_objects import Figure  # type: ignore[import-untyped]

    for plot in page.plots.values():
        Figure(plot)  # refuses a property that does not exist


def test_a_phone_shows_it_at_its_own_width_and_the_dark_is_not_dazzling(page: Reader) -> None:
    assert any(meta.get("name") == "viewport" for meta in page.of("meta"))
    assert page.of("html") == [{"lang": "en"}]
    assert "prefers-color-scheme: dark" in page.texts["style"][0]


def test_the_page_says_what_was_asked_and_what_the_answer_is(
    kind: str, facts: dict[str, Any], page: Reader
) -> None:
    lead = page.texts["p"][0]
    if kind == "tournament":
        first = facts["standings"][0]
        assert page.texts["h1"] == ["Lines: a tournament of bots"]
        assert lead.startswith(
            "Which bot plays Lines with 3 players, give=matching best: easy, random or greedy? "
        )
        assert f"it wins {hundredths(first['share'])} of 100 games" in lead
    else:
        assert page.texts["h1"] == ["Lines: what kind of game is it?"]
        assert lead.startswith("What kind of game is Lines with 3 players? It takes about ")
        assert f"starts wins {hundredths(facts['turn_order'][0]['share'])} of 100 games" in lead


# Every number


def hundredths(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0")


def shares_in(facts: Any) -> Iterator[dict[str, Any]]:
    """Yield everything in the facts that has a share and its interval."""
    if isinstance(facts, dict):
        if "interval" in facts and ("share" in facts or "share_of_games" in facts):
            yield facts
        for inside in facts.values():
            yield from shares_in(inside)
    elif isinstance(facts, list):
        for inside in facts:
            yield from shares_in(inside)


def test_the_page_holds_the_facts_it_was_made_from(facts: dict[str, Any], page: Reader) -> None:
    assert json.loads(page.scripts["facts"]) == facts


def test_every_share_is_in_a_table_with_its_interval(kind: str, facts: dict[str, Any], page: Reader) -> None:
    rows = set(pairwise(page.cells))
    found = list(shares_in({key: value for key, value in facts.items() if key != "variations"}))
    assert len(found) > (5 if kind == "tournament" else 20)
    ended = facts["rules"]["ended_by"] if kind == "study" else []
    for fact in found:
        share = fact["share"] if "share" in fact else fact["share_of_games"]
        low, high = fact["interval"]
        if fact not in ended:
            assert (hundredths(share), f"{hundredths(low)} to {hundredths(high)}") in rows, fact


def test_what_a_tournament_counted_is_in_its_tables(tournament_facts: dict[str, Any], tmp_path: Path) -> None:
    write_tournament(tournament_facts, tmp_path / "report.html")
    cells = Reader((tmp_path / "report.html").read_text("utf-8")).cells
    for standing in tournament_facts["standings"]:
        assert standing["bot"] in cells
        assert f"{standing['wins']:,}" in cells
        assert f"{standing['rating']:,.1f}".removesuffix(".0") in cells
        assert f"{standing['rating_error']:,.1f}".removesuffix(".0") in cells
        low, high = (f"{end:,.1f}".removesuffix(".0") for end in standing["rating_interval"])
        assert f"{low} to {high}" in cells
    for pair in tournament_facts["comparisons"]:
        assert hundredths(pair["difference"]) in cells
    for reason, games in tournament_facts["reasons"].items():
        assert (reason, str(games)) in pairwise(cells)


def test_every_interval_in_a_plot_of_a_tournament_has_the_same_confidence(
    tournament_facts: dict[str, Any], tmp_path: Path
) -> None:
    write_tournament(tournament_facts, tmp_path / "report.html")
    ratings = Reader((tmp_path / "report.html").read_text("utf-8")).plots["plot-2"]
    error = ratings["data"][0]["error_x"]
    for place, standing in enumerate(tournament_facts["standings"]):
        low, high = standing["rating_interval"]
        assert error["arrayminus"][place] == pytest.approx(standing["rating"] - low)
        assert error["array"][place] == pytest.approx(high - standing["rating"])


SAME_GAMES = "The same command plays the same games, on any machine and with any number of jobs:"


def test_the_same_games_are_promised_only_where_no_bot_has_a_time_limit(
    facts: dict[str, Any], write: Write, tmp_path: Path, page: Reader
) -> None:
    assert SAME_GAMES in page.texts["p"]
    for bots, said in (
        (["hard"], "hard has a time limit, so another run deals the same cards but can play other moves."),
        (
            ["a", "b"],
            "a and b have time limits, so another run deals the same cards but can play other moves.",
        ),
    ):
        write(facts | {"by_the_clock": bots}, tmp_path / "timed.html")
        timed = Reader((tmp_path / "timed.html").read_text("utf-8")).texts["p"]
        assert SAME_GAMES not in timed
        assert said in timed


def test_histograms_have_every_game(page: Reader, facts: dict[str, Any]) -> None:
    lengths = [plot for plot in page.plots.values() if plot["layout"]["xaxis"]["title"]["text"] == "moves"]
    bars = [plot["data"][0] for plot in lengths if plot["data"][0]["type"] == "bar"]
    assert [sum(bar["y"]) for bar in bars] == [facts["games"]]


def test_values_that_cannot_be_dealt_are_there_with_the_reason(
    study_facts: dict[str, Any], tmp_path: Path
) -> None:
    write_study(study_facts, tmp_path / "report.html")
    page = Reader((tmp_path / "report.html").read_text("utf-8"))
    assert "players=5 cannot be dealt: 5 players need 6 colours, not 5 (L1.2)" in page.texts["p"]
    assert "Option give (L4.2)" in page.texts["h2"]


def test_many_lengths_share_bars_and_none_is_lost(study_facts: dict[str, Any], tmp_path: Path) -> None:
    counts = [[moves, moves % 3 + 1] for moves in range(7, 400, 2)]
    facts = study_facts | {"length": study_facts["length"] | {"counts": counts}}
    write_study(facts, tmp_path / "report.html")
    plots = Reader((tmp_path / "report.html").read_text("utf-8")).plots.values()
    (bars,) = (
        plot["data"][0]
        for plot in plots
        if plot["layout"]["xaxis"]["title"]["text"] == "moves" and plot["data"][0]["type"] == "bar"
    )
    assert sum(bars["y"]) == sum(games for _, games in counts)
    assert 20 <= len(bars["y"]) <= 41


# Names of other people


def renamed(value: Any, old: str, new: str) -> Any:
    if isinstance(value, dict):
        return {key: renamed(inside, old, new) for key, inside in value.items()}
    if isinstance(value, list):
        return [renamed(inside, old, new) for inside in value]
    return new if value == old else value


def test_a_hostile_name_is_shown_and_does_nothing(
    facts: dict[str, Any], write: Write, tmp_path: Path, page: Reader
) -> None:
    write(renamed(facts, "easy", HOSTILE), tmp_path / "hostile.html")
    hostile = Reader((tmp_path / "hostile.html").read_text("utf-8"))
    assert [tag for tag, _ in hostile.elements] == [tag for tag, _ in page.elements]
    attributes = [[set(given) - {"class"} for _, given in read.elements] for read in (hostile, page)]
    assert attributes[0] == attributes[1]
    assert any(HOSTILE in text for text in hostile.texts["p"])
    # Plotly interprets some tags in labels.
    plots = json.dumps(hostile.plots)
    assert "<script" not in plots
    assert "<img" not in plots
    assert "&lt;script" in plots


def test_long_names_leave_room_for_the_plot_and_stay_apart(
    tournament_facts: dict[str, Any], tmp_path: Path
) -> None:
    facts = renamed(tournament_facts, "easy", "a" * 40 + "1")
    write_tournament(renamed(facts, "random", "a" * 40 + "2"), tmp_path / "long.html")
    page = Reader((tmp_path / "long.html").read_text("utf-8"))
    shares = page.plots["plot-1"]
    assert max(map(len, shares["layout"]["yaxis"]["ticktext"])) == 22
    assert len(set(shares["data"][0]["y"])) == 3
    assert {"a" * 40 + "1", "a" * 40 + "2"} <= set(page.cells)


# Errors


def test_without_plotly_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    with pytest.raises(UpcardError) as refused:
        check_report(tmp_path / "report.html")
    assert str(refused.value) == "--report needs plotly: pip install 'upcard[report]'"


def test_a_check_leaves_everything_as_it_was(tmp_path: Path) -> None:
    old, new = tmp_path / "old.html", tmp_path / "new.html"
    old.write_text("precious")
    check_report(old)
    check_report(new)
    assert old.read_text() == "precious"
    assert not new.exists()


def test_a_page_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, facts: dict[str, Any], write: Write
) -> None:
    missing = tmp_path / "no" / "report.html"
    with pytest.raises(UpcardError) as refused:
        check_report(missing)
    assert str(refused.value) == f"{missing} cannot be written: No such file or directory"
    with pytest.raises(UpcardError) as refused:
        write(facts, missing)
    assert str(refused.value) == f"{missing} cannot be written: No such file or directory"


def test_a_study_that_was_stopped_immediately_still_makes_a_page(
    study_facts: dict[str, Any], tmp_path: Path
) -> None:
    about = {
        key: study_facts[key]
        for key in list(study_facts)[: list(study_facts).index("deals")]
        if key != "variations"
    }
    write_study(about | {"interrupted": True, "missing": ["the games"]}, tmp_path / "report.html")
    page = Reader((tmp_path / "report.html").read_text("utf-8"))
    assert "It was stopped early. Missing: the games." in page.texts["p"]
    assert "script 2" not in page.scripts


def test_a_tournament_without_a_deal_still_makes_a_page(
    tournament_facts: dict[str, Any], tmp_path: Path
) -> None:
    keys = list(tournament_facts)
    about = {key: tournament_facts[key] for key in keys[: keys.index("reasons")]}
    write_tournament(about, tmp_path / "report.html")
    page = Reader((tmp_path / "report.html").read_text("utf-8"))
    assert page.texts["p"][0] == "No deal was finished, so there is nothing to tell yet."


def test_a_tournament_of_one_deal_has_no_error_of_its_ratings(tmp_path: Path) -> None:
    facts = run_tournament(TournamentPlan.of("lines", {}, ["easy", "random"], SEED), 1).to_json()
    assert facts["standings"][0]["rating_error"] is None
    write_tournament(facts, tmp_path / "report.html")
    assert "unknown" in Reader((tmp_path / "report.html").read_text("utf-8")).cells
