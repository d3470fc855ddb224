"""docs/observations.md, generated from the layouts of the encodings."""

from __future__ import annotations

__all__ = ["observations_page"]

from collections.abc import Iterator

from upcard.core.layout import Layout
from upcard.rl.encodings import Encoding, all_encodings

HEAD = """\
# Observations and actions

*Written by `make pages` from the layouts in the code; a test compares.*

What a seat knows, as numbers, for training agents. An observation is an array of bytes (`uint8`) with the
same size at every table of a game. It contains everything that the seat knows and that can matter, and
nothing that it does not know. Two tables that look the same to a seat give the same observation. Two tables
that differ in what the seat knows, and in what can still happen, give different observations.

- Seats are counted from the observer: `s` = 0 is you, 1 is the player to your left, and so on. The
  observation does not contain your seat's number, so one policy can play every seat. Numbers of empty seats
  are zero.
- "131 + 124·s" is the number 131 for you, 255 for the player to your left, and so on.
- *maximum* is the highest value of a number: dividing by it (`encoding_of(game).observation.high`) gives
  values from 0 to 1.
- Some numbers could be derived from others (unseen cards, points); they are included because players count
  them too. Deeply buried cards come last, so that you can cut them off.
- Actions are numbers too, relative to the seat that is to move. A mask shows the legal ones, so agents do not
  have to learn them from refusals.
- The layout of a version never changes. A different layout will be a new version next to this one.
"""


def observations_page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *(line for encoding in all_encodings() for line in _section(encoding))])


def _section(encoding: Encoding) -> Iterator[str]:
    yield f"## {encoding.game.title}, version {encoding.version}"
    yield ""
    yield f"An observation has {encoding.size} numbers."
    yield ""
    yield from _table(encoding.observation, "number")
    yield ""
    yield f"There are {encoding.action_count} actions."
    yield ""
    yield from _table(encoding.actions, "action")
    yield ""


def _table(layout: Layout, what: str) -> Iterator[str]:
    bounded = what == "number"
    yield f"| {what} | name |{' maximum |' if bounded else ''} meaning |"
    yield f"|---|---|{'---|' if bounded else ''}---|"
    for entry in layout.segments:
        most = f" {entry.maximum} |" if bounded else ""
        yield f"| {entry.places} | {entry.name} |{most} {entry.about} |"
