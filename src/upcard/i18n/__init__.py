"""Internationalization: message codes with parameters, and the catalogues that turn them into sentences.

Rules and servers use codes; only a program that talks to a person needs sentences. The catalogues of this
package contain the sentences that all games share, and every game brings its own.
"""

from __future__ import annotations

__all__ = [
    "DEFAULT",
    "Catalogue",
    "Forms",
    "Message",
    "UnknownLanguage",
    "add_catalogues",
    "catalogue",
    "fallbacks",
    "find_language",
    "languages",
    "sentence",
]

from upcard.i18n.message import Message, sentence
from upcard.i18n.translations import (
    DEFAULT,
    Catalogue,
    Forms,
    UnknownLanguage,
    add_catalogues,
    catalogue,
    fallbacks,
    find_language,
    languages,
)
