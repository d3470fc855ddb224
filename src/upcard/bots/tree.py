"""The tree of the search bot, and how it grows: compiled, in memory that is there from the start.

Each simulation imagines a table that looks like the seat's view (or takes the real one, for the
lab's clairvoyant), walks down the tree by moves that are legal there, adds the moves that are new,
plays on quickly for a while, and tells every move on its way what its seat may expect. Its own moves
are chosen by what came of them so far; those of the others are what looks best to them, by and large.

The tree is one of moves, not of tables: a node stands for all tables that may be met after these
moves, and a move counts as passed over only where it could have been made. (Cowling, Powley and
Whitehouse call this information-set Monte Carlo tree search.)
"""

from __future__ import annotations

__all__ = ["Tree"]

import math
from typing import Any

import numpy as np

from upcard.bots.bot import Thought
from upcard.core.chance import Chance, draw, rekey, shuffle
from upcard.core.compiler import compiled
from upcard.core.game import NEVER, Game, apply, legal, outcome, redeal, standing, worth
from upcard.core.memory import INT, dtype_of, empty, store
from upcard.core.record import Record, assign
from upcard.core.rule import rule
from upcard.core.table import MOST_SEATS, PLAYING, Result

# There is room for so many nodes; a tree that is full goes on without growing.
ROOM = 200_000
ROOT = 0
# No walk down the tree is longer.
LONGEST_WALK = 64
# What a win counts; up to six can share it.
WIN = 1200
# Beliefs are in thousandths. So much of it is shared equally by all moves, the rest goes by worth,
# and so many points of worth make a move 2.7 times as likely.
BELIEF = 1000
DOUBT = 0.2
POINTS = 50.0
# How much belief counts against experience.
CURIOSITY = 0.5
# What is played quickly is what looks best, give or take so many points of worth.
WHIM = 60
# So many points of standing make a seat 2.7 times as likely to win.
E_FOLD = 100.0


class Node(Record):
    """A move that a seat may make, after the moves on the way to it."""

    move: int
    seat: int
    # How much one believes in it at first sight.
    belief: int
    # How often it was made, how often it could have been, and what its seat could expect then, in all.
    visits: int
    chances: int
    won: int
    # The first of the moves that may follow, and the next one beside this one; ROOT for none.
    first: int
    beside: int


class Growth(Record):
    """How many nodes there are, and a number that is new at every step of a walk."""

    nodes: int
    tick: int


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
    worths: Any,
    marks: Any,
    expected: Any,
    walk: Any,
    nodes: Any,
    growth: Any,
) -> None:
    """Let a tree grow by some simulations. `truth` is None, or the table as it really is; whoever does not
    know the draws even so is shown all cards but the order of the draw pile, and no shuffle to come."""
    for _ in range(simulations):
        if truth is not None:
            assign(table, truth)
            if not knows_draws:
                rekey(table.chance, chance)
                shuffle(chance, table.deck)
        else:
            redeal(view, table, chance)
        steps = 0
        node = ROOT
        count = legal(table, moves)
        while count > 0 and steps < LONGEST_WALK:
            if table.to_move == view.viewer:
                node = own_node(node, table, moves, count, worths, marks, nodes, growth)
            else:
                move = moves[quick_choice(table, moves, count, chance)]
                node = node_of(node, table.to_move, move, BELIEF, nodes, growth)
            if node == ROOT:
                break
            walk[steps] = node
            steps += 1
            apply(table, nodes[node].move)
            count = legal(table, moves)
            if nodes[node].visits == 0:
                break
        play_on(table, moves, count, chance, horizon)
        expect(table, result, expected)
        for step in range(steps):
            nodes[walk[step]].visits += 1
            nodes[walk[step]].won += expected[nodes[walk[step]].seat]


# Walking down the tree: the own moves by experience and belief, those of others as one expects them.


@rule
def own_node(
    node: int, table: Any, moves: Any, count: int, worths: Any, marks: Any, nodes: Any, growth: Any
) -> int:
    """Return the node of the most promising move; what may follow here and never did is added first."""
    growth.tick += 1
    for place in range(count):
        marks[moves[place]] = growth.tick
    if known_moves(node, table.to_move, marks, nodes, growth.tick) < count:
        add_moves(node, table, moves, count, worths, nodes, growth)
    return most_promising(node, table.to_move, marks, nodes, growth.tick)


@rule
def known_moves(node: int, seat: int, marks: Any, nodes: Any, tick: int) -> int:
    """Count the marked moves that the tree knows here, and note that they could be made."""
    known = 0
    child = nodes[node].first
    while child != ROOT:
        if marks[nodes[child].move] == tick and nodes[child].seat == seat:
            nodes[child].chances += 1
            known += 1
        child = nodes[child].beside
    return known


