"""What a push message says: which game, that it is the reader's turn, and where the table is. Nothing else
about the table is known here, so there is never a card in a message."""

from __future__ import annotations

__all__ = ["CODE", "write_message"]

import msgspec

from upcard.games import all_games, find
from upcard.i18n import DEFAULT, catalogue, find_language

# The code of the sentence.
CODE = "web.house_your_turn"


def write_message(game: str, table: str, language: str) -> bytes:
    """Return the message that a service worker shows, in the language of its reader."""
    all_games()  # adds their words
    language = find_language(language) or DEFAULT
    words = catalogue(language)
    named = f"web.house_game_{game}"
    title = words.fill(named, {}) if named in words.sentences else find(game).title
    message = {
        "code": CODE,
        "title": title,
        "body": words.fill(CODE, {}),
        "language": language,
        "table": table,
        "url": f"t/{table}",
    }
    return msgspec.json.encode(message)
