"""The statements and queries of push messages: subscriptions, and the key that signs."""

from __future__ import annotations

__all__ = ["Subscription", "find", "forget", "move", "remove", "server_key", "subscribe"]

from typing import NamedTuple

from upcard.server.store.engine import Connection

# The devices of one person; the ones that were not used for longest are dropped.
MAX_DEVICES = 8


class Subscription(NamedTuple):
    """A device of a person: its address at a push service, its keys, and the language of its messages."""

    endpoint: str
    person: str
    public_key: bytes
    auth: bytes
    language: str
    site: str


def subscribe(link: Connection, new: Subscription, now: float) -> None:
    """Store a subscription instead of an earlier one of the same device."""
    remove(link, new.endpoint)
    link.run(
        "INSERT INTO push_subscriptions (endpoint, person, public_key, auth, language, site, renewed)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (*new, now),
    )
    sql = "SELECT endpoint FROM push_subscriptions WHERE person = ? ORDER BY renewed DESC, endpoint"
    for (endpoint,) in link.ask(sql, (new.person,))[MAX_DEVICES:]:
        remove(link, endpoint)


def remove(link: Connection, endpoint: str) -> None:
    """Delete a subscription."""
    link.run("DELETE FROM push_subscriptions WHERE endpoint = ?", (endpoint,))


def forget(link: Connection, person: str) -> None:
    """Delete all subscriptions of a person."""
    link.run("DELETE FROM push_subscriptions WHERE person = ?", (person,))


def move(link: Connection, before: str, person: str) -> None:
    """Give the subscriptions of a person to the person that their device has become."""
    link.run("UPDATE push_subscriptions SET person = ? WHERE person = ?", (person, before))


def find(link: Connection, person: str) -> list[Subscription]:
    """Return the subscriptions of a person."""
    sql = (
        "SELECT endpoint, person, public_key, auth, language, site FROM push_subscriptions"
        " WHERE person = ? ORDER BY endpoint"
    )
    return [
        Subscription(endpoint, owner, bytes(public_key), bytes(auth), language, site)
        for endpoint, owner, public_key, auth, language, site in link.ask(sql, (person,))
    ]


def server_key(link: Connection, name: str, fresh: bytes) -> bytes:
    """Return the key with a name. The first time, it is `fresh`."""
    link.run("INSERT INTO server_keys (name, key) VALUES (?, ?) ON CONFLICT DO NOTHING", (name, fresh))
    [(key,)] = link.ask("SELECT key FROM server_keys WHERE name = ?", (name,))
    return bytes(key)
