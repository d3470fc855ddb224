"""Tongues: which language somebody reads, and its words as a browser wants them."""

from __future__ import annotations

__all__ = ["NAMES", "choose", "say", "words_version", "written_words"]

import functools
import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec
from babel import Locale

from upcard.core.words import DEFAULT, Forms, catalogue, languages

# Every language in its own words, which is how whoever looks for it finds it.
NAMES = {
    "de": "Deutsch",
    "en": "English",
    "es": "Español",
    "fr": "Français",
    "it": "Italiano",
    "nl": "Nederlands",
    "pl": "Polski",
    "pt": "Português",
}

# Numbers among which every category of every language occurs that whole numbers have.
SAMPLE = (*range(200), 1_000_000)


def choose(chosen: str | None, accepted: str) -> str:
    """Return the language that was chosen, or the first that a browser (`Accept-Language`) asks for."""
    known = languages()
    if chosen in known:
        return str(chosen)
    for language in _by_preference(accepted):
        if language in known:
            return language
    return DEFAULT


def _by_preference(accepted: str) -> list[str]:
    wanted = []
    for part in accepted[:1000].split(","):
        tag, _, weight = part.partition(";")
        try:
            quality = float(weight.partition("=")[2]) if weight else 1.0
        except ValueError:
            quality = 0.0
        if quality > 0:
            wanted.append((quality, tag.strip().partition("-")[0].lower()))
    return [language for _, language in sorted(wanted, key=lambda pair: -pair[0])]


def say(language: str, code: str, parameters: Mapping[str, Any] | None = None) -> str:
    """Return a sentence; where a language lacks it, in English."""
    for words in (catalogue(language), catalogue()):
        if code in words.sentences:
            return words.fill(code, parameters or {})
    return code


@functools.cache
def written_words(language: str) -> bytes:
    """Return all words of a language as JSON. Sentences that depend on a number have a form for each category
    that `Intl.PluralRules` knows."""
    words = {**catalogue().sentences, **catalogue(language).sentences}
    forms = _forms(language)
    written = {code: _written(said, forms) for code, said in words.items()}
    return msgspec.json.encode({"language": language, "words": written})


def _forms(language: str) -> dict[str, int]:
    """Return which form of the catalogue belongs to which category."""
    category, form_of = Locale.parse(language).plural_form, catalogue(language).form_of
    forms: dict[str, int] = {}
    for number in SAMPLE:
        forms.setdefault(category(number), form_of(number))
    return forms


def _written(said: str | Forms, forms: dict[str, int]) -> str | dict[str, str]:
    if isinstance(said, str):
        return said
    last = len(said.texts) - 1
    texts = {category: said.texts[min(form, last)] for category, form in forms.items()}
    # What is none of these is a number with a fraction.
    return {"number": said.number, "other": said.texts[last], **texts}


@functools.cache
def words_version(language: str) -> str:
    """Return a hash of the words, for their address."""
    return hashlib.sha256(written_words(language)).hexdigest()[:12]
