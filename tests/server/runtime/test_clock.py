"""The clock of a node keeps running, however the time of day is set."""

from __future__ import annotations

from upcard.server.runtime.clock import SteadyClock


class Times:
    """A time of day, and an elapsed time that cannot be set."""

    def __init__(self) -> None:
        self.wall, self.elapsed = 1_000.0, 5.0
        self.clock = SteadyClock(lambda: self.wall, lambda: self.elapsed)

    def pass_time(self, seconds: float) -> float:
        self.wall += seconds
        self.elapsed += seconds
        return self.clock()


def test_it_follows_the_time_of_day() -> None:
    times = Times()
    assert [times.pass_time(seconds) for seconds in (0.0, 1.5, 60.0)] == [1_000.0, 1_001.5, 1_061.5]
    assert times.clock.jumped == 0


def test_it_runs_on_while_the_time_of_day_is_set_back_and_when_it_is_right_again() -> None:
    times = Times()
    times.wall -= 300
    assert times.pass_time(10) == 1_010.0
    assert times.pass_time(10) == 1_020.0
    times.wall += 300
    assert times.pass_time(10) == 1_030.0
    assert times.clock.jumped == 300


def test_it_follows_a_jump_forward_as_after_a_sleep_and_remembers_it() -> None:
    times = Times()
    times.wall += 86_400
    assert times.pass_time(1) == 87_401.0
    assert times.clock.jumped == 86_400
