"""How a running node follows the actions of operators in the database."""

from __future__ import annotations

__all__ = ["OperatorActions"]

from typing import TYPE_CHECKING

import structlog

from upcard.server.runtime.streams import event

if TYPE_CHECKING:
    from upcard.server.runtime.tables import Tables

log = structlog.get_logger()

# The maximum number of actions that are followed in one round.
MAX_ACTIONS = 100
# Actions that change who may play, and under which names.
ABOUT_POLICY = ("ban", "unban", "deny-name", "allow-name")


class OperatorActions:
    """The part of the audit log that a node has not followed yet."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        # The last line that was followed; None until the node has read the rules.
        self._seen: int | None = None

    async def follow(self) -> None:
        """Read the new lines of the audit log, and apply them."""
        store = self._tables.node.store
        if self._seen is None:
            self._seen = await store.last_action()
            self._tables.node.policy.update(await store.policy())
        for action in await store.actions_since(self._seen, MAX_ACTIONS):
            log.info("an operator has acted", action=action.action, target=action.target)
            if action.action in ABOUT_POLICY:
                self._tables.node.policy.update(await store.policy())
            if action.action == "ban":
                self._end_streams_of(action.target)
            if action.action in ("close", "delete"):
                self.reload(action.target)
            if action.action == "forget":
                for table in action.detail.split():
                    self.reload(table)
            self._seen = action.id

    def reload(self, table: str) -> None:
        """Unload a table, so that it is read from the database again. Its clients reconnect."""
        actor = self._tables.actors.get(table)
        if actor is not None:
            self._tables.unload(actor)
            actor.end_streams(event("bye", {"table": table}))

    def _end_streams_of(self, person: str) -> None:
        for actor in self._tables.actors.values():
            for stream in actor.streams:
                if stream.person == person:
                    stream.end()
