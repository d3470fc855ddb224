"""Words: message codes with parameters, and the catalogues that turn them into sentences.

Rules and servers speak in codes; only what faces a person looks up the words. A catalogue is a gettext file
(`words/*.po`) whose msgids are codes, `game.code`; where a sentence depends on a number, its msgid_plural is
the name of the gap which that number fills.
"""

from __future__ import annotations

__all__ = [
    "DEFAULT",
    "Forms",
    "Message",
    "Refusal",
    "Told",
    "catalogue",
    "counted",
    "languages",
    "sentence",
    "top_first",
]

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from upcard.core.errors import UpcardError
from upcard.core.seats import SPECTATOR
from upcard.core.text import quoted

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
    """Why a move is refused, and the clause that forbids it; none where it is no matter of the rules."""

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


def top_first(cards: Sequence[str], none: str) -> str:
    """Return the cards of a pile as text, the top one first, and those beneath it behind a bar."""
    if not cards:
        return none
    return cards[-1] if len(cards) == 1 else f"{cards[-1]} | {' '.join(reversed(cards[:-1]))}"


# Catalogues


@dataclass(frozen=True)
class Forms:
    """The forms of a sentence that depends on a number, which fills the gap `number`."""

    number: str
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Catalogue:
    """All sentences of a language by their code, and which form of a sentence a number needs."""

    sentences: Mapping[str, str | Forms]
    form_of: Callable[[int], int]

    def gapped(self, code: str) -> str | None:
        """Return a sentence with its gaps, in the form for many; None for an unknown code."""
        found = self.sentences.get(code)
        return found.texts[-1] if isinstance(found, Forms) else found

    def fill(self, code: str, parameters: Mapping[str, Any]) -> str:
        """Return one sentence with its gaps filled."""
        found = self.sentences[code]
        if isinstance(found, Forms):
            found = found.texts[self.form_of(int(parameters[found.number]))]
        return found.format(**parameters)


def _folder() -> resources.abc.Traversable:
    return resources.files("upcard") / "words"


def languages() -> list[str]:
    """Return the languages there are catalogues for."""
    return sorted(path.name.removesuffix(".po") for path in _folder().iterdir() if path.name.endswith(".po"))


@functools.cache
def catalogue(language: str = DEFAULT) -> Catalogue:
    """Return the catalogue of a language."""
    from babel.messages.pofile import read_po

    if language not in languages():
        known = ", ".join(languages())
        raise UpcardError(f"there are no words in {quoted(language)} yet, only in {known}")
    with (_folder() / f"{language}.po").open("rb") as file:
        found = read_po(file, language, abort_invalid=True)
    sentences: dict[str, str | Forms] = {}
    for message in found:
        if isinstance(message.id, str):
            sentences[message.id] = str(message.string)
        else:
            code, number = message.id
            sentences[code] = Forms(number, tuple(message.string or ()))
    del sentences[""]  # the head of the file
    return Catalogue(sentences, _form_of(found.plural_expr))


def _form_of(expression: str) -> Callable[[int], int]:
    """Return the function that a header Plural-Forms describes."""
    from gettext import c2py

    form: Callable[[int], int] = c2py(expression)
    return form


def sentence(code: str, parameters: Mapping[str, Any], language: str = DEFAULT) -> str:
    """Return one sentence with its gaps filled."""
    return catalogue(language).fill(code, parameters)
