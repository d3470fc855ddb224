"""OpenSpiel's own tests and algorithms on our games."""

from __future__ import annotations

import itertools
import random
import unittest
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import upcard
from upcard.rl.encodings import move_of
from upcard.rl.tree import Dealer

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

from upcard.rl import openspiel  # noqa: E402
from upcard.rl.openspiel import _drawn as really_drawn  # noqa: E402

# What others wrote warns of things that are theirs.
pytestmark = [pytest.mark.compiled, pytest.mark.filterwarnings("ignore")]
# What goes through the tree of a game takes half a minute to compile for each, so outside a soak there is
# one: that of the examples in docs/learning.md.
each_game = pytest.mark.parametrize(
    "game", ["lines", *(pytest.param(game, marks=pytest.mark.soak) for game in ("stockpile", "stacks"))]
)


def loaded(game: str, **parameters: Any) -> Any:
    return pyspiel.load_game(f"python_upcard_{game}", parameters)


def decisions_of(game: Any, seed: int, most: int = 100) -> list[Any]:
    """Return the states of a random game in which somebody has to decide."""
    dice, state = random.Random(seed), game.new_initial_state()
    states: list[Any] = []
    while not state.is_terminal() and len(states) < most:
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(dice.choices(outcomes, chances)[0])
        else:
            states.append(state.clone())
            state.apply_action(dice.choice(state.legal_actions()))
    return states


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
    state, dealer, dice = spiel.new_initial_state(), Dealer(spiel.setup, 5), random.Random(5)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(dealer.outcome(state.position))
            continue
        assert state.current_player() + 1 == match.to_move
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
    state = spiel.new_initial_state()
    assert max(outcome for outcome, _ in state.chance_outcomes()) > 5, "cards, as the seat is known"
    assert spiel.setup.options[first] == 2


@each_game
def test_information_states_remember_everything_and_tell_no_more(game: str) -> None:
    """Perfect recall: what a player knew before is part of what it knows now, its own choices too."""
    before: dict[int, str] = {}
    chosen: dict[int, list[int]] = {}
    for state in decisions_of(loaded(game), 6):
        player = state.current_player()
        known = state.information_state_string()
        assert known.startswith(before.get(player, ""))
        said = [int(line.split()[1]) for line in known.splitlines() if line.startswith("chose")]
        assert said == [a for p, a in zip(players_of(state), state.history(), strict=True) if p == player]
        assert len(said) == len(chosen.get(player, [])) + (player in before)
        before[player], chosen[player] = known, said


def players_of(state: Any) -> list[int]:
    return [item.player for item in state.full_history()]


@each_game
@pytest.mark.parametrize("players", [2, 3])
def test_resampled_states_look_the_same_and_have_a_history_of_their_own(game: str, players: int) -> None:
    dice = random.Random(7)
    others = 0
    for state in decisions_of(loaded(game, players=players), 8, 60)[::13]:
        for player in range(players):
            other = state.resample_from_infostate(player, dice.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert np.array_equal(
                other.information_state_tensor(player), state.information_state_tensor(player)
            )
            assert np.array_equal(other.observation_tensor(player), state.observation_tensor(player))
            assert other.current_player() == state.current_player()
            again = loaded(game, players=players).new_initial_state()
            for action in other.history():
                again.apply_action(action)
            assert str(again) == str(other)
            others += other.history() != state.history()
    assert others


@each_game
def test_tensors_tell_apart_what_strings_tell_apart(game: str) -> None:
    states = decisions_of(loaded(game), 9) + decisions_of(loaded(game), 10)
    strings = {state.information_state_string() for state in states}
    tensors = {np.asarray(state.information_state_tensor()).tobytes() for state in states}
    assert len(strings) == len(tensors) == len(states)


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


class Counted(random.Random):
    """Dice that are thrown for every decision and every outcome of chance."""

    thrown = 0

    def random(self) -> float:
        self.thrown += 1
        return super().random()


def test_speed_is_measured_by_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    spiel, dice, outcomes = loaded("lines"), Counted(1), Counter[str]()

    def drawn(*given: Any) -> int:
        outcomes["drawn"] += 1
        return really_drawn(*given)

    monkeypatch.setattr(openspiel, "_drawn", drawn)
    _, first, second = games = [openspiel._play(spiel, dice) for _ in range(3)]
    assert sum(games) == dice.thrown - outcomes["drawn"]
    # A clock that goes on by a second whenever somebody looks at it: there is time for two games.
    monkeypatch.setattr(openspiel, "time", SimpleNamespace(perf_counter=itertools.count().__next__))
    assert openspiel.decisions_per_second("lines", 3.0) == (first + second) / 4
