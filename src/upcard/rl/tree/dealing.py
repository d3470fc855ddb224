"""The rules with another dealer: one who is told which card comes, and asks where nobody has said it.

At any other table a shuffle decides the order of all cards at once. Where chance is somebody who moves, as in
a tree of all that can happen, that is too early: here a card is decided when it is drawn. The rules are the
same functions, compiled once more, with others in the place of the few that they call for chance and news.
"""

from __future__ import annotations

__all__ = [
    "CHANCE",
    "CHOSE",
    "DEAL",
    "DECISION",
    "LOT",
    "MOST_NOTES",
    "MOST_TOLD",
    "MOST_WANTED",
    "NOTE_BYTES",
    "OVER",
    "WRONG",
    "advance",
    "desk_for",
    "is_secret",
    "kept_size",
    "offset_of",
    "open_table",
    "read_notes",
    "read_share",
    "resample",
    "watch",
]

import dis
import functools
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Annotated, Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload
from numba.np.numpy_support import as_dtype

from upcard.core import chance, news, piles
from upcard.core.game import Game
from upcard.core.memory import INT, dtype_of
from upcard.core.news import HIDDEN, NOBODY, News, only, sees
from upcard.core.piles import NO_CARD
from upcard.core.record import Record, assign, fields
from upcard.core.rule import RULES, rule
from upcard.core.table import MOST_SEATS, PLAYING, Result
from upcard.games.stacks.moves import ALLOW
from upcard.games.stacks.table import ASK
from upcard.rl.compiling import compiled
from upcard.rl.encodings import all_encodings, encoding_of

# No more cards are drawn, and nothing more happens, between two decisions.
MOST_WANTED = 256
MOST_NOTES = 400
# A piece of news is so many numbers, of four bytes each.
NOTE = 3
NOTE_BYTES = 4 * NOTE
# What can be done next is told in bytes.
MOST_TOLD = 256

# An action that deals.
DEAL = -1
# What comes next.
DECISION = 0
CHANCE = 1
LOT = 2
OVER = 3
WRONG = 4
# Fewer places and seats that a piece of news can name.
PLACES = 1024
OTHERS = 64
# A kind of news that only the seat itself hears: which action it chose.
CHOSE = 0
SHUFFLED = int(News.SHUFFLED)
ASKED = int(News.ASKED)
ALLOWED = int(News.ALLOWED)
NOBODY_ASKED = -1
LET_PASS = 2
WRONG_GAME = -1


class Wanted(Record):
    """Which cards are to come, as far as somebody has said it; and what could come where nobody has."""

    count: int
    cards: Annotated[list[int], MOST_WANTED]
    used: int
    # Whether nobody has said what comes; and how many there were then of each thing that could.
    open: int
    pool: Annotated[list[int], 0]
    # Whether something was wanted that was not there.
    wrong: int


@functools.cache
def open_table(game: Game) -> type[Any]:
    """Return the tables of a game with such a dealer."""
    deck: Any = fields(game.Table)["deck"].record
    wanted = _record("OpenWanted", Wanted, {"pool": Annotated[list[int], encoding_of(game.id).kinds]})
    open_deck = _record("OpenDeck", deck, {"wanted": wanted})
    more = {
        # For each seat, two numbers that say in short all that it has been told.
        "recall": Annotated[list[int], 2 * MOST_SEATS],
        "deck": open_deck,
        "chance": wanted,
        # News since the last decision.
        "noted": int,
        "notes": Annotated[list[int], MOST_NOTES * NOTE],
        "moves": Annotated[list[int], game.most_moves],
        "result": Result,
    }
    table = _record("OpenTable", game.Table, more)
    # All these lie at the end, in this order: what comes after the cards of the deck is of no use any more
    # when a move has been made, so that nobody has to keep or copy it.
    order = fields(table)
    for name in more:
        order[name] = order.pop(name)
    return table


def kept_size(layout: np.dtype[Any]) -> int:
    """Return how many bytes of such a table are kept when a move has been made."""
    return offset_of(layout, "deck") + offset_of(layout["deck"], "wanted")


def offset_of(layout: np.dtype[Any], name: str) -> int:
    """Return where a field begins, in bytes."""
    assert layout.fields is not None
    return layout.fields[name][1]


