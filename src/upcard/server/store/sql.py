"""What is written and asked, in SQL that SQLite and PostgreSQL understand alike.

What writes runs in a transaction that is undone if an exception comes out of it. On PostgreSQL other
nodes write at the same time: whoever writes something about a table first updates its row in `tables`,
which locks it until the transaction ends.
"""

from __future__ import annotations

__all__ = [
    "append",
    "count",
    "due",
    "find_code",
    "idle",
    "keep_code",
    "load",
    "note",
    "notes",
    "public",
    "repeated",
    "take_code",
]

from collections.abc import Sequence

from upcard.server.store.engine import Conflict, Connection, Value
from upcard.server.store.terms import Behind, CodeTaken, Command, Facts, Repeated, Row

# Writing


def append(
    link: Connection,
    table: str,
    base: int,
    rows: Sequence[tuple[float, bytes]],
    facts: Facts,
    command: Command | None,
) -> int:
    """Add entries to a table that has just `base` of them, and return the number of the last."""
    last = base + len(rows)
    if base == 0:
        _open(link, table, last, facts, command)
    else:
        _advance(link, table, base, last, facts, command)
    if command is not None and not _is_first(link, table, command, last):
        raise _refusal(link, table, command)
    try:
        for seq, (at, body) in enumerate(rows, base + 1):
            link.run(
                "INSERT INTO entries (table_id, seq, at, body) VALUES (?, ?, ?, ?)", (table, seq, at, body)
            )
    except Conflict:
        raise Behind from None
    return last


def _open(link: Connection, table: str, last: int, facts: Facts, command: Command | None) -> None:
    values = (table, last, facts.touched, *_values(facts))
    opened = link.run(
        "INSERT INTO tables (id, seq, opened, game, code, public, phase, due, touched)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        values,
    )
    if opened:
        return
    if link.ask("SELECT 1 FROM tables WHERE id = ?", (table,)):
        raise _refusal(link, table, command)
    raise CodeTaken


def _advance(
    link: Connection, table: str, base: int, last: int, facts: Facts, command: Command | None
) -> None:
    try:
        advanced = link.run(
            "UPDATE tables SET seq = ?, game = ?, code = ?, public = ?, phase = ?, due = ?, touched = ?"
            " WHERE id = ? AND seq = ?",
            (last, *_values(facts), table, base),
        )
    except Conflict:
        raise CodeTaken from None
    if not advanced:
        raise _refusal(link, table, command)


def _values(facts: Facts) -> tuple[Value, ...]:
    return (facts.game, facts.code, facts.public, facts.phase, facts.due, facts.touched)


def _is_first(link: Connection, table: str, command: Command, seq: int) -> bool:
    """Remember that a command was done, unless it was before."""
    sql = "INSERT INTO commands (table_id, person, id, seq) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
    return link.run(sql, (table, command.person, command.id, seq)) == 1


def _refusal(link: Connection, table: str, command: Command | None) -> Repeated | Behind:
    """Say why a table is not as it should be: because the command was done, or by somebody else."""
    seq = None if command is None else repeated(link, table, command)
    return Behind() if seq is None else Repeated(seq)


def note(link: Connection, table: str, window: int, seat: int, move: str, command: Command, base: int) -> int:
    """Keep the answer of a seat in a window, instead of an earlier one; return the number the log was at. A
    command that was done is done: it does not bring back an answer that another has replaced."""
    unchanged = link.run("UPDATE tables SET seq = seq WHERE id = ? AND seq = ?", (table, base))
    done = repeated(link, table, command)
    if done is not None:
        return done
    if not unchanged:
        raise Behind
    _is_first(link, table, command, base)
    link.run(
        "INSERT INTO notes (table_id, window_seq, seat, move) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (table_id, window_seq, seat) DO UPDATE SET move = excluded.move",
        (table, window, seat, move),
    )
    return base


def keep_code(link: Connection, digest: bytes, table: str, seat: int, person: str, expires: float) -> None:
    """Keep the digest of a code that hands a person's seat over to another device."""
    sql = "INSERT INTO handovers (digest, table_id, seat, person, expires) VALUES (?, ?, ?, ?, ?)"
    try:
        link.run(sql, (digest, table, seat, person, expires))
    except Conflict:
        raise CodeTaken from None


def take_code(link: Connection, digest: bytes, now: float) -> tuple[str, int, str] | None:
    """Return the table, seat and person of a code, once; forget all codes that have expired."""
    link.run("DELETE FROM handovers WHERE expires < ?", (now,))
    found = link.ask("SELECT table_id, seat, person FROM handovers WHERE digest = ?", (digest,))
    # Two nodes may both have found it. Only one can delete it.
    if not found or not link.run("DELETE FROM handovers WHERE digest = ?", (digest,)):
        return None
    [(table, seat, person)] = found
    return table, seat, person


# Asking


def load(link: Connection, table: str, since: int) -> list[Row]:
    """Return the entries of a table after number `since`."""
    sql = "SELECT seq, at, body FROM entries WHERE table_id = ? AND seq > ? ORDER BY seq"
    return [Row(*found) for found in link.ask(sql, (table, since))]


def repeated(link: Connection, table: str, command: Command) -> int | None:
    """Return the number of the last entry of a command that was done."""
    sql = "SELECT seq FROM commands WHERE table_id = ? AND person = ? AND id = ?"
    found = link.ask(sql, (table, command.person, command.id))
    return found[0][0] if found else None


def notes(link: Connection, table: str, window: int) -> dict[int, str]:
    """Return the answers that were kept in a window, by seat."""
    sql = "SELECT seat, move FROM notes WHERE table_id = ? AND window_seq = ? ORDER BY seat"
    return dict(link.ask(sql, (table, window)))


def find_code(link: Connection, code: str) -> str | None:
    """Return the table with a short code."""
    found = link.ask("SELECT id FROM tables WHERE code = ?", (code,))
    return found[0][0] if found else None


def public(link: Connection, limit: int) -> list[str]:
    """Return the public tables that are open, the newest first."""
    sql = "SELECT id FROM tables WHERE public AND phase = 'open' ORDER BY opened DESC, id LIMIT ?"
    return [table for (table,) in link.ask(sql, (limit,))]


def due(link: Connection, now: float, limit: int) -> list[tuple[str, float]]:
    """Return the tables at which something has to happen by now, and when, the earliest first."""
    sql = "SELECT id, due FROM tables WHERE due IS NOT NULL AND due <= ? ORDER BY due, id LIMIT ?"
    return [(table, due) for table, due in link.ask(sql, (now, limit))]


def idle(link: Connection, before: float, limit: int) -> list[str]:
    """Return the tables that were last touched before a time and are not archived, the longest idle first."""
    sql = "SELECT id FROM tables WHERE phase <> 'archived' AND touched < ? ORDER BY touched, id LIMIT ?"
    return [table for (table,) in link.ask(sql, (before, limit))]


def count(link: Connection) -> int:
    """Return how many tables there are."""
    [(tables,)] = link.ask("SELECT COUNT(*) FROM tables")
    return int(tables)
