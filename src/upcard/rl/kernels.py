"""Many tables at once: the compiled heart of every environment, written once for all games."""

from __future__ import annotations

__all__ = [
    "BOTS",
    "LEARNER",
    "LOSE",
    "NEXT_STEP",
    "REFUSE",
    "SAME_STEP",
    "pick_actions",
    "step_tables",
    "write_observation",
]

from typing import Any

import numpy as np

from upcard.bots.simple import Easy, best_place
from upcard.core.chance import draw, set_key
from upcard.core.game import apply, deal, legal, outcome
from upcard.core.record import assign
from upcard.core.rule import rule
from upcard.core.table import PLAYING
from upcard.rl.compiling import compiled
from upcard.rl.encodings import action_of, move_of, observe
from upcard.rl.fetching import fetch
from upcard.rl.hashing import ROOM, dice_key, game_key

# Who sits at a seat: whoever calls us, or a bot that plays inside.
LEARNER = 0
RANDOM = 1
GREEDY = 2
EASY = 3
BOTS = {"random": RANDOM, "greedy": GREEDY, "easy": EASY}
OVERLOOKED = Easy.OVERLOOKED

# When a table whose game is over begins its next one: in the same step, or the next time it is chosen.
SAME_STEP = 0
NEXT_STEP = 1

# So many tables ahead, memory is asked for.
AHEAD = 2

# What an action that is not legal does: it loses the game, or nothing.
LOSE = 0
REFUSE = 1


@compiled
def step_tables(
    starts: Any,
    tables: Any,
    busy: Any,
    dice: Any,
    bots: Any,
    base: Any,
    numbers: Any,
    moved: Any,
    waiting: Any,
    observations: Any,
    masks: Any,
    seats: Any,
    chosen: Any,
    actions: Any,
    finals: Any,
    rewards: Any,
    terminated: Any,
    truncated: Any,
    refused: Any,
    results: Any,
    moves: Any,
    mode: int,
    illegal: int,
    most_moves: int,
    part: int,
    first: int,
    last: int,
) -> None:
    """Do one action at each chosen table from `first` to `last`, and all that follows from it by itself.

    `starts` has one table, with its options set; `busy` says which lines of a table to ask for ahead. `bots`
    and `dice` are None where nobody plays inside; then less is compiled. `finals` has no rows where nobody
    wants to see the last observation of a game.
    """
    room = np.empty(ROOM, np.int64)
    noticed = np.empty_like(moves)
    result = results[part]
    for number in range(first, last):
        if number + AHEAD < last:
            for line in range(len(busy)):
                fetch(tables, number + AHEAD, busy[line])
        if not chosen[number]:
            continue
        begins = waiting[number] != 0
        table = tables[number]
        clear_news(rewards, terminated, truncated, refused, number)
        lost = False
        if not begins:
            action = actions[number]
            moved[number] += 1
            if 0 <= action < masks.shape[1] and masks[number, action] != 0:
                apply(table, move_of(table, action))
            else:
                refused[number] = True
                lost = illegal == LOSE
        # Once for the action, and once more for the next game if it begins at once; and again for a game that
        # is over before any learner has a say in it. (In a loop, so that everything is compiled once.)
        again = True
        while again:
            again = False
            if begins:
                deal_next(starts[0], table, dice, bots, base, numbers, len(tables), room, number)
                moved[number] = 0
                waiting[number] = 0
                lost = False
            if bots is not None and not lost:
                let_bots_play(table, dice, bots, moves, noticed, number)
            over = lost or table.over != PLAYING
            if not over:
                seats[number] = table.to_move
            write_observation_of(table, seats[number], observations, number)
            if begins:
                again = over
            elif over or moved[number] == most_moves:
                if lost:
                    pay_loser(seats[number], table.players, rewards, number)
                elif over:
                    outcome(table, result)
                    pay(result, table.players, rewards, number)
                terminated[number] = over
                truncated[number] = not over
                begins = mode == SAME_STEP
                again = begins
                waiting[number] = int(not begins)
                if len(finals) > 0:
                    finals[number] = observations[number]
        write_mask(table, masks, moves, number, waiting[number])


