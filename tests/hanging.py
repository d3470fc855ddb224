"""The end of tests that wait forever.

Tests wait for conditions without a limit of their own. pytest-timeout (`timeout` in pyproject.toml) raises an
error where a test waits, and shows where all threads are. But once a test has failed, pytest-timeout ignores
its teardown, which may wait forever; and whatever catches the error may wait again. So a second limit, a
little later and for each phase, ends the whole process, which then shows where every thread was. xdist
reports the test as failed, and the run ends.
"""

from __future__ import annotations

__all__ = ["ended_if_it_hangs", "prepare"]

import contextlib
import faulthandler
import os
from collections.abc import Iterator

import pytest

# How much later than pytest-timeout.
LATER = 1.1
_error_output = pytest.StashKey[int]()


def prepare(config: pytest.Config) -> None:
    """Keep the error output of the process, which is captured during tests."""
    config.stash[_error_output] = os.dup(2)


@contextlib.contextmanager
def ended_if_it_hangs(item: pytest.Item) -> Iterator[None]:
    """End this process if a phase of a test does not end."""
    marker = item.get_closest_marker("timeout")
    limit = float(marker.args[0] if marker else item.config.getini("timeout")) * LATER
    if limit:
        faulthandler.dump_traceback_later(limit, exit=True, file=item.config.stash[_error_output])
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
