"""The pages of the browser table: what a browser gets to see before any of it runs."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.guests import PATIENCE, Guest, begun, get, play_on, post
from tests.server.web.houses import house
from upcard.core.rulebook import clauses
from upcard.core.words import Forms, catalogue, languages
from upcard.games import GAMES
from upcard.server.web import shelf
from upcard.server.web.pages import POLICY
from upcard.server.web.tongues import choose, written_words

FILES = Path(shelf.FOLDER)
TEMPLATES = FILES.parent / "templates"
PAGES = ["/", "/t/nobody", "/t/nobody/room", "/replay"]
PAGES += [f"/{kind}/{game}" for kind in ("rules", "learn") for game in GAMES]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with house(tmp_path_factory.mktemp("pages")) as server:
        yield server.url


@pytest.fixture
def browser(url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=url, timeout=PATIENCE) as client:
        yield client


# Pages


@pytest.mark.parametrize("page", PAGES)
def test_a_page_runs_only_files_of_this_server(browser: httpx.Client, page: str) -> None:
    answer = browser.get(page)
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY
    # Nothing is written into the page that the policy would forbid.
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", answer.text)
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", answer.text)


@pytest.mark.parametrize("page", PAGES)
def test_all_that_a_page_names_is_there(browser: httpx.Client, page: str) -> None:
    named = set(re.findall(r'(?:src|href)="(/[^"#]*)', browser.get(page).text))
    assert any("/js/house/" in address for address in named)
    for address in named:
        assert browser.get(address.replace("&amp;", "&")).status_code == 200, address


def test_the_page_of_a_table_is_the_same_for_everybody(url: str) -> None:
    table, guests = begun(url, "stacks")
    stranger = get(f"{url}/t/{table}").content
    assert all(guest.http.get(f"/t/{table}").content == stranger for guest in guests)


def test_a_name_in_the_address_cannot_write_into_the_page(browser: httpx.Client) -> None:
    text = browser.get('/t/"><script>alert(1)</script>').text
    assert "<script>alert" not in text


def test_there_are_no_rules_of_games_that_there_are_not(browser: httpx.Client) -> None:
    assert browser.get("/rules/poker").status_code == 404
    assert browser.get("/learn/poker").status_code == 404


# Files


def test_a_file_under_its_version_is_kept_for_ever(browser: httpx.Client) -> None:
    answer = browser.get(shelf.address("js/house/home.js"))
    assert "immutable" in answer.headers["cache-control"]


def test_a_file_under_another_version_is_asked_for_again(browser: httpx.Client) -> None:
    for address in ("/static/0123456789ab/js/house/home.js", "/static/js/house/home.js"):
        answer = browser.get(address)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-cache"
        again = browser.get(address, headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_a_file_is_packed_for_those_who_can_unpack_it(browser: httpx.Client) -> None:
    address = shelf.address("vendor/lit.js")
    plain = browser.get(address, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == (FILES / "vendor/lit.js").read_bytes()
    with browser.stream("GET", address, headers={"Accept-Encoding": "gzip"}) as packed:
        assert packed.headers["content-encoding"] == "gzip"
        assert gzip.decompress(b"".join(packed.iter_raw())) == plain.content
    refused = browser.get(address, headers={"Accept-Encoding": "gzip;q=0"})
    assert "content-encoding" not in refused.headers


@pytest.mark.parametrize("name", ["../pages.py", "..%2fpages.py", "%2e%2e/pages.py", "/etc/passwd", "vendor"])
def test_nothing_but_the_shelf_is_served(browser: httpx.Client, name: str) -> None:
    assert browser.get(f"/static/{shelf.version()}/{name}").status_code == 404
    assert browser.get(f"/static/{name}").status_code == 404


def test_all_modules_that_a_module_imports_are_on_the_shelf() -> None:
    for path in FILES.rglob("*.js"):
        for other in shelf.IMPORT.findall(path.read_text("utf-8")):
            assert (path.parent / other).is_file(), f"{path.name} imports {other}"


@pytest.mark.parametrize("page", PAGES)
def test_a_page_asks_at_once_for_every_module_that_it_will_need(browser: httpx.Client, page: str) -> None:
    text = browser.get(page).text
    asked = set(re.findall(r'rel="modulepreload" href="/static/\w+/([^"]+)"', text))
    (script,) = re.findall(r'type="module" src="/static/\w+/([^"]+)"', text)
    needed, waiting = set(), [script]
    while waiting:
        name = waiting.pop()
        needed.add(name)
        for other in shelf.IMPORT.findall((FILES / name).read_text("utf-8")):
            path = (FILES / name).parent.joinpath(other).resolve().relative_to(FILES.resolve()).as_posix()
            waiting += [path] * (path not in needed)
    assert asked == needed


@pytest.mark.parametrize("page", PAGES)
def test_a_first_visit_loads_less_than_150_kilobytes(browser: httpx.Client, page: str) -> None:
    text = browser.get(page).text
    files = set(re.findall(r'(?:src|href)="(/(?:static|words)/[^"]+)"', text))
    files |= {shelf.address(f"icons/{game}.svg") for game in GAMES}
    sizes = {}
    for address in [page, *files]:
        with browser.stream("GET", address, headers={"Accept-Encoding": "gzip"}) as answer:
            sizes[address] = len(b"".join(answer.iter_raw()))
    assert sum(sizes.values()) < 150_000, sizes


def test_the_manifest_names_icons_that_are_there(browser: httpx.Client) -> None:
    manifest = browser.get("/manifest.webmanifest")
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    icons = manifest.json()["icons"]
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in icons}
    for icon in icons:
        answer = browser.get(icon["src"])
        assert answer.headers["content-type"].partition(";")[0] == icon["type"]


def test_a_qr_code_is_a_picture_of_its_text(browser: httpx.Client) -> None:
    one, other = (browser.get(f"/qr/http%3A%2F%2Fhost%2Ft%2F{name}.svg") for name in ("one", "other"))
    assert one.headers["content-type"] == "image/svg+xml"
    assert one.text.startswith("<svg")
    assert one.text != other.text
    assert browser.get(f"/qr/{'x' * 301}.svg").status_code == 400


# Words


@pytest.mark.parametrize("language", languages())
def test_words_have_a_form_for_every_number(browser: httpx.Client, language: str) -> None:
    from babel import Locale

    told = browser.get(f"/words/{language}.json").json()
    category = Locale.parse(language).plural_form
    words = catalogue(language)
    for code, said in words.sentences.items():
        if isinstance(said, Forms):
            for number in (0, 1, 2, 3, 5, 11, 12, 21, 22, 25, 100, 101, 1_000_000):
                forms = told["words"][code]
                assert forms["number"] == said.number
                assert forms[category(number)] == said.texts[words.form_of(number)]
        else:
            assert told["words"][code] == said


def test_words_of_one_version_are_kept_for_ever(browser: httpx.Client) -> None:
    (address,) = re.findall(r'data-words="([^"]+)"', browser.get("/").text)
    assert "immutable" in browser.get(address).headers["cache-control"]
    assert browser.get("/words/en.json?v=old").headers["cache-control"] == "no-cache"
    assert browser.get("/words/xx.json").status_code == 404


def test_a_language_is_chosen_or_else_the_first_that_the_browser_likes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("upcard.server.web.tongues.languages", lambda: ["de", "en", "pl"])
    assert choose("pl", "de") == "pl"
    assert choose(None, "fr-CH, de-AT;q=0.5, en;q=0.7") == "en"
    assert choose(None, "fr, de-AT;q=0.5, en;q=0.3") == "de"
    assert choose("xx", "fr, *;q=0.1") == "en"
    assert choose(None, "de;q=0, pl;q=nonsense") == "en"


CODE = re.compile(r"""["'`](web\.house_[a-z0-9_]*)(\$\{|' ~)?""")


