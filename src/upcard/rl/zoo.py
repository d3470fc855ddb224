"""PettingZoo: a table whose seats are agents that take turns. `env(game)` works for any game with an
encoding."""

from __future__ import annotations

__all__ = ["TurnsEnv", "env", "makers", "parallel_env", "raw_env"]

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from upcard.core.errors import ArgumentError, GameOver
from upcard.rl.missing import needed
from upcard.rl.rendering import RENDER_MODES, read_render_mode, rendered
from upcard.rl.vector import VectorEnv

needed("pettingzoo")
from gymnasium import spaces  # noqa: E402
from pettingzoo import AECEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402
from pettingzoo.utils.conversions import turn_based_aec_to_parallel  # noqa: E402

Observation = dict[str, npt.NDArray[Any]]
RAISE = "raise"


class TurnsEnv(AECEnv):
    """One table. The agent selected is the seat to move, or the seat that is asked.

    With `illegal="lose"` an illegal action loses the game, with `"refuse"` nothing happens and the agent
    is asked again, with `"raise"` it is an error that names the clause that forbids it. `max_moves` ends
    a longer game. All other arguments are the options of the game.
    """

    def __init__(
        self,
        game: str,
        *,
        render_mode: str | None = None,
        illegal: str = "lose",
        max_moves: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self._raises = illegal == RAISE
        self._vector = VectorEnv(
            game,
            1,
            illegal="refuse" if self._raises else illegal,
            autoreset="disabled",
            max_moves=max_moves,
            threads=1,
            **options,
        )
        encoding = self._vector.encoding
        self.metadata = {
            "name": f"{game}_v{encoding.version}",
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode = read_render_mode(render_mode, RENDER_MODES)
        self.possible_agents = [f"player_{seat}" for seat in range(self._vector.players)]
        self.agents: list[str] = []
        self._observation_spaces = {agent: _observation_space(encoding) for agent in self.possible_agents}
        self._action_spaces = {
            agent: spaces.Discrete(encoding.action_count) for agent in self.possible_agents
        }
        self._no_mask = np.zeros(encoding.action_count, np.int8)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._action_spaces[agent]

    # Steps

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal. A seed deals the same cards as `upcard.new`; without one, the next game is dealt."""
        self._vector.reset(seed, alone=True)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._turn_to(int(self._vector.state.seats[0]))
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Take the action of the agent selected."""
        if not self.agents:
            raise GameOver("the game is over, so reset the environment first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ArgumentError(f"{agent} is to act, so its action cannot be None")
        self._cumulative_rewards[agent] = 0.0
        vector = self._vector
        vector.act(action)
        if self._raises and vector.refused[0]:
            raise vector.refusal(0, action)
        state = vector.state
        if state.terminated[0] or state.truncated[0]:
            self._finish(state.rewards[0].tolist(), bool(state.terminated[0]))
        else:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._turn_to(int(state.seats[0]))
        if self.render_mode == "human":
            self.render()

    def _turn_to(self, seat: int) -> None:
        self._seat = seat
        self.agent_selection = self.possible_agents[seat]
        self._mask = self._vector.state.masks[0].copy()
        self.infos = {agent: {"action_mask": self._no_mask.copy()} for agent in self.agents}
        self.infos[self.agent_selection]["action_mask"] = self._mask.copy()

    def _finish(self, rewards: list[float], terminated: bool) -> None:
        self._mask = self._no_mask.copy()
        self.infos = {agent: {"action_mask": self._no_mask.copy()} for agent in self.agents}
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, not terminated)
        self._accumulate_rewards()
        self._deads_step_first()

    def close(self) -> None:
        """Do nothing: there are no resources to close."""

    # Queries

    def observe(self, agent: str) -> Observation:
        """Return what an agent knows, and its legal actions: none if it is not its turn."""
        seat = self.possible_agents.index(agent)
        if seat == self._seat:
            return {
                "observation": self._vector.state.observations[0].copy(),
                "action_mask": self._mask.copy(),
            }
        return {"observation": self._vector.observe(0, seat), "action_mask": self._no_mask.copy()}

    def render(self) -> str | None:
        """Return the table as the agent selected sees it, or print it for a person."""
        if self.render_mode is None:
            return None
        viewer = self.possible_agents.index(self.agent_selection)
        text = rendered(self._vector.game, self._vector.table(0), viewer, self.possible_agents)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None


def _observation_space(encoding: Any) -> spaces.Space[Any]:
    return spaces.Dict(
        {
            "observation": spaces.Box(0, encoding.observation.high, dtype=np.uint8),
            "action_mask": spaces.Box(0, 1, (encoding.action_count,), np.int8),
        }
    )


def raw_env(game: str, **arguments: Any) -> TurnsEnv:
    """Return the environment of a game."""
    return TurnsEnv(game, **arguments)


def env(game: str, **arguments: Any) -> Any:
    """Return the environment in the usual wrappers: an illegal action loses, wrong calls are errors."""
    wrapped: Any = raw_env(game, **arguments)
    if arguments.get("illegal", "lose") == "lose":
        wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def parallel_env(game: str, **arguments: Any) -> Any:
    """Return the environment with the parallel interface; only the action of the agent to move counts."""
    return turn_based_aec_to_parallel(env(game, **arguments))


def makers(game: str) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """Return the contents of a PettingZoo module of one game: `env`, `raw_env` and `parallel_env`."""
    return partial(env, game), partial(raw_env, game), partial(parallel_env, game)
