"""The statements and queries of operators, in SQL that both SQLite and PostgreSQL understand.

Operators work in the database, beside running servers or without any: they do not have to reach a server, and
access to the database is the only right that is needed. Every change is in the audit log, in the same
transaction; running nodes read that log every second, and follow.
"""

from __future__ import annotations

__all__ = [
    "Action",
    "Policy",
    "Report",
    "actions_since",
    "allow",
    "ban",
    "delete",
    "deny",
    "last_action",
    "lock",
    "log_action",
    "old",
    "policy",
    "report",
    "reports",
    "rewrite",
    "row",
    "tables",
    "tables_with",
    "unban",
]

from collections.abc import Sequence
from typing import Any, NamedTuple

from upcard.server.store.engine import Connection
from upcard.server.store.types import Row

# Tables that name the table they belong to.
DEPENDENT = ("entries", "commands", "notes", "handovers", "seats", "attendance", "reports")
COLUMNS = "id, game, phase, seq, opened, touched, public"


class Action(NamedTuple):
    """A line of the audit log."""

    id: int
    at: float
    operator: str
    action: str
    target: str
    detail: str


class Report(NamedTuple):
    """A player was reported by another one."""

    table: str
    reporter: str
    seat: int
    person: str
    name: str
    at: float


class Policy(NamedTuple):
    """Bans and denied names."""

    bans: dict[str, str]
    names: list[str]


# The audit log


def log_action(link: Connection, at: float, operator: str, action: str, target: str, detail: str) -> None:
    """Add a line to the audit log. Operators write one after another (`begin_alone`)."""
    link.run(
        "INSERT INTO audit (id, at, operator, action, target, detail) VALUES (?, ?, ?, ?, ?, ?)",
        (last_action(link) + 1, at, operator, action, target, detail),
    )


def last_action(link: Connection) -> int:
    """Return the number of the last line."""
    [(last,)] = link.ask("SELECT COALESCE(MAX(id), 0) FROM audit")
    return int(last)


def actions_since(link: Connection, number: int, limit: int) -> list[Action]:
    """Return the lines after a number, the oldest first."""
    sql = "SELECT id, at, operator, action, target, detail FROM audit WHERE id > ? ORDER BY id LIMIT ?"
    return [Action(*found) for found in link.ask(sql, (number, limit))]


# Tables


def tables(link: Connection, phase: str | None, game: str | None, limit: int) -> list[tuple[Any, ...]]:
    """Return the tables of a phase and a game (None: of all), the last touched first."""
    wanted = [(name, value) for name, value in (("phase", phase), ("game", game)) if value is not None]
    where = f" WHERE {' AND '.join(f'{name} = ?' for name, _ in wanted)}" if wanted else ""
    values = [value for _, value in wanted]
    return link.ask(
        f"SELECT {COLUMNS} FROM tables{where} ORDER BY touched DESC, id LIMIT ?", [*values, limit]
    )


def row(link: Connection, table: str) -> tuple[Any, ...] | None:
    """Return the row of a table."""
    found = link.ask(f"SELECT {COLUMNS} FROM tables WHERE id = ?", (table,))
    return found[0] if found else None


def lock(link: Connection, table: str) -> bool:
    """Lock a table against all nodes until the transaction ends; return whether it exists."""
    return link.run("UPDATE tables SET seq = seq WHERE id = ?", (table,)) == 1


def delete(link: Connection, table: str) -> None:
    """Delete a table and everything that belongs to it."""
    for name in DEPENDENT:
        link.run(f"DELETE FROM {name} WHERE table_id = ?", (table,))
    link.run("DELETE FROM tables WHERE id = ?", (table,))


def old(link: Connection, before: float, limit: int) -> list[str]:
    """Return the archived tables that were last touched before a time."""
    sql = "SELECT id FROM tables WHERE phase = 'archived' AND touched < ? ORDER BY touched, id LIMIT ?"
    return [table for (table,) in link.ask(sql, (before, limit))]


# People


def ban(link: Connection, target: str, at: float, reason: str) -> None:
    """Ban a person or an address."""
    unban(link, target)
    link.run("INSERT INTO bans (target, at, reason) VALUES (?, ?, ?)", (target, at, reason))


def unban(link: Connection, target: str) -> bool:
    """Lift a ban; return whether there was one."""
    return link.run("DELETE FROM bans WHERE target = ?", (target,)) > 0


def deny(link: Connection, pattern: str) -> None:
    """Deny a name."""
    link.run("INSERT INTO denied_names (pattern) VALUES (?) ON CONFLICT DO NOTHING", (pattern,))


def allow(link: Connection, pattern: str) -> bool:
    """Allow a name that was denied; return whether it was."""
    return link.run("DELETE FROM denied_names WHERE pattern = ?", (pattern,)) > 0


def policy(link: Connection) -> Policy:
    """Return all bans with their reasons, and all denied names."""
    bans = dict(link.ask("SELECT target, reason FROM bans ORDER BY target"))
    return Policy(bans, [name for (name,) in link.ask("SELECT pattern FROM denied_names ORDER BY pattern")])


def report(link: Connection, reported: Report) -> None:
    """Store a report, unless the same player has reported the same seat before."""
    link.run(
        "INSERT INTO reports (table_id, reporter, seat, person, name, at) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT DO NOTHING",
        tuple(reported),
    )


def reports(link: Connection, limit: int) -> list[Report]:
    """Return the reports, the newest first."""
    sql = "SELECT table_id, reporter, seat, person, name, at FROM reports ORDER BY at DESC LIMIT ?"
    return [Report(*found) for found in link.ask(sql, (limit,))]


def tables_with(link: Connection, person: str) -> list[str]:
    """Return all tables at which a person has ever been active."""
    found = link.ask(
        "SELECT table_id FROM seats WHERE person = ? UNION SELECT table_id FROM commands WHERE person = ?",
        (person, person),
    )
    return sorted(table for (table,) in found)


def rewrite(link: Connection, table: str, rows: Sequence[Row], person: str, replacement: str) -> None:
    """Replace entries of a table, and a person by another mark wherever the table names them."""
    for each in rows:
        link.run("UPDATE entries SET body = ? WHERE table_id = ? AND seq = ?", (each.body, table, each.seq))
    link.run("DELETE FROM seats WHERE table_id = ? AND person = ?", (table, person))
    link.run("UPDATE commands SET person = ? WHERE table_id = ? AND person = ?", (replacement, table, person))
    link.run("DELETE FROM handovers WHERE table_id = ? AND person = ?", (table, person))
    link.run("DELETE FROM attendance WHERE table_id = ? AND person = ?", (table, person))
    link.run("DELETE FROM reports WHERE table_id = ? AND reporter = ?", (table, person))
    link.run(
        "UPDATE reports SET person = ?, name = '' WHERE table_id = ? AND person = ?",
        (replacement, table, person),
    )
