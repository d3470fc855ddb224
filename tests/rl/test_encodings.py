"""Observations contain exactly what a seat knows; actions are moves."""

from __future__ import annotations

import contextlib
import hashlib
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.cases import Case, each_case
from tests.games.lines_tables import set_up
from upcard.core.struct import fields
from upcard.rl.encodings import action_of, all_encodings, encoding_of, move_of
from upcard.testing.encoding import EncodingContract, positions

each_game = pytest.mark.parametrize("game", ["stockpile", "lines", "stacks"])


@each_case
class TestEncoding(EncodingContract):
    pass


# Facts that are redundant or irrelevant: the number of the viewer's seat; and how long ago something was, if
# only whether it was matters (tested below).
TOLD_ELSEWHERE = {
    "viewer",
    "dealer",
    "options.players",
    "options.first",
    "options.dealer",
    "seats.last_turn",
    "stirred",
}


@each_case
def test_what_differs_for_a_seat_is_observed_differently(case: Case) -> None:
    """If any fact of a view changes, the observation changes too."""
    encoding, dice = encoding_of(case.game.id), random.Random(1)
    changed = 0
    for table in positions(case, 61):
        seat = dice.randrange(table.players)
        view = case.game.view(table, seat)
        before = encoding.observation_of(view, seat)
        facts = [fact for fact in facts_of(view, view) if fact[0] not in TOLD_ELSEWHERE]
        for name, place, key in dice.sample(facts, min(40, len(facts))):
            after = observed_otherwise(encoding, view, seat, name, place, key)
            if after is not None:
                assert not np.array_equal(before, after), name
                changed += 1
    assert changed > 20


Fact = tuple[str, Any, Any]


def facts_of(view: Any, record: Any, prefix: str = "") -> Iterator[Fact]:
    """Yield every meaningful number of a view: its name and location."""
    for name, field in fields(record).items():
        value = getattr(record, name)
        if field.length is None and field.struct is None:
            if name != "asked_pile" or view.step:
                yield prefix + name, record, name
        elif field.length is None:
            yield from facts_of(view, value, f"{prefix}{name}.")
        else:
            for place in range(length_of(view, record, name, field.length)):
                if field.struct is None:
                    yield prefix + name, value, place
                else:
                    yield from facts_of(view, value[place], f"{prefix}{name}.")


def length_of(view: Any, record: Any, name: str, length: int) -> int:
    """Return the length of the meaningful part of a list."""
    if name in ("seats", "zones", "hand_counts"):
        return int(view.players)
    if name == "drawable" and hasattr(view.options, "colours"):
        return int(view.options.colours) * 12
    if name in ("cards", "highest", "sightings"):
        return int(record.height if hasattr(record, "height") else record.count)
    if name == "fresh" and not view.reshuffled:
        return 0
    return length


def observed_otherwise(encoding: Any, view: Any, seat: int, name: str, place: Any, key: Any) -> Any:
    """Return the observation if one fact were different; None if that is impossible."""
    get, put = (getattr, setattr) if isinstance(key, str) else (list.__getitem__, list.__setitem__)
    old = get(place, key)
    others = [1 - old] if old in (0, 1) else [old - 1, old + 1, old - 2, old + 2]
    if name == "direction":
        others = [-old]
    if name == "options.turn_limit":
        others = [old + 1]
    if name == "memory.sightings.holders":
        others = [old ^ 1 << (seat + 1) % view.players]
    try:
        for other in others:
            put(place, key, other)
            with contextlib.suppress(IndexError, OverflowError):
                return encoding.observation_of(view, seat)
    finally:
        put(place, key, old)
    return None


def test_it_is_observed_at_stacks_who_has_rested_since_a_card_was_played() -> None:
    encoding = encoding_of("stacks")
    table = encoding.game.deal({"players": 3}, b"any")
    table.stirred = 4
    for seat, last_turn in enumerate((3, 4, 5)):
        table.seats[seat].last_turn = last_turn
    seen = encoding.observation_of(table, 0)
    place = encoding.observation.place
    assert [int(seen[place("rested", seat)][0]) for seat in range(3)] == [0, 0, 1]


