"""A small cache of results that take long to compute."""

from __future__ import annotations

__all__ = ["Cache"]


class Cache(dict[str, bytes]):
    """Bytes by key. When it is full, the oldest entry is dropped."""

    def __init__(self, max_size: int) -> None:
        super().__init__()
        self._max_size = max_size

    def __setitem__(self, key: str, value: bytes) -> None:
        if key not in self and len(self) >= self._max_size:
            del self[next(iter(self))]
        super().__setitem__(key, value)
