"""What is wrong with a command line, in one sentence."""

from __future__ import annotations

__all__ = ["check_first_word", "mistake"]

import difflib
from collections.abc import Collection, Sequence

from cyclopts import CoercionError, CycloptsError, MissingArgumentError, UnusedCliTokensError

from upcard.core.errors import UpcardError


def mistake(error: CycloptsError) -> str:
    """Return what the parser found, in our words where its own speak of tokens and types."""
    if isinstance(error, UnusedCliTokensError):
        return f"too many arguments: {' '.join(error.unused_tokens or [])!r}"
    if isinstance(error, MissingArgumentError) and error.argument is not None:
        name = error.argument.name
        return f"{name} needs a value" if name.startswith("-") else f"{name} is missing; see --help"
    if isinstance(error, CoercionError) and error.token is not None and error.target_type is bool:
        return f"{error.token.keyword} is yes or no, not {error.token.value!r}"
    text = " ".join(str(error).split())
    return text[:1].lower() + text[1:].removesuffix(".")


def check_first_word(arguments: Sequence[str], commands: Collection[str]) -> None:
    """Refuse a first word that is no command and no game: it is a slip, not a game to be played."""
    if not arguments or arguments[0].startswith("-") or arguments[0] in commands:
        return
    from upcard.games import GAMES

    word = arguments[0]
    if word not in GAMES:
        near = difflib.get_close_matches(word, [*commands, *GAMES], n=1)
        advice = f"did you mean {near[0]}?" if near else "see upcard --help"
        raise UpcardError(f"there is no command or game {word!r}; {advice}")
