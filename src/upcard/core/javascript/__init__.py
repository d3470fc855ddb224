"""Rules as JavaScript: the third way to run them, in any browser.

The functions that run plain and compiled are also translated into JavaScript modules that work on one
`Int32Array`: a struct is an address, and a field is an offset from it.
"""

from __future__ import annotations

__all__ = ["Program", "TranslationError", "write"]

from upcard.core.javascript.errors import TranslationError
from upcard.core.javascript.program import Program
from upcard.core.javascript.writer import write
