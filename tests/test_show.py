"""Views and events for programs: plain JSON, cards in notation, without anything that the viewer does not
know."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tests.cases import CASES, Case
from upcard.core.events import EventKind
from upcard.match import Match

SEED = bytes(range(32))


def positions(case: Case) -> Iterator[Match]:
    match = Match(case.game, case.options, SEED)
    dice = random.Random(str(case))
    while not match.over:
        yield match
        match.make_legal(dice.choice(match.game.legal_moves(match.table)))
    yield match


@pytest.mark.parametrize("game", ["lines", "stacks"])
def test_a_card_drawn_by_someone_else_is_shown_as_unknown(game: str) -> None:
    case = next(case for case in CASES if case.game.id == game)
    *_, match = positions(case)
    drawn = [case.game.show_event(event) for event in match.events_for(1) if event.kind == EventKind.DREW]
    assert any(event["card"] is None for event in drawn)
    assert all((event["card"] is None) == (event["seat"] != 1) for event in drawn)
