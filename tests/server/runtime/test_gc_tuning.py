"""Full garbage collections run when hardly anyone would notice."""

from __future__ import annotations

from upcard.server.runtime.gc_tuning import LATEST, SECONDS, SHARE, IdleCollector


class House:
    """A clock, and the duration of a collection."""

    def __init__(self) -> None:
        self.time = 0.0
        self.looks = 0
        self.takes = 0.4
        self.written = 0
        self.garbage = IdleCollector(lambda: self.time, self._collect)

    def _collect(self) -> None:
        self.looks += 1
        self.time += self.takes

    def pass_seconds(self, seconds: float, tables: int = 1_000, moves: int = 0) -> int:
        """Let time pass, with a number of moves per second; return the number of collections."""
        before, ends = self.looks, self.time + seconds
        while self.time < ends:
            self.time += 1
            self.written += moves
            self.garbage.run_if_due(tables, self.written)
        return self.looks - before


def test_it_is_looked_for_when_it_is_quiet_and_seldom_where_that_takes_long() -> None:
    house = House()
    assert house.pass_seconds(SECONDS - 2) == 0
    assert house.pass_seconds(3) == 1
    assert house.pass_seconds(house.takes / SHARE - 5) == 0
    assert house.pass_seconds(10) == 1


def test_no_player_waits_for_it() -> None:
    house = House()
    assert house.pass_seconds(LATEST - 100, moves=600) == 0
    assert house.pass_seconds(3) == 1


def test_a_busy_server_collects_garbage_too() -> None:
    house = House()
    assert house.pass_seconds(LATEST + SECONDS + 2, moves=600) == 1


def test_a_house_with_few_tables_need_not_wait_for_a_quiet_moment() -> None:
    house = House()
    house.takes = 0.001
    assert house.pass_seconds(60, tables=3, moves=5) > 5
