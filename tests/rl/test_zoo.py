"""PettingZoo's own tests, and what it cannot know: whose turn it is, what may be done, and who is paid."""

from __future__ import annotations

import copy
import random
import re
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import upcard
from upcard.core.errors import GameOver, Refused, UpcardError
from upcard.rl import lines_v1, stacks_v1, stockpile_v1
from upcard.rl.encodings import encoding_of, move_of

pytestmark = [
    pytest.mark.compiled,
    # PettingZoo knows by name which environments (its own) may have dictionaries as observations.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    # It is so when it is not an agent's turn.
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]

MODULES = {"stockpile": stockpile_v1, "lines": lines_v1, "stacks": stacks_v1}
each_game = pytest.mark.parametrize("module", MODULES.values(), ids=MODULES)
MOST = {"stockpile": 4, "lines": 5, "stacks": 6}


def most_players(module: ModuleType) -> dict[str, Any]:
    game = module.__name__.rpartition(".")[2].removesuffix("_v1")
    return {"players": MOST[game]} | ({"colours": 6} if game == "lines" else {})


@each_game
def test_it_passes_the_api_test(module: ModuleType) -> None:
    api_test(module.env(), num_cycles=200)
    api_test(module.env(**most_players(module)), num_cycles=200)
    api_test(module.raw_env(players=3), num_cycles=200)


@each_game
def test_it_passes_the_seed_test(module: ModuleType) -> None:
    seed_test(module.env, num_cycles=100)


@each_game
def test_it_passes_the_render_test(module: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(module.env)
    assert capsys.readouterr().out.count("to move:") > 3


@each_game
def test_it_passes_the_parallel_api_test(module: ModuleType) -> None:
    parallel_api_test(turn_based_aec_to_parallel(module.env()), num_cycles=200)
    parallel_api_test(module.parallel_env(players=3), num_cycles=200)


@each_game
def test_the_same_seed_and_actions_give_the_same_game_as_in_the_library(module: ModuleType) -> None:
    env, options = module.raw_env(**most_players(module)), most_players(module)
    game = env.metadata["name"].removesuffix("_v1")
    encoding = encoding_of(game)
    match = upcard.new(game, seed=77, **options)
    env.reset(seed=77)
    dice = random.Random(1)
    for _ in range(400):
        seats = range(len(match.players))
        for seat in seats:
            agent = f"player_{seat}"
            observed = env.observe(agent)
            turn = match.to_move == seat + 1
            view = match.game.view(match.table, seat)
            assert np.array_equal(observed["observation"], encoding.observation_of(view, seat))
            assert np.array_equal(observed["action_mask"], env.infos[agent]["action_mask"])
            legal = match.game.legal_moves(match.table) if turn else []
            assert np.array_equal(observed["action_mask"], encoding.mask_of(match.table, legal))
            assert observed["action_mask"].dtype == np.int8
        if match.over:
            break
        assert env.agent_selection == f"player_{match.table.to_move}"
        action = dice.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist())
        env.step(action)
        match.make(move_of(match.table, action))
        assert set(env.rewards) == set(env.agents) == {f"player_{seat}" for seat in seats}
    assert all(env.terminations.values()) == match.over


@each_game
def test_everyone_is_paid_at_the_end_and_leaves(module: ModuleType) -> None:
    env = module.raw_env(players=3)
    dice = random.Random(2)
    env.reset(seed=1)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        paid[agent] += reward
        assert not truncated
        legal = np.flatnonzero(observation["action_mask"]).tolist()
        assert bool(legal) != terminated
        env.step(dice.choice(legal) if legal else None)
    assert env.agents == []
    assert sum(paid.values()) == pytest.approx(0)
    assert max(paid.values()) > 0
    with pytest.raises(GameOver, match="reset the environment"):
        env.step(0)


def test_several_actions_in_a_turn_of_stockpile_leave_the_selection_as_it_is() -> None:
    env = stockpile_v1.raw_env()
    env.reset(seed=5)
    kept = 0
    for _ in range(40):
        before = env.agent_selection
        env.step(int(env.observe(before)["action_mask"].argmax()))
        kept += int(env.agent_selection == before)
    assert 0 < kept < 40


