"""What was acknowledged is there, once, however the program ended."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.server.store.appending import TABLES
from upcard.server.store import open_store

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[3]
KILLS = 3


def acknowledged_before_a_kill(url: str, lines: int) -> list[tuple[str, int]]:
    """Let a program append until it has acknowledged so much, kill it, and return all it acknowledged."""
    command = [sys.executable, "-m", "tests.server.store.appending", url]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        heard = [program.stdout.readline() for _ in range(lines)]
        program.kill()
        heard += program.stdout.readlines()
    # The kill may have cut the last line short.
    said = [line.split() for line in heard if line.endswith("\n")]
    return [(table, int(seq)) for table, seq in said]


async def test_what_was_acknowledged_outlives_kill_9_and_nothing_is_there_twice(url: str) -> None:
    latest: dict[str, int] = defaultdict(int)
    for _ in range(KILLS):
        heard = acknowledged_before_a_kill(url, random.randint(1, 400))
        assert heard
        for table, seq in heard:
            latest[table] = max(seq, latest[table])
        store = open_store(url)
        for table in TABLES:
            log = await store.load(table)
            assert len(log) >= latest[table]
            assert [row.seq for row in log] == [int(row.body) for row in log] == list(range(1, len(log) + 1))
        await store.close()
