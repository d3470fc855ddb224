"""Words: message codes with parameters, and the catalogue that turns them into sentences.

Rules and servers speak in codes; only what faces a person looks up the words. A catalogue is a
TOML file of sentences, one table of codes per game.
"""

from __future__ import annotations

__all__ = ["Message", "Refusal", "Told", "catalogue", "counted", "languages", "sentence"]

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources

from upcard.core.errors import UpcardError
from upcard.core.seats import SPECTATOR

DEFAULT = "en"


@dataclass(frozen=True)
class Message:
    """Something to be said: a code of the catalogue, and what fills its gaps."""

    code: str
    parameters: Mapping[str, str | int] = field(default_factory=dict)

    def text(self, language: str = DEFAULT) -> str:
        """Return the sentence."""
        return sentence(self.code, self.parameters, language)

    def to(self, listener: int) -> Message:
        """Return it in the words for a listener (a seat, or SPECTATOR)."""
        return self


@dataclass(frozen=True)
class Refusal(Message):
    """Why a move is refused, and the clause that forbids it."""

    clause: str = ""

    def text(self, language: str = DEFAULT) -> str:
        text = super().text(language)
        return f"{text} ({self.clause})" if self.clause else text


@dataclass(frozen=True)
class Told(Message):
    """A message about what a seat did, to another one or to nobody in particular."""

    seat: int = SPECTATOR
    other: int = SPECTATOR

    def to(self, listener: int) -> Message:
        """Return it with the code for the one who did it (_you), or to whom it was done (_yours)."""
        if listener == SPECTATOR or listener not in (self.seat, self.other):
            return self
        return Message(self.code + ("_you" if listener == self.seat else "_yours"), self.parameters)


def counted(number: int, thing: str) -> str:
    """Return a number with its noun."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _folder() -> resources.abc.Traversable:
    return resources.files("upcard") / "words"


def languages() -> list[str]:
    """Return the languages there are catalogues for."""
    return sorted(
        path.name.removesuffix(".toml") for path in _folder().iterdir() if path.name.endswith(".toml")
    )


@functools.cache
def catalogue(language: str = DEFAULT) -> dict[str, str]:
    """Return all sentences of a language by their code, `game.code`."""
    if language not in languages():
        known = ", ".join(languages())
        raise UpcardError(f"there are no words in {language!r} yet, only in {known}")
    tables = tomllib.loads((_folder() / f"{language}.toml").read_text("utf-8"))
    return {f"{table}.{code}": text for table, codes in tables.items() for code, text in codes.items()}


def sentence(code: str, parameters: Mapping[str, str | int], language: str = DEFAULT) -> str:
    """Return one sentence with its gaps filled."""
    return catalogue(language)[code].format(**parameters)
