"""The commands of operators: their settings and output."""

from __future__ import annotations

__all__ = ["operator_of", "print_done", "print_fields", "print_json", "print_rows", "target_of"]

import ipaddress
import json as json_format
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from upcard.core.text import printable
from upcard.server.config import Settings
from upcard.server.ops.operator import Operator

# Columns that are times.
TIMES = ("opened", "touched", "at")


def operator_of(database: str | None, config: Path | None) -> Operator:
    """Return the operator of the server with these settings."""
    return Operator(Settings.of({"database": database}, os.environ, config).database)


def target_of(operator: Operator, text: str) -> str:
    """Return the target of a ban: an address, a network, or the mark of a person."""
    try:
        return str(ipaddress.ip_network(text, strict=False))
    except ValueError:
        return operator.person(text)


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
    return printable(str(value))
