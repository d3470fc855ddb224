"""Fetching a table from memory before it is needed: thousands of them are more than a core keeps at hand."""

from __future__ import annotations

__all__ = ["busy_lines", "fetch"]

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from upcard.core.chance import Chance
from upcard.core.memory import dtype_of
from upcard.core.record import Record, fields

# Memory comes in lines of so many bytes.
LINE = 64
# The lists that have an entry for each seat.
OF_SEATS = ("seats", "hands", "zones")
# Of a list that is longer, a move seldom touches more than the beginning.
LONG = 16
# To be written to, and to be kept as near as can be; data, not code.
WRITE, NEAR, DATA = 1, 3, 1


def busy_lines(table: type[Record], players: int) -> npt.NDArray[np.int64]:
    """Return where the lines of a table are, in bytes from its beginning, that a move is likely to touch."""
    return np.array(sorted({at // LINE * LINE for at in _busy(table, 0, players)}), np.int64)


def _busy(record: type[Record], at: int, players: int) -> list[int]:
    found: list[int] = []
    layout: Any = dtype_of(record).fields
    for name, field in fields(record).items():
        begins = at + layout[name][1]
        length = field.length or 1
        size = layout[name][0].itemsize // length
        if field.record is None:
            found += [begins + place * size for place in range(length if length <= LONG else 1)]
        elif field.record is not Chance:  # which only a shuffle needs
            for place in range(players if name in OF_SEATS else length):
                found += _busy(field.record, begins + place * size, players)
    return found


@intrinsic
def fetch(_context: Any, tables: Any, number: Any, line: Any) -> Any:
    """Ask for a line of a table, and go on without waiting for it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        array = context.make_array(kind)(context, builder, arguments[0])
        byte, whole = ir.IntType(8).as_pointer(), ir.IntType(32)
        size = ir.Constant(ir.IntType(64), kind.dtype.size)
        place = builder.add(builder.mul(arguments[1], size), arguments[2])
        address = builder.gep(builder.bitcast(array.data, byte), [place])
        shape = ir.FunctionType(ir.VoidType(), [byte, whole, whole, whole])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], shape)
        builder.call(prefetch, [address, *(ir.Constant(whole, how) for how in (WRITE, NEAR, DATA))])
        return context.get_dummy_value()

    return types.void(tables, types.int64, types.int64), generate
