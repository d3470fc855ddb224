"""Errors of a running node. The HTTP interface translates them into problems (`http/problems.py`)."""

from __future__ import annotations

__all__ = ["NoSuchTable", "ShuttingDown", "TooManyStreams"]

from upcard.core.errors import UpcardError


class NoSuchTable(UpcardError):
    """The database has no table with this id."""


class TooManyStreams(UpcardError):
    """A client has more event streams open than one client may."""


class ShuttingDown(UpcardError):
    """The node accepts no new work. Another node does, or this one after its restart."""
