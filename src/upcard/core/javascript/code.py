"""Pieces of JavaScript: their text, type and precedence."""

from __future__ import annotations

__all__ = ["ADD", "ATOM", "COMMA", "CONDITION", "MULTIPLY", "UNARY", "Code", "call"]

from dataclasses import dataclass

from upcard.core.javascript.types import NUMBER, Type

# The precedence of operators, as in the grammar of JavaScript.
COMMA, CONDITION, OR, AND, BIT_OR, BIT_XOR, BIT_AND, EQUAL, COMPARE, SHIFT, ADD, MULTIPLY, UNARY, ATOM = (
    range(14)
)


@dataclass(frozen=True)
class Code:
    """An expression. An address is the sum of `text` and constant `offsets`."""

    text: str
    type: Type = NUMBER
    level: int = ATOM
    offsets: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.offsets:
            return self.text
        return " + ".join([self.within(ADD), *self.offsets])

    def plus(self, offset: str, type_: Type) -> Code:
        """Return the address a constant offset behind this one."""
        offsets = self.offsets if offset == "0" else (*self.offsets, offset)
        return Code(self.text, type_, self.level, offsets)

    def within(self, level: int) -> str:
        """Return the text (without the offsets) as an operand of an operator with this precedence."""
        mixed = BIT_OR <= self.level <= SHIFT and level != self.level
        return self.text if self.level >= level and not (mixed and level > AND) else f"({self.text})"

    def operand(self, level: int) -> str:
        """Return the whole expression as an operand of an operator with this precedence."""
        return self.within(level) if not self.offsets else Code(str(self), level=ADD).within(level)


def call(name: str, *arguments: object, type_: Type = NUMBER) -> Code:
    """Return a call of a function."""
    return Code(f"{name}({', '.join(map(str, arguments))})", type_)
