"""Keep the translations in step with the English templates: `make words`.

A translation whose English sentence has changed is kept and marked fuzzy. A new sentence is added without a
translation, and a sentence that is gone is removed.
"""

from __future__ import annotations

__all__ = ["folders", "has_differences_only", "read", "update"]

from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

import upcard

SOURCES = Path(upcard.__file__).parent
TEMPLATE = "messages.pot"


def folders() -> list[Path]:
    """Return the folders that have catalogues."""
    return sorted(path.parent for path in SOURCES.rglob(TEMPLATE))


def read(path: Path) -> Catalog:
    """Return the catalogue in a file; for a translation, the name of the file is its language."""
    language = None if path.name == TEMPLATE else path.stem.replace("-", "_")
    with path.open("rb") as file:
        return read_po(file, language, abort_invalid=True)


def has_differences_only(path: Path) -> bool:
    """Whether this is the catalogue of a region (`pt-PT.po`), which has only sentences that differ."""
    return "-" in path.stem


def update(folder: Path) -> None:
    """Update all translations in a folder, and write its template in the same style."""
    template = read(folder / TEMPLATE)
    for path in (folder / TEMPLATE, *sorted(folder.glob("*.po"))):
        _write(path, _updated(template, read(path), has_differences_only(path)))


def _updated(template: Catalog, translation: Catalog, differences: bool) -> Catalog:
    translated = {message.context: message for message in translation}
    catalog = Catalog(translation.locale)
    for message in template:
        if message.context and (message.context in translated or not differences):
            _add(catalog, message, translated.get(message.context), translation.num_plurals)
    return catalog


def _add(catalog: Catalog, message: Message, before: Message | None, plurals: int) -> None:
    """Add a message of the template, with its translation so far."""
    texts = [""] if before is None else _texts(before)
    changed = before is not None and before.id != message.id and any(texts)
    catalog.add(
        message.id,
        tuple(texts[min(form, len(texts) - 1)] for form in range(plurals))
        if message.pluralizable
        else texts[-1],
        auto_comments=message.auto_comments,
        user_comments=_remarks(before) if before else (),
        flags={"fuzzy"} if before and (changed or before.fuzzy) else (),
        context=message.context,
    )


def _texts(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or [""])


def _remarks(message: Message) -> list[str]:
    """Return the translators' comments. Babel takes an earlier sentence (`#| msgid`) for one of them."""
    return [comment for comment in message.user_comments if not comment.startswith("|")]


def _write(path: Path, catalog: Catalog) -> None:
    """Write the messages of a catalogue below the header that the file has."""
    header = path.read_text("utf-8").partition("\n\n")[0]
    with path.open("wb") as file:
        file.write(f"{header}\n\n".encode())
        write_po(file, catalog, width=0, omit_header=True)


if __name__ == "__main__":
    for each in folders():
        update(each)
