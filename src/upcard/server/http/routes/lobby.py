"""New tables, rematches and branches, and how people find them."""

from __future__ import annotations

__all__ = ["branch", "join", "my_tables", "open_table", "open_tables", "rematch"]

import contextlib
import hmac
from base64 import urlsafe_b64encode
from functools import partial
from typing import Any

import msgspec
from starlette.responses import Response

from upcard.core.errors import Refused
from upcard.core.game import Game
from upcard.core.options import Value
from upcard.games import find as find_game
from upcard.match import Continuation, replay
from upcard.match.fairness import new_secret
from upcard.server.http.endpoints import Call, endpoint, json_response
from upcard.server.http.identity import new_table_code, read_table_code
from upcard.server.http.problems import BadRequest, NotFound
from upcard.server.http.routes.commands import answer_response
from upcard.server.http.schemas import requests, responses
from upcard.server.runtime.answers import Done, Refusal
from upcard.server.store import AlreadyDone, CodeTaken, CommandKey, SequenceConflict
from upcard.server.table import commands
from upcard.server.table.entries import Chair, Continued, Opened, Sat, Started
from upcard.server.table.projection import project_record, project_setup, wins_of
from upcard.server.table.state import TableState

# The maximum number of tables in the list of a person, and what each costs.
MAX_OWN = 20
OWN_COST = 0.2
# Tables in the public list.
MAX_LISTED = 50
# Attempts at finding a free short code.
CODE_ATTEMPTS = 20
# The number of bytes of a record that are replayed in about a millisecond.
BYTES_PER_TOKEN = 60


@endpoint(
    "GET",
    "/api/tables",
    "Open public tables with someone there; the newest of each address first.",
    answers={200: responses.OpenTables},
)
async def open_tables(call: Call) -> Response:
    tables = call.services.tables
    listed = await tables.node.store.public(MAX_LISTED, tables.node.clock())
    shown = [await tables.snapshot(table) for table in listed]
    found = [_open_table(one.state) for one in shown if one.state.phase == "open"]
    return json_response(responses.OpenTables(found))


@endpoint(
    "GET",
    "/api/my-tables",
    "The tables at which one has a seat, those that wait for one's move first.",
    answers={200: responses.MyTables},
)
async def my_tables(call: Call) -> Response:
    tables, found = call.services.tables, []
    listed = [] if call.mark is None else await tables.node.store.tables_of(call.mark, MAX_OWN)
    for table in listed:
        call.charge(OWN_COST)
        state, seat, _, _ = await tables.snapshot(table, call.mark)
        answered = seat is not None and seat in tables.actors[table].notes
        # A game that was archived continues when its players come back.
        if seat is not None and (state.phase in ("open", "playing") or (state.match and not state.is_over)):
            found.append(_my_table(state, seat, seat in state.awaited and not answered))
    found.sort(key=lambda one: (not one.your_turn, -one.since))
    return json_response(responses.MyTables(found))


def _my_table(state: TableState, seat: int, your_turn: bool) -> responses.MyTable:
    others = [name for number, name in enumerate(state.names, 1) if number != seat and name]
    deadline = state.patience_ends if your_turn else None
    since = state.changed_at or state.history[0].at
    phase: Any = state.phase
    return responses.MyTable(state.table, state.game, phase, seat, others, your_turn, since, deadline)


def _open_table(state: TableState) -> responses.OpenTable:
    free = sum(seat.is_free and seat.kept_for is None for seat in state.seats)
    names = [seat.name for seat in state.seats if seat.person is not None]
    opened = state.history[0].at
    return responses.OpenTable(state.table, state.game, state.opened.options, free, names, opened)


