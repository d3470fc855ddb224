"""OpenSpiel: the games under OpenSpiel names, as `python_upcard_stockpile`, `python_upcard_lines` and so on.

Import this module, and `pyspiel.load_game("python_upcard_lines(players=3)")` finds them. The options of a
game are its parameters (a seat is its number from 1, and 0 is a random seat). Actions are those of all
learning environments; docs/observations.md lists them.

The 32 bytes of a seed are the first 32 actions, all of chance: 256 outcomes each, equally likely. The seed
decides all that is random in a game, so there are no chance nodes after them.
"""

from __future__ import annotations

__all__ = ["Observer", "SpielGame", "SpielState", "register"]

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from upcard.core.chance import Chance, chance_of, key_of
from upcard.core.errors import ArgumentError, MissingPackage, UpcardError
from upcard.core.game import Game, determinize, outcome
from upcard.core.memory import INT, load, store
from upcard.core.options import Option, SeatChoice, Value
from upcard.core.table import PLAYING, Result
from upcard.match.seed import SEED_BYTES
from upcard.rl import kernels
from upcard.rl.encodings import action_of, all_encodings, encoding_of, move_of

try:
    import pyspiel
except ImportError:
    raise MissingPackage("this needs OpenSpiel: pip install open_spiel") from None

PREFIX = "python_upcard_"
RANDOM_SEAT = 0
# Some games have no upper bound; this is longer than any game in practice.
MAX_GAME_LENGTH = 100_000
CHANCE: int = pyspiel.PlayerId.CHANCE
TERMINAL: int = pyspiel.PlayerId.TERMINAL
OUTCOMES = [(byte, 1 / 256) for byte in range(256)]
# Length of the digest of all that a seat has seen, in bits.
RECALL = 64


def game_type(game: Game) -> Any:
    """Return what OpenSpiel needs to know about a game before it is loaded."""
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
        max_num_players=players.maximum,  # type: ignore[attr-defined]  # the first option is the number of players
        min_num_players=players.minimum,  # type: ignore[attr-defined]
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


class Setup:
    """A game with its options. OpenSpiel may copy its own objects without their Python parts, so positions
    refer to this."""

    def __init__(self, name: str, parameters: Mapping[str, Value]) -> None:
        self.encoding = encoding_of(name)
        self.game = self.encoding.game
        self.options = self.game.complete(_as_options(self.game, parameters))
        self.players = int(self.options["players"])
        self.start = store(self.game.new_table(self.options, Chance()))

    def __deepcopy__(self, memo: dict[int, Any]) -> Setup:
        return self


class SpielGame(pyspiel.Game):
    """A game of OpenSpiel."""

    # The game, set by subclasses.
    kind: Any
    name: str

    def __init__(self, parameters: Mapping[str, Value] | None = None) -> None:
        self.setup = Setup(self.name, parameters or {})
        players = self.setup.players
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setup.encoding.action_count,
            max_chance_outcomes=len(OUTCOMES),
            num_players=players,
            min_utility=-1.0 / (players - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MAX_GAME_LENGTH,
        )
        super().__init__(self.kind, info, parameters or {})

    def new_initial_state(self) -> SpielState:
        """Return a state in which nothing has been dealt yet."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the number of chance nodes in a game."""
        return SEED_BYTES

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
        """Return an observer of what a seat sees now or, with perfect recall, has seen so far. Observing only
        public or only private information is not supported."""
        if params:
            raise UpcardError(f"observers of {self.setup.game.title} have no parameters")
        if iig_obs_type is None:
            return Observer(self, recall=False)
        whole = iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not (whole and iig_obs_type.public_info):
            return None
        return Observer(self, iig_obs_type.perfect_recall)


class Position:
    """A table at a decision or at the end, and the position before it. It never changes, so that states share
    it: a state is copied at no cost."""

    def __init__(self, setup: Setup, seed: bytes) -> None:
        """Deal."""
        self._setup = setup
        self._before: Position | None = None
        self._action = kernels.DEAL
        self._digests: dict[int, bytes] = {}
        self._play(np.array([setup.start]), np.array(key_of(seed), INT))

    def after(self, action: int) -> Position:
        """Return the position after a legal action."""
        new = object.__new__(Position)
        new._setup, new._before, new._action, new._digests = self._setup, self, action, {}
        new._play(self.memory.copy(), NO_KEY)
        return new

    def resampled(self, player: int, seed: bytes) -> Position:
        """Return a random position that a player cannot distinguish from this one. It has no history, except
        that the player has seen the same."""
        game = self._setup.game
        view, table = game.view(self.table, player), game.Table()
        determinize(view, table, chance_of(seed))
        new = object.__new__(Position)
        new._setup, new._before, new._action = self._setup, None, kernels.DEAL
        new._digests = {player: self.recall(player)}
        new.memory, new.player = np.array([store(table)]), self.player
        new.actions = sorted(action_of(table, move) for move in game.legal_moves(table))
        return new

    def _play(self, memory: npt.NDArray[Any], key: npt.NDArray[Any]) -> None:
        out = np.empty(self._setup.game.max_legal, INT)
        count = kernels.advance(memory, self._action, key, out)
        self.memory = memory
        # In the order that OpenSpiel wants.
        self.actions: list[int] = sorted(out[:count].tolist())
        self.player = int(memory["to_move"][0]) if memory["over"][0] == PLAYING else TERMINAL

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self

    @property
    def table(self) -> Any:
        """A plain copy of the table."""
        return load(self._setup.game.Table, self.memory[0])

    def observation(self, seat: int) -> npt.NDArray[np.uint8]:
        """Return what a seat sees, as numbers."""
        out = np.zeros((1, self._setup.encoding.size), np.uint8)
        kernels.write_observation(self.memory, 0, seat, out)
        row: npt.NDArray[np.uint8] = out[0]
        return row

    def recall(self, seat: int) -> bytes:
        """Return a digest of all that a seat has seen and done so far. Seats do not notice a position that
        looks to them like the previous one (others may be asked something in secret)."""
        path: list[Position] = []
        position: Position | None = self
        while position is not None and seat not in position._digests:
            path.append(position)
            position = position._before
        for later in reversed(path):
            later._digests[seat] = later._recalled(seat)
        return self._digests[seat]

    def _recalled(self, seat: int) -> bytes:
        seen, before = self.observation(seat).tobytes(), self._before
        if before is None:
            return _digest(seen)
        if before.player == seat:
            return _digest(before._digests[seat] + self._action.to_bytes(2, "little") + seen)
        if seen == before.observation(seat).tobytes():
            return before._digests[seat]
        return _digest(before._digests[seat] + seen)


