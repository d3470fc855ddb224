"""Words: message codes with parameters, and the catalogue that turns them into sentences.

Rules and servers speak in codes; only what faces a person looks up the words. A catalogue is a
TOML file of sentences, one table of codes per game.
"""

from __future__ import annotations

__all__ = ["Message", "Refusal", "catalogue", "languages", "sentence"]

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources

from upcard.core.errors import UpcardError

DEFAULT = "en"


@dataclass(frozen=True)
class Message:
    """Something to be said: a code of the catalogue, and what fills its gaps."""

    code: str
    parameters: Mapping[str, str | int] = field(default_factory=dict)

    def text(self, language: str = DEFAULT, to_you: bool = False) -> str:
        """Return the sentence; `to_you`, in the words for the one it is about, where there are some."""
        code = f"{self.code}_you" if to_you and f"{self.code}_you" in catalogue(language) else self.code
        return sentence(code, self.parameters, language)


@dataclass(frozen=True)
class Refusal(Message):
    """Why a move is refused, and the clause that forbids it."""

    clause: str = ""

    def text(self, language: str = DEFAULT, to_you: bool = False) -> str:
        return f"{super().text(language, to_you)} ({self.clause})"


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
