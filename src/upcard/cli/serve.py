"""The command `serve`."""

from __future__ import annotations

__all__ = ["run", "run_at_home"]

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from upcard.core.errors import OptionError
from upcard.server.config import Settings

# At home the whole network may join, and logs are short.
AT_HOME = {"UPCARD_HOST": "0.0.0.0", "UPCARD_LOG": "text", "UPCARD_LOG_LEVEL": "warning"}


def run(flags: Mapping[str, object], named: Sequence[str], file: Path | None, show: bool) -> int:
    """Serve with settings from flags, the environment and a file; or only list them."""
    settings = Settings.of({**flags, **_read(named)}, os.environ, file)
    if show:
        print(settings.describe())
        return 0
    from upcard.server.ops.serve import serve

    serve(settings)
    return 0


def run_at_home(port: int | None, browser: bool, only_me: bool) -> int:
    """Serve this network, or this machine only, and open a browser; if tables are already being served, open
    it there."""
    from upcard.server.http.addresses import LOOPBACK
    from upcard.server.ops.banner import open_browser, serves_everyone

    only_here = only_me or ("UPCARD_HOST" not in os.environ and not serves_everyone())
    settings = Settings.of({"port": port, "host": LOOPBACK[1] if only_here else None}, AT_HOME | os.environ)
    from upcard.server.ops.instance_lock import AlreadyServing
    from upcard.server.ops.serve import serve

    try:
        serve(settings, at_home=True, browser=browser)
    except AlreadyServing as taken:
        if not taken.url:
            raise
        print(f"Upcard is already at {taken.url}")
        if browser:
            open_browser(taken.url)
    return 0


def _read(named: Sequence[str]) -> dict[str, object]:
    """Return the settings of texts such as name=value."""
    given: dict[str, object] = {}
    for text in named:
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f"a setting is written name=value, not {text!r:.40}")
        given[name] = value
    return given
