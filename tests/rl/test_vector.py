"""Many tables in one call are the same games as in the library, whatever the number of threads."""

from __future__ import annotations

import copy
import hashlib
import pickle
from typing import Any

import numpy as np
import pytest

import upcard
from tests.cases import Case, each_case
from upcard.bots import Seated, find
from upcard.core.errors import GameOver, OptionError, UpcardError
from upcard.match import Match
from upcard.match.seed import numbered_seed, read_seed
from upcard.rl import threads
from upcard.rl.encodings import encoding_of, move_of
from upcard.rl.vector import VectorEnv

GAMES = ["stockpile", "lines", "stacks"]
each_game = pytest.mark.parametrize("game", GAMES)
compiled = pytest.mark.compiled


def winnings(match: Match) -> list[float]:
    """Return what each seat should be paid at the end."""
    result = match.result
    assert result is not None
    players, winners = len(match.players), result["winners"]
    shares = [int(seat in winners) / len(winners) for seat in range(1, players + 1)]
    return [(players * share - 1) / (players - 1) for share in shares]


@compiled
@each_case
def test_the_same_seeds_and_actions_give_the_same_games_as_in_the_library(case: Case) -> None:
    game, encoding, tables = case.game, encoding_of(case.game.id), 2
    env = VectorEnv(game.id, tables, **case.options)
    state = env.reset("same")
    numbers = list(range(tables))
    matches = [library_match(case, number) for number in numbers]
    for step in range(120):
        actions = env.random_actions().copy()
        for number, match in enumerate(matches):
            assert env.seed_of(number) == match.seed
            assert state.seats[number] == match.table.to_move
            assert np.array_equal(
                state.masks[number], encoding.mask_of(match.table, game.legal_moves(match.table))
            )
            if step % 12 == number:
                seat = int(state.seats[number])
                view = match.view(seat + 1)
                assert np.array_equal(state.observations[number], encoding.observation_of(view, seat))
        state = env.step(actions)
        for number, match in enumerate(matches):
            match.make(move_of(match.table, int(actions[number])))
            assert bool(state.terminated[number]) == match.over
            assert state.rewards[number].tolist() == pytest.approx(
                winnings(match) if match.over else [0] * len(match.players)
            )
            if match.over:
                numbers[number] += tables
                matches[number] = library_match(case, numbers[number])
    assert not state.truncated.any()


def library_match(case: Case, number: int) -> Match:
    return upcard.new(case.game, seed=numbered_seed(read_seed("same"), number), **case.options)


@compiled
@pytest.mark.parametrize("bot", ["random", "greedy", "easy"])
@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("stockpile", {"players": 2}),
        ("stockpile", {"players": 4, "stock": 1, "must_play": False}),
        # The kernel with bots takes long to compile for each game. That they find the same moves at compiled
        # tables of any game is tested in tests/bots.
        pytest.param("lines", {"players": 3}, marks=pytest.mark.soak),
        pytest.param("lines", {"players": 5, "colours": 6, "give": "matching"}, marks=pytest.mark.soak),
        pytest.param("stacks", {"players": 2}, marks=pytest.mark.soak),
        pytest.param("stacks", {"players": 4, "block": "anytime", "recycle": "all"}, marks=pytest.mark.soak),
    ],
    ids=str,
)
def test_bots_inside_play_as_they_do_in_a_match(game: str, options: dict[str, Any], bot: str) -> None:
    """And the dice of each of them are those that it has there."""
    seat, tables = 2, 2
    env = VectorEnv(game, tables, opponents=bot, seat=seat, **options)
    state = env.reset(5)
    matches = [match_against(game, options, bot, env.seed_of(number), seat) for number in range(tables)]
    ended = 0
    for _ in range(100):
        actions = env.random_actions().copy()
        for number, (match, _) in enumerate(matches):
            assert state.seats[number] == seat - 1 == match.table.to_move
            view = match.view(seat)
            assert np.array_equal(
                state.observations[number], encoding_of(game).observation_of(view, seat - 1)
            )
        state = env.step(actions)
        for number, (match, bots) in enumerate(matches):
            match.make(move_of(match.table, int(actions[number])))
            play_bots(match, bots, seat)
            assert bool(state.terminated[number]) == match.over
            if match.over:
                ended += 1
                assert state.rewards[number].tolist() == pytest.approx(winnings(match))
                matches[number] = match_against(game, options, bot, env.seed_of(number), seat)
    assert ended > 0


