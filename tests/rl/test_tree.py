"""A game as a tree: chance moves, positions stay, and it is the same game as everywhere."""

from __future__ import annotations

import copy
import importlib
import pickle
import random
import sys
from collections import Counter

import numpy as np
import pytest

import upcard
from tests.cases import CASES, Case
from upcard.core.errors import UpcardError
from upcard.rl.encodings import encoding_of, move_of
from upcard.rl.tree import Dealer, Position, Setup, setup_of

pytestmark = pytest.mark.compiled
# The usual table of Lines and the one that differs most from it; the others in a soak.
LINES = [case for case in CASES if case.game.id == "lines"]
SOME = [LINES[0], max(LINES, key=lambda case: len(case.chosen))]
each_case = pytest.mark.parametrize(
    "case", [case if case in SOME else pytest.param(case, marks=pytest.mark.soak) for case in CASES], ids=str
)
# What goes through the tree of a game takes half a minute to compile for each.
each_game = pytest.mark.parametrize(
    "game", ["lines", *(pytest.param(game, marks=pytest.mark.soak) for game in ("stockpile", "stacks"))]
)
MOST_DECISIONS = 150


def drawn(position: Position, dice: random.Random) -> int:
    outcomes, chances = zip(*position.chances, strict=True)
    return int(dice.choices(outcomes, chances)[0])


def played(setup: Setup, seed: int, decisions: int = MOST_DECISIONS) -> list[Position]:
    """Return the positions of a random game, also those in which chance moves."""
    dice, positions = random.Random(seed), [setup.root]
    while not positions[-1].is_over and decisions >= 0:
        last = positions[-1]
        decisions -= not last.is_chance
        positions.append(last.after(drawn(last, dice) if last.is_chance else dice.choice(last.actions)))
    return positions


@each_case
def test_a_seed_and_actions_give_the_game_that_they_give_in_the_library(case: Case) -> None:
    setup, dice = setup_of(case.game.id, case.options), random.Random(str(case))
    encoding = encoding_of(case.game.id)
    match = upcard.new(case.game.id, seed="anything", **case.options)
    dealer, position = Dealer(setup, "anything"), setup.root
    observation = np.zeros(encoding.size, np.uint8)
    for _ in range(MOST_DECISIONS):
        while position.is_chance:
            position = position.after(dealer.outcome(position))
        for seat in range(setup.players):
            position.observe(seat, observation)
            assert np.array_equal(observation, encoding.observation_of(match.table, seat))
        if match.over:
            break
        assert position.player + 1 == match.to_move
        action = dice.choice(position.actions)
        match.make(move_of(match.table, action))
        position = position.after(action)
    assert position.is_over == match.over
    if match.over:
        winners = [number for number, reward in enumerate(position.rewards, 1) if reward > 0]
        assert match.result is not None
        assert winners == match.result["winners"] or len(match.result["winners"]) == setup.players


@each_game
def test_every_card_comes_out_as_often_as_there_are_such_cards(game: str) -> None:
    position = setup_of(game, {}).root
    seats = position.chances
    assert seats == [(0, 0.5), (1, 0.5)]
    first = position.after(0)
    assert sum(chance for _, chance in first.chances) == pytest.approx(1)
    whole = {"stockpile": 96, "lines": 60, "stacks": 112}[game]
    if game != "stacks":
        assert first.chances[0][1] == {"stockpile": 16 / whole, "lines": 1 / whole}[game]
    gone, _ = first.chances[-1]
    left = dict(first.after(gone).chances)
    for card, chance in first.chances:
        before, after = chance * whole, left.get(card, 0) * (whole - 1)
        assert after == pytest.approx(before - (card == gone))


@each_game
def test_what_is_not_legal_and_what_cannot_come_is_refused(game: str) -> None:
    setup = setup_of(game, {})
    for outcome in (2, -1, 1 << 8, 1 << 32):
        with pytest.raises(UpcardError, match="cannot come out here"):
            setup.root.after(outcome)
    decision = next(position for position in played(setup, 1) if position.player >= 0)
    illegal = next(action for action in range(200) if action not in decision.actions)
    for action in (illegal, -1, 1 << 8):
        with pytest.raises(UpcardError, match="not one of the legal actions"):
            decision.after(action)
    with pytest.raises(UpcardError, match="where a seat is to move"):
        setup.root.resampled(0, 1)


