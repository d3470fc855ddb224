"""Bots by name: `greedy`, `search@200ms`, `search:threads=2@5000`."""

from __future__ import annotations

__all__ = ["GROUP", "Entrant", "find", "known", "parse", "take_apart"]

import functools
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from upcard.bots.bot import Bot, Budget, Maker
from upcard.bots.levels import LEVELS
from upcard.bots.search import Search
from upcard.bots.simple import Greedy, Random
from upcard.core.errors import ArgumentError, NotFound, UpcardError, one_line
from upcard.core.text import quoted

# Other packages add bots by entry points of this group.
GROUP = "upcard.bots"


def _net(seed: bytes, options: str) -> Bot:
    """Create a neural network bot. NumPy is imported only now, because a plain table does not need it."""
    from upcard.bots.net import Net

    return Net(seed, options)


BOTS: dict[str, tuple[Maker, Budget]] = {
    "random": (Random, Budget()),
    "greedy": (Greedy, Budget()),
    "search": (Search, Budget()),
    "net": (_net, Budget()),
    **LEVELS,
}
CHEATS = {"clairvoyant": "clairvoyant is shown every card, so it plays in tournaments of the lab only"}


@dataclass(frozen=True)
class Entrant:
    """A kind of bot with its options and its budget, parsed from a text."""

    text: str
    maker: Maker
    options: str
    budget: Budget

    def make(self, seed: bytes) -> Bot:
        """Return a new bot of this kind, with its own dice."""
        return self.maker(seed, self.options)


def known() -> list[str]:
    """Return the names of all bots, including those of other packages."""
    return [*BOTS, *sorted(set(_guests()) - set(BOTS))]


@functools.cache
def _guests() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def take_apart(text: str) -> tuple[str, str, str | None]:
    """Return the name, the options and the budget (None if there is none) of `name`, `name:options`,
    `name@budget` or `name:options@budget`."""
    if not isinstance(text, str):
        raise ArgumentError(f"a bot is named by text, as in greedy or search@500, not by {quoted(text)}")
    before, at, budget = text.rpartition("@") if "@" in text else (text, "", "")
    name, _, options = before.partition(":")
    return name, options, budget if at else None


def find(text: str) -> Entrant:
    """Return the entrant of a text, after creating one such bot to check its options."""
    entrant = parse(text)
    try:
        bot = entrant.make(b"")
    except (UpcardError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise UpcardError(f"the bot {quoted(text)} cannot be made: it raised {one_line(error)}") from error
    if not callable(getattr(bot, "choose", None)):
        raise UpcardError(f"the bot {quoted(text)} cannot play: it has no method choose(turn)")
    return entrant


def parse(text: str) -> Entrant:
    """Return the entrant of a text without creating a bot, so invalid options are not detected yet."""
    name, options, budget = take_apart(text)
    maker, default = _maker(name)
    return Entrant(text, maker, options, default if budget is None else Budget.read(budget))


def _maker(name: str) -> tuple[Maker, Budget]:
    if name in BOTS:
        return BOTS[name]
    if name in CHEATS:
        raise NotFound(CHEATS[name])
    if name not in _guests():
        raise NotFound(f"there is no bot {quoted(name)}: choose {', '.join(known())}")
    try:
        maker = _guests()[name].load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        source = _guests()[name].value
        raise UpcardError(f"the bot {name} of {source} cannot be loaded: {one_line(error)}") from error
    return maker, Budget()
