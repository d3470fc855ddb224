"""Neural network bots: `net:FILE`, with weights in a NumPy file, or `net` with the included ones.

A network can be trained with any library, and plays without it: the observation goes through a few layers,
and the legal action with the highest output is chosen. examples/train.py writes such files.
"""

from __future__ import annotations

__all__ = ["Net", "save"]

import functools
import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from upcard.bots.bot import Turn
from upcard.bots.simple import Greedy
from upcard.core.encoding import Encoding, action_of, encoding_of
from upcard.core.errors import ArgumentError, NotFound, UpcardError
from upcard.games import GAMES, find

SHIPPED = Path(__file__).parent / "weights"

Layer = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]


@dataclass(frozen=True)
class Weights:
    """The content of a file: the game, the numbers of players, and the layers."""

    game: str
    players: tuple[int, ...]
    layers: tuple[Layer, ...]

    def scores(self, observation: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
        """Return the score of each action."""
        thought = observation.astype(np.float32)
        for matrix, bias in self.layers[:-1]:
            thought = np.maximum(thought @ matrix + bias, 0)
        matrix, bias = self.layers[-1]
        scores: npt.NDArray[np.float32] = thought @ matrix + bias
        return scores

    def check(self, turn: Turn) -> None:
        """Refuse a game or a number of players for which it was not trained."""
        if turn.game.id != self.game:
            raise ArgumentError(f"this net plays {self.game}, not {turn.game.id}")
        if turn.view.players not in self.players:
            known = " or ".join(str(count) for count in self.players)
            raise ArgumentError(f"this net plays with {known} at the table, not with {turn.view.players}")


class Net:
    """Chooses the action that a network rates highest.

    Without a file it is the included network for the game. Without one for this game or this number of
    players, it chooses by the heuristic.
    """

    def __init__(self, seed: bytes, options: str = "") -> None:
        self._weights = load(options) if options else None
        self._greedy = Greedy()

    def choose(self, turn: Turn) -> int:
        if self._weights is None:
            if not knows(turn.game.id, turn.view.players):
                return self._greedy.choose(turn)
            self._weights = load(turn.game.id)
        self._weights.check(turn)
        scores = self._weights.scores(encoding_of(turn.game).observation_of(turn.view, turn.view.viewer))
        return max(turn.moves, key=lambda move: float(scores[action_of(turn.view, move)]))


def save(file: str | Path, encoding: Encoding, players: Sequence[int], layers: Sequence[Any]) -> None:
    """Write a network: pairs of a matrix (inputs, outputs) and a bias, for inputs from 0 to 1, with a ReLU in
    between. The file takes observations as bytes, and stores numbers in half precision."""
    (first, bias), *others = layers
    scaled = [(first / encoding.observation.high[:, None].astype(np.float32), bias), *others]
    arrays: dict[str, Any] = {"game": encoding.game.id, "version": encoding.version, "players": players}
    for number, (matrix, bias) in enumerate(scaled):
        arrays[f"matrix{number}"] = matrix.astype(np.float16)
        arrays[f"bias{number}"] = bias.astype(np.float16)
    np.savez_compressed(file, allow_pickle=False, **arrays)


def knows(game: str, players: int) -> bool:
    """Whether a network for a game with this number of players is included."""
    return (SHIPPED / f"{game}.npz").exists() and players in load(game).players


def load(name: str) -> Weights:
    """Return the weights of a file, or the included ones for a game. A file is read each time, since it
    may have been saved again."""
    if name in GAMES:
        return _shipped(name)
    try:
        content = Path(name).read_bytes()
    except FileNotFoundError:
        raise NotFound(f"there is no file {name!r:.80} with a net in it") from None
    except (OSError, ValueError):
        raise _unreadable(name) from None
    return _weights(name, content)


@functools.cache
def _shipped(game: str) -> Weights:
    """Return the included weights of a game, which never change."""
    file = SHIPPED / f"{game}.npz"
    if not file.exists():
        raise NotFound(f"there is no included net for {game}: train one, and write net:FILE")
    return _weights(game, file.read_bytes())


@functools.lru_cache(maxsize=16)
def _weights(name: str, content: bytes) -> Weights:
    """Return the weights in the content of a file. Decoding takes much longer than comparing contents."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return _read(name, dict(arrays))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise _unreadable(name) from None


def _unreadable(name: str) -> UpcardError:
    return UpcardError(f"{name!r:.80} is not a net that Upcard knows how to read")


def _read(name: str, arrays: dict[str, Any]) -> Weights:
    game = str(arrays["game"])
    if game not in GAMES:
        raise UpcardError(f"{name!r:.80} is a net for {game!r:.40}, which is not an installed game")
    encoding = encoding_of(find(game))
    if int(arrays["version"]) != encoding.version:
        raise UpcardError(
            f"{name!r:.80} was trained with version {arrays['version']} of the encoding of {game}"
        )
    layers: list[Layer] = []
    width = encoding.size
    while f"matrix{len(layers)}" in arrays:
        matrix = arrays[f"matrix{len(layers)}"].astype(np.float32)
        bias = arrays[f"bias{len(layers)}"].astype(np.float32)
        if matrix.shape != (width, *bias.shape) or bias.ndim != 1:
            raise ValueError("the layers do not fit")
        if not (np.isfinite(matrix).all() and np.isfinite(bias).all()):
            raise ValueError("some weights are not numbers")
        layers.append((matrix, bias))
        width = len(bias)
    if not layers or width != encoding.action_count:
        raise ValueError("the layers do not fit the game")
    return Weights(game, tuple(int(count) for count in arrays["players"]), tuple(layers))