def _codes() -> tuple[set[str], set[str]]:
    """Return the codes that pages say, and the beginnings of those that they put together."""
    whole: set[str] = set()
    begun_codes: set[str] = set()
    for path in [*FILES.glob("js/house/*.js"), *TEMPLATES.glob("*.html"), FILES.parent / "pages.py"]:
        for code, goes_on in CODE.findall(
            path.read_text("utf-8").replace("web.house_rules_{", "web.house_rules_${")
        ):
            (begun_codes if goes_on or code.endswith("_") else whole).add(code)
    return whole, begun_codes


def test_all_that_pages_say_is_in_the_catalogue() -> None:
    whole, beginnings = _codes()
    known = {code for code in catalogue().sentences if code.startswith("web.house_")}
    assert len(whole) > 100
    assert whole - known == set()
    assert {start for start in beginnings if not any(code.startswith(start) for code in known)} == set()


def test_the_catalogue_has_nothing_that_no_page_says() -> None:
    whole, beginnings = _codes()
    known = {code for code in catalogue().sentences if code.startswith("web.house_")}
    said = {code for code in known if code in whole or code.startswith(tuple(beginnings))}
    assert known - said == set()


def test_no_sentence_stands_in_a_template() -> None:
    for path in TEMPLATES.glob("*.html"):
        page = re.sub(r"{% block kind %}\w+{% endblock %}", "", path.read_text("utf-8"))
        text = re.sub(r"{[{%].*?[%}]}|<[^>]*>", "", page, flags=re.DOTALL)
        assert text.split() == [], path.name