@endpoint("POST", "/api/tables", "Set up a table.", request=requests.Open, answers={201: responses.Opened})
async def open_table(call: Call) -> Response:
    call.services.limits.open_table(call.address)
    asked: requests.Open = call.body
    game = find_game(asked.game)
    options = game.complete(asked.options)
    chairs = _chairs(asked.seats, int(options["players"]))
    if asked.continues is not None:
        await _check_continued(call, game, options, chairs)
    opened = Opened(
        game=game.id,
        options=options,
        host=call.person.mark,
        chairs=chairs,
        secret=new_secret().hex(),
        public=asked.public,
        patience=asked.patience,
        patience_seconds=asked.patience_seconds,
        pace=asked.pace,
        window_seconds=asked.window_seconds,
        hold_seconds=asked.hold_seconds,
        unhurried=asked.unhurried,
        continues=_continued(asked.continues),
    )
    # A repeated command opens the same table.
    table = _table_id(call, "table", call.person.mark, asked.id)
    await _create_with_code(call, table, opened)
    return await _opened(call, table)


async def _check_continued(call: Call, game: Game, options: dict[str, Value], chairs: list[Chair]) -> None:
    """Refuse a game that cannot continue, and reserve the sender's seat."""
    begun: requests.Continued = call.body.continues
    call.charge(len(call.request_body) / BYTES_PER_TOKEN)
    continuation = Continuation(bytes.fromhex(begun.seed), begun.seat, begun.moves)
    # Any seed shows whether it can.
    await call.services.tables.node.replays.run(continuation.table, game, options, continuation.seed)
    if chairs[begun.seat - 1].bot is not None:
        raise BadRequest(f"seat {begun.seat} is that of the person who continues, so no bot can sit there")
    chairs[begun.seat - 1] = Chair(kept_for=call.person.mark)


def _continued(begun: requests.Continued | None) -> Continued | None:
    return None if begun is None else Continued(begun.seed, begun.seat, begun.moves)


@endpoint(
    "POST",
    "/api/branch",
    "Continue from a position of a finished game, against bots.",
    request=requests.Branch,
    answers={201: responses.Opened},
)
async def branch(call: Call) -> Response:
    call.services.limits.open_table(call.address)
    asked: requests.Branch = call.body
    record = await _finished_record(call, asked)
    call.charge(len(call.request_body) / BYTES_PER_TOKEN)
    match = await call.services.tables.node.replays.run(replay, record)
    if match.seed is None:
        raise BadRequest("this record has no seed, so its next cards are unknown")
    made = [(moved.seat + 1, moved.text) for moved in match.log_of_moves]
    seats = range(1, len(match.players) + 1)
    if asked.moves >= len(made) or asked.seat not in seats:
        raise BadRequest(
            f"the game has {len(made)} moves and {len(seats)} seats: name a seat, and a move before the end"
        )
    bot = commands.check_bot(asked.bot)
    call.services.tables.node.policy.check_name(asked.name)
    chairs: list[Chair] = []
    for seat in seats:
        taken = [chair.name for chair in chairs] + [asked.name]
        chairs.append(Chair() if seat == asked.seat else Chair(commands.bot_name(taken, seat), bot))
    opened = Opened(
        match.game.id,
        match.options,
        call.person.mark,
        chairs,
        new_secret().hex(),
        pace=asked.pace,
        window_seconds=asked.window_seconds,
        continues=_written(match.continues),
    )
    sat = Sat(asked.seat, call.person.mark, commands.clean_name(None, asked.name), "00" * 32)
    started = Started(match.seed.hex(), made[: asked.moves])
    table = _table_id(call, "branch", call.person.mark, asked.id)
    with contextlib.suppress(SequenceConflict, AlreadyDone):
        await call.services.tables.create(table, [opened, sat, started], call.key)
    return await _opened(call, table)


def _written(continues: Continuation | None) -> Continued | None:
    return None if continues is None else Continued(continues.seed.hex(), continues.seat, [*continues.moves])


async def _finished_record(call: Call, asked: requests.Branch) -> Any:
    """Return the record of a game that is over."""
    if (asked.table is None) == (asked.record is None):
        raise BadRequest("name either a 'table' or a 'record'")
    if asked.table is None:
        return asked.record
    state, seat, _, _ = await call.services.tables.snapshot(asked.table)
    if not state.is_over:
        raise BadRequest("the game is not over")
    return project_record(state, seat)