@compiled
def test_games_of_stockpile_that_end_before_the_learners_first_turn_are_passed_over() -> None:
    tables, seat = 16, 4
    options: dict[str, Any] = {"players": 4, "stock": 1}
    env = VectorEnv("stockpile", tables, opponents="greedy", seat=seat, **options)
    assert env.reset(6).masks.any(axis=1).all()
    passed_over = 0
    for table in range(tables):
        number = table
        while match_against("stockpile", options, "greedy", numbered_seed(env.seed, number), seat)[0].over:
            number += tables
            passed_over += 1
        assert env.seed_of(table) == numbered_seed(env.seed, number)
    assert passed_over


Bots = dict[int, Seated]


def match_against(game: str, options: dict[str, Any], bot: str, seed: bytes, seat: int) -> tuple[Match, Bots]:
    match = upcard.new(game, seed=seed, **options)
    others = [other for other in range(1, len(match.players) + 1) if other != seat]
    bots = {other: Seated(find(bot), match, other) for other in others}
    play_bots(match, bots, seat)
    return match, bots


def play_bots(match: Match, bots: Bots, seat: int) -> None:
    while not match.over and match.to_move != seat:
        assert match.to_move is not None
        match.make(bots[match.to_move].choose())


@compiled
@each_game
def test_the_number_of_threads_changes_nothing(game: str) -> None:
    endings = set()
    for count in (1, 2, 5):
        env = VectorEnv(game, 300, threads=count)
        assert env.threads == count
        env.reset(11)
        digest = hashlib.sha256()
        for _ in range(60):
            for array in env.step(env.random_actions()):
                digest.update(array.tobytes())
        endings.add(digest.hexdigest())
        env.close()
    assert len(endings) == 1


def test_few_tables_have_one_thread_unless_the_caller_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_cores", lambda: 4)
    assert [VectorEnv("stockpile", tables).threads for tables in (1, 4_095, 4_096)] == [1, 1, 2]
    assert [threads.default_threads(tables) for tables in (8_191, 8_192, 1 << 20)] == [3, 4, 4]
    assert [VectorEnv("stockpile", tables, threads=3).threads for tables in (1, 2, 300)] == [1, 2, 3]


@compiled
def test_other_seeds_give_other_games_of_stockpile() -> None:
    env = VectorEnv("stockpile", 4)
    first = env.reset(1).observations.copy()
    assert len({row.tobytes() for row in first}) == 4
    assert not np.array_equal(first, env.reset(2).observations)
    assert np.array_equal(first, env.reset(1).observations)
    assert not np.array_equal(first, env.reset().observations)


@compiled
@each_game
def test_games_restart_automatically_and_winners_are_paid_by_losers(game: str) -> None:
    env = VectorEnv(game, 8, players=3)
    env.reset(3)
    ended = 0
    for _ in range(700):
        state = env.step(env.random_actions())
        assert np.allclose(state.rewards.sum(axis=1), 0, atol=1e-6)
        assert (state.rewards.any(axis=1) <= state.terminated).all()
        assert state.masks.any(axis=1).all()
        ended += int(state.terminated.sum())
    assert ended >= 8


@compiled
@each_game
def test_an_illegal_action_loses_the_game(game: str) -> None:
    env = VectorEnv(game, 3, players=3)
    state = env.reset(1)
    actions = env.random_actions().copy()
    loser = int(state.seats[1])
    actions[1] = int(np.flatnonzero(state.masks[1] == 0)[0])
    before = env.seed_of(1)
    state = env.step(actions)
    assert env.refused.tolist() == [False, True, False]
    assert state.terminated.tolist() == [False, True, False]
    assert state.rewards[1].tolist() == [-1 if seat == loser else 0.5 for seat in range(3)]
    assert env.seed_of(1) != before


