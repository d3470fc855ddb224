"""The periodic work of a node survives every error."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from tests.server.soak import (
    Caller,
    begun,
    broken,
    house,
    quick_folder,
    run,
    seated,
    settled,
    standing_clock,
    until,
)
from upcard.server.runtime import housekeeping
from upcard.server.runtime.housekeeping import Housekeeping
from upcard.server.runtime.table_failures import TableFailures
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


def test_a_table_that_fails_is_tried_less_and_less_often() -> None:
    tries = succeeded = 0

    async def fail() -> None:
        nonlocal tries
        tries += 1
        raise RuntimeError("this entry cannot be read")

    async def tried() -> None:
        failures = TableFailures()
        with capture_logs() as lines:
            for _ in range(100):
                await failures.guard("broken", fail)
                await failures.guard("whole", succeed)
                standing_clock().now += 1.0
        assert tries == len(lines) == 7  # after 1, 2, 4 ... 32 seconds
        assert len(failures) == 1
        standing_clock().now += 64.0
        await failures.guard("broken", succeed)
        assert len(failures) == 0
        assert succeeded == 101

    async def succeed() -> None:
        nonlocal succeeded
        succeeded += 1

    run(tried())


def test_tables_that_cannot_be_read_do_not_hide_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    async def live() -> None:
        with quick_folder() as folder:
            async with house(folder) as place:
                node = place.tables.node
                long_ago = node.clock() - 1e6
                unreadable = TableSummary("lines", None, False, "playing", long_ago, node.clock())
                for number in range(3):
                    rows = [(long_ago, b"not an entry")]
                    await node.store.append(f"broken{number}", 0, rows, unreadable)
                table, _ = await begun(place, "lines", patience="nudge", patience_seconds=1)
                actor = await place.actor(table)
                place.tables.unload(actor)
                await place.seen_after(table, actor.state.seq)

    monkeypatch.setattr(housekeeping, "MAX_TABLES", 2)
    run(live())


def test_the_host_role_goes_to_someone_who_is_present() -> None:
    async def live() -> None:
        with quick_folder() as folder:
            async with house(folder) as place:
                table, (ann, ben) = await seated(place, "lines")
                actor = await place.actor(table)
                stream = await ann.watch(table)
                await ben.watch(table)
                await pass_seconds(120)
                assert actor.state.host == ann.mark
                place.tables.unwatch(table, stream)
                # Someone who reloads the page stays the host.
                await pass_seconds(20)
                stream = await ann.watch(table)
                await pass_seconds(60)
                assert actor.state.host == ann.mark
                place.tables.unwatch(table, stream)
                await pass_seconds(60)
                assert actor.state.host == ben.mark

    run(live())


def test_in_a_cluster_the_host_may_be_connected_to_another_node() -> None:
    async def live() -> None:
        with quick_folder() as folder:
            async with house(folder) as here, house(folder) as there:
                for place in (here, there):
                    place.tables.node.bus.is_shared = True
                table, (ann, ben) = await seated(here, "lines")
                stream = await ann.watch(table)
                abroad = Caller(there, ben.token, ben.mark)
                await abroad.watch(table)
                await pass_seconds(120)
                assert (await abroad.do(table, "host")).type == "refused"
                assert (await there.actor(table)).state.host == ann.mark
                here.tables.unwatch(table, stream)
                await settled()
                assert (await abroad.do(table, "host")).type == "done"

    run(live())


async def pass_seconds(seconds: int) -> None:
    """Let time pass, second by second."""
    for _ in range(seconds):
        standing_clock().now += 1.0
        await settled()


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


@pytest.mark.parametrize("delete_after_days", [0, 5])
def test_a_table_that_nobody_visits_is_archived_and_deleted_after_the_days_of_the_settings(
    delete_after_days: int,
) -> None:
    async def live() -> None:
        now = 1_000_000.0
        days = {"keep_days": 2, "delete_after_days": delete_after_days}
        with quick_folder() as folder:
            async with house(folder, lambda: now, **days) as place:
                table, _ = await begun(place, "lines", patience="none")
                keeping, store = Housekeeping(place.tables), place.tables.node.store
                opened = now

                async def phase_after(days: float) -> str | None:
                    nonlocal now
                    now = opened + days * 86_400
                    await keeping._archive_old()
                    await keeping._delete_old()
                    return (await place.tables.snapshot(table)).state.phase if await store.count() else None

                # All days are counted from the last visit, which was in the game.
                assert [await phase_after(days) for days in (1.9, 2.1, 4.9)] == ["playing", *2 * ["archived"]]
                assert await phase_after(5.1) == (None if delete_after_days else "archived")

    run(live())