@endpoint(
    "POST",
    "/api/tables/{table}/rematch",
    "Set up another table for the same players.",
    request=requests.Rematch,
    answers={200: Done, 422: Refusal},
)
async def rematch(call: Call) -> Response:
    tables = call.services.tables
    asked: requests.Rematch = call.body
    state, seat, _, _ = await tables.snapshot(call.table, call.person.mark)
    again = state.rematch or _table_id(call, "rematch", call.table)
    decide = partial(commands.rematch, person=call.person.mark, table=again)
    # A command that will be refused does not need a table.
    with contextlib.suppress(Refused):
        decide(state)
        if state.rematch is None:
            await _create_with_code(call, again, _same_again(state, call.person.mark, asked))
    answer = await tables.submit(call.table, call.person.mark, decide, call.key)
    if isinstance(answer, Done) and asked.share is not None and seat is not None:
        await _sit_again(call, again, state.names[seat - 1], asked.share)
    return answer_response(call, answer)


def _same_again(state: TableState, host: str, asked: requests.Rematch) -> Opened:
    """Return the setup of another game, with a new secret; people's seats are reserved for them."""
    chairs = [
        Chair(seat.name, seat.bot, seat.person, seat.face, seat.tint)
        if seat.bot is None
        else Chair(seat.name, seat.bot)
        for seat in state.seats
    ]
    game = state.game if asked.game is None else find_game(asked.game).id
    options = state.opened.options
    if game != state.game or asked.options:
        options = find_game(game).complete({**asked.options, "players": len(state.seats)})
    return msgspec.structs.replace(
        state.opened,
        game=game,
        options=options,
        host=host,
        chairs=chairs,
        secret=new_secret().hex(),
        public=False,
        rematch_of=state.table,
        starts_when_full=asked.share is not None,
        wins=wins_of(state),
        continues=None,
    )


async def _sit_again(call: Call, table: str, name: str, share: str) -> None:
    """Sit down at the table of the next game, unless already done."""
    tables, person = call.services.tables, call.person.mark
    if (await tables.snapshot(table, person)).seat is None:
        asked: requests.Rematch = call.body
        sit = partial(
            commands.sit,
            person=person,
            seat=None,
            name=name,
            share=share,
            face=asked.face,
            tint=asked.tint,
        )
        await tables.submit(table, person, sit, CommandKey(person, f"{asked.id}.sit"))


async def _create_with_code(call: Call, table: str, opened: Opened) -> None:
    """Create a table with an unused short code, unless the table exists already."""
    for _ in range(CODE_ATTEMPTS):
        coded = msgspec.structs.replace(opened, code=new_table_code())
        try:
            with contextlib.suppress(SequenceConflict, AlreadyDone):
                await call.services.tables.create(table, [coded], call.key)
            return
        except CodeTaken:
            continue


async def _opened(call: Call, table: str) -> Response:
    state, _, _, _ = await call.services.tables.snapshot(table)
    setup = project_setup(state)
    return json_response(responses.Opened(table, setup["code"], setup["commitment"], state.seq), 201)


def _chairs(seats: list[requests.SeatPlan], players: int) -> list[Chair]:
    if len(seats) > players:
        raise BadRequest(f"there are {len(seats)} seats, but {players} players")
    chairs = [Chair() for _ in range(players)]
    names: list[str] = []
    for number, seat in enumerate(seats, 1):
        if seat.bot is not None:
            names.append(commands.bot_name(names, number))
            chairs[number - 1] = Chair(names[-1], commands.check_bot(seat.bot))
    return chairs


def _table_id(call: Call, *parts: str) -> str:
    """Return an id for a table that only the holder of the server's key can compute."""
    mixed = hmac.digest(call.services.key, "\0".join(parts).encode(), "sha256")
    return urlsafe_b64encode(mixed[:12]).decode()


@endpoint(
    "POST",
    "/api/join",
    "Find a table by its short code.",
    request=requests.Code,
    answers={200: responses.Joined},
)
async def join(call: Call) -> Response:
    code = read_table_code(call.body.code)
    async with call.services.limits.guess(call.address):
        table = None if code is None else await call.services.tables.node.store.find_code(code)
        if table is None:
            raise NotFound("no open table has this code")
    return json_response(responses.Joined(table))
