"""Statements of rules as JavaScript, with the comments above them."""

from __future__ import annotations

__all__ = ["Statements"]

import ast
from collections.abc import Iterable

from upcard.core.javascript.code import ATOM, Code
from upcard.core.javascript.expressions import Expressions
from upcard.core.javascript.types import FLAG, FLOAT, NONE, NUMBER, Number, Several, Type, joined

INDENT = "  "


class Statements(Expressions):
    """Blocks of statements."""

    def block(self, statements: Iterable[ast.stmt], depth: int) -> str:
        """Return statements, indented."""
        lines = []
        for statement in statements:
            lines += self._comments(statement)
            lines += self._statement(statement)
        return "".join(f"{INDENT * depth}{line}\n" for line in lines)

    def _inner(self, statements: list[ast.stmt]) -> list[str]:
        return self.block(statements, 1).splitlines()

    def _comments(self, statement: ast.stmt) -> list[str]:
        """Return the comments on the lines above a statement."""
        comments: list[str] = []
        line = statement.lineno - 2
        while line > 0 and self.lines[line].lstrip().startswith("#"):
            comments.insert(0, "//" + self.lines[line].lstrip().removeprefix("#"))
            line -= 1
        return comments

    def _statement(self, node: ast.stmt) -> list[str]:
        match node:
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                return []
            case ast.Expr(value=ast.Call() as value):
                return [f"{self.called(value)};"]
            case ast.Return():
                return self._return(node)
            case ast.Assign(targets=[target], value=value):
                return self._assigned(node, target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                return self._assigned(node, target, value)
            case ast.AugAssign():
                return self._augmented(node)
            case ast.If():
                return self._if(node)
            case ast.While(orelse=[]):
                test = self.expression(node.test)
                return [f"while ({test}) {{", *self._inner(node.body), "}"]
            case ast.For(orelse=[]):
                return self._for(node)
            case ast.Break():
                return ["break;"]
            case ast.Continue():
                return ["continue;"]
        raise self.refusal(node, f"rules have no {type(node).__name__}")

    def _return(self, node: ast.Return) -> list[str]:
        if node.value is None:
            self._returns(node, NONE)
            return ["return;"]
        if isinstance(node.value, ast.Tuple):
            return self._return_several(node, node.value.elts)
        value = self.expression(node.value)
        self._returns(node, value.type)
        if self.returns != FLAG:
            value = self.as_number(value)
        return [f"return {value};"]

    def _return_several(self, node: ast.Return, values: list[ast.expr]) -> list[str]:
        self._returns(node, Several(len(values)))
        names = [self.temporary() for _ in values]
        for name in names:
            self.variables[name] = NUMBER
        written = [f"{name} = {self.expression(value)};" for name, value in zip(names, values, strict=True)]
        self.use("memory", "RETURNED")
        return [*written, *(f"RETURNED[{place}] = {name};" for place, name in enumerate(names)), "return;"]

    def _returns(self, node: ast.AST, type_: Type) -> None:
        both = type_ if self.returns is None else joined(self.returns, type_)
        if both is None:
            raise self.refusal(node, f"it returns once {self.returns} and once {type_}")
        self.returns = both

    # Assignments

    def _assigned(self, node: ast.stmt, target: ast.expr, value: ast.expr) -> list[str]:
        if isinstance(target, ast.Tuple):
            return self._several_assigned(node, target.elts, value)
        return [self._stored(node, target, self.expression(value))]

    def _stored(self, node: ast.stmt, target: ast.expr, value: Code) -> str:
        """Return an assignment to a variable, or to a number in memory."""
        if isinstance(value.type, Several) or value.type == NONE:
            raise self.refusal(node, "there is no value, or more than one")
        if isinstance(target, ast.Name):
            self.assign_type(node, target.id, value.type)
            if self.variables[target.id] != FLAG:
                value = self.as_number(value)
            declared = "let " if self.declarations.declares(node, target.id) else ""
            return f"{declared}{self.local(target.id)} = {value};"
        return f"{self._memory(target)} = {self._fitting(node, value)};"

    def _memory(self, target: ast.expr) -> Code:
        place = self.expression(target)
        if not place.text.startswith("M[") or place.level != ATOM:
            raise self.refusal(target, "only numbers are assigned; a struct is copied by `assign`")
        return place

    def _fitting(self, node: ast.AST, value: Code) -> Code:
        if not isinstance(value.type, Number) and value.type != FLAG:
            raise self.refusal(node, "fields are whole numbers")
        return value if value.type == FLAG else self.checked_by("fit", value, node)

    def _several_assigned(self, node: ast.stmt, targets: list[ast.expr], value: ast.expr) -> list[str]:
        if not isinstance(value, ast.Tuple):
            found = self.expression(value)
            if not isinstance(found.type, Several) or found.type.count != len(targets):
                raise self.refusal(node, f"there are not {len(targets)} values")
            numbers = self.returned(found.type)
            pairs = zip(targets, numbers, strict=True)
            return [f"{found};", *(self._stored(node, target, number) for target, number in pairs)]
        if len(value.elts) != len(targets):
            raise self.refusal(node, f"there are not {len(targets)} values")
        values = [self.expression(one) for one in value.elts]
        if self._are_apart(targets, value.elts):
            return [self._stored(node, target, one) for target, one in zip(targets, values, strict=True)]
        names = [self.temporary() for _ in values]
        lines = []
        for name, one in zip(names, values, strict=True):
            self.variables[name] = one.type
            lines.append(f"{name} = {one};")
        held = [Code(name, one.type) for name, one in zip(names, values, strict=True)]
        return lines + [self._stored(node, target, one) for target, one in zip(targets, held, strict=True)]

    @staticmethod
    def _are_apart(targets: list[ast.expr], values: list[ast.expr]) -> bool:
        """Whether variables can be assigned one after another, because no value depends on an earlier one."""
        names = {target.id for target in targets if isinstance(target, ast.Name)}
        read = {name.id for value in values for name in ast.walk(value) if isinstance(name, ast.Name)}
        return len(names) == len(targets) and not names & read

    def _augmented(self, node: ast.AugAssign) -> list[str]:
        old = self.expression(node.target)
        value = self.expression(node.value)
        new = self.binary(node, old, node.op, value)
        if isinstance(node.target, ast.Name):
            self.assign_type(node, node.target.id, new.type)
        elif "(" in old.text and not self.program.checked:
            raise self.refusal(node, "a place that is changed is named by names and numbers")
        else:
            new = self._fitting(node, new)
        sign = {ast.Add: "+", ast.Sub: "-", ast.BitOr: "|", ast.BitAnd: "&", ast.BitXor: "^"}.get(
            type(node.op)
        )
        plain = not self.program.checked and sign is not None and value.type in (NUMBER, FLAG, FLOAT)
        if plain and (isinstance(node.op, ast.Add | ast.Sub) or old.type == NUMBER):
            return [f"{old} {sign}= {self.as_number(value)};"]
        return [f"{old} = {new};"]

    # Conditions and loops

    def _if(self, node: ast.If) -> list[str]:
        test = self.expression(node.test)
        if test.text in ("true", "false"):
            chosen = node.body if test.text == "true" else node.orelse
            return self.block(chosen, 0).splitlines()
        lines = [f"if ({test}) {{", *self._inner(node.body)]
        if not node.orelse:
            return [*lines, "}"]
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            first, *rest = [*self._comments(node.orelse[0]), *self._statement(node.orelse[0])]
            if first.startswith("if ("):
                return [*lines, f"}} else {first}", *rest]
        return [*lines, "} else {", *self._inner(node.orelse), "}"]

    def _for(self, node: ast.For) -> list[str]:
        call = node.iter
        is_range = isinstance(call, ast.Call) and self.global_value(call.func) is range
        if not isinstance(call, ast.Call) or not is_range or not isinstance(node.target, ast.Name):
            raise self.refusal(node, "rules count with `for name in range(...)`")
        values = [self.expression(one) for one in call.args]
        begin, end = (Code("0"), values[0]) if len(values) == 1 else (values[0], values[1])
        step = self.constant_of(values[2]) if len(values) == 3 else 1
        if not step:
            raise self.refusal(node, "the step of a range is a constant")
        name = node.target.id
        if _changes(node, name):
            raise self.refusal(node, f"{name} counts a loop, so nothing else can be assigned to it")
        counter = self.temporary() if name == "_" else self.local(name)
        self.variables[counter if name == "_" else name] = NUMBER
        inside = name == "_" or self.declarations.declares(node, name)
        if inside:
            self.in_heads.add(counter)
        last = call.args[min(1, len(call.args) - 1)]
        is_fixed = isinstance(last, ast.Name) and not _changes(node, last.id)
        bound, before = (str(end), "") if is_fixed else self._bound(end, inside)
        sign = "<" if step > 0 else ">"
        change = {1: f"{counter}++", -1: f"{counter}--"}.get(step, f"{counter} += {step}")
        begins = f"{'let ' if inside else ''}{counter} = {begin}{before}"
        return [f"for ({begins}; {counter} {sign} {bound}; {change}) {{", *self._inner(node.body), "}"]

    def _bound(self, end: Code, inside: bool) -> tuple[str, str]:
        """Return the end of a range, which is computed once, and the statements for it before the loop."""
        if self.constant_of(end) is not None:
            return str(end), ""
        name = self.temporary()
        self.variables[name] = NUMBER
        if inside:
            self.in_heads.add(name)
        return name, f", {name} = {end}"


def _changes(loop: ast.For, name: str) -> bool:
    """Whether a variable is assigned within a loop."""
    inside = [part for statement in loop.body for part in ast.walk(statement) if isinstance(part, ast.Name)]
    return any(part.id == name and isinstance(part.ctx, ast.Store) for part in inside)
