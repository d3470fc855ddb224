"""Expressions of rules as JavaScript."""

from __future__ import annotations

__all__ = ["Expressions"]

import ast

from upcard.core.javascript.calls import Calls
from upcard.core.javascript.code import ADD, AND, ATOM, COMPARE, CONDITION, EQUAL, MULTIPLY, OR, Code
from upcard.core.javascript.layout import name_of, offset_of, size_of
from upcard.core.javascript.types import (
    FLAG,
    FLOAT,
    NONE,
    NUMBER,
    Constants,
    Items,
    Place,
    Type,
    is_number,
    joined,
)
from upcard.core.struct import fields

COMPARISONS: dict[type[ast.cmpop], tuple[str, int]] = {
    ast.Eq: ("===", EQUAL),
    ast.NotEq: ("!==", EQUAL),
    ast.Lt: ("<", COMPARE),
    ast.LtE: ("<=", COMPARE),
    ast.Gt: (">", COMPARE),
    ast.GtE: (">=", COMPARE),
}


class Expressions(Calls):
    """Names, fields, items of lists, comparisons and conditions."""

    def expression(self, node: ast.expr) -> Code:
        """Return an expression in JavaScript."""
        match node:
            case ast.Constant(value=None):
                return Code("null", NONE)
            case ast.Constant():
                return self.literal(node)
            case ast.Name(id=name) if name in self.variables:
                return Code(self.local(name), self.variables[name])
            case ast.Name(id=name) if name in self.locals:
                raise self.refusal(node, f"{name} has no value yet")
            case ast.Name(id=name):
                return self.constant(node, name, self.global_value(node))
            case ast.Attribute():
                return self._attribute(node)
            case ast.Subscript():
                return self._subscript(node)
            case ast.BinOp():
                return self.binary(node, self.expression(node.left), node.op, self.expression(node.right))
            case ast.UnaryOp():
                return self.unary(node, self.expression(node.operand))
            case ast.BoolOp():
                return self._logical(node)
            case ast.Compare():
                return self._comparison(node)
            case ast.IfExp():
                return self._choice(node)
            case ast.Call():
                return self.called(node)
        raise self.refusal(node, f"rules have no {type(node).__name__}")

    def _attribute(self, node: ast.Attribute) -> Code:
        value = self.global_value(node)
        if value is not None:
            return self.constant(node, ast.unparse(node), value)
        owner = self.expression(node.value)
        if not isinstance(owner.type, Place) or node.attr not in fields(owner.type.struct):
            kind = owner.type.struct.__name__ if isinstance(owner.type, Place) else type(owner.type).__name__
            raise self.refusal(node, f"{kind} has no field {node.attr}")
        struct = owner.type.struct
        field = fields(struct)[node.attr]
        written = str(offset_of(struct, node.attr))
        offset = self.program.constant(self.module, name_of(struct, node.attr), written)
        if field.length is not None:
            return owner.plus(offset, Items(field.struct, field.length))
        if field.struct is not None:
            return owner.plus(offset, Place(field.struct))
        return self._read(owner.plus(offset, NUMBER))

    def _subscript(self, node: ast.Subscript) -> Code:
        items = self.expression(node.value)
        if not isinstance(items.type, Items | Constants):
            raise self.refusal(node, "only lists have places")
        place = self.expression(node.slice)
        number = self.constant_of(place)
        length = items.type.length
        if number is not None and number < 0 and length is not None:
            number += length
            place = Code(str(number))
        if not is_number(place.type) or place.type == FLOAT:
            raise self.refusal(node, "the place of a list is a whole number")
        if number is not None and (number < 0 or (length is not None and number >= length)):
            raise self.refusal(node, f"there is no place {number} in a list of {length}")
        if length is not None:
            place = self.checked_by("within", place, node, length)
        if isinstance(items.type, Constants):
            return Code(f"{items.text}[{place}]", NUMBER, ATOM)
        return self._item(items, items.type, place, number)

    def _item(self, items: Code, type_: Items, place: Code, number: int | None) -> Code:
        """Return an item of a list in memory: a number, or the address of a struct."""
        size = 1 if type_.struct is None else size_of(type_.struct)
        type_of_item = NUMBER if type_.struct is None else Place(type_.struct)
        if number is not None:
            at = items.plus(str(number * size), type_of_item)
        else:
            steps = place.operand(MULTIPLY)
            if type_.struct is not None:
                steps = f"{place.operand(MULTIPLY)} * {self.size(type_.struct)}"
            at = Code(f"{items} + {steps}", type_of_item, ADD)
        return self._read(at) if type_.struct is None else at

    def _read(self, at: Code) -> Code:
        self.use("memory", "M")
        return Code(f"M[{at}]", NUMBER, ATOM)

    # Comparisons and conditions

    def _logical(self, node: ast.BoolOp) -> Code:
        sign, level = ("&&", AND) if isinstance(node.op, ast.And) else ("||", OR)
        values = [self.expression(value) for value in node.values]
        type_: Type | None = values[0].type
        for value in values[1:]:
            type_ = joined(type_, value.type) if type_ is not None else None
        if type_ is None:
            raise self.refusal(node, "`and` and `or` join numbers only")
        return Code(f" {sign} ".join(value.operand(level) for value in values), type_, level)

    def _choice(self, node: ast.IfExp) -> Code:
        test = self.expression(node.test)
        body, other = self.expression(node.body), self.expression(node.orelse)
        type_ = joined(body.type, other.type)
        if type_ is None:
            raise self.refusal(node, "both values of a condition have the same type")
        if type_ != FLAG:
            body, other = self.as_number(body), self.as_number(other)
        text = f"{test.operand(OR)} ? {body.operand(CONDITION)} : {other.operand(CONDITION)}"
        return Code(text, type_, CONDITION)

    def _comparison(self, node: ast.Compare) -> Code:
        left, parts = self.expression(node.left), []
        for operator, right in zip(node.ops, node.comparators, strict=True):
            if isinstance(operator, ast.In | ast.NotIn):
                parts.append(self._among(node, left, isinstance(operator, ast.In), right))
                continue
            value = self.expression(right)
            if isinstance(operator, ast.Is | ast.IsNot):
                parts.append(self._identity(node, left, isinstance(operator, ast.Is), value))
            else:
                parts.append(self._compared(node, left, operator, value))
            if len(node.ops) > 1 and "(" in value.text and right is not node.comparators[-1]:
                raise self.refusal(right, "the middle of a comparison is a name or a number")
            left = value
        if len(parts) == 1:
            return parts[0]
        return Code(" && ".join(part.operand(AND) for part in parts), FLAG, AND)

    def _compared(self, node: ast.AST, left: Code, operator: ast.cmpop, right: Code) -> Code:
        if not is_number(left.type) or not is_number(right.type):
            raise self.refusal(node, "only numbers are compared")
        if left.type != right.type:
            left, right = self.as_number(left), self.as_number(right)
        sign, level = COMPARISONS[type(operator)]
        return Code(f"{left.operand(level)} {sign} {right.operand(level + 1)}", FLAG, level)

    def _identity(self, node: ast.AST, left: Code, same: bool, right: Code) -> Code:
        """Return whether an argument was left out, which is known at translation time."""
        if right.type != NONE:
            raise self.refusal(node, "`is` asks for None only")
        return Code("true" if (left.type == NONE) == same else "false", FLAG)

    def _among(self, node: ast.AST, left: Code, inside: bool, right: ast.expr) -> Code:
        if not isinstance(right, ast.Tuple):
            raise self.refusal(node, "`in` asks for the items of a written tuple")
        first = ""
        if "(" in left.text:
            name = self.temporary()
            self.variables[name] = left.type
            first, left = f"({name} = {left}, ", Code(name, left.type)
        equal = [self._compared(node, left, ast.Eq(), self.expression(item)) for item in right.elts]
        text = " || ".join(one.operand(OR) for one in equal)
        if first:
            return Code(f"{'' if inside else '!'}{first}{text})", FLAG, ATOM)
        return Code(text, FLAG, OR) if inside else Code(f"!({text})", FLAG)
