"""Operators on numbers, with Python's meaning in JavaScript.

The numbers of rules fit into 32 bits, as fields do, and intermediate results are exact up to 53 bits. A mask
of 32 bits makes a wide number, which other operators take only where JavaScript can do the same. Modules with
checks (`checked`) stop at a result that is not exact or does not fit, and at a division by zero.
"""

from __future__ import annotations

__all__ = ["Operators"]

import ast

from upcard.core.javascript.code import (
    ADD,
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    CONDITION,
    MULTIPLY,
    OR,
    SHIFT,
    UNARY,
    Code,
    call,
)
from upcard.core.javascript.scope import Scope
from upcard.core.javascript.types import FLAG, FLOAT, NUMBER, WIDE, Flag, Number, Type, is_number

MASK = 0xFFFFFFFF
BITS = 32
ARITHMETIC: dict[type[ast.operator], tuple[str, int]] = {
    ast.Add: ("+", ADD),
    ast.Sub: ("-", ADD),
    ast.Mult: ("*", MULTIPLY),
}
BITWISE: dict[type[ast.operator], tuple[str, int]] = {
    ast.BitAnd: ("&", BIT_AND),
    ast.BitOr: ("|", BIT_OR),
    ast.BitXor: ("^", BIT_XOR),
}


class Operators(Scope):
    """Binary and unary operators."""

    def binary(self, node: ast.AST, left: Code, operator: ast.operator, right: Code) -> Code:
        """Return a binary operation."""
        if not is_number(left.type) or not is_number(right.type):
            raise self.refusal(node, "operators work on numbers only")
        kind = type(operator)
        if kind in ARITHMETIC:
            return self._arithmetic(node, left, *ARITHMETIC[kind], right)
        if isinstance(operator, ast.Div):
            return self._infix(left, "/", MULTIPLY, self._divisor(node, right), FLOAT)
        if FLOAT in (left.type, right.type):
            raise self.refusal(node, "only + - * / work on numbers that are not whole")
        if kind in BITWISE:
            return self._bitwise(node, left, *BITWISE[kind], right)
        if isinstance(operator, ast.LShift | ast.RShift):
            return self._shift(node, left, isinstance(operator, ast.LShift), right)
        if WIDE in (left.type, right.type) and not isinstance(operator, ast.Mod):
            raise self.refusal(node, "a number of more than 32 bits cannot be divided")
        if isinstance(operator, ast.FloorDiv):
            self.use("numbers", "quotient")
            return call("quotient", left, self._divisor(node, right))
        if isinstance(operator, ast.Mod):
            self.use("numbers", "modulo")
            return call("modulo", left, self._divisor(node, right), type_=right.type)
        raise self.refusal(node, f"there is no operator {kind.__name__} in rules")

    def unary(self, node: ast.UnaryOp, operand: Code) -> Code:
        """Return a unary operation."""
        if isinstance(node.op, ast.Not):
            return Code(f"!{operand.operand(UNARY)}", FLAG, UNARY)
        if not is_number(operand.type):
            raise self.refusal(node, "operators work on numbers only")
        if isinstance(node.op, ast.Invert):
            return Code(f"~{self._bits(node, operand).operand(UNARY)}", NUMBER, UNARY)
        sign = "-" if isinstance(node.op, ast.USub) else "+"
        type_ = NUMBER if operand.type == FLAG else operand.type
        space = " " if operand.text.startswith(sign) else ""
        return Code(f"{sign}{space}{operand.operand(UNARY)}", type_, UNARY)

    def as_number(self, code: Code) -> Code:
        """Return a value that is true or false as 1 or 0."""
        return Code(f"{code.operand(OR)} ? 1 : 0", NUMBER, CONDITION) if isinstance(code.type, Flag) else code

    def _infix(self, left: Code, sign: str, level: int, right: Code, type_: Type) -> Code:
        return Code(f"{left.operand(level)} {sign} {right.operand(level + 1)}", type_, level)

    def _arithmetic(self, node: ast.AST, left: Code, sign: str, level: int, right: Code) -> Code:
        left, right = self.as_number(left), self.as_number(right)
        if FLOAT in (left.type, right.type):
            return self._infix(left, sign, level, right, FLOAT)
        type_ = WIDE if WIDE in (left.type, right.type) else NUMBER
        return self.checked_by("exact", self._infix(left, sign, level, right, type_), node)

    def _bitwise(self, node: ast.AST, left: Code, sign: str, level: int, right: Code) -> Code:
        if sign == "&" and self.constant_of(right) == MASK:
            return Code(f"{left.operand(SHIFT)} >>> 0", WIDE, SHIFT)
        one, other = self._bits(node, left), self._bits(node, right)
        return self._infix(one, sign, level, other, NUMBER)

    def _shift(self, node: ast.AST, left: Code, to_the_left: bool, right: Code) -> Code:
        count = self.constant_of(right)
        if left.type == WIDE or (count is not None and count >= BITS):
            if count is None:
                raise self.refusal(node, "a number of more than 32 bits is shifted by a constant only")
            power = Code(str(2**count))
            if to_the_left:
                return self.checked_by("exact", self._infix(left, "*", MULTIPLY, power, WIDE), node)
            return call("Math.floor", self._infix(left, "/", MULTIPLY, power, NUMBER))
        right = self.checked_by("steps", right, node)
        if to_the_left:
            shifted = Code(f"{left.operand(MULTIPLY)} * 2 ** {right.operand(UNARY)}", NUMBER, MULTIPLY)
            if self.program.checked:
                return self.checked_by("fit", shifted, node)
        return self._infix(self._bits(node, left), "<<" if to_the_left else ">>", SHIFT, right, NUMBER)

    def _bits(self, node: ast.AST, code: Code) -> Code:
        """Return an operand of a bitwise operator, which in JavaScript is limited to 32 bits."""
        if not isinstance(code.type, Flag | Number) or code.type == WIDE:
            raise self.refusal(node, f"bitwise operators work on 32 bits, other than `& 0x{MASK:X}`")
        return self.checked_by("fit", code, node)

    def _divisor(self, node: ast.AST, code: Code) -> Code:
        value = self.constant_of(code)
        return code if value is not None and value != 0 else self.checked_by("divisor", code, node)
