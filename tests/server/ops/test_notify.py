"""Messages to systemd, and the log of database failures."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from upcard.server.ops.notify import notify, watchdog_interval
from upcard.server.outages import Outages


def test_systemd_gets_a_message_at_its_socket(tmp_path: Path) -> None:
    address = str(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as there:
        there.bind(address)
        notify("READY=1", {"NOTIFY_SOCKET": address})
        assert there.recv(100) == b"READY=1"


def test_without_systemd_nothing_is_sent() -> None:
    notify("READY=1", {})
    notify("READY=1", {"NOTIFY_SOCKET": "/nowhere/at/all"})


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({"WATCHDOG_USEC": "60000000"}, 30.0),
        ({"WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "often"}, None),
        ({}, None),
    ],
)
def test_the_server_is_heard_twice_in_the_time_that_systemd_waits(
    environment: dict[str, str], seconds: float | None
) -> None:
    assert watchdog_interval(environment) == seconds


def test_a_failing_database_gets_one_line_a_second_that_counts_the_others() -> None:
    now = 10.0
    outages = Outages(lambda: now)
    with capture_logs() as lines:
        for _ in range(5_000):
            outages.report("the disk is full")
        now = 11.0
        outages.report("the disk is full")
    assert [(line["reason"], line.get("unreported")) for line in lines] == [
        ("the disk is full", None),
        ("the disk is full", 4_999),
    ]
