"""Layouts: what each number of an observation, or each action, means; declared once, documented from here."""

from __future__ import annotations

__all__ = ["Entry", "Layout"]

from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Entry:
    """Some numbers that mean one thing: where they begin, how many they are, and how high each can be."""

    at: int
    count: int
    most: int
    name: str
    about: str
    # The same thing is repeated so many times, so many numbers apart; a letter counts them.
    times: int = 1
    stride: int = 0
    letter: str = ""

    @property
    def places(self) -> str:
        """Where it is, as the tables of the documentation say it."""
        first = f"{self.at}" if self.count == 1 else f"{self.at}–{self.at + self.count - 1}"
        return first if self.times == 1 else f"{first} + {self.stride}·{self.letter}"


@dataclass
class Layout:
    """Entries one after another. `add` returns where an entry begins, which is what rules count from."""

    entries: list[Entry] = field(default_factory=list)
    size: int = 0

    def add(self, name: str, count: int = 1, most: int = 1, about: str = "") -> int:
        """Put an entry of `count` numbers, each from 0 to `most`, behind the others."""
        self.entries.append(Entry(self.size, count, most, name, about))
        return self._grow(count)

    def repeat(self, times: int, part: Layout, letter: str) -> int:
        """Put another layout behind the others, so many times over, counted by a letter."""
        self.entries += [
            replace(one, at=self.size + one.at, times=times, stride=part.size, letter=letter)
            for one in part.entries
        ]
        return self._grow(times * part.size)

    def _grow(self, count: int) -> int:
        begins = self.size
        self.size += count
        return begins

    @property
    def high(self) -> Any:
        """How high each number can be, as an array of bytes."""
        import numpy as np

        high = np.zeros(self.size, np.uint8)
        for entry in self.entries:
            for time in range(entry.times):
                begins = entry.at + time * entry.stride
                high[begins : begins + entry.count] = entry.most
        return high

    def place(self, name: str, time: int = 0) -> slice:
        """Return where the numbers of an entry are (those of you, or of another seat)."""
        for entry in self.entries:
            if entry.name == name:
                begins = entry.at + time * entry.stride
                return slice(begins, begins + entry.count)
        known = ", ".join(entry.name for entry in self.entries)
        raise KeyError(f"there is no entry {name!r:.40}: the entries are {known}")