@each_game
def test_a_position_never_changes(game: str) -> None:
    setup = setup_of(game, {"players": 3})
    positions = played(setup, 2, 30)
    told = [[position.told(seat) for seat in range(3)] for position in positions]
    seen = [position.table.tobytes() for position in positions]
    for position in positions[:-1]:
        for action in position.actions[:3]:
            position.after(action)
    assert [position.table.tobytes() for position in positions] == seen
    assert [[position.told(seat) for seat in range(3)] for position in positions] == told
    assert copy.deepcopy(positions[5]) is positions[5]


@each_game
def test_games_go_on_side_by_side(game: str) -> None:
    setup = setup_of(game, {})
    alone = [played(setup, seed, 30) for seed in (8, 9)]
    together = [setup.root, setup.root]
    for number in range(min(map(len, alone)) - 1):
        for one in (0, 1):
            after = alone[one][number + 1]
            together[one] = together[one].after(after.history[-1])
            assert together[one].table.tobytes() == after.table.tobytes()
            assert together[one].chances == after.chances
            assert together[one].actions == after.actions


@each_game
def test_who_is_told_what_can_be_done_may_do_with_it_as_they_like(game: str) -> None:
    for position in played(setup_of(game, {}), 10, 3):
        actions, chances = list(position.actions), list(position.chances)
        position.actions.clear()
        position.chances.clear()
        assert (position.actions, position.chances) == (actions, chances)


@each_game
def test_a_position_is_kept_as_its_history(game: str) -> None:
    for position in played(setup_of(game, {"players": 3}), 3, 40)[::9]:
        again = pickle.loads(pickle.dumps(position))
        assert again.history == position.history
        assert again.table["recall"].tolist() == position.table["recall"].tolist()
        assert (again.kind, again.actions) == (position.kind, position.actions)


@each_game
def test_a_seat_hears_its_own_cards_and_choices_and_no_secrets(game: str) -> None:
    last = played(setup_of(game, {"players": 3}), 4)[-1]
    told = [last.told(seat) for seat in range(3)]
    for seat in range(3):
        assert f"drew {seat + 1} *" not in told[seat]
        for other in {0, 1, 2} - {seat}:
            drew = [line for line in told[seat].splitlines() if line.startswith(f"drew {other + 1} ")]
            assert all(line.split()[2] == "*" for line in drew)
        chosen = [int(line.split()[1]) for line in told[seat].splitlines() if line.startswith("chose")]
        assert chosen == [step.action for step in last.steps[1:] if step.seat == seat]
        asked = [line for line in told[seat].splitlines() if line.startswith(("asked", "allowed"))]
        assert all(line.split()[1] == str(seat + 1) for line in asked)


@each_case
def test_who_resamples_knows_the_same_afterwards(case: Case) -> None:
    setup, dice = setup_of(case.game.id, case.options), random.Random(5)
    observations = np.zeros((2, encoding_of(case.game.id).size), np.uint8)
    decisions = [position for position in played(setup, 6, 60) if position.player >= 0]
    differ = 0
    for position in decisions[::11]:
        for seat in range(setup.players):
            other = position.resampled(seat, dice.getrandbits(53))
            assert other.told(seat) == position.told(seat)
            assert other.player == position.player
            assert other.recall(seat) == position.recall(seat)
            position.observe(seat, observations[0])
            other.observe(seat, observations[1])
            assert np.array_equal(*observations)
            differ += other.history != position.history
    # A stockpile of one card has no card beneath it.
    assert differ or case.options.get("stock") == 1, "nothing was hidden, so nothing was tested"


@each_game
def test_resampling_forgets_what_others_hold(game: str) -> None:
    """What lies where the viewer does not see it comes out about as often as there are such cards."""
    setup = setup_of(game, {"players": 2})
    position = [one for one in played(setup, 7, 12) if one.player >= 0][-1]
    true = hidden(position)
    found: Counter[int] = Counter()
    samples = 300
    for number in range(samples):
        found.update([hidden(position.resampled(0, 1000 + number))])
    assert len(found) > 5
    # The true card is one of many, and no favourite.
    assert found[true] < samples * 0.5


def hidden(position: Position) -> int:
    """Return a card that seat 1 (from 0) has and seat 0 does not see."""
    table = position.plain
    if position.setup.game.id == "stockpile":
        return int(table.seats[1].stock.cards[0])
    hand = table.hands[1] if position.setup.game.id == "lines" else table.seats[1].hand
    return int(min(hand.cards[: hand.count]))


def test_without_openspiel_one_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "upcard.rl.openspiel", raising=False)
    with pytest.raises(UpcardError, match="pip install open_spiel"):
        importlib.import_module("upcard.rl.openspiel")
