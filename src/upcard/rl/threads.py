"""The threads of a VectorEnv: their number, and the tables of each."""

from __future__ import annotations

__all__ = ["TABLES_PER_THREAD", "default_threads", "parts"]

import os
from itertools import pairwise

# Minimum number of tables for each thread, unless the caller sets the number of threads. With fewer, waking a
# second thread can take longer than the work it saves, as `make bench PART=rl` measures.
TABLES_PER_THREAD = 2_048


def default_threads(tables: int) -> int:
    """Return the default number of threads for a number of tables."""
    return max(1, min(_cores(), tables // TABLES_PER_THREAD))


def _cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def parts(tables: int, threads: int) -> list[tuple[int, int]]:
    """Return the tables of each thread."""
    bounds = [tables * part // threads for part in range(threads + 1)]
    return list(pairwise(bounds))
