"""Rules as JavaScript: the third way to run them, in any browser.

The same functions that run plain and compiled are written as modules of JavaScript that work on one
`Int32Array`: a struct is the place where it begins, and a field is an offset from there.
"""

from __future__ import annotations

__all__ = ["Program", "TranslationError", "write"]

from upcard.core.javascript.errors import TranslationError
from upcard.core.javascript.program import Program
from upcard.core.javascript.writer import write
