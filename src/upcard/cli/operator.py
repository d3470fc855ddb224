"""The commands of operators: their settings and output."""

from __future__ import annotations

__all__ = [
    "listed_keys",
    "operator_of",
    "print_done",
    "print_fields",
    "print_json",
    "print_rows",
    "rotated_key",
    "target_of",
]

import ipaddress
import json as json_format
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from upcard.core.text import printable
from upcard.server.config import SettingError, Settings, data_folder
from upcard.server.ops.operator import Operator
from upcard.server.signing_keys import key_id, list_keys, rotate_key

# Columns that are times.
TIMES = ("opened", "touched", "at", "accepted_until")


def operator_of(database: str | None, config: Path | None) -> Operator:
    """Return the operator of the server with these settings."""
    return Operator(Settings.of({"database": database}, os.environ, config).database)


def target_of(operator: Operator, text: str) -> str:
    """Return the target of a ban: an address, a network, or the mark of a person."""
    try:
        return str(ipaddress.ip_network(text, strict=False))
    except ValueError:
        return operator.person(text)


def listed_keys(config: Path | None) -> list[dict[str, Any]]:
    """Return the id of each key that a server with these settings accepts, the current one first."""
    listed = list_keys(Settings.of({}, os.environ, config), data_folder(), time.time())
    return [
        {"key": key.hex(), "signs": number == 0, "accepted_until": until}
        for number, (key, until) in enumerate(listed)
    ]


def rotated_key(config: Path | None) -> dict[str, Any]:
    """Rotate the key that is kept in a file. Return the id of the old one, and until when it is accepted."""
    settings = Settings.of({}, os.environ, config)
    if settings.secret is not None:
        raise SettingError(
            f"the key is the setting 'secret' ({settings.sources['secret']}): set a new one there, and add"
            " the present one to 'old_secrets'"
        )
    old, until = rotate_key(data_folder(), settings.session_days, time.time())
    return {"old_key": key_id(old.read_bytes()).hex(), "file": str(old), "accepted_until": until}


def print_json(value: object) -> None:
    """Print a value as one line of JSON."""
    print(json_format.dumps(value, ensure_ascii=False))


def print_rows(rows: Sequence[Mapping[str, Any]], json: bool) -> None:
    """Print rows as a table with a heading, or as a list in JSON."""
    if json:
        print_json([dict(row) for row in rows])
        return
    if not rows:
        print("nothing found")
        return
    names = list(rows[0])
    cells = [names, *([_cell(name, row[name]) for name in names] for row in rows)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(names))]
    for line in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def print_fields(fields: Mapping[str, Any], json: bool) -> None:
    """Print fields, one per line, or as an object in JSON."""
    if json:
        print_json(fields)
        return
    for name, value in fields.items():
        parts = value if isinstance(value, list) else [value]
        for part in parts or ["(none)"]:
            print(f"{name}: {_cell(name, part)}")


def print_done(what: str, target: str, json: bool) -> None:
    """Print what was done."""
    if json:
        print_json({what: target})
    else:
        print(f"{what}: {printable(target)}")


def _cell(name: str, value: Any) -> str:
    if name in TIMES and isinstance(value, int | float):
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(value))
    if isinstance(value, dict):
        return ", ".join(f"{key} {_cell(key, part)}" for key, part in value.items() if part not in (None, ""))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else printable(str(value))
