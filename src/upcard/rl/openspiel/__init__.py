"""OpenSpiel: the games among its own, as `python_upcard_stockpile`, `_lines` and `_stacks`.

Import this module, and `pyspiel.load_game("python_upcard_lines(players=3)")` finds them. The options of a
game are its parameters (a seat is its number, 0 is a random one). Every card is a chance node, at the moment
when it is drawn. Actions are those of all learning environments; docs/observations.md lists them.
"""

from __future__ import annotations

__all__ = ["Observer", "SpielGame", "SpielState", "decisions_per_second", "register"]

import random
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from upcard.core.errors import UpcardError
from upcard.core.game import Game
from upcard.core.options import Option, SeatChoice, Value
from upcard.games import GAMES, find
from upcard.rl.tree import CHANCE_PLAYER, NOBODY, Position, setup_of
from upcard.rl.tree.dealing import DEAL, LOT

try:
    import pyspiel
except ImportError:
    raise UpcardError("the games are in OpenSpiel where it is installed: pip install open_spiel") from None

PREFIX = "python_upcard_"
RANDOM_SEAT = 0
# Stockpile and Lines have no longest game; this is longer than any that is played.
LONGEST_GAME = 100_000
# What a seat was told, in bits.
RECALL = 64


def game_type(game: Game) -> Any:
    """Return what OpenSpiel has to know of a game before it is loaded."""
    players = game.options[0]
    kind = pyspiel.GameType
    return kind(
        short_name=PREFIX + game.id,
        long_name=f"Upcard {game.title}",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=players.most,  # type: ignore[attr-defined]  # the first option is the number of players
        min_num_players=players.least,  # type: ignore[attr-defined]
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={option.name: _as_parameter(option) for option in game.options},
    )


def _as_parameter(option: Option) -> Value:
    return RANDOM_SEAT if isinstance(option, SeatChoice) else option.default


def _as_options(game: Game, parameters: Mapping[str, Value]) -> dict[str, object]:
    seats = {option.name for option in game.options if isinstance(option, SeatChoice)}
    return {
        name: "random" if name in seats and value == RANDOM_SEAT else value
        for name, value in parameters.items()
    }


class SpielGame(pyspiel.Game):
    """A game with its options."""

    # Which game it is, in a subclass.
    kind: Any
    name: str

    def __init__(self, parameters: Mapping[str, Value] | None = None) -> None:
        self.setup = setup_of(self.name, _as_options(find(self.name), parameters or {}))
        players = self.setup.players
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setup.encoding.action_count,
            max_chance_outcomes=self.setup.most_outcomes,
            num_players=players,
            min_utility=-1.0 / (players - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST_GAME,
        )
        super().__init__(self.kind, info, parameters or {})

    def new_initial_state(self) -> SpielState:
        """Return a state in which nothing has been dealt yet."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return a number that there are no more chance nodes than."""
        return LONGEST_GAME

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
        """Return who writes down what a seat knows: now, or with all that it was ever told. There is none for
        what is public alone, or private alone."""
        if params:
            raise UpcardError(f"observers of {self.setup.game.title} have no parameters")
        if iig_obs_type is None:
            return Observer(self, recall=False)
        whole = iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not (whole and iig_obs_type.public_info):
            return None
        return Observer(self, iig_obs_type.perfect_recall)


