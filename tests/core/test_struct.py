"""Structs: one declaration, plain objects and compiled memory."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard.core.errors import FieldError
from upcard.core.memory import dtype_of, empty, load, store
from upcard.core.struct import PLAIN_ONLY, Field, Struct, assign, copy, fields, to_plain


class Card(Struct):
    colour: int
    value: int


class Box(Struct):
    label: int
    lid: Card
    counts: Annotated[list[int], 4]
    cards: Annotated[list[Card], 3]
    note: Annotated[list[str] | None, PLAIN_ONLY] = None


numbers = st.integers(-(2**31), 2**31 - 1)


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    def card() -> Card:
        one = Card()
        one.colour, one.value = draw(numbers), draw(numbers)
        return one

    box = Box()
    box.label = draw(numbers)
    box.lid = card()
    box.counts = [draw(numbers) for _ in range(4)]
    box.cards = [card() for _ in range(3)]
    return box


def test_fields_come_from_the_annotations_in_their_order() -> None:
    assert fields(Box) == {
        "label": Field(None, None),
        "lid": Field(Card, None),
        "counts": Field(None, 4),
        "cards": Field(Card, 3),
    }


def test_a_new_record_is_all_zero_and_shares_nothing() -> None:
    one, other = Box(), Box()
    one.cards[0].value = 5
    assert other.cards[0].value == 0
    assert one.cards[1].value == 0
    assert one != other


@given(boxes())
def test_a_struct_survives_compiled_memory(box: Box) -> None:
    assert load(Box, store(box)) == box


@given(boxes(), numbers)
def test_a_copy_is_equal_and_independent(box: Box, number: int) -> None:
    twin = copy(box)
    assert twin == box
    twin.cards[2].value = box.cards[2].value ^ 1
    twin.counts[1] = number
    assert twin != box


@given(boxes())
def test_assign_makes_equal_without_sharing(box: Box) -> None:
    target = Box()
    cards = target.cards
    assign(target, box)
    assert target == box
    target.counts[0] = box.counts[0] ^ 1
    assert target != box
    assert target.cards is not box.cards
    assert cards is not box.cards


def test_a_field_named_like_something_of_numpy_is_refused(subtests: pytest.Subtests) -> None:
    for name in ("size", "item", "copy", "T", "base", "fill", "data", "view"):
        record = type("Bad", (Struct,), {"__annotations__": {name: int}})
        with subtests.test(name), pytest.raises(FieldError, match=f"Bad.{name}: NumPy owns that name"):
            dtype_of(record)


def test_a_field_that_cannot_be_compiled_is_refused(subtests: pytest.Subtests) -> None:
    kinds: list[Any] = [str, float, list[int], Annotated[list[str], 3]]
    for kind in kinds:
        with subtests.test(str(kind)), pytest.raises(FieldError, match="a field is an int, a Struct, or"):
            type("Bad", (Struct,), {"__annotations__": {"field": kind}})


def widths(dtype: Any) -> set[int]:
    """Return the widths of the numbers of a layout, in bytes."""
    if dtype.subdtype:
        return widths(dtype.subdtype[0])
    if dtype.names:
        return set().union(*(widths(dtype[name]) for name in dtype.names))
    return {dtype.itemsize}


def test_there_is_one_integer_width() -> None:
    assert widths(dtype_of(Box)) == {4}


def test_a_number_that_does_not_fit_is_an_error_and_never_wraps() -> None:
    box = Box()
    box.counts[3] = 2**31
    with pytest.raises(OverflowError):
        store(box)


def test_plain_only_attributes_are_not_part_of_the_struct() -> None:
    box = Box()
    box.note = ["hello"]
    assert copy(box).note is None
    assert "note" not in to_plain(box)
    assert copy(box) == box
    assert "note" not in (dtype_of(Box).names or ())


def test_an_empty_compiled_record_is_a_new_plain_one() -> None:
    assert load(Box, empty(Box)) == Box()
    assert np.array_equal(empty(Box)["counts"], [0, 0, 0, 0])
