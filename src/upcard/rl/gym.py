"""Gymnasium: one seat is the agent's, and bots play the others inside; one table, or thousands in one
call."""

from __future__ import annotations

__all__ = ["TableEnv", "TablesEnv"]

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from upcard.core.errors import ArgumentError
from upcard.rl.kernels import BOTS
from upcard.rl.missing import needed
from upcard.rl.rendering import RENDER_MODES, read_render_mode, rendered
from upcard.rl.vector import VectorEnv

needed("gymnasium")
import gymnasium  # noqa: E402
from gymnasium import spaces  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402

Observations = npt.NDArray[Any]
AUTORESETS = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


class TableEnv(gymnasium.Env[Observations, Any]):
    """One table, against compiled bots.

    `opponents` (`"greedy"`, `"random"`, `"easy"`, or one for each other seat to the left), `seat`, `illegal`
    and `max_moves` are as in `VectorEnv`; with `scaled`, observations are numbers from 0 to 1. All other
    arguments are the options of the game. `info["action_mask"]` and `action_masks()` say which actions are
    legal.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012  # Gymnasium's own

    def __init__(
        self,
        game: str,
        *,
        opponents: str | Sequence[str] = "greedy",
        seat: int = 1,
        illegal: str = "lose",
        max_moves: int | None = None,
        scaled: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.render_mode = read_render_mode(render_mode, RENDER_MODES)
        self._vector = VectorEnv(
            game,
            1,
            opponents=_named(opponents),
            seat=seat,
            illegal=illegal,
            autoreset="disabled",
            max_moves=max_moves,
            threads=1,
            **options,
        )
        self._scale = _Scale(self._vector, scaled)
        self.observation_space = self._scale.space
        self.action_space = spaces.Discrete(self._vector.encoding.action_count)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Deal. A seed deals the same cards as `upcard.new`; without one, the next game is dealt."""
        super().reset(seed=seed)
        self._vector.reset(seed, alone=True)
        return self._watched()

    def step(self, action: Any) -> tuple[Observations, float, bool, bool, dict[str, Any]]:
        """Take one action, and let the others play until it is the agent's turn again or the game is over."""
        vector = self._vector
        vector.act(action)
        state = vector.state
        observation, info = self._watched()
        info["refused"] = bool(vector.refused[0])
        reward = float(state.rewards[0, vector.learner])
        return observation, reward, bool(state.terminated[0]), bool(state.truncated[0]), info

    def _watched(self) -> tuple[Observations, dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        state = self._vector.state
        return self._scale.scaled(state.observations)[0].copy(), {"action_mask": state.masks[0].copy()}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, as sb3-contrib expects."""
        legal: npt.NDArray[np.bool_] = self._vector.state.masks[0].astype(np.bool_)
        return legal

    def render(self) -> str | None:
        """Return the table as the agent sees it, or print it for a person."""
        if self.render_mode is None:
            return None
        text = _rendered(self._vector, 0)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None


class TablesEnv(gymnasium.vector.VectorEnv[Observations, npt.NDArray[Any], npt.NDArray[Any]]):
    """Many tables, against compiled bots, all in one call.

    The arguments are those of `TableEnv`, and: `num_envs`, `threads`, the mode of autoreset, and `copy`;
    without copies, every step changes the arrays that the previous one returned.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012  # likewise

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        opponents: str | Sequence[str] = "greedy",
        seat: int = 1,
        illegal: str = "lose",
        max_moves: int | None = None,
        scaled: bool = False,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        copy: bool = True,
        **options: Any,
    ) -> None:
        mode = _read_autoreset_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self.render_mode = read_render_mode(render_mode, self.metadata["render_modes"])
        self.num_envs = num_envs
        self._copies = copy
        self._vector = VectorEnv(
            game,
            num_envs,
            opponents=_named(opponents),
            seat=seat,
            illegal=illegal,
            autoreset=AUTORESETS[mode],
            final_observations=mode == AutoresetMode.SAME_STEP,
            max_moves=max_moves,
            threads=threads,
            **options,
        )
        self._scale = _Scale(self._vector, scaled)
        self.single_observation_space = self._scale.space
        self.single_action_space = spaces.Discrete(self._vector.encoding.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._all = np.ones(num_envs, np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Deal at all tables, or where `options["reset_mask"]` is true."""
        super().reset(seed=seed)
        some = (options or {}).get("reset_mask")
        self._vector.reset(seed, some)
        return self._observed(), self._masks(self._all if some is None else some)

    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[Observations, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Take one action at each table, and let the others play until it is the agent's turn again."""
        vector = self._vector
        state = vector.step(actions)
        if self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP:
            over = state.terminated | state.truncated
            infos = self._infos(~over)
            if over.any():
                infos |= self._finals(over)
        else:
            infos = self._infos(~vector.began)
        return (
            self._observed(),
            self._kept(state.rewards[:, vector.learner]),
            self._kept(state.terminated),
            self._kept(state.truncated),
            infos,
        )

    def _observed(self) -> Observations:
        return self._kept(self._scale.scaled(self._vector.state.observations))

    def _infos(self, acted: npt.NDArray[np.bool_]) -> dict[str, Any]:
        """Return the mask of every table, and for those that `acted` whether the action was refused."""
        return {**self._masks(self._all), "refused": self._vector.refused & acted, "_refused": acted}

    def _masks(self, where: npt.NDArray[np.bool_]) -> dict[str, Any]:
        """Return the masks. As in Gymnasium's own vector environments, `_name` says where `name` is set."""
        return {"action_mask": self._kept(self._vector.state.masks), "_action_mask": where.copy()}

    def _kept(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array.copy() if self._copies else array

    def _finals(self, over: npt.NDArray[np.bool_]) -> dict[str, Any]:
        """Return the last observations and infos of games that have just ended, because the next ones have
        begun."""
        vector = self._vector
        observations = np.full(self.num_envs, None, object)
        for number in np.flatnonzero(over):
            observations[number] = self._scale.scaled(vector.final_observations[number]).copy()
        infos = {
            # No action is legal in a game that is over.
            "action_mask": np.zeros_like(vector.state.masks),
            "_action_mask": over.copy(),
            "refused": vector.refused & over,
            "_refused": over.copy(),
        }
        return {
            "final_obs": observations,
            "_final_obs": over.copy(),
            "final_info": infos,
            "_final_info": over.copy(),
        }

    def render(self) -> tuple[str, ...] | None:
        """Return all tables as text."""
        if self.render_mode is None:
            return None
        return tuple(_rendered(self._vector, number) for number in range(self.num_envs))

    def close_extras(self, **_named: Any) -> None:
        """Stop the threads."""
        self._vector.close()


def _named(opponents: str | Sequence[str] | None) -> str | Sequence[str]:
    """Return the opponents, which a single agent needs."""
    if opponents is None:
        raise ArgumentError(
            "a Gymnasium environment has one agent, so opponents cannot be None: "
            f"name {' or '.join(BOTS)}, or play all seats with upcard.rl.VectorEnv or PettingZoo"
        )
    return opponents


def _read_autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        known = " or ".join(mode.value for mode in AutoresetMode)
        raise ArgumentError(f"autoreset_mode cannot be {mode!r:.40}: it is {known}") from None


class _Scale:
    """Observations as bytes, or as numbers from 0 to 1."""

    def __init__(self, vector: VectorEnv, scaled: bool) -> None:
        high = vector.encoding.observation.high
        self._factors = (1 / high).astype(np.float32) if scaled else None
        self.space: spaces.Box = (
            spaces.Box(0, 1, high.shape, np.float32) if scaled else spaces.Box(0, high, dtype=np.uint8)
        )

    def scaled(self, observations: Observations) -> Observations:
        if self._factors is None:
            return observations
        # Rounding may not lead past 1.
        numbers: Observations = np.minimum(observations * self._factors, np.float32(1))
        return numbers


def _rendered(vector: VectorEnv, number: int) -> str:
    names = [f"Seat {seat}" for seat in range(1, vector.players + 1)]
    names[vector.learner] += " (you)"
    return rendered(vector.game, vector.table(number), vector.learner, names)
