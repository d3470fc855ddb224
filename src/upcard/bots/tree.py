"""The tree of the search bot: information-set Monte Carlo tree search (Cowling, Powley and Whitehouse),
compiled.

Each simulation determinizes the view of the seat (or takes the real table, for the lab's clairvoyant), walks
down the tree by moves that are legal there, adds new moves as nodes, continues with a rollout, and adds the
result to every node on the path. The seat's own moves are selected by their results so far and a prior
(PUCT); those of the other seats by the heuristic with some noise.

The nodes are moves, not tables: a node stands for all tables that can be reached by the moves on its path. So
the exploration bonus counts how often a move was possible, and not how often its parent was visited.
"""

from __future__ import annotations

__all__ = ["Tree"]

import math
from typing import Any, NamedTuple

import numpy as np

from upcard.core.chance import Chance, randint, rekey, shuffle
from upcard.core.compiler import compiled
from upcard.core.game import DOMINATED, Game, apply, determinize, evaluate, heuristic, legal, outcome
from upcard.core.memory import INT, dtype_of, empty, store
from upcard.core.rule import rule
from upcard.core.struct import Struct, assign
from upcard.core.table import MAX_SEATS, PLAYING, Result

# Capacity in nodes; a full tree is searched further without growing.
MAX_NODES = 200_000
ROOT = 0
# Maximum depth of a walk down the tree, in moves.
MAX_DEPTH = 64
# The value of a win. It is divisible by 1 to 6, the possible numbers of winners.
WIN = 1200
# Priors are whole numbers of thousandths. This fraction of them is shared equally by all moves; the rest is a
# softmax of the heuristic with this temperature, in points.
PRIOR = 1000
UNIFORM_MIX = 0.2
PRIOR_TEMPERATURE = 50.0
# The weight of the prior against the mean result (the exploration constant).
EXPLORATION = 0.5
# Random points that a rollout adds to the heuristic of each move.
ROLLOUT_NOISE = 60
# A seat whose evaluation is higher by this is e times as likely to win.
EVALUATION_SCALE = 100.0


class Node(Struct):
    """A move of a seat, after the moves on the path to it."""

    move: int
    seat: int
    # The prior probability, in thousandths.
    prior: int
    # How often the move was made, how often it was possible, and the sum of the results for its seat.
    visits: int
    possible: int
    won: int
    # The first child and the next sibling; ROOT stands for none.
    first: int
    beside: int


class Growth(Struct):
    """The number of nodes, and a counter that changes at every step of a walk."""

    nodes: int
    tick: int


class Room(NamedTuple):
    """The memory of a search, in the order of the arguments of `grow`."""

    table: Any
    result: Any
    moves: Any
    scores: Any
    # The tick at which a move was last legal, by its number.
    marks: Any
    expected: Any
    walk: Any
    nodes: Any
    growth: Any


@compiled
def grow(
    simulations: int,
    horizon: int,
    view: Any,
    truth: Any,
    knows_draws: bool,
    chance: Any,
    table: Any,
    result: Any,
    moves: Any,
    scores: Any,
    marks: Any,
    expected: Any,
    walk: Any,
    nodes: Any,
    growth: Any,
) -> None:
    """Run some simulations. `truth` is None, or the real table; without `knows_draws` its draw pile and all
    later shuffles are random."""
    for _ in range(simulations):
        if truth is not None:
            assign(table, truth)
            if not knows_draws:
                rekey(table.chance, chance)
                shuffle(chance, table.deck)
        else:
            determinize(view, table, chance)
        steps = 0
        node = ROOT
        count = legal(table, moves)
        while count > 0 and steps < MAX_DEPTH:
            if table.to_move == view.viewer:
                node = select_node(node, table, moves, count, scores, marks, nodes, growth)
            else:
                move = moves[rollout_choice(table, moves, count, chance)]
                node = node_of(node, table.to_move, move, PRIOR, nodes, growth)
            if node == ROOT:
                break
            walk[steps] = node
            steps += 1
            apply(table, nodes[node].move)
            count = legal(table, moves)
            if nodes[node].visits == 0:
                break
        roll_out(table, moves, count, chance, horizon)
        write_expected(table, result, expected)
        for step in range(steps):
            nodes[walk[step]].visits += 1
            nodes[walk[step]].won += expected[nodes[walk[step]].seat]


# Selection and expansion


@rule
def select_node(
    node: int, table: Any, moves: Any, count: int, scores: Any, marks: Any, nodes: Any, growth: Any
) -> int:
    """Return the node of the best move. Legal moves without a node are added first."""
    growth.tick += 1
    for place in range(count):
        marks[moves[place]] = growth.tick
    if mark_possible(node, table.to_move, marks, nodes, growth.tick) < count:
        add_moves(node, table, moves, count, scores, nodes, growth)
    return best_child(node, table.to_move, marks, nodes, growth.tick)


@rule
def mark_possible(node: int, seat: int, marks: Any, nodes: Any, tick: int) -> int:
    """Count the marked moves that have a node here, and count for each that it was possible."""
    known = 0
    child = nodes[node].first
    while child != ROOT:
        if marks[nodes[child].move] == tick and nodes[child].seat == seat:
            nodes[child].possible += 1
            known += 1
        child = nodes[child].beside
    return known


