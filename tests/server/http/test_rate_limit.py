"""Token buckets: how much they hold, when they refill, and which are dropped."""

from __future__ import annotations

import asyncio
import random
import tracemalloc
from collections import Counter
from collections.abc import Callable

import pytest

from upcard.server.config import Settings
from upcard.server.http import rate_limit
from upcard.server.http.problems import NotFound, TooMany
from upcard.server.http.rate_limit import ADDRESS_FACTOR, READ_COST, Buckets, RateLimits


class Clock:
    """A clock that is moved by hand. It has run for days, like those of servers."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def taken(buckets: Buckets, key: str, most: int = 1000) -> int:
    """Take tokens until there are none left, and return how many there were."""
    return next(count for count in range(most) if buckets.take(key) > 0)


def test_a_burst_is_allowed_immediately_and_then_the_rate_applies() -> None:
    clock = Clock()
    buckets = Buckets(20, 60, clock=clock)
    assert taken(buckets, "ann") == 60
    clock.now += 1.0
    assert taken(buckets, "ann") == 20
    clock.now += 0.5
    assert taken(buckets, "ann") == 10
    clock.now += 1000
    assert taken(buckets, "ann") == 60


def test_a_refused_client_is_told_when_to_come_back_and_that_is_true() -> None:
    clock = Clock()
    buckets = Buckets(0.5, 3, clock=clock)
    assert taken(buckets, "ann") == 3
    wait = buckets.take("ann")
    assert wait == pytest.approx(2.0)
    clock.now += wait - 0.1
    assert buckets.take("ann") > 0
    clock.now += 0.1
    assert buckets.take("ann") == 0


def test_everyone_has_a_bucket_of_their_own() -> None:
    buckets = Buckets(1, 2, clock=Clock())
    assert taken(buckets, "ann") == 2
    assert taken(buckets, "robin") == 2


def test_parts_of_a_token_add_up() -> None:
    buckets = Buckets(1, 2, clock=Clock())
    assert sum(buckets.take("ann", 0.2) == 0 for _ in range(50)) == 10


def test_no_bucket_ever_holds_more_than_it_can() -> None:
    clock = Clock()
    buckets = Buckets(1, 64, clock=clock)
    for pause in (0.1, 0.5, 0.9, 1.0, 1.5, 1.9):
        assert buckets.take("ann") == 0
        clock.now += pause
        before = sum(buckets.take("ann", 0.1) == 0 for _ in range(1000))
        assert before == pytest.approx(10 * min(64.0, 63.0 + pause), abs=1)
        clock.now += 1000


@pytest.mark.parametrize(
    ("rate", "burst"), [(20, 60), (1 / 3, 20), (0.01, 1), (1e6, 1e6), (1e6, 1), (7, 1.5)]
)
def test_as_many_are_given_as_a_plain_count_of_tokens_says(rate: float, burst: float) -> None:
    clock, dice = Clock(), random.Random(1)
    buckets = Buckets(rate, burst, clock=clock)
    level, given = burst, 0
    for _ in range(3000):
        passed = dice.expovariate(rate) * dice.choice((0.0, 0.1, 1.0, 2 * burst))
        clock.now += passed
        level = min(burst, level + passed * rate)
        if buckets.take("ann") == 0:
            # The clock has a tolerance of a hundredth of a token, and so does this test.
            assert level > 0.9
            level -= 1
            given += 1
        else:
            assert level < 1.1
    assert given > 0


def test_full_buckets_are_forgotten() -> None:
    clock = Clock()
    buckets = Buckets(20, 60, clock=clock)
    for number in range(500):
        buckets.take(str(number))
        clock.now += 0.01
    assert len(buckets) < 20
    for number in range(500):
        buckets.take(str(number), 60)
    assert len(buckets) == 500
    clock.now += 3600
    buckets.take("ann")
    assert len(buckets) == 1


def test_a_client_with_an_empty_bucket_is_remembered_while_others_fill_the_memory() -> None:
    clock = Clock()
    buckets = Buckets(20, 60, max_keys=100, clock=clock)
    assert taken(buckets, "ann") == 60
    for number in range(10_000):
        assert buckets.take(str(number)) == 0
        assert len(buckets) <= 100
    assert buckets.take("ann") > 0


def test_the_emptiest_are_remembered_whatever_the_order_of_arrival() -> None:
    for seed in range(20):
        dice = random.Random(seed)
        buckets = Buckets(1, 64, max_keys=10, clock=Clock())
        used = {str(number): number + 1 for number in range(40)}
        for key in dice.sample(sorted(used), len(used)):
            # All at the same time, so that none is dropped in between.
            buckets.take(key, used[key])
        left = {
            key: 64 - taken(buckets, key) for key in sorted(used, key=used.__getitem__, reverse=True)[:10]
        }
        assert left == {key: used[key] for key in left}


def test_memory_does_not_grow_with_the_number_of_those_who_ask() -> None:
    clock = Clock()
    buckets = Buckets(20, 60, max_keys=1000, clock=clock)
    dice = random.Random(1)
    tracemalloc.start()
    for _ in range(20_000):
        clock.now += dice.choice((0.0, 0.000_001))
        buckets.take(dice.randbytes(8))
        assert len(buckets) <= 1000
    # Only the buckets are measured, whatever else allocates memory in this process.
    used = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(True, rate_limit.__file__)])
    tracemalloc.stop()
    # All of them would take more than a megabyte and a half.
    assert sum(statistic.size for statistic in used.statistics("filename")) < 500_000


def test_each_limit_of_a_server_is_its_own() -> None:
    clock = Clock()
    some = RateLimits(
        Settings(commands_per_second=1, burst=2, tables_per_minute=3, guesses_per_minute=4), clock=clock
    )
    for _ in range(2):
        some.charge_person("mark", 1.0)
    for _ in range(2 * ADDRESS_FACTOR):
        some.charge("10.0.0.1", 1.0)
    for _ in range(3):
        some.open_table("10.0.0.1")
    assert guesses(some, "10.0.0.1", wrong=4) == {"wrong": 4}
    more: list[Callable[[], None]] = [
        lambda: some.charge("10.0.0.1", READ_COST),
        lambda: some.charge_person("mark", READ_COST),
        lambda: some.open_table("10.0.0.1"),
    ]
    for ask in more:
        with pytest.raises(TooMany) as problem:
            ask()
        assert int(problem.value.headers["Retry-After"]) >= 1
    assert guesses(some, "10.0.0.1", right=1) == {"refused": 1}
    assert guesses(some, "10.0.0.2", right=1) == {"right": 1}
    clock.now += 60 / 4
    assert guesses(some, "10.0.0.1", right=1) == {"right": 1}


def test_work_is_charged_but_never_more_than_an_address_can_have() -> None:
    clock = Clock()
    some = RateLimits(Settings(commands_per_second=1, burst=2), clock=clock)
    some.charge("10.0.0.1", 1e9)
    some.charge("10.0.0.1", 1e9)
    with pytest.raises(TooMany):
        some.charge("10.0.0.1", READ_COST)


def guesses(some: RateLimits, address: str, right: int = 0, wrong: int = 0) -> Counter[str]:
    """Try codes at the same moment, first the right ones; return how many were right, wrong and refused."""
    results: Counter[str] = Counter()

    async def guess(is_right: bool) -> None:
        try:
            async with some.guess(address):
                await asyncio.sleep(0)  # as if the database were asked
                if not is_right:
                    raise NotFound("there is no such code")
        except NotFound:
            results["wrong"] += 1
        except TooMany:
            results["refused"] += 1
        else:
            results["right"] += 1

    async def all_at_once() -> None:
        await asyncio.gather(*(guess(number < right) for number in range(right + wrong)))

    asyncio.run(all_at_once())
    return results


def test_right_codes_are_not_counted_as_guesses() -> None:
    some = RateLimits(Settings(guesses_per_minute=2), clock=Clock())
    assert guesses(some, "10.0.0.1", right=30, wrong=2) == {"right": 30, "wrong": 2}
    assert guesses(some, "10.0.0.1", right=1) == {"refused": 1}


def test_many_guesses_at_the_same_moment_are_no_more_than_one_after_another() -> None:
    some = RateLimits(Settings(guesses_per_minute=3), clock=Clock())
    assert guesses(some, "10.0.0.1", wrong=100) == {"wrong": 3, "refused": 97}


def test_a_rate_of_less_than_one_a_minute_still_allows_one() -> None:
    some = RateLimits(Settings(tables_per_minute=0.1), clock=Clock())
    some.open_table("10.0.0.1")
    with pytest.raises(TooMany):
        some.open_table("10.0.0.1")
