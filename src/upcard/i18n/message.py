"""Messages: a code of the catalogue with its parameters."""

from __future__ import annotations

__all__ = ["Message", "sentence"]

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from upcard.i18n.translations import DEFAULT, catalogue


@dataclass(frozen=True)
class Message:
    """A code of the catalogue, and the values of the gaps in its sentence."""

    code: str
    parameters: Mapping[str, str | int] = field(default_factory=dict)

    def text(self, language: str = DEFAULT) -> str:
        """Return the sentence."""
        return sentence(self.code, self.parameters, language)

    def to(self, listener: int) -> Message:
        """Return the message for one listener. Most messages are the same for everyone."""
        return self


def sentence(code: str, parameters: Mapping[str, Any], language: str = DEFAULT) -> str:
    """Return the sentence of a code, with its gaps filled."""
    return catalogue(language).fill(code, parameters)
