"""The HTTP interface: each endpoint with what it takes and how it answers."""

from __future__ import annotations

__all__ = ["ENDPOINTS", "Endpoint", "Server"]

import asyncio
import contextlib
import functools
import hmac
import re
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from upcard.core.errors import Refused
from upcard.games import all_games
from upcard.games import find as find_game
from upcard.match import replay
from upcard.match.fairness import new_secret
from upcard.server import commands, wire
from upcard.server import entries as log
from upcard.server.guard import visit_of
from upcard.server.hall import Decide, Hall, refusal_of
from upcard.server.limits import Limits
from upcard.server.metrics import Metrics
from upcard.server.people import People, Person, digest, new_code, new_table_code, read_table_code
from upcard.server.problems import BadRequest, NotFound, NotYours
from upcard.server.sitting import Sitting
from upcard.server.store import Behind, CodeTaken, Command, Repeated
from upcard.server.streams import Stream
from upcard.server.telling import tell_facts, tell_record

# A hand-over code can be used for so many seconds.
CODE_SECONDS = 300.0
# The HTTP status of each kind of answer.
STATUS = {wire.Done: 200, wire.Kept: 200, wire.Stale: 409, wire.Refusal: 422}

_encode = msgspec.json.Encoder().encode


@dataclass
class Server:
    """What endpoints need."""

    key: bytes
    people: People
    limits: Limits
    hall: Hall
    metrics: Metrics


Handler = Callable[[Server, Request, Any], Awaitable[Response]]


@dataclass(frozen=True)
class Endpoint:
    """One endpoint. `answers` are the types of its answers by status; where it `streams`, a request that does
    not ask for JSON is answered with server-sent events."""

    method: Literal["GET", "POST"]
    path: str
    handler: Handler
    summary: str
    request: type[msgspec.Struct] | None = None
    answers: dict[int, Any] = field(default_factory=dict)
    parameters: dict[str, tuple[Any, str]] = field(default_factory=dict)
    streams: bool = False

    @property
    def name(self) -> str:
        """A name for it, made of its address."""
        return re.sub(r"\W+", "_", self.path.replace("/api/", f"{self.method.lower()}/")).strip("_")


ENDPOINTS: list[Endpoint] = []


def endpoint(
    method: Literal["GET", "POST"], path: str, summary: str, **about: Any
) -> Callable[[Handler], Handler]:
    """Add an endpoint."""

    def add(handler: Handler) -> Handler:
        ENDPOINTS.append(Endpoint(method, path, handler, summary, **about))
        return handler

    return add


def _json(content: object, status: int = 200) -> Response:
    return Response(_encode(content), status, media_type="application/json")


def _known_now(server: Server, request: Request) -> tuple[Person, bool]:
    """Return who is asking; somebody new becomes known by the answer."""
    person = visit_of(request).person
    return (server.people.new(), True) if person is None else (person, False)


def _introduce(
    server: Server, request: Request, response: Response, person: Person, is_new: bool
) -> Response:
    """Give somebody new a cookie."""
    if is_new:
        response.headers.append("set-cookie", server.people.cookie(person, request.url.scheme == "https"))
    return response


# Who is asking


@endpoint(
    "POST",
    "/api/session",
    "Become known: a cookie for browsers, a token for programs.",
    answers={200: wire.Session},
)
async def session(server: Server, request: Request, _asked: None) -> Response:
    person, is_new = _known_now(server, request)
    # A page needs no token, and what it does not have cannot be stolen from it.
    token = None if "origin" in request.headers else server.people.token(person)
    return _introduce(server, request, _json(wire.Session(person.mark, token)), person, is_new)


# What there is


@endpoint(
    "GET", "/api/games", "All games with their options, the bots, the phrases.", answers={200: wire.Games}
)
async def games(server: Server, request: Request, _asked: None) -> Response:
    return _json(
        {
            "games": [_game(game) for game in all_games()],
            "bots": commands.table_bots(),
            "phrases": commands.PHRASES,
        }
    )


def _game(game: Any) -> dict[str, Any]:
    options = [
        {"name": option.name, "clause": option.clause, "default": option.default, "values": option.values}
        for option in game.options
    ]
    return {"game": game.id, "title": game.title, "summary": game.summary, "options": options}