class SpielState(pyspiel.State):
    """A position as a state of OpenSpiel."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position: Position = game.setup.root

    def current_player(self) -> int:
        """Return the seat that is to move (from 0), or who else is."""
        return self.position.player

    def is_terminal(self) -> bool:
        """Tell whether the game is over."""
        return self.position.player == NOBODY

    def is_chance_node(self) -> bool:
        """Tell whether a card is to come."""
        return self.position.player == CHANCE_PLAYER

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return what a player can do, chance too; by default the one who is to move."""
        position = self.position
        return position.actions if player is None or player == position.player else []

    def _legal_actions(self, _player: int) -> list[int]:
        return self.position.actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what can come out, and how likely it is."""
        return self.position.chances

    def _apply_action(self, action: int) -> None:
        self.position = self.position.after(action)

    def returns(self) -> list[float]:
        """Return what everybody has won."""
        return self.position.rewards

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Return a state at random that a player cannot tell from this one, with a history of its own."""
        other = self.position.resampled(player, int(sampler() * (1 << 53)))
        state: SpielState = self.get_game().new_initial_state()
        for action in other.history:
            state.apply_action(action)
        return state

    def _action_to_string(self, player: int, action: int) -> str:
        position = self.position
        game = position.setup.game
        if player >= 0:
            move = position.setup.encoding.rules["move_of"](position.plain, action)
            return game.write_move(position.plain, move)
        if position.kind == LOT and position.action == DEAL:
            return f"seat {action + 1}"
        return game.write_card(action)

    def __str__(self) -> str:
        return self.position.drawn(max(self.position.plain.to_move, 0))


class Observer:
    """Writes down what a seat knows, as numbers from 0 to 1 and as text.

    With `recall` it is an information state: besides what lies on the table, all that the seat was ever told.
    In numbers that is a digest of 64 bits: two states have the same one if a seat cannot tell them apart.
    """

    def __init__(self, game: SpielGame, recall: bool) -> None:
        encoding = game.setup.encoding
        self.recall = recall
        self._bytes = np.zeros(encoding.size, np.uint8)
        self._factors = (1 / encoding.observation.high).astype(np.float32)
        self.tensor = np.zeros(encoding.size + (RECALL if recall else 0), np.float32)
        self.dict = {"observation": self.tensor[: encoding.size]}
        if recall:
            self.dict["recall"] = self.tensor[encoding.size :]

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player knows into `tensor`."""
        state.position.observe(player, self._bytes)
        np.multiply(self._bytes, self._factors, out=self.dict["observation"])
        if self.recall:
            digest = np.array(state.position.recall(player), np.int32)
            self.dict["recall"][:] = np.unpackbits(digest.view(np.uint8))

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a player knows as text."""
        if self.recall:
            return f"seat {player + 1}\n{state.position.told(player)}"
        return state.position.drawn(player)


# Finding them


def register() -> None:
    """Let OpenSpiel know the games. Importing this module does it."""
    known = pyspiel.registered_names()
    for name in GAMES:
        # Classes, as OpenSpiel keeps them for longer than Python lives; and of this module, for pickles.
        own = f"{name.capitalize()}Game"
        if PREFIX + name not in known:
            kind = game_type(find(name))
            globals()[own] = type(own, (SpielGame,), {"kind": kind, "name": name, "__module__": __name__})
            pyspiel.register_game(kind, globals()[own])


register()


# How quick it is


def decisions_per_second(game: str = "stockpile", seconds: float = 2.0, **parameters: Value) -> float:
    """Return how many decisions a second random players make in OpenSpiel, with chance nodes in between."""
    spiel = pyspiel.load_game(PREFIX + game, parameters)
    dice = random.Random(1)
    _play(spiel, dice)
    decisions = 0
    begun = time.perf_counter()
    while time.perf_counter() < begun + seconds:
        decisions += _play(spiel, dice)
    return decisions / (time.perf_counter() - begun)


def _play(game: SpielGame, dice: random.Random) -> int:
    """Play a game, and return how many decisions there were."""
    decisions = 0
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(_drawn(state.chance_outcomes(), dice.random()))
        else:
            actions = state.legal_actions()
            state.apply_action(actions[int(dice.random() * len(actions))])
            decisions += 1
    return decisions


def _drawn(outcomes: list[tuple[int, float]], lot: float) -> int:
    """Return the outcome that a number from 0 to 1 stands for."""
    for outcome, chance in outcomes:
        lot -= chance
        if lot < 0.0:
            return outcome
    return outcomes[-1][0]
