"""Migrations of a database: numbered SQL files, each run once and in order."""

from __future__ import annotations

__all__ = ["migrate", "migrations"]

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
