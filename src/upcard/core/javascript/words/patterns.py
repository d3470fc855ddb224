"""`match` in words: conditions one after another, which assign what they match to variables."""

from __future__ import annotations

__all__ = ["Patterns"]

import ast
from typing import Any

from upcard.core.javascript.code import OR
from upcard.core.javascript.words import hints
from upcard.core.javascript.words.calls import NAMES
from upcard.core.javascript.words.expressions import Expressions
from upcard.core.javascript.words.scope import Piece


class Patterns(Expressions):
    """Patterns as conditions."""

    def condition(self, pattern: ast.pattern, subject: Piece) -> list[str]:
        """Return the conditions under which a value matches a pattern. They also assign the variables."""
        match pattern:
            case ast.MatchAs(pattern=None, name=None):
                return []
            case ast.MatchAs(pattern=inner, name=str() as name):
                found = self.condition(inner, subject) if inner else []
                self.hints[name] = subject.hint
                return [*found, f"(({self.local(name)} = {subject}), true)"]
            case ast.MatchValue(value=value):
                return [str(self._compared(subject, ast.Eq(), self.expression(value)))]
            case ast.MatchSingleton(value=value):
                return [f"{subject} === {'null' if value is None else str(value).lower()}"]
            case ast.MatchOr(patterns=patterns):
                parts = [" && ".join(self.condition(one, subject)) for one in patterns]
                return [f"({' || '.join(Piece(part, Any, OR + 1).within(OR) for part in parts)})"]
            case ast.MatchClass():
                return self._class(pattern, subject)
            case ast.MatchSequence(patterns=patterns):
                return self._sequence(patterns, subject)
        raise self.refusal(pattern, f"words have no pattern {type(pattern).__name__}")

    def _class(self, pattern: ast.MatchClass, subject: Piece) -> list[str]:
        kind = self.value_of(pattern.cls)
        written = NAMES.get(kind) or str(self.expression(pattern.cls))
        is_known = hints.classes(subject.hint) == {kind}
        found = [] if is_known else [f"{self.python('isinstance')}({subject}, {written})"]
        for name, inner in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
            part = Piece(f"{subject}.{name}", hints.attribute(kind, name))
            found += self.condition(inner, part)
        if pattern.patterns:
            raise self.refusal(pattern, "the attributes in a pattern are named")
        return found

    def _sequence(self, patterns: list[ast.pattern], subject: Piece) -> list[str]:
        starred = [number for number, one in enumerate(patterns) if isinstance(one, ast.MatchStar)]
        if not starred:
            found = [f"{subject}.length === {len(patterns)}"]
        else:
            found = [f"{subject}.length >= {len(patterns) - 1}"]
            if starred[0] != len(patterns) - 1:
                raise self.refusal(patterns[starred[0]], "only the last part of a pattern takes the rest")
        item = hints.item(subject.hint)
        for number, inner in enumerate(patterns):
            if isinstance(inner, ast.MatchStar):
                if inner.name is not None:
                    self.hints[inner.name] = subject.hint
                    found.append(f"(({self.local(inner.name)} = {subject}.slice({number})), true)")
                continue
            found += self.condition(inner, Piece(f"{subject}[{number}]", item))
        return found
