"""Whatever people do at a table, in whatever order, the server keeps its promises, which are listed in
soak_crowd.py."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from tests.server.soak import House, StandingClock, house, let_quick_bots_play, quick_folder, run
from tests.server.soak_crowd import KINDS, Act, Crowd, any_act, options_of
from tests.server.tables import each_game
from upcard.games import GAMES


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    let_quick_bots_play(monkeypatch)


class Table(RuleBasedStateMachine):
    """Hypothesis chooses the actions, and finds the shortest sequence that fails."""

    @initialize(game=st.sampled_from(list(GAMES)), pick=st.integers(0, 3))
    def open(self, game: str, pick: int) -> None:
        self.runner = asyncio.Runner(loop_factory=StandingClock)
        self.folder = quick_folder()
        self.house = house(self.folder.__enter__())
        place: House = self.run(self.house.__aenter__())
        self.crowd: Crowd = self.run(Crowd.gather(place, game, options_of(game, pick)))

    def run(self, work: Any) -> Any:
        return self.runner.run(work)

    @rule(kind=st.sampled_from(list(KINDS)), who=st.integers(0, 3), pick=st.integers(0, 9_999))
    def act(self, kind: str, who: int, pick: int) -> None:
        self.run(self.crowd.act(Act(kind, who, pick)))

    def teardown(self) -> None:
        if hasattr(self, "crowd"):
            self.run(self.crowd.check_end())
        if hasattr(self, "house"):
            self.run(self.house.__aexit__(None, None, None))
            self.runner.close()
            self.folder.__exit__(None, None, None)


def test_no_order_of_commands_breaks_a_promise() -> None:
    few = settings(
        max_examples=8,
        stateful_step_count=30,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Table, settings=few)


async def wander(game: str, seed: int, acts: int) -> Counter[str]:
    """Let a crowd do anything, for a long time; return its actions and the answers."""
    dice = random.Random(f"{game} {seed}")
    with quick_folder() as folder:
        async with house(folder) as place:
            crowd = await Crowd.gather(place, game, options_of(game, seed))
            for _ in range(acts):
                await crowd.act(any_act(dice))
            await crowd.check_end()
    return crowd.counts


@each_game
def test_a_crowd_that_does_anything_breaks_no_promise(game: str) -> None:
    counts = run(wander(game, seed=1, acts=250))
    assert all(counts[answer] for answer in ("done", "refused", "bad-request"))
    assert counts["moves"] > 10


@pytest.mark.soak
@each_game
def test_a_crowd_that_does_anything_for_a_long_time_breaks_no_promise(game: str) -> None:
    total: Counter[str] = Counter()
    for seed in range(100):
        total += run(wander(game, seed, acts=1_000))
    answers = ", ".join(
        f"{total[kind]} {kind}" for kind in ("done", "kept", "refused", "stale", "bad-request")
    )
    print(f"protocol: {game}, {total['games']} games to their end, {total['moves']} moves; {answers}")
