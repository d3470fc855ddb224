"""The addresses of a server, on its own machine and in its network."""

from __future__ import annotations

__all__ = ["EVERYWHERE", "LOOPBACK", "own_address", "public_address", "url_of"]

import contextlib
import ipaddress
import socket

LOOPBACK = ("localhost", "127.0.0.1", "::1")
EVERYWHERE = ("0.0.0.0", "::")


def own_address() -> str | None:
    """Return this machine's address in its network. No packet is sent: the system only looks up the route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        try:
            out.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(out.getsockname()[0])


def public_address() -> str | None:
    """Return an address of this machine that the whole internet can reach unless a firewall prevents it, if
    there is one."""
    found = {own_address()}
    with contextlib.suppress(OSError):
        named = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        found |= {str(address[0]) for *_, address in named}
    public = sorted(address for address in found if address and ipaddress.ip_address(address).is_global)
    return public[0] if public else None


def url_of(host: str, port: int) -> str:
    """Return the address of a page; a server that listens on all addresses is reachable on localhost too."""
    shown = "127.0.0.1" if host in EVERYWHERE else host
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"
