"""Chromium, which the tests of the browser table need: `python -m tests.server.web.chromium` sees to it.

A browser of this machine is taken if there is one (UPCARD_CHROMIUM names another). Otherwise Playwright
downloads its own, and where it cannot, Debian's is installed by whoever may do that.
"""

from __future__ import annotations

__all__ = ["MISSING", "NEEDED", "SWITCHES", "find", "install"]

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# The sandbox does not start in containers, and we open no pages but our own.
SWITCHES = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
APT = ["apt-get", "--quiet", "--yes"]
# So many seconds may a browser take to say which one it is.
PATIENCE = 60

MISSING = "there is no Chromium that runs: install one, or name it in UPCARD_CHROMIUM"
# Whoever says so does not want to hear that all is well when nothing was tried in a browser.
NEEDED = any(os.environ.get(name, "") not in ("", "0", "false") for name in ("CI", "UPCARD_NEEDS_BROWSER"))


@functools.cache
def find() -> str | None:
    """Return the path of a browser that runs, if there is one."""
    return next((path for path in _candidates() if _runs(path)), None)


def _candidates() -> Iterator[str]:
    """Return where a browser might be, the best place first."""
    if named := os.environ.get("UPCARD_CHROMIUM"):
        # Who names one wants that one: another would hide that it is gone.
        yield named
        return
    yield from filter(None, map(shutil.which, NAMES))
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright.chromium.executable_path


def _runs(path: str) -> bool:
    """Whether it can be started: one whose libraries are missing is there, but of no use."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def install() -> str | None:
    """Return the path of a browser, which is installed where there is none."""
    ways = (_nothing,) if os.environ.get("UPCARD_CHROMIUM") else (_nothing, _by_playwright, _by_apt)
    for way in ways:
        way()
        find.cache_clear()
        if found := find():
            return found
    return None


def _nothing() -> None:
    """It may be there already."""


def _by_playwright() -> None:
    print("There is no Chromium here: Playwright downloads one ...", flush=True)
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def _by_apt() -> None:
    if not shutil.which(APT[0]) or os.geteuid() != 0:
        return
    print("Now Debian's is installed ...", flush=True)
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update"], ["install", "--no-install-recommends", "chromium"]):
        subprocess.run([*APT, *step], env=environment, check=False)


def main() -> int:
    """Install it if need be. The exit code is 1 where that cannot be done and it is needed."""
    found = install()
    print(f"Chromium: {found}" if found else f"Chromium: {MISSING}", file=sys.stdout if found else sys.stderr)
    return int(found is None and NEEDED)


if __name__ == "__main__":
    sys.exit(main())
