"""The command `serve`."""

from __future__ import annotations

__all__ = ["run"]

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from upcard.core.errors import OptionError
from upcard.server.config import Settings


def run(flags: Mapping[str, object], named: Sequence[str], file: Path | None, show: bool) -> int:
    """Serve with settings from flags, the environment and a file; or only list them."""
    settings = Settings.of({**flags, **_read(named)}, os.environ, file)
    if show:
        print(settings.describe())
        return 0
    from upcard.server.serve import serve

    serve(settings)
    return 0


def _read(named: Sequence[str]) -> dict[str, object]:
    """Return the settings that are written name=value."""
    given: dict[str, object] = {}
    for text in named:
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f"a setting is written name=value, not {text!r:.40}")
        given[name] = value
    return given
