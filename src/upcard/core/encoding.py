"""Encodings: a game as numbers for learning. Observations encode what a seat knows, and actions encode its
moves.

The encoding of a game is the module `encoding` of its package. The three verbs here work for every game, on
tables and views, plain or compiled: from a table they read only what the viewer may know.
"""

from __future__ import annotations

__all__ = ["VERBS", "Encoding", "action_of", "encode", "encoding_of", "has_encoding", "move_of"]

import functools
from collections.abc import Callable, Mapping, MutableSequence
from dataclasses import dataclass, field
from typing import Any

from upcard.core.errors import NotFound
from upcard.core.game import Game, find_module
from upcard.core.layout import Layout
from upcard.core.struct import Struct
from upcard.core.table import Table, View


def encode(position: Table | View, viewer: int, out: MutableSequence[int]) -> None:
    """Write everything that the viewer (a seat from 0) knows into `out`, which is filled with zeros."""
    _meanings["encode", type(position)](position, viewer, out)


def action_of(position: Table | View, move: int) -> int:
    """Return the action of a legal move of the seat to move."""
    return int(_meanings["action_of", type(position)](position, move))


def move_of(position: Table | View, action: int) -> int:
    """Return the move of an action of the seat to move, legal or not; a negative number if there is none."""
    return int(_meanings["move_of", type(position)](position, action))


VERBS: tuple[Callable[..., Any], ...] = (encode, action_of, move_of)
_meanings: dict[tuple[str, type[Struct]], Callable[..., Any]] = {}


@dataclass(frozen=True, eq=False)
class Encoding:
    """A game as numbers. The meaning of a `version` never changes: another layout gets another version."""

    game: Game
    version: int
    observation: Layout
    actions: Layout
    # Cards are numbers below this.
    kinds: int
    rules: Mapping[str, Callable[..., Any]] = field(repr=False)

    @property
    def size(self) -> int:
        """The length of an observation, in bytes."""
        return self.observation.size

    @property
    def action_count(self) -> int:
        """Actions are numbers below this."""
        return self.actions.size

    def observation_of(self, position: Table | View, viewer: int) -> Any:
        """Return an observation as an array of bytes, made by plain rules."""
        import numpy as np

        out = [0] * self.size
        encode(position, viewer, out)
        return np.array(out, np.uint8)

    def mask_of(self, position: Table | View, moves: MutableSequence[int]) -> Any:
        """Return the mask of the legal moves, made by plain rules."""
        import numpy as np

        mask = np.zeros(self.action_count, np.int8)
        for move in moves:
            mask[action_of(position, move)] = 1
        return mask


def has_encoding(game: Game) -> bool:
    """Tell whether a game can be a learning environment."""
    return find_module(f"{game.package}.encoding") is not None


@functools.cache
def encoding_of(game: Game) -> Encoding:
    """Return the encoding of a game, or raise an UpcardError if it has none."""
    module = find_module(f"{game.package}.encoding")
    if module is None:
        raise NotFound(f"{game.title} has no encoding, so it is not a learning environment")
    encoding = Encoding(
        game=game,
        version=module.VERSION,
        observation=module.OBSERVATION,
        actions=module.ACTIONS,
        kinds=module.KINDS,
        rules={verb.__name__: getattr(module, verb.__name__) for verb in VERBS},
    )
    for struct in (game.Table, game.View):
        for verb, rule in encoding.rules.items():
            _meanings[verb, struct] = rule
    return encoding
