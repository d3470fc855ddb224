"""Bans and denied names, as decided by operators."""

from __future__ import annotations

__all__ = ["PolicyRules"]

import ipaddress

from upcard.server.store import Policy
from upcard.server.table import commands, names


class PolicyRules:
    """The bans and denied names of a node, which it reads again when an operator has changed them."""

    def __init__(self) -> None:
        self._people: frozenset[str] = frozenset()
        self._networks: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = []
        self._names: list[str] = []

    def update(self, policy: Policy) -> None:
        """Replace all rules."""
        networks = {target: _network(target) for target in policy.bans}
        self._networks = [network for network in networks.values() if network is not None]
        self._people = frozenset(target for target, network in networks.items() if network is None)
        self._names = policy.names

    def is_banned(self, mark: str | None, address: str) -> bool:
        """Whether a person, or the address of a request, is banned."""
        if mark in self._people:
            return True
        asker = _network(address) if self._networks else None
        return asker is not None and any(
            asker.version == banned.version and asker.subnet_of(banned)  # type: ignore[arg-type]
            for banned in self._networks
        )

    def check_name(self, name: str) -> None:
        """Refuse a name that is denied."""
        if any(names.matches(names.normalize(name), pattern) for pattern in self._names):
            commands.refuse("name_denied")


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None
