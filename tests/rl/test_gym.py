"""Gymnasium's own checks, and what they do not cover: opponents and legal actions."""

from __future__ import annotations

import random
import subprocess
import sys
from functools import partial
from itertools import count
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import upcard.rl
from upcard.bots import Seated, find
from upcard.core.errors import GameOver, UpcardError
from upcard.match.seed import numbered_seed, read_seed
from upcard.rl.encodings import encoding_of, move_of
from upcard.rl.gym import TableEnv
from upcard.rl.vector import VectorEnv

pytestmark = pytest.mark.compiled
IDS = {"stockpile": "upcard/Stockpile-v1", "lines": "upcard/Lines-v1", "stacks": "upcard/Stacks-v1"}


def one_of(name: str, **arguments: Any) -> Any:
    return gymnasium.make(name, **arguments)


def many_of(name: str, **arguments: Any) -> Any:
    return gymnasium.make_vec(name, **arguments)


# The adapter is the same for all games, and the kernel with bots takes long to compile for each.
each_game = pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, id=game, marks=[] if game == "stockpile" else pytest.mark.soak)
        for game, name in IDS.items()
    ],
)


@each_game
@pytest.mark.parametrize(
    "arguments",
    [{}, {"players": 3, "opponents": ["easy", "random"], "illegal": "refuse", "scaled": True}],
    ids=str,
)
def test_it_passes_the_check_of_environments(name: str, arguments: dict[str, Any]) -> None:
    check_env(one_of(name, **arguments).unwrapped)


@each_game
def test_many_tables_are_the_same_games_as_our_own(name: str) -> None:
    game = name.partition("/")[2].removesuffix("-v1").lower()
    many = many_of(name, num_envs=3, opponents="greedy", autoreset_mode="SameStep", players=3)
    ours = VectorEnv(game, 3, opponents="greedy", players=3)
    observations, infos = many.reset(seed=9)
    state = ours.reset(9)
    place = encoding_of(game).observation.place
    ended = 0
    for _ in range(150):
        assert np.array_equal(observations, state.observations)
        assert np.array_equal(infos["action_mask"], state.masks)
        actions = ours.random_actions().copy()
        observations, rewards, terminated, truncated, infos = many.step(actions)
        state = ours.step(actions)
        assert np.array_equal(rewards, state.rewards[:, 0])
        assert np.array_equal(terminated, state.terminated)
        assert not truncated.any()
        assert ("final_obs" in infos) == terminated.any()
        for number in np.flatnonzero(terminated):
            ended += 1
            assert infos["final_obs"][number][place("over")] > 0
    assert ended > 0
    many.close()


@each_game
def test_one_table_is_the_game_that_the_library_deals_from_a_seed(name: str) -> None:
    game = name.partition("/")[2].removesuffix("-v1").lower()
    env = one_of(name, opponents="random", players=3)
    match = upcard.new(game, seed=9, players=3)
    bots = {seat: Seated(find("random"), match, seat) for seat in (2, 3)}
    observation, _ = env.reset(seed=9)
    over, reward = False, 0.0
    while not over:
        while not match.over and match.to_move != 1:
            assert match.to_move is not None
            match.make(bots[match.to_move].choose())
        assert np.array_equal(observation, encoding_of(game).observation_of(match.view(1), 0))
        action = int(env.unwrapped.action_masks().argmax())
        observation, reward, over, _, _ = env.step(action)
        match.make(move_of(match.table, action))
    while not match.over:
        assert match.to_move is not None
        match.make(bots[match.to_move].choose())
    result = match.result
    assert result is not None
    assert (reward > 0) == (1 in result["winners"])


@each_game
def test_many_tables_keep_to_their_spaces_and_to_their_mode(name: str) -> None:
    env = many_of(name, num_envs=4, opponents="random", scaled=True)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert env.num_envs == 4
    env.action_space.seed(1)
    observations, infos = env.reset(seed=1)
    kept = observations.copy()
    ended = np.zeros(4, bool)
    for _ in range(100):
        assert observations in env.observation_space
        # No action raises, whether legal or not.
        observations, rewards, terminated, truncated, infos = env.step(env.action_space.sample())
        assert not (ended & (terminated | truncated)).any()
        assert not rewards[ended].any()
        ended = terminated | truncated
        assert np.array_equal(infos["action_mask"].any(axis=1), ~ended)
    assert not np.array_equal(observations, kept)
    env.close()


class NumberedTable(TableEnv):
    """A table that deals every n-th game of a seed, as one of n tables does."""

    def __init__(self, game: str, seed: bytes, first: int, tables: int, **arguments: Any) -> None:
        super().__init__(game, **arguments)
        self.seeds = (numbered_seed(seed, number) for number in count(first, tables))

    def reset(self, **_named: Any) -> tuple[Any, dict[str, Any]]:
        self._vector.reset(next(self.seeds), alone=True)
        return self._watched()


