"""Attendance at tables that wait for players, shared by all nodes.

During a game each node knows who is connected to it, and that is enough. Before a game the public list and
the role of the host depend on it.
"""

from __future__ import annotations

__all__ = ["Attendance"]

import hashlib
from collections.abc import Iterable
from functools import partial

from upcard.core.entropy import random_bytes
from upcard.server.runtime.node import Node
from upcard.server.runtime.streams import Stream
from upcard.server.runtime.table_actor import TableActor
from upcard.server.store import Attendee
from upcard.server.table import commands

# A person who disconnects is expected back for this time, in seconds. Then the table leaves the public list,
# and someone else becomes the host.
ABSENCE = 30.0
# How long the record of a connected person is valid, in seconds. Nodes renew it every 15 seconds, so more
# than ABSENCE is always left; the people of a node that dies are absent after this time.
CONNECTED = 60.0


class Attendance:
    """The people at the open tables of a node, recorded in the database for all nodes."""

    def __init__(self, node: Node) -> None:
        self._node = node
        # Addresses are only compared with each other, as long as the node runs.
        self._salt = random_bytes("addresses", 16)

    def came(self, actor: TableActor, stream: Stream) -> None:
        """Record that a person has connected."""
        if _counts(actor, stream):
            self._node.spawn(self._write([self._attendee(actor, stream, CONNECTED)]))

    def went(self, actor: TableActor, stream: Stream) -> None:
        """Record that a person has disconnected, unless another connection is left."""
        is_left = all(other.person != stream.person for other in actor.streams)
        if is_left and _counts(actor, stream) and not self._node.stopping:
            self._node.spawn(self._write([self._attendee(actor, stream, ABSENCE)]))

    async def renew(self, actors: Iterable[TableActor]) -> list[TableActor]:
        """Record all connected people, and return the open tables."""
        lobbies = [actor for actor in actors if actor.state.phase == "open"]
        present = {
            (actor.state.table, stream.person): self._attendee(actor, stream, CONNECTED)
            for actor in lobbies
            for stream in actor.streams
            if _counts(actor, stream)
        }
        if present:
            await self._write(list(present.values()))
        return lobbies

    async def connected(self, actor: TableActor) -> set[int]:
        """Return the seats of those who are connected to any node."""
        seats = set(actor.present)
        if self._node.is_clustered:
            # Records of disconnected people last until ABSENCE at most.
            later = self._node.clock() + ABSENCE + 1.0
            there = await self._node.store.attendance(actor.state.table, later)
            seats |= {seat for person in there if (seat := actor.state.seat_of(person)) is not None}
        return seats

    async def pass_host(self, actor: TableActor) -> None:
        """Make someone else the host if the host has been absent for a while."""
        host = actor.state.host
        if not actor.present or any(stream.person == host for stream in actor.streams):
            return
        if host not in await self._node.store.attendance(actor.state.table, self._node.clock()):
            await actor.run(partial(commands.pass_host, absent=host, present=actor.present))

    async def _write(self, attendees: list[Attendee]) -> None:
        await self._node.store.attend(attendees, self._node.clock())

    def _attendee(self, actor: TableActor, stream: Stream, seconds: float) -> Attendee:
        assert stream.person is not None
        address = hashlib.blake2b(stream.address.encode(), key=self._salt, digest_size=16).digest()
        return Attendee(actor.state.table, stream.person, address, self._node.clock() + seconds)


def _counts(actor: TableActor, stream: Stream) -> bool:
    """Whether a viewer is one of the players, or the host."""
    state = actor.state
    if state.phase != "open" or stream.person is None:
        return False
    return stream.seat is not None or stream.person == state.host
