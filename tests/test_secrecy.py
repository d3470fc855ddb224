"""What is hidden from a viewer can be anything else, and the viewer sees no difference.

These tests permute hidden cards with a hand of their own, so that they do not lean on `redeal`.
"""

from __future__ import annotations

import json
import random
from typing import Any

from tests.cases import Case, each_case
from tests.test_contract import some_positions, viewers
from upcard.bots import Greedy, Turn
from upcard.core.game import apply
from upcard.core.news import redact, sees
from upcard.core.record import to_plain
from upcard.games.lines.deck import DECK
from upcard.games.stacks.deck import BLOCK
from upcard.games.stacks.memory import memory_of
from upcard.games.stacks.table import ASK

Place = tuple[Any, int]


def permuted(case: Case, table: Any, viewer: int, dice: random.Random) -> Any:
    """Return a copy of the table with the cards that the viewer cannot know dealt differently."""
    other = table.copy()
    for places in HIDDEN_PLACES[case.game.id](other, viewer):
        cards = [cards[place] for cards, place in places]
        dice.shuffle(cards)
        for (target, place), card in zip(places, cards, strict=True):
            target[place] = card
    return other


def places_of(pile: Any, count: int | None = None) -> list[Place]:
    return [(pile.cards, place) for place in range(pile.count if count is None else count)]


def hidden_in_stockpile(table: Any, viewer: int) -> list[list[Place]]:
    buried = [
        place
        for seat in range(table.players)
        for place in places_of(table.seats[seat].stock, max(0, table.seats[seat].stock.count - 1))
    ]
    fresh = places_of(table.deck)
    # Reshuffled cards have all been seen, so they are not among those of the stockpiles.
    return [fresh, buried] if table.reshuffled else [fresh + buried]


def hidden_in_lines(table: Any, viewer: int) -> list[list[Place]]:
    held = [
        place for seat in range(table.players) if seat != viewer for place in places_of(table.hands[seat])
    ]
    deck = places_of(table.deck)
    drawable = [place for place in held if table.drawable[place[0][place[1]]]]
    assert len(table.drawable) == DECK
    certain = [place for place in held if not table.drawable[place[0][place[1]]]]
    return [deck + drawable, certain]


def hidden_in_stacks(table: Any, viewer: int) -> list[list[Place]]:
    """Cards that the viewer remembers stay, and blocks while somebody is asked for one."""
    memory = memory_of(table, viewer)
    remembered = {memory.sightings[place].card for place in range(memory.count)}
    fixed = remembered | ({BLOCK} if table.step == ASK else set())
    held = [
        place
        for seat in range(table.players)
        if seat != viewer
        for place in places_of(table.seats[seat].hand)
        if place[0][place[1]] not in fixed
    ]
    deck = [place for place in places_of(table.deck) if place[0][place[1]] not in fixed]
    was_reshuffled = sum(table.drawable) < 100
    return [deck, held] if was_reshuffled else [deck + held]


HIDDEN_PLACES = {"stockpile": hidden_in_stockpile, "lines": hidden_in_lines, "stacks": hidden_in_stacks}


@each_case
def test_a_view_does_not_change_when_what_is_hidden_is_permuted(case: Case) -> None:
    dice = random.Random(str(case))
    changed = 0
    for table in some_positions(case):
        for viewer in viewers(table):
            other = permuted(case, table, viewer, dice)
            changed += other != table
            seen, twin = case.game.view(table, viewer), case.game.view(other, viewer)
            assert json.dumps(to_plain(seen)) == json.dumps(to_plain(twin))
    assert changed, "nothing was hidden, so nothing was tested"


@each_case
def test_who_is_to_move_gets_the_same_choice_and_a_bot_makes_the_same_move(case: Case) -> None:
    dice = random.Random(str(case))
    bot = Greedy(b"")
    for table in some_positions(case):
        moves = case.game.legal_moves(table)
        if moves:
            other = permuted(case, table, table.to_move, dice)
            assert case.game.legal_moves(other) == moves
            ours = bot.choose(Turn(case.game, case.game.view(table, table.to_move), moves))
            theirs = bot.choose(Turn(case.game, case.game.view(other, table.to_move), moves))
            assert ours == theirs


@each_case
def test_events_that_follow_a_move_do_not_tell_what_is_hidden(case: Case) -> None:
    """After the same move at two tables that look the same, a viewer sees the same events up to the
    first that shows a card which was hidden before."""
    dice = random.Random(str(case))
    for table in some_positions(case, 10):
        moves = case.game.legal_moves(table)
        for viewer in viewers(table):
            if not moves:
                break
            # Whoever moves knows the own hand; watch from a seat that does not move.
            if viewer == table.to_move:
                continue
            other = permuted(case, table, viewer, dice)
            move = dice.choice(sorted(set(moves) & set(case.game.legal_moves(other))) or [None])
            if move is None:
                continue
            for one, theirs in zip(news_of(table, move, viewer), news_of(other, move, viewer), strict=False):
                if one != theirs:
                    assert sees(viewer, one.audience), "a hidden event differs"
                    break


def news_of(table: Any, move: int, viewer: int) -> list[Any]:
    after = table.copy()
    after.news = []
    apply(after, move)
    seen = (redact(event, viewer) for event in after.news)
    return [event for event in seen if event is not None]
