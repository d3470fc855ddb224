"""The root of the errors that Upcard raises. Every layer may need it, so it lies below all of them; the other
errors are in `core/errors.py`."""

from __future__ import annotations

__all__ = ["UpcardError"]


class UpcardError(Exception):
    """The text of every one of these is a sentence for a person."""