@endpoint("GET", "/api/tables", "Open public tables, the newest first.", answers={200: wire.OpenTables})
async def open_tables(server: Server, request: Request, _asked: None) -> Response:
    found = []
    for table in await server.hall.store.public(50):
        room = await server.hall.room(table)
        async with room.lock:
            if room.sitting.phase == "open":
                found.append(_open_table(room.sitting))
    return _json(wire.OpenTables(found))


def _open_table(sitting: Sitting) -> wire.OpenTable:
    free = sum(seat.is_free and seat.kept_for is None for seat in sitting.seats)
    names = [seat.name for seat in sitting.seats if seat.person is not None]
    opened = sitting.history[0].at
    return wire.OpenTable(sitting.table, sitting.game, sitting.opened.options, free, names, opened)


@endpoint("POST", "/api/tables", "Set up a table.", request=wire.Open, answers={201: wire.Opened})
async def open_table(server: Server, request: Request, asked: wire.Open) -> Response:
    person, is_new = _known_now(server, request)
    server.limits.open_table(visit_of(request).address)
    game = find_game(asked.game)
    options = game.complete(asked.options)
    chairs = _chairs(asked.seats, int(options["players"]))
    # The same command makes the same table, however often it arrives.
    table = _name(server.key, "table", person.mark, asked.id)
    for _ in range(20):
        opened = log.Opened(
            game=game.id,
            options=options,
            host=person.mark,
            chairs=chairs,
            secret=new_secret().hex(),
            public=asked.public,
            code=new_table_code(),
            patience=asked.patience,
            patience_seconds=asked.patience_seconds,
            pace=asked.pace,
            window_seconds=asked.window_seconds,
        )
        try:
            await server.hall.open(table, [opened], Command(person.mark, asked.id))
        except CodeTaken:
            continue
        except (Behind, Repeated):
            pass  # it is there already
        break
    return _introduce(server, request, _json(await _opened(server, table), 201), person, is_new)


@endpoint(
    "POST",
    "/api/branch",
    "Play on from a position of a finished game, against bots.",
    request=wire.Branch,
    answers={201: wire.Opened},
)
async def branch(server: Server, request: Request, asked: wire.Branch) -> Response:
    person, is_new = _known_now(server, request)
    server.limits.open_table(visit_of(request).address)
    match = replay(await _finished(server, asked))
    if match.seed is None:
        raise BadRequest("this record has no seed, so nobody knows which cards would have come")
    made = [(moved.seat + 1, moved.text) for moved in match.log_of_moves]
    if asked.moves >= len(made) or asked.seat > len(match.players):
        raise BadRequest(
            f"the game has {len(made)} moves and {len(match.players)} seats: play on before its end"
        )
    bots: dict[int, str] = {}
    for seat in range(1, len(match.players) + 1):
        if seat != asked.seat:
            bots[seat] = commands.bot_name([*bots.values(), asked.name], seat)
    bot = commands.check_bot(asked.bot)
    chairs = [log.Chair(bots[seat], bot) if seat in bots else log.Chair() for seat in range(1, len(bots) + 2)]
    secret = new_secret().hex()
    opened = log.Opened(
        match.game.id,
        match.options,
        person.mark,
        chairs,
        secret,
        pace=asked.pace,
        window_seconds=asked.window_seconds,
    )
    sat = log.Sat(asked.seat, person.mark, commands.clean_name(None, asked.name), "00" * 32)
    started = log.Started(match.seed.hex(), made[: asked.moves])
    table = _name(server.key, "branch", person.mark, asked.id)
    with contextlib.suppress(Behind, Repeated):
        await server.hall.open(table, [opened, sat, started], Command(person.mark, asked.id))
    return _introduce(server, request, _json(await _opened(server, table), 201), person, is_new)


async def _finished(server: Server, asked: wire.Branch) -> Any:
    """Return the record of a game that is over."""
    if (asked.table is None) == (asked.record is None):
        raise BadRequest("name either a 'table' or a 'record'")
    if asked.table is None:
        return asked.record
    sitting, seat, _, _ = await server.hall.look(asked.table, None)
    if sitting.match is None or not sitting.match.over:
        raise BadRequest("the game is not over")
    return tell_record(sitting, seat)


