"""docs/observations.md, written from the layouts: `python -m upcard.rl.page > docs/observations.md`."""

from __future__ import annotations

__all__ = ["observations_page"]

from collections.abc import Iterator

from upcard.rl.encodings import Encoding, all_encodings
from upcard.rl.layout import Layout

HEAD = """\
# Observations and actions

*Written by `python -m upcard.rl.page > docs/observations.md` from the code that makes them; a test compares.*

What a seat knows, as numbers, for whoever trains an agent. An observation is an array of bytes (`uint8`), of
the same size at every table of a game: all that the seat knows and that can matter, and nothing that it does
not know. Two tables that look the same to a seat give the same observation; two that differ in what it knows,
and in what can still happen, give different ones.

- Seats are counted from the one that looks: `s` = 0 is you, 1 the player to your left, and so on. Nothing
  says which chair you sit on, so that one policy can play them all. Where nobody sits, all is zero.
- "131 + 124·s" is the number 131 for you, 255 for the player to your left, and so on.
- *most* is how high a number can be: dividing by it (`encoding_of(game).observation.high`) gives numbers from
  0 to 1.
- What can be derived is sometimes there as well (unseen cards, points), since it is what players count. What
  lies deep comes last and in full, so that whoever has no use for it can cut it off.
- Actions are numbers too, seen from the seat that is to move. A mask says which are legal: nobody need learn
  the rules from being refused.
- A layout belongs to its version for good. Another layout will be another version, beside this one.
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
    yield f"| {what} | name |{' most |' if bounded else ''} meaning |"
    yield f"|---|---|{'---|' if bounded else ''}---|"
    for entry in layout.entries:
        most = f" {entry.most} |" if bounded else ""
        yield f"| {entry.places} | {entry.name} |{most} {entry.about} |"


if __name__ == "__main__":
    print(observations_page(), end="")
