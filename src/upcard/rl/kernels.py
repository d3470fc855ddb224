"""Many tables in one call: the compiled loop behind every environment, written once for all games."""

from __future__ import annotations

__all__ = [
    "BOTS",
    "DEAL",
    "LEARNER",
    "LOSE",
    "NEXT_STEP",
    "OVERDUE",
    "REFUSE",
    "SAME_STEP",
    "WAITING",
    "Bots",
    "Games",
    "Policy",
    "Room",
    "Shown",
    "advance",
    "pick_actions",
    "reward",
    "step_tables",
    "write_observation",
]

from typing import Any, NamedTuple

import numpy as np

from upcard.bots.simple import Easy, best_place
from upcard.core.chance import randint, set_key
from upcard.core.compiler import compiled
from upcard.core.encoding import action_of, encode, move_of
from upcard.core.game import apply, deal, legal, outcome
from upcard.core.rule import rule
from upcard.core.struct import assign
from upcard.core.table import PLAYING

# The player of a seat: the caller, or a bot inside the kernel.
LEARNER = 0
RANDOM = 1
GREEDY = 2
EASY = 3
BOTS = {"random": RANDOM, "greedy": GREEDY, "easy": EASY}
OVERLOOKED = Easy.OVERLOOKED

# When a table starts its next game after one is over: in the same step, or the next time it is chosen.
SAME_STEP = 0
NEXT_STEP = 1

# The effect of an illegal action: it loses the game, or does nothing.
LOSE = 0
REFUSE = 1

# What a table waits for: nothing, during a game; its next game, in the next step; or its next game in this
# step, as soon as Python has hashed its seed, because the last one ended before a learner's turn.
PLAYED = 0
WAITING = 1
OVERDUE = 2

# Stands for an action in `advance`: deal.
DEAL = -1


class Games(NamedTuple):
    """The games at all tables. A row or an entry is that of a table, except in `start`."""

    # One table with its options set, not dealt.
    start: Any
    tables: Any
    # The keys of the next game: of the table, then of the dice of each bot. `dealt` is set where they were
    # used, so that others are needed.
    keys: Any
    dealt: Any
    # Actions of learners in this game.
    moved: Any
    waiting: Any


class Bots(NamedTuple):
    """The player of each seat, and the dice of each seat at each table."""

    seats: Any
    dice: Any


class Shown(NamedTuple):
    """The results of a step for the caller: a row or an entry for each table."""

    observations: Any
    masks: Any
    rewards: Any
    terminated: Any
    truncated: Any
    seats: Any
    refused: Any
    # The last observations of games that ended; no rows if the caller does not need them.
    finals: Any


class Room(NamedTuple):
    """The memory of one thread."""

    moves: Any
    noticed: Any
    results: Any


class Policy(NamedTuple):
    """The rules for the end of a game, for an illegal action, and for `max_moves` (0: no limit)."""

    mode: int
    illegal: int
    max_moves: int


@compiled
def step_tables(
    games: Any,
    bots: Any,
    shown: Any,
    room: Any,
    policy: Any,
    chosen: Any,
    actions: Any,
    first: int,
    last: int,
) -> None:
    """Take one action at each chosen table from `first` to `last`, with everything that follows from it.

    `bots` is None if learners play all seats. Then less is compiled, and more of it is inlined.
    """
    # Numba counts a reference whenever an array is taken from a tuple, so that is not done in the loop.
    tables, moved, waiting = games.tables, games.moved, games.waiting
    observations, masks, rewards = shown.observations, shown.masks, shown.rewards
    terminated, truncated, refused = shown.terminated, shown.truncated, shown.refused
    seats, moves = shown.seats, room.moves
    for number in range(first, last):
        if not chosen[number]:
            continue
        table = tables[number]
        begins = waiting[number] != PLAYED
        if waiting[number] != OVERDUE:
            clear_result(rewards, terminated, truncated, refused, number)
        lost = False
        if not begins:
            moved[number] += 1
            if is_legal(masks, number, actions[number]):
                apply(table, move_of(table, actions[number]))
            else:
                refused[number] = True
                lost = policy.illegal == LOSE
        # Once for the action, and once more if the next game begins in the same step. (In a loop, so that
        # everything is compiled once.)
        again = True
        while again:
            again = False
            if begins:
                deal_next(games, bots, number)
                lost = False
            if bots is not None and not lost:
                let_bots_play(table, bots.seats, bots.dice, moves, room.noticed, number)
            over = lost or table.over != PLAYING
            if not over:
                seats[number] = table.to_move
            write_observation_of(table, seats[number], observations, number)
            if begins:
                waiting[number] = OVERDUE if over else PLAYED
            elif over or moved[number] == policy.max_moves:
                end_game(table, shown, room, number, over, lost)
                begins = policy.mode == SAME_STEP
                again = begins
                waiting[number] = WAITING
        write_mask(table, masks, moves, number, waiting[number])


@rule
def clear_result(rewards: Any, terminated: Any, truncated: Any, refused: Any, number: int) -> None:
    """Clear the results of the last action."""
    for seat in range(rewards.shape[1]):
        rewards[number, seat] = 0.0
    terminated[number] = False
    truncated[number] = False
    refused[number] = False