async def _opened(server: Server, table: str) -> wire.Opened:
    room = await server.hall.room(table)
    told = tell_facts(room.sitting)
    return wire.Opened(table, told["code"], told["commitment"], room.sitting.seq)


def _chairs(seats: list[wire.SeatPlan], players: int) -> list[log.Chair]:
    if len(seats) > players:
        raise BadRequest(f"there are {len(seats)} seats, but {players} play")
    chairs = [log.Chair() for _ in range(players)]
    names: list[str] = []
    for number, seat in enumerate(seats, 1):
        if seat.bot is not None:
            names.append(commands.bot_name(names, number))
            chairs[number - 1] = log.Chair(names[-1], commands.check_bot(seat.bot))
    return chairs


def _name(key: bytes, *parts: str) -> str:
    """Return a name for a table that nobody can guess who does not have the server's key."""
    mixed = hmac.digest(key, "\0".join(parts).encode(), "sha256")
    return urlsafe_b64encode(mixed[:12]).decode()


class Code(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The short code of a table."""

    code: str


@endpoint("POST", "/api/join", "Find a table by its short code.", request=Code, answers={200: wire.Joined})
async def join(server: Server, request: Request, asked: Code) -> Response:
    server.limits.guess(visit_of(request).address)
    code = read_table_code(asked.code)
    table = None if code is None else await server.hall.store.find_code(code)
    if table is None:
        raise NotFound("no open table has this code")
    return _json(wire.Joined(table))


# One table


@endpoint(
    "GET",
    "/api/tables/{table}",
    "How a table stands, as the asker may know it.",
    answers={200: wire.TableState},
)
async def look(server: Server, request: Request, _asked: None) -> Response:
    sitting, _, _, state = await server.hall.look(request.path_params["table"], _mark(request))
    return _json(tell_facts(sitting) | state)


def _mark(request: Request) -> str | None:
    """Return the mark of who is asking, None for somebody unknown."""
    person = visit_of(request).person
    return None if person is None else person.mark


def _number(request: Request) -> int | None:
    """Return since which number news are wanted: what a browser says when it comes back, or a parameter."""
    text = request.headers.get("last-event-id") or request.query_params.get("since")
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        raise BadRequest("'since' should be a sequence number")
    return int(text)


@endpoint(
    "GET",
    "/api/tables/{table}/events",
    "What happens at a table: server-sent events, or (Accept: application/json) all since a number.",
    parameters={
        "since": (int, "The last sequence number that is known."),
        "states": (str, "`no` for streams without the state of the table after all that happens."),
    },
    answers={200: wire.Missed},
    streams=True,
)
async def events(server: Server, request: Request, _asked: None) -> Response:
    table, mark, since = request.path_params["table"], _mark(request), _number(request)
    if "application/json" in request.headers.get("accept", ""):
        sitting, _, news, state = await server.hall.look(table, mark, since or 0)
        return _json({"seq": sitting.seq, "news": news, "state": state})
    states = request.query_params.get("states") != "no"
    stream = await server.hall.watch(table, mark, visit_of(request).address, since, states)
    return EventStream(server, table, stream)


class EventStream(Response):
    """The answer that never ends: it writes what its stream is given until somebody goes away."""

    def __init__(self, server: Server, table: str, stream: Stream) -> None:
        super().__init__(
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}, media_type="text/event-stream"
        )
        del self.headers["content-length"]
        self.server = server
        self.table = table
        self.stream = stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        stream, door = self.stream, scope.get("upcard.door")
        # The connection ends with the stream: nobody should send another request by it.
        headers = self.raw_headers if door is None else [*self.raw_headers, (b"connection", b"close")]
        try:
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            if door is not None and door.take_stream(scope, stream):
                stream.lost = functools.partial(self.server.hall.unwatch, self.table, stream)
                return
        except BaseException:
            self.server.hall.unwatch(self.table, stream)
            raise
        await self._write(scope, receive, send)

    async def _write(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Write until somebody goes away, where no door does that for us."""
        stream = self.stream
        gone = asyncio.ensure_future(_until_gone(receive, stream))
        stream.cut = asyncio.current_task()
        try:
            while data := await stream.read():
                await send({"type": "http.response.body", "body": data, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except asyncio.CancelledError:
            # Cut off for reading too slowly; that the server wants to stop is for others to handle.
            if not stream.slow:
                raise
            if "upcard.door" in scope:
                scope["upcard.door"].abort()
        finally:
            stream.cut = None
            gone.cancel()
            self.server.hall.unwatch(self.table, stream)


async def _until_gone(receive: Receive, stream: Stream) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end()


@endpoint(
    "GET",
    "/api/tables/{table}/record",
    "The record of a game; while it goes on, the moves that the asker knows of.",
    answers={200: wire.GameRecord},
)
async def record(server: Server, request: Request, _asked: None) -> Response:
    sitting, seat, _, _ = await server.hall.look(request.path_params["table"], _mark(request))
    told = tell_record(sitting, seat)
    if told is None:
        raise NotFound("the game has not begun, so there is no record yet")
    return _json(told)


# Commands. Each is one request type and what is decided by it.

Deciding = Callable[[Any, str], Decide]


def command(path: str, request: type[msgspec.Struct], summary: str, deciding: Deciding) -> None:
    """Add the endpoint of a command at a table."""

    async def handler(server: Server, http: Request, asked: Any) -> Response:
        person, is_new = _known_now(server, http)
        since = getattr(asked, "base", None)
        answer = await server.hall.command(
            http.path_params["table"],
            person.mark,
            deciding(asked, person.mark),
            Command(person.mark, asked.id),
            since,
        )
        server.metrics.answered(str(type(answer).__struct_config__.tag))
        return _introduce(server, http, _json(answer, STATUS[type(answer)]), person, is_new)

    answers = {200: wire.Done, 409: wire.Stale, 422: wire.Refusal}
    ENDPOINTS.append(Endpoint("POST", f"/api/tables/{{table}}/{path}", handler, summary, request, answers))


command(
    "sit",
    wire.Sit,
    "Sit down.",
    lambda asked, person: (
        lambda sitting, _: commands.sit(sitting, person, asked.seat, asked.name, asked.share)
    ),
)
command(
    "stand",
    wire.Stand,
    "Stand up.",
    lambda _asked, person: lambda sitting, _: commands.stand(sitting, person),
)
command(
    "rename",
    wire.Rename,
    "Be called something else.",
    lambda asked, person: lambda sitting, _: commands.rename(sitting, person, asked.name),
)
command(
    "place",
    wire.Place,
    "Put a bot on a seat, or make it free.",
    lambda asked, person: lambda sitting, _: commands.place(sitting, person, asked.seat, asked.bot),
)
command(
    "start",
    wire.Start,
    "Deal the cards.",
    lambda _asked, person: lambda sitting, _: commands.start(sitting, person),
)
command(
    "play",
    wire.Play,
    "Make a move.",
    lambda asked, person: lambda sitting, _: commands.move(sitting, person, asked.move, asked.base),
)
command(
    "say",
    wire.Say,
    "Say one of the phrases.",
    lambda asked, person: lambda sitting, _: commands.say(sitting, person, asked.phrase),
)
command(
    "undo",
    wire.AskUndo,
    "Ask whether one's last move may be taken back.",
    lambda asked, person: lambda sitting, _: commands.ask_undo(sitting, person, asked.base),
)
command(
    "undo/answer",
    wire.AnswerUndo,
    "Agree that somebody takes back a move, or do not.",
    lambda asked, person: lambda sitting, _: commands.answer_undo(sitting, person, asked.agreed),
)
command(
    "leave", wire.Leave, "Go away.", lambda _asked, person: lambda sitting, _: commands.leave(sitting, person)
)
command(
    "come",
    wire.Come,
    "Take one's seat back.",
    lambda _asked, person: lambda sitting, _: commands.come_back(sitting, person),
)


@endpoint(
    "POST",
    "/api/tables/{table}/react",
    "Answer out of turn, while a window is open.",
    request=wire.React,
    answers={200: wire.Kept, 409: wire.Stale, 422: wire.Refusal},
)
async def react(server: Server, request: Request, asked: wire.React) -> Response:
    person, is_new = _known_now(server, request)
    answer = await server.hall.react(request.path_params["table"], person.mark, asked)
    server.metrics.answered(str(type(answer).__struct_config__.tag))
    return _introduce(server, request, _json(answer, STATUS[type(answer)]), person, is_new)


@endpoint(
    "POST",
    "/api/tables/{table}/rematch",
    "Set up another table for the same players.",
    request=wire.Rematch,
    answers={200: wire.Done, 422: wire.Refusal},
)
async def rematch(server: Server, request: Request, asked: wire.Rematch) -> Response:
    person, is_new = _known_now(server, request)
    table = request.path_params["table"]
    sitting, _, _, _ = await server.hall.look(table, person.mark)
    again = _name(server.key, "rematch", table)

    def deciding(sitting: Sitting, _now: float) -> list[log.Entry]:
        return commands.rematch(sitting, person.mark, again)

    try:
        deciding(sitting, 0.0)
    except Refused:
        pass  # the same refusal comes of it below, unless this was done before
    else:
        await _set_up_again(server, sitting, again, person, asked.id)
    answer = await server.hall.command(table, person.mark, deciding, Command(person.mark, asked.id))
    server.metrics.answered(str(type(answer).__struct_config__.tag))
    return _introduce(server, request, _json(answer, STATUS[type(answer)]), person, is_new)


async def _set_up_again(server: Server, sitting: Sitting, table: str, host: Person, command_id: str) -> None:
    """Set up the same table with a new secret; everybody's seat is kept for them."""
    chairs = [log.Chair(seat.name, seat.bot, None if seat.bot else seat.person) for seat in sitting.seats]
    for _ in range(20):
        opened = msgspec.structs.replace(
            sitting.opened,
            host=host.mark,
            chairs=[msgspec.structs.replace(chair, name=chair.name if chair.bot else "") for chair in chairs],
            secret=new_secret().hex(),
            code=new_table_code(),
            public=False,
            rematch_of=sitting.table,
        )
        try:
            await server.hall.open(table, [opened], Command(host.mark, command_id))
        except CodeTaken:
            continue
        except (Behind, Repeated):
            pass  # somebody else has just done so
        return


@endpoint(
    "POST",
    "/api/tables/{table}/hint",
    "Ask what a bot would do at one's seat, and why.",
    answers={200: wire.Hint, 422: wire.Refusal},
)
async def hint(server: Server, request: Request, _asked: None) -> Response:
    person, is_new = _known_now(server, request)
    try:
        response = _json(await server.hall.hint(request.path_params["table"], person.mark))
    except Refused as refused:
        response = _json(refusal_of(refused, 0), STATUS[wire.Refusal])
    return _introduce(server, request, response, person, is_new)


# Another device


@endpoint(
    "POST",
    "/api/tables/{table}/hand-over",
    "Ask for a code with which another device takes one's seat; it can be used once, for some minutes.",
    request=wire.HandOver,
    answers={200: wire.HandedOut},
)
async def hand_over(server: Server, request: Request, _asked: wire.HandOver) -> Response:
    table, mark = request.path_params["table"], _mark(request)
    _, seat, _, _ = await server.hall.look(table, mark)
    if seat is None or mark is None:
        raise NotYours("you have no seat at this table")
    code, expires = new_code(), server.hall.clock() + CODE_SECONDS
    await server.hall.store.keep_code(digest(code), table, seat, mark, expires)
    return _json(wire.HandedOut(code, expires))


@endpoint(
    "POST", "/api/take-seat", "Take a seat by such a code.", request=wire.TakeSeat, answers={200: wire.Joined}
)
async def take_seat(server: Server, request: Request, asked: wire.TakeSeat) -> Response:
    server.limits.guess(visit_of(request).address)
    found = await server.hall.store.take_code(digest(asked.code), server.hall.clock())
    if found is None:
        raise NotFound("this code was used, has expired, or was never given out")
    person, is_new = _known_now(server, request)
    table, seat, giver = found
    answer = await server.hall.command(
        table, person.mark, lambda sitting, _: commands.hand_over(sitting, seat, giver, person.mark), None
    )
    if isinstance(answer, wire.Refusal):
        return _json(answer, STATUS[wire.Refusal])
    return _introduce(server, request, _json(wire.Joined(table)), person, is_new)
