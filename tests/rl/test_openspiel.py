"""OpenSpiel's own tests and algorithms on our games."""

from __future__ import annotations

import importlib
import pickle
import random
import sys
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import upcard
from upcard.core.errors import UpcardError
from upcard.match.seed import read_seed
from upcard.rl.encodings import encoding_of, move_of

pyspiel = pytest.importorskip("pyspiel")

from absl import flags  # noqa: E402
from open_spiel.python import policy  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    external_sampling_mccfr,
    ismcts,
    mcts,
    outcome_sampling_mccfr,
    sample_some_states,
)

import upcard.rl.openspiel  # noqa: E402

# OpenSpiel's own code causes warnings.
pytestmark = [pytest.mark.compiled, pytest.mark.filterwarnings("ignore")]
# Each game takes some seconds to compile. The adapter is the same for all, so `make test` tries one.
each_game = pytest.mark.parametrize(
    "game", ["lines", *(pytest.param(game, marks=pytest.mark.soak) for game in ("stockpile", "stacks"))]
)


def loaded(game: str, **parameters: Any) -> Any:
    return pyspiel.load_game(f"python_upcard_{game}", parameters)


def decisions_of(game: Any, seed: int, most: int = 100) -> list[Any]:
    """Return the states of a random game in which a player is to move."""
    dice, state = random.Random(seed), dealt(game, seed)
    states: list[Any] = []
    while not state.is_terminal() and len(states) < most:
        states.append(state.clone())
        state.apply_action(dice.choice(state.legal_actions()))
    return states


def dealt(game: Any, seed: int) -> Any:
    """Return the state after the chance nodes of a seed."""
    state = game.new_initial_state()
    for byte in read_seed(seed):
        assert state.is_chance_node()
        state.apply_action(byte)
    assert not state.is_chance_node()
    return state


# Tests of theirs


@each_game
@pytest.mark.parametrize("players", [2, 3])
def test_random_sim_test(game: str, players: int) -> None:
    pyspiel.random_sim_test(loaded(game, players=players), num_sims=1, serialize=True, verbose=False)


@each_game
def test_games_sim_test(game: str) -> None:
    from open_spiel.python.tests.games_sim_test import GamesSimTest

    GamesSimTest().sim_game(loaded(game))


@each_game
def test_a_playthrough_can_be_played_again(game: str, tmp_path: Path) -> None:
    from open_spiel.python.algorithms import generate_playthrough  # takes a second

    short = {"stockpile": "(stock=3)", "stacks": "(turn_limit=8)"}.get(game, "")
    text = generate_playthrough.playthrough(f"python_upcard_{game}{short}", action_sequence=None, seed=1)
    assert "IsTerminal() = True" in text
    (tmp_path / "playthrough.txt").write_text(text, "utf-8")
    flags.FLAGS.mark_as_parsed()
    before, after = generate_playthrough.replay(str(tmp_path / "playthrough.txt"))
    assert before == after


