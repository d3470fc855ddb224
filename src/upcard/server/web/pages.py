"""The pages of the browser table, and the files they are made of."""

from __future__ import annotations

__all__ = ["PAGES"]

import asyncio
import functools
import gzip
import io
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import segno
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from upcard.core.errors import NotationError, RecordError
from upcard.core.words import languages
from upcard.games import GAMES
from upcard.server.addresses import EVERYWHERE, LOOPBACK, own_address
from upcard.server.problems import BadRequest, NotFound
from upcard.server.routes import ENDPOINTS
from upcard.server.telling import tell_record
from upcard.server.web import shelf, tongues
from upcard.server.web.books import written_book
from upcard.server.web.offers import offered
from upcard.server.web.positions import POSITIONS, figure_of
from upcard.server.web.steps import steps_of

# Nothing that is not a file of ours runs, looks or is loaded.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
# What is shorter does not get smaller.
WORTH_PACKING = 600
# What a picture to be scanned from a screen may say.
MOST_IN_QR = 300

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
    return tongues.choose(request.cookies.get("language"), request.headers.get("accept-language", ""))


def _takes_gzip(request: Request) -> bool:
    offered = request.headers.get("accept-encoding", "").split(",")
    return any(part.partition(";")[0].strip() == "gzip" and "q=0" not in part for part in offered)


def _send(request: Request, body: bytes, kind: str, **headers: str) -> Response:
    """Send something that was made for this request, packed if it is worth it."""
    response = Response(body, media_type=kind, headers=headers)
    if len(body) >= WORTH_PACKING and _takes_gzip(request):
        response = Response(gzip.compress(body, 5, mtime=0), media_type=kind, headers=headers)
        response.headers["Content-Encoding"] = "gzip"
    response.headers.append("Vary", "Accept-Encoding")
    return response


def _page(request: Request, template: str, script: str, title: str, **about: Any) -> Response:
    language = _language(request)
    say = functools.partial(tongues.say, language)
    text = (
        _templates()
        .get_template(template)
        .render(
            say=say,
            title=say(title),
            language=language,
            languages={code: name for code, name in tongues.NAMES.items() if code in languages()},
            words=f"/words/{language}.json?v={tongues.words_version(language)}",
            words_versions=" ".join(f"{code}:{tongues.words_version(code)}" for code in languages()),
            address=shelf.address,
            script=script,
            modules=shelf.modules_of(script),
            games=list(GAMES),
            origin=_origin(request),
            branches=any(endpoint.path == "/api/branch" for endpoint in ENDPOINTS),
            **about,
        )
    )
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": ASK_AGAIN}
    if not _is_trusted(request):
        # Over plain HTTP browsers take no notice of anything stricter, but complain of it.
        headers["Cross-Origin-Opener-Policy"] = "unsafe-none"
    response = _send(request, text.encode(), "text/html", **headers)
    response.headers.append("Vary", "Accept-Language, Cookie")
    return response


def _is_trusted(request: Request) -> bool:
    """Whether a browser believes that this page comes from where it says: by encryption, or from itself."""
    return request.url.scheme == "https" or request.url.hostname in LOOPBACK


def _origin(request: Request) -> str:
    """Return where other devices find a server that this browser finds on its own machine; otherwise nothing:
    the browser knows best."""
    listens = request.app.state.server.hall.settings.host
    if request.url.hostname not in LOOPBACK or listens not in EVERYWHERE:
        return ""
    host = own_address()
    return "" if host is None else f"{request.url.scheme}://{host}:{request.url.port or 80}"


# Pages


async def home(request: Request) -> Response:
    """The first page: choose a game, come to a table, go on."""
    return _page(request, "home.html", "js/house/home.js", "web.house_title")


async def table(request: Request) -> Response:
    """A table: its lobby, the game, the result."""
    name = request.path_params["table"]
    return _page(request, "table.html", "js/house/sitting.js", "web.house_table_title", table=name)


async def room(request: Request) -> Response:
    """A table for everybody in a room to look at: what is public, and how to join."""
    name = request.path_params["table"]
    return _page(request, "room.html", "js/house/room.js", "web.house_room_title", table=name)


async def join(request: Request) -> Response:
    """A short address to type: it leads to the first page with the code filled in."""
    return RedirectResponse(f"/?code={request.path_params['code']}", 302)


def _game(request: Request) -> str:
    game = str(request.path_params["game"])
    if game not in GAMES:
        raise NotFound("there is no such game")
    return game


async def rules(request: Request) -> Response:
    """A rulebook; with `part=book` only its text, to be shown beside a game."""
    game = _game(request)
    book, language = written_book(game, _language(request))
    if request.query_params.get("part") == "book":
        return _send(request, f'<article lang="{language}">{book}</article>'.encode(), "text/html")
    about = {"game": game, "book": book, "book_language": language}
    return _page(request, "rules.html", "js/house/rules.js", f"web.house_rules_{game}", **about)


async def learn(request: Request) -> Response:
    """A first game that teaches by playing."""
    game = _game(request)
    return _page(request, "learn.html", "js/house/learn.js", f"web.house_learn_{game}", game=game)


async def replay(request: Request) -> Response:
    """A game that was played, to step through."""
    return _page(request, "replay.html", "js/house/replay.js", "web.house_replay_title")


