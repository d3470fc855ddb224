"""Views and events for programs: plain JSON, cards in notation, nothing that the viewer does not know."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.cases import CASES, Case, each_case
from upcard.core.news import News
from upcard.match import Match

SEED = bytes(range(32))
# Who is being asked is never told as an event, but shown as a window that is the same for all.
KINDS = {kind.name.lower() for kind in News} - {"asked", "allowed"}


def positions(case: Case) -> Iterator[Match]:
    match = Match(case.game, case.options, SEED)
    dice = random.Random(str(case))
    while not match.over:
        yield match
        match.make_legal(dice.choice(match.game.legal_moves(match.table)))
    yield match


def cards_of(shown: Any) -> Iterator[Any]:
    """Find everything that is called a card, or a list of cards."""
    if isinstance(shown, dict):
        for name, value in shown.items():
            if name == "card" and isinstance(value, str):  # a number counts cards that are called so
                yield value
            elif name in ("cards", "hand", "discards", "discarded") and isinstance(value, list):
                yield from value
            else:
                yield from cards_of(value)
    elif isinstance(shown, list):
        for value in shown:
            yield from cards_of(value)


@each_case
def test_views_and_events_are_json_with_cards_in_notation(case: Case) -> None:
    game, told, kinds = case.game, 0, set()
    for match in positions(case):
        for seat in (None, match.table.to_move + 1):
            shown = game.show(match.view(seat))
            assert json.loads(json.dumps(shown)) == shown
            for card in cards_of(shown):
                game.read_card(card)
            for event in match.news(seat, told):
                shown = game.show_event(event)
                assert json.loads(json.dumps(shown)) == shown
                kinds.add(shown["kind"])
                if shown.get("card") is not None:
                    game.read_card(shown["card"])
        told = len(match.events)
    assert {"turn", "over"} <= kinds <= KINDS | {"asked", "allowed"}


@pytest.mark.parametrize("game", ["lines", "stacks"])
def test_a_card_drawn_by_somebody_else_is_shown_as_unknown(game: str) -> None:
    case = next(case for case in CASES if case.game.id == game)
    *_, match = positions(case)
    drawn = [case.game.show_event(event) for event in match.news(1) if event.kind == News.DREW]
    assert any(event["card"] is None for event in drawn)
    assert all((event["card"] is None) == (event["seat"] != 1) for event in drawn)