NO_KEY = np.zeros(8, INT)


def _digest(seen: bytes) -> bytes:
    return hashlib.blake2b(seen, digest_size=RECALL // 8).digest()


class SpielState(pyspiel.State):
    """A state of OpenSpiel: an incomplete seed, or a position."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.setup = game.setup
        self._seed = b""
        self.position: Position | None = None

    def current_player(self) -> int:
        """Return the seat to move (from 0), CHANCE or TERMINAL."""
        return CHANCE if self.position is None else self.position.player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position is not None and self.position.player == TERMINAL

    def is_chance_node(self) -> bool:
        """Whether a byte of the seed comes next."""
        return self.position is None

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions of a player (by default the one to move), or the outcomes of chance."""
        if player is not None and player != self.current_player():
            return []
        return self._legal_actions(self.current_player())

    def _legal_actions(self, _player: int) -> list[int]:
        return list(range(len(OUTCOMES))) if self.position is None else self.position.actions[:]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the bytes that can come next in the seed, and their probabilities."""
        return OUTCOMES[:] if self.position is None else []

    def _apply_action(self, action: int) -> None:
        if self.position is not None:
            self.position = self.position.after(action)
            return
        self._seed += bytes([action])
        if len(self._seed) == SEED_BYTES:
            self.position = Position(self.setup, self._seed)

    def returns(self) -> list[float]:
        """Return what each player has won: 0 before the end."""
        players = self.setup.players
        if self.position is None or self.position.player != TERMINAL:
            return [0.0] * players
        result = Result()
        outcome(self.position.table, result)
        rewards = [0.0] * players
        kernels.pay(result, players, rewards)
        return rewards

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Return a random state that a player cannot distinguish from this one: hidden cards are elsewhere,
        and other cards will come. Its `history` is still that of this state, which does not lead to it."""
        if self.position is None or self.position.player == TERMINAL:
            raise ArgumentError("only a state in which a player is to move can be resampled")
        state: SpielState = self.clone()
        seed = b"".join(int(sampler() * (1 << 32)).to_bytes(4, "little") for _ in range(SEED_BYTES // 4))
        state.position = self.position.resampled(player, seed)
        return state

    def _action_to_string(self, player: int, action: int) -> str:
        if self.position is None or player < 0:
            return f"seed byte {action}"
        table = self.position.table
        return self.setup.game.write_move(table, move_of(table, action))

    def __str__(self) -> str:
        return self.rendered(0 if self.position is None else max(self.position.player, 0))

    def rendered(self, player: int) -> str:
        """Return what a player sees, as text."""
        if self.position is None:
            return f"Nothing has been dealt yet. Seed: {self._seed.hex()}"
        names = [f"Seat {number}" for number in range(1, self.setup.players + 1)]
        return self.setup.game.render(self.setup.game.view(self.position.table, player), names)


class Observer:
    """Writes what a seat knows, as numbers from 0 to 1 and as text.

    With `recall` it is an information state: besides what the seat sees now, a digest of 64 bits of all that
    it has seen and done so far. Two states have the same digest if the seat cannot distinguish them.
    """

    def __init__(self, game: SpielGame, recall: bool) -> None:
        encoding = game.setup.encoding
        self.recall = recall
        self._factors = (1 / encoding.observation.high).astype(np.float32)
        self.tensor = np.zeros(encoding.size + (RECALL if recall else 0), np.float32)
        self.dict = {"observation": self.tensor[: encoding.size]}
        if recall:
            self.dict["recall"] = self.tensor[encoding.size :]

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player knows into `tensor`."""
        self.tensor.fill(0)
        if state.position is None:
            return
        np.multiply(state.position.observation(player), self._factors, out=self.dict["observation"])
        if self.recall:
            digest = np.frombuffer(state.position.recall(player), np.uint8)
            self.dict["recall"][:] = np.unpackbits(digest)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a player knows as text."""
        if state.position is None:
            return f"Seat {player + 1}: nothing has been dealt yet."
        recalled = f"Seen so far: {state.position.recall(player).hex()}\n" if self.recall else ""
        return f"Seat {player + 1}\n{recalled}{state.rendered(player)}"


# Registration


def register() -> None:
    """Register the games with OpenSpiel. Importing this module does it."""
    known = pyspiel.registered_names()
    for game in (encoding.game for encoding in all_encodings()):
        name = game.id
        # Classes, since OpenSpiel keeps them longer than the Python interpreter lives; and in this module,
        # for pickles.
        own = f"{name.capitalize()}Game"
        if PREFIX + name not in known:
            kind = game_type(game)
            globals()[own] = type(own, (SpielGame,), {"kind": kind, "name": name, "__module__": __name__})
            pyspiel.register_game(kind, globals()[own])


register()