# What pages ask for


async def static(request: Request) -> Response:
    """A file of the shelf; for ever under its version, and otherwise as long as its tag holds."""
    name = request.path_params["name"]
    version, _, rest = name.partition("/")
    lasting = version == shelf.version()
    found = shelf.item(rest) or shelf.item(name)
    if found is None:
        raise NotFound("there is no such file")
    headers = {
        "Cache-Control": FOR_EVER if lasting else ASK_AGAIN,
        "ETag": found.tag,
        "Vary": "Accept-Encoding",
    }
    if found.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    packed = found.packed if _takes_gzip(request) else None
    response = Response(packed or found.body, media_type=found.kind, headers=headers)
    response.headers["Content-Type"] = found.kind
    if packed is not None:
        response.headers["Content-Encoding"] = "gzip"
    return response


async def offers(request: Request) -> Response:
    """The games with all that can be chosen at them, and the bots."""
    return _send(request, msgspec.json.encode(offered()), "application/json", **{"Cache-Control": ASK_AGAIN})


async def position(request: Request) -> Response:
    """A picture of a rulebook: the position, which the table in the browser draws."""
    game, clause = _game(request), request.path_params["clause"]
    if clause not in POSITIONS or POSITIONS[clause].game != game:
        raise NotFound("there is no picture of this clause")
    lasting = "v" in request.query_params
    body = msgspec.json.encode(figure_of(clause))
    return _send(request, body, "application/json", **{"Cache-Control": FOR_EVER if lasting else ASK_AGAIN})


async def words(request: Request) -> Response:
    """All words of a language."""
    language = request.path_params["language"]
    if language not in languages():
        raise NotFound("there are no words in this language")
    lasting = request.query_params.get("v") == tongues.words_version(language)
    body = tongues.written_words(language)
    return _send(request, body, "application/json", **{"Cache-Control": FOR_EVER if lasting else ASK_AGAIN})


async def manifest(request: Request) -> Response:
    """What a phone needs to know to put Upcard among its apps."""
    language = _language(request)
    icons = [
        {"src": shelf.address("icons/upcard.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
        {
            "src": shelf.address("icons/maskable.svg"),
            "sizes": "any",
            "type": "image/svg+xml",
            "purpose": "maskable",
        },
        {"src": shelf.address("icons/upcard-192.png"), "sizes": "192x192", "type": "image/png"},
        {"src": shelf.address("icons/upcard-512.png"), "sizes": "512x512", "type": "image/png"},
    ]
    about = {
        "id": "/",
        "name": "Upcard",
        "short_name": "Upcard",
        "description": tongues.say(language, "web.house_tagline"),
        "lang": language,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f3efe8",
        "theme_color": "#f3efe8",
        "icons": icons,
    }
    return _send(request, msgspec.json.encode(about), "application/manifest+json")


async def favicon(_request: Request) -> Response:
    """Browsers ask for this whatever a page says."""
    return RedirectResponse(shelf.address("icons/upcard.svg"), 302)


async def qr(request: Request) -> Response:
    """A text as a QR code, dark on light in both themes, since cameras want it so."""
    text = request.path_params["text"]
    if not 0 < len(text) <= MOST_IN_QR:
        raise BadRequest(f"a QR code can say 1 to {MOST_IN_QR} letters")
    drawn = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        drawn, kind="svg", border=3, dark="#1d2430", light="#ffffff", omitsize=True, xmldecl=False
    )
    return _send(request, drawn.getvalue(), "image/svg+xml", **{"Cache-Control": FOR_EVER})


def _seat(request: Request) -> int | None:
    text = request.query_params.get("seat", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) == 1 else None


async def steps_of_table(request: Request) -> Response:
    """A finished game of a table, step by step; while it goes on there is nothing to see here."""
    sitting, _, _, _ = await request.app.state.server.hall.look(request.path_params["table"], None)
    if sitting.match is None or not sitting.match.over:
        raise NotFound("the game of this table is not over")
    return await _steps(request, tell_record(sitting, None))


async def steps_of_record(request: Request) -> Response:
    """The game of a record, step by step."""
    try:
        record = msgspec.json.decode(await request.body())
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRequest("this is no record: it is not JSON") from error
    return await _steps(request, record)


async def _steps(request: Request, record: Any) -> Response:
    try:
        told = await asyncio.to_thread(steps_of, record, _seat(request))
    except (RecordError, NotationError) as error:
        raise BadRequest(str(error)) from error
    return _send(request, msgspec.json.encode(told), "application/json")


PAGES: list[BaseRoute] = [
    Route("/", home),
    Route("/t/{table}", table),
    Route("/t/{table}/room", room),
    Route("/j/{code}", join),
    Route("/rules/{game}", rules),
    Route("/learn/{game}", learn),
    Route("/replay", replay),
    Route("/replay/{table}.json", steps_of_table),
    Route("/api/replay", steps_of_record, methods=["POST"]),
    Route("/offers.json", offers),
    Route("/positions/{game}/{clause}.json", position),
    Route("/words/{language}.json", words),
    Route("/qr/{text:path}.svg", qr),
    Route("/manifest.webmanifest", manifest),
    Route("/favicon.ico", favicon),
    Route("/static/{name:path}", static),
]
