"""The actions of an operator on tables and people, whether servers are running or not.

They work directly in the database, in one transaction with a line in the audit log. So there is no second way
into the server, it works with SQLite and PostgreSQL and any number of nodes, and access to the database is
the only right that is needed. Running nodes follow within about a second.
"""

from __future__ import annotations

__all__ = ["Operator"]

import getpass
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from upcard.core.entropy import random_bytes
from upcard.core.errors import UpcardError
from upcard.core.text import quoted
from upcard.server.runtime.errors import NoSuchTable
from upcard.server.store import Row, TableSummary, open_operator, operators, pushes, sql
from upcard.server.store.engine import Connection
from upcard.server.table import entries
from upcard.server.table.entries import Entry, read_entry, write_entry
from upcard.server.table.projection import project_setup, project_state
from upcard.server.table.state import TableState

Json = dict[str, Any]

MARK_LETTERS = 32


class Operator:
    """An operator of the server whose tables are in a database."""

    def __init__(
        self, database: str, name: str | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self._database = database
        self._name = name or _user()
        self._clock = clock

    @contextmanager
    def _open(self) -> Iterator[Connection]:
        with open_operator(self._database) as link:
            yield link

    def _log(self, link: Connection, action: str, target: str, detail: str = "") -> None:
        operators.log_action(link, self._clock(), self._name, action, target, detail)

    # Tables

    def tables(self, phase: str | None = None, game: str | None = None, limit: int = 50) -> list[Json]:
        """Return the tables, the last touched first."""
        with self._open() as link:
            return [_listed(row) for row in operators.tables(link, phase, game, limit)]

    def show(self, table: str) -> Json:
        """Return a table without hidden cards: its setup, its seats and people, and its state."""
        with self._open() as link:
            listed, state = _listed(_row(link, table)), _state(link, table)
        shown = project_state(state, None)
        people = [
            {"mark": seat.person, **seen} for seat, seen in zip(state.seats, shown["seats"], strict=True)
        ]
        setup = {name: value for name, value in project_setup(state).items() if name not in ("table", "code")}
        return {**listed, **setup, "seats": people, "to_move": shown["to_move"], "result": shown["result"]}

    def close(self, table: str) -> None:
        """Close a table for good. Its record is kept."""
        with self._open() as link:
            _, game, phase, seq, _, touched, _ = _row(link, table)
            if phase == "archived":
                state = _state(link, table)
                if state.is_final:
                    raise UpcardError(f"the table {table} is closed already")
            facts = TableSummary(game, None, False, "archived", None, touched)
            closed = write_entry(entries.Archived(by_operator=True))
            sql.append(link, table, seq, [(self._clock(), closed)], facts, None, None)
            self._log(link, "close", table)

    def delete(self, table: str) -> None:
        """Delete a table with its record, and everything else about it."""
        with self._open() as link:
            _row(link, table)
            operators.delete(link, table)
            self._log(link, "delete", table)

    def export(self, table: str) -> Json:
        """Return the record of a game, with all hidden cards, even during the game."""
        with self._open() as link:
            _row(link, table)
            state = _state(link, table)
            if state.match is None:
                raise UpcardError(f"the game at the table {table} has not started, so there is no record")
            self._log(link, "export", table)
            return state.match.record()

    # People

    def person(self, text: str) -> str:
        """Return the mark of a person: written out, or as the seat of a table (TABLE:SEAT)."""
        table, colon, seat = text.rpartition(":")
        if not (colon and seat.isascii() and seat.isdigit() and len(seat) == 1):
            if len(text) == MARK_LETTERS and all(letter in "0123456789abcdef" for letter in text):
                return text
            raise UpcardError(
                f"a person is TABLE:SEAT, or the {MARK_LETTERS} letters that `upcard tables show` prints,"
                f" not {quoted(text)}"
            )
        with self._open() as link:
            _row(link, table)
            seats = _state(link, table).seats
        number = int(seat)
        if not 1 <= number <= len(seats) or seats[number - 1].person is None:
            raise UpcardError(f"there is no person at seat {number} of the table {table}")
        return str(seats[number - 1].person)

    def ban(self, target: str, reason: str = "") -> None:
        """Ban a person or an address from this server."""
        with self._open() as link:
            operators.ban(link, target, self._clock(), reason)
            self._log(link, "ban", target, reason)

    def unban(self, target: str) -> None:
        """Lift a ban."""
        with self._open() as link:
            if not operators.unban(link, target):
                raise UpcardError(f"{quoted(target)} is not banned")
            self._log(link, "unban", target)

    def forget(self, person: str) -> list[str]:
        """Remove a person from all tables: the games stay, with another name and without the person's mark.
        The person loses their seats. Return the tables."""
        stranger = random_bytes("forgotten person", MARK_LETTERS // 2).hex()
        with self._open() as link:
            found = operators.tables_with(link, person)
            for table in found:
                if operators.lock(link, table):
                    rows = list(_forgotten(sql.load(link, table, 0), person, stranger))
                    operators.rewrite(link, table, rows, person, stranger)
            operators.unban(link, person)
            link.run("DELETE FROM recoveries WHERE person = ?", (person,))
            pushes.forget(link, person)
            self._log(link, "forget", person[:8], " ".join(found))
        return found

    def deny_name(self, pattern: str) -> None:
        """Deny a name; `*` stands for any text."""
        if not pattern.strip("* "):
            raise UpcardError("this would deny every name")
        with self._open() as link:
            operators.deny(link, pattern)
            self._log(link, "deny-name", pattern)

    def allow_name(self, pattern: str) -> None:
        """Allow a name that was denied."""
        with self._open() as link:
            if not operators.allow(link, pattern):
                raise UpcardError(f"the name {quoted(pattern)} is not denied")
            self._log(link, "allow-name", pattern)

    def rules(self) -> Json:
        """Return all bans and denied names."""
        with self._open() as link:
            policy = operators.policy(link)
        return {"bans": policy.bans, "names": policy.names}

    def reports(self, limit: int = 50) -> list[Json]:
        """Return the reports of players, the newest first."""
        with self._open() as link:
            return [found._asdict() for found in operators.reports(link, limit)]

    def audit(self, limit: int = 50) -> list[Json]:
        """Return the last lines of the audit log, the oldest first."""
        with self._open() as link:
            last = operators.last_action(link)
            return [found._asdict() for found in operators.actions_since(link, last - limit, limit)]


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"


def _row(link: Connection, table: str) -> tuple[Any, ...]:
    """Return the row of a table that no node can change until the end of the transaction."""
    operators.lock(link, table)
    row = operators.row(link, table)
    if row is None:
        raise NoSuchTable(f"there is no table {quoted(table)}")
    return row


def _listed(row: tuple[Any, ...]) -> Json:
    table, game, phase, seq, opened, touched, public = row
    return {
        "table": table,
        "game": game,
        "phase": phase,
        "entries": seq,
        "opened": opened,
        "touched": touched,
        "public": bool(public),
    }


def _state(link: Connection, table: str) -> TableState:
    state = TableState(table)
    for row in sql.load(link, table, 0):
        state.apply(row.at, read_entry(row.body))
    return state


def _forgotten(rows: list[Row], person: str, stranger: str) -> Iterator[Row]:
    """Return the entries of a table that name a person, with another name and mark."""
    seats: dict[int, str] = {}
    for row in rows:
        entry = read_entry(row.body)
        if isinstance(entry, entries.Sat | entries.HandedOver):
            seats[entry.seat] = entry.person
        elif isinstance(entry, entries.Stood):
            seats.pop(entry.seat, None)
        changed = _without(entry, person, stranger, seats)
        if changed != entry:
            yield Row(row.seq, row.at, write_entry(changed))


def _without(entry: Entry, person: str, stranger: str, seats: dict[int, str]) -> Entry:
    match entry:
        case entries.Opened():
            chairs = [
                msgspec.structs.replace(chair, kept_for=stranger, name=_anonymous(seat), face="", tint=0)
                if chair.kept_for == person
                else chair
                for seat, chair in enumerate(entry.chairs, 1)
            ]
            host = stranger if entry.host == person else entry.host
            return msgspec.structs.replace(entry, chairs=chairs, host=host)
        case entries.Sat() if entry.person == person:
            name = _anonymous(entry.seat)
            return msgspec.structs.replace(entry, person=stranger, name=name, face="", tint=0)
        case entries.HandedOver() if entry.person == person:
            return msgspec.structs.replace(entry, person=stranger)
        case entries.Renamed() if seats.get(entry.seat) == person:
            return msgspec.structs.replace(entry, name=_anonymous(entry.seat), face="", tint=0)
    return entry


def _anonymous(seat: int) -> str:
    return f"Player {seat}"