# Rulebooks


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_of_a_rulebook_can_be_pointed_at(browser: httpx.Client, game: str) -> None:
    page = browser.get(f"/rules/{game}", headers={"Accept-Language": "en"}).text
    places = re.findall(r'<li id="([A-Z]\d+\.\d+)"', page)
    assert places == list(clauses(game))
    assert set(re.findall(r'href="#([A-Z]\d+\.\d+)"', page)) <= set(places)


@pytest.mark.parametrize("game", GAMES)
def test_every_option_has_a_line_of_its_own(browser: httpx.Client, game: str) -> None:
    page = browser.get(f"/rules/{game}", headers={"Accept-Language": "en"}).text
    options = [option["name"] for option in browser.get("/offers.json").json()["games"][game]["options"]]
    told = re.findall(r'<span class="option">\w+ <code>(\w+)</code>', page)
    assert sorted(told) == sorted([*options, "players"])


def test_a_rulebook_beside_a_game_is_the_book_alone(browser: httpx.Client) -> None:
    part = browser.get("/rules/lines?part=book").text
    assert part.startswith("<article")
    assert "<script" not in part
    assert part.removeprefix("<article").partition(">")[2] in browser.get("/rules/lines").text


# Replays


# Games that do not last long.
SHORT: dict[str, dict[str, Any]] = {"stockpile": {"stock": 2}, "lines": {}, "stacks": {"turn_limit": 10}}


def _finished(url: str, game: str) -> tuple[str, list[Guest]]:
    table, guests = begun(url, game, options=SHORT[game])
    assert play_on(table, guests, random.Random(5))["phase"] == "over"
    return table, guests


@pytest.mark.parametrize("game", GAMES)
def test_a_replay_tells_each_seat_what_it_was_told_at_the_table(url: str, game: str) -> None:
    table, guests = _finished(url, game)
    for seat, guest in enumerate(guests, 1):
        steps = get(f"{url}/replay/{table}.json", params={"seat": seat}).json()["steps"]
        live = [told["news"] for told in guest.news(table) if "news" in told]
        # At a table, windows of which nothing came are told on their own.
        assert [one for step in steps for one in step["told"]["news"]] == [
            one for news in live for one in news
        ]
        state = guest.look(table)
        assert steps[-1]["state"]["view"] == state["view"]
        assert steps[-1]["state"]["result"] == state["result"]
        assert all(step["state"]["you"] == seat for step in steps)


@pytest.mark.parametrize("game", GAMES)
def test_a_record_in_a_file_gives_the_same_replay_as_the_table(url: str, game: str) -> None:
    table, guests = _finished(url, game)
    record = guests[0].http.get(f"/api/tables/{table}/record").json()
    told = get(f"{url}/replay/{table}.json").json()
    assert post(f"{url}/api/replay", json=record).json() == told
    # A record of another program has no seed: the shuffles are taken as they stand.
    without = record | {"seed": None, "fairness": None}
    assert post(f"{url}/api/replay", json=without).json() == told


def test_a_game_that_goes_on_cannot_be_replayed(url: str) -> None:
    table, guests = begun(url, "lines")
    assert guests[0].http.get(f"/replay/{table}.json").status_code == 404


@pytest.mark.parametrize(
    "record",
    ["[]", "{}", '{"upcard": 1, "game": "lines", "log": [{"shuffle": ["r99"]}]}', '"', "\u00ff"],
)
def test_what_is_no_record_is_refused_with_a_reason(url: str, record: str) -> None:
    body = record.encode("latin-1")
    answer = post(f"{url}/api/replay", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["detail"]


def test_a_form_is_offered_all_that_can_be_chosen(browser: httpx.Client) -> None:
    from upcard.games import find

    offers: dict[str, Any] = browser.get("/offers.json").json()["games"]
    assert list(offers) == list(GAMES)
    for name, offer in offers.items():
        game = find(name)
        for option in offer["options"]:
            values = [*option.get("choices", []), option.get("least", option["usual"]), option["usual"]]
            for value in values:
                assert game.complete({option["name"]: value})[option["name"]] == value
        for players in (offer["least"], offer["most"]):
            options = {"players": players, **({"colours": 6} if name == "lines" else {})}
            assert game.complete(options)["players"] == players


def test_words_are_written_once(url: str) -> None:
    told = json.loads(written_words("en"))
    assert told["language"] == "en"
    assert get(f"{url}/words/en.json").json() == told


def test_the_dark_is_the_same_whether_the_device_has_it_or_somebody_chooses_it() -> None:
    css = (FILES / "css" / "base.css").read_text()
    by_device = re.search(r':root:not\(\[data-theme="light"\]\) \{(.*?)\}', css, re.DOTALL)
    by_choice = re.search(r':root\[data-theme="dark"\] \{(.*?)\}', css, re.DOTALL)
    assert by_device
    assert by_choice
    assert by_device[1].split() == by_choice[1].split()
