"""Messages to systemd: that the server is ready, that it stops, and that it is alive (sd_notify)."""

from __future__ import annotations

__all__ = ["notify", "watchdog_interval"]

import contextlib
import os
import socket
from collections.abc import Mapping


def notify(message: str, environment: Mapping[str, str] = os.environ) -> None:
    """Send a message such as READY=1, if systemd (or a program like it) waits for one."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address or not hasattr(socket, "AF_UNIX"):
        return
    # An address that begins with @ is in the abstract namespace of Linux.
    path = "\0" + address[1:] if address.startswith("@") else address
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as there:
        there.sendto(message.encode(), path)


def watchdog_interval(environment: Mapping[str, str] = os.environ) -> float | None:
    """Return how often systemd is told that the server is alive, in seconds: twice in its time limit."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    try:
        limit = int(environment.get("WATCHDOG_USEC", ""))
    except ValueError:
        return None
    return limit / 2_000_000 if limit > 0 else None
