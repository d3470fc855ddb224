"""`upcard serve`."""

from __future__ import annotations

__all__ = ["serve"]

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from upcard.cli.arguments import Whole


def serve(
    *,
    host: str | None = None,
    port: Whole | None = None,
    database: str | None = None,
    bus: str | None = None,
    config: Path | None = None,
    set: Annotated[list[str] | None, Parameter(name="--set")] = None,  # noqa: A002  # the flag's name
    show: bool = False,
) -> int:
    """Serve tables over HTTP, until Ctrl-C.

    With the package cryptography (pip install 'upcard[push]'), browsers of players who want it are notified
    when it is their turn. The first start generates the key for this and stores it in the database.

    Parameters
    ----------
    host
        The address to listen on: 127.0.0.1 for this machine only, 0.0.0.0 for all machines that can reach it.
    port
        The port, by default 8000; 0 means any free port.
    database
        Where tables are stored: sqlite:///PATH or postgresql://...
    bus
        redis://HOST:PORT, if several nodes serve the same tables.
    config
        A file with settings, in TOML.
    set
        Any setting, such as burst=100; may be repeated.
    show
        List all settings with their sources, and exit.
    """
    from upcard.cli.serve import run

    flags = {"host": host, "port": port, "database": database, "bus": bus}
    return run(flags, set or [], config, show)
