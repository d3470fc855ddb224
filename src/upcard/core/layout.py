"""Layouts: the meaning of each number of an observation, or of each action; declared once, documented from
here."""

from __future__ import annotations

__all__ = ["Layout", "Segment"]

from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Segment:
    """Consecutive numbers with one meaning: the index of the first, their count, and the maximum of each."""

    at: int
    count: int
    maximum: int
    name: str
    about: str
    # Number of repetitions, the distance between them, and the letter that counts them in the documentation.
    times: int = 1
    stride: int = 0
    letter: str = ""

    @property
    def places(self) -> str:
        """Its position, as in the tables of the documentation."""
        first = f"{self.at}" if self.count == 1 else f"{self.at}–{self.at + self.count - 1}"
        return first if self.times == 1 else f"{first} + {self.stride}·{self.letter}"


@dataclass
class Layout:
    """Segments one after another. `add` returns the index of the first number of a segment, for rules to
    use."""

    segments: list[Segment] = field(default_factory=list)
    size: int = 0

    def add(self, name: str, count: int = 1, maximum: int = 1, about: str = "") -> int:
        """Append a segment of `count` numbers, each from 0 to `maximum`."""
        self.segments.append(Segment(self.size, count, maximum, name, about))
        return self._grow(count)

    def repeat(self, times: int, part: Layout, letter: str) -> int:
        """Append another layout several times, counted by a letter."""
        self.segments += [
            replace(one, at=self.size + one.at, times=times, stride=part.size, letter=letter)
            for one in part.segments
        ]
        return self._grow(times * part.size)

    def _grow(self, count: int) -> int:
        begins = self.size
        self.size += count
        return begins

    @property
    def high(self) -> Any:
        """The maximum of each number, as an array of bytes."""
        import numpy as np

        high = np.zeros(self.size, np.uint8)
        for segment in self.segments:
            for time in range(segment.times):
                begins = segment.at + time * segment.stride
                high[begins : begins + segment.count] = segment.maximum
        return high

    def place(self, name: str, time: int = 0) -> slice:
        """Return the positions of the numbers of a segment (those of you, or of another seat)."""
        for segment in self.segments:
            if segment.name == name:
                begins = segment.at + time * segment.stride
                return slice(begins, begins + segment.count)
        known = ", ".join(segment.name for segment in self.segments)
        raise KeyError(f"there is no segment {name!r:.40}: the segments are {known}")
