"""The pages of the browser table, and their files."""

from __future__ import annotations

__all__ = ["PAGES", "device_page", "missing"]

import asyncio
import functools
import gzip
import io
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec
import segno
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from upcard.core.game import Game
from upcard.games import GAMES, all_games, find
from upcard.i18n import DEFAULT, languages
from upcard.server.http.addresses import EVERYWHERE, LOOPBACK, own_address
from upcard.server.http.cache import Cache
from upcard.server.http.problems import BadRequest, NotFound
from upcard.server.http.request_context import context_of
from upcard.server.runtime.errors import NoSuchTable
from upcard.server.web import assets, offline, translations
from upcard.server.web.offers import offers_json, offers_version
from upcard.server.web.positions import figure_of, positions_of
from upcard.server.web.rulebooks import rulebook_html
from upcard.server.web.translated import PREFIX as TRANSLATED

# Pages run and load only files of this server.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
# A worker has a policy of its own.
WORKER_POLICY = "default-src 'none'; script-src 'self'; frame-ancestors 'none'"
# The service worker requests files, but runs none.
SERVICE_WORKER_POLICY = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"
MANIFEST = "manifest.webmanifest"
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
# Compression does not make smaller responses any smaller, in bytes.
WORTH_PACKING = 600
# Links to a table, and links that contain a code.
QR_LINK = re.compile(r"(https?://[^/?#\s]{1,100})/(?:t/[\w-]{1,40}|j/[\w-]{1,20}|\?code=[\w-]{1,20})?")
# The cost of a QR code in tokens of the rate limit, since drawing one takes several milliseconds.
QR_COST = 8
_qr_codes = Cache(1024)

Page = Callable[[Request], Awaitable[Response]]


