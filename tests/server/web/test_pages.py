"""The pages of the browser table, as the server sends them, before any script runs."""

from __future__ import annotations

import gzip
import json
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from tests.server.guests import PATIENCE, begun, get, running
from tests.server.web.houses import house
from upcard.core.rulebook import clauses
from upcard.games import GAMES, all_games, find
from upcard.i18n import Forms, catalogue, languages
from upcard.server.web import assets, offline
from upcard.server.web.pages import POLICY
from upcard.server.web.translations import choose, words_json

FILES = Path(assets.FOLDER)
TEMPLATES = FILES.parent / "templates"
PAGES = ["/", "/t/nobody", "/t/nobody/room", "/replay"]
PAGES += [f"/rules/{game}" for game in GAMES]


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
    # The page contains nothing that the policy would forbid.
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", answer.text)
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", answer.text)


@pytest.mark.parametrize("page", PAGES)
def test_all_that_a_page_names_is_there(browser: httpx.Client, page: str) -> None:
    named = set(re.findall(r'(?:src|href)="(/[^"#]*)', browser.get(page).text))
    assert any("/js/house/" in address for address in named)
    for address in named:
        answer = browser.get(address.replace("&amp;", "&"), follow_redirects=True)
        assert answer.status_code == 200, address


def test_the_page_of_a_table_is_the_same_for_everyone(url: str) -> None:
    table, guests = begun(url, "stacks")
    stranger = get(f"{url}/t/{table}").content
    assert all(guest.http.get(f"/t/{table}").content == stranger for guest in guests)


def test_the_page_of_a_table_comes_with_the_files_of_its_game(url: str) -> None:
    table, _ = begun(url, "stacks")
    for page in (f"/t/{table}", f"/t/{table}/room"):
        named = re.findall(r'href="/static/\w+/(games/[^"]+)"', get(url + page).text)
        assert sorted(named) == ["games/stacks/table.css", "games/stacks/table.js"]


def test_offers_of_one_version_are_cached_forever(browser: httpx.Client) -> None:
    (address,) = re.findall(r'data-offers="([^"]+)"', browser.get("/").text)
    assert "immutable" in browser.get(address).headers["cache-control"]
    assert browser.get("/offers.json?v=old").headers["cache-control"] == "no-cache"


def test_a_name_in_the_address_cannot_write_into_the_page(browser: httpx.Client) -> None:
    text = browser.get('/t/"><script>alert(1)</script>').text
    assert "<script>alert" not in text


def test_an_unknown_game_has_no_rulebook(browser: httpx.Client) -> None:
    assert browser.get("/rules/poker").status_code == 404
    assert browser.get("/learn/poker").status_code == 404


# Files


def test_a_file_under_its_version_is_cached_forever(browser: httpx.Client) -> None:
    answer = browser.get(assets.address("js/house/home.js"))
    assert "immutable" in answer.headers["cache-control"]
    # It is never asked for again, so a tag would only make it larger.
    assert "etag" not in answer.headers


