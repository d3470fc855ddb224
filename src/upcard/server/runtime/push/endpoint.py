"""The addresses to which push messages may go. They come from clients, so the server must not be led to any
other server: only known push services over https count, and only public addresses of theirs."""

from __future__ import annotations

__all__ = ["Endpoint", "ForbiddenEndpoint", "is_allowed_address", "read_endpoint", "resolve"]

import asyncio
import ipaddress
import re
import socket
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from upcard.core.errors import UpcardError

MAX_LENGTH = 1024
# IPv6 networks that contain addresses of IPv4 (NAT64 and 6to4): the number of bits before the inner address.
INNER = {ipaddress.IPv6Network("64:ff9b::/96"): 96, ipaddress.IPv6Network("2002::/16"): 16}

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class ForbiddenEndpoint(UpcardError):
    """No push message may be sent to this address."""


class Endpoint(NamedTuple):
    """The address of a device at a push service. `loopback`: for tests, it is on this machine and not
    encrypted."""

    host: str
    port: int
    path: str
    loopback: bool

    @property
    def origin(self) -> str:
        """The push service, as signatures name it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}" if self.loopback else f"https://{host}"


def read_endpoint(text: str, services: Sequence[str], loopback: bool) -> Endpoint:
    """Return an endpoint of one of the push services, or (`loopback`) on this machine."""
    if len(text) > MAX_LENGTH or not re.fullmatch(r"[!-~]+", text):
        raise ForbiddenEndpoint("an endpoint is the address of a push service")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ForbiddenEndpoint("an endpoint is the address of a push service") from None
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    has_user = parts.username is not None or parts.password is not None
    if loopback and parts.scheme == "http" and port and host in ("127.0.0.1", "::1") and not has_user:
        return Endpoint(host, port, path, True)
    if parts.scheme != "https" or port not in (None, 443) or has_user:
        raise ForbiddenEndpoint("an endpoint begins with https:// and has no port and no user")
    if not any(host == service or host.endswith(f".{service}") for service in services):
        raise ForbiddenEndpoint("this push service is not known to the server")
    return Endpoint(host, 443, path, False)


async def resolve(endpoint: Endpoint) -> str:
    """Return the address to connect to. A name of which any address is not public is refused, and the address
    that was checked is the one that is used."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(endpoint.host, endpoint.port, type=socket.SOCK_STREAM)
    addresses = [str(where[0]) for *_, where in found]
    if not addresses or not all(is_allowed_address(address, endpoint.loopback) for address in addresses):
        raise ForbiddenEndpoint("the address of the push service is not public")
    return addresses[0]


def is_allowed_address(text: str, loopback: bool) -> bool:
    """Whether messages may go to an IP address: it is public or, if `loopback`, this machine."""
    address = _innermost(ipaddress.ip_address(text.partition("%")[0]))
    if loopback:
        return address.is_loopback
    return address.is_global and not address.is_multicast


def _innermost(address: Address) -> Address:
    """Return the IPv4 address inside an IPv6 address that only wraps one."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    for network, before in INNER.items():
        if address in network:
            return ipaddress.IPv4Address((int(address) >> (96 - before)) & 0xFFFFFFFF)
    return address
