"""The statements and queries, in SQL that both SQLite and PostgreSQL understand.

Writes run in a transaction that is rolled back on an exception. On PostgreSQL, other nodes write at the same
time, so every write about a table first updates its row in `tables`, which locks it until the transaction
ends.
"""

from __future__ import annotations

__all__ = [
    "append",
    "attend",
    "attendance",
    "count",
    "due",
    "find_code",
    "find_handover",
    "find_recovery",
    "idle",
    "keep_code",
    "keep_recovery",
    "load",
    "note",
    "notes",
    "park",
    "probe",
    "public",
    "repeated",
    "tables_of",
]

from collections.abc import Sequence

from upcard.server.store.engine import Conflict, Connection, Value
from upcard.server.store.types import (
    AlreadyDone,
    Attendee,
    CodeTaken,
    CodeUsed,
    CommandIdReused,
    CommandKey,
    Handover,
    Row,
    SequenceConflict,
    TableSummary,
    WindowNotes,
)

# Writing


def append(
    link: Connection,
    table: str,
    base: int,
    rows: Sequence[tuple[float, bytes]],
    facts: TableSummary,
    command: CommandKey | None,
    closing: WindowNotes | None,
) -> int:
    """Add entries to a table that has exactly `base` of them, and return the number of the last one.

    Entries that close a window name the notes that they include. This function and `note` both lock the row
    of the table first, so every note that was acknowledged is among them, or this is a conflict.
    """
    last = base + len(rows)
    if base == 0:
        _open(link, table, last, facts, command)
    else:
        _advance(link, table, base, last, facts, command)
    if facts.people is not None:
        _keep_people(link, table, facts.people)
    if closing is not None and notes(link, table, closing.window) != closing.notes:
        raise SequenceConflict
    if command is not None and command.handover is not None:
        _use_code(link, command.handover, command.person)
    if command is not None and not _is_first(link, table, command, last):
        raise _refusal(link, table, command)
    try:
        for seq, (at, body) in enumerate(rows, base + 1):
            link.run(
                "INSERT INTO entries (table_id, seq, at, body) VALUES (?, ?, ?, ?)", (table, seq, at, body)
            )
    except Conflict:
        raise SequenceConflict from None
    return last


def _open(link: Connection, table: str, last: int, facts: TableSummary, command: CommandKey | None) -> None:
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
    link: Connection, table: str, base: int, last: int, facts: TableSummary, command: CommandKey | None
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


def _values(facts: TableSummary) -> tuple[Value, ...]:
    return (facts.game, facts.code, facts.public, facts.phase, facts.due, facts.touched)


def _keep_people(link: Connection, table: str, people: frozenset[str]) -> None:
    link.run("DELETE FROM seats WHERE table_id = ?", (table,))
    for person in sorted(people):
        link.run("INSERT INTO seats (person, table_id) VALUES (?, ?)", (person, table))


def _is_first(link: Connection, table: str, command: CommandKey, seq: int) -> bool:
    """Record that a command was carried out, unless it already was."""
    sql = (
        "INSERT INTO commands (table_id, person, id, seq, request) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT DO NOTHING"
    )
    return link.run(sql, (table, command.person, command.id, seq, command.request)) == 1


def _refusal(link: Connection, table: str, command: CommandKey | None) -> AlreadyDone | SequenceConflict:
    """Return why a table is not in the expected state: the command was already carried out, or someone else
    wrote to it."""
    seq = None if command is None else repeated(link, table, command)
    return SequenceConflict() if seq is None else AlreadyDone(seq)


def note(
    link: Connection, table: str, window: int, seat: int, move: str, command: CommandKey, base: int
) -> int:
    """Store the answer of a seat in a window, replacing an earlier one; return the current number of the log.
    A repeated command does not bring back an answer that a later one has replaced."""
    unchanged = link.run("UPDATE tables SET seq = seq WHERE id = ? AND seq = ?", (table, base))
    done = repeated(link, table, command)
    if done is not None:
        return done
    if not unchanged:
        raise SequenceConflict
    _is_first(link, table, command, base)
    link.run(
        "INSERT INTO notes (table_id, window_seq, seat, move) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (table_id, window_seq, seat) DO UPDATE SET move = excluded.move",
        (table, window, seat, move),
    )
    return base


def park(link: Connection, table: str, seq: int) -> None:
    """Note that nothing is due at a table, unless it has changed since entry `seq`."""
    link.run("UPDATE tables SET due = NULL WHERE id = ? AND seq = ?", (table, seq))


def keep_code(
    link: Connection, digest: bytes, table: str, seat: int, person: str, expires: float, now: float
) -> None:
    """Store the digest of a code that hands a seat over to another device, and delete expired ones."""
    link.run("DELETE FROM handovers WHERE expires < ?", (now,))
    sql = "INSERT INTO handovers (digest, table_id, seat, person, expires) VALUES (?, ?, ?, ?, ?)"
    try:
        link.run(sql, (digest, table, seat, person, expires))
    except Conflict:
        raise CodeTaken from None


