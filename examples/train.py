"""Train a neural network by self-play. This needs torch:

    python examples/train.py lines --minutes 9 --out lines.npz

The weights are plain NumPy arrays, and playing with them does not need torch:

    upcard tournament lines --bots net:lines.npz,greedy --games 4000
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import torch
from torch import nn

from upcard.bots.net import save
from upcard.rl import VectorEnv

TABLES = 1024
STEPS = 32
HIDDEN = (128, 64)
EPOCHS = 2
BATCH = 4096
CLIP = 0.2
LAMBDA = 0.95
LEARNING_RATE = 1.5e-3
ENTROPY = 0.01


class Policy(nn.Module):
    """A small network: from the observation of a seat to the value of each action and the expected result."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        first, second = HIDDEN
        self.body = nn.Sequential(nn.Linear(inputs, first), nn.ReLU(), nn.Linear(first, second), nn.ReLU())
        self.actions = nn.Linear(second, actions)
        self.value = nn.Linear(second, 1)
        nn.init.zeros_(self.actions.weight)
        nn.init.zeros_(self.value.weight)

    def forward(self, seen: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        thought = self.body(seen)
        scores = self.actions(thought).masked_fill(masks == 0, -1e9)
        return torch.log_softmax(scores, 1), self.value(thought)[:, 0]


class Learner:
    """Plays all seats of many tables, and learns from how the games end (PPO)."""

    def __init__(self, game: str, seed: int, **options: Any) -> None:
        torch.manual_seed(seed)
        self.env = VectorEnv(game, TABLES, **options)
        self.state = self.env.reset(seed=seed)
        self.inputs = self.what_varies()
        high = self.env.encoding.observation.high[self.inputs]
        self.scale = torch.from_numpy(1 / high.astype(np.float32))
        self.net = Policy(len(self.inputs), self.env.encoding.action_count)
        self.optimizer = torch.optim.Adam(self.net.parameters(), LEARNING_RATE, eps=1e-5)

    def what_varies(self) -> np.ndarray:
        """Return the indices of the inputs that vary; those of empty seats, for example, do not."""
        low = high = self.state.observations.copy()
        for _ in range(4 * STEPS):
            state = self.env.step(self.env.random_actions())
            low, high = np.minimum(low, state.observations), np.maximum(high, state.observations)
        return np.flatnonzero(low.min(0) < high.max(0))

    @torch.no_grad()
    def play(self) -> dict[str, np.ndarray]:
        """Play some steps at all tables, and return the experience."""
        kept: dict[str, list[np.ndarray]] = {}
        for _ in range(STEPS):
            state = self.state
            seen, masks = state.observations[:, self.inputs], state.masks.copy()
            chances, values = self.net(torch.from_numpy(seen) * self.scale, torch.from_numpy(masks))
            actions = torch.multinomial(chances.exp(), 1)
            step = {"seen": seen, "masks": masks, "seats": state.seats.copy(), "values": values.numpy()}
            step |= {"actions": actions[:, 0].numpy(), "chances": chances.gather(1, actions)[:, 0].numpy()}
            self.state = self.env.step(step["actions"])
            step |= {"rewards": self.state.rewards.copy(), "ended": self.state.terminated.copy()}
            for name, array in step.items():
                kept.setdefault(name, []).append(array)
        return {name: np.stack(arrays) for name, arrays in kept.items()}

    def judge(self, kept: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Return the advantage of each action, and whether it is known yet.

        Going backwards, the next state of an action is the next one of the same seat.
        """
        tables = np.arange(TABLES)
        value, advantage, reward = np.zeros((3, TABLES, self.env.players), np.float32)
        known = np.zeros((TABLES, self.env.players), bool)
        gains, counts = np.zeros_like(kept["values"]), np.zeros(kept["values"].shape, bool)
        for step in range(STEPS - 1, -1, -1):
            ended, seats = kept["ended"][step], kept["seats"][step]
            value[ended] = advantage[ended] = 0
            known[ended], reward[ended] = True, kept["rewards"][step][ended]
            mine, expected = (tables, seats), kept["values"][step]
            gain = reward[mine] + value[mine] - expected + LAMBDA * advantage[mine]
            counts[step] = known[mine]
            gains[step] = advantage[mine] = np.where(known[mine], gain, 0)
            value[mine], reward[mine], known[mine] = expected, 0, True
        return gains, counts

    def learn(self, rate: float) -> None:
        """Play, and make good actions more likely."""
        kept = self.play()
        gains, counts = self.judge(kept)
        data = {
            name: torch.from_numpy(kept[name][counts]) for name in ("seen", "masks", "actions", "chances")
        }
        gain, target = torch.from_numpy(gains[counts]), torch.from_numpy((gains + kept["values"])[counts])
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        self.optimizer.param_groups[0]["lr"] = rate * LEARNING_RATE
        for _ in range(EPOCHS):
            for rows in torch.randperm(len(gain)).split(BATCH):
                chances, values = self.net(data["seen"][rows] * self.scale, data["masks"][rows])
                ratio = (chances.gather(1, data["actions"][rows, None])[:, 0] - data["chances"][rows]).exp()
                better = torch.min(ratio * gain[rows], ratio.clamp(1 - CLIP, 1 + CLIP) * gain[rows]).mean()
                entropy = -(chances.exp() * chances).sum(1).mean()
                loss = (values - target[rows]).square().mean() / 2 - better - rate * ENTROPY * entropy
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
                self.optimizer.step()

    @torch.no_grad()
    def share_of_wins(self, opponents: str = "greedy") -> float:
        """Return how often the network wins against a bot. This is only a first impression: play a
        tournament."""
        env = VectorEnv(self.env.game.id, TABLES, opponents=opponents, players=self.env.players)
        state, won, games = env.reset(seed=0), 0.0, 0
        while games < 2 * TABLES:
            seen = torch.from_numpy(state.observations[:, self.inputs]) * self.scale
            chances, _ = self.net(seen, torch.from_numpy(state.masks.copy()))
            state = env.step(chances.argmax(1).numpy())
            mine = state.rewards[state.terminated, env.learner]
            won, games = won + float((mine > 0).sum() + (mine == 0).sum() / 2), games + len(mine)
        return won / games

    def save(self, file: str) -> None:
        """Write the weights as NumPy arrays."""
        layers = [self.net.body[0], self.net.body[2], self.net.actions]
        weights = [(layer.weight.detach().numpy().T, layer.bias.detach().numpy()) for layer in layers]
        everything = np.zeros((self.env.encoding.size, HIDDEN[0]), np.float32)
        everything[self.inputs] = weights[0][0]
        weights[0] = (everything, weights[0][1])
        save(file, self.env.encoding, [self.env.players], weights)


def read_arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description="Train a net by self-play.")
    parser.add_argument("game", choices=["stockpile", "lines", "stacks"])
    parser.add_argument("--out", default="net.npz")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=9)
    parser.add_argument("--rounds", type=int, help="rounds of learning, instead of minutes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


def main() -> None:
    asked = read_arguments()
    torch.set_num_threads(asked.threads)
    learner = Learner(asked.game, asked.seed, players=asked.players)
    begun, done = time.monotonic(), 0.0
    rounds = 0
    while done < 1:
        learner.learn(1 - done)
        rounds += 1
        done = rounds / asked.rounds if asked.rounds else (time.monotonic() - begun) / (60 * asked.minutes)
        if rounds % 25 == 0:
            actions, share = rounds * TABLES * STEPS, learner.share_of_wins()
            print(f"{done:4.0%}  {actions:,} actions  {share:.1%} of wins against greedy", flush=True)
    learner.save(asked.out)
    print(f"wrote {asked.out} after {rounds} rounds")


if __name__ == "__main__":
    main()