@compiled
@pytest.mark.parametrize("action", [-1, 10_000])
def test_an_action_that_there_is_not_is_illegal_too_at_a_table_of_stockpile(action: int) -> None:
    env = VectorEnv("stockpile", 2)
    env.reset(1)
    state = env.step([action, action])
    assert state.terminated.all()
    assert env.refused.all()


@compiled
@each_game
def test_an_illegal_action_can_be_refused_instead(game: str) -> None:
    env = VectorEnv(game, 2, illegal="refuse")
    before = env.reset(1)
    observations, masks = before.observations.copy(), before.masks.copy()
    state = env.step(masks.argmin(axis=1))
    assert env.refused.all()
    assert not state.terminated.any()
    assert not state.rewards.any()
    assert np.array_equal(state.observations, observations)
    assert np.array_equal(state.masks, masks)
    state = env.step(env.random_actions())
    assert not env.refused.any()
    assert not np.array_equal(state.observations, observations)


@compiled
@each_game
def test_a_game_that_takes_too_long_is_truncated(game: str) -> None:
    env = VectorEnv(game, 2, max_moves=3, final_observations=True)
    state = env.reset(1)
    for step in range(1, 10):
        before = [env.seed_of(0), env.seed_of(1)]
        state = env.step(env.random_actions())
        assert state.truncated.tolist() == [step % 3 == 0] * 2
        assert not state.terminated.any()
        assert not state.rewards.any()
        assert ([env.seed_of(0), env.seed_of(1)] == before) == (step % 3 != 0)
    assert not np.array_equal(env.final_observations, state.observations)


@compiled
@each_game
def test_tables_can_wait_for_their_next_game(game: str) -> None:
    env = VectorEnv(game, 2, autoreset="next_step", max_moves=2)
    env.reset(1)
    env.step(env.random_actions())
    state = env.step(env.random_actions())
    assert state.truncated.all()
    assert not state.masks.any()
    assert not env.began.any()
    last = state.observations.copy()
    assert env.random_actions().tolist() == [0, 0]
    state = env.step([0, 0])  # whatever it is
    assert env.began.all()
    assert not state.truncated.any()
    assert not np.array_equal(state.observations, last)
    assert np.array_equal(state.observations, again(game, 1, 1))


def again(game: str, seed: int, times: int) -> Any:
    env = VectorEnv(game, 2)
    env.reset(seed)
    for _ in range(times):
        env.reset()
    return env.state.observations


@compiled
def test_tables_of_stockpile_can_be_dealt_one_by_one() -> None:
    env = VectorEnv("stockpile", 3, autoreset="disabled", max_moves=1)
    env.reset(1)
    state = env.step(env.random_actions())
    assert state.truncated.all()
    assert not state.masks.any()
    seeds = [env.seed_of(number) for number in range(3)]
    with pytest.raises(GameOver, match="the game at table 0 is over, so reset it before the next step"):
        env.step([0, 0, 0])
    assert [env.seed_of(number) for number in range(3)] == seeds
    state = env.reset(tables=np.array([False, True, False]))
    assert [env.seed_of(number) == seeds[number] for number in range(3)] == [True, False, True]
    assert state.masks.any(axis=1).tolist() == [False, True, False]
    assert state.truncated.tolist() == [True, False, True]
    with pytest.raises(GameOver, match="table 0"):
        env.step([0, 0, 0])
    env.reset(tables=np.array([True, False, True]))
    assert env.step(env.random_actions()).truncated.all()


WRONG_ACTIONS: list[tuple[Any, str]] = [
    (0, r"int64 of shape \(\)"),
    ([0], r"int64 of shape \(1,\)"),
    ([[0, 0]], r"int64 of shape \(1, 2\)"),
    ([0.9, 0.9], r"float64 of shape \(2,\)"),
    ([True, False], r"bool of shape \(2,\)"),
    ([None, 1], r"object of shape \(2,\)"),
    ([1 << 70, 0], r"object of shape \(2,\)"),
    ([[0], [0, 1]], "list: "),
]


@compiled
def test_actions_that_are_not_an_integer_for_each_table_are_refused(subtests: pytest.Subtests) -> None:
    env = VectorEnv("stockpile", 2)
    before = env.reset(1).observations.copy()
    for actions, said in WRONG_ACTIONS:
        wanted = rf"^actions must be an integer array of shape \(2,\), not {said}"
        with subtests.test(said), pytest.raises(UpcardError, match=wanted):
            env.step(actions)
    assert np.array_equal(env.state.observations, before)
    for actions in ([0, 1], np.array([0, 1], np.uint8), np.array([0, 1], np.int32)):
        assert env.step(actions) is env.state