@functools.cache
def desk_for(game: Game) -> np.dtype[Any]:
    """Return the layout of what is needed to make moves at such tables: what is told, which comes first; the
    table before a move and the one after it; and what chance has said so far."""
    tables = ("tables", dtype_of(open_table(game)), (2,))
    return np.dtype([("told", np.uint8, (MOST_TOLD,)), tables, ("outcomes", INT, (MOST_WANTED,))])


def _record(name: str, base: type[Record], annotations: dict[str, Any]) -> type[Record]:
    return type(name, (base,), {"__module__": __name__, "__annotations__": annotations})


@intrinsic
def _copy_kept(_context: Any, target: Any, source: Any) -> Any:
    """Make a table equal to another one, but for what was of use while a move was made."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        length = ir.Constant(ir.IntType(64), kept_size(as_dtype(target)))
        cgutils.raw_memcpy(builder, *arguments, length, 1)
        return context.get_dummy_value()

    return types.void(target, source), generate


# What the rules call instead


def _pop(pile: Any) -> Any:
    raise NotImplementedError("for compiled code")


@overload(_pop, strict=False)
def _pop_or_draw(pile: Any) -> Callable[..., int]:
    return _drawn if "wanted" in pile.fields else piles.pop


def _drawn(pile: Any) -> Any:
    pile.count -= 1
    place = _place(pile.wanted, pile.cards, pile.count + 1)
    card = pile.cards[place]
    pile.cards[place] = pile.cards[pile.count]
    return card


def _pick(wanted: Any, cards: Any, count: int) -> int:
    return _place(wanted, cards, count)


def _draw(wanted: Any, below: int) -> Any:
    if wanted.open:
        return 0
    if wanted.used == wanted.count:
        wanted.open = 1
        for number in range(len(wanted.pool)):
            wanted.pool[number] = int(number < below)
        return 0
    wanted.used += 1
    number = wanted.cards[wanted.used - 1]
    if 0 <= number < below:
        return number
    wanted.wrong = 1
    return 0


@rule
def _place(wanted: Any, cards: Any, count: int) -> int:
    """Return where the card that is wanted next lies; the last place where nobody has said which."""
    if wanted.open:
        return count - 1
    if wanted.used == wanted.count:
        wanted.open = 1
        for number in range(len(wanted.pool)):
            wanted.pool[number] = 0
        for place in range(count):
            wanted.pool[cards[place]] += 1
        return count - 1
    wanted.used += 1
    for place in range(count):
        if cards[place] == wanted.cards[wanted.used - 1]:
            return place
    wanted.wrong = 1
    return count - 1


def _shuffle(wanted: Any, pile: Any) -> None:
    pass


def _new_label(wanted: Any) -> None:
    pass


@rule
def _tell(table: Any, kind: int, seat: int, card: int, place: int, other: int, audience: int) -> None:
    """Write a note, and let those who hear of it remember it."""
    if table.noted < MOST_NOTES:
        begins = table.noted * NOTE
        table.notes[begins] = kind * OTHERS * OTHERS + (seat + 1) * OTHERS + other + 1
        table.notes[begins + 1] = (place + 1) * PLACES + card - HIDDEN
        table.notes[begins + 2] = audience
    table.noted += 1
    for viewer in range(table.players):
        heard = sees(viewer, audience)
        if heard or not is_secret(kind):
            remember(table, viewer, kind, seat, card if heard else HIDDEN, place, other)


@rule
def is_secret(kind: int) -> bool:
    """Tell whether others may not even know that it happened."""
    return kind == CHOSE or kind == ASKED or kind == ALLOWED


@rule
def remember(table: Any, viewer: int, kind: int, seat: int, card: int, place: int, other: int) -> None:
    """Stir a piece of news into what stands for all that a seat has been told (FNV-1a, 64 bits)."""
    high = table.recall[2 * viewer]
    low = table.recall[2 * viewer + 1] & 0xFFFFFFFF
    known = (high << 32) | low
    known = (known ^ (kind + (seat << 8) + ((other + 1) << 16))) * 0x100000001B3
    known = (known ^ (card + 2 + ((place + 1) << 16))) * 0x100000001B3
    known ^= known >> 29
    table.recall[2 * viewer] = known >> 32
    table.recall[2 * viewer + 1] = chance.signed(known & 0xFFFFFFFF)


def _tell_order(table: Any, cards: Any, count: int) -> None:
    _tell(table, SHUFFLED, 0, HIDDEN, 0, 0, NOBODY)


REPLACED: dict[Callable[..., Any], Callable[..., Any]] = {
    piles.pop: _pop,
    chance.shuffle: numba.njit(_shuffle),
    chance.pick: numba.njit(_pick),
    chance.draw: numba.njit(_draw),
    chance.new_label: numba.njit(_new_label),
    news.tell: _tell,
    news.tell_order: numba.njit(_tell_order),
}


# The rules, linked to these


@functools.cache
def _relinked(function: FunctionType) -> FunctionType:
    """Return a rule that calls these functions, also by way of others; itself if it calls none of them."""
    named = {step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"}
    calls = {name: function.__globals__.get(name) for name in sorted(named)}
    others = {name: _instead_of(called) for name, called in calls.items() if isinstance(called, FunctionType)}
    changed = {name: other for name, other in others.items() if other is not calls[name]}
    if not changed:
        return function
    return FunctionType(function.__code__, {**function.__globals__, **changed}, function.__name__)


def _instead_of(function: FunctionType) -> Any:
    if function in REPLACED:
        return REPLACED[function]
    for known in RULES:
        if known.plain is function:
            body = known.compiled
            other = _relinked(body)
            return function if other is body else numba.njit(other)
    return function


# Verbs of tables with such a dealer


def deal_at(table: Any) -> None:
    """Set up a table."""


def apply_at(table: Any, move: int) -> None:
    """Make a move."""


def legal_at(table: Any, moves: Any) -> int:
    """Write down the legal moves."""
    return 0


def outcome_at(table: Any, result: Any) -> None:
    """Write who won."""


def observe_at(table: Any, viewer: int, out: Any) -> None:
    """Write what a seat knows."""


def action_at(table: Any, move: int) -> int:
    """Return a move as an action."""
    return 0


def move_at(table: Any, action: int) -> int:
    """Return an action as a move."""
    return 0


def silence_at(table: Any) -> int:
    """Return the move that lets pass what somebody is asked about, where somebody is; else NOBODY_ASKED."""
    return NOBODY_ASKED


def _nobody_asked(table: Any) -> int:
    return NOBODY_ASKED


def _allow(table: Any) -> int:
    return ALLOW if table.step == ASK else NOBODY_ASKED


def _means(verb: Callable[..., Any], find: Callable[[Any], Any]) -> None:
    @functools.wraps(verb)
    def choose(table: Any, *_types: Any) -> Any:
        for encoding in all_encodings():
            if table == numba.from_dtype(dtype_of(open_table(encoding.game))):
                return find(encoding)
        return None

    overload(verb, strict=False)(choose)


_means(deal_at, lambda encoding: _relinked(encoding.game.rules["deal"]))
_means(apply_at, lambda encoding: _relinked(encoding.game.rules["apply"]))
_means(legal_at, lambda encoding: encoding.game.rules["legal"])
_means(outcome_at, lambda encoding: encoding.game.rules["outcome"])
_means(observe_at, lambda encoding: encoding.rules["observe"])
_means(action_at, lambda encoding: encoding.rules["action_of"])
_means(move_at, lambda encoding: encoding.rules["move_of"])
_means(silence_at, lambda encoding: _allow if "asked_pile" in fields(encoding.game.Table) else _nobody_asked)


# What Python calls


@compiled
def advance(desks: Any, side: int, action: int, lots: int, said: int, outcome: int) -> Any:
    """Do an action at the table on one side of a desk, with all that chance has said to it (so much, the
    first so many of it lots, the last of it `outcome`); the table after it lies on the other side.

    What can be done next is told there too: actions; or what chance can say, and how likely that is; or who
    won. Return what comes next, how many numbers tell it, who is to move, and how much news there is.
    """
    desk = desks[0]
    table = desk.tables[1 - side]
    _copy_kept(table, desk.tables[side])
    table.noted = 0
    if said > 0:
        desk.outcomes[said - 1] = outcome if 0 <= outcome < MOST_TOLD else NO_CARD
    want(table.chance, desk.outcomes, 0, lots)
    want(table.deck.wanted, desk.outcomes, lots, said)
    do_at(table, action)
    kind = next_kind(table)
    count = tell_next(table, kind, desk.told)
    return kind, count, table.to_move, table.noted


def read_notes(notes: bytes | bytearray) -> Iterator[tuple[int, int, int, int, int, int]]:
    """Return the kind, seat, card, place, other seat and audience of each piece of news."""
    for who, what, audience in zip(*[iter(np.frombuffer(notes, np.int32).tolist())] * NOTE, strict=True):
        kind, seats = divmod(who, OTHERS * OTHERS)
        seat, other = divmod(seats, OTHERS)
        place, card = divmod(what, PLACES)
        yield kind, seat - 1, card + HIDDEN, place - 1, other - 1, audience


@rule
def do_at(table: Any, action: int) -> None:
    """Deal, or do what the seat to move has chosen."""
    if action == DEAL:
        deal_at(table)
    else:
        _tell(table, CHOSE, table.to_move, action, 0, 0, only(table.to_move))
        apply_at(table, move_at(table, action))


@rule
def want(wanted: Any, outcomes: Any, first: int, last: int) -> None:
    """Say which cards are to come."""
    count = min(last - first, MOST_WANTED)
    for place in range(count):
        wanted.cards[place] = outcomes[first + place]
    wanted.count = count
    wanted.used = 0
    wanted.open = 0
    wanted.wrong = 0


@rule
def next_kind(table: Any) -> int:
    """Return what comes next."""
    if table.chance.wrong or table.deck.wanted.wrong:
        return WRONG
    if table.chance.open:
        return LOT
    if table.deck.wanted.open:
        return CHANCE
    return DECISION if table.over == PLAYING else OVER


@rule
def tell_next(table: Any, kind: int, told: Any) -> Any:
    """Write down what can be done next, and return how many numbers that is."""
    if kind == LOT:
        return tell_pool(table.chance, told)
    if kind == CHANCE:
        return tell_pool(table.deck.wanted, told)
    if kind == DECISION:
        return tell_actions(table, told)
    if kind == OVER:
        outcome_at(table, table.result)
        for seat in range(table.players):
            told[seat] = table.result.winners[seat]
        return table.players
    return 0


@rule
def tell_pool(wanted: Any, told: Any) -> int:
    """Write down of how many things one comes, and which share of them each kind has: as one number for the
    kind and how many there are of it."""
    kinds = len(wanted.pool)
    whole = 0
    count = 1
    for kind in range(kinds):
        if wanted.pool[kind] > 0:
            whole += wanted.pool[kind]
            told[count] = (wanted.pool[kind] - 1) * kinds + kind
            count += 1
    told[0] = whole
    return count


def read_share(share: int, kinds: int) -> tuple[int, int]:
    """Return which kind such a number is about, and how many there are of it."""
    return share % kinds, share // kinds + 1


@rule
def tell_actions(table: Any, told: Any) -> int:
    """Write down the legal actions in their order."""
    count = legal_at(table, table.moves)
    for place in range(count):
        action = action_at(table, table.moves[place])
        below = place
        while below > 0 and told[below - 1] > action:
            told[below] = told[below - 1]
            below -= 1
        told[below] = action
    return count


@compiled
def watch(desks: Any, side: int, viewer: int, out: Any) -> None:
    """Write what a seat knows of the table on one side into an array that may have been used before."""
    for place in range(len(out)):
        out[place] = 0
    observe_at(desks[0].tables[side], viewer, out)


# Other games that look the same to somebody


@compiled
def resample(
    tables: Any,
    actions: Any,
    seats: Any,
    lots: Any,
    draws: Any,
    viewer: int,
    tries: int,
    dice: Any,
    memory: Any,
    steps: Any,
) -> int:
    """Change the outcomes of chance, `lots` and `draws`, at random, into others that `viewer` could not tell
    from these: `actions` of `seats` were made with them, from tables[0], which is not dealt yet.

    In a try two cards change places in the order in which they are drawn, one of which may never have been
    drawn. It counts if the game can be played again so, and the viewer is told the same all along. As every
    order is as likely as any other, so are in the end all those that remain possible.

    Write into `steps`, for each action that is made then (first of all the deal): the action, how many lots
    it used, and how many cards. Return how many there are. `memory` is for what the viewer knew when.
    """
    truth = tables[1]
    replay(tables[0], truth, actions, seats, lots, draws, viewer, memory, False, steps)
    for _ in range(tries):
        first = throw(dice, len(draws))
        second = throw(dice, len(draws) + truth.deck.count)
        # A lot that one of them was goes with it, every other time.
        lot = throw(dice, 2 * len(lots) + 1)
        if exchange(truth, draws, first, second, lots, lot):
            made = replay(tables[0], tables[2], actions, seats, lots, draws, viewer, memory, True, steps)
            if made == WRONG_GAME:
                exchange(truth, draws, first, second, lots, lot)
    return replay(tables[0], tables[2], actions, seats, lots, draws, viewer, memory, True, steps)


@rule
def throw(dice: Any, below: int) -> Any:
    """Return a number from 0 to `below` - 1 (xorshift64*)."""
    word = dice[0]
    word ^= word >> np.uint64(12)
    word ^= word << np.uint64(25)
    word ^= word >> np.uint64(27)
    dice[0] = word
    high = (word * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(32)
    return np.int64((high * np.uint64(below)) >> np.uint64(32))


@rule
def exchange(truth: Any, draws: Any, first: int, second: int, lots: Any, lot: int) -> bool:
    """Let two cards change places; tell whether that makes a difference. To do it again is to undo it."""
    one = draws[first]
    count = len(draws)
    other = draws[second] if second < count else truth.deck.cards[second - count]
    if one == other:
        return False
    draws[first] = other
    if second < count:
        draws[second] = one
    else:
        truth.deck.cards[second - count] = one
    if lot < len(lots):
        if lots[lot] == one:
            lots[lot] = other
        elif lots[lot] == other:
            lots[lot] = one
    return True


@rule
def replay(
    start: Any,
    table: Any,
    actions: Any,
    seats: Any,
    lots: Any,
    draws: Any,
    viewer: int,
    memory: Any,
    checking: bool,
    steps: Any,
) -> int:
    """Play a game again with other outcomes of chance, and return how many actions were made; WRONG_GAME if
    that cannot be, or the viewer would have noticed.

    Somebody else may be asked something who was not, and lets it pass; or may not be asked who was. Without
    `checking`, it is the true game, and what the viewer knew is written down: before each action, two numbers
    for all it was told, and whether it was an answer.
    """
    assign(table, start)
    lots_used = 0
    draws_used = 0
    made = 0
    number = 0
    action = DEAL
    while True:
        table.noted = 0
        want(table.chance, lots, lots_used, len(lots))
        want(table.deck.wanted, draws, draws_used, len(draws))
        do_at(table, action)
        if table.chance.open or table.chance.wrong or table.deck.wanted.open or table.deck.wanted.wrong:
            return WRONG_GAME
        lots_used += table.chance.used
        draws_used += table.deck.wanted.used
        steps[made, 0] = action
        steps[made, 1] = table.chance.used
        steps[made, 2] = table.deck.wanted.used
        made += 1
        allow = silence_at(table) if table.over == PLAYING else NOBODY_ASKED
        asked = allow != NOBODY_ASKED
        # What was an answer, and is not asked for now, is left out.
        while checking and number < len(actions) and is_dropped(table, number, seats, memory, asked, viewer):
            number += 1
        now = memory[number]
        if not checking:
            now[0] = table.recall[2 * viewer]
            now[1] = table.recall[2 * viewer + 1]
            now[2] = int(asked)
            if number < len(actions) and asked and actions[number] == action_at(table, allow):
                now[2] = LET_PASS
            now[3] = table.to_move
        elif asked and (now[2] == 0 or now[3] != table.to_move):
            if table.to_move == viewer or made == len(steps):
                return WRONG_GAME
            action = action_at(table, allow)
            continue
        elif not looks_like(table, viewer, now, asked):
            return WRONG_GAME
        if number == len(actions):
            return made
        action = actions[number]
        number += 1
        if made == len(steps) or not is_legal(table, action):
            return WRONG_GAME


@rule
def looks_like(table: Any, viewer: int, then: Any, asked: bool) -> Any:
    """Tell whether the viewer knows what it knew in the true game, and the same seat is to move."""
    known = then[0] == table.recall[2 * viewer] and then[1] == table.recall[2 * viewer + 1]
    return known and then[3] == table.to_move and asked == (then[2] != 0)


@rule
def is_dropped(table: Any, number: int, seats: Any, memory: Any, asked: bool, viewer: int) -> bool:
    """Tell whether somebody let something pass who is not asked now."""
    if memory[number, 2] != LET_PASS or seats[number] == viewer:
        return False
    return not asked or table.to_move != seats[number]


@rule
def is_legal(table: Any, action: int) -> bool:
    """Tell whether an action can be done."""
    if table.over != PLAYING:
        return False
    for place in range(legal_at(table, table.moves)):
        if action_at(table, table.moves[place]) == action:
            return True
    return False
