"""The bench of the table server: very short versions of all parts, and that each finds what it is for."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from upcard.cli import INTERRUPTED, main
from upcard.lab.bench.figures import Figure
from upcard.lab.bench.server import bad, crash, load, mischief, start
from upcard.lab.bench.server.crash import Ledger
from upcard.lab.bench.server.crowd import Load, gather, play
from upcard.lab.bench.server.house import House, apart
from upcard.lab.bench.server.http import post
from upcard.lab.bench.server.measuring import quantile, run
from upcard.lab.bench.server.mischief import Bad, Mischief
from upcard.lab.bench.server.players import PATIENT, Made, Pair

GAMES = ["stockpile", "lines", "stacks"]


def silence(_text: str) -> None:
    pass


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server that runs."""
    with House(tmp_path, {"log_level": "warning"}).running() as house:
        yield house


async def sat_down(house: House, game: str) -> Pair:
    await house.wait()
    pair = Pair(house, game, 0, PATIENT)
    await pair.arrive()
    await pair.sit_down()
    return pair


# All of it


def test_all_parts_are_one_command_that_prints_one_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(load, "QUICK", load.Plan(3, (4,), 0.3, 0.2, 2, 0.1, 20.0))
    monkeypatch.setattr(start, "QUICK", start.Plan(60, 1))
    monkeypatch.setattr(crash, "QUICK", crash.Plan(2, 6, 1000.0, 150))
    monkeypatch.setattr(bad, "QUICK", bad.Plan(300))
    with pytest.raises(SystemExit):
        main(["bench", "server", "--quick", "--json"])
    figures = {figure["name"]: figure for figure in json.loads(capsys.readouterr().out)}
    exact = ("lost", "done twice", "5xx", "not refused", "errors in the log", "changed")
    for word in exact:
        [figure] = [figure for name, figure in figures.items() if word in name]
        assert figure["value"] == 0, figure
    for words in ("p99", "memory a table", "most moves/s", "first answer", "kill -9 to the first move"):
        assert any(words in name and figure["value"] > 0 for name, figure in figures.items()), words