@rule
def clear_news(rewards: Any, terminated: Any, truncated: Any, refused: Any, number: int) -> None:
    """Forget what the last action led to."""
    for seat in range(rewards.shape[1]):
        rewards[number, seat] = 0.0
    terminated[number] = False
    truncated[number] = False
    refused[number] = False


# Games


@rule
def deal_next(
    start: Any, table: Any, dice: Any, bots: Any, base: Any, numbers: Any, tables: int, room: Any, number: int
) -> None:
    """Deal the next game of a table, and give the bots their dice."""
    numbers[number] += tables
    assign(table, start)
    game_key(base, numbers[number], room[0], room[1], room[2])
    set_key(table.chance, room[1])
    deal(table)
    if bots is not None:
        for seat in range(table.players):
            if bots[seat] != LEARNER:
                dice_key(room[0], seat, room[1], room[2])
                set_key(dice[number, seat], room[1])


@rule
def let_bots_play(table: Any, dice: Any, bots: Any, moves: Any, noticed: Any, number: int) -> None:
    """Let bots make their moves until it is a learner's turn, or the game is over."""
    while table.over == PLAYING and bots[table.to_move] != LEARNER:
        count = legal(table, moves)
        bot = bots[table.to_move]
        if bot == RANDOM:
            move = moves[draw(dice[number, table.to_move], count)]
        else:
            overlooked = OVERLOOKED if bot == EASY else 0
            seen = notice(dice[number, table.to_move], moves, count, overlooked, noticed)
            move = noticed[best_place(table, noticed, seen)]
        apply(table, move)


@rule
def notice(chance: Any, moves: Any, count: int, overlooked: int, noticed: Any) -> int:
    """Write down the moves that a bot does not overlook (all, if it would see none), and return how many."""
    seen = 0
    for place in range(count):
        if overlooked == 0 or draw(chance, 100) >= overlooked:
            noticed[seen] = moves[place]
            seen += 1
    if seen == 0:
        for place in range(count):
            noticed[place] = moves[place]
        return count
    return seen


# Rewards


@rule
def pay(result: Any, players: int, rewards: Any, number: int) -> None:
    """Winners share what the losers pay: 1 for a single winner, and the sum is always 0."""
    winners = 0
    for seat in range(players):
        winners += result.winners[seat]
    for seat in range(players):
        share = result.winners[seat] / winners
        rewards[number, seat] = (players * share - 1.0) / (players - 1.0)


@rule
def pay_loser(loser: int, players: int, rewards: Any, number: int) -> None:
    """Who did what is not legal loses 1, which the others share."""
    for seat in range(players):
        rewards[number, seat] = -1.0 if seat == loser else 1.0 / (players - 1.0)


# What is seen


@rule
def write_mask(table: Any, masks: Any, moves: Any, number: int, waiting: int) -> None:
    """Write which actions are legal for the seat to move: none where the game has ended."""
    mask = masks[number]
    for action in range(len(mask)):
        mask[action] = 0
    if waiting == 0:
        for place in range(legal(table, moves)):
            mask[action_of(table, moves[place])] = 1


@rule
def write_observation_of(table: Any, viewer: int, observations: Any, number: int) -> None:
    """Write what a viewer sees into a row that may have been used before."""
    out = observations[number]
    for place in range(len(out)):
        out[place] = 0
    observe(table, viewer, out)


@compiled
def write_observation(tables: Any, number: int, viewer: int, out: Any) -> None:
    """Write what any seat sees at a table."""
    write_observation_of(tables[number], viewer, out, 0)


# Chance


@compiled
def pick_actions(masks: Any, streams: Any, actions: Any, first: int, last: int) -> None:
    """Pick one of the legal actions of each table by lot, each equally likely; 0 where there is none.

    `streams` has a number for each table that is another one afterwards (xorshift64*, which is quick).
    """
    for number in range(first, last):
        mask = masks[number]
        count = 0
        for action in range(len(mask)):
            count += mask[action]
        actions[number] = 0
        word = streams[number]
        word ^= word >> np.uint64(12)
        word ^= word << np.uint64(25)
        word ^= word >> np.uint64(27)
        streams[number] = word
        high = (word * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(32)
        left = np.int64((high * np.uint64(count)) >> np.uint64(32))
        for action in range(len(mask)):
            if mask[action] != 0:
                if left == 0:
                    actions[number] = action
                    break
                left -= 1
