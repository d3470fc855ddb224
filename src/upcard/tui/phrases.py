"""The sentences of the terminal, from the shared catalogue."""

from __future__ import annotations

__all__ = ["help_text", "phrase"]

from collections.abc import Mapping

from upcard.i18n import sentence

# The width of the column of commands in the help.
COLUMN = 8


def phrase(code: str, /, **parameters: str | int) -> str:
    """Return a sentence of the catalogue, with its gaps filled."""
    return sentence(code, parameters)


def help_text(commands: Mapping[str, str]) -> str:
    """Return the help: what can be typed at any time, given each command and what it does."""
    column = max(COLUMN, *(len(command) + 2 for command in commands))
    lines = [f"  {command:<{column}}{meaning}" for command, meaning in commands.items()]
    return "\n".join([phrase("terminal.help"), *lines])
