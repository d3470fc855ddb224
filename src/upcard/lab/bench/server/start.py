"""How soon a server answers that has many tables."""

from __future__ import annotations

__all__ = ["FULL", "QUICK", "Plan", "copy_tables", "measure"]

import base64
import itertools
import random
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from upcard.core.entropy import random_bytes
from upcard.games import all_games
from upcard.lab.bench.figures import Figure
from upcard.lab.bench.server.crowd import MOVES, play
from upcard.lab.bench.server.house import House
from upcard.lab.bench.server.measuring import Say, now
from upcard.lab.bench.server.players import PATIENT, USUAL, Pair

# Promised is an answer after so many seconds.
SOON = 1.5
# What codes of tables are written in, and how long they are.
LETTERS = "BCDFGHJKLMNPQRSTVWXYZ"
LETTERS_OF_CODE = 6

IMPATIENT: Mapping[str, Any] = {**USUAL, "patience": "bot", "patience_seconds": 1}


@dataclass(frozen=True)
class Plan:
    """How many tables there are, and how often the server is started."""

    tables: int
    starts: int


FULL = Plan(10_000, 5)
QUICK = Plan(10_000, 2)


async def measure(plan: Plan, folder: Path, say: Say) -> list[Figure]:
    """Play at some tables, make many of them, and start again and again."""
    house = House(folder, {"log_level": "warning"})
    with house.running():
        await house.wait()
        say("playing at some tables")
        models = [model for game in all_games() for model in await _models(house, game.id)]
        for model in models:
            model.leave()
    say(f"copying them until there are {plan.tables:,}")
    copy_tables(house.database, [model.table for model in models], plan.tables - len(set(models)))
    times = []
    for number in range(1, plan.starts + 1):
        say(f"start {number} of {plan.starts}")
        times.append(await _start(house, models[-1]))
    answered, looked = (min(all_of_one) for all_of_one in zip(*times, strict=True))
    return [
        Figure(f"start with {plan.tables:,} tables: first answer", answered, "s", SOON, at_most=True),
        Figure(f"start with {plan.tables:,} tables: first look at one", looked, "s", SOON, at_most=True),
    ]


async def _models(house: House, game: str) -> list[Pair]:
    """Return pairs of one game as there are some after weeks: most games are over, some tables wait for
    players, some people left in the middle, and some of these for bots, which will play on at once."""
    over, left = (Pair(house, game, number, PATIENT) for number in range(2))
    due = Pair(house, game, 2, IMPATIENT)
    waiting = Pair(house, game, 3, {**PATIENT, "public": True})
    for pair in (over, left, due):
        await pair.arrive()
        await pair.sit_down()
        await play(pair, None if pair is over else MOVES[game] // 4)
    await waiting.arrive()
    await waiting.open()
    return [*6 * [over], waiting, due, left, left]


async def _start(house: House, pair: Pair) -> tuple[float, float]:
    """Start it; return after how many seconds it answers, and after how many it shows a table."""
    started = now()
    with house.running():
        await house.wait()
        answered = now() - started
        await pair.players[0].get(f"/api/tables/{pair.table}")
        looked = now() - started
        pair.leave()
    return answered, looked


# Many tables

Rows = dict[str, list[dict[str, Any]]]


def copy_tables(database: Path, models: Sequence[str], wanted: int) -> list[str]:
    """Write so many more tables like some that are there, in turn; return their names."""
    copies = [base64.urlsafe_b64encode(random_bytes("table", 12)).decode() for _ in range(wanted)]
    with closing(sqlite3.connect(database)) as link, link:
        parts = list(_parts(link))
        known = {model: {part: _read(link, part, key, model) for part, key in parts} for model in models}
        codes = random.sample(range(len(LETTERS) ** LETTERS_OF_CODE), wanted)
        for model, copy, code in zip(itertools.cycle(models), copies, codes, strict=False):
            _write(link, _renamed(known[model], copy, _code(code)))
    return copies


def _code(number: int) -> str:
    """Return one of all codes."""
    return "".join(
        LETTERS[number // len(LETTERS) ** place % len(LETTERS)] for place in range(LETTERS_OF_CODE)
    )


def _parts(link: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Return all SQL tables that know something about tables of cards, and by what they know which."""
    for (name,) in link.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        columns = [column for _, column, *_ in link.execute(f"PRAGMA table_info({name})")]
        if name == "tables" or "table_id" in columns:
            yield name, "id" if name == "tables" else "table_id"


def _read(link: sqlite3.Connection, part: str, key: str, model: str) -> list[dict[str, Any]]:
    found = link.execute(f"SELECT * FROM {part} WHERE {key} = ?", (model,))
    columns = [column for column, *_ in found.description]
    return [dict(zip(columns, row, strict=True)) for row in found]


def _renamed(rows: Rows, name: str, code: str) -> Rows:
    """Return the rows of a table with another name and another code, wherever these are written."""
    [table] = rows["tables"]
    new: dict[Any, Any] = {table["id"]: name, table["code"]: code, None: None}
    before, after = (table["code"] or code).encode(), code.encode()

    def changed(value: Any) -> Any:
        return value.replace(before, after) if isinstance(value, bytes) else new.get(value, value)

    return {
        part: [{column: changed(value) for column, value in row.items()} for row in found]
        for part, found in rows.items()
    }


def _write(link: sqlite3.Connection, rows: Rows) -> None:
    for part, found in rows.items():
        for row in found:
            gaps = ", ".join("?" * len(row))
            link.execute(f"INSERT INTO {part} ({', '.join(row)}) VALUES ({gaps})", list(row.values()))
