"""Chromium for the tests of the browser table: `python -m tests.server.web.chromium` installs it.

A browser that is installed on this machine is used (UPCARD_CHROMIUM chooses another one). Otherwise
Playwright downloads its own, and if that fails, Debian's is installed if this user may do that. The headless
shell comes first: Chromium without windows, in which opening a page takes a third of the time.
"""

from __future__ import annotations

__all__ = ["MISSING", "SWITCHES", "find", "find_or_skip", "install"]

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# The sandbox does not start in containers, and we open no pages but our own.
SWITCHES = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
APT = ["apt-get", "--quiet", "--yes"]
# Time limit for asking a browser its version, in seconds.
PATIENCE = 60

MISSING = "there is no Chromium that runs: install one, or name it in UPCARD_CHROMIUM"
# With this variable, tests without a browser fail instead of being skipped.
NEEDED = any(os.environ.get(name, "") not in ("", "0", "false") for name in ("CI", "UPCARD_NEEDS_BROWSER"))


@functools.cache
def find() -> str | None:
    """Return the path of a browser that runs, if there is one."""
    return next((path for path in _candidates() if _runs(path)), None)


def find_or_skip() -> str:
    """Return the path of a browser. Without one, the test is skipped, or fails if a browser is required."""
    return find() or (pytest.fail if NEEDED else pytest.skip)(MISSING)


def _candidates() -> Iterator[str]:
    """Return the paths where a browser might be, the best first."""
    if named := os.environ.get("UPCARD_CHROMIUM"):
        # Only the browser that was chosen counts: another one would hide that it is missing.
        yield named
        return
    yield from filter(None, map(shutil.which, NAMES))
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    # .../chromium-1234/chrome-linux64/chrome, and beside it the shell of the same version
    version = path.parents[1].name.rpartition("-")[2]
    yield from map(str, path.parents[2].glob(f"chromium_headless_shell-{version}/*/*headless*shell*"))
    yield str(path)


def _runs(path: str) -> bool:
    """Whether it can be started: a browser whose libraries are missing exists, but is useless."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def install() -> str | None:
    """Return the path of a browser, which is installed if there is none."""
    ways = (_nothing,) if os.environ.get("UPCARD_CHROMIUM") else (_nothing, _by_playwright, _by_apt)
    for way in ways:
        way()
        find.cache_clear()
        if found := find():
            return found
    return None


def _nothing() -> None:
    """Nothing to do: it may be there already."""


def _by_playwright() -> None:
    print("There is no Chromium here: Playwright downloads one ...", flush=True)
    subprocess.run([sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"], check=False)


def _by_apt() -> None:
    if not shutil.which(APT[0]) or os.geteuid() != 0:
        return
    print("Now Debian's is installed ...", flush=True)
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run([*APT, "update"], env=environment, check=False)
    # Older systems have no package of the shell.
    for package in (SHELL, "chromium"):
        done = subprocess.run(
            [*APT, "install", "--no-install-recommends", package], env=environment, check=False
        )
        if done.returncode == 0:
            break


def main() -> int:
    """Install it if necessary. The exit code is 1 if it is needed and cannot be installed."""
    found = install()
    print(f"Chromium: {found}" if found else f"Chromium: {MISSING}", file=sys.stdout if found else sys.stderr)
    return int(found is None and NEEDED)


if __name__ == "__main__":
    sys.exit(main())