@each_game
def test_the_api_holds_on_a_part_of_the_tree(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from open_spiel.integration_tests import api_test

    some = sample_some_states.sample_some_states
    monkeypatch.setattr(
        api_test.sample_some_states, "sample_some_states", lambda tree, max_states: some(tree, max_states=400)
    )
    ours = {"game": loaded(game), "game_name": f"python_upcard_{game}"}
    cases = type(f"PartialTree{game}", (api_test.EnforceAPIOnPartialTreeBase,), ours)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(cases).run(result)
    assert result.testsRun > 3
    assert not result.errors + result.failures, (result.errors + result.failures)[0][1]


# Tests of ours


@each_game
def test_a_seed_and_actions_give_the_game_that_they_give_in_the_library(game: str) -> None:
    spiel, match = loaded(game, players=3), upcard.new(game, seed=5, players=3)
    state, dice, encoding = dealt(spiel, 5), random.Random(5), encoding_of(game)
    while not state.is_terminal():
        assert state.current_player() + 1 == match.to_move
        seen = np.asarray(state.observation_tensor(0)) * encoding.observation.high
        assert np.array_equal(np.rint(seen), encoding.observation_of(match.table, 0))
        action = dice.choice(state.legal_actions())
        written = state.action_to_string(action)
        assert match.make(move_of(match.table, action)) is not None
        assert match.log_of_moves[-1].text == written
        state.apply_action(action)
    assert match.result is not None
    won = [seat for seat, result in enumerate(state.returns(), 1) if result == max(state.returns())]
    assert won == match.result["winners"]
    assert sum(state.returns()) == pytest.approx(0)


@each_game
def test_a_game_is_loaded_with_its_options(game: str) -> None:
    first = {"stacks": "dealer"}.get(game, "first")
    spiel = loaded(game, players=3, **{first: 2})
    assert spiel.num_players() == 3
    assert spiel.setup.options[first] == 2
    assert spiel.max_chance_nodes_in_history() == 32


def test_a_copy_of_a_state_and_a_kept_one_are_the_same_state_of_lines() -> None:
    state = decisions_of(loaded("lines"), 3, 9)[-1]
    for copy in (state.clone(), pickle.loads(pickle.dumps(state))):
        assert copy.history() == state.history()
        assert str(copy) == str(state)
        copy.apply_action(copy.legal_actions()[0])
        assert copy.history() != state.history()


@each_game
def test_information_states_tell_apart_what_a_player_has_seen_and_done_before(game: str) -> None:
    states = decisions_of(loaded(game), 9, 60) + decisions_of(loaded(game), 10, 60)
    strings = {state.information_state_string() for state in states}
    tensors = {np.asarray(state.information_state_tensor()).tobytes() for state in states}
    assert len(strings) == len(tensors) == len(states)


@each_game
@pytest.mark.parametrize("players", [2, 3])
def test_resampled_states_look_the_same_to_the_player_and_differ_elsewhere(game: str, players: int) -> None:
    dice, others = random.Random(7), 0
    for state in decisions_of(loaded(game, players=players), 8, 40)[::13]:
        for player in range(players):
            other = state.resample_from_infostate(player, dice.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            assert other.current_player() == state.current_player()
            if player == state.current_player():
                assert other.legal_actions() == state.legal_actions()
            others += other.position.table != state.position.table
            while not other.is_terminal() and dice.random() < 0.95:
                other.apply_action(dice.choice(other.legal_actions()))
    assert others > players


def test_only_a_state_in_which_a_player_is_to_move_can_be_resampled() -> None:
    with pytest.raises(UpcardError, match="in which a player is to move"):
        loaded("lines").new_initial_state().resample_from_infostate(0, random.Random(1).random)


def test_without_openspiel_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "upcard.rl.openspiel")
    with pytest.raises(UpcardError, match="pip install open_spiel"):
        importlib.import_module("upcard.rl.openspiel")


# Algorithms of theirs


@each_game
def test_information_set_search_runs(game: str) -> None:
    spiel = loaded(game)
    rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(spiel, rollouts, 2.0, 12, random_state=np.random.RandomState(1))
    for state in decisions_of(spiel, 11, 20)[::7]:
        assert bot.step(state) in state.legal_actions()


@each_game
def test_counterfactual_regret_is_minimized_on_samples(game: str) -> None:
    spiel = loaded(game, **{"stockpile": {"stock": 1}, "lines": {"colours": 4}}.get(game, {"turn_limit": 4}))
    np.random.seed(1)  # their dice
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(spiel)
    for _ in range(6):
        solver.iteration()
    average: Callable[..., Any] = solver.average_policy().action_probabilities
    state = decisions_of(spiel, 12)[0]
    assert sum(average(state).values()) == pytest.approx(1)
    assert isinstance(policy.UniformRandomPolicy(spiel).action_probabilities(state), dict)


@pytest.mark.soak
def test_counterfactual_regret_is_minimized_with_all_choices_of_a_player() -> None:
    """Of one turn of Stacks: in longer games there are too many of them."""
    np.random.seed(1)  # their dice
    spiel = loaded("stacks", turn_limit=1)
    solver = external_sampling_mccfr.ExternalSamplingSolver(spiel)
    for _ in range(4):
        solver.iteration()
    average: Callable[..., Any] = solver.average_policy().action_probabilities
    for state in decisions_of(spiel, 13):
        assert sum(average(state).values()) == pytest.approx(1)