def test_a_file_under_another_version_is_asked_for_again(browser: httpx.Client) -> None:
    for address in ("/static/0123456789ab/js/house/home.js", "/static/js/house/home.js"):
        answer = browser.get(address)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-cache"
        again = browser.get(address, headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_a_file_is_packed_for_those_who_can_unpack_it(browser: httpx.Client) -> None:
    address = assets.address("vendor/lit.js")
    plain = browser.get(address, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == (FILES / "vendor/lit.js").read_bytes()
    with browser.stream("GET", address, headers={"Accept-Encoding": "gzip"}) as packed:
        assert packed.headers["content-encoding"] == "gzip"
        assert gzip.decompress(b"".join(packed.iter_raw())) == plain.content
    refused = browser.get(address, headers={"Accept-Encoding": "gzip;q=0"})
    assert "content-encoding" not in refused.headers


@pytest.mark.parametrize(
    "name",
    [
        "../pages.py",
        "..%2fpages.py",
        "%2e%2e/pages.py",
        "/etc/passwd",
        "vendor",
        "games/stacks/../rules.py",
        "games/stacks/..%2frules.py",
        "games/stacks/rules.py",
    ],
)
def test_nothing_but_the_shelf_is_served(browser: httpx.Client, name: str) -> None:
    assert browser.get(f"/static/{assets.version()}/{name}").status_code == 404
    assert browser.get(f"/static/{name}").status_code == 404


@pytest.mark.parametrize("sheet", assets.SHEETS)
def test_styles_that_are_sent_together_are_all_there_and_in_order(browser: httpx.Client, sheet: str) -> None:
    text = browser.get(assets.address(sheet)).content
    alone = [browser.get(assets.address(f"css/{part}.css")).content.strip() for part in assets.SHEETS[sheet]]
    places = [text.find(part) for part in alone]
    assert -1 not in places
    assert places == sorted(places)
    assert sum(map(len, alone)) <= len(text) <= sum(map(len, alone)) + 2 * len(alone)


def test_every_style_is_asked_for_by_some_page() -> None:
    asking = [*TEMPLATES.rglob("*.html"), *FILES.rglob("*.js")]
    texts = "".join(path.read_text("utf-8") for path in asking)
    asked = {name for name in assets.names() if name.startswith("css/") and name in texts}
    # A game without styles of its own gets these.
    assert asked | {"css/generic.css"} == {name for name in assets.names() if name.startswith("css/")}


def test_what_nobody_needs_before_the_first_card_is_not_loaded_with_the_page() -> None:
    at_first = assets.modules_of("js/house/home.js", "js/house/table-page.js")
    later = {"lobby", "settings", "looks", "devices", "notifications", "result", "rulebook"}
    assert later <= {Path(name).stem for name in assets.files()}
    assert not later & {Path(name).stem for name in at_first}


def test_all_modules_that_a_module_imports_are_on_the_shelf() -> None:
    modules = [name for name in assets.files() if name.endswith(".js")]
    assert any(name.startswith("games/") for name in modules)
    for name in modules:
        for other in _imported(name):
            assert other in assets.files(), f"{name} imports {other}"


def _imported(name: str) -> list[str]:
    """Return what a module imports."""
    found = assets.IMPORT.findall(assets.files()[name].read_text("utf-8"))
    return [posixpath.normpath(posixpath.join(posixpath.dirname(name), other)) for other in found]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_requests_every_module_that_it_will_need_right_away(browser: httpx.Client, page: str) -> None:
    text = browser.get(page).text
    asked = set(re.findall(r'rel="modulepreload" href="/static/\w+/([^"]+)"', text))
    (script,) = re.findall(r'type="module" src="/static/\w+/([^"]+)"', text)
    # The page of a game also requests the modules of that game.
    own = [name for name in asked if name.startswith("games/")]
    assert bool(own) == page.startswith("/rules")
    needed, waiting = set(), [script, *own]
    while waiting:
        name = waiting.pop()
        needed.add(name)
        waiting += [other for other in _imported(name) if other not in needed]
    assert asked == needed


@pytest.mark.parametrize("page", PAGES)
def test_a_first_visit_loads_less_than_150_kilobytes(browser: httpx.Client, page: str) -> None:
    text = browser.get(page).text
    files = set(re.findall(r'(?:src|href)="(/(?:static|words|offers)[^"]+)"', text))
    files |= {assets.address(f"games/{game}/picture.svg") for game in GAMES}
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
    site = quote(str(browser.base_url).rstrip("/"), safe="")
    one, other = (browser.get(f"/qr/{site}%2Ft%2F{name}.svg") for name in ("one", "other"))
    assert one.headers["content-type"] == "image/svg+xml"
    assert one.text.startswith("<svg")
    assert one.text != other.text


@pytest.mark.parametrize(
    "text", ["x" * 40, "http://elsewhere.example/t/table", "{site}/t/" + "x" * 300, "{site}/rules/lines"]
)
def test_qr_codes_are_drawn_for_links_to_tables_of_this_server_only(browser: httpx.Client, text: str) -> None:
    """Drawing one takes longer than anything else that a stranger can request."""
    link = quote(text.format(site=str(browser.base_url).rstrip("/")), safe="")
    assert browser.get(f"/qr/{link}.svg").status_code == 400


def test_drawing_qr_codes_is_charged_and_drawn_ones_are_kept(tmp_path: Path) -> None:
    with running(tmp_path, commands_per_second=0.01, burst=5) as server:
        site = quote(server.url, safe="")
        codes = [get(f"{server.url}/qr/{site}%2Fj%2F{number}.svg").status_code for number in range(6)]
        assert codes == [200] * 4 + [429] * 2
        assert get(f"{server.url}/qr/{site}%2Fj%2F0.svg").status_code == 200


def test_shared_code_names_no_game() -> None:
    files = [
        *FILES.rglob("*.js"),
        *FILES.rglob("*.css"),
        *TEMPLATES.glob("*.html"),
        *FILES.parent.glob("*.py"),
    ]
    named = re.compile(rf"""["'`/_=]({"|".join(GAMES)})\b|\bchips?\b|\b[SLK]\d\.\d""")
    found = {path.name: match[0] for path in files if (match := named.search(path.read_text("utf-8")))}
    assert found == {}


# Words


@pytest.mark.parametrize("language", languages())
def test_words_have_a_form_for_every_number(browser: httpx.Client, language: str) -> None:
    from babel import Locale

    told = browser.get(f"/words/{language}.json").json()
    category = Locale.parse(language, sep="-").plural_form
    all_games()
    for code, said in catalogue(language).sentences.items():
        if isinstance(said, Forms):
            for number in (0, 1, 2, 3, 5, 11, 12, 21, 22, 25, 100, 101, 1_000_000):
                forms = told["words"][code]
                assert forms["number"] == said.number
                assert forms[category(number)] == said.text(number)
        else:
            assert told["words"][code] == said


def test_words_of_one_version_are_cached_forever(browser: httpx.Client) -> None:
    (address,) = re.findall(r'data-words="([^"]+)"', browser.get("/").text)
    assert "immutable" in browser.get(address).headers["cache-control"]
    assert browser.get("/words/en.json?v=old").headers["cache-control"] == "no-cache"
    assert browser.get("/words/xx.json").status_code == 404


def test_a_language_is_chosen_or_else_the_first_that_the_browser_prefers() -> None:
    assert choose("pl", "de") == "pl"
    assert choose(None, "sv-SE, de-AT;q=0.5, en;q=0.7") == "en"
    assert choose(None, "sv, de-AT;q=0.5, en;q=0.3") == "de"
    assert choose("xx", "sv, *;q=0.1") == "en"
    assert choose(None, "de;q=0, pl;q=nonsense") == "en"


def test_readers_in_portugal_get_their_own_words(browser: httpx.Client) -> None:
    assert choose(None, "pt-PT, pt;q=0.9, en;q=0.8") == "pt-PT"
    assert choose(None, "pt-BR, pt;q=0.9, en;q=0.8") == "pt"
    assert choose("pt-PT", "pt-BR") == "pt-PT"
    page = browser.get("/rules/stacks", headers={"Accept-Language": "pt-PT"}).text
    assert '<html lang="pt-PT"' in page
    assert "No teu turno" in page


CODE = re.compile(r"""["'`](web\.house_[a-z0-9_]*)(\$\{|' ~)?""")


PARTS = [path for folder in ("house", "local") for path in FILES.glob(f"js/{folder}/*.js")]


def _codes() -> tuple[set[str], set[str]]:
    """Return the codes that pages use, and the beginnings of those that they put together."""
    whole: set[str] = set()
    begun_codes: set[str] = set()
    for path in [*PARTS, *TEMPLATES.glob("*.html"), FILES.parent / "pages.py"]:
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
    assert places == list(clauses(find(game)))
    assert set(re.findall(r'href="#([A-Z]\d+\.\d+)"', page)) <= set(places)


@pytest.mark.parametrize("game", GAMES)
def test_rules_open_with_how_to_play_and_the_clauses_follow(browser: httpx.Client, game: str) -> None:
    page = browser.get(f"/rules/{game}", headers={"Accept-Language": "en"}).text
    steps, _, book = page.partition("</ol>")
    assert page.count("<h1>") == steps.count("<h1>") == 1
    # The meaning of the mark is explained before the first clause.
    assert book.index("†") < book.index('<li id="')


@pytest.mark.parametrize("game", GAMES)
def test_every_option_has_a_line_of_its_own(browser: httpx.Client, game: str) -> None:
    page = browser.get(f"/rules/{game}", headers={"Accept-Language": "en"}).text
    options = [option["name"] for option in browser.get("/offers.json").json()["games"][game]["options"]]
    told = re.findall(r'<span class="option">\w+ <code>(\w+)</code>', page)
    assert sorted(told) == sorted([*options, "players"])


def test_a_rulebook_beside_a_game_is_the_book_alone(browser: httpx.Client) -> None:
    part = browser.get(f"/{offline.books_folder()}lines.en.html").text
    assert part.startswith("<article")
    assert "<script" not in part
    assert part.removeprefix("<article").partition(">")[2] in browser.get("/rules/lines").text


# Offers


def test_a_form_is_offered_all_that_can_be_chosen(browser: httpx.Client) -> None:
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
    told = json.loads(words_json("en"))
    assert told["language"] == "en"
    assert get(f"{url}/words/en.json").json() == told


def test_the_dark_is_the_same_whether_the_device_has_it_or_someone_chooses_it() -> None:
    css = (FILES / "css" / "base.css").read_text()
    by_device = re.search(r':root:not\(\[data-theme="light"\]\) \{(.*?)\}', css, re.DOTALL)
    by_choice = re.search(r':root\[data-theme="dark"\] \{(.*?)\}', css, re.DOTALL)
    assert by_device
    assert by_choice
    assert by_device[1].split() == by_choice[1].split()


def test_comments_are_not_sent_and_nothing_else_is_missing() -> None:
    """The code of a module stays, and so does a licence."""
    source = assets.files()["js/table/drag.js"].read_text("utf-8")
    sent = assets.item("js/table/drag.js")
    assert sent is not None
    lines = [line.strip() for line in sent.body.decode().splitlines() if line.strip()]
    assert not any(line.strip().startswith(("//", "/*", "*")) for line in lines)
    code = [
        line.strip()
        for line in source.splitlines()
        if line.strip() and line.strip()[:2] not in ("//", "/*", "* ", "*/")
    ]
    assert lines == code
    lit = assets.item("vendor/lit.js")
    assert lit is not None
    assert lit.body == assets.files()["vendor/lit.js"].read_bytes()


def test_a_versioned_file_leaves_out_the_headers_that_only_pages_obey(browser: httpx.Client) -> None:
    answer = browser.get(assets.address("js/table/drag.js"))
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert not {"permissions-policy", "cross-origin-opener-policy"} & answer.headers.keys()
    assert {"permissions-policy", "cross-origin-opener-policy"} <= browser.get("/").headers.keys()
