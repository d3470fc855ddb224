"""Stable-Baselines3 finds nothing wrong with our environments, and learns in them."""

from __future__ import annotations

from typing import Any

import gymnasium
import pytest

from upcard.rl.registration import register

pytest.importorskip("stable_baselines3")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env

pytestmark = [
    pytest.mark.learn,
    pytest.mark.soak,
    pytest.mark.compiled,
    pytest.mark.filterwarnings("ignore"),
]
each_game = pytest.mark.parametrize("game", ["Stockpile", "Lines", "Stacks"])


def made(game: str, **arguments: Any) -> Any:
    register()
    return gymnasium.make(f"upcard/{game}-v1", **arguments)


@each_game
@pytest.mark.parametrize("illegal", ["lose", "refuse"])
def test_check_env(game: str, illegal: str) -> None:
    check_env(made(game, illegal=illegal).unwrapped, warn=True)


@each_game
def test_masks_are_found_and_learned_with(game: str) -> None:
    env = made(game, scaled=True)
    env.reset(seed=1)
    assert is_masking_supported(env.unwrapped)
    assert get_action_masks(env.unwrapped).any()
    model = MaskablePPO(
        "MlpPolicy", env.unwrapped, n_steps=64, batch_size=32, n_epochs=1, seed=1, device="cpu"
    )
    model.learn(128)
    observation, _ = env.reset(seed=2)
    for _ in range(5):
        masks = get_action_masks(env.unwrapped)
        action, _ = model.predict(observation, action_masks=masks, deterministic=True)
        assert masks[action]
        observation, _, over, cut, _ = env.step(int(action))
        if over or cut:
            break
    mean, _ = evaluate_policy(model, env.unwrapped, n_eval_episodes=2, warn=False)
    assert -1 <= mean <= 1
