"""Every game as numbers: what a seat knows as an observation, what it can do as actions.

The three verbs here mean the same in every game and work on tables and views alike, plain or compiled: from a
table they read nothing that the viewer may not know.
"""

from __future__ import annotations

__all__ = ["VERBS", "Encoding", "action_of", "all_encodings", "encoding_of", "move_of", "observe"]

import functools
import importlib
from collections.abc import Callable, Mapping, MutableSequence
from dataclasses import dataclass, field
from typing import Any

from upcard.core.game import Game
from upcard.core.record import Record
from upcard.core.table import Table, View
from upcard.games import all_games, find
from upcard.rl.layout import Layout


def observe(position: Table | View, viewer: int, out: MutableSequence[int]) -> None:
    """Write all that the viewer (a seat from 0) knows into `out`, whose numbers are all zero."""
    _meanings["observe", type(position)](position, viewer, out)


def action_of(position: Table | View, move: int) -> int:
    """Return the action that a legal move of the seat to move is."""
    return int(_meanings["action_of", type(position)](position, move))


def move_of(position: Table | View, action: int) -> int:
    """Return the move that an action of the seat to move is, legal or not; a negative number for none."""
    return int(_meanings["move_of", type(position)](position, action))


VERBS: tuple[Callable[..., Any], ...] = (observe, action_of, move_of)
_meanings: dict[tuple[str, type[Record]], Callable[..., Any]] = {}


@dataclass(frozen=True, eq=False)
class Encoding:
    """A game as numbers. What `version` means never changes: another layout gets another version."""

    game: Game
    version: int
    observation: Layout
    actions: Layout
    # Cards are numbers below this.
    kinds: int
    rules: Mapping[str, Callable[..., Any]] = field(repr=False)

    @property
    def size(self) -> int:
        """How many numbers (bytes) an observation has."""
        return self.observation.size

    @property
    def action_count(self) -> int:
        """Actions are numbers below this."""
        return self.actions.size

    def observation_of(self, position: Table | View, viewer: int) -> Any:
        """Return an observation as an array of bytes, made by plain rules."""
        import numpy as np

        out = [0] * self.size
        observe(position, viewer, out)
        return np.array(out, np.uint8)

    def mask_of(self, position: Table | View, moves: MutableSequence[int]) -> Any:
        """Return the mask of the legal moves, made by plain rules."""
        import numpy as np

        mask = np.zeros(self.action_count, np.int8)
        for move in moves:
            mask[action_of(position, move)] = 1
        return mask


@functools.cache
def encoding_of(game: str) -> Encoding:
    """Return the encoding of a game."""
    found = find(game)
    module = importlib.import_module(f"upcard.rl.encodings.{game}")
    encoding = Encoding(
        game=found,
        version=module.VERSION,
        observation=module.OBSERVATION,
        actions=module.ACTIONS,
        kinds=module.KINDS,
        rules={verb.__name__: getattr(module, verb.__name__) for verb in VERBS},
    )
    for record in (found.Table, found.View):
        for verb, rule in encoding.rules.items():
            _meanings[verb, record] = rule
    return encoding


def all_encodings() -> list[Encoding]:
    """Return the encodings of all games."""
    return [encoding_of(game.id) for game in all_games()]