@rule
def most_promising(node: int, seat: int, marks: Any, nodes: Any, tick: int) -> int:
    """Return the marked move that experience and belief speak for most; ROOT if there is none."""
    best = ROOT
    most = -1.0
    child = nodes[node].first
    while child != ROOT:
        here = nodes[child]
        if marks[here.move] == tick and here.seat == seat and here.belief > 0:
            experience = here.won / (WIN * here.visits) if here.visits > 0 else 1.0
            hope = here.belief / BELIEF * math.sqrt(here.chances) / (1 + here.visits)
            value = experience + CURIOSITY * hope
            if value > most:
                best = child
                most = value
        child = here.beside
    return best


@rule
def add_moves(node: int, table: Any, moves: Any, count: int, worths: Any, nodes: Any, growth: Any) -> None:
    """Add the moves that the tree does not know here, each with the belief that its worth gives it."""
    highest = worth(table, moves[0])
    for place in range(count):
        worths[place] = worth(table, moves[place])
        highest = max(highest, worths[place])
    total = 0.0
    for place in range(count):
        total += math.exp((worths[place] - highest) / POINTS)
    for place in range(count):
        belief = 0
        if worths[place] > NEVER or highest <= NEVER:
            share = math.exp((worths[place] - highest) / POINTS) / total
            belief = 1 + int(BELIEF * (DOUBT / count + (1 - DOUBT) * share))
        node_of(node, table.to_move, moves[place], belief, nodes, growth)


@rule
def node_of(node: int, seat: int, move: int, belief: int, nodes: Any, growth: Any) -> int:
    """Return the node of a move, added with that belief if it is new; ROOT if there is no room left."""
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
    new.belief = belief
    new.visits = 0
    new.chances = 1
    new.won = 0
    new.first = ROOT
    new.beside = nodes[node].first
    nodes[node].first = growth.nodes
    growth.nodes += 1
    return int(nodes[node].first)


# Beyond the tree


@rule
def quick_choice(table: Any, moves: Any, count: int, chance: Any) -> int:
    """Return the place of a move that looks best, by and large."""
    best = 0
    if count > 1:
        most = worth(table, moves[0]) + draw(chance, WHIM)
        for place in range(1, count):
            value = worth(table, moves[place]) + draw(chance, WHIM)
            if value > most:
                best = place
                most = value
    return best


@rule
def play_on(table: Any, moves: Any, count: int, chance: Any, horizon: int) -> None:
    """Play quickly for a while."""
    for _ in range(horizon * table.players):
        if count == 0:
            return
        apply(table, moves[quick_choice(table, moves, count, chance)])
        count = legal(table, moves)


@rule
def expect(table: Any, result: Any, expected: Any) -> None:
    """Write what each seat may expect: its part of the win, or its chance where the game goes on."""
    if table.over != PLAYING:
        outcome(table, result)
        winners = 0
        for seat in range(table.players):
            winners += result.winners[seat]
        for seat in range(table.players):
            expected[seat] = result.winners[seat] * WIN // winners
        return
    highest = standing(table, 0)
    for seat in range(1, table.players):
        highest = max(highest, standing(table, seat))
    total = 0.0
    for seat in range(table.players):
        total += math.exp((standing(table, seat) - highest) / E_FOLD)
    for seat in range(table.players):
        expected[seat] = int(WIN * math.exp((standing(table, seat) - highest) / E_FOLD) / total)


class Tree:
    """The memory of a tree, and of all that is needed to let it grow. Belongs to one thread at a time."""

    def __init__(self, game: Game) -> None:
        self.horizon = game.horizon
        self.nodes = np.zeros(ROOM, dtype_of(Node))
        self.growth = empty(Growth)
        self.room = (
            empty(game.Table),
            empty(Result),
            np.zeros(game.most_moves, INT),
            np.zeros(game.most_moves, INT),
            np.zeros(game.all_moves, INT),
            np.zeros(MOST_SEATS, INT),
            np.zeros(LONGEST_WALK, INT),
            self.nodes,
            self.growth,
        )

    def plant(self, view: Any, truth: Any, knows_draws: bool, chance: Chance) -> None:
        """Begin a tree for a view, with dice of its own."""
        dice = Chance()
        rekey(dice, chance)
        self.position = (view, truth, knows_draws, store(dice))
        self.nodes[ROOT] = 0
        self.growth["nodes"] = 1

    def grow(self, simulations: int) -> None:
        """Let it grow by some simulations."""
        grow(simulations, self.horizon, *self.position, *self.room)

    def _children(self) -> list[Any]:
        children = []
        place = self.nodes[ROOT]["first"]
        while place != ROOT:
            children.append(self.nodes[place])
            place = children[-1]["beside"]
        return children

    def lead(self) -> int:
        """Return how many more visits the first move has than the second."""
        visits = sorted((int(child["visits"]) for child in self._children()), reverse=True)
        return visits[0] - visits[1] if len(visits) > 1 else ROOM

    def thoughts(self) -> list[Thought]:
        """Return what it thinks of the moves, in no order."""
        return [
            Thought(
                int(child["move"]),
                int(child["visits"]),
                int(child["won"]) / (WIN * max(1, int(child["visits"]))),
            )
            for child in self._children()
        ]
