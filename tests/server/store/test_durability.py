"""Whatever was acknowledged is stored, exactly once, however the program ended."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.server.store.appending import TABLES
from upcard.server.store import open_store

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[3]


def acknowledged_before_a_kill(url: str, lines: int) -> list[tuple[str, int]]:
    """Let a program append until it has acknowledged a number of entries, kill it, and return everything it
    acknowledged."""
    command = [sys.executable, "-m", "tests.server.store.appending", url]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        applied = [program.stdout.readline() for _ in range(lines)]
        program.kill()
        applied += program.stdout.readlines()
    # The kill may have cut the last line short.
    said = [line.split() for line in applied if line.endswith("\n")]
    return [(table, int(seq)) for table, seq in said]


async def kill_after(url: str, acknowledged: Iterable[int]) -> None:
    """Kill one program after another, and check that everything acknowledged is stored exactly once."""
    latest: dict[str, int] = defaultdict(int)
    for lines in acknowledged:
        for table, seq in acknowledged_before_a_kill(url, lines):
            latest[table] = max(seq, latest[table])
        assert sum(latest.values()) >= lines
        store = open_store(url)
        for table in TABLES:
            log = await store.load(table)
            assert len(log) >= latest[table]
            assert [row.seq for row in log] == [int(row.body) for row in log] == list(range(1, len(log) + 1))
        await store.close()


async def test_acknowledged_entries_survive_kill_9_and_are_there_once(url: str) -> None:
    await kill_after(url, [100, 30])


@pytest.mark.soak
async def test_acknowledged_entries_survive_a_hundred_kill_9(url: str) -> None:
    await kill_after(url, range(1, 401, 4))
