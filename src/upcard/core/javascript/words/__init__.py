"""Words as JavaScript: what is plain Python around the rules.

Notation, JSON, messages and reasons are written with texts, lists, dictionaries and small classes. They
become functions and classes of JavaScript that work on objects; a rule that they call is lent their numbers.
"""

from __future__ import annotations

__all__ = ["Words"]

from upcard.core.javascript.words.package import Words