@rule
def is_legal(masks: Any, number: int, action: int) -> bool:
    """Whether an action exists and the mask of a table allows it."""
    return bool(0 <= action < masks.shape[1] and masks[number, action] != 0)


# Games


@rule
def deal_next(games: Any, bots: Any, number: int) -> None:
    """Deal the next game of a table, and give the bots their dice."""
    table = games.tables[number]
    assign(table, games.start[0])
    set_key(table.chance, games.keys[number, 0])
    deal(table)
    if bots is not None:
        place = 1
        for seat in range(table.players):
            if bots.seats[seat] != LEARNER:
                set_key(bots.dice[number, seat], games.keys[number, place])
                place += 1
    games.dealt[number] = True
    games.moved[number] = 0


@rule
def let_bots_play(table: Any, bots: Any, dice: Any, moves: Any, noticed: Any, number: int) -> None:
    """Let bots make their moves until it is a learner's turn, or the game is over."""
    while table.over == PLAYING and bots[table.to_move] != LEARNER:
        count = legal(table, moves)
        bot = bots[table.to_move]
        if bot == RANDOM:
            move = moves[randint(dice[number, table.to_move], count)]
        else:
            overlooked = OVERLOOKED if bot == EASY else 0
            seen = notice(dice[number, table.to_move], moves, count, overlooked, noticed)
            move = noticed[best_place(table, noticed, seen)]
        apply(table, move)


@rule
def notice(chance: Any, moves: Any, count: int, overlooked: int, noticed: Any) -> int:
    """Write the moves that a bot does not overlook (all of them if it would overlook all), and return their
    number."""
    seen = 0
    for place in range(count):
        if overlooked == 0 or randint(chance, 100) >= overlooked:
            noticed[seen] = moves[place]
            seen += 1
    if seen == 0:
        for place in range(count):
            noticed[place] = moves[place]
        return count
    return seen


@rule
def end_game(table: Any, shown: Any, room: Any, number: int, over: bool, lost: bool) -> None:
    """Write the results of a finished game: the reward of each seat, and the last observation."""
    if lost:
        pay_loser(shown.seats[number], table.players, shown.rewards[number])
    elif over:
        outcome(table, room.results[0])
        pay(room.results[0], table.players, shown.rewards[number])
    shown.terminated[number] = over
    shown.truncated[number] = not over
    if len(shown.finals) > 0:
        shown.finals[number] = shown.observations[number]


# Rewards


@rule
def reward(won: int, winners: int, players: int) -> float:
    """Return the reward of a seat that has won (1) or lost (0). All rewards of a game add up to 0."""
    return (players * won / winners - 1.0) / (players - 1.0)


@rule
def pay(result: Any, players: int, rewards: Any) -> None:
    """Write the reward of each seat at the end of a game."""
    winners = 0
    for seat in range(players):
        winners += result.winners[seat]
    for seat in range(players):
        rewards[seat] = reward(result.winners[seat], winners, players)


@rule
def pay_loser(loser: int, players: int, rewards: Any) -> None:
    """Write the rewards after an illegal action: its seat loses 1, which the others share."""
    for seat in range(players):
        rewards[seat] = -1.0 if seat == loser else 1.0 / (players - 1.0)


# Masks and observations


@rule
def write_mask(table: Any, masks: Any, moves: Any, number: int, waiting: int) -> None:
    """Write which actions are legal for the seat to move: none after the end of the game."""
    mask = masks[number]
    for action in range(len(mask)):
        mask[action] = 0
    if waiting == PLAYED:
        for place in range(legal(table, moves)):
            mask[action_of(table, moves[place])] = 1


@rule
def write_observation_of(table: Any, viewer: int, observations: Any, number: int) -> None:
    """Write what a viewer sees into a row that may have been used before."""
    out = observations[number]
    for place in range(len(out)):
        out[place] = 0
    encode(table, viewer, out)


@compiled
def write_observation(tables: Any, number: int, viewer: int, out: Any) -> None:
    """Write what any seat sees at a table."""
    write_observation_of(tables[number], viewer, out, 0)


# Chance


@compiled
def pick_actions(masks: Any, lots: Any, actions: Any, first: int, last: int) -> None:
    """Pick one of the legal actions of each table, each equally likely; 0 if there is none. `lots` are
    random numbers from 0 to 1."""
    for number in range(first, last):
        mask = masks[number]
        count = 0
        for action in range(len(mask)):
            count += mask[action]
        actions[number] = 0
        left = int(lots[number] * count)
        for action in range(len(mask)):
            if mask[action] != 0:
                if left == 0:
                    actions[number] = action
                    break
                left -= 1


# One table


@compiled
def advance(tables: Any, action: int, key: Any, out: Any) -> int:
    """Take a legal action at the only table, or DEAL with a key, and write the legal actions that follow into
    `out`. Return their number."""
    table = tables[0]
    if action == DEAL:
        set_key(table.chance, key)
        deal(table)
    else:
        apply(table, move_of(table, action))
    moves = np.empty_like(out)
    count = legal(table, moves)
    for place in range(count):
        out[place] = action_of(table, moves[place])
    return count