def _use_code(link: Connection, digest: bytes, person: str) -> None:
    if not link.run("UPDATE handovers SET taken_by = ? WHERE digest = ? AND taken_by = ''", (person, digest)):
        raise CodeUsed


def attend(link: Connection, attendees: Sequence[Attendee], now: float) -> None:
    """Keep who is at tables that wait for players, and delete those who are not any more."""
    link.run("DELETE FROM attendance WHERE until < ?", (now,))
    # In the same order everywhere, so that nodes do not wait for each other in a circle.
    for one in sorted(attendees, key=lambda one: (one.table, one.person)):
        link.run(
            "INSERT INTO attendance (table_id, person, address, until) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (table_id, person)"
            " DO UPDATE SET address = excluded.address, until = excluded.until",
            (one.table, one.person, one.address, one.until),
        )


def keep_recovery(link: Connection, digest: bytes, person: str, sealed: bytes) -> None:
    """Store the digest of a person's recovery phrase instead of an earlier one."""
    link.run("DELETE FROM recoveries WHERE person = ?", (person,))
    link.run("INSERT INTO recoveries (digest, person, sealed) VALUES (?, ?, ?)", (digest, person, sealed))


def find_recovery(link: Connection, digest: bytes) -> bytes | None:
    """Return the encrypted number of the person with a recovery phrase."""
    found = link.ask("SELECT sealed FROM recoveries WHERE digest = ?", (digest,))
    return bytes(found[0][0]) if found else None


def probe(link: Connection) -> None:
    """Write a row and delete it, to check that the database accepts writes."""
    link.run(
        "INSERT INTO handovers (digest, table_id, seat, person, expires) VALUES (?, '', 0, '', 0)"
        " ON CONFLICT DO NOTHING",
        (b"probe",),
    )
    link.run("DELETE FROM handovers WHERE digest = ?", (b"probe",))


# Reading


def load(link: Connection, table: str, since: int) -> list[Row]:
    """Return the entries of a table after number `since`."""
    sql = "SELECT seq, at, body FROM entries WHERE table_id = ? AND seq > ? ORDER BY seq"
    return [Row(*found) for found in link.ask(sql, (table, since))]


def repeated(link: Connection, table: str, command: CommandKey) -> int | None:
    """Return the number of the last entry of a command that was carried out."""
    sql = "SELECT seq, request FROM commands WHERE table_id = ? AND person = ? AND id = ?"
    found = link.ask(sql, (table, command.person, command.id))
    if not found:
        return None
    [(seq, request)] = found
    # Old rows have no digest.
    if request and command.request and bytes(request) != command.request:
        raise CommandIdReused
    return int(seq)


def notes(link: Connection, table: str, window: int) -> dict[int, str]:
    """Return the stored answers in a window, by seat."""
    sql = "SELECT seat, move FROM notes WHERE table_id = ? AND window_seq = ? ORDER BY seat"
    return dict(link.ask(sql, (table, window)))


def find_code(link: Connection, code: str) -> str | None:
    """Return the table with a short code."""
    found = link.ask("SELECT id FROM tables WHERE code = ?", (code,))
    return found[0][0] if found else None


def find_handover(link: Connection, digest: bytes, now: float) -> Handover | None:
    """Return the seat that a code hands over, if the code has not expired."""
    sql = "SELECT table_id, seat, person, taken_by FROM handovers WHERE digest = ? AND expires >= ?"
    found = link.ask(sql, (digest, now))
    return Handover(*found[0]) if found else None


def attendance(link: Connection, table: str, now: float) -> set[str]:
    """Return who is at a table that waits for players."""
    sql = "SELECT person FROM attendance WHERE table_id = ? AND until >= ?"
    return {person for (person,) in link.ask(sql, (table, now))}


def public(link: Connection, limit: int, now: float) -> list[str]:
    """Return the public tables that are open and have someone there. The newest of each address come first,
    then the second of each, and so on: no address can fill the list."""
    sql = (
        "SELECT id FROM (SELECT id, opened, ROW_NUMBER() OVER"
        " (PARTITION BY address ORDER BY opened DESC, id) AS place"
        " FROM tables JOIN attendance ON table_id = id"
        " WHERE public AND phase = 'open' AND until >= ?) AS ranked"
        " GROUP BY id ORDER BY MIN(place), MAX(opened) DESC, id LIMIT ?"
    )
    return [table for (table,) in link.ask(sql, (now, limit))]


def tables_of(link: Connection, person: str, limit: int) -> list[str]:
    """Return the tables at which a person has a seat and whose game has no result: those in use before those
    that are archived, and the last touched first."""
    sql = (
        "SELECT tables.id FROM seats JOIN tables ON tables.id = seats.table_id"
        " WHERE seats.person = ? AND phase <> 'over'"
        " ORDER BY CASE phase WHEN 'archived' THEN 1 ELSE 0 END, touched DESC, tables.id LIMIT ?"
    )
    return [table for (table,) in link.ask(sql, (person, limit))]


def due(link: Connection, now: float, limit: int) -> list[tuple[str, float]]:
    """Return the tables whose deadlines have passed, with the deadlines, the earliest first."""
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
