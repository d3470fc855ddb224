"""Errors of a command line as one sentence."""

from __future__ import annotations

__all__ = ["completed", "mistake"]

import difflib
from collections.abc import Collection, Sequence

from cyclopts import CoercionError, CycloptsError, MissingArgumentError, UnusedCliTokensError

from upcard.core.errors import UpcardError
from upcard.core.text import quoted


def mistake(error: CycloptsError) -> str:
    """Return an error of the parser as a sentence, in our words where the parser's own mention tokens and
    types."""
    if isinstance(error, UnusedCliTokensError):
        return f"too many arguments: {quoted(' '.join(error.unused_tokens or []))}"
    if isinstance(error, MissingArgumentError) and error.argument is not None:
        name = error.argument.name
        return f"{name} needs a value" if name.startswith("-") else f"{name} is missing; see --help"
    if isinstance(error, CoercionError) and error.token is not None and error.target_type is bool:
        return f"{error.token.keyword} is yes or no, not {quoted(error.token.value)}"
    text = " ".join(str(error).split())
    return text[:1].lower() + text[1:].removesuffix(".")


def completed(arguments: Sequence[str], commands: Collection[str]) -> list[str]:
    """Return the words of a command: a game alone means playing it. Any other first word is an error."""
    if not arguments or arguments[0].startswith("-") or arguments[0] in commands:
        return list(arguments)
    from upcard.games import GAMES

    word = arguments[0]
    if word not in GAMES:
        near = difflib.get_close_matches(word, [*commands, *GAMES], n=1)
        advice = f"did you mean {near[0]}?" if near else "see upcard --help"
        raise UpcardError(f"there is no command or game {quoted(word)}; {advice}")
    return ["play", *arguments]
