"""Migrations of a database: numbered SQL files, each run once and in order."""

from __future__ import annotations

__all__ = ["migrate", "migrations"]

import json
from collections.abc import Callable
from importlib.resources import files

from upcard.server.store.engine import Connection
from upcard.server.store.types import StoreError


def migrate(link: Connection) -> None:
    """Run the missing migrations of a database, all of them or none. If several programs open it at the same
    time, one does this while the others wait."""
    link.begin_alone()
    link.run("CREATE TABLE IF NOT EXISTS versions (version BIGINT PRIMARY KEY)")
    [(version,)] = link.ask("SELECT COALESCE(MAX(version), 0) FROM versions")
    known = migrations()
    if version > len(known):
        raise StoreError(
            f"the database has version {version} and this Upcard knows versions up to {len(known)}:"
            " install a newer Upcard"
        )
    for number, statements in enumerate(known[version:], version + 1):
        for statement in statements:
            link.run(statement)
        if number in AFTERWARDS:
            AFTERWARDS[number](link)
        link.run("INSERT INTO versions (version) VALUES (?)", (number,))
    link.commit()


def migrations() -> list[list[str]]:
    """The statements of each migration, from number 1 on. A statement ends with a semicolon at the end of a
    line."""
    folder = files("upcard.server.store") / "migrations"
    scripts = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name
    )
    return [
        [statement for statement in script.read_text("utf-8").split(";\n") if statement.strip()]
        for script in scripts
    ]


def _index_seats(link: Connection) -> None:
    """Fill the index of seats, which SQL alone cannot do: the logs are JSON."""
    for (table,) in link.ask("SELECT id FROM tables WHERE phase NOT IN ('over', 'archived')"):
        people: dict[int, str] = {}
        for (body,) in link.ask("SELECT body FROM entries WHERE table_id = ? ORDER BY seq", (table,)):
            try:
                entry = json.loads(bytes(body))
            except ValueError:
                continue  # a damaged table must not prevent the others from being opened
            if entry["kind"] in ("sat", "handed_over"):
                people[entry["seat"]] = entry["person"]
            elif entry["kind"] in ("stood", "placed"):
                people.pop(entry["seat"], None)
        for person in sorted(set(people.values())):
            link.run("INSERT INTO seats (person, table_id) VALUES (?, ?)", (person, table))


# What follows the statements of a migration, by its number.
AFTERWARDS: dict[int, Callable[[Connection], None]] = {5: _index_seats}
