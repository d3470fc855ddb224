"""The translator of rules: its output, and its refusals."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest

from tests.browser.node import run, write_all
from upcard.core.javascript import Program, TranslationError, write
from upcard.core.javascript.types import NUMBER, Items, Place
from upcard.core.rule import rule
from upcard.core.struct import Struct


class Pair(Struct):
    left: int
    right: int


class Box(Struct):
    total: int
    pairs: Annotated[list[Pair], 3]
    numbers: Annotated[list[int], 4]


POWERS = (1, 10, 100)


# Output


@rule
def arithmetic(a: int, b: int) -> int:
    """Python's division rounds down, and its remainder has the sign of the divisor."""
    return (a // b) * 1_000_000 + (a % b) * 1_000 + ((a & 7) ^ (a >> 1)) % 1_000


@rule
def both(a: int, b: int) -> tuple[int, int]:
    return b, a + b


@rule
def loops(box: Box, count: int) -> int:
    # A comment that is kept.
    total = 0
    for place in range(count - 1, -1, -1):
        if place == 2:
            continue
        box.numbers[place] += place * 2
        total += box.numbers[place]
    while total > 5:
        total -= 5
    low, high = both(total, count)
    low, high = high, low
    return low * 10 + high


@rule
def conditions(box: Box, a: int) -> int:
    pair = box.pairs[a % 3]
    pair.left = a if 0 <= a < 3 else -1
    pair.right = int(pair.left in (0, 2)) + POWERS[-1]
    box.pairs[0].left, box.pairs[1].left = box.pairs[1].left, box.pairs[0].left
    box.total = max(pair.left, pair.right, a) - abs(min(a, 0)) + int(math.sqrt(a * a))
    var = not (a == 1 or (a > 2 and a != 4))
    return int(var)


def test_javascript_does_the_same_as_python(tmp_path: Path) -> None:
    program = Program(checked=True)
    program.add("rules", arithmetic, NUMBER, NUMBER)
    program.add("rules", loops, Place(Box), NUMBER)
    program.add("rules", conditions, Place(Box), NUMBER)
    write_all(write(program, 1_000), tmp_path)
    numbers = [-7, -3, -2, -1, 1, 2, 3, 5, 6]
    (tmp_path / "run.js").write_text(
        """
        import { M } from "./memory.js";
        import { arithmetic, conditions, loops } from "./rules.js";
        const numbers = [-7, -3, -2, -1, 1, 2, 3, 5, 6];
        export function answer() {
        const pairs = numbers.flatMap((a) => numbers.map((b) => arithmetic(a, b)));
        const looped = [1, 2, 3, 4].map((count) => loops(100, count));
        const chosen = [-4, 0, 1, 2, 3, 4].map((a) => conditions(100, a));
        return [pairs, looped, chosen, Array.from(M.subarray(100, 111))];
        }
        """
    )
    box = Box()
    pairs = [arithmetic(a, b) for a in numbers for b in numbers]
    looped = [loops(box, count) for count in (1, 2, 3, 4)]
    chosen = [conditions(box, a) for a in (-4, 0, 1, 2, 3, 4)]
    kept = [box.total, *(number for pair in box.pairs for number in (pair.left, pair.right)), *box.numbers]
    assert run(tmp_path / "run.js", None) == [pairs, looped, chosen, kept]


def test_what_is_written_can_be_read() -> None:
    program = Program()
    program.add("rules", loops, Place(Box), NUMBER)
    text = write(program)["rules.js"]
    assert "@param {number} box place of a Box" in text
    assert "// A comment that is kept." in text
    assert "M[box + Box_numbers + place] += place * 2;" in text


# Refusals, with the line


@rule
def lists(a: int) -> int:
    some = [a]
    return len(some)


@rule
def texts(a: int) -> int:
    return len(f"{a}")


@rule
def changing_type(box: Box, a: int) -> int:
    a = box  # type: ignore[assignment]
    return a + 1


@rule
def powers(a: int) -> int:
    return a**2


@rule
def wide_division(a: int) -> int:
    return (a & 0xFFFFFFFF) // 3


@rule
def assigned_struct(box: Box) -> None:
    box.pairs[0] = box.pairs[1]


@rule
def loop_over_list(box: Box) -> int:
    total = 0
    for number in box.numbers:
        total += number
    return total


@rule
def unknown_field(box: Any) -> int:
    return int(box.width)


@rule
def outside(box: Box) -> int:
    return box.numbers[4]


def not_a_rule(a: int) -> int:
    return a


@rule
def calls_no_rule(a: int) -> int:
    return not_a_rule(a)


@rule
def keywords(a: int) -> int:
    return int(both(a, b=a) == (1, 2))


@rule
def counter_changed(a: int) -> int:
    for place in range(a):
        place += 1  # noqa: PLW2901
    return a


@pytest.mark.parametrize(
    ("function", "line", "reason"),
    [
        (lists, 2, "rules have no List"),
        (texts, 2, "rules have no JoinedStr"),
        (changing_type, 2, "a is once"),
        (powers, 2, "there is no operator Pow in rules"),
        (wide_division, 2, "a number of more than 32 bits cannot be divided"),
        (assigned_struct, 2, "a struct is copied by `assign`"),
        (loop_over_list, 3, "rules count with `for name in range"),
        (unknown_field, 2, "Box has no field width"),
        (outside, 2, "there is no place 4 in a list of 4"),
        (calls_no_rule, 2, "not_a_rule is not a rule"),
        (keywords, 2, "rules are called with plain arguments"),
        (counter_changed, 2, "place counts a loop"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_is_not_understood_is_refused_by_file_line_and_reason(
    function: Callable[..., Any], line: int, reason: str
) -> None:
    names = list(inspect.signature(function).parameters)
    with pytest.raises(TranslationError) as refused:
        Program().add("rules", function, *(Place(Box) if name == "box" else NUMBER for name in names))
    assert reason in refused.value.reason
    first = inspect.getsourcelines(function)[1]
    # After the decorator and the head.
    assert refused.value.line == first + line
    assert str(refused.value).startswith(f"{Path(__file__).name}:{first + line}: ")


@rule
def too_large(a: int, b: int) -> int:
    return a * b * b


@rule
def stored(box: Box, a: int) -> None:
    box.total = a + a


@rule
def read(box: Box, a: int) -> int:
    return box.numbers[a]


@rule
def divided(a: int, b: int) -> int:
    return a // b


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("too_large(2147483647, 2147483647)", "is too large to be exact"),
        ("stored(100, 2147483647)", "is not a whole number of 32 bits"),
        ("read(100, 4)", "there is no place 4 of 4"),
        ("read(100, -1)", "there is no place -1 of 4"),
        ("divided(1, 0)", "division by zero"),
    ],
)
def test_modules_that_check_themselves_stop_at_what_would_not_be_exact(
    call: str, message: str, tmp_path: Path
) -> None:
    program = Program(checked=True)
    program.add("rules", too_large, NUMBER, NUMBER)
    program.add("rules", stored, Place(Box), NUMBER)
    program.add("rules", read, Place(Box), NUMBER)
    program.add("rules", divided, NUMBER, NUMBER)
    write_all(write(program, 1_000), tmp_path)
    name = call.partition("(")[0]
    caught = f"try {{ return String({call}); }} catch (error) {{ return error.message; }}"
    (tmp_path / "run.js").write_text(
        f'import {{ {name} }} from "./rules.js"; export function answer() {{ {caught} }}'
    )
    said = run(tmp_path / "run.js", None)
    assert message in said
    assert said.startswith("tests.core.test_javascript:")


def test_lists_of_structs_have_the_length_that_the_caller_says(tmp_path: Path) -> None:
    program = Program()
    program.add("rules", counted, Items(Pair, 7))
    assert "return 7;" in write(program)["rules.js"]


@rule
def counted(pairs: list[Pair]) -> int:
    return len(pairs)