@rule
def best_child(node: int, seat: int, marks: Any, nodes: Any, tick: int) -> int:
    """Return the marked move with the highest upper confidence bound; ROOT if there is none."""
    best = ROOT
    most = -1.0
    child = nodes[node].first
    while child != ROOT:
        here = nodes[child]
        if marks[here.move] == tick and here.seat == seat and here.prior > 0:
            mean = here.won / (WIN * here.visits) if here.visits > 0 else 1.0
            bonus = here.prior / PRIOR * math.sqrt(here.possible) / (1 + here.visits)
            value = mean + EXPLORATION * bonus
            if value > most:
                best = child
                most = value
        child = here.beside
    return best


@rule
def add_moves(node: int, table: Any, moves: Any, count: int, scores: Any, nodes: Any, growth: Any) -> None:
    """Add the legal moves as nodes, each with a prior from its heuristic. Dominated moves have a prior of
    0."""
    highest = heuristic(table, moves[0])
    for place in range(count):
        scores[place] = heuristic(table, moves[place])
        highest = max(highest, scores[place])
    total = 0.0
    for place in range(count):
        total += math.exp((scores[place] - highest) / PRIOR_TEMPERATURE)
    for place in range(count):
        prior = 0
        if scores[place] > DOMINATED or highest <= DOMINATED:
            share = math.exp((scores[place] - highest) / PRIOR_TEMPERATURE) / total
            prior = 1 + int(PRIOR * (UNIFORM_MIX / count + (1 - UNIFORM_MIX) * share))
        node_of(node, table.to_move, moves[place], prior, nodes, growth)


@rule
def node_of(node: int, seat: int, move: int, prior: int, nodes: Any, growth: Any) -> int:
    """Return the node of a move, added with that prior if it is new; ROOT if the tree is full."""
    child = nodes[node].first
    while child != ROOT:
        if nodes[child].move == move and nodes[child].seat == seat:
            return int(child)
        child = nodes[child].beside
    if growth.nodes == len(nodes):
        return ROOT
    new = nodes[growth.nodes]
    new.move = move
    new.seat = seat
    new.prior = prior
    new.visits = 0
    new.possible = 1
    new.won = 0
    new.first = ROOT
    new.beside = nodes[node].first
    nodes[node].first = growth.nodes
    growth.nodes += 1
    return int(nodes[node].first)


# Rollouts


@rule
def rollout_choice(table: Any, moves: Any, count: int, chance: Any) -> int:
    """Return the index of the move with the best heuristic, after adding noise."""
    best = 0
    if count > 1:
        most = heuristic(table, moves[0]) + randint(chance, ROLLOUT_NOISE)
        for place in range(1, count):
            value = heuristic(table, moves[place]) + randint(chance, ROLLOUT_NOISE)
            if value > most:
                best = place
                most = value
    return best


@rule
def roll_out(table: Any, moves: Any, count: int, chance: Any, horizon: int) -> None:
    """Play `horizon` moves of each player, or to the end."""
    for _ in range(horizon * table.players):
        if count == 0:
            return
        apply(table, moves[rollout_choice(table, moves, count, chance)])
        count = legal(table, moves)


@rule
def write_expected(table: Any, result: Any, expected: Any) -> None:
    """Write the result for each seat: its share of the win, or its win probability if the game is not
    over."""
    if table.over != PLAYING:
        outcome(table, result)
        winners = 0
        for seat in range(table.players):
            winners += result.winners[seat]
        for seat in range(table.players):
            expected[seat] = result.winners[seat] * WIN // winners
        return
    highest = evaluate(table, 0)
    for seat in range(1, table.players):
        highest = max(highest, evaluate(table, seat))
    total = 0.0
    for seat in range(table.players):
        total += math.exp((evaluate(table, seat) - highest) / EVALUATION_SCALE)
    for seat in range(table.players):
        expected[seat] = int(WIN * math.exp((evaluate(table, seat) - highest) / EVALUATION_SCALE) / total)


class Tree:
    """A tree and the memory for a search. Belongs to one thread at a time."""

    def __init__(self, game: Game) -> None:
        self.horizon = game.horizon
        self.nodes = np.zeros(MAX_NODES, dtype_of(Node))
        self.growth = empty(Growth)
        self.room = Room(
            table=empty(game.Table),
            result=empty(Result),
            moves=np.zeros(game.max_legal, INT),
            scores=np.zeros(game.max_legal, INT),
            marks=np.zeros(game.move_count, INT),
            expected=np.zeros(MAX_SEATS, INT),
            walk=np.zeros(MAX_DEPTH, INT),
            nodes=self.nodes,
            growth=self.growth,
        )

    def plant(self, view: Any, truth: Any, knows_draws: bool, chance: Chance) -> None:
        """Start a new tree for a view, with its own dice."""
        dice = Chance()
        rekey(dice, chance)
        self.position = (view, truth, knows_draws, store(dice))
        self.nodes[ROOT] = 0
        self.growth["nodes"] = 1

    def grow(self, simulations: int) -> None:
        """Run some simulations."""
        grow(simulations, self.horizon, *self.position, *self.room)

    def children(self) -> list[Any]:
        """Return the nodes of the legal moves."""
        children = []
        place = self.nodes[ROOT]["first"]
        while place != ROOT:
            children.append(self.nodes[place])
            place = children[-1]["beside"]
        return children
