"""Expressions of words as JavaScript."""

from __future__ import annotations

__all__ = ["Expressions"]

import ast
from types import FunctionType, ModuleType
from typing import Any

from upcard.core.javascript.code import ADD, AND, ATOM, COMMA, COMPARE, CONDITION, EQUAL, MULTIPLY, OR, UNARY
from upcard.core.javascript.words import hints
from upcard.core.javascript.words.calls import Calls
from upcard.core.javascript.words.scope import UNKNOWN, Piece
from upcard.core.javascript.words.values import quoted

SIGNS: dict[type[ast.operator], tuple[str, str, int]] = {
    ast.Add: ("+", "add", ADD),
    ast.Sub: ("-", "minus", ADD),
    ast.Mult: ("*", "times", MULTIPLY),
    ast.BitOr: ("|", "or", 4),
    ast.BitAnd: ("&", "and", 6),
    ast.Pow: ("**", "", MULTIPLY),
    ast.RShift: (">>", "", 9),
    ast.LShift: ("<<", "", 9),
    ast.Div: ("/", "", MULTIPLY),
}
ORDERS: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


class Expressions(Calls):
    """Names, attributes, operators, texts, lists and dictionaries."""

    def expression(self, node: ast.expr) -> Piece:
        """Return an expression in JavaScript."""
        match node:
            case ast.Constant(value=value):
                return Piece(quoted(value), type(value), UNARY if str(value).startswith("-") else ATOM)
            case ast.Name(id=name) if name in self.locals:
                return Piece(self.local(name), self.hints.get(name, Any))
            case ast.Attribute() if self._is_method(node):
                return Piece(f"{self.expression(node.value)}.{node.attr}")
            case ast.Name() | ast.Attribute() if (value := self.value_of(node)) is not UNKNOWN:
                return self._known(node, value)
            case ast.Attribute():
                owner = self.expression(node.value)
                return Piece(f"{owner.within(ATOM)}.{node.attr}", hints.attribute(owner.hint, node.attr))
            case ast.Name(id=name):
                raise self.refusal(node, f"there is nothing called {name}")
            case ast.Subscript():
                return self._subscript(node)
            case ast.BinOp():
                return self.binary(node, self.expression(node.left), node.op, self.expression(node.right))
            case ast.UnaryOp(op=ast.Not()):
                return Piece(f"!{self.truth(self.expression(node.operand)).within(UNARY)}", bool, UNARY)
            case ast.UnaryOp(op=ast.USub()):
                operand = self.expression(node.operand)
                return Piece(f"-{operand.within(UNARY)}", operand.hint, UNARY)
            case ast.BoolOp():
                return self._logical(node)
            case ast.Compare():
                return self._comparison(node)
            case ast.IfExp():
                test = self.truth(self.expression(node.test))
                one, other = self.expression(node.body), self.expression(node.orelse)
                hint = one.hint if one.hint == other.hint else self._either(one.hint, other.hint)
                text = f"{test.within(OR)} ? {one.within(CONDITION)} : {other.within(CONDITION)}"
                return Piece(text, hint, CONDITION)
            case ast.Call():
                return self.call(node)
            case ast.JoinedStr():
                return self._text(node)
            case ast.Tuple(elts=items) | ast.List(elts=items):
                listed = f"[{', '.join(self.items(items))}]"
                kinds = [self.hint_of(one) for one in items if not isinstance(one, ast.Starred)]
                same = len(kinds) == len(items) > 0 and all(one == kinds[0] for one in kinds)
                return Piece(listed, hints.list_of(kinds[0]) if same else list)
            case ast.Set(elts=items):
                return Piece(f"new {self.python('Members')}([{', '.join(self.items(items))}])", set)
            case ast.Dict():
                return self._dictionary(node)
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp():
                return self.comprehension(node)
            case ast.Lambda():
                names = [argument.arg for argument in node.args.args]
                body = self.inside(names, lambda: self.expression(node.body))
                return Piece(f"({', '.join(map(self.local, names))}) => {self._body(body)}", Any, COMMA)
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                found = self.expression(value)
                self.hints[name] = found.hint
                return Piece(f"({self.local(name)} = {found})", found.hint)
        raise self.refusal(node, f"words have no {type(node).__name__}")

    def _is_method(self, node: ast.Attribute) -> bool:
        """Whether an attribute is a method of a class of ours."""
        owner = self.value_of(node.value)
        ours = isinstance(owner, type) and owner.__module__ != "builtins"
        return ours and isinstance(vars(owner).get(node.attr), classmethod | staticmethod | FunctionType)

    @staticmethod
    def _body(body: Piece) -> str:
        return f"({body})" if body.text.startswith("{") else body.within(CONDITION)

    @staticmethod
    def _either(one: Any, other: Any) -> Any:
        if one is Any or other is Any:
            return Any
        try:
            return one | other
        except TypeError:
            return Any

    def _known(self, node: ast.expr, value: Any) -> Piece:
        """Return a name of a Python module."""
        if isinstance(value, ModuleType):
            raise self.refusal(node, f"{ast.unparse(node)} is a module")
        name = node.id if isinstance(node, ast.Name) else ast.unparse(node)
        kind = type[value] if isinstance(value, type) else type(value)
        return Piece(self.module.reference(self, node, value, name), kind)

    def _dictionary(self, node: ast.Dict) -> Piece:
        parts = []
        for key, value in zip(node.keys, node.values, strict=True):
            written = self.argument(self.expression(value))
            if key is None:
                parts.append(f"...{written}")
            elif isinstance(key, ast.Constant) and isinstance(key.value, str):
                parts.append(f"{key.value if key.value.isidentifier() else quoted(key.value)}: {written}")
            else:
                parts.append(f"[{self.expression(key)}]: {written}")
        return Piece(f"{{ {', '.join(parts)} }}" if parts else "{}", dict)

    def _subscript(self, node: ast.Subscript) -> Piece:
        owner = self.expression(node.value)
        if isinstance(node.slice, ast.Slice):
            bounds = [node.slice.lower, node.slice.upper, node.slice.step]
            written = ["null" if bound is None else self.argument(self.expression(bound)) for bound in bounds]
            if written[2] == "null":
                written.pop()
            hint = str if hints.is_text(owner.hint) else owner.hint
            return Piece(f"{self.python('slice')}({owner}, {', '.join(written)})", hint)
        place = self.expression(node.slice)
        hint = hints.item(owner.hint)
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            return Piece(f"{owner.within(ATOM)}[{place}]", hint)
        return Piece(f"{self.python('at')}({owner}, {place})", hint)

    def binary(self, node: ast.AST, left: Piece, operator: ast.operator, right: Piece) -> Piece:
        """Return a binary operation."""
        numbers = hints.is_number(left.hint) and hints.is_number(right.hint)
        if isinstance(operator, ast.FloorDiv):
            return Piece(f"Math.floor({left.within(MULTIPLY)} / {right.within(UNARY)})", int)
        if isinstance(operator, ast.Mod):
            return Piece(f"{self.python('modulo')}({left}, {right})", int)
        if type(operator) not in SIGNS:
            raise self.refusal(node, f"there is no operator {type(operator).__name__} in words")
        sign, name, level = SIGNS[type(operator)]
        texts = sign == "+" and hints.is_text(left.hint) and hints.is_text(right.hint)
        if numbers or texts or not name:
            hint = str if texts else float if sign == "/" else int
            return Piece(f"{left.within(level)} {sign} {right.within(level + 1)}", hint, level)
        return Piece(f"{self.python(name)}({left}, {right})", left.hint)

    def _logical(self, node: ast.BoolOp) -> Piece:
        sign, level = ("&&", AND) if isinstance(node.op, ast.And) else ("||", OR)
        values = [self.expression(value) for value in node.values]
        hint = values[0].hint if all(value.hint == values[0].hint for value in values) else Any
        parts = []
        for value in values[:-1]:
            if hints.truth_is_the_same(value.hint):
                parts.append(value.within(level))
                continue
            if hints.is_flag(values[-1].hint):
                parts.append(self.truth(value).within(level))
                hint = bool
                continue
            # The result may be the value itself, chosen by JavaScript's own truth value.
            name = self.temporary()
            kept = f"{self.python('truth')}({name} = {value})"
            other = Piece(f" {sign} ".join(one.within(level) for one in values[1:]), Any, level)
            if len(values) > 2:
                raise self.refusal(node, "three values that may be lists are joined one after another")
            chosen = (other.within(CONDITION), name) if sign == "&&" else (name, other.within(CONDITION))
            return Piece(f"{kept} ? {chosen[0]} : {chosen[1]}", hint, CONDITION)
        return Piece(f" {sign} ".join([*parts, values[-1].within(level)]), hint, level)

    def _comparison(self, node: ast.Compare) -> Piece:
        left, parts = self.expression(node.left), []
        for number, (operator, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            value = self.expression(right)
            if number < len(node.ops) - 1 and not isinstance(right, ast.Constant | ast.Name):
                name = self.temporary()
                parts.append(self._compared(left, operator, Piece(f"({name} = {value})", value.hint)))
                left = Piece(name, value.hint)
                continue
            parts.append(self._compared(left, operator, value))
            left = value
        if len(parts) == 1:
            return parts[0]
        return Piece(" && ".join(part.within(AND) for part in parts), bool, AND)

    def _compared(self, left: Piece, operator: ast.cmpop, right: Piece) -> Piece:
        if type(operator) in ORDERS:
            sign = ORDERS[type(operator)]
            return Piece(f"{left.within(COMPARE)} {sign} {right.within(COMPARE + 1)}", bool, COMPARE)
        same = isinstance(operator, ast.Eq | ast.Is | ast.In)
        if isinstance(operator, ast.In | ast.NotIn):
            text = f"{self.python('has')}({right}, {left})"
            return Piece(text if same else f"!{text}", bool, ATOM if same else UNARY)
        one, other = hints.classes(left.hint), hints.classes(right.hint)
        plain = one == other and hints.is_plain(left.hint)
        is_none = "null" in (left.text, right.text) or "" in (left.text.strip('"'), right.text.strip('"'))
        if plain or is_none or isinstance(operator, ast.Is | ast.IsNot):
            sign = "===" if same else "!=="
            return Piece(f"{left.within(EQUAL)} {sign} {right.within(EQUAL + 1)}", bool, EQUAL)
        text = f"{self.python('eq')}({left}, {right})"
        return Piece(text if same else f"!{text}", bool, ATOM if same else UNARY)

    def _text(self, node: ast.JoinedStr) -> Piece:
        parts = []
        for value in node.values:
            if isinstance(value, ast.Constant):
                parts.append(
                    quoted(value.value)[1:-1].replace("`", "\\`").replace("${", "\\${").replace('\\"', '"')
                )
                continue
            assert isinstance(value, ast.FormattedValue)
            parts.append(f"${{{self._formatted(node, value)}}}")
        return Piece(f"`{''.join(parts)}`", str)

    def _formatted(self, node: ast.AST, value: ast.FormattedValue) -> str:
        piece = self.expression(value.value)
        if value.conversion == ord("r"):
            text = f"{self.python('repr')}({piece})"
        elif hints.is_text(piece.hint) or hints.is_number(piece.hint):
            text = str(piece)
        else:
            text = f"{self.python('str')}({piece})"
        if value.format_spec is None:
            return text
        written = ast.unparse(value.format_spec)[2:-1]
        if not written.startswith(".") or not written[1:].isdigit():
            raise self.refusal(node, f"words have no format {written}")
        return f"{self.python('slice')}({text}, null, {written[1:]})"
