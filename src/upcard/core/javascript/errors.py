"""Errors of translation, with their location."""

from __future__ import annotations

__all__ = ["TranslationError"]

import ast
from pathlib import Path

from upcard.core.errors import UpcardError


class TranslationError(UpcardError, TypeError):
    """A function contains code without a translation into JavaScript."""

    def __init__(self, file: str, line: int, reason: str) -> None:
        super().__init__(f"{Path(file).name}:{line}: {reason}")
        self.file = file
        self.line = line
        self.reason = reason

    @classmethod
    def at(cls, file: str, first_line: int, node: ast.AST, reason: str) -> TranslationError:
        """Return the error for a part of a function that begins on line `first_line` of a file."""
        return cls(file, first_line + getattr(node, "lineno", 1) - 1, reason)