def test_the_selection_moves_to_the_one_who_is_asked_to_block_at_stacks_and_nobody_else_is_told() -> None:
    env = stacks_v1.raw_env(players=3, block="anytime")
    place = encoding_of("stacks").observation.place
    dice = random.Random(3)
    answered = 0
    for seed in range(20):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                break
            seen = observation["observation"]
            if seen[place("asked")].any():
                answered += 1
                assert seen[place("to move")].tolist() == [1, 0, 0, 0, 0, 0]
                assert seen[place("player")][0] == 0
                assert set(np.flatnonzero(info["action_mask"])) == {89, 90}  # block, allow
                for other in set(env.agents) - {agent}:
                    assert not env.observe(other)["observation"][place("to move")].any()
                    assert not env.observe(other)["action_mask"].any()
            env.step(dice.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    assert answered > 5


@each_game
def test_an_illegal_action_loses_is_refused_or_raises(module: ModuleType) -> None:
    env = module.raw_env(players=3)
    env.reset(seed=1)
    loser = env.agent_selection
    env.step(illegal(env))
    assert env.rewards == {agent: -1.0 if agent == loser else 0.5 for agent in env.agents}
    assert all(env.terminations.values())

    env = module.raw_env(illegal="refuse")
    env.reset(seed=1)
    before = env.observe(env.agent_selection)
    env.step(illegal(env))
    after = env.observe(env.agent_selection)
    assert all(np.array_equal(before[name], after[name]) for name in before)
    assert not any(env.terminations.values())

    env = module.raw_env(illegal="raise")
    env.reset(seed=1)
    with pytest.raises(UpcardError):
        env.step(illegal(env))
    env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    with pytest.raises(UpcardError, match="its action cannot be None"):
        env.step(None)


def illegal(env: Any) -> int:
    """Return the last action that is not legal now."""
    mask = env.observe(env.agent_selection)["action_mask"]
    return int(np.flatnonzero(mask == 0)[-1])


def test_what_is_raised_at_stockpile_names_the_clause() -> None:
    env = stockpile_v1.raw_env(illegal="raise")
    env.reset(seed=1)
    with pytest.raises(Refused, match=r"\(S3.8\)"):
        env.step(16)
    with pytest.raises(UpcardError, match="99 is not an action at this table"):
        env.step(99)


@pytest.mark.parametrize("wrong", [0.9, 1.0, "1", [1, 2], np.array([1])], ids=repr)
def test_an_action_of_stockpile_that_is_not_an_integer_is_refused(wrong: Any) -> None:
    env = stockpile_v1.raw_env()
    env.reset(seed=1)
    with pytest.raises(UpcardError, match=f"an action must be an integer, not {re.escape(repr(wrong))}"):
        env.step(wrong)
    assert not any(env.terminations.values())


def test_an_action_of_stockpile_can_be_any_integer_however_large() -> None:
    for action in (1 << 70, -(1 << 70)):
        env = stockpile_v1.raw_env()
        env.reset(seed=1)
        loser = env.agent_selection
        env.step(action)
        assert env.rewards[loser] == -1


def test_agents_of_stockpile_leave_in_their_order_as_in_the_environments_of_pettingzoo() -> None:
    env = stockpile_v1.raw_env(players=3)
    env.reset(seed=1)
    env.step(illegal(env))
    leaving = []
    while env.agents:
        leaving.append(env.agent_selection)
        env.step(None)
    assert leaving == env.possible_agents


@each_game
def test_several_episodes_in_the_wrapper_of_pettingzoo_are_several_games(module: ModuleType) -> None:
    env = wrappers.MultiEpisodeEnv(module.env(), num_episodes=2)
    dice = random.Random(5)
    env.reset(seed=1)
    paid, left = 0.0, []
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        paid += reward
        left += [agent] if terminated else []
        legal = np.flatnonzero(observation["action_mask"]).tolist()
        env.step(None if terminated else dice.choice(legal))
    assert left == 2 * env.possible_agents
    assert paid == pytest.approx(0)


def test_a_game_of_lines_can_be_cut_short() -> None:
    env = lines_v1.raw_env(max_moves=1)
    env.reset(seed=1)
    env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


def test_a_copy_of_stacks_continues_on_its_own() -> None:
    env = stacks_v1.raw_env()
    env.reset(seed=1)
    twin = copy.deepcopy(env)
    agent = env.agent_selection
    env.step(int(env.observe(agent)["action_mask"].argmax()))
    assert twin.observe(agent)["action_mask"].any()
    twin.step(int(twin.observe(agent)["action_mask"].argmax()))
    for agent in env.agents:
        assert np.array_equal(env.observe(agent)["observation"], twin.observe(agent)["observation"])


def test_the_text_of_stacks_shows_the_hand_of_the_one_who_is_to_move_and_no_other() -> None:
    env = stacks_v1.raw_env(render_mode="ansi", players=3)
    assert env.render_mode == "ansi"
    env.reset(seed=1)
    text = env.render()
    assert text.count("Your hand") == 1
    assert f"{env.agent_selection} to move: " in text


def test_a_way_to_show_stockpile_that_there_is_not_is_refused() -> None:
    with pytest.raises(UpcardError, match="render_mode cannot be 'rgb_array': it is human or ansi"):
        stockpile_v1.env(render_mode="rgb_array")
