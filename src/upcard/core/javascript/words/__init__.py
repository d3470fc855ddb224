"""Words as JavaScript: the plain Python code around the rules.

Notation, JSON, messages and reasons use texts, lists, dictionaries and small classes. They become JavaScript
functions and classes that work on objects; when they call a rule, they lend it their numbers.
"""

from __future__ import annotations

__all__ = ["Words"]

from upcard.core.javascript.words.package import Words