@each_game
def test_every_number_is_named_once_and_can_be_found_by_its_name(game: str) -> None:
    for layout in (encoding_of(game).observation, encoding_of(game).actions):
        named = np.zeros(layout.size, int)
        for entry in layout.segments:
            for time in range(entry.times):
                named[layout.place(entry.name, time)] += 1
        assert (named == 1).all()


def test_the_observation_of_a_stockpile_table_reads_as_documented() -> None:
    encoding = encoding_of("stockpile")
    table = encoding.game.deal({"players": 3, "first": 2}, b"any")
    seen = encoding.observation_of(table, 0)
    place = encoding.observation.place
    assert seen[place("players")].tolist() == [3]
    assert seen[place("first")].tolist() == [0, 1, 0, 0]
    for seat in range(3):
        card = table.seats[seat].stock.cards[table.seats[seat].stock.count - 1]
        assert seen[place("stock top", seat)].tolist() == [int(card + 1 == one) for one in range(12)]
    assert not seen[place("stock count", 3)].any()
    on_stacks = sum(int(seen[place("stack counts", seat)].sum()) for seat in range(3))
    assert int(seen[place("unseen")].sum()) == 96 - 3 - on_stacks


def test_every_card_extends_every_other_line_of_its_colour_by_an_action_of_its_own() -> None:
    """With `extend=any` a line can be higher than the card, up to the 12."""
    encoding_of("lines")
    position = set_up("r1 | r5 | r11 | r12", "p1", hand="r4 r10", home=True, extend="any")
    moves = position.game.legal_moves(position.table)
    actions = [action_of(position.table, move) for move in moves]
    assert len(set(actions)) == len(moves) == 10
    assert [move_of(position.table, action) for action in actions] == moves


def test_an_unknown_name_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(KeyError, match="there is no segment 'hands': the segments are players"):
        encoding_of("lines").observation.place("hands")


def test_layouts_of_a_version_never_change() -> None:
    """Trained agents depend on them. A change needs a new version, and must not affect this one."""
    assert [(one.game.id, one.version, one.size, one.action_count) for one in all_encodings()] == [
        ("stockpile", 1, 723, 17),
        ("lines", 1, 1551, 120),
        ("stacks", 1, 1017, 92),
    ]


# Some tables that cover every option. They never change, so their observations must not change either.
TABLES: dict[str, list[dict[str, Any]]] = {
    "stockpile": [
        {"players": 3},
        {"players": 2, "first": 2, "stock": 30, "must_play": False, "recycle": "completed"},
        {"players": 4, "stock": 5, "refill": "empty"},
    ],
    "lines": [
        {"players": 3},
        {"players": 2, "first": 2, "colours": 4, "give": "matching"},
        {"players": 5, "colours": 6, "extend": "next", "reshuffle": False},
    ],
    "stacks": [
        {"players": 3},
        {"players": 2, "two_player_deck": "full", "chip_win": "delayed", "recycle": "all"},
        {"players": 6, "dealer": 2, "must_play": True, "block": "anytime", "turn_limit": 60},
    ],
}
OBSERVED = {"stockpile": "051383bb2c644ee2", "lines": "5abdc826ddc50aa2", "stacks": "765399c17572963a"}


@each_game
def test_observations_of_a_version_never_change_their_meaning(game: str) -> None:
    digest, encoding = hashlib.sha256(), encoding_of(game)
    for options in TABLES[game]:
        for table in positions(Case(encoding.game, tuple(options.items())), 29):
            for seat in range(table.players):
                digest.update(encoding.observation_of(table, seat).tobytes())
    assert digest.hexdigest()[:16] == OBSERVED[game]
