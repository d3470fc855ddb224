"""What holds for every game, number of players and option."""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Iterator
from typing import Any

from tests.cases import Case, each_case
from tests.census import census
from upcard.core.chance import Chance, chance_of
from upcard.core.game import apply, legal, redeal
from upcard.core.news import HIDDEN, NOBODY, sees
from upcard.core.record import from_plain, to_plain
from upcard.core.seats import SPECTATOR
from upcard.core.table import PLAYING
from upcard.match import Match, read_seed, replay

SEED = read_seed("contract")
# No game takes longer; one that does is not going to end.
MOST_MOVES = 20_000


def chance_from(text: str) -> Chance:
    return chance_of(text.encode())


def positions(case: Case, seed: bytes = SEED) -> Iterator[Any]:
    """Play a random game, and give every position of it."""
    dice = random.Random(str(case))
    table = case.game.deal(case.options, seed)
    for _ in range(MOST_MOVES):
        yield table
        moves = case.game.legal_moves(table)
        if not moves:
            return
        apply(table, dice.choice(moves))
    raise AssertionError(f"no end after {MOST_MOVES} moves")


def some_positions(case: Case, most: int = 25) -> list[Any]:
    """Return some positions of a random game, its first and last among them. Others get the same tables, so
    nobody may change them."""
    tables = _positions(case)
    step = max(1, len(tables) // most)
    return [*tables[::step], tables[-1]]


@functools.cache
def _positions(case: Case) -> list[Any]:
    """Return all positions of a random game, or as many as any test looks at."""
    tables = [table.copy() for table in positions(case)]
    return [*tables[:: max(1, len(tables) // 50)], tables[-1]]


def viewers(table: Any) -> range:
    return range(SPECTATOR, table.players)


@each_case
def test_cards_and_chips_are_conserved_at_every_step(case: Case) -> None:
    tables = positions(case)
    before = census(case.game, next(tables))
    for table in tables:
        assert census(case.game, table) == before


@each_case
def test_every_game_ends_with_a_result_and_then_nothing_is_legal(case: Case) -> None:
    for number in range(4):
        *_, table = positions(case, SEED + bytes([number]))
        assert table.over != PLAYING
        assert legal(table, [0] * case.game.most_moves) == 0


@each_case
def test_every_legal_move_applies_and_none_is_listed_twice(case: Case) -> None:
    for table in some_positions(case, 8):
        moves = case.game.legal_moves(table)
        assert len(set(moves)) == len(moves)
        for move in moves:
            assert case.game.explain(table, move) is None
            after = table.copy()
            apply(after, move)
            assert after != table


@each_case
def test_every_other_move_is_refused_with_a_clause_and_changes_nothing(case: Case) -> None:
    dice = random.Random(str(case))
    for table in some_positions(case, 6):
        legal_here = set(case.game.legal_moves(table))
        before = table.copy()
        others = [move for move in range(case.game.all_moves) if move not in legal_here]
        for move in dice.sample(others, min(len(others), 400)):
            refusal = case.game.explain(table, move)
            assert refusal is not None, case.game.write_move(table, move)
            assert refusal.clause in refusal.text()
        assert table == before


@each_case
def test_moves_and_cards_survive_notation(case: Case) -> None:
    for table in some_positions(case):
        for move in case.game.legal_moves(table):
            text = case.game.write_move(table, move)
            assert case.game.read_move(table, text) == move
            assert case.game.read_move(table, f"  {text.upper()} ") == move
    for card, count in enumerate(census(case.game, table)[:72]):
        if count:
            assert case.game.read_card(case.game.write_card(card)) == card


@each_case
def test_tables_and_views_survive_json(case: Case) -> None:
    for table in some_positions(case, 4):
        view = case.game.view(table, 0)
        assert from_plain(case.game.Table, json.loads(json.dumps(to_plain(table)))) == table
        assert from_plain(case.game.View, json.loads(json.dumps(to_plain(view)))) == view


@each_case
def test_a_redealt_table_looks_the_same_and_has_the_same_cards_and_moves(case: Case) -> None:
    for number, table in enumerate(some_positions(case, 12)):
        for viewer in viewers(table):
            view = case.game.view(table, viewer)
            imagined = case.game.Table()
            redeal(view, imagined, chance_from(f"{number} {viewer}"))
            assert case.game.view(imagined, viewer) == view
            assert census(case.game, imagined) == census(case.game, table)
            if viewer == table.to_move:
                assert case.game.legal_moves(imagined) == case.game.legal_moves(table)


@each_case
def test_a_redealt_table_can_be_played_to_its_end(case: Case) -> None:
    dice = random.Random(str(case))
    tables = some_positions(case)
    table = tables[3 % len(tables)]
    imagined = case.game.Table()
    redeal(case.game.view(table, table.to_move), imagined, chance_from("end"))
    for _ in range(MOST_MOVES):
        moves = case.game.legal_moves(imagined)
        if not moves:
            break
        apply(imagined, dice.choice(moves))
    assert imagined.over != PLAYING


@each_case
def test_a_game_survives_its_record(case: Case) -> None:
    match = played(case)
    record = match.record(legal=True)
    again = replay(json.loads(json.dumps(record)))
    assert again.record(legal=True) == record
    assert again.table == match.table
    assert replay({**record, "seed": None}).result == match.result


@each_case
def test_undo_leads_back_through_the_whole_game(case: Case) -> None:
    match = played(case)
    made = match.log_of_moves
    half = len(made) // 2
    match.undo(len(made) - half)
    tables = positions(case)
    for _ in range(half):
        next(tables)
    assert match.table == next(tables)
    for entry in made[half:]:
        match.play(entry.text)
    assert match.log_of_moves == made
    assert match.over


@each_case
def test_events_show_a_card_only_to_its_audience(case: Case) -> None:
    match = played(case)
    for viewer in (None, *range(1, match.table.players + 1)):
        seat = SPECTATOR if viewer is None else viewer - 1
        shown = match.news(viewer)
        for event in shown:
            assert event.audience != NOBODY or event.card == HIDDEN
            assert all(card == HIDDEN for card in event.cards)
        hidden = [event for event in match.events if event.secret and not sees(seat, event.audience)]
        assert len(shown) == len(match.events) - len(hidden)


def played(case: Case) -> Match:
    """Return a match with the same moves as `positions`."""
    dice = random.Random(str(case))
    match = Match(case.game, case.options, SEED)
    while not match.over:
        match.make(dice.choice(case.game.legal_moves(match.table)))
    return match
