"""The language of a reader, and its sentences in the format for browsers."""

from __future__ import annotations

__all__ = ["NAMES", "choose", "say", "words_json", "words_version"]

import functools
import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec
from babel import Locale

from upcard.games import all_games
from upcard.i18n import DEFAULT, Catalogue, Forms, catalogue, find_language, languages

# The name of every language in that language, as readers look for it.
NAMES = {
    "de": "Deutsch",
    "en": "English",
    "es": "Español",
    "fr": "Français",
    "it": "Italiano",
    "nl": "Nederlands",
    "pl": "Polski",
    "pt": "Português BR",
    "pt-PT": "Português PT",
}

# Whole numbers in which every plural category of every language occurs.
SAMPLE = (*range(200), 1_000_000)


def choose(chosen: str | None, accepted: str) -> str:
    """Return the chosen language, or the first one that a browser asks for (`Accept-Language`)."""
    if chosen in languages():
        return str(chosen)
    found = (find_language(tag) for tag in _by_preference(accepted))
    return next((language for language in found if language), DEFAULT)


def _by_preference(accepted: str) -> list[str]:
    wanted = []
    for part in accepted[:1000].split(","):
        tag, _, weight = part.partition(";")
        try:
            quality = float(weight.partition("=")[2]) if weight else 1.0
        except ValueError:
            quality = 0.0
        if quality > 0:
            wanted.append((quality, tag.strip()))
    return [tag for _, tag in sorted(wanted, key=lambda pair: -pair[0])]


def say(language: str, code: str, parameters: Mapping[str, Any] | None = None) -> str:
    """Return a sentence, or its code if there is no such sentence.

    Notation in its parameters has a name of its own where the catalogue has one (`web.named_pile_R1`), as in
    the browser.
    """
    words = _words(language)
    if code not in words.sentences:
        return code
    shown = {
        gap: words.sentences.get(f"web.named_{gap}_{value}", value)
        for gap, value in (parameters or {}).items()
    }
    return words.fill(code, shown)


@functools.cache
def _words(language: str) -> Catalogue:
    """Return the sentences of a language about all games."""
    all_games()
    return catalogue(language)


@functools.cache
def words_json(language: str) -> bytes:
    """Return all sentences of a language as JSON. Sentences that depend on a number have a form for each
    category that `Intl.PluralRules` knows."""
    category = Locale.parse(language, sep="-").plural_form
    numbers = {category(number): number for number in SAMPLE}
    written = {code: _written(said, numbers) for code, said in _words(language).sentences.items()}
    return msgspec.json.encode({"language": language, "words": written})


def _written(said: str | Forms, numbers: dict[str, int]) -> str | dict[str, str]:
    """Return a sentence, or its form for each category, given a number of each."""
    if isinstance(said, str):
        return said
    texts = {category: said.text(number) for category, number in numbers.items()}
    # Numbers with a fraction may have a category of their own, which whole numbers never have.
    return {"number": said.number, "other": said.text(SAMPLE[-1]), **texts}


@functools.cache
def words_version(language: str) -> str:
    """Return a hash of the words, for their address."""
    return hashlib.sha256(words_json(language)).hexdigest()[:12]
