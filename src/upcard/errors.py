"""The base of all errors that Upcard raises. Every layer may need it, so it is below all of them; the other
errors are in `core/errors.py`."""

from __future__ import annotations

__all__ = ["UpcardError"]


class UpcardError(Exception):
    """The message of each of these is a sentence for people."""
