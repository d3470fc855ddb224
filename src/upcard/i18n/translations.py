"""Translations: the sentences of every language, by their codes, from catalogues.

They are standard gettext files: a folder has a template, `messages.pot`, and a translation for each language,
such as `fr.po`. The context (msgctxt) of a message is its code, and its msgid the English sentence. For a
sentence that depends on a number, the comment `number: NAME` in the template names the gap for that number. A
sentence without a translation, or with a fuzzy one, is given in English.

The language of a region, such as `pt-PT`, is a catalogue of differences: a sentence that it lacks is taken
from the language without the region.
"""

from __future__ import annotations

__all__ = [
    "DEFAULT",
    "Catalogue",
    "Forms",
    "UnknownLanguage",
    "add_catalogues",
    "catalogue",
    "fallbacks",
    "find_language",
    "languages",
]

import functools
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from upcard.errors import UpcardError

if TYPE_CHECKING:
    from gettext import NullTranslations
    from importlib.resources.abc import Traversable

    from babel.messages.catalog import Catalog
    from babel.messages.catalog import Message as PoMessage

DEFAULT = "en"
TEMPLATE = "messages.pot"
NUMBER = "number: "

# The locations of catalogues: packages, and the folder in each. The shared catalogue comes first.
_folders = {"upcard.i18n": "catalogues"}


class UnknownLanguage(UpcardError, LookupError):
    """There are no catalogues in that language."""


@dataclass(frozen=True)
class Forms:
    """A sentence that depends on a number: the gap for the number, and the text for each plural form."""

    number: str
    text: Callable[[int], str]


@dataclass(frozen=True)
class Catalogue:
    """The sentences of a language by their codes."""

    sentences: Mapping[str, str | Forms]

    def gapped(self, code: str) -> str | None:
        """Return a sentence with its gaps, in its form for two; None for an unknown code."""
        found = self.sentences.get(code)
        return found.text(2) if isinstance(found, Forms) else found

    def fill(self, code: str, parameters: Mapping[str, Any]) -> str:
        """Return a sentence with its gaps filled."""
        found = self.sentences[code]
        text = found.text(int(parameters[found.number])) if isinstance(found, Forms) else found
        return text.format(**parameters)


def add_catalogues(package: str) -> None:
    """Add the catalogues in the folder `words` of a package. They are read when a sentence is needed."""
    if package not in _folders:
        _folders[package] = "words"
        catalogue.cache_clear()


@functools.cache
def languages() -> list[str]:
    """Return the languages of the interface."""
    names = [path.name for path in _folder("upcard.i18n").iterdir()]
    return sorted([DEFAULT, *(name.removesuffix(".po") for name in names if name.endswith(".po"))])


def find_language(tag: str) -> str | None:
    """Return the language of the interface for a language tag: for `fr-CH`, French."""
    by_tag = {language.lower(): language for language in languages()}
    tag = tag.lower().replace("_", "-")
    return by_tag.get(tag) or by_tag.get(tag.partition("-")[0])


def fallbacks(language: str) -> list[str]:
    """Return the languages in which a text is looked up, in order, such as `pt-PT`, `pt`, English."""
    return list(dict.fromkeys([language, language.partition("-")[0], DEFAULT]))


@functools.cache
def catalogue(language: str = DEFAULT) -> Catalogue:
    """Return all sentences in a language: those that all games share, and those of the games added so far."""
    if language not in languages():
        known = ", ".join(languages())
        raise UnknownLanguage(f"there are no words in {language[:40]!r} yet, only in {known}")
    sentences: dict[str, str | Forms] = {}
    for package in list(_folders):
        sentences |= _read(package, language)
    return Catalogue(sentences)


@functools.cache
def _read(package: str, language: str) -> dict[str, str | Forms]:
    """Return the sentences of one folder."""
    template = _folder(package) / TEMPLATE
    if not template.is_file():
        return {}
    translations = _translations(_folder(package), language)
    messages = [message for message in _parse(template) if message.context]
    return {str(message.context): _sentence(message, translations) for message in messages}


def _sentence(message: PoMessage, translations: NullTranslations) -> str | Forms:
    """Return the translation of a message of a template."""
    code = str(message.context)
    if isinstance(message.id, str):
        return translations.pgettext(code, message.id)
    number = next(line for line in message.auto_comments if line.startswith(NUMBER))
    return Forms(number.removeprefix(NUMBER), functools.partial(translations.npgettext, code, *message.id))


def _translations(folder: Traversable, language: str) -> NullTranslations:
    """Return the translations in a folder, with those that they fall back to; English has none."""
    from gettext import NullTranslations

    found = NullTranslations()
    for name in reversed(fallbacks(language)):
        path = folder / f"{name}.po"
        if path.is_file():
            translations = _compiled(path, name)
            translations.add_fallback(found)
            found = translations
    return found


def _compiled(path: Traversable, language: str) -> NullTranslations:
    from gettext import GNUTranslations

    from babel.messages.mofile import write_mo

    compiled = io.BytesIO()
    write_mo(compiled, _parse(path, language.replace("-", "_")))
    compiled.seek(0)
    return GNUTranslations(compiled)


def _parse(path: Traversable, language: str | None = None) -> Catalog:
    from babel.messages.pofile import read_po

    with path.open("rb") as file:
        return read_po(file, language, abort_invalid=True)


def _folder(package: str) -> Traversable:
    from importlib import resources

    return resources.files(package) / _folders[package]