def both(name: str, mode: AutoresetMode, **arguments: Any) -> tuple[Any, Any]:
    """Return many tables of ours, and the same tables made by Gymnasium from single ones."""
    game, tables = name.partition("/")[2].removesuffix("-v1").lower(), 3
    ours = many_of(name, num_envs=tables, autoreset_mode=mode, **arguments)
    seed = read_seed(9)
    singles = [partial(NumberedTable, game, seed, first, tables, **arguments) for first in range(tables)]
    return ours, SyncVectorEnv(singles, autoreset_mode=mode)


def same_infos(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Compare the infos of the tables: which have an entry of each name, and its value."""
    for name in {name for name in ours | theirs if not name.startswith("_")}:
        nowhere = np.zeros(3, bool)
        has = theirs.get(f"_{name}", nowhere)
        assert np.array_equal(ours.get(f"_{name}", nowhere), has), name
        if isinstance(ours[name], dict):
            same_infos(ours[name], theirs[name])
            continue
        for number in np.flatnonzero(has):
            assert np.array_equal(ours[name][number], theirs[name][number]), name


def in_step(ours: Any, theirs: Any) -> int:
    """Play both with the same actions, some of them perhaps not legal; return how many games ended."""
    dice, ended = random.Random(4), 0
    _, infos = ours.reset(seed=9)
    same_infos(infos, theirs.reset()[1])
    for _ in range(120):
        legal = [np.flatnonzero(mask).tolist() for mask in infos["action_mask"]]
        actions = np.array(
            [dice.choice(some if some and dice.random() < 0.97 else range(16)) for some in legal]
        )
        one, other = ours.step(actions), theirs.step(actions)
        same_steps(one, other)
        infos, over = one[4], one[2] | one[3]
        ended += int(over.sum())
        if over.any() and ours.metadata["autoreset_mode"] is AutoresetMode.DISABLED:
            # Gymnasium removes the mask from the options.
            observations, infos = ours.reset(options={"reset_mask": over})
            other_observations, other_infos = theirs.reset(options={"reset_mask": over})
            assert np.array_equal(observations, other_observations)
            same_infos(infos, other_infos)
    return ended


def same_steps(one: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    for ours, theirs in zip(one[:4], other[:4], strict=True):
        assert np.allclose(ours, theirs)
    same_infos(one[4], other[4])


@each_game
@pytest.mark.parametrize("mode", AutoresetMode)
def test_many_tables_are_what_gymnasium_makes_of_single_ones(name: str, mode: AutoresetMode) -> None:
    ours, theirs = both(name, mode, opponents="random", max_moves=20, scaled=True)
    assert in_step(ours, theirs) > 10


@pytest.mark.parametrize("mode", AutoresetMode)
def test_the_statistics_of_gymnasium_are_right_at_many_tables_of_stockpile(mode: AutoresetMode) -> None:
    env = RecordEpisodeStatistics(many_of(IDS["stockpile"], num_envs=3, autoreset_mode=mode, max_moves=4))
    _, infos = env.reset(seed=9)
    # A step that only starts the next game is not part of any game.
    period = 5 if mode is AutoresetMode.NEXT_STEP else 4
    for step in range(1, 21):
        *_, terminated, truncated, infos = env.step(infos["action_mask"].argmax(axis=1))
        ends = step % period == 4 % period
        assert truncated.tolist() == [ends] * 3
        assert not terminated.any()
        assert ("episode" in infos) == ends
        if ends:
            assert infos["episode"]["l"].tolist() == [4] * 3
        if ends and mode is AutoresetMode.DISABLED:
            _, infos = env.reset(options={"reset_mask": truncated})
    assert len(env.length_queue) == 3 * 20 // period


def test_the_last_infos_of_stockpile_are_found_by_a_wrapper_of_gymnasium() -> None:
    listed = DictInfoToList(many_of(IDS["stockpile"], num_envs=2, autoreset_mode=AutoresetMode.SAME_STEP))
    _, (_, legal) = listed.reset(seed=1)
    *_, infos = listed.step(np.array([16, legal["action_mask"].argmax()]))  # a pass is not allowed
    assert infos[0]["final_info"]["refused"]
    assert not infos[0]["final_info"]["action_mask"].any()
    assert infos[0]["final_obs"].any()
    assert infos[0]["action_mask"].any()
    assert "refused" not in infos[0]
    assert "final_info" not in infos[1]
    assert not infos[1]["refused"]


WRONG: list[tuple[Any, dict[str, Any], str]] = [
    (
        one_of,
        {"opponents": None},
        "has one agent, so opponents cannot be None: name random or greedy or easy",
    ),
    (many_of, {"opponents": None}, "has one agent, so opponents cannot be None"),
    (many_of, {"render_mode": "rgb_array"}, "render_mode cannot be 'rgb_array': it is ansi"),
    (many_of, {"render_mode": "human"}, "render_mode cannot be 'human': it is ansi"),
    (many_of, {"autoreset_mode": "Never"}, "autoreset_mode cannot be 'Never': it is NextStep or SameStep or"),
]


def test_what_gymnasium_cannot_be_given_is_refused(subtests: pytest.Subtests) -> None:
    for make, arguments, said in WRONG:
        with subtests.test(said), pytest.raises(UpcardError, match=said):
            make(IDS["stockpile"], **arguments)


def test_a_table_of_stockpile_whose_game_is_over_has_to_be_reset() -> None:
    env = one_of(IDS["stockpile"])
    env.reset(seed=1)
    env.step(16)
    with pytest.raises(GameOver, match="so reset it before the next step"):
        env.step(0)
    env.reset()
    with pytest.raises(UpcardError, match=r"an action must be an integer, not 0\.9"):
        env.step(0.9)


def test_one_action_for_many_tables_of_stockpile_is_refused() -> None:
    env = many_of(IDS["stockpile"], num_envs=2)
    env.reset(seed=1)
    with pytest.raises(
        UpcardError, match=r"actions must be an integer array of shape \(2,\), not int64 of shape \(\)"
    ):
        env.step(0)


def test_arrays_of_stockpile_are_copied_unless_one_says_otherwise() -> None:
    for copies in (True, False):
        env = many_of(IDS["stockpile"], num_envs=2, copy=copies)
        first, infos = env.reset(seed=1)
        second, *_ = env.step(infos["action_mask"].argmax(axis=1))
        assert np.shares_memory(first, second) != copies


def test_many_tables_of_stockpile_can_be_dealt_by_hand() -> None:
    env = many_of(IDS["stockpile"], num_envs=2, autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=1)
    observations, _, terminated, *_ = env.step(np.array([16, 16]))  # a pass, which is not allowed
    assert terminated.all()
    again, infos = env.reset(options={"reset_mask": np.array([True, False])})
    assert not np.array_equal(again[0], observations[0])
    assert np.array_equal(again[1], observations[1])
    assert infos["action_mask"].any(axis=1).tolist() == [True, False]


def test_one_table_of_stockpile_says_which_actions_are_legal() -> None:
    env = one_of(IDS["stockpile"]).unwrapped
    _, info = env.reset(seed=1)
    assert env.action_masks().dtype == np.bool_
    assert env.action_masks().tolist() == info["action_mask"].astype(bool).tolist()
    assert env.action_masks().any()


def test_an_illegal_action_at_stockpile_loses_or_is_refused() -> None:
    env = one_of(IDS["stockpile"], players=3)
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(16)
    assert (reward, terminated, info["refused"]) == (-1, True, True)
    env = one_of(IDS["stockpile"], illegal="refuse")
    before, _ = env.reset(seed=1)
    after, reward, terminated, _, info = env.step(16)
    assert (reward, terminated, info["refused"]) == (0, False, True)
    assert np.array_equal(before, after)


def test_one_sits_where_one_wants_at_stockpile() -> None:
    env = one_of(IDS["stockpile"], players=3, seat=3, first=1, render_mode="ansi")
    env.reset(seed=1)
    assert "> Seat 3 (you)" in env.render()


def test_all_tables_of_stockpile_can_be_shown() -> None:
    env = many_of(IDS["stockpile"], num_envs=2, render_mode="ansi")
    env.reset(seed=1)
    assert [text.count("Seat 1 (you)") > 0 for text in env.render()] == [True, True]
    assert many_of(IDS["stockpile"], num_envs=2).render() is None


def test_scaled_observations_of_stockpile_are_those_divided_by_the_most_they_can_be() -> None:
    plain, _ = one_of(IDS["stockpile"]).reset(seed=1)
    scaled, _ = one_of(IDS["stockpile"], scaled=True).reset(seed=1)
    assert scaled.dtype == np.float32
    assert np.allclose(scaled, plain / encoding_of("stockpile").observation.high)


def test_environments_are_known_by_their_ids_whatever_is_imported_first() -> None:
    for imports in ("import gymnasium, upcard.rl", "import upcard.rl, gymnasium"):
        program = f"{imports}; print(gymnasium.spec('{IDS['lines']}').kwargs)"
        told = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout
        assert told.strip() == "{'game': 'lines'}"


MISSING = """
import sys
for name in ("gymnasium", "pettingzoo"):
    sys.modules[name] = None
import upcard.rl
from upcard.core.errors import UpcardError
from upcard.rl import VectorEnv, encoding_of
for wanted in ("stockpile_v1", "gym"):
    try:
        __import__("upcard.rl." + wanted)
    except UpcardError as error:
        print(error)
"""


def test_without_their_packages_one_sentence_says_what_to_install() -> None:
    told = subprocess.run([sys.executable, "-c", MISSING], capture_output=True, text=True, check=True).stdout
    assert told.splitlines() == [
        "the learning environments need pettingzoo: pip install 'upcard[rl]'",
        "the learning environments need gymnasium: pip install 'upcard[rl]'",
    ]


def test_what_the_package_offers_is_there() -> None:
    for name in upcard.rl.__all__:
        assert getattr(upcard.rl, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = upcard.rl.nothing