@functools.cache
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("upcard.server.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _language(request: Request) -> str:
    return translations.choose(request.cookies.get("language"), request.headers.get("accept-language", ""))


def _say(request: Request, code: str) -> str:
    return translations.say(_language(request), code)


def _takes_gzip(request: Request) -> bool:
    offered = request.headers.get("accept-encoding", "").split(",")
    return any(part.partition(";")[0].strip() == "gzip" and "q=0" not in part for part in offered)


@functools.lru_cache(256)
def _packed(body: bytes) -> bytes:
    """Return a compressed body, cached because most are requested repeatedly."""
    return gzip.compress(body, 5, mtime=0)


def _send(request: Request, body: bytes, kind: str, **headers: str) -> Response:
    """Send an answer made for this request, compressed if that pays."""
    response = Response(body, media_type=kind, headers=headers)
    if len(body) >= WORTH_PACKING and _takes_gzip(request):
        response = Response(_packed(body), media_type=kind, headers=headers)
        response.headers["Content-Encoding"] = "gzip"
    response.headers.append("Vary", "Accept-Encoding")
    return response


def _page(
    request: Request,
    template: str,
    script: str,
    title: str,
    *,
    game: str | None = None,
    parts: Sequence[str] = ("table.js",),
    **about: Any,
) -> Response:
    """Return a page. The page of a game also lists the files that draw it, so that they load with it."""
    about = {"game": game, "origin": _origin(request), **about}
    text = _written(_language(request), template, script, title, parts, about)
    response = _send_page(request, text.encode())
    response.headers.append("Vary", "Accept-Language, Cookie")
    return response


def _send_page(request: Request, text: bytes) -> Response:
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": ASK_AGAIN}
    if _is_trusted(request):
        # Over plain HTTP, browsers ignore it and log a warning.
        headers["Cross-Origin-Opener-Policy"] = "same-origin"
    return _send(request, text, "text/html", **headers)


def _written(
    language: str, template: str, script: str, title: str, parts: Sequence[str], about: dict[str, Any]
) -> str:
    """Return a page in a language; `about` comes before the parts that all pages share."""
    game = about["game"]
    own = [found for part in parts if game and (found := assets.part_of(game, part))]
    everything = {
        "say": functools.partial(translations.say, language),
        "title": title,
        "language": language,
        "words": f"/words/{language}.json?v={translations.words_version(language)}",
        "words_versions": " ".join(f"{code}:{translations.words_version(code)}" for code in languages()),
        "offers": f"/offers.json?v={offers_version()}",
        "address": assets.address,
        "script": script,
        "modules": assets.modules_of(script, *own),
        "game_styles": assets.part_of(game, "table.css") if game else None,
        "books": f"/{offline.books_folder()}",
        "manifest": f"/{MANIFEST}",
        "service_worker": f"/{offline.SERVICE_WORKER}",
        "server": True,
        "any_language": False,
    }
    return _templates().get_template(template).render(everything | about)


@functools.cache
def device_page(root: str) -> bytes:
    """Return the page for tables on the reader's own device: the same for everyone, since it detects the
    reader's language itself. All its addresses begin with `root`, which is empty in a site without a server.
    """
    about: dict[str, Any] = {
        "game": None,
        "origin": "",
        # Browsers ignore `frame-ancestors` in a page.
        "policy": POLICY.partition("; frame-ancestors")[0],
        "address": lambda name: root + assets.address(name)[1:],
        "words": f"{root}words/{DEFAULT}.json?v={translations.words_version(DEFAULT)}",
        "offers": f"{root}offers.json?v={offers_version()}",
        "books": root + offline.books_folder(),
        "manifest": root + MANIFEST,
        "service_worker": root + offline.SERVICE_WORKER,
        "server": bool(root),
        "any_language": True,
    }
    title = translations.say(DEFAULT, "web.house_local")
    return _written(DEFAULT, "play.html", "js/local/play.js", title, (), about).encode()


def _is_trusted(request: Request) -> bool:
    """Whether browsers trust the origin of a page, because it is encrypted or on their own machine."""
    return request.url.scheme == "https" or request.url.hostname in LOOPBACK


def _origin(request: Request) -> str:
    """Return the address at which other devices reach a server that runs on the browser's own machine; empty
    if the browser's own address is right."""
    listens = request.app.state.services.tables.node.settings.host
    if request.url.hostname not in LOOPBACK or listens not in EVERYWHERE:
        return ""
    host = own_address()
    return "" if host is None else f"{request.url.scheme}://{host}:{request.url.port or 80}"


# Pages


async def home(request: Request) -> Response:
    """The first page: choose a game, join a table, continue a game."""
    return _page(request, "home.html", "js/house/home.js", _say(request, "web.house_title"))


async def _game_at(request: Request) -> str | None:
    """Return the game of a table; None if there is no such table, which the page itself will say."""
    try:
        actor = await request.app.state.services.tables.actor(request.path_params["table"])
    except NoSuchTable:
        return None
    return str(actor.state.game)


async def table(request: Request) -> Response:
    """A table: its lobby, the game, the result."""
    about = {"table": request.path_params["table"], "game": await _game_at(request)}
    return _page(
        request, "table.html", "js/house/table-page.js", _say(request, "web.house_table_title"), **about
    )


async def room(request: Request) -> Response:
    """A table on a shared screen: public cards, and how to join."""
    about = {"table": request.path_params["table"], "game": await _game_at(request)}
    return _page(
        request, "room.html", "js/house/big-screen.js", _say(request, "web.house_room_title"), **about
    )


async def play(request: Request) -> Response:
    """Tables on the reader's own device, which need no server."""
    return _send_page(request, device_page("/"))


async def join(request: Request) -> Response:
    """A short address to type, which leads to the home page with the code filled in."""
    return RedirectResponse(f"/?code={request.path_params['code']}", 302)


def _game(request: Request) -> str:
    game = str(request.path_params["game"])
    if game not in GAMES:
        raise NotFound("there is no such game")
    return game


def _name(request: Request, code: str, game: Game) -> str:
    """Return what the catalogues say about a game; if nothing, its title."""
    said = _say(request, code)
    return game.title if said == code else said


async def rules(request: Request) -> Response:
    """A rulebook."""
    game = _game(request)
    book, language = rulebook_html(game, _language(request))
    about: dict[str, Any] = {
        "book": book,
        "book_language": language,
        "shelf": {other.id: _name(request, f"web.house_game_{other.id}", other) for other in all_games()},
        "lesson": assets.part_of(game, "lesson.js") is not None,
    }
    title = _name(request, f"web.house_rules_{game}", find(game))
    return _page(request, "rules.html", "js/house/rules.js", title, game=game, **about)


async def learn(request: Request) -> Response:
    """A first game that teaches by playing, on the reader's own device."""
    game = _game(request)
    if assets.part_of(game, "lesson.js") is None:
        raise NotFound("this game does not have a lesson")
    return RedirectResponse(f"{offline.PAGE}#learn-{game}", 302)


async def missing(scope: Scope, receive: Receive, send: Send) -> None:
    """Nothing is at this address; people get a page that leads home."""
    request = Request(scope, receive)
    if scope["method"] != "GET" or "text/html" not in request.headers.get("accept", ""):
        raise NotFound("there is nothing at this address")
    response = _page(request, "missing.html", "js/house/missing.js", _say(request, "web.house_no_page"))
    response.status_code = 404
    await response(scope, receive, send)


async def replay(request: Request) -> Response:
    """A finished game, to step through."""
    return _page(request, "replay.html", "js/house/replay.js", _say(request, "web.house_replay_title"))


# Requests of pages


async def static(request: Request) -> Response:
    """A file, cached forever under its version, otherwise until its ETag changes."""
    name = request.path_params["name"]
    version, _, rest = name.partition("/")
    lasting = version == assets.version()
    if rest.startswith(TRANSLATED):
        # The first of them takes seconds, so other requests must not wait for it.
        found = await asyncio.to_thread(assets.item, rest)
    else:
        found = assets.item(rest) or assets.item(name)
    if found is None:
        raise NotFound("there is no such file")
    headers = {
        "Cache-Control": FOR_EVER if lasting else ASK_AGAIN,
        "Vary": "Accept-Encoding",
    }
    if not lasting:
        headers["ETag"] = found.tag
    if not lasting and found.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if found.kind == assets.KINDS[".js"]:
        headers["Content-Security-Policy"] = WORKER_POLICY
    packed = found.packed if _takes_gzip(request) else None
    response = Response(packed or found.body, media_type=found.kind, headers=headers)
    response.headers["Content-Type"] = found.kind
    if packed is not None:
        response.headers["Content-Encoding"] = "gzip"
    return response


async def offers(request: Request) -> Response:
    """The games with their options and files, and the bots; forever under their version."""
    lasting = request.query_params.get("v") == offers_version()
    caching = {"Cache-Control": FOR_EVER if lasting else ASK_AGAIN}
    return _send(request, offers_json(), "application/json", **caching)


async def book(request: Request) -> Response:
    """The text of a rulebook, to be shown beside a game."""
    game, language = _game(request), request.path_params["language"]
    if language not in languages():
        raise NotFound("there is no rulebook in this language")
    lasting = request.url.path.startswith(f"/{offline.books_folder()}")
    caching = {"Cache-Control": FOR_EVER if lasting else ASK_AGAIN}
    return _send(request, offline.book(game, language), "text/html", **caching)


async def service_worker(request: Request) -> Response:
    """The service worker, with the list of all that it keeps."""
    # The list has the names of translated files, and translating takes seconds the first time.
    body = await asyncio.to_thread(_service_worker)
    headers = {"Cache-Control": ASK_AGAIN, "Content-Security-Policy": SERVICE_WORKER_POLICY}
    return _send(request, body, assets.KINDS[".js"], **headers)


@functools.cache
def _service_worker() -> bytes:
    return offline.service_worker(offline.PAGE, device_page("/"))


async def position(request: Request) -> Response:
    """A picture of a rulebook: the position, which the table in the browser draws."""
    game, clause = _game(request), request.path_params["clause"]
    if clause not in positions_of(game):
        raise NotFound("there is no picture of this clause")
    lasting = "v" in request.query_params
    body = msgspec.json.encode(figure_of(game, clause))
    return _send(request, body, "application/json", **{"Cache-Control": FOR_EVER if lasting else ASK_AGAIN})


async def words(request: Request) -> Response:
    """All words of a language."""
    language = request.path_params["language"]
    if language not in languages():
        raise NotFound("there are no words in this language")
    lasting = request.query_params.get("v") == translations.words_version(language)
    body = translations.words_json(language)
    return _send(request, body, "application/json", **{"Cache-Control": FOR_EVER if lasting else ASK_AGAIN})


async def manifest(request: Request) -> Response:
    """The manifest by which a phone installs Upcard as an app."""
    body = offline.manifest(_language(request), start="/", root="/")
    return _send(request, body, "application/manifest+json")


async def favicon(_request: Request) -> Response:
    """Browsers request this address whatever icon a page names."""
    return RedirectResponse(assets.address("icons/upcard.svg"), 302)


async def qr(request: Request) -> Response:
    """A link to this server as a QR code, dark on light in both themes because cameras need that."""
    text = request.path_params["text"]
    found = QR_LINK.fullmatch(text)
    if found is None or found[1] not in _own_sites(request):
        raise BadRequest("QR codes are only for links to tables of this server")
    drawn = _qr_codes.get(text)
    if drawn is None:
        request.app.state.services.limits.charge(context_of(request).address, QR_COST)
        drawn = _qr_codes[text] = await asyncio.to_thread(_draw_qr, text)
    return _send(request, drawn, "image/svg+xml", **{"Cache-Control": FOR_EVER})


def _own_sites(request: Request) -> set[str]:
    """Return the sites, as in links, at which browsers may reach this server."""
    settings = request.app.state.services.tables.node.settings
    context = context_of(request)
    host = context.host.lower()
    return {f"http://{host}", f"https://{host}", *settings.origins, _origin(request)}


def _draw_qr(text: str) -> bytes:
    drawn = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        drawn, kind="svg", border=3, dark="#1d2430", light="#ffffff", omitsize=True, xmldecl=False
    )
    return drawn.getvalue()


PAGES: list[BaseRoute] = [
    Route("/", home),
    Route("/t/{table}", table),
    Route("/t/{table}/room", room),
    Route("/play", play),
    Route("/j/{code}", join),
    Route("/rules/{game}", rules),
    Route("/learn/{game}", learn),
    Route("/replay", replay),
    Route("/offers.json", offers),
    Route("/positions/{game}/{clause}.json", position),
    Route("/words/{language}.json", words),
    Route("/qr/{text:path}.svg", qr),
    Route("/books/{version}/{game}.{language}.html", book),
    Route(f"/{MANIFEST}", manifest),
    Route(f"/{offline.SERVICE_WORKER}", service_worker),
    Route("/favicon.ico", favicon),
    Route("/static/{name:path}", static),
]