WRONG_TABLES: list[tuple[Any, str]] = [
    ([1, 0], "int64 of shape"),
    ([True], "bool of shape"),
    ([False, False], "at least one True"),
]


@compiled
def test_tables_to_reset_that_cannot_be_reset_alone_are_refused(subtests: pytest.Subtests) -> None:
    env = VectorEnv("stockpile", 2)
    with pytest.raises(UpcardError, match="the first reset must be of all tables"):
        env.reset(tables=np.array([True, False]))
    env.reset(1)
    for tables, said in WRONG_TABLES:
        with subtests.test(said), pytest.raises(UpcardError, match=said):
            env.reset(tables=np.array(tables))
    # The other table would have the seed of a game that is not the one at it.
    with pytest.raises(UpcardError, match="a seed is for all tables"):
        env.reset(2, np.array([True, False]))
    assert env.seed_of(1) == numbered_seed(read_seed(1), 1)


@compiled
def test_nobody_can_change_the_masks_of_stockpile() -> None:
    env = VectorEnv("stockpile", 1)
    state = env.reset(1)
    with pytest.raises(ValueError, match="read-only"):
        state.masks[0, 0] = 1


@compiled
@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_of_a_stockpile_environment_continues_on_its_own(way: Any) -> None:
    env = VectorEnv("stockpile", 60, threads=2)
    env.reset(1)
    env.step(env.random_actions())
    twin = way(env)
    ours = env.step(env.random_actions()).observations.copy()
    assert not np.array_equal(twin.state.observations, ours)
    assert np.array_equal(twin.step(twin.random_actions()).observations, ours)
    env.close()
    twin.close()


@compiled
def test_a_closed_environment_continues_without_its_threads() -> None:
    env = VectorEnv("stockpile", 60, threads=2)
    env.reset(1)
    env.close()
    assert env.step(env.random_actions()).masks.any(axis=1).all()


@compiled
def test_random_actions_at_stockpile_are_all_equally_likely() -> None:
    env = VectorEnv("stockpile", 1)
    state = env.reset(4)
    legal = np.flatnonzero(state.masks[0])
    drawn = [int(env.random_actions()[0]) for _ in range(2_000 * len(legal))]
    counts = np.bincount(drawn, minlength=len(state.masks[0]))
    assert np.flatnonzero(counts).tolist() == legal.tolist()
    # Six standard deviations: not once in a million seeds.
    assert (abs(counts[legal] - 2_000) < 6 * 2_000**0.5).all()


@compiled
def test_no_step_at_stockpile_before_the_deal() -> None:
    with pytest.raises(UpcardError, match="reset the environment before"):
        VectorEnv("stockpile", 1).step([0])


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"tables": 0}, "tables should be 1 or more, not 0"),
    ({"max_moves": 0}, "max_moves should be 1 or more, not 0"),
    ({"threads": 0}, "threads should be 1 or more, not 0"),
    ({"illegal": "forgive"}, "illegal cannot be 'forgive': it is lose or refuse"),
    ({"autoreset": "never"}, "autoreset cannot be 'never': it is same_step or next_step or disabled"),
    ({"opponents": "expert"}, "an opponent cannot be 'expert': it is random or greedy or easy"),
    ({"opponents": ["greedy", "greedy"]}, "name 1 or 1 opponents for 2 players, not 2"),
    ({"opponents": "greedy", "seat": 3}, "there is no seat 3: there are 2 players"),
]


def test_what_cannot_be_is_refused_with_what_can(subtests: pytest.Subtests) -> None:
    for wrong, said in WRONG:
        with subtests.test(said), pytest.raises(UpcardError, match=said):
            VectorEnv("lines", **{"tables": 1} | wrong)


def test_the_options_are_those_of_the_game() -> None:
    with pytest.raises(OptionError, match="5 players need 6 colours"):
        VectorEnv("lines", 1, players=5)
