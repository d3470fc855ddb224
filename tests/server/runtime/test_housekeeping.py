"""The periodic work of a node survives every error."""

from __future__ import annotations

import pytest

from tests.server.soak import begun, broken, house, quick_folder, run, until
from upcard.server.runtime.housekeeping import Housekeeping
from upcard.server.store import CommandKey, TableSummary


def test_an_unexpected_error_does_not_end_housekeeping(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = 0

    async def failing(_housekeeping: Housekeeping) -> None:
        nonlocal rounds
        rounds += 1
        if rounds == 1:
            raise RuntimeError("a library gives up")

    async def live() -> None:
        with quick_folder() as folder:
            async with house(folder):
                await until(lambda: rounds >= 3, 1.0)

    monkeypatch.setattr(Housekeeping, "_wake_due_tables", failing)
    run(live())


def test_a_table_that_cannot_be_read_does_not_affect_the_others() -> None:
    async def live() -> None:
        with quick_folder() as folder:
            async with house(folder) as place:
                node = place.tables.node
                long_ago = node.clock() - 1.0
                unreadable = TableSummary("lines", None, False, "playing", long_ago, long_ago)
                rows = [(long_ago, b"not an entry")]
                await node.store.append("broken", 0, rows, unreadable, CommandKey("ann", "1"))
                table, _ = await begun(place, "lines", patience="nudge", patience_seconds=1)
                actor = await place.actor(table)
                place.tables.unload(actor)
                # Housekeeping loads it at its deadline.
                await place.seen_after(table, actor.state.seq)

    run(live())


def test_the_health_of_a_node_includes_writing_and_housekeeping() -> None:
    async def live() -> None:
        with quick_folder() as folder:
            async with house(folder) as place:
                node = place.tables.node
                assert (await place.ask("GET", "/healthz")).status == 200
                refused = "BEFORE INSERT ON handovers BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
                with broken(folder, f"CREATE TRIGGER full {refused}", mended="DROP TRIGGER full"):
                    await until(lambda: not node.can_write, 1.0)
                    answer = await place.ask("GET", "/healthz")
                    assert (answer.status, answer.json["problems"]) == (503, ["cannot write"])
                await until(lambda: node.can_write, 1.0)
                node.last_round -= 100.0
                answer = await place.ask("GET", "/healthz")
                assert (answer.status, answer.json["problems"]) == (503, ["housekeeping stands still"])

    run(live())
